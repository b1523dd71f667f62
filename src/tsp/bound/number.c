/* The numbers of cities and edges in the rounds of an ascent: near each other in the plane, near each other
 * in memory. */
#include "tsp/bound/rounds.h"

#include "base/error.h"
#include "tsp/improve/curve.h"
#include "tsp/improve/improve.h"

#include <stdlib.h>

int64_t tsp_most_penalty(uint32_t n)
{
    return (INT64_C(1) << 58) / n;
}

/* places: [n], position of each city; begins: [n]. */
static void set_edges(const struct tsp_graph *graph, const uint32_t *places, uint32_t *begins,
                      struct tsp_edge *edges)
{
    const uint32_t n = graph->n, count = (uint32_t)graph->count, fixed_count = (uint32_t)graph->fixed_count;
    uint32_t begin = fixed_count;
    for (uint32_t i = 0; i < n; i++)
        begins[i] = 0;
    for (uint32_t i = fixed_count; i < count; i++) {
        const uint32_t a = places[graph->edges[i].a], b = places[graph->edges[i].b];
        begins[a < b ? a : b]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t own = begins[i];
        begins[i] = begin;
        begin += own;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = places[graph->edges[i].a], b = places[graph->edges[i].b], low = a < b ? a : b;
        edges[i < fixed_count ? i : begins[low]++] =
            (struct tsp_edge){low, a ^ b ^ low, graph->edges[i].length};
    }
}

enum shoal_status tsp_number_edges(const struct tsp_graph *graph, int threads, uint32_t *order,
                                   struct tsp_edge *edges, struct shoal_error *error)
{
    struct tsp_curve curve = tsp_plain_curve;
    curve.threads = threads;
    if (graph->count > INT32_MAX)
        return fail(error, SHOAL_UNSUPPORTED, "%s: a lower bound takes at most 2^31 - 1 edges of lists",
                    graph->problem->name);
    uint32_t *scratch = malloc(2 * (size_t)graph->n * sizeof *scratch);
    if (!scratch)
        return fail_host_memory(error);
    const enum shoal_status status = tsp_curve_order(graph->problem, &curve, order, error);
    for (uint32_t i = 0; i < graph->n && !status; i++)
        scratch[order[i]] = i;
    if (!status)
        set_edges(graph, scratch, scratch + graph->n, edges);
    free(scratch);
    return status;
}
