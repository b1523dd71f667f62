/* Private: cities in the order of a space-filling curve through their coordinates. */
#ifndef SHOAL_TSP_CURVE_H
#define SHOAL_TSP_CURVE_H

#include "tsp/model/problem.h"

/* An element of an array that tsp_sort_items sorts by ascending key, stably. */
struct tsp_curve_item {
    uint32_t key, value;
};

/* scratch: [count]. */
void tsp_sort_items(struct tsp_curve_item *items, struct tsp_curve_item *scratch, size_t count, int threads);

/* The coordinate of a city along an axis, after a turn of the first two axes by the angle whose cosine and
 * sine are given. */
static inline double tsp_turned(const struct tsp_form *form, const double turned[2], size_t city,
                                unsigned axis)
{
    const double *place = form->places + city * form->dim;
    if (axis == 0)
        return turned[0] * place[0] - turned[1] * place[1];
    return axis == 1 ? turned[1] * place[0] + turned[0] * place[1] : place[2];
}

/* The cube through which a curve runs. */
struct tsp_curve {
    double turned[2]; /* cosine and sine of the angle by which the first two axes are turned */
    double margin;    /* the cube is longer than the longest side of the cities by this part of it */
    double shift[3];  /* part of the margin that is before the first city of each axis */
    int threads;      /* number of threads that compute and sort keys */
    /* In two dimensions: a Moore curve, whose end is beside its begin. Otherwise it is a Hilbert curve. */
    bool is_closed;
};

/* A Hilbert curve without turn and margin. */
extern const struct tsp_curve tsp_plain_curve;
/* A Moore curve without turn and margin, for tours. */
extern const struct tsp_curve tsp_closed_curve;

/* The cell of a coordinate along an axis is (coordinate - first) * scale. */
struct tsp_curve_grid {
    double first[3], scale;
};
struct tsp_curve_grid tsp_curve_grid(const struct tsp_problem *problem, const struct tsp_curve *curve);

/* Sets the keys of `count` items to the positions of the cities `value` on the curve. The additional city of
 * a path has no coordinates; its key is the lowest. */
void tsp_curve_keys(const struct tsp_problem *problem, const struct tsp_curve *curve,
                    struct tsp_curve_item *items, uint32_t count);

#endif
