/* Private: the form in which every algorithm sees a problem: a closed tour of n cities, the same distance
 * both ways, edges that the tour must hold.
 *
 * - A path has one city more, at no distance from any other; a given first or last city is joined to it by a
 *   fixed edge.
 * - An asymmetric problem has two cities for each: i, which a tour enters, and i + n / 2, which it leaves,
 *   joined by a fixed edge; the distance from i to j is that of i + n / 2 and j, and pairs of one kind are
 *   forbidden (R. Jonker and T. Volgenant 1983). A fixed edge of the input is then the arc from its first
 * city to its second.
 * - A fixed edge has the distance -TSP_FAR, a forbidden one TSP_FAR: local search then never drops the first
 *   nor takes the second. What constructs tours follows fixed edges first (`fixed`).
 */
#ifndef SHOAL_TSP_FORM_H
#define SHOAL_TSP_FORM_H

#include <shoal/tsp.h>

struct tsp_problem;

/* Beyond every sum of distances that a move compares, 6 (2^31 - 1); times the largest number of cities it
 * fits into 64 bits. */
#define TSP_FAR (INT64_C(1) << 36)

/* Up to so many cities have one closed tour: no algorithm is asked. */
enum { TSP_ONE_TOUR = 3 };

struct tsp_form {
    uint32_t n;
    int rule;      /* how a distance follows from two places: cl/tsp/model/rules.clh, -D RULE */
    unsigned dim;  /* numbers of a place, -D DIM; 0: there is a matrix */
    bool is_whole; /* all places are whole numbers whose differences fit into 31 bits: devices need no fp64 */
    bool is_large; /* whole, and some may be 2^21 or more apart, -D LARGE */
    bool is_exact; /* large, and by the exact root beyond 2^25, where the formula in doubles may differ */
    bool is_wide;  /* fixed or forbidden edges, or distances of 2^29 and more: differences need 64 bits, -D
                      WIDE */
    bool has_fixed; /* -D HAS_FIXED */
    bool is_path; /* the last city (asymmetric: of each kind) is at no distance from the others, -D IS_PATH */
    bool is_asymmetric; /* -D IS_ASYMMETRIC */
    bool owns_places;
    /* dim numbers for each city of the input as the rule takes them: unit vectors of points on a sphere.
     * NULL: matrix */
    const double *places;
    double origin[3]; /* of whole places: the least coordinates */
    uint32_t *fixed;  /* 2 n: the cities joined to a city by fixed edges, or SHOAL_TSP_NONE; NULL: none */
    uint32_t fixed_count;
};

/* Sets problem->form from the rest of the problem, and the unit of EUCLID. SHOAL_INVALID with one line, e.g.
 * the pair whose distance is beyond 2^31 - 1. After a failure tsp_form_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status tsp_form_create(struct tsp_problem *problem, struct shoal_error *error);
void tsp_form_destroy(struct tsp_form *form); /* accepts zeros */

/* Between two cities of the form. */
int64_t tsp_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b);
/* The length of a closed tour of the form. */
int64_t tsp_form_length(const struct tsp_problem *problem, const uint32_t *tour);
/* From one city of the input to another; SHOAL_TSP_FORBIDDEN: no tour may use it. */
int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to);
/* Length of a tour of the input's cities, a closed one or a path: the length that is reported. `*forbidden`,
 * if not NULL, receives the place of a forbidden edge in it, which counts nothing, else SHOAL_TSP_NONE. */
int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden);

/* A closed tour of the form from one of the input, and back: form.n and problem->n cities. `leave` returns
 * false where the tour breaks a fixed edge or holds a forbidden one. */
void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour);
bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour);

#endif
