/* The search in a cell, for points in the plane whose Euclidean distances are rounded to the nearest integer.
 */
#include "tsp/lk/lk.h"

#include <math.h>

#define LK_NAME              lk_search_plane
#define LK_DISTANCE(v, a, b) in_plane((v)->cities + (a), (v)->cities + (b))

/* The distance of tsp_distance for TSPLIB's EUC_2D. */
static inline int64_t in_plane(const struct lk_city *a, const struct lk_city *b)
{
    const double x = a->x - b->x, y = a->y - b->y;
    return (int64_t)(sqrt(x * x + y * y) + 0.5);
}

#include "tsp/lk/search.h"
