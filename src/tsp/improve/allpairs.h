/* Private: finds the best 2-opt move among all pairs of edges of a tour, without candidate lists, for any
 * number of cities. Host and devices find the same move. docs/tsp.md, "All pairs". */
#ifndef SHOAL_TSP_ALLPAIRS_H
#define SHOAL_TSP_ALLPAIRS_H

#include "tsp/device/places.h"
#include "tsp/model/problem.h"

/* A 2-opt move. For indices i < j of a tour, it removes the edge from city i to city i + 1 and the edge from
 * city j to city j + 1, and reverses the cities i + 1 .. j or, with the same result, all other cities. The
 * best move has the largest gain; of moves with equal gain, the one with the lowest i, then with the lowest
 * j. */
struct tsp_allpairs_best {
    int64_t gain; /* 0: no move shortens the tour; i and j are UINT32_MAX */
    uint32_t i, j;
};

/* tsp_allpairs_find returns the best move of a tour, computed on the host by `threads` threads (0: the number
 * that OpenMP gives). tsp_allpairs_make makes a move on the host. */
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
    /* least coordinates of the cities, scale of the coordinates, and error bound of a gain with two estimated
     * distances */
    float box[5];
    uint32_t group, slots;
    uint64_t tiles;      /* number of tiles of a scan */
    double tile_seconds; /* measured seconds for a tile; 0: not measured yet */
};

/* Creates kernels and memory. `places`, `programs` and `queue` must outlive `allpairs`. After a failure the
 * caller must call tsp_allpairs_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_create(const struct tsp_problem *problem,
                                                       const struct tsp_places *places,
                                                       struct programs *programs, struct shoal_queue *queue,
                                                       struct tsp_allpairs *out, struct shoal_error *error);
void tsp_allpairs_destroy(struct tsp_allpairs *allpairs); /* accepts a struct of zeros */

/* Finds the best move of a tour on a device, makes the move, and waits for the device. The tour has n cities
 * of 32 bits, from element `at` of `tours` on. */
SHOAL_MUST_CHECK enum shoal_status tsp_allpairs_step(struct tsp_allpairs *allpairs,
                                                     struct shoal_buffer *tours, uint64_t at,
                                                     struct tsp_allpairs_best *best,
                                                     struct shoal_error *error);

#endif
