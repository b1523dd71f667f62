/* The ascent to penalties whose shortest 1-tree is long, and the lower bound of such penalties. */
#include "tsp/bound/bound.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Candidates of a city in the graph. */
enum { LIST = 8, QUADRANT_LIST = 12 };
/* A mean edge is at least this long after scaling, so that whole numbers are fine enough for penalties. */
static const double least_mean = 16384;

struct ascent {
    struct tsp_graph *graph;
    struct tsp_tree tree;
    struct long_step *cut;
    int32_t *before;    /* [n]: excess of the degree of each city in the round before */
    int64_t *penalties; /* [n]: of the longest 1-tree so far */
    int64_t best;       /* its length */
};

static int32_t excess(const struct tsp_tree *tree, uint32_t city)
{
    return (int32_t)tree->degrees[city] - 2;
}

/* Finds the 1-tree of the present penalties, and keeps these if it is longer. True: the 1-tree is a tour. */
static bool look(struct ascent *ascent)
{
    const struct tsp_graph *graph = ascent->graph;
    bool is_tour = true;
    tsp_tree_find(graph, &ascent->tree);
    if (ascent->tree.weight > ascent->best) {
        ascent->best = ascent->tree.weight;
        memcpy(ascent->penalties, graph->penalties, graph->n * sizeof *graph->penalties);
    }
    for (uint32_t i = 0; i < graph->n; i++)
        is_tour = is_tour && excess(&ascent->tree, i) == 0;
    return is_tour;
}

/* Changes the penalties by `step` for each edge too many, with a part of the change of the round before
 * (M. Held, P. Wolfe and H. P. Crowder 1974; 0.7 and 0.3 as in K. Helsgaun 2000). */
static void move(struct ascent *ascent, double step)
{
    struct tsp_graph *graph = ascent->graph;
    /* Sums of the penalties of all edges and cities of a 1-tree then fit 62 bits. */
    const double most = 0x1p60 / 4 / graph->n;
    for (uint32_t i = 0; i < graph->n; i++) {
        const int32_t now = excess(&ascent->tree, i);
        const double penalty =
            (double)graph->penalties[i] + round(step * (0.7 * now + 0.3 * ascent->before[i]));
        graph->penalties[i] = (int64_t)fmax(-most, fmin(most, penalty));
        ascent->before[i] = now;
    }
}

/* Steps that fall from `first` to a thousandth of it. */
static double step_of(double first, uint32_t round, uint32_t rounds)
{
    return first * exp(-7 * (double)round / rounds);
}

static void rise(struct ascent *ascent, uint32_t rounds, double first)
{
    for (uint32_t round = 0; round < rounds && !long_step_look(ascent->cut); round++) {
        if (look(ascent))
            break;
        move(ascent, step_of(first, round, rounds));
    }
    look(ascent);
    memcpy(ascent->graph->penalties, ascent->penalties, ascent->graph->n * sizeof *ascent->penalties);
}

static enum shoal_status create(struct ascent *ascent, struct shoal_error *error)
{
    const size_t n = ascent->graph->n;
    ascent->best = INT64_MIN;
    ascent->before = calloc(n, sizeof *ascent->before);
    ascent->penalties = calloc(n, sizeof *ascent->penalties);
    if (!ascent->before || !ascent->penalties)
        return fail_host_memory(error);
    return tsp_tree_create(ascent->graph, &ascent->tree, error);
}

static void destroy(struct ascent *ascent)
{
    free(ascent->before);
    free(ascent->penalties);
    tsp_tree_destroy(&ascent->tree);
}

/* Few rounds where a round takes long, more where some edges of the shortest tree are much longer than the
 * mean, as between clusters: at least 20 and at most 10000. */
static uint32_t rounds_of(const struct tsp_graph *graph, double mean, double longest)
{
    const double more = fmax(1, fmin(5, longest / mean / 4));
    return (uint32_t)fmax(20, fmin(2000, 2e4 / sqrt(graph->n)) * more);
}

/* Makes the ascent from the graph's penalties on; a repeated one has an eighth of the rounds and makes small
 * steps. */
static enum shoal_status ascend_graph(struct tsp_graph *graph, bool is_repeated, struct long_step *cut,
                                      struct shoal_error *error)
{
    struct ascent ascent = {.graph = graph, .cut = cut};
    enum shoal_status status = create(&ascent, error);
    if (!status) {
        tsp_tree_find(graph, &ascent.tree);
        const double mean = fmax(1, (double)ascent.tree.weight / graph->n),
                     longest = (double)ascent.tree.joins[graph->n - 2];
        const uint32_t rounds = rounds_of(graph, mean, longest);
        const double first = 1.2 * longest;
        rise(&ascent, is_repeated ? rounds / 8 : rounds, is_repeated ? 0.02 * mean : first);
        status = long_step_status(cut, error);
    }
    destroy(&ascent);
    return status;
}

/* The power of two by which all lengths are multiplied; the length of a tree then fits 60 bits. */
static int64_t factor_of(const struct tsp_graph *graph, double mean)
{
    int64_t factor = 1, longest = 0;
    for (size_t i = 0; i < graph->count; i++)
        longest = graph->edges[i].length > longest ? graph->edges[i].length : longest;
    while (mean * (double)factor < least_mean && (double)longest * (double)factor * graph->n < 0x1p59)
        factor *= 2;
    return factor;
}

/* All edges of the additional city of a path have length 0, so its penalty begins with the length of the
 * longest other edge: else the first tree would have no other edges. */
static void set_additional(struct tsp_graph *graph)
{
    const uint32_t additional = graph->n - 1;
    int64_t longest = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        if (edge->a != additional && edge->b != additional && edge->length > longest)
            longest = edge->length;
    }
    graph->penalties[additional] = longest;
}

static int64_t unscaled(const struct tsp_graph *graph, int64_t weight)
{
    return weight <= 0 ? 0 : (weight + graph->scale - 1) / graph->scale;
}

enum shoal_status tsp_ascend(const struct tsp_problem *problem, const struct tsp_listing *listing,
                             struct tsp_graph *graph, int64_t *bound, struct shoal_error *error)
{
    enum { REPEATS = 3 };
    const uint32_t n = problem->form.n,
                   k = tsp_list_length(problem, problem->form.dim ? QUADRANT_LIST : LIST, 0);
    const struct tsp_listing base = {.count = k,
                                     .kind = problem->form.dim ? TSP_QUADRANT : TSP_NEAREST,
                                     .threads = listing->threads,
                                     .cut = listing->cut};
    size_t added;
    int64_t weight;
    uint32_t *lists = malloc((size_t)n * k * sizeof *lists);
    enum shoal_status status = lists ? tsp_neighbours(problem, &base, lists, error) : fail_host_memory(error);
    if (!status)
        status = tsp_graph_create(problem, lists, k, graph, error);
    free(lists);
    if (!status && problem->form.is_path)
        set_additional(graph);
    if (!status)
        status = tsp_complete_tree(graph, listing->cut, &weight, &added, error);
    if (status)
        return status;
    if (bound)
        *bound = unscaled(graph, weight);
    tsp_graph_scale(graph, factor_of(graph, fmax(1, (double)weight / n)));
    status = ascend_graph(graph, false, listing->cut, error);
    for (int repeat = 0; repeat < REPEATS && bound && !status; repeat++) {
        status = tsp_complete_tree(graph, listing->cut, &weight, &added, error);
        if (!status && unscaled(graph, weight) > *bound)
            *bound = unscaled(graph, weight);
        if (status || !added || repeat + 1 == REPEATS)
            break;
        status = ascend_graph(graph, true, listing->cut, error);
    }
    return status;
}

enum shoal_status tsp_bound(const struct tsp_problem *problem, struct long_step *cut, int64_t *bound,
                            struct shoal_error *error)
{
    struct tsp_graph graph = {0};
    if (problem->form.is_asymmetric)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: a lower bound needs equal distances there and back: leave out --bound",
                    problem->name);
    if (problem->form.n <= TSP_ONE_TOUR) {
        const uint32_t tour[] = {0, 1, 2};
        *bound = tsp_length(problem, tour, NULL);
        return SHOAL_OK;
    }
    const enum shoal_status status =
        tsp_ascend(problem, &(struct tsp_listing){.cut = cut}, &graph, bound, error);
    tsp_graph_destroy(&graph);
    return status;
}
