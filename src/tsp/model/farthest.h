/* Private: search for the two points that are farthest apart. */
#ifndef SHOAL_TSP_FARTHEST_H
#define SHOAL_TSP_FARTHEST_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

struct tsp_extent {
    double least[3], most[3];
};

/* Returns the bounding box of n points (at least 1) with `dim` coordinates each. */
struct tsp_extent tsp_extent(const double *places, size_t n, unsigned dim);

/* Returns a measure of absolute coordinate differences: the square of a Euclidean distance, the sum of the
 * differences, or the largest difference. By the rule (cl/tsp/model/rules.clh), a pair with a larger measure
 * is never nearer. The measure never decreases if a difference increases, even with rounding. */
double tsp_measure(int rule, unsigned dim, const double *difference);
/* Returns the measure of opposite corners of the bounding box, which no pair of points exceeds. */
double tsp_measure_of(int rule, unsigned dim, const struct tsp_extent *extent);

/* Finds the pair of points with the largest measure, exactly, in nearly linear time; pair[0] < pair[1]. Pairs
 * of boxes are skipped if the largest measure between their points cannot exceed the best so far. */
SHOAL_MUST_CHECK enum shoal_status tsp_farthest(const double *places, size_t n, unsigned dim, int rule,
                                                uint32_t pair[2], struct shoal_error *error);

#endif
