/* Private: a lower bound of the length of every tour of a symmetric form, and the alpha-nearness of cities.
 *
 * A 1-tree is a tree that joins all cities, with one more edge at a leaf of it, the special city. A tour is a
 * 1-tree, so no tour is shorter than the shortest 1-tree. A penalty of each city, added to the lengths of all
 * edges at the city, makes each tour longer by twice the sum of the penalties; the 1-tree becomes longer by
 * more where cities of many edges have a positive penalty (M. Held and R. M. Karp, Operations Research 18,
 * 1970, and Mathematical Programming 1, 1971). Lengths here are distances and penalties times `scale`, whole
 * numbers. Fixed edges are in every 1-tree. docs/tsp.md, "Lower bound", has the rules. */
#ifndef SHOAL_TSP_LOWER_BOUND_H
#define SHOAL_TSP_LOWER_BOUND_H

#include "tsp/model/farthest.h"
#include "tsp/model/neighbours.h"

struct tsp_bound_device; /* tsp/bound/device.h */

struct tsp_edge {
    uint32_t a, b;
    int64_t length; /* scaled */
};

/* Edges among which short trees are searched first. */
struct tsp_graph {
    const struct tsp_problem *problem;
    uint32_t n;
    int64_t scale;
    struct tsp_edge *edges; /* fixed edges first */
    size_t count, fixed_count, room;
    int64_t *penalties;     /* [n] */
    struct tsp_boxes boxes; /* of the cities of the input; order NULL: not built yet */
};

/* Length of an edge with the penalties of its ends. */
static inline int64_t tsp_edge_weight(const struct tsp_graph *graph, const struct tsp_edge *edge)
{
    return edge->length + graph->penalties[edge->a] + graph->penalties[edge->b];
}

/* Makes the graph of the edges in the candidate lists, lists[n][k], with penalties 0 and scale 1. After a
 * failure tsp_graph_destroy frees what was allocated. */
SHOAL_MUST_CHECK enum shoal_status tsp_graph_create(const struct tsp_problem *problem, const uint32_t *lists,
                                                    uint32_t k, struct tsp_graph *graph,
                                                    struct shoal_error *error);
/* Adds an edge that is not fixed. */
SHOAL_MUST_CHECK enum shoal_status tsp_graph_add(struct tsp_graph *graph, struct tsp_edge edge,
                                                 struct shoal_error *error);
/* Multiplies all lengths and penalties by a factor. */
void tsp_graph_scale(struct tsp_graph *graph, int64_t factor);
void tsp_graph_destroy(struct tsp_graph *graph); /* accepts a struct of zeros */

/* The scaled length of an edge that is not fixed; INT64_MAX: it is forbidden. */
int64_t tsp_graph_length(const struct tsp_graph *graph, uint32_t a, uint32_t b);

/* The shortest 1-tree, and the order in which its edges joined sets of cities: a set hangs below a city of
 * the set that it joined. */
struct tsp_tree {
    uint32_t *above;       /* [n]: the city below which the set of this city hangs; of the last set itself */
    uint32_t *turns;       /* [n]: number of the join that did this; UINT32_MAX: none */
    int64_t *joins;        /* [n - 1]: weight of each join */
    uint32_t *degrees;     /* [n]: number of edges at each city */
    int64_t *second;       /* [n]: weight of the second shortest edge at each city */
    uint32_t *second_edge; /* [n]: its number */
    uint32_t *leaders, *sizes, *seen;
    struct tsp_keyed *keys; /* [2][room] */
    size_t room;
    uint32_t special;
    int64_t weight; /* length of the 1-tree less twice the sum of the penalties: a bound over the graph */
};

SHOAL_MUST_CHECK enum shoal_status tsp_tree_create(const struct tsp_graph *graph, struct tsp_tree *tree,
                                                   struct shoal_error *error);
void tsp_tree_destroy(struct tsp_tree *tree); /* accepts a struct of zeros */
/* Finds the shortest 1-tree of the graph, which must be connected, by J. B. Kruskal's rule; of the leaves the
 * special city is the one whose second edge is longest, the first of equals. */
void tsp_tree_find(const struct tsp_graph *graph, struct tsp_tree *tree);
/* The alpha-nearness of an edge of the graph: by how much the shortest 1-tree that has the edge is longer;
 * INT64_MAX: it would close a circle of fixed edges. The edge must not be fixed itself. */
int64_t tsp_tree_alpha(const struct tsp_graph *graph, const struct tsp_tree *tree,
                       const struct tsp_edge *edge);

/* Finds the shortest 1-tree over all pairs of cities, for the penalties of the graph, and adds those of its
 * edges to the graph that it lacks; both are the same for each number of threads. *weight: as in struct
 * tsp_tree. *added: number of edges added. Returns SHOAL_STOPPED if the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_complete_tree(struct tsp_graph *graph, int threads,
                                                     struct long_step *cut, int64_t *weight, size_t *added,
                                                     struct shoal_error *error);

/* Makes a graph and the penalties with the longest shortest 1-tree that an ascent finds. *bound: a lower
 * bound, valid for all pairs of cities, of the form's length, where a fixed edge counts its distance; NULL:
 * no bound is wanted, and the penalties are those of the graph alone. listing: `count` and `kind` are not
 * used. device: makes the rounds; NULL: the host does. Returns SHOAL_STOPPED if the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_ascend(const struct tsp_problem *problem,
                                              const struct tsp_listing *listing,
                                              const struct tsp_bound_device *device, struct tsp_graph *graph,
                                              int64_t *bound, struct shoal_error *error);

/* Computes a lower bound of the length of every tour of the input. listing, device: as of tsp_ascend. Returns
 * SHOAL_UNSUPPORTED for an asymmetric problem. */
SHOAL_MUST_CHECK enum shoal_status tsp_bound(const struct tsp_problem *problem,
                                             const struct tsp_listing *listing,
                                             const struct tsp_bound_device *device, int64_t *bound,
                                             struct shoal_error *error);
/* Computes candidate lists, lists[form.n][listing->count], of the cities of least alpha-nearness, in the
 * format of tsp_neighbours. device: as of tsp_ascend. Returns SHOAL_STOPPED if the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_alpha_lists(const struct tsp_problem *problem,
                                                   const struct tsp_listing *listing,
                                                   const struct tsp_bound_device *device, uint32_t *lists,
                                                   struct shoal_error *error);

#endif
