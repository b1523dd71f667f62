/* The search in a cell, for points in the plane whose Euclidean distances are rounded to the nearest integer.
 */
#include "tsp/lk/lk.h"

#define LK_NAME              lk_search_plane
#define LK_DISTANCE(v, a, b) in_plane((v)->cities + (a), (v)->cities + (b))

/* The distance of tsp_distance for TSPLIB's EUC_2D. */
static inline int64_t in_plane(const struct lk_city *a, const struct lk_city *b)
{
    return tsp_plane_size(a->x - b->x, a->y - b->y);
}

#include "tsp/lk/search.h"
