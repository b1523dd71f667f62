/* The method "onchip": a work-group for each population, many steps in a launch. The kernel is in
 * cl/cmaes/methods/onchip.cl, its rules are in cl/cmaes/model. */
#include "cmaes/methods/onchip.h"
#include "base/error.h"
#include "cmaes/device/device.h"
#include "compute/launch.h"
#include "objective/rows/table.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct onchip {
    struct shoal_kernel *run;
    struct search_launches launches;
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct cmaes_problem *problem = populations;
    (void)info;
    const enum shoal_status status = cmaes_check_device(problem, error);
    return status ? status : search_fits_chip(method, &problem->search, error);
}

/* Runs whose groups compute values together are those of BBOB, of which most end early and the others come to
 * generations of thousands of points. */
enum { RANKED_BY_TEAM = 4 };

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct cmaes_problem *problem = &cmaes_device_of(solver)->problem;
    const struct cmaes_plan plan = cmaes_plan_make(problem, shoal_device_get_info(solver->device));
    const struct entry_kernel kernels[] = {{"cmaes_run", &onchip_of(solver)->run}};
    const uint32_t work_group = cmaes_work_group(solver, &cmaes_onchip_program);
    struct defines defines = {.count = 0};
    cmaes_defines(solver, work_group, &defines);
    define_table(&defines, problem->search.objective);
    define_add(&defines, "CMA_RANKED", plan.by_team ? RANKED_BY_TEAM : 1);
    define_add(&defines, "IN_LOCAL", plan.in_local);
    define_add(&defines, "MIN_GROUPS", cmaes_min_groups(&plan, work_group));
    define_add(&defines, "INSTANCES",
               problem->search.objective->instances ? (int64_t)problem->search.objective->instances : 1);
    define_add(&defines, "POOL", (int64_t)plan.pool);
    define_add(&defines, "TEAM_POINTS", plan.by_team ? (int64_t)problem->search.members : 0);
    return programs_build(&solver->programs, &cmaes_onchip_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Creates the method. Each tile of an array is a population. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    if (!onchip)
        return fail_host_memory(error);
    solver->method.tile = cmaes_device_of(solver)->problem.search.members;
    onchip->launches = search_launches_new();
    return build(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    free(solver->method.state);
    solver->method.state = NULL;
}

static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    struct cmaes_device *device = cmaes_device_of(solver);
    const struct search_problem *problem = device->search.problem;
    enum shoal_status status = cmaes_write_tables(solver, error);
    if (status)
        return status;
    status = LAUNCH(
        cmaes_run, solver->queue, onchip_of(solver)->run, problem->islands, error, .x = device->x,
        .best = device->best, .words = device->search.words, .reals = device->search.reals,
        .champion = device->search.champion, .settings = device->search.settings, .counts = device->counts,
        .scalars = device->scalars, .numbers = device->numbers, .points = device->points,
        .kept = device->kept, .values = device->values, .weights = device->weights, .parts = device->parts,
        .constants = device->constants, .start = device->start, .seed = problem->params->seed,
        .first = (uint32_t)step, .steps = (uint32_t)steps, .has_lost = device->has_lost,
        .stagnation = (uint32_t)problem->params->stagnation, .starts = (uint32_t)problem->start_count);
    if (!status)
        device->has_lost = false;
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return search_launches_advance(solver, &onchip_of(solver)->launches, steps, make_steps, error);
}

const struct search_method cmaes_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = cmaes_load},
    .takes_instances = true,
};
