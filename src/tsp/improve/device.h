/* Private: the local search of <tsp/improve/improve.h> on a device. A buffer holds many tours, and a
 * work-group improves each tour, in local memory if the tours of the problem fit. The results are equal to
 * those of the host. Kernels that construct tours may instead include cl/tsp/improve/search.clh and improve
 * their tours themselves. */
#ifndef SHOAL_TSP_IMPROVE_DEVICE_H
#define SHOAL_TSP_IMPROVE_DEVICE_H

#include "tsp/device/places.h"
#include "tsp/improve/improve.h"

/* Random numbers of tour i are those of ant i % ants with the seed seed + i / ants * stride:
 * tsp_improver_draw. */
struct tsp_improve_draw {
    uint64_t seed, stride;
    uint32_t step, ants;
};

struct tsp_improve_device {
    /* random numbers of the next run; initially seed, step and ant are 0 for all tours */
    struct tsp_improve_draw draw;
    const struct tsp_places *places;
    struct shoal_queue *queue;
    uint32_t neighbours, reach;
    float slack; /* largest amount by which an estimated gain may exceed the exact gain */
    bool is_in_local;
    struct shoal_program *program; /* owned by the programs of the setup */
    struct shoal_kernel *kernel, *near_kernel;
    struct shoal_buffer *lists; /* the caller's candidate lists */
    /* distances of the candidates in `lists`, and coordinates for estimates */
    struct shoal_buffer *near, *sites;
    bool has_near; /* `near` and `sites` were computed */
    /* memory for each tour; cities and waits are used only if the tours do not fit local memory */
    struct shoal_buffer *queues, *cities, *waits;
    struct shoal_buffer *waiting, *moves, *left;
    struct arrays arrays;
    double round_seconds; /* measured time of a round; 0: not measured yet */
};

struct tsp_improve_setup {
    const struct tsp_problem *problem;
    const struct tsp_improve_rules *rules; /* rules->lists is ignored: `lists` replaces it */
    struct shoal_buffer *lists;            /* candidate lists on the device */
    const struct tsp_places *places;
    size_t tours;       /* most tours in a run */
    size_t local_bytes; /* local memory that a group may use; 0: all local memory of the device */
    uint32_t group;     /* number of work-items for each tour, a power of two; 0: chosen for the device */
    struct programs *programs;
    struct shoal_queue *queue;
};

/* Creates kernel and memory. `places`, `lists` and `queue` must outlive `device`; the programs own the
 * kernel. After a failure tsp_improve_device_destroy frees what was created. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_create(const struct tsp_improve_setup *setup,
                                                             struct tsp_improve_device *out,
                                                             struct shoal_error *error);
void tsp_improve_device_destroy(struct tsp_improve_device *device); /* accepts a struct of zeros */

/* Improves the first `count` tours of the buffer `tours`, each of n cities of 32 bits, until no move shortens
 * them. Subtracts the gains from `lengths` (int64 each). If `are_given`, the queues begin with the cities
 * that the caller has written to device->queues (n for each tour) and counted in device->waiting; if not,
 * with all cities. Launches have a limited length; the call waits for the device after each launch. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_run(struct tsp_improve_device *device,
                                                          struct shoal_buffer *tours,
                                                          struct shoal_buffer *lengths, size_t count,
                                                          bool are_given, struct shoal_error *error);

#endif
