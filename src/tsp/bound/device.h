/* Private: the rounds of an ascent on a device (cl/tsp/bound/rounds.cl), with the whole numbers of the
 * host's. The host waits for the first round, whose tree sets the steps, and then only now and then. */
#ifndef SHOAL_TSP_BOUND_DEVICE_H
#define SHOAL_TSP_BOUND_DEVICE_H

#include "tsp/bound/bound.h"
#include "tsp/device/places.h"

/* A device that makes rounds. Places and programs are the caller's. */
struct tsp_bound_device {
    const struct tsp_places *places;
    struct programs *programs;
    struct shoal_program *program;
    struct shoal_kernel *begin, *keys, *nearest, *join, *settle, *list, *second, *sum, *total, *move;
};

/* Builds the kernels. */
SHOAL_MUST_CHECK enum shoal_status tsp_bound_device_create(const struct tsp_places *places,
                                                           struct programs *programs,
                                                           struct tsp_bound_device *device,
                                                           struct shoal_error *error);
/* Does the device of `places` make the rounds of a problem sooner than `threads` threads of the host (0: the
 * number that OpenMP gives), and has it the memory? places NULL: there is no device. */
bool tsp_bound_is_for_device(const struct tsp_problem *problem, const struct tsp_places *places, int threads);

struct round_total; /* cl/tsp/bound/rounds.clh */

struct tsp_device_rounds {
    const struct tsp_bound_device *device;
    uint32_t n, count, fixed_count; /* as in struct tsp_rounds */
    uint32_t levels;                /* most joins of sets in a round */
    uint32_t *order;                /* as in struct tsp_rounds */
    struct arrays arrays;
    struct shoal_buffer *edges, *keys, *lists[2]; /* [count] */
    /* [n] */
    struct shoal_buffer *sets, *leaders, *shortest, *joined, *nearest, *second, *degrees, *averages;
    struct shoal_buffer *penalties, *best;
    struct shoal_buffer *counts; /* [levels] */
    struct shoal_buffer *totals; /* of each work-group */
    struct shoal_buffer *result; /* one struct round_total */
};

/* As the functions of struct tsp_rounds; rounds are enqueued. After SHOAL_OUT_OF_DEVICE_MEMORY the message
 * has the bytes needed. */
SHOAL_MUST_CHECK enum shoal_status tsp_device_rounds_create(const struct tsp_bound_device *device,
                                                            const struct tsp_graph *graph, int threads,
                                                            struct tsp_device_rounds *rounds,
                                                            struct shoal_error *error);
void tsp_device_rounds_destroy(struct tsp_device_rounds *rounds); /* accepts a struct of zeros */
SHOAL_MUST_CHECK enum shoal_status tsp_device_rounds_find(struct tsp_device_rounds *rounds,
                                                          struct shoal_error *error);
/* Leaves the penalties as they are after a round whose tree was a tour. */
SHOAL_MUST_CHECK enum shoal_status tsp_device_rounds_move(struct tsp_device_rounds *rounds, int64_t step,
                                                          struct shoal_error *error);
/* Waits for the rounds, and reads the tree found last. */
SHOAL_MUST_CHECK enum shoal_status tsp_device_rounds_look(struct tsp_device_rounds *rounds,
                                                          struct round_total *total,
                                                          struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_device_rounds_give(struct tsp_device_rounds *rounds,
                                                          struct tsp_graph *graph, struct shoal_error *error);

#endif
