/* The search in a cell, for forms of any kind. */
#define LK_NAME              lk_search_any
#define LK_DISTANCE(v, a, b) tsp_distance((v)->lk->problem, (v)->cities[a].id, (v)->cities[b].id)

#include "tsp/lk/search.h"
