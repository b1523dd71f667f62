/* Problems of points and matrices for tests of distances and candidate lists. */
#ifndef SHOAL_TESTS_TSP_CITIES_H
#define SHOAL_TESTS_TSP_CITIES_H

#include "test.h"
#include "tsp/model/problem.h"

/* Owns nothing but what the problem does: points and matrix stay the caller's. */
struct cities {
    struct shoal_tsp_params params;
    struct tsp_problem problem;
};

void cities_open(struct cities *cities, enum shoal_tsp_metric metric, unsigned dim, const double *points,
                 uint32_t n);
void cities_open_matrix(struct cities *cities, const int32_t *matrix, uint32_t n);
/* Makes a path of it, from and to the given cities or SHOAL_TSP_NONE, with fixed edges. */
enum shoal_status cities_change(struct cities *cities, bool is_path, uint32_t start, uint32_t end,
                                const uint32_t (*fixed)[2], size_t count);
void cities_close(struct cities *cities);

/* A sequence of random numbers, the same in each run. */
uint64_t cities_random(uint64_t *state);
double cities_uniform(uint64_t *state); /* 0 .. 1 */

/* Pairs of points for a kind of distance: the first half at random, the second half at borders of rounding.
 */
struct cities_pairs {
    const char *name;
    enum shoal_tsp_metric metric;
    unsigned dim;
    /* Whole coordinates up to `span`, or real ones; border: the next pair is to be at one. */
    bool is_whole;
    double span;
};
enum { CITIES_PAIRS = 22 };
extern const struct cities_pairs cities_pairs[CITIES_PAIRS];
/* points[2 * count * dim]: points 2 i and 2 i + 1 are a pair. */
void cities_make_pairs(const struct cities_pairs *pairs, uint64_t seed, double *points, size_t count);

/* Kinds of places for candidate lists. */
enum cities_kind { UNIFORM, CLUSTERED, DUPLICATES, LINE, ONE_PLACE, REAL_NUMBERS, CITIES_KINDS };
void cities_make_points(enum cities_kind kind, enum shoal_tsp_metric metric, unsigned dim, double *points,
                        uint32_t n);

#endif
