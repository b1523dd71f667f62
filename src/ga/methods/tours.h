/* Private: the local search of children that are closed tours, in the pipeline: many tours a launch, each by
 * a work-group. */
#ifndef SHOAL_GA_METHODS_TOURS_H
#define SHOAL_GA_METHODS_TOURS_H

#include "tsp/improve/device.h"
#include "workload/workload.h"

struct ga_tour_search {
    struct shoal_kernel *pick, *load, *store, *value;
    uint32_t places; /* of a tour */
    uint32_t wide;   /* tours at a time */
    size_t picks;    /* children that a generation improves at most */
    uint32_t *picked;
    /* Among the arrays of the pipeline's improver: the numbers of these children; tours at a time, and what
     * the search takes from their lengths; candidate lists. */
    struct shoal_buffer *pick_list, *tours, *gains, *lists;
    struct tsp_places cities;
    struct tsp_improve_device device;
};

/* Elements of these buffers; zeros: there are none. */
struct ga_tour_sizes {
    double picks, tours, gains, lists;
};

/* Of a solver whose moves are those of tours: before and after its arrays are created. */
void ga_tours_plan(struct shoal_solver *solver, struct ga_tour_sizes *sizes);
SHOAL_MUST_CHECK enum shoal_status ga_tours_begin(struct shoal_solver *solver, struct shoal_error *error);
void ga_tours_end(struct ga_tour_search *search); /* accepts zeros */
/* Improves the children of a step and writes their values. `*is_dropped`: the run must end first. */
SHOAL_MUST_CHECK enum shoal_status ga_tours_search(struct shoal_solver *solver, uint32_t step,
                                                   bool *is_dropped, struct shoal_error *error);

#endif
