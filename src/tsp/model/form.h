/* Private: the form in which every algorithm sees a problem: a closed tour of n cities, with distances that
 * are the same in both directions, and edges that the tour must contain.
 */
#ifndef SHOAL_TSP_FORM_H
#define SHOAL_TSP_FORM_H

#include <shoal/tsp.h>

struct tsp_problem;

/* Beyond every sum of distances that a move compares, 6 (2^31 - 1); times the largest number of cities it
 * fits into 64 bits. */
#define TSP_FAR (INT64_C(1) << 36)

/* With up to this number of cities there is only one closed tour, and no algorithm is needed. */
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
    bool is_path;   /* the last city (asymmetric: the last one of each kind) has distance 0 to all others: -D
                     * IS_PATH */
    bool is_asymmetric; /* -D IS_ASYMMETRIC */
    bool owns_places;
    /* dim numbers for each city of the input as the rule takes them: unit vectors of points on a sphere.
     * NULL: matrix */
    const double *places;
    double origin[3]; /* for whole places: the least coordinates */
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
/* Distance from one city of the input to another; SHOAL_TSP_FORBIDDEN: no tour may use this edge. */
int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to);
/* The length that is reported: of a closed tour or a path of the input's cities. *forbidden, if not NULL,
 * receives the place of a forbidden edge in it, which counts 0, or SHOAL_TSP_NONE. */
int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden);

/* tsp_form_enter: makes a closed tour of the form from a tour of the input; tsp_form_leave: the reverse,
 * which returns false where the tour lacks a fixed edge or contains a forbidden edge. A tour of the form has
 * form.n cities, one of the input problem->n. */
void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour);
bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour);

#endif
