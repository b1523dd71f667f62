/* Counts connected components of the graph of candidate lists. */
#include "base/error.h"
#include "tsp/model/leaders.h"
#include "tsp/model/neighbours.h"

#include <stdlib.h>

enum shoal_status tsp_lists_components(const struct tsp_problem *problem, const uint32_t *lists,
                                       uint32_t count, uint32_t *components, struct shoal_error *error)
{
    const uint32_t n = problem->n;
    uint32_t *leaders = malloc(n * sizeof *leaders);
    if (!leaders)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < n; i++)
        leaders[i] = i;
    *components = n;
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t *list = lists + (size_t)a * count;
        for (uint32_t k = 0; k < count && list[k] != SHOAL_TSP_NONE; k++) {
            const uint32_t b = list[k];
            /* the additional city of a path is not a vertex of the graph */
            if (b >= n)
                continue;
            const uint32_t first = tsp_leader(leaders, a), second = tsp_leader(leaders, b);
            *components -= first != second;
            leaders[first] = second;
        }
    }
    free(leaders);
    return SHOAL_OK;
}
