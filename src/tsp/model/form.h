/* Private: the form in which every algorithm sees a problem: a closed tour of n cities, with distances that
 * are the same in both directions, and edges that the tour must contain.
 */
#ifndef SHOAL_TSP_FORM_H
#define SHOAL_TSP_FORM_H

#include <shoal/tsp.h>

struct tsp_problem;

/* A length above every sum of distances that a move compares, 6 (2^31 - 1). Multiplied by the largest number
 * of cities the length fits 64 bits. */
#define TSP_FAR (INT64_C(1) << 36)

/* With up to this number of cities there is only one closed tour, and no algorithm is needed. */
enum { TSP_ONE_TOUR = 3 };

struct tsp_form {
    uint32_t n;
    int rule;      /* how a distance follows from two places: cl/tsp/model/rules.clh, -D RULE */
    unsigned dim;  /* numbers of a place, -D DIM; 0: there is a matrix */
    bool is_whole; /* all places are whole numbers whose differences fit into 31 bits: devices need no fp64 */
    bool is_large; /* the places are whole, and some may be 2^21 or more apart, -D LARGE */
    /* the places are large, and the exact root is taken beyond 2^25, where the formula in doubles may
     * differ */
    bool is_exact;
    bool is_wide;   /* fixed or forbidden edges, or distances of 2^29 and more: differences need 64 bits, -D
                       WIDE */
    bool has_fixed; /* the form has fixed edges, -D HAS_FIXED */
    /* the last city (in an asymmetric problem the last city of each kind) has distance 0 to all others, -D
     * IS_PATH */
    bool is_path;
    bool is_asymmetric; /* the problem is asymmetric, -D IS_ASYMMETRIC */
    bool owns_places;
    /* [cities of the input][dim]: numbers as the rule takes them; points on a sphere are unit vectors. NULL:
     * the form has a matrix */
    const double *places;
    double origin[3]; /* for whole places: the least coordinates */
    /* [n][2]: the cities joined to a city by fixed edges, or SHOAL_TSP_NONE; NULL: there are no fixed
     * edges */
    uint32_t *fixed;
    uint32_t fixed_count;
};

/* Sets problem->form from the rest of the problem, and the unit of EUCLID. SHOAL_INVALID: for example a
 * distance is beyond 2^31 - 1; the message names the pair. After a failure tsp_form_destroy frees the
 * rest. */
SHOAL_MUST_CHECK enum shoal_status tsp_form_create(struct tsp_problem *problem, struct shoal_error *error);
void tsp_form_destroy(struct tsp_form *form); /* accepts zeros */

/* The distance of two cities of the form. */
int64_t tsp_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b);
/* The length of a closed tour of the form. */
int64_t tsp_form_length(const struct tsp_problem *problem, const uint32_t *tour);
/* Distance from one city of the input to another; SHOAL_TSP_FORBIDDEN: no tour may use this edge. */
int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to);
/* The length that is reported: of a closed tour or a path of the input's cities. *forbidden, if not NULL,
 * receives the place of a forbidden edge in the tour, whose distance counts as 0, or SHOAL_TSP_NONE. */
int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden);

/* tsp_form_enter: makes a closed tour of the form from a tour of the input; tsp_form_leave: the reverse,
 * which returns false where the tour lacks a fixed edge or contains a forbidden edge. A tour of the form has
 * form.n cities, a tour of the input problem->n cities. */
void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour);
bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour);

#endif
