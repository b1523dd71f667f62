/* The method "onchip": a work-group for each island, and many steps in a launch. The kernel is in
 * cl/de/methods/onchip.cl. */
#include "de/methods/onchip.h"
#include "base/error.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "objective/rows/table.h"
#include "search/device/islands.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct onchip {
    struct shoal_kernel *run;
    struct search_islands islands;
    struct search_launches launches;
    struct shoal_buffer *plan; /* table `plan` of cl/de/layout.clh */
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct de_problem *problem = populations;
    const struct search_problem *search = &problem->search;
    struct de_onchip_plan plan;
    if (search->info->shape != SHOAL_PER_DIMENSION && search->info->shape != SHOAL_OPAQUE)
        return method_lacks(method, "objectives over the rows of a table", error);
    if (search->objective->table && !search_settings_table(search->objective))
        return method_lacks(method, SEARCH_SETTINGS_LACKS, error);
    if (problem->level_steps)
        return method_lacks(method, "a level of violation, which --level 0 leaves out", error);
    return de_onchip_plan_make(problem, info, 0, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct de_onchip_plan *plan,
                               struct shoal_error *error)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    const struct entry_kernel kernels[] = {{"de_onchip", &onchip_of(solver)->run}};
    struct defines defines = {.count = 0};
    de_rule_defines(solver, &defines);
    define_add(&defines, "CELLS", (int64_t)problem->cells);
    define_table(&defines, problem->search.objective);
    define_add(&defines, "DIM", (int64_t)problem->search.dim);
    define_add(&defines, "FREE_CELLS", (int64_t)problem->free_cells);
    define_add(&defines, "MEMBERS", (int64_t)problem->search.members);
    define_add(&defines, "MIN_GROUPS", plan->min_groups);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "SHRINKS", problem->schedule.ratio < 1);
    define_add(&defines, "SLOTS", (int64_t)problem->slots);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &de_onchip_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Creates the method. Each tile of an array is an island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    const size_t bytes = problem->plan_words * sizeof *problem->plan;
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    struct de_onchip_plan plan;
    int64_t tuned = 0;
    if (!onchip)
        return fail_host_memory(error);
    solver->method.tile = problem->search.members;
    onchip->launches = search_launches_new();
    tuning_get_define(solver->device, &de_onchip_program, "WG", &tuned);
    enum shoal_status status =
        de_onchip_plan_make(problem, shoal_device_get_info(solver->device), (size_t)tuned, &plan, error);
    if (!status)
        status = build(solver, &plan, error);
    if (!status)
        status = shoal_buffer_create(solver->device, bytes, &onchip->plan, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, onchip->plan, 0, problem->plan, bytes, error);
    return status ? status : search_islands_create(solver, NULL, 0, &onchip->islands, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct onchip *onchip = onchip_of(solver);
    if (!onchip)
        return;
    search_islands_destroy(&onchip->islands);
    shoal_buffer_destroy(&onchip->plan);
    free(onchip);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Enqueues the steps step .. step + steps - 1. Only the last of these steps may have an exchange. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct search_problem *problem = &device->problem.search;
    struct onchip *onchip = onchip_of(solver);
    const struct search_members members = {.values = device->best, .positions = device->x};
    enum shoal_status status = LAUNCH(
        de_onchip, solver->queue, onchip->run, problem->islands, error, .x = device->x, .best = device->best,
        .archive = device->archive, .memory = device->memory, .counts = device->counts,
        .own_scale = device->own_scale, .own_rate = device->own_rate, .words = device->search.words,
        .reals = device->search.reals, .champion = device->search.champion,
        .settings = device->search.settings, .plan = onchip->plan, .seed = problem->params->seed,
        .run_islands = (uint32_t)problem->run_islands, .first = (uint32_t)step, .steps = (uint32_t)steps,
        .restart = (uint32_t)problem->params->restart, .stagnation = (uint32_t)problem->params->stagnation,
        .lead = (uint32_t)problem->lead);
    return status ? status
                  : search_islands_end_step(solver, &onchip->islands, &members, (uint32_t)(step + steps - 1),
                                            error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    /* Sets the arrays to 0, since checkpoints also contain the unused slots of the archive. */
    const enum shoal_status status = arrays_zero(&search_device_of(solver)->own, error);
    return status ? status : make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return search_launches_advance(solver, &onchip_of(solver)->launches, steps, make_steps, error);
}

const struct search_method de_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance},
};
