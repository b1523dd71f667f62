/* Private: the form of a problem that all algorithms use: a closed tour of n cities, with symmetric
 * distances, and with edges that the tour must contain. */
#ifndef SHOAL_TSP_FORM_H
#define SHOAL_TSP_FORM_H

#include <shoal/tsp.h>

struct tsp_problem;

/* A length that exceeds every sum of distances that a move compares, 6 (2^31 - 1). Its product with the
 * largest number of cities fits 64 bits. */
#define TSP_FAR (INT64_C(1) << 36)

/* A form with up to this number of cities has only one closed tour, and needs no algorithm. */
enum { TSP_ONE_TOUR = 3 };

struct tsp_form {
    uint32_t n;
    int rule;     /* rule for the distance of two points, -D RULE: cl/tsp/model/rules.clh */
    unsigned dim; /* number of coordinates of a city, -D DIM; 0: the form has a matrix */
    /* all coordinates are integers whose differences fit 31 bits, so that devices need no fp64 */
    bool is_whole;
    bool is_large; /* coordinates are integers, and some differ by 2^21 or more, -D LARGE */
    /* coordinates are large integers, and distances beyond 2^25 need the exact integer root, since the root
     * in doubles may differ */
    bool is_exact;
    /* there are fixed or forbidden edges, or distances of 2^29 or more, so that differences of distances need
     * 64 bits, -D WIDE */
    bool is_wide;
    bool has_fixed; /* the form has fixed edges, -D HAS_FIXED */
    /* the last city has distance 0 to all others, -D IS_PATH; in an asymmetric problem, the last entry and
     * the last exit */
    bool is_path;
    bool is_asymmetric; /* the problem is asymmetric, -D IS_ASYMMETRIC */
    bool owns_places;
    /* [cities of the input][dim]: coordinates as the rule needs them; points on a sphere are unit vectors.
     * NULL: the form has a matrix */
    const double *places;
    double origin[3]; /* least coordinates, if coordinates are integers */
    /* [n][2]: cities joined to each city by fixed edges, or SHOAL_TSP_NONE; NULL: there are no fixed edges */
    uint32_t *fixed;
    uint32_t fixed_count;
};

/* Sets problem->form from the other members of the problem, and the unit of EUCLID. SHOAL_INVALID: for
 * example, a distance exceeds 2^31 - 1; the message names the pair of cities. After a failure
 * tsp_form_destroy frees what was allocated. */
SHOAL_MUST_CHECK enum shoal_status tsp_form_create(struct tsp_problem *problem, struct shoal_error *error);
void tsp_form_destroy(struct tsp_form *form); /* accepts a struct of zeros */

/* The distance of two cities of the form. */
int64_t tsp_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b);
/* The length of a closed tour of the form. */
int64_t tsp_form_length(const struct tsp_problem *problem, const uint32_t *tour);
/* Distance from one city of the input to another; SHOAL_TSP_FORBIDDEN: no tour may use this edge. */
int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to);
/* The length that results report: of a closed tour or a path of the input's cities. *forbidden (NULL: not
 * wanted): index of a forbidden edge in the tour, whose distance counts as 0, or SHOAL_TSP_NONE. */
int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden);

/* tsp_form_enter converts a tour of the input to a closed tour of the form. tsp_form_leave converts it back,
 * and returns false if the tour lacks a fixed edge or contains a forbidden edge. A tour of the form has
 * form.n cities, a tour of the input problem->n cities. */
void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour);
bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour);

#endif
