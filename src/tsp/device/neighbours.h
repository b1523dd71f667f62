/* Private: candidate lists on a device, equal to those of tsp_neighbours. Also decides whether host or device
 * makes the lists of a run. */
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
    /* For problems with coordinates: a tree of boxes along a space-filling curve. */
    struct arrays arrays;
    struct shoal_buffer *order, *keys, *points, *boxes, *first;
    struct shoal_sort *sort;
    struct shoal_kernel *key_kernel, *leaf_kernel, *level_kernel;
    struct tsp_extent extent;
    double scale;
    int shift;
    uint32_t levels, level_first[TSP_NEAR_LEVELS];
};

/* Creates the kernels and adds them to `programs`. SHOAL_OUT_OF_DEVICE_MEMORY: the message gives the number
 * of bytes needed. After a failure tsp_lister_destroy frees what was created. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_create(const struct tsp_problem *problem,
                                                     const struct tsp_places *places,
                                                     struct programs *programs, uint32_t count,
                                                     enum tsp_neighbour_kind kind, struct tsp_lister *lister,
                                                     struct shoal_error *error);
/* Writes the lists, [form.n][count] of uint, and waits for the device. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_run(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                                  struct shoal_error *error);
void tsp_lister_destroy(struct tsp_lister *lister); /* accepts a struct of zeros */

/* Creates a lister, makes the lists, and destroys the lister. */
SHOAL_MUST_CHECK enum shoal_status
tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                      struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                      struct shoal_buffer *lists, struct shoal_error *error);
/* Makes candidate lists in memory of the host: the caller's lists, or else lists of nearest cities or of
 * quadrants. The device of `places` makes them if it is faster than the host; places NULL: the host makes
 * them. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_candidates(const struct tsp_problem *problem,
                                                  const struct tsp_places *places, struct programs *programs,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);
/* Makes candidate lists in memory of the device. If the device makes the lists, there is no copy on the
 * host. */
SHOAL_MUST_CHECK enum shoal_status
tsp_candidates_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                         struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                         struct shoal_buffer *lists, struct shoal_error *error);

#endif
