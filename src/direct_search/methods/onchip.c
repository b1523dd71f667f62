/* The method "onchip": a work-group for each island, many steps in a launch. The kernel is in
 * cl/direct_search/methods/onchip.cl. */
#include "base/error.h"
#include "compute/launch.h"
#include "direct_search/device/device.h"
#include "objective/rows/table.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct onchip {
    struct shoal_kernel *run;
    struct search_islands islands;
    struct search_launches launches;
    struct shoal_buffer *x, *y; /* points of a step and their values; NULL: local memory holds them */
    struct arrays arrays;
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    (void)info;
    return search_fits_chip(method, problem, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct direct_plan *plan,
                               struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"direct_run", &onchip_of(solver)->run}};
    struct defines defines = {.count = 0};
    direct_defines(solver, &direct_onchip_program, &defines);
    define_table(&defines, direct_device_of(solver)->problem.objective);
    define_add(&defines, "IN_LOCAL", plan->in_local);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    return programs_build(&solver->programs, &direct_onchip_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Creates the method. Each tile of an array is an island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = &direct_device_of(solver)->problem;
    const struct direct_plan plan = direct_plan_make(problem, shoal_device_get_info(solver->device));
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    if (!onchip)
        return fail_host_memory(error);
    solver->method.tile = problem->members;
    onchip->launches = search_launches_new();
    const size_t real = search_device_of(solver)->real,
                 tiles = div_up(problem->islands * problem->points, problem->members);
    const double points = plan.in_local ? 0 : (double)(tiles * problem->members);
    const struct array list[] = {
        {&onchip->x, points * (double)problem->dim, real},
        {&onchip->y, points, real},
    };
    onchip->arrays.queue = solver->queue;
    ARRAYS_SET(&onchip->arrays, list);
    enum shoal_status status =
        search_check_memory(problem, &onchip->arrays, arrays_bytes(&search_device_of(solver)->own), error);
    if (!status)
        status = build(solver, &plan, error);
    if (!status)
        status = arrays_create(&onchip->arrays, error);
    return status ? status : search_islands_create(solver, NULL, 0, &onchip->islands, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct onchip *onchip = onchip_of(solver);
    if (!onchip)
        return;
    search_islands_destroy(&onchip->islands);
    arrays_destroy(&onchip->arrays);
    free(onchip);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Enqueues the steps from `step` to step + steps - 1. Only the last of these steps may have an exchange. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    const struct direct_device *device = direct_device_of(solver);
    const struct search_problem *problem = &device->problem;
    struct onchip *onchip = onchip_of(solver);
    const struct search_members members = {.values = device->best, .positions = device->p};
    enum shoal_status status = direct_write_start(solver, error);
    if (!status)
        status = LAUNCH(direct_run, solver->queue, onchip->run, problem->islands, error, .p = device->p,
                        .best = device->best, .words = device->search.words, .reals = device->search.reals,
                        .champion = device->search.champion, .settings = device->search.settings,
                        .counts = device->counts, .numbers = device->numbers, .extra = device->extra,
                        .x = onchip->x, .y = onchip->y, .start = device->start,
                        .shape = &onchip->islands.shape, .first = (uint32_t)step, .steps = (uint32_t)steps,
                        .stagnation = (uint32_t)problem->params->stagnation,
                        .starts = (uint32_t)problem->start_count);
    return status ? status
                  : search_islands_end_step(solver, &onchip->islands, &members, (uint32_t)(step + steps - 1),
                                            error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return search_launches_advance(solver, &onchip_of(solver)->launches, steps, make_steps, error);
}

const struct search_method direct_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance},
};
