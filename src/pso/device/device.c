/* The swarms on a device: the list of methods, the choice of a method, and the buffers that all methods
 * use. */
#include "compute/device.h"
#include "base/error.h"
#include "compute/tune.h"
#include "objective/objective.h"
#include "pso/device/device.h"
#include "search/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Methods ---------------------------------------------------------------------------------------------- */

#define PIPELINE(number) &pso_pipeline_methods[EVALUATOR_##number].base
static const struct method *const methods[] = {
    &pso_fused_method.base, &pso_onchip_method.base, PIPELINE(THREAD), PIPELINE(THREAD_NAIVE),
    PIPELINE(BLOCK),        PIPELINE(BLOCK_MAJOR),   PIPELINE(MOD),    PIPELINE(LANES),
    PIPELINE(WARP2),        PIPELINE(BLOCK2),        PIPELINE(ROWS),   NULL};

/* Describes the problem for the choice of a method. Problems with the same powers of two of particles,
 * islands and dimensions have the same tuned choice. */
static void set_choice(const struct search_problem *search, struct method_choice *choice)
{
    const struct pso_problem *problem = (const struct pso_problem *)search;
    const int32_t asked = problem->params->method;
    *choice = (struct method_choice){.methods = methods,
                                     .problem = problem,
                                     .asked = asked == SHOAL_PSO_AUTO ? NULL : pso_method_names[asked],
                                     .program = "pso.method",
                                     .old_program = "pso.engine",
                                     .old_names = pso_method_names};
    snprintf(
        choice->sizes, sizeof choice->sizes,
        "particles=2^%u islands=2^%u dim=2^%u shape=%d precision=%d update=%d topology=%d synchronous=%d",
        tuning_power(2, (double)problem->search.members),
        tuning_power(2, (double)problem->search.whole_islands), tuning_power(2, (double)problem->search.dim),
        (int)problem->search.info->shape, (int)problem->params->search.precision, (int)problem->update,
        (int)problem->params->topology, problem->batch == problem->search.members);
    memcpy(choice->old_sizes, choice->sizes, sizeof choice->sizes);
}

/* If the tuned method belongs to the pipeline, stores its evaluator also as the evaluator for batches of
 * points. */
static enum shoal_status remember(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    if (problem->params->method < SHOAL_PSO_THREAD)
        return SHOAL_OK;
    return evaluator_remember(solver->device, problem->search.objective, problem->search.dim,
                              search_of_whole(&problem->search, problem->search.total),
                              search_device_method(solver)->evaluator, error);
}

/* Size (particles times dim) up to which a step of a single swarm takes less time in one work-group than in a
 * launch for the whole device. */
enum { SMALL_COORDINATES = 16384 };

/* Chooses the method that was the fastest in measurements: onchip, if it fits, for a small swarm on a GPU and
 * where fused does not fit, as for several swarms; else fused, if it fits; else the pipeline. */
static const struct method *method_by_rule(struct shoal_device *device, const struct search_problem *problem)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const struct method *fused = &pso_fused_method.base, *onchip = &pso_onchip_method.base;
    struct shoal_error ignored;
    const bool fuses = !fused->fits(fused, problem, info, &ignored);
    const bool small = !info->is_cpu && problem->members * problem->dim <= SMALL_COORDINATES;
    if ((small || !fuses) && !onchip->fits(onchip, problem, info, &ignored))
        return onchip;
    return fuses ? fused
                 : &pso_pipeline_methods[evaluator_choose(device, problem->objective, problem->dim,
                                                          search_of_whole(problem, problem->total),
                                                          pso_algorithm.old_evaluator)]
                        .base;
}

/* Problem and buffers ---------------------------------------------------------------------------------- */

static void list_arrays(struct shoal_solver *solver)
{
    struct pso_device *device = pso_device_of(solver);
    const struct arrays *own = &device->search.own;
    const size_t real = device->search.real, total = own->items, dim = device->problem.search.dim;
    const double places =
        own->tiles ? (double)(own->all_tiles * own->tile) : (double)device->problem.search.total;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED };
    const struct array list[] = {
        {&device->x, places * (double)dim, real, TILES, "x", total * dim},
        {&device->v, places * (double)dim, real, TILES, "v", total * dim},
        {&device->p, places * (double)dim, real, TILES, "p", total * dim},
        {&device->best, places, real, TILES, "best", total},
    };
    ARRAYS_SET(&device->search.own, list);
}

const struct search_device_ops pso_device_functions = {.size = sizeof(struct pso_device),
                                                       .problem = offsetof(struct pso_device, problem),
                                                       .set_choice = set_choice,
                                                       .method_by_rule = method_by_rule,
                                                       .list_arrays = list_arrays,
                                                       .members = "p",
                                                       .fill_settings = pso_fill_settings};

/* Solver ----------------------------------------------------------------------------------------------- */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    return 2 * problem->total * problem->dim;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const size_t count = device->problem->total * device->problem->dim;
    enum shoal_status status = search_device_read_own(solver, "x", values, error);
    return status ? status : search_device_read_own(solver, "v", values + count, error);
}

const struct shoal_solver_ops pso_device_solver = {
    SEARCH_DEVICE_SOLVER,       .what = "positions and velocities",
    .state_count = state_count, .get_state = get_state,
    .remember = remember,
};
