/* Private: finds the best 2-opt move among all pairs of edges of a tour, without candidate lists, for any
 * number of cities. The host is the reference; a device finds the same move. docs/tsp.md, "All pairs". */
#ifndef SHOAL_TSP_ALLPAIRS_H
#define SHOAL_TSP_ALLPAIRS_H

#include "tsp/device/places.h"
#include "tsp/model/problem.h"

/* A move removes the edges after indices i < j of a tour, and reverses the cities i + 1 .. j, or all other
 * cities. The best move is that with the largest gain; of equal gains, that with the lowest i, then with the
 * lowest j. */
struct tsp_allpairs_best {
    int64_t gain; /* 0: no move shortens the tour, and i and j are UINT32_MAX */
    uint32_t i, j;
};

/* tsp_allpairs_find finds the best move on the host; threads 0: as many threads as OpenMP gives.
 * tsp_allpairs_make makes the move. */
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
    /* least coordinates of the cities, scale of estimates, and bound for the error of two estimates */
    float box[5];
    uint32_t group, slots;
    uint64_t tiles;      /* number of tiles of a scan */
    double tile_seconds; /* measured time of a tile; 0: not measured yet */
};

/* Creates kernels and memory. `places` and `queue` must outlive `allpairs`; `programs` owns the kernels.
 * After a failure tsp_allpairs_destroy frees what was created. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_create(const struct tsp_problem *problem,
                                                       const struct tsp_places *places,
                                                       struct programs *programs, struct shoal_queue *queue,
                                                       struct tsp_allpairs *out, struct shoal_error *error);
void tsp_allpairs_destroy(struct tsp_allpairs *allpairs); /* accepts a struct of zeros */

/* Finds the best move of a tour, and makes it. The tour has n cities of 32 bits, from element `at` of the
 * buffer on. Waits for the device. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_step(struct tsp_allpairs *allpairs,
                                                     struct shoal_buffer *tours, uint64_t at,
                                                     struct tsp_allpairs_best *best,
                                                     struct shoal_error *error);

#endif
