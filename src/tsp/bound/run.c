/* The lower bound and the candidate lists of a run, by its device where that is sooner. */
#include "compute/device.h"
#include "compute/log.h"
#include "tsp/bound/device.h"
#include "tsp/device/neighbours.h"
#include "tsp/tsp.h"

/* The device makes the rounds of an ascent where this is sooner; otherwise *device becomes NULL. */
static enum shoal_status choose_bound_device(struct shoal_solver *solver, struct tsp_bound_device *own,
                                             const struct tsp_bound_device **device,
                                             struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    *device = NULL;
    if (!run->places.arrays.queue || !tsp_bound_is_for_device(&run->problem, &run->places, solver->threads))
        return SHOAL_OK;
    *device = own;
    return tsp_bound_device_create(&run->places, &solver->programs, own, error);
}

static enum shoal_status find_alpha_lists(struct shoal_solver *solver, const struct tsp_listing *listing,
                                          uint32_t *lists, struct shoal_error *error)
{
    struct tsp_bound_device own;
    const struct tsp_bound_device *device;
    enum shoal_status status = choose_bound_device(solver, &own, &device, error);
    return status ? status : tsp_alpha_lists(&tsp_run_of(solver)->problem, listing, device, lists, error);
}

enum shoal_status tsp_run_candidates(struct shoal_solver *solver, uint32_t count, uint32_t *lists,
                                     struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const struct tsp_listing listing = {.count = count,
                                        .kind = run->problem.lists == SHOAL_TSP_LISTS_QUADRANT ? TSP_QUADRANT
                                                                                               : TSP_NEAREST,
                                        .threads = solver->threads,
                                        .cut = &run->cut};
    if (run->problem.lists == SHOAL_TSP_LISTS_ALPHA)
        return find_alpha_lists(solver, &listing, lists, error);
    return tsp_candidates(&run->problem, solver->queue ? &run->places : NULL, &solver->programs, &listing,
                          lists, error);
}

enum shoal_status tsp_run_find_bound(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    if (!tsp_params(solver)->bound)
        return SHOAL_OK;
    const struct tsp_listing listing = {.threads = solver->threads, .cut = &run->cut};
    struct tsp_bound_device own;
    const struct tsp_bound_device *device;
    long_step_begin(&run->cut);
    enum shoal_status status = choose_bound_device(solver, &own, &device, error);
    if (!status)
        status = tsp_bound(&run->problem, &listing, device, &run->bound, error);
    if (status)
        run->bound = -1;
    if (status == SHOAL_STOPPED)
        shoal_log(device_shoal(solver->device), SHOAL_LOG_WARNING,
                  "the run was stopped before its lower bound was known: the result has none");
    return status == SHOAL_STOPPED ? SHOAL_OK : status;
}
