/* Private: edge assembly crossover of two tours (Y. Nagata, S. Kobayashi, INFORMS Journal on Computing 25,
 * 2013). docs/tsp.md, "Replicas", has the rules. */
#ifndef SHOAL_TSP_LK_ASSEMBLY_H
#define SHOAL_TSP_LK_ASSEMBLY_H

#include "tsp/lk/lk.h"

#include <shoal/rng.h>

/* Edges of a city that only one of two tours has. */
struct lk_only {
    uint32_t city[2]; /* the other ends */
    uint32_t count;
};

/* A path of the tour that is left when edges are removed. */
struct lk_segment {
    uint32_t low, high; /* offsets of its first and its last city in the tour, from `origin` on */
    uint32_t link[2];   /* the ends to which its first and its last city are joined: 2 * segment + end */
    uint32_t tour;      /* the closed tour that has it */
};

/* Memory for the crossovers of a thread. */
struct lk_assembly {
    const struct lk *lk;
    struct long_step *cut; /* NULL: nothing cuts the work */
    struct long_step_looks looks;
    uint32_t *order; /* the tour that is improved; the caller's */
    uint32_t *place; /* [n]: index of each city in `order` */
    uint32_t *other; /* [n]: index of each city in the other tour; while a tour is written, the new tour */
    struct lk_only *only[2]; /* [n]: edges that the tour has, and that the other tour has */
    uint32_t *begins;        /* [n]: cities at which cycles begin */
    uint32_t *path;          /* [2 n + 1]: cities of a walk over edges of both tours in turn */
    /* [n][tour]: index in `path` at which the walk leaves a city by an edge of the tour */
    uint32_t (*step)[2];
    /* [2 n]: cities of the cycles, each of which begins with an edge of the tour; [n + 1]: where each begins
     */
    uint32_t *cycles, *cycle_begins;
    uint32_t cycle_count;
    struct lk_segment *segments; /* [n] */
    uint32_t *sorted;            /* [n]: segments by their offsets */
    uint32_t *sizes;             /* [n]: number of cities of each closed tour; 0: it was joined to another */
    uint32_t segment_count, origin;
    /* The random numbers. */
    uint32_t step_number, index, draw, used;
    struct shoal_words words;
};

/* Bytes of the memory of a thread. */
double lk_assembly_bytes(const struct lk *lk);
/* After a failure lk_assembly_destroy frees what was allocated. */
SHOAL_MUST_CHECK enum shoal_status lk_assembly_create(struct lk_assembly *assembly, const struct lk *lk,
                                                      struct shoal_error *error);
void lk_assembly_destroy(struct lk_assembly *assembly); /* accepts a struct of zeros */

/* Improves a tour by edges of another one; returns the decrease of its length. step and index are counters of
 * the random numbers. If assembly->cut is cut, not all edges were tried. */
int64_t lk_assemble(struct lk_assembly *assembly, uint32_t *order, const uint32_t *other, uint32_t step,
                    uint32_t index);

#endif
