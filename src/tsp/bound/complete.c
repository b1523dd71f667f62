/* The shortest 1-tree over all pairs of cities: sets of cities are joined by the shortest edge that leaves
 * each of them (O. Boruvka 1926). Edges of the graph are looked at first. For points a tree of boxes then
 * shows that no shorter edge exists, or finds it; for a matrix all pairs are looked at. */
#include "tsp/bound/bound.h"

#include "base/error.h"
#include "base/memory.h"
#include "tsp/model/leaders.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "lib/host.h"
#include "tsp/model/between.h"

struct complete {
    struct tsp_graph *graph;
    const struct tsp_boxes *boxes;
    struct long_step *cut;
    int threads;
    struct tsp_node *leaves; /* nodes that have no halves */
    size_t leaf_count;
    int64_t *least;     /* of each node of the boxes: the least penalty of its cities */
    uint32_t *node_set; /* of each node: the set of all its cities; SHOAL_TSP_NONE: they are in several */
    uint32_t *leaders, *sets, *degrees; /* [n] */
    uint32_t *found;                    /* [n]: the end of a shorter edge from each city; SHOAL_TSP_NONE */
    uint32_t *outlets;          /* [n]: of each leader: the city of its set with the shortest such edge */
    _Atomic uint32_t *shortest; /* [n]: of each leader: the shortest edge of the graph from its set */
    _Atomic int64_t *limits;    /* [n]: of each leader: weight of the shortest edge so far */
    uint32_t joined;
    int64_t weight;
};

/* Boxes -------------------------------------------------------------------------------------------------- */

static void set_least(struct complete *c, struct tsp_node node)
{
    int64_t least = INT64_MAX;
    if (node.count > TSP_BOXES_LEAF) {
        for (unsigned half = 0; half < 2; half++) {
            const struct tsp_node below = tsp_boxes_half(node, half);
            set_least(c, below);
            least = c->least[below.number] < least ? c->least[below.number] : least;
        }
    } else {
        c->leaves[c->leaf_count++] = node;
        for (size_t i = node.first; i < node.first + node.count; i++) {
            const int64_t penalty = c->graph->penalties[c->boxes->order[i]];
            least = penalty < least ? penalty : least;
        }
    }
    c->least[node.number] = least;
}

static void set_node_sets(struct complete *c, struct tsp_node node)
{
    uint32_t set;
    if (node.count > TSP_BOXES_LEAF) {
        const struct tsp_node first = tsp_boxes_half(node, 0), last = tsp_boxes_half(node, 1);
        if (node.count > TSP_BOXES_TASK) {
#pragma omp task
            set_node_sets(c, first);
        } else {
            set_node_sets(c, first);
        }
        set_node_sets(c, last);
        if (node.count > TSP_BOXES_TASK) {
#pragma omp taskwait
        }
        set = c->node_set[first.number] == c->node_set[last.number] ? c->node_set[first.number]
                                                                    : SHOAL_TSP_NONE;
    } else {
        set = c->sets[c->boxes->order[node.first]];
        for (size_t i = node.first; i < node.first + node.count; i++)
            set = c->sets[c->boxes->order[i]] == set ? set : SHOAL_TSP_NONE;
    }
    c->node_set[node.number] = set;
}

/* A lower bound of the distances between the cities of two boxes, of which the first has these corners. */
static int64_t least_between(const struct complete *c, const double *least, const double *most,
                             const struct tsp_extent *other)
{
    const struct tsp_form *form = &c->graph->problem->form;
    double gap[3] = {0};
    for (unsigned d = 0; d < form->dim; d++) {
        const double before = least[d] - other->most[d], behind = other->least[d] - most[d],
                     larger = before > behind ? before : behind;
        gap[d] = larger > 0 ? larger : 0;
    }
    return tsp_is_on_sphere(form) ? least_arc_length(form->rule, gap[0], gap[1], gap[2])
                                  : tsp_size_of_differences(form, gap[0], gap[1], gap[2]);
}

/* Outlets ------------------------------------------------------------------------------------------------ */

/* The search for shorter edges from the cities of a leaf. */
struct seeker {
    struct complete *c;
    struct tsp_node leaf;
    int64_t limit;                /* edges of larger weight are of no use to any city of the leaf */
    int64_t best[TSP_BOXES_LEAF]; /* weight of the shortest edge from each city so far */
};

/* Weight of the shortest edge of the graph that leaves a set: it comes before others of the same weight. */
static int64_t graph_weight(const struct complete *c, uint32_t set)
{
    const uint32_t number = atomic_load_explicit(&c->shortest[set], memory_order_relaxed);
    return number == SHOAL_TSP_NONE ? INT64_MAX : tsp_edge_weight(c->graph, &c->graph->edges[number]);
}

static int64_t limit_of(const struct complete *c, uint32_t city)
{
    return atomic_load_explicit(&c->limits[c->sets[city]], memory_order_relaxed);
}

static void lower_limit(struct complete *c, uint32_t city, int64_t weight)
{
    _Atomic int64_t *limit = &c->limits[c->sets[city]];
    int64_t old = atomic_load_explicit(limit, memory_order_relaxed);
    while (weight < old && !atomic_compare_exchange_weak_explicit(limit, &old, weight, memory_order_relaxed,
                                                                  memory_order_relaxed))
        ;
}

/* A city takes the first of its shortest edges in the order of the search. Edges as short as the limit of its
 * set, which other threads may lower, are looked at, so that the order alone decides. */
static int64_t limit_of_place(const struct seeker *seeker, size_t i)
{
    const int64_t limit = limit_of(seeker->c, seeker->c->boxes->order[seeker->leaf.first + i]);
    return seeker->best[i] - 1 < limit ? seeker->best[i] - 1 : limit;
}

static void set_limit(struct seeker *seeker)
{
    seeker->limit = INT64_MIN;
    for (size_t i = 0; i < seeker->leaf.count; i++) {
        const int64_t limit = limit_of_place(seeker, i);
        seeker->limit = limit > seeker->limit ? limit : seeker->limit;
    }
}

/* Returns the lower of `best` and the weight of the edge between two cities. */
static int64_t try_pair(struct complete *c, uint32_t a, uint32_t b, int64_t best)
{
    if (c->sets[a] == c->sets[b])
        return best;
    const struct tsp_edge edge = {a, b, tsp_graph_length(c->graph, a, b)};
    if (edge.length == INT64_MAX || tsp_edge_weight(c->graph, &edge) >= best)
        return best;
    c->found[a] = b;
    return tsp_edge_weight(c->graph, &edge);
}

static void look_at_leaf(struct seeker *seeker, struct tsp_node node)
{
    struct complete *c = seeker->c;
    for (size_t i = 0; i < seeker->leaf.count; i++) {
        const uint32_t city = c->boxes->order[seeker->leaf.first + i];
        const double *place = c->boxes->places + (size_t)city * c->boxes->dim;
        const int64_t least =
            c->graph->scale * least_between(c, place, place, &c->boxes->extents[node.number]) +
            c->least[node.number] + c->graph->penalties[city];
        if (c->node_set[node.number] == c->sets[city] || least > limit_of_place(seeker, i))
            continue;
        for (size_t j = node.first; j < node.first + node.count; j++)
            seeker->best[i] = try_pair(c, city, c->boxes->order[j], seeker->best[i]);
        lower_limit(c, city, seeker->best[i]);
    }
    set_limit(seeker);
}

/* Looks for shorter edges to the cities of a node. */
static void look_below(struct seeker *seeker, struct tsp_node node)
{
    const struct complete *c = seeker->c;
    if (node.count <= TSP_BOXES_LEAF) {
        look_at_leaf(seeker, node);
        return;
    }
    const struct tsp_node halves[] = {tsp_boxes_half(node, 0), tsp_boxes_half(node, 1)};
    const uint32_t own = c->node_set[seeker->leaf.number];
    const struct tsp_extent *extent = &c->boxes->extents[seeker->leaf.number];
    int64_t least[2];
    for (unsigned i = 0; i < 2; i++)
        least[i] = c->graph->scale *
                       least_between(c, extent->least, extent->most, &c->boxes->extents[halves[i].number]) +
                   c->least[seeker->leaf.number] + c->least[halves[i].number];
    const unsigned nearer = least[1] < least[0];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned half = i ^ nearer;
        const bool is_own = own != SHOAL_TSP_NONE && c->node_set[halves[half].number] == own;
        if (!is_own && least[half] <= seeker->limit)
            look_below(seeker, halves[half]);
    }
}

static void look_from(struct complete *c, struct tsp_node leaf)
{
    struct seeker seeker = {.c = c, .leaf = leaf};
    for (size_t i = 0; i < leaf.count; i++)
        seeker.best[i] = graph_weight(c, c->sets[c->boxes->order[leaf.first + i]]);
    set_limit(&seeker);
    look_below(&seeker, (struct tsp_node){0, 0, c->graph->problem->n});
}

/* Makes an edge of the graph the shortest from a set if it is: the first of equals. */
static void offer(struct complete *c, uint32_t set, uint32_t number, int64_t weight)
{
    const struct tsp_edge *edges = c->graph->edges;
    uint32_t old = atomic_load_explicit(&c->shortest[set], memory_order_relaxed);
    for (;;) {
        const int64_t other = old == SHOAL_TSP_NONE ? INT64_MAX : tsp_edge_weight(c->graph, &edges[old]);
        if (weight > other || (weight == other && number >= old) ||
            atomic_compare_exchange_weak_explicit(&c->shortest[set], &old, number, memory_order_relaxed,
                                                  memory_order_relaxed))
            return;
    }
}

static void look_at_graph(struct complete *c)
{
    const struct tsp_graph *graph = c->graph;
#pragma omp parallel num_threads(c->threads) if (c->threads > 1)
    {
#pragma omp for schedule(static)
        for (uint32_t i = 0; i < graph->n; i++) {
            atomic_store_explicit(&c->shortest[i], SHOAL_TSP_NONE, memory_order_relaxed);
            c->found[i] = c->outlets[i] = SHOAL_TSP_NONE;
        }
#pragma omp for schedule(static)
        for (size_t i = graph->fixed_count; i < graph->count; i++) {
            const struct tsp_edge *edge = &graph->edges[i];
            const uint32_t a = c->sets[edge->a], b = c->sets[edge->b];
            if (a == b)
                continue;
            offer(c, a, (uint32_t)i, tsp_edge_weight(graph, edge));
            offer(c, b, (uint32_t)i, tsp_edge_weight(graph, edge));
        }
#pragma omp for schedule(static)
        for (uint32_t i = 0; i < graph->n; i++)
            atomic_store_explicit(&c->limits[i], graph_weight(c, i), memory_order_relaxed);
    }
}

/* Looks at all pairs of a city of a matrix. */
static void look_at_row(struct complete *c, uint32_t city)
{
    int64_t best = graph_weight(c, c->sets[city]);
    for (uint32_t b = 0; b < c->graph->problem->n; b++)
        best = try_pair(c, city, b, best);
    lower_limit(c, city, best);
}

/* Looks at all pairs of cities of the input. The graph has all edges of the additional city of a path. */
static void look_at_all(struct complete *c)
{
    const struct tsp_problem *problem = c->graph->problem;
    const size_t count = problem->form.dim ? c->leaf_count : problem->n;
#pragma omp parallel num_threads(c->threads) if (c->threads > 1)
    {
        struct long_step_looks looks = {0};
#pragma omp single
        if (problem->form.dim)
            set_node_sets(c, (struct tsp_node){0, 0, problem->n});
#pragma omp for schedule(dynamic, 64)
        for (size_t i = 0; i < count; i++) {
            if (long_step_worked(c->cut, &looks))
                continue;
            if (problem->form.dim)
                look_from(c, c->leaves[i]);
            else
                look_at_row(c, (uint32_t)i);
        }
    }
}

static void join(struct complete *c, const struct tsp_edge *edge)
{
    c->leaders[tsp_leader(c->leaders, edge->a)] = tsp_leader(c->leaders, edge->b);
    c->weight += tsp_edge_weight(c->graph, edge);
    c->degrees[edge->a]++;
    c->degrees[edge->b]++;
    c->joined++;
}

static struct tsp_edge found_edge(const struct complete *c, uint32_t city)
{
    return (struct tsp_edge){city, c->found[city], tsp_graph_length(c->graph, city, c->found[city])};
}

/* Of the cities of a set with an equally short edge, the first along the boxes has the outlet. */
static void choose_outlets(struct complete *c)
{
    const struct tsp_problem *problem = c->graph->problem;
    for (uint32_t i = 0; i < problem->n; i++) {
        const uint32_t city = problem->form.dim ? c->boxes->order[i] : i, set = c->sets[city];
        if (c->found[city] == SHOAL_TSP_NONE || c->outlets[set] != SHOAL_TSP_NONE)
            continue;
        const struct tsp_edge edge = found_edge(c, city);
        if (tsp_edge_weight(c->graph, &edge) == limit_of(c, city))
            c->outlets[set] = city;
    }
}

/* Of equal weights two sets may have chosen edges that would close a circle; one of these is left out. */
static enum shoal_status join_sets(struct complete *c, size_t *added, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    choose_outlets(c);
    for (uint32_t set = 0; set < c->graph->n && !status; set++) {
        const uint32_t number = atomic_load_explicit(&c->shortest[set], memory_order_relaxed),
                       city = c->outlets[set];
        if (c->sets[set] != set || (city == SHOAL_TSP_NONE && number == SHOAL_TSP_NONE))
            continue;
        const struct tsp_edge edge = city == SHOAL_TSP_NONE ? c->graph->edges[number] : found_edge(c, city);
        if (tsp_leader(c->leaders, edge.a) == tsp_leader(c->leaders, edge.b))
            continue;
        join(c, &edge);
        if (city != SHOAL_TSP_NONE) {
            status = tsp_graph_add(c->graph, edge, error);
            ++*added;
        }
    }
    return status;
}

/* The special city -------------------------------------------------------------------------------------- */

/* The two least weights of edges at a city among edges of the graph; `least` begins with two INT64_MAX. */
static void keep_least(int64_t least[2], int64_t weight)
{
    if (weight < least[0]) {
        least[1] = least[0];
        least[0] = weight;
    } else if (weight < least[1]) {
        least[1] = weight;
    }
}

/* The weight of the second shortest edge at a city over all pairs; a fixed edge comes before all others. */
static int64_t second_of(const struct complete *c, uint32_t city)
{
    const struct tsp_graph *graph = c->graph;
    const struct tsp_form *form = &graph->problem->form;
    int64_t least[2] = {INT64_MAX, INT64_MAX};
    bool has_fixed = false;
    for (uint32_t b = 0; b < graph->n; b++) {
        if (b == city)
            continue;
        if (tsp_form_fixes(form, city, b)) {
            has_fixed = true;
            continue;
        }
        const int64_t length = tsp_graph_length(graph, city, b);
        if (length < INT64_MAX)
            keep_least(least, length + graph->penalties[city] + graph->penalties[b]);
    }
    return has_fixed ? least[0] : least[1];
}

/* The leaf of the tree whose second edge in the graph is longest. pairs: [2 * n]. */
static uint32_t choose_special(const struct complete *c, int64_t (*pairs)[2])
{
    const struct tsp_graph *graph = c->graph;
    uint32_t best = SHOAL_TSP_NONE;
    for (uint32_t i = 0; i < graph->n; i++)
        pairs[i][0] = pairs[i][1] = INT64_MAX;
    for (size_t i = 0; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        const int64_t weight = i < graph->fixed_count ? INT64_MIN : tsp_edge_weight(graph, edge);
        keep_least(pairs[edge->a], weight);
        keep_least(pairs[edge->b], weight);
    }
    for (uint32_t i = 0; i < graph->n; i++)
        if (c->degrees[i] == 1 && pairs[i][1] < INT64_MAX &&
            (best == SHOAL_TSP_NONE || pairs[i][1] > pairs[best][1]))
            best = i;
    return best;
}

/* ------------------------------------------------------------------------------------------------------- */

/* Builds the boxes, which serve all trees of the graph. */
static enum shoal_status make_boxes(struct tsp_graph *graph, int threads, struct shoal_error *error)
{
    const struct tsp_problem *problem = graph->problem;
    const size_t points = problem->n;
    struct tsp_boxes *boxes = &graph->boxes;
    if (boxes->order || !problem->form.dim)
        return SHOAL_OK;
    *boxes = (struct tsp_boxes){.places = problem->form.places, .dim = problem->form.dim};
    boxes->order = malloc(points * sizeof *boxes->order);
    boxes->extents = malloc(tsp_boxes_nodes(points) * sizeof *boxes->extents);
    if (!boxes->order || !boxes->extents)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < points; i++)
        boxes->order[i] = i;
#pragma omp parallel num_threads(threads) if (threads > 1)
#pragma omp single
    tsp_boxes_build(boxes, (struct tsp_node){0, 0, points});
    return SHOAL_OK;
}

/* Bytes of the arrays of a search and of the boxes. */
static double bytes_of(const struct complete *c, size_t points)
{
    const struct tsp_boxes *boxes = &c->graph->boxes;
    const double of_city = sizeof *c->leaders + sizeof *c->sets + sizeof *c->degrees + sizeof *c->found +
                           sizeof *c->outlets + sizeof *c->shortest + sizeof *c->limits,
                 of_node =
                     sizeof *boxes->extents + sizeof *c->least + sizeof *c->node_set + sizeof *c->leaves;
    return of_city * c->graph->n + (double)sizeof *boxes->order * (double)points +
           of_node * (double)tsp_boxes_nodes(points);
}

static enum shoal_status create(struct complete *c, struct shoal_error *error)
{
    const struct tsp_problem *problem = c->graph->problem;
    const size_t n = c->graph->n, points = problem->form.dim ? problem->n : 0,
                 nodes = tsp_boxes_nodes(points);
    enum shoal_status status = check_host_memory(
        bytes_of(c, points), "tsp: the shortest trees of a lower bound", "take fewer cities", error);
    if (!status)
        status = make_boxes(c->graph, c->threads, error);
    if (status)
        return status;
    c->boxes = &c->graph->boxes;
    c->leaders = malloc(n * sizeof *c->leaders);
    c->sets = malloc(n * sizeof *c->sets);
    c->degrees = calloc(n, sizeof *c->degrees);
    c->found = malloc(n * sizeof *c->found);
    c->outlets = malloc(n * sizeof *c->outlets);
    c->shortest = malloc(n * sizeof *c->shortest);
    c->limits = malloc(n * sizeof *c->limits);
    c->least = malloc(nodes * sizeof *c->least);
    c->node_set = malloc(nodes * sizeof *c->node_set);
    c->leaves = malloc(nodes * sizeof *c->leaves);
    if (!c->leaders || !c->sets || !c->degrees || !c->found || !c->outlets || !c->shortest || !c->limits ||
        !c->least || !c->node_set || !c->leaves)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < n; i++)
        c->leaders[i] = i;
    if (points)
        set_least(c, (struct tsp_node){0, 0, points});
    for (size_t i = 0; i < c->graph->fixed_count; i++)
        join(c, &c->graph->edges[i]);
    return SHOAL_OK;
}

static void destroy(struct complete *c)
{
    free(c->leaders);
    free(c->sets);
    free(c->degrees);
    free(c->found);
    free(c->outlets);
    free(c->shortest);
    free(c->limits);
    free(c->least);
    free(c->node_set);
    free(c->leaves);
}

/* Adds the second edge of the special city to the weight. */
static enum shoal_status add_special(struct complete *c, struct shoal_error *error)
{
    int64_t(*pairs)[2] = malloc(c->graph->n * sizeof *pairs);
    if (!pairs)
        return fail_host_memory(error);
    const uint32_t special = choose_special(c, pairs);
    free(pairs);
    c->weight += special == SHOAL_TSP_NONE ? 0 : second_of(c, special);
    return SHOAL_OK;
}

enum shoal_status tsp_complete_tree(struct tsp_graph *graph, int threads, struct long_step *cut,
                                    int64_t *weight, size_t *added, struct shoal_error *error)
{
    struct complete c = {.graph = graph, .cut = cut, .threads = threads};
    enum shoal_status status = create(&c, error);
    *added = 0;
    while (!status && c.joined + 1 < graph->n) {
        const uint32_t before = c.joined;
        for (uint32_t i = 0; i < graph->n; i++)
            c.sets[i] = tsp_leader(c.leaders, i);
        look_at_graph(&c);
        look_at_all(&c);
        status = long_step_status(cut, error);
        if (!status)
            status = join_sets(&c, added, error);
        if (!status && c.joined == before)
            status = fail(error, SHOAL_INVALID, "%s: no tour exists: forbidden edges separate cities",
                          graph->problem->name);
    }
    if (!status)
        status = add_special(&c, error);
    for (uint32_t i = 0; i < graph->n && !status; i++)
        c.weight -= 2 * graph->penalties[i];
    *weight = c.weight;
    destroy(&c);
    return status;
}
