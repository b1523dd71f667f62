/* Private: candidate lists on a device, the same as tsp_neighbours gives, and who makes those of a run. */
#ifndef SHOAL_TSP_DEVICE_NEIGHBOURS_H
#define SHOAL_TSP_DEVICE_NEIGHBOURS_H

#include "tsp/device/places.h"
#include "tsp/model/neighbours.h"

/* Writes the lists into the buffer, form.n * count of uint, and waits. The kernels are added to `programs`;
 * memory that only the search needs is free again: SHOAL_OUT_OF_DEVICE_MEMORY where the device lacks it. */
SHOAL_MUST_CHECK enum shoal_status
tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                      struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                      struct shoal_buffer *lists, struct shoal_error *error);

/* The same into memory of the host; nothing stays on the device. */
SHOAL_MUST_CHECK enum shoal_status tsp_device_neighbours_read(const struct tsp_problem *problem,
                                                              const struct tsp_places *places,
                                                              struct programs *programs, uint32_t count,
                                                              enum tsp_neighbour_kind kind, uint32_t *lists,
                                                              struct shoal_error *error);
/* Lists in memory of the host for an algorithm: the caller's, else the nearest (or of quadrants), which the
 * device of `places` finds where that is faster than the host. places NULL: the host. */
SHOAL_MUST_CHECK enum shoal_status tsp_candidates(const struct tsp_problem *problem,
                                                  const struct tsp_places *places, struct programs *programs,
                                                  uint32_t count, enum tsp_neighbour_kind kind, int threads,
                                                  uint32_t *lists, struct shoal_error *error);

#endif
