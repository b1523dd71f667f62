/* The search in a cell, for points in the plane whose Euclidean distances are rounded to the nearest integer.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LK_NAME              lk_search_plane
#define LK_DISTANCE(v, a, b) in_plane((v)->places, a, b)

/* The distance of tsp_distance for TSPLIB's EUC_2D. */
static inline int64_t in_plane(const double *places, uint32_t a, uint32_t b)
{
    const double x = places[2 * (size_t)a] - places[2 * (size_t)b],
                 y = places[2 * (size_t)a + 1] - places[2 * (size_t)b + 1];
    return (int64_t)(sqrt(x * x + y * y) + 0.5);
}

#include "tsp/lk/search.h"
