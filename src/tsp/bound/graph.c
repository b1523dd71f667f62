/* The graph of candidate edges of a lower bound. */
#include "tsp/bound/bound.h"

#include "base/error.h"

#include <stdlib.h>

int64_t tsp_graph_length(const struct tsp_graph *graph, uint32_t a, uint32_t b)
{
    const int64_t distance = tsp_distance(graph->problem, a, b);
    return distance == TSP_FAR ? INT64_MAX : graph->scale * distance;
}

enum shoal_status tsp_graph_add(struct tsp_graph *graph, struct tsp_edge edge, struct shoal_error *error)
{
    if (graph->count == graph->room) {
        const size_t room = graph->room + graph->room / 8 + 16;
        struct tsp_edge *edges = realloc(graph->edges, room * sizeof *edges);
        if (!edges)
            return fail_host_memory(error);
        graph->edges = edges;
        graph->room = room;
    }
    graph->edges[graph->count++] = edge;
    return SHOAL_OK;
}

/* The distance of a fixed edge in the input, of which the form has another one. */
static int64_t fixed_length(const struct tsp_problem *problem, uint32_t a, uint32_t b)
{
    return a < problem->n && b < problem->n ? tsp_input_distance(problem, a, b) : 0;
}

static enum shoal_status add_fixed(struct tsp_graph *graph, struct shoal_error *error)
{
    const struct tsp_form *form = &graph->problem->form;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t a = 0; form->has_fixed && a < graph->n && !status; a++)
        for (unsigned side = 0; side < 2 && !status; side++) {
            const uint32_t b = form->fixed[2 * (size_t)a + side];
            if (b != SHOAL_TSP_NONE && a < b)
                status =
                    tsp_graph_add(graph, (struct tsp_edge){a, b, fixed_length(graph->problem, a, b)}, error);
        }
    graph->fixed_count = graph->count;
    return status;
}

/* Whether the list of `other`, a city of lower number, has the edge too. */
static bool is_listed(const uint32_t *lists, uint32_t k, uint32_t city, uint32_t other)
{
    const uint32_t *list = lists + (size_t)other * k;
    bool found = false;
    for (uint32_t j = 0; j < k && other < city && !found; j++)
        found = list[j] == city;
    return found;
}

enum shoal_status tsp_graph_create(const struct tsp_problem *problem, const uint32_t *lists, uint32_t k,
                                   struct tsp_graph *graph, struct shoal_error *error)
{
    const uint32_t n = problem->form.n;
    *graph = (struct tsp_graph){.problem = problem, .n = n, .scale = 1};
    graph->penalties = calloc(n, sizeof *graph->penalties);
    if (!graph->penalties)
        return fail_host_memory(error);
    enum shoal_status status = add_fixed(graph, error);
    for (uint32_t a = 0; a < n && !status; a++) {
        const uint32_t *list = lists + (size_t)a * k;
        for (uint32_t j = 0; j < k && list[j] != SHOAL_TSP_NONE && !status; j++)
            if (!tsp_form_fixes(&problem->form, a, list[j]) && !is_listed(lists, k, a, list[j]))
                status = tsp_graph_add(
                    graph, (struct tsp_edge){a, list[j], tsp_graph_length(graph, a, list[j])}, error);
    }
    return status;
}

void tsp_graph_scale(struct tsp_graph *graph, int64_t factor)
{
    graph->scale *= factor;
    for (size_t i = 0; i < graph->count; i++)
        graph->edges[i].length *= factor;
    for (uint32_t i = 0; i < graph->n; i++)
        graph->penalties[i] *= factor;
}

void tsp_graph_destroy(struct tsp_graph *graph)
{
    free(graph->edges);
    free(graph->penalties);
    free(graph->boxes.order);
    free(graph->boxes.extents);
    *graph = (struct tsp_graph){0};
}
