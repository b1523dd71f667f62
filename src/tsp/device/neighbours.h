/* Private: candidate lists on a device, equal to those of tsp_neighbours, and the choice of who makes the
 * lists of a run. */
#ifndef SHOAL_TSP_DEVICE_NEIGHBOURS_H
#define SHOAL_TSP_DEVICE_NEIGHBOURS_H

#include "tsp/device/places.h"
#include "tsp/model/farthest.h"
#include "tsp/model/neighbours.h"

#include <shoal/primitives.h>

/* Kernels and memory of the search. */
struct tsp_lister {
    const struct tsp_problem *problem;
    const struct tsp_places *places;
    struct shoal_program *program;
    struct shoal_kernel *list_kernel;
    /* Problems of points: a tree of boxes along a curve. */
    struct arrays arrays;
    struct shoal_buffer *order, *keys, *points, *boxes, *first;
    struct shoal_sort *sort;
    struct shoal_kernel *key_kernel, *leaf_kernel, *level_kernel;
    struct tsp_extent extent;
    double scale;
    int shift;
    uint32_t levels, level_first[TSP_NEAR_LEVELS];
};

/* Creates the kernels and adds them to `programs`. SHOAL_OUT_OF_DEVICE_MEMORY: the message says how many
 * bytes are needed. After a failure tsp_lister_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_create(const struct tsp_problem *problem,
                                                     const struct tsp_places *places,
                                                     struct programs *programs, uint32_t count,
                                                     enum tsp_neighbour_kind kind, struct tsp_lister *lister,
                                                     struct shoal_error *error);
/* Writes the lists, [form.n][count] of uint, and waits. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_run(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                                  struct shoal_error *error);
void tsp_lister_destroy(struct tsp_lister *lister); /* accepts zeros */

/* Makes the lists once; nothing stays on the device. */
SHOAL_MUST_CHECK enum shoal_status
tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                      struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                      struct shoal_buffer *lists, struct shoal_error *error);
/* Makes lists in memory of the host for an algorithm: the caller's lists, else the nearest cities (or those
 * of quadrants), which the device of `places` finds where it is faster than the host. places NULL: the host
 * finds them. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_candidates(const struct tsp_problem *problem,
                                                  const struct tsp_places *places, struct programs *programs,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);
/* Makes the candidate lists in memory of the device, without a copy on the host where the device finds the
 * lists. */
SHOAL_MUST_CHECK enum shoal_status
tsp_candidates_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                         struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                         struct shoal_buffer *lists, struct shoal_error *error);

#endif
