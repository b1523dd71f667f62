/* Private: candidate lists on a device, equal to the lists of tsp_neighbours, and the choice of whether host
 * or device computes the lists of a run. */
#ifndef SHOAL_TSP_DEVICE_NEIGHBOURS_H
#define SHOAL_TSP_DEVICE_NEIGHBOURS_H

#include "tsp/device/places.h"
#include "tsp/model/farthest.h"
#include "tsp/model/neighbours.h"

#include <shoal/primitives.h>

/* Kernels and memory for candidate lists of a problem. */
struct tsp_lister {
    const struct tsp_problem *problem;
    const struct tsp_places *places;
    struct shoal_program *program;
    struct shoal_kernel *list_kernel;
    /* Only for problems with coordinates: a tree of boxes over the cities in the order of a space-filling
     * curve. */
    struct arrays arrays;
    struct shoal_buffer *order, *keys, *points, *boxes, *first;
    struct shoal_sort *sort;
    struct shoal_kernel *key_kernel, *leaf_kernel, *level_kernel;
    struct tsp_extent extent;
    double scale;
    int shift;
    uint32_t levels, level_first[TSP_NEAR_LEVELS];
};

/* Returns SHOAL_INVALID unless candidate lists may have `count` cities. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_list_count(uint32_t count, struct shoal_error *error);
/* Creates the kernels, which `programs` owns. After SHOAL_OUT_OF_DEVICE_MEMORY the message gives the number
 * of bytes needed. After a failure the caller must call tsp_lister_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_create(const struct tsp_problem *problem,
                                                     const struct tsp_places *places,
                                                     struct programs *programs, uint32_t count,
                                                     enum tsp_neighbour_kind kind, struct tsp_lister *lister,
                                                     struct shoal_error *error);
/* Writes the lists to `lists`, [form.n][count] of uint32_t, and waits for the device. */
SHOAL_MUST_CHECK enum shoal_status tsp_lister_run(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                                  struct shoal_error *error);
void tsp_lister_destroy(struct tsp_lister *lister); /* accepts a struct of zeros */

/* Creates a lister, computes the lists, and destroys the lister. */
SHOAL_MUST_CHECK enum shoal_status
tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                      struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                      struct shoal_buffer *lists, struct shoal_error *error);
/* Sets `lists` in memory of the host: to the caller's lists if there are any, otherwise to lists of nearest
 * cities or quadrants. The device of `places` computes the lists if this is faster than on the host; places
 * NULL: the host computes them. Returns SHOAL_STOPPED if the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_candidates(const struct tsp_problem *problem,
                                                  const struct tsp_places *places, struct programs *programs,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);
/* Sets `lists` in memory of the device. If the device computes the lists, the host gets no copy of them. */
SHOAL_MUST_CHECK enum shoal_status
tsp_candidates_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                         struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                         struct shoal_buffer *lists, struct shoal_error *error);

#endif
