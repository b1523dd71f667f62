/* Private: finds the two points that are farthest apart. */
#ifndef SHOAL_TSP_FARTHEST_H
#define SHOAL_TSP_FARTHEST_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

struct tsp_extent {
    double least[3], most[3];
};

/* Returns the bounding box of n >= 1 points with `dim` coordinates. */
struct tsp_extent tsp_extent(const double *places, size_t n, unsigned dim);

/* A measure that never decreases with the distance of a rule of cl/tsp/model/rules.clh, computed from
 * absolute differences: the square of a Euclidean distance, the sum or the largest difference. It never
 * decreases with any difference, even with rounding. */
double tsp_measure(int rule, unsigned dim, const double *difference);
/* The measure between opposite corners of the bounding box, which no pair exceeds. */
double tsp_measure_of(int rule, unsigned dim, const struct tsp_extent *extent);

/* Finds the pair with the largest measure exactly, in nearly linear time. pair[0] < pair[1]. Boxes of points
 * are compared by the largest measure that two of their points can have. */
SHOAL_MUST_CHECK enum shoal_status tsp_farthest(const double *places, size_t n, unsigned dim, int rule,
                                                uint32_t pair[2], struct shoal_error *error);

#endif
