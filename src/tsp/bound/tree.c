/* The shortest 1-tree of a graph, and alpha-nearness by it. */
#include "tsp/bound/bound.h"

#include "base/error.h"
#include "tsp/model/leaders.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status tsp_tree_create(const struct tsp_graph *graph, struct tsp_tree *tree,
                                  struct shoal_error *error)
{
    const size_t n = graph->n;
    *tree = (struct tsp_tree){.room = graph->count};
    tree->above = malloc(n * sizeof *tree->above);
    tree->turns = malloc(n * sizeof *tree->turns);
    tree->joins = malloc(n * sizeof *tree->joins);
    tree->degrees = malloc(n * sizeof *tree->degrees);
    tree->second = malloc(n * sizeof *tree->second);
    tree->second_edge = malloc(n * sizeof *tree->second_edge);
    tree->leaders = malloc(n * sizeof *tree->leaders);
    tree->sizes = malloc(n * sizeof *tree->sizes);
    tree->seen = malloc(n * sizeof *tree->seen);
    tree->keys = malloc(2 * tree->room * sizeof *tree->keys);
    const bool has_all = tree->above && tree->turns && tree->joins && tree->degrees && tree->second &&
                         tree->second_edge && tree->leaders && tree->sizes && tree->seen && tree->keys;
    return has_all ? SHOAL_OK : fail_host_memory(error);
}

void tsp_tree_destroy(struct tsp_tree *tree)
{
    free(tree->above);
    free(tree->turns);
    free(tree->joins);
    free(tree->degrees);
    free(tree->second);
    free(tree->second_edge);
    free(tree->leaders);
    free(tree->sizes);
    free(tree->seen);
    free(tree->keys);
    *tree = (struct tsp_tree){0};
}

/* Sorts the edges that are not fixed by weight. */
static const struct tsp_keyed *sort_edges(const struct tsp_graph *graph, struct tsp_tree *tree)
{
    const size_t first = graph->fixed_count, count = graph->count - first;
    int64_t least = INT64_MAX;
    for (size_t i = first; i < graph->count; i++) {
        const int64_t weight = tsp_edge_weight(graph, &graph->edges[i]);
        tree->keys[i - first].key = (uint64_t)weight;
        tree->keys[i - first].number = (uint32_t)i;
        least = weight < least ? weight : least;
    }
    for (size_t i = 0; i < count; i++)
        tree->keys[i].key -= (uint64_t)least;
    return count ? tsp_sort_keys(tree->keys, tree->keys + tree->room, count) : tree->keys;
}

static void see(struct tsp_tree *tree, uint32_t city, uint32_t edge, int64_t weight)
{
    if (tree->seen[city]++ != 1)
        return;
    tree->second[city] = weight;
    tree->second_edge[city] = edge;
}

/* Joins the sets of the ends of an edge; false: both ends are in one set. */
static bool join(const struct tsp_graph *graph, struct tsp_tree *tree, uint32_t number, uint32_t turn)
{
    const struct tsp_edge *edge = &graph->edges[number];
    const int64_t weight = tsp_edge_weight(graph, edge);
    uint32_t a = tsp_leader(tree->leaders, edge->a), b = tsp_leader(tree->leaders, edge->b);
    see(tree, edge->a, number, weight);
    see(tree, edge->b, number, weight);
    if (a == b)
        return false;
    if (tree->sizes[a] < tree->sizes[b]) {
        const uint32_t other = a;
        a = b;
        b = other;
    }
    tree->leaders[b] = tree->above[b] = a;
    tree->turns[b] = turn;
    tree->joins[turn] = weight;
    tree->sizes[a] += tree->sizes[b];
    tree->degrees[edge->a]++;
    tree->degrees[edge->b]++;
    return true;
}

void tsp_tree_find(const struct tsp_graph *graph, struct tsp_tree *tree)
{
    const uint32_t n = graph->n;
    uint32_t turn = 0;
    for (uint32_t i = 0; i < n; i++) {
        tree->leaders[i] = tree->above[i] = i;
        tree->turns[i] = UINT32_MAX;
        tree->sizes[i] = 1;
        tree->degrees[i] = tree->seen[i] = 0;
    }
    const struct tsp_keyed *sorted = sort_edges(graph, tree);
    for (size_t i = 0; i < graph->fixed_count; i++)
        turn += join(graph, tree, (uint32_t)i, turn);
    for (size_t i = 0; i < graph->count - graph->fixed_count; i++)
        turn += join(graph, tree, sorted[i].number, turn);
    tree->weight = 0;
    tree->special = SHOAL_TSP_NONE;
    for (uint32_t i = 0; i < turn; i++)
        tree->weight += tree->joins[i];
    for (uint32_t i = 0; i < n; i++) {
        tree->weight -= 2 * graph->penalties[i];
        if (tree->degrees[i] == 1 && tree->seen[i] > 1 &&
            (tree->special == SHOAL_TSP_NONE || tree->second[i] > tree->second[tree->special]))
            tree->special = i;
    }
    if (tree->special == SHOAL_TSP_NONE)
        return; /* the tree alone is a bound, too */
    const struct tsp_edge *second = &graph->edges[tree->second_edge[tree->special]];
    tree->weight += tree->second[tree->special];
    tree->degrees[second->a]++;
    tree->degrees[second->b]++;
}

/* The last join on the path between two cities in the tree, the one that brought both into one set. It is the
 * heaviest one that is not fixed, if there is one. */
static uint32_t last_join_between(const struct tsp_tree *tree, uint32_t a, uint32_t b)
{
    uint32_t turn = 0;
    while (a != b) {
        uint32_t *first = tree->turns[a] < tree->turns[b] ? &a : &b;
        turn = tree->turns[*first];
        *first = tree->above[*first];
    }
    return turn;
}

int64_t tsp_tree_alpha(const struct tsp_graph *graph, const struct tsp_tree *tree,
                       const struct tsp_edge *edge)
{
    const int64_t weight = tsp_edge_weight(graph, edge);
    const uint32_t turn = last_join_between(tree, edge->a, edge->b);
    if (turn < graph->fixed_count)
        return INT64_MAX;
    /* A further edge at the special city replaces its second one. */
    if (edge->a == tree->special || edge->b == tree->special)
        return weight > tree->second[tree->special] ? weight - tree->second[tree->special] : 0;
    return weight > tree->joins[turn] ? weight - tree->joins[turn] : 0;
}
