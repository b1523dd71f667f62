/* Private: candidate lists on a device, the same as tsp_neighbours gives. */
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

#endif
