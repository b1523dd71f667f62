/* Private: the solver's state for ants on a device. */
#ifndef SHOAL_TSP_ANTS_DEVICE_H
#define SHOAL_TSP_ANTS_DEVICE_H

#include "tsp/ants/ants.h"
#include "tsp/improve/device.h"

struct ants_device {
    struct tsp_colonies common;
    struct ants ants;
    struct shoal_kernel *walk, *settle, *link, *renew, *branch, *fill, *finish, *exchange;
    struct shoal_buffer *lists, *heuristic, *near; /* the tables of struct ants, on the device */
    struct shoal_buffer *tours, *lengths;          /* tours and lengths of the ants of all colonies */
    /* best tours of the colonies; ANTS_BEST and ANTS_RESTART_BEST give the index of a tour */
    struct shoal_buffer *bests;
    struct shoal_buffer *colonies, *trails, *weights;
    /* sources: numbers of the tours that deposit pheromone; deposits: pheromone that each of these tours
     * deposits on an edge; links: the two neighbours of each city in each of these tours */
    struct shoal_buffer *sources, *deposits, *links;
    struct tsp_improve_device improve;
    /* copy of the states of the colonies on the host, updated by tsp_colonies_look */
    struct ants_colony *seen;
};

/* Builds the kernels. Returns SHOAL_UNSUPPORTED if the local memory of the device is too small. */
SHOAL_MUST_CHECK enum shoal_status ants_device_build(struct shoal_solver *solver, struct ants_device *device,
                                                     struct shoal_error *error);

#endif
