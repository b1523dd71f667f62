/* Private: the ants on a device. */
#ifndef SHOAL_TSP_ANTS_DEVICE_H
#define SHOAL_TSP_ANTS_DEVICE_H

#include "tsp/ants/ants.h"
#include "tsp/improve/device.h"

struct ants_device {
    struct tsp_colonies common;
    struct ants ants;
    struct shoal_kernel *walk, *settle, *link, *renew, *branch, *fill, *finish, *exchange;
    struct shoal_buffer *lists, *heuristic, *near; /* the tables of struct ants */
    struct shoal_buffer *tours, *lengths;          /* tours and lengths of the ants of all colonies */
    /* best tours of the colonies, indexed by ANTS_BEST and ANTS_RESTART_BEST */
    struct shoal_buffer *bests;
    struct shoal_buffer *colonies, *trails, *weights;
    /* tours that deposit pheromone, the deposit of each, and the neighbours of each city in each of these
     * tours */
    struct shoal_buffer *sources, *deposits, *links;
    struct tsp_improve_device improve;
    struct ants_colony *seen; /* states of the colonies, as last read by the host */
};

/* Builds the kernels; SHOAL_UNSUPPORTED: the local memory of the device is too small. */
SHOAL_MUST_CHECK enum shoal_status ants_device_build(struct shoal_solver *solver, struct ants_device *device,
                                                     struct shoal_error *error);

#endif
