/* Private: the best 2-opt move of all pairs of edges of a tour, without candidate lists, for any number of
 * cities: on the host, the reference, and on a device, with the same result. docs/tsp.md, "All pairs". */
#ifndef SHOAL_TSP_ALLPAIRS_H
#define SHOAL_TSP_ALLPAIRS_H

#include "tsp/device/places.h"
#include "tsp/model/problem.h"

/* A move removes the edges behind places i < j and reverses places i + 1 .. j, or all other places. The best
 * move has the largest gain, then the lowest i, then the lowest j. */
struct tsp_allpairs_best {
    int64_t gain; /* 0: no move makes the tour shorter; i and j are then UINT32_MAX */
    uint32_t i, j;
};

/* Finds the best move on the host. threads 0: as many threads as OpenMP gives. */
struct tsp_allpairs_best tsp_allpairs_find(const struct tsp_problem *problem, const uint32_t *tour,
                                           int threads);
void tsp_allpairs_make(const struct tsp_problem *problem, const struct tsp_allpairs_best *best,
                       uint32_t *tour);

struct tsp_allpairs {
    const struct tsp_problem *problem;
    const struct tsp_places *places;
    struct shoal_queue *queue;
    struct shoal_program *program; /* owned by `programs` */
    struct shoal_kernel *gather, *clear, *scan, *pick, *turn;
    struct shoal_buffer *points, *edges, *results, *bound;
    struct arrays arrays;
    float box[5]; /* box of the places, and the error of estimates */
    uint32_t group, slots;
    uint64_t tiles;      /* tiles of a scan */
    double tile_seconds; /* the measured time of a tile; 0: not measured yet */
};

/* Creates kernels and memory. Places and queue must stay valid as long as `allpairs`; kernels belong to
 * `programs`. After a failure tsp_allpairs_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_create(const struct tsp_problem *problem,
                                                       const struct tsp_places *places,
                                                       struct programs *programs, struct shoal_queue *queue,
                                                       struct tsp_allpairs *out, struct shoal_error *error);
void tsp_allpairs_destroy(struct tsp_allpairs *allpairs); /* accepts zeros */

/* Finds the best move of the tour of n cities (32 bits each) that begins at element `at` of the buffer, and
 * makes it. Waits for the device. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_step(struct tsp_allpairs *allpairs,
                                                     struct shoal_buffer *tours, uint64_t at,
                                                     struct tsp_allpairs_best *best,
                                                     struct shoal_error *error);

#endif
