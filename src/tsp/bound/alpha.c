/* Candidate lists of the cities of least alpha-nearness (K. Helsgaun, European Journal of Operational
 * Research 126, 2000). */
#include "tsp/bound/bound.h"

#include "base/error.h"

#include <stdlib.h>

struct candidate {
    int64_t alpha, distance;
    uint32_t city;
};

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->alpha != b->alpha)
        return a->alpha < b->alpha;
    return a->distance < b->distance || (a->distance == b->distance && a->city < b->city);
}

/* Puts a candidate into a list of `count`, in ascending order, and drops the last one. */
static void insert(struct candidate *list, uint32_t count, struct candidate candidate)
{
    uint32_t i = count - 1;
    if (!is_before(&candidate, &list[i]))
        return;
    for (; i > 0 && is_before(&candidate, &list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = candidate;
}

static int by_distance(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return p->city < q->city ? -1 : p->city > q->city;
}

static enum shoal_status fill(const struct tsp_graph *graph, uint32_t count, uint32_t *lists,
                              struct shoal_error *error)
{
    const uint32_t n = graph->n;
    struct tsp_tree tree = {0};
    struct candidate *all = malloc((size_t)n * count * sizeof *all);
    enum shoal_status status = all ? tsp_tree_create(graph, &tree, error) : fail_host_memory(error);
    if (status)
        goto end;
    for (size_t i = 0; i < (size_t)n * count; i++)
        all[i] = (struct candidate){INT64_MAX, INT64_MAX, SHOAL_TSP_NONE};
    tsp_tree_find(graph, &tree);
    for (size_t i = 0; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        const bool is_fixed = i < graph->fixed_count;
        const int64_t alpha = is_fixed ? INT64_MIN : tsp_tree_alpha(graph, &tree, edge),
                      distance = tsp_distance(graph->problem, edge->a, edge->b);
        insert(all + (size_t)edge->a * count, count, (struct candidate){alpha, distance, edge->b});
        insert(all + (size_t)edge->b * count, count, (struct candidate){alpha, distance, edge->a});
    }
    for (uint32_t a = 0; a < n; a++) {
        qsort(all + (size_t)a * count, count, sizeof *all, by_distance);
        for (uint32_t j = 0; j < count; j++)
            lists[(size_t)a * count + j] = all[(size_t)a * count + j].city;
    }
end:
    free(all);
    tsp_tree_destroy(&tree);
    return status;
}

enum shoal_status tsp_alpha_lists(const struct tsp_problem *problem, const struct tsp_listing *listing,
                                  const struct tsp_bound_device *device, uint32_t *lists,
                                  struct shoal_error *error)
{
    struct tsp_graph graph = {0};
    enum shoal_status status = tsp_ascend(problem, listing, device, &graph, NULL, error);
    if (!status)
        status = fill(&graph, listing->count, lists, error);
    tsp_graph_destroy(&graph);
    return status;
}
