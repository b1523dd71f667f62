/* Private: the local search of <tsp/improve/improve.h> on a device: many tours in a buffer, each improved
 * by a work-group, in local memory where a tour of the problem fits. The tours are the same as on the
 * host. Kernels that construct tours may instead include cl/tsp/improve/search.clh and improve their tours
 * at once. */
#ifndef SHOAL_TSP_IMPROVE_DEVICE_H
#define SHOAL_TSP_IMPROVE_DEVICE_H

#include "tsp/device/places.h"
#include "tsp/improve/improve.h"

/* Tour i belongs to ant i % ants under seed + i / ants * stride: tsp_improver_draw. */
struct tsp_improve_draw {
    uint64_t seed, stride;
    uint32_t step, ants;
};

struct tsp_improve_device {
    struct tsp_improve_draw draw; /* random numbers of the next run; at first, seed, step and ant of each tour
                                   * are 0 */
    const struct tsp_places *places;
    struct shoal_queue *queue;
    uint32_t neighbours, reach;
    float slack; /* how much larger an estimated gain may be than the exact gain */
    bool is_in_local;
    struct shoal_program *program; /* owned by the programs of the setup */
    struct shoal_kernel *kernel, *near_kernel;
    struct shoal_buffer *lists; /* the caller's candidate lists */
    /* distances of the candidates in `lists`, and coordinates for estimates */
    struct shoal_buffer *near, *sites;
    bool has_near; /* the first run has computed `near` and `sites` */
    /* memory for each tour; cities and waits are used only without is_in_local */
    struct shoal_buffer *queues, *cities, *waits;
    struct shoal_buffer *waiting, *moves, *left;
    struct arrays arrays;
    double round_seconds; /* seconds of a round as measured; 0: not measured yet */
};

struct tsp_improve_setup {
    const struct tsp_problem *problem;
    const struct tsp_improve_rules *rules; /* rules->lists is not read; `lists` replaces it */
    struct shoal_buffer *lists;            /* candidate lists on the device */
    const struct tsp_places *places;
    size_t tours;       /* most tours of a run */
    size_t local_bytes; /* local memory that a group may use; 0: all that the device has */
    uint32_t group;     /* work-items of a tour, a power of two; 0: chosen for the device */
    struct programs *programs;
    struct shoal_queue *queue;
};

/* Creates kernel and memory. Places, lists and queue must stay valid as long as `device`. After a failure
 * tsp_improve_device_destroy frees the rest; the kernel belongs to the programs. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_create(const struct tsp_improve_setup *setup,
                                                             struct tsp_improve_device *out,
                                                             struct shoal_error *error);
void tsp_improve_device_destroy(struct tsp_improve_device *device); /* accepts zeros */

/* Improves the first `count` tours of the buffer `tours`, n cities of 32 bits each, to the end, and subtracts
 * the gains from `lengths` (int64 each). All cities wait at first; with `are_given` those that the caller has
 * written to device->queues (n for each tour) and counted in device->waiting. Waits for the device between
 * launches, whose length is limited. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_run(struct tsp_improve_device *device,
                                                          struct shoal_buffer *tours,
                                                          struct shoal_buffer *lengths, size_t count,
                                                          bool are_given, struct shoal_error *error);

#endif
