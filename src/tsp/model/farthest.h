/* Private: the two of many places that are farthest apart. */
#ifndef SHOAL_TSP_FARTHEST_H
#define SHOAL_TSP_FARTHEST_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

struct tsp_extent {
    double least[3], most[3];
};

/* The extent of n >= 1 places of `dim` numbers. */
struct tsp_extent tsp_extent(const double *places, size_t n, unsigned dim);

/* A measure that grows with the distance by a rule of cl/tsp/model/rules.clh, computed from absolute
 * differences: the square of a straight distance, the sum or the largest difference. It grows with each
 * difference, even with rounding. */
double tsp_measure(int rule, unsigned dim, const double *difference);
/* The measure of two opposite corners of the extent, which no pair exceeds. */
double tsp_measure_of(int rule, unsigned dim, const struct tsp_extent *extent);

/* Finds the pair with the largest measure exactly, in nearly linear time; the lower number comes first. Boxes
 * of places are compared by the largest measure that two places in them can have. */
SHOAL_MUST_CHECK enum shoal_status tsp_farthest(const double *places, size_t n, unsigned dim, int rule,
                                                uint32_t pair[2], struct shoal_error *error);

#endif
