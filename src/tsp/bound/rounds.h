/* Private: the rounds of an ascent: each finds the shortest 1-tree of a graph, then changes the penalties.
 * All is in whole numbers, and of edges of equal weight the one with the lower number counts as shorter, so
 * that the tree, and with it the penalties, are the same for each number of threads. */
#ifndef SHOAL_TSP_ROUNDS_H
#define SHOAL_TSP_ROUNDS_H

#include "base/threads.h"
#include "tsp/bound/bound.h"

#include <stdatomic.h>

/* Cities and edges are taken in parts of this number; what is left of a part stays at its begin. */
enum { TSP_ROUNDS_PART = 4096 };

/* An edge as one of its ends sees it. */
struct tsp_half_edge {
    uint32_t other, number;
    int64_t length; /* of a fixed edge far below all others, so that it joins first */
};

/* An edge between two sets of cities. */
struct tsp_crossing {
    int64_t weight;
    uint32_t number;
    uint32_t sets[2]; /* their leaders */
};

struct tsp_rounds {
    uint32_t n, count, fixed_count; /* number of cities, edges and fixed edges, which come first */
    struct thread_choice threads;
    uint32_t *order;        /* [n]: cities along a curve; all other members have positions in it */
    struct tsp_edge *edges; /* [count], the fixed edges first, the others by their lower end */
    size_t *begins;         /* [n + 1]: first half edge of each city */
    struct tsp_half_edge *halves;
    int64_t *penalties, *best; /* [n]: the present ones, and those of the longest tree so far */
    int64_t *spare;
    int32_t *averages; /* [n]: average excess of the degree of each city, in units of 1 / 4096 */
    int32_t *degrees;
    uint32_t *nearest, *second;  /* [n]: the two shortest edges at each city; SHOAL_TSP_NONE: none */
    uint32_t *sets;              /* [n]: leader of the set of each city */
    _Atomic uint32_t *leaders;   /* [n]: a city nearer to the leader */
    _Atomic uint32_t *shortest;  /* [n]: of each leader: index of the shortest edge that leaves its set */
    uint32_t *left, *left_count; /* the leaders; their number in each part */
    struct tsp_crossing *crossings;
    uint32_t *crossing_count; /* of each part */
    /* Of the tree found last. */
    uint32_t joined;
    int64_t weight; /* length of the 1-tree less twice the sum of the penalties */
    int64_t longest;
    uint32_t even;        /* number of cities with two edges */
    uint32_t special;     /* the leaf whose second edge is longest; SHOAL_TSP_NONE: no leaf has one */
    int64_t special_edge; /* weight of this edge */
    int64_t best_weight;  /* of the longest tree so far */
};

/* Sets order[n], the cities along a curve, and the edges of the graph between positions in it: edges[count],
 * the fixed ones first, then the others by their lower end. */
SHOAL_MUST_CHECK enum shoal_status tsp_number_edges(const struct tsp_graph *graph, int threads,
                                                    uint32_t *order, struct tsp_edge *edges,
                                                    struct shoal_error *error);
/* The largest penalty: sums of the penalties of all edges and cities of a 1-tree then fit 62 bits. */
int64_t tsp_most_penalty(uint32_t n);

/* Takes edges and penalties of the graph, which must be connected. threads: most threads of a round. After a
 * failure tsp_rounds_destroy frees what was allocated. */
SHOAL_MUST_CHECK enum shoal_status tsp_rounds_create(const struct tsp_graph *graph, int threads,
                                                     struct tsp_rounds *rounds, struct shoal_error *error);
void tsp_rounds_destroy(struct tsp_rounds *rounds); /* accepts a struct of zeros */
/* Finds the shortest 1-tree of the present penalties. */
void tsp_rounds_find(struct tsp_rounds *rounds);
/* Keeps the penalties if their tree is the longest so far, and makes new ones: `step` at most 2^40. */
void tsp_rounds_move(struct tsp_rounds *rounds, int64_t step);
/* Gives the penalties of the longest tree to the graph. */
void tsp_rounds_give(const struct tsp_rounds *rounds, struct tsp_graph *graph);

#endif
