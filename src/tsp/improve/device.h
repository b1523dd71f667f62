/* Private: the local search of <tsp/improve/improve.h> on a device. A work-group improves one tour of a
 * buffer, in local memory if a tour fits there. The results are equal to those of the host. A kernel that
 * constructs tours can instead include cl/tsp/improve/search.clh and improve its tours itself. */
#ifndef SHOAL_TSP_IMPROVE_DEVICE_H
#define SHOAL_TSP_IMPROVE_DEVICE_H

#include "tsp/device/places.h"
#include "tsp/improve/improve.h"

/* Choice of the random numbers. Tour i gets those that tsp_improver_draw sets with `step`, with i % ants as
 * the ant and with seed + i / ants * stride as the seed. */
struct tsp_improve_draw {
    uint64_t seed, stride;
    uint32_t step, ants;
};

struct tsp_improve_device {
    /* random numbers of the next run; initially all of seed, step and ant are 0 for every tour */
    struct tsp_improve_draw draw;
    const struct tsp_places *places;
    struct shoal_queue *queue;
    uint32_t neighbours, reach;
    float slack; /* largest possible difference of an exact gain and its estimate */
    bool is_in_local;
    struct shoal_program *program; /* owned by the programs of the setup */
    struct shoal_kernel *kernel, *near_kernel;
    struct shoal_buffer *lists; /* candidate lists, owned by the caller */
    /* near: distances of the candidates in `lists`; sites: coordinates from which distances are estimated */
    struct shoal_buffer *near, *sites;
    bool has_near; /* `near` and `sites` have been computed */
    /* memory for each tour; `cities` and `waits` are used only if a tour does not fit in local memory */
    struct shoal_buffer *queues, *cities, *waits;
    struct shoal_buffer *waiting, *moves, *left;
    struct arrays arrays;
    double round_seconds; /* measured seconds for a round of one tour; 0: not measured yet */
};

struct tsp_improve_setup {
    const struct tsp_problem *problem;
    const struct tsp_improve_rules *rules; /* rules->lists is not used; `lists` has the candidates */
    struct shoal_buffer *lists;            /* candidate lists on the device */
    const struct tsp_places *places;
    size_t tours;       /* most tours that a run improves */
    size_t local_bytes; /* local memory that a group may use; 0: all local memory of the device */
    /* number of work-items for each tour, a power of two; 0: a number that suits the device */
    uint32_t group;
    struct programs *programs;
    struct shoal_queue *queue;
};

/* Creates kernels and memory. `places`, `lists`, `programs` and `queue` of the setup must outlive the
 * device's state. After a failure the caller must call tsp_improve_device_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_create(const struct tsp_improve_setup *setup,
                                                             struct tsp_improve_device *out,
                                                             struct shoal_error *error);
void tsp_improve_device_destroy(struct tsp_improve_device *device); /* accepts a struct of zeros */

/* Improves the first `count` tours of the buffer `tours`, each of n cities of 32 bits, until all queues are
 * empty. Subtracts the gains from `lengths` (int64_t). If are_given, the queue of a tour begins with the
 * cities that the caller has written to device->queues (n for each tour) and counted in device->waiting;
 * otherwise with all cities. Launches have a limited length; the call waits for the device after each. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_device_run(struct tsp_improve_device *device,
                                                          struct shoal_buffer *tours,
                                                          struct shoal_buffer *lengths, size_t count,
                                                          bool are_given, struct shoal_error *error);

#endif
