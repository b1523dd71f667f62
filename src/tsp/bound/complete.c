/* The shortest 1-tree over all pairs of cities: sets of cities are joined by the shortest edge that leaves
 * each of them (O. Boruvka 1926). Edges of the graph are looked at first. For points a tree of boxes then
 * shows that no shorter edge exists, or finds it; for a matrix all pairs are looked at. */
#include "tsp/bound/bound.h"

#include "base/error.h"
#include "tsp/model/farthest.h"
#include "tsp/model/leaders.h"

#include <stdlib.h>

#include "lib/host.h"
#include "tsp/model/between.h"

/* The shortest edge that leaves a set of cities. */
struct outlet {
    int64_t weight;
    struct tsp_edge edge;
    bool is_new; /* the graph lacks the edge */
};

struct complete {
    struct tsp_graph *graph;
    struct long_step *cut;
    struct tsp_boxes boxes;
    int64_t *least;     /* of each node of the boxes: the least penalty of its cities */
    uint32_t *node_set; /* of each node: the set of all its cities; SHOAL_TSP_NONE: they are in several */
    uint32_t *leaders, *sets, *degrees; /* [n] */
    struct outlet *outlets;             /* [n]: of each set, by its leader */
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
        for (size_t i = node.first; i < node.first + node.count; i++) {
            const int64_t penalty = c->graph->penalties[c->boxes.order[i]];
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
        set_node_sets(c, first);
        set_node_sets(c, last);
        set = c->node_set[first.number] == c->node_set[last.number] ? c->node_set[first.number]
                                                                    : SHOAL_TSP_NONE;
    } else {
        set = c->sets[c->boxes.order[node.first]];
        for (size_t i = node.first; i < node.first + node.count; i++)
            set = c->sets[c->boxes.order[i]] == set ? set : SHOAL_TSP_NONE;
    }
    c->node_set[node.number] = set;
}

/* A lower bound of the weights of edges between a city and the cities of a node, without the city's penalty.
 */
static int64_t least_weight(const struct complete *c, uint32_t city, struct tsp_node node)
{
    const struct tsp_form *form = &c->graph->problem->form;
    const struct tsp_extent *extent = &c->boxes.extents[node.number];
    double gap[3] = {0};
    for (unsigned d = 0; d < form->dim; d++) {
        const double x = form->places[(size_t)city * form->dim + d];
        gap[d] = fmax(0, fmax(extent->least[d] - x, x - extent->most[d]));
    }
    const int64_t distance = tsp_is_on_sphere(form) ? least_arc_length(form->rule, gap[0], gap[1], gap[2])
                                                    : tsp_size_of_differences(form, gap[0], gap[1], gap[2]);
    return c->graph->scale * distance + c->least[node.number];
}

/* Outlets ---------------------------------------------------------------------------------------------------
 */

static void offer(struct complete *c, uint32_t set, int64_t weight, const struct tsp_edge *edge, bool is_new)
{
    if (weight < c->outlets[set].weight)
        c->outlets[set] = (struct outlet){weight, *edge, is_new};
}

static void try_pair(struct complete *c, uint32_t a, uint32_t b)
{
    if (c->sets[a] == c->sets[b])
        return;
    const struct tsp_edge edge = {a, b, tsp_graph_length(c->graph, a, b)};
    if (edge.length < INT64_MAX)
        offer(c, c->sets[a], tsp_edge_weight(c->graph, &edge), &edge, true);
}

/* Looks for a shorter edge from a city to the cities of a node. */
static void look_below(struct complete *c, uint32_t city, struct tsp_node node)
{
    if (node.count <= TSP_BOXES_LEAF) {
        for (size_t i = node.first; i < node.first + node.count; i++)
            try_pair(c, city, c->boxes.order[i]);
        return;
    }
    const struct tsp_node halves[] = {tsp_boxes_half(node, 0), tsp_boxes_half(node, 1)};
    const int64_t least[] = {least_weight(c, city, halves[0]), least_weight(c, city, halves[1])};
    const unsigned nearer = least[1] < least[0];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned half = i ^ nearer;
        if (c->node_set[halves[half].number] != c->sets[city] &&
            least[half] + c->graph->penalties[city] < c->outlets[c->sets[city]].weight)
            look_below(c, city, halves[half]);
    }
}

static void look_at_graph(struct complete *c)
{
    const struct tsp_graph *graph = c->graph;
    for (uint32_t i = 0; i < graph->n; i++)
        c->outlets[i].weight = INT64_MAX;
    for (size_t i = graph->fixed_count; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        const uint32_t a = c->sets[edge->a], b = c->sets[edge->b];
        const int64_t weight = tsp_edge_weight(graph, edge);
        if (a == b)
            continue;
        offer(c, a, weight, edge, false);
        offer(c, b, weight, edge, false);
    }
}

/* Looks at all pairs of cities of the input. The graph has all edges of the additional city of a path. */
static void look_at_all(struct complete *c)
{
    enum { LOOK = 64 };
    const struct tsp_problem *problem = c->graph->problem;
    const struct tsp_node root = {0, 0, problem->n};
    if (problem->form.dim)
        set_node_sets(c, root);
    for (uint32_t i = 0; i < problem->n && !long_step_look_each(c->cut, i, LOOK); i++) {
        if (problem->form.dim) {
            look_below(c, c->boxes.order[i], root);
            continue;
        }
        for (uint32_t b = 0; b < problem->n; b++)
            try_pair(c, i, b);
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

/* Of equal weights two sets may have chosen edges that would close a circle; one of these is left out. */
static enum shoal_status join_sets(struct complete *c, size_t *added, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint32_t set = 0; set < c->graph->n && !status; set++) {
        const struct outlet *outlet = &c->outlets[set];
        if (c->sets[set] != set || outlet->weight == INT64_MAX ||
            tsp_leader(c->leaders, outlet->edge.a) == tsp_leader(c->leaders, outlet->edge.b))
            continue;
        join(c, &outlet->edge);
        if (outlet->is_new) {
            status = tsp_graph_add(c->graph, outlet->edge, error);
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

/* The leaf of the tree whose second edge in the graph is longest; SHOAL_TSP_NONE: no memory. */
static uint32_t choose_special(struct complete *c)
{
    const struct tsp_graph *graph = c->graph;
    uint32_t best = SHOAL_TSP_NONE;
    /* The outlets are not used any more: two of their members hold the least weights. */
    for (uint32_t i = 0; i < graph->n; i++)
        c->outlets[i].weight = c->outlets[i].edge.length = INT64_MAX;
    for (size_t i = 0; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        const int64_t weight = i < graph->fixed_count ? INT64_MIN : tsp_edge_weight(graph, edge);
        for (unsigned side = 0; side < 2; side++) {
            struct outlet *outlet = &c->outlets[side ? edge->b : edge->a];
            int64_t least[] = {outlet->weight, outlet->edge.length};
            keep_least(least, weight);
            outlet->weight = least[0];
            outlet->edge.length = least[1];
        }
    }
    for (uint32_t i = 0; i < graph->n; i++)
        if (c->degrees[i] == 1 && c->outlets[i].edge.length < INT64_MAX &&
            (best == SHOAL_TSP_NONE || c->outlets[i].edge.length > c->outlets[best].edge.length))
            best = i;
    return best;
}

/* ------------------------------------------------------------------------------------------------------- */

static enum shoal_status create(struct complete *c, struct shoal_error *error)
{
    const struct tsp_problem *problem = c->graph->problem;
    const size_t n = c->graph->n, points = problem->form.dim ? problem->n : 0,
                 nodes = tsp_boxes_nodes(points);
    c->leaders = malloc(n * sizeof *c->leaders);
    c->sets = malloc(n * sizeof *c->sets);
    c->degrees = calloc(n, sizeof *c->degrees);
    c->outlets = malloc(n * sizeof *c->outlets);
    c->least = malloc(nodes * sizeof *c->least);
    c->node_set = malloc(nodes * sizeof *c->node_set);
    c->boxes = (struct tsp_boxes){.places = problem->form.places, .dim = problem->form.dim};
    c->boxes.order = malloc((points + 1) * sizeof *c->boxes.order);
    c->boxes.extents = malloc(nodes * sizeof *c->boxes.extents);
    if (!c->leaders || !c->sets || !c->degrees || !c->outlets || !c->least || !c->node_set ||
        !c->boxes.order || !c->boxes.extents)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < n; i++)
        c->leaders[i] = i;
    for (uint32_t i = 0; i < points; i++)
        c->boxes.order[i] = i;
    if (points) {
        const struct tsp_node root = {0, 0, points};
        tsp_boxes_build(&c->boxes, root);
        set_least(c, root);
    }
    for (size_t i = 0; i < c->graph->fixed_count; i++)
        join(c, &c->graph->edges[i]);
    return SHOAL_OK;
}

static void destroy(struct complete *c)
{
    free(c->leaders);
    free(c->sets);
    free(c->degrees);
    free(c->outlets);
    free(c->least);
    free(c->node_set);
    free(c->boxes.order);
    free(c->boxes.extents);
}

enum shoal_status tsp_complete_tree(struct tsp_graph *graph, struct long_step *cut, int64_t *weight,
                                    size_t *added, struct shoal_error *error)
{
    struct complete c = {.graph = graph, .cut = cut};
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
    if (!status) {
        const uint32_t special = choose_special(&c);
        for (uint32_t i = 0; i < graph->n; i++)
            c.weight -= 2 * graph->penalties[i];
        *weight = c.weight + (special == SHOAL_TSP_NONE ? 0 : second_of(&c, special));
    }
    destroy(&c);
    return status;
}
