/* Private: the form of a problem, which is what all algorithms solve: a shortest closed tour of n cities with
 * symmetric distances, which contains given edges. tsp_form_create converts paths and asymmetric inputs to
 * this form. */
#ifndef SHOAL_TSP_FORM_H
#define SHOAL_TSP_FORM_H

#include "tsp/model/rules.clh"

#include <math.h>
#include <shoal/tsp.h>

struct tsp_problem;

/* The distance of a forbidden edge. It exceeds every sum of distances that a move compares, 6 (2^31 - 1), and
 * its product with the largest number of cities fits 64 bits. A fixed edge has the distance -TSP_FAR. */
#define TSP_FAR (INT64_C(1) << 36)

/* Largest number of cities with which a form has only one closed tour, so that no algorithm is needed. */
enum { TSP_ONE_TOUR = 3 };

/* If a problem has more cities than this and they are evenly spread, lk begins with a curve where a step
 * searches all cells, and auto takes lk on a GPU. */
enum { TSP_MANY_CITIES = 1 << 16 };

struct tsp_form {
    uint32_t n;
    int rule;     /* how the distance of two cities is computed, -D RULE: see cl/tsp/model/rules.clh */
    unsigned dim; /* number of coordinates of a city, -D DIM; 0: distances are in a matrix */
    /* all coordinates are integers whose differences fit 31 bits, so that kernels need no fp64 */
    bool is_whole;
    bool is_large; /* coordinates are integers, and some differ by 2^21 or more, -D LARGE */
    /* some integer coordinates differ so much that distances can exceed 2^25, where a root in doubles may
     * differ from the exact integer root; so the exact root is computed */
    bool is_exact;
    /* there are fixed or forbidden edges, or distances of 2^29 or more, so that kernels compute differences
     * of distances with 64 bits, -D WIDE */
    bool is_wide;
    bool has_fixed; /* the form has fixed edges, -D HAS_FIXED */
    /* the last city, which stands for no city of the input, has distance 0 to all cities, -D IS_PATH; in an
     * asymmetric problem, the last entry and the last exit */
    bool is_path;
    /* the input is asymmetric, so the form has an entry and an exit for each city, -D IS_ASYMMETRIC */
    bool is_asymmetric;
    /* the cities are points in a plane, more than TSP_MANY_CITIES, and spread evenly: of a grid of n / 2
     * squares over them, three quarters have a city */
    bool is_even;
    bool owns_places;
    /* [cities of the input][dim]: coordinates as the rule needs them; unit vectors for points on a sphere;
     * NULL: the distances are in the matrix */
    const double *places;
    double origin[3]; /* if coordinates are integers: the least value of each coordinate */
    /* [n][2]: the cities to which fixed edges join each city, or SHOAL_TSP_NONE; NULL: no edge is fixed */
    uint32_t *fixed;
    uint32_t fixed_count;
};

/* Do all distances follow from coordinates alone? Each tour of the form then is one of the input, of the same
 * length. */
static inline bool tsp_form_is_plain(const struct tsp_form *form)
{
    return form->dim && !form->has_fixed && !form->is_path;
}

/* Are all distances straight lines between points of the plane, rounded to the nearest integer in floating
 * point? */
static inline bool tsp_form_is_plane(const struct tsp_form *form)
{
    return form->rule == RULE_NEAREST && form->dim == 2 && !form->is_exact && tsp_form_is_plain(form);
}

/* The distance of two points of such a form, from the differences of their coordinates. */
static inline int64_t tsp_plane_size(double x, double y)
{
    return (int64_t)(sqrt(x * x + y * y) + 0.5);
}

/* Is the edge from city a to city b of the form fixed? */
static inline bool tsp_form_fixes(const struct tsp_form *form, uint32_t a, uint32_t b)
{
    return form->has_fixed && (form->fixed[2 * (size_t)a] == b || form->fixed[2 * (size_t)a + 1] == b);
}

/* Sets problem->form from the other members of the problem and, for EUCLID, problem->unit. Returns
 * SHOAL_INVALID, for example, if a distance exceeds 2^31 - 1; the message names the pair of cities. After a
 * failure the caller must call tsp_form_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_form_create(struct tsp_problem *problem, struct shoal_error *error);
void tsp_form_destroy(struct tsp_form *form); /* accepts a struct of zeros */

/* Returns the distance of two cities of the form; -TSP_FAR for a fixed edge, TSP_FAR for a forbidden edge. */
int64_t tsp_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b);
/* Returns the length of a closed tour of the form, the sum of its distances. */
int64_t tsp_form_length(const struct tsp_problem *problem, const uint32_t *tour);
/* Returns the distance from one city of the input to another, or SHOAL_TSP_FORBIDDEN. */
int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to);
/* Returns the length of a closed tour or path of the input's cities, which results report. A forbidden edge
 * counts as 0. *forbidden (NULL: not wanted): index in the tour of a forbidden edge, or SHOAL_TSP_NONE. */
int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden);

/* tsp_form_enter converts a tour of the input to a closed tour of the form. tsp_form_leave converts a closed
 * tour of the form to a tour of the input, and returns false if it lacks a fixed edge or has a forbidden
 * edge. A tour of the form has form.n cities, a tour of the input problem->n cities. */
void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour);
bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour);

#endif
