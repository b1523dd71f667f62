/* The method "onchip": a work-group for each island, and many steps in a launch. The kernel is in
 * cl/pso/methods/onchip.cl. */
#include "pso/methods/onchip.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"
#include "objective/rows/table.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct onchip {
    struct shoal_kernel *run, *exchange, *settle, *end;
    struct search_launches launches;
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *swarms,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct pso_problem *problem = swarms;
    const struct shoal_objective *objective = problem->search.objective;
    const char *lacks = NULL;
    struct onchip_plan plan;
    if (problem->search.info->shape != SHOAL_PER_DIMENSION && problem->search.info->shape != SHOAL_OPAQUE)
        lacks = "objectives over the rows of a table";
    else if (problem->thesis.needs_pipeline)
        lacks = problem->thesis.needs_pipeline;
    else if (objective->table && !search_settings_table(objective))
        lacks = SEARCH_SETTINGS_LACKS;
    if (lacks)
        return method_lacks(method, lacks, error);
    return onchip_plan_make(problem, info, 0, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct onchip_plan *plan,
                               struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    struct onchip *onchip = onchip_of(solver);
    const struct entry_kernel kernels[] = {{"onchip_run", &onchip->run},
                                           {"onchip_exchange", &onchip->exchange},
                                           {"onchip_settle", &onchip->settle},
                                           {"onchip_end", &onchip->end}};
    struct defines defines = {.count = 0};
    pso_rule_defines(solver, &defines);
    define_add(&defines, "BATCH", problem->batch < problem->search.members ? (int64_t)problem->batch : 0);
    define_table(&defines, problem->search.objective);
    define_add(&defines, "DIM", (int64_t)problem->search.dim);
    define_add(&defines, "LANES", (int64_t)plan->lanes);
    define_add(&defines, "NEIGHBOURS", (int64_t)problem->neighbours);
    define_add(&defines, "PARTICLES", (int64_t)problem->search.members);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "TORUS", (int64_t)problem->columns);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &pso_onchip_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Creates the method. A tile has the particles of one island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    struct onchip_plan plan;
    if (!onchip)
        return fail_host_memory(error);
    enum shoal_status status =
        onchip_plan_make(&device->problem, shoal_device_get_info(solver->device), 0, &plan, error);
    solver->method.tile = device->problem.search.members;
    onchip->launches = search_launches_new();
    return status ? status : build(solver, &plan, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct onchip *onchip = onchip_of(solver);
    if (!onchip)
        return;
    free(onchip);
    solver->method.state = NULL;
}

/* Launches --------------------------------------------------------------------------------------------- */

static enum shoal_status launch_run(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    bool leave_last, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct shoal_pso_params *params = device->problem.params;
    return LAUNCH(onchip_run, solver->queue, onchip_of(solver)->run, device->problem.search.islands, error,
                  .x = device->x, .v = device->v, .p = device->p, .best = device->best,
                  .words = device->search.words, .reals = device->search.reals,
                  .champion = device->search.champion, .settings = device->search.settings,
                  .seed = params->search.seed, .swarms = (uint32_t)device->problem.search.run_islands,
                  .first = (uint32_t)step, .steps = (uint32_t)steps,
                  .restart = (uint32_t)params->search.restart,
                  .stagnation = (uint32_t)params->search.stagnation, .leave_last = leave_last,
                  .lead = (uint32_t)device->problem.search.lead);
}

static enum shoal_status launch_exchange(struct shoal_solver *solver, uint64_t step,
                                         struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct onchip *onchip = solver->method.state;
    const struct shoal_pso_params *params = device->problem.params;
    const uint32_t islands = (uint32_t)device->problem.search.islands;
    enum shoal_status status = search_guests_champions(solver, step, error);
    if (status)
        return status;
    status = LAUNCH(onchip_exchange, solver->queue, onchip->exchange,
                    shoal_kernel_groups(onchip->exchange, islands), error, .p = device->p,
                    .best = device->best, .words = device->search.words, .reals = device->search.reals,
                    .champion = device->search.champion, .links = device->search.links,
                    .seed = params->search.seed, .islands = islands,
                    .swarms = (uint32_t)device->problem.search.run_islands,
                    .kind = search_exchange_kind(&device->problem.search), .step = (uint32_t)step,
                    .lead = (uint32_t)device->problem.search.lead);
    if (!status)
        status =
            LAUNCH(onchip_settle, solver->queue, onchip->settle, shoal_kernel_groups(onchip->settle, islands),
                   error, .p = device->p, .words = device->search.words, .reals = device->search.reals,
                   .champion = device->search.champion, .settings = device->search.settings,
                   .islands = islands, .step = (uint32_t)step);
    return status;
}

static enum shoal_status launch_end(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct onchip *onchip = solver->method.state;
    enum shoal_status status = search_guests_records(solver, error);
    return status ? status
                  : LAUNCH(onchip_end, solver->queue, onchip->end,
                           shoal_kernel_groups(onchip->end, device->problem.search.runs), error,
                           .words = device->search.words, .reals = device->search.reals,
                           .settings = device->search.settings, .runs = (uint32_t)device->problem.search.runs,
                           .swarms = (uint32_t)device->problem.search.run_islands,
                           .stagnation = (uint32_t)device->problem.params->search.stagnation,
                           .lead = (uint32_t)device->problem.search.lead);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Enqueues the steps step .. step + steps - 1. Islands may exchange only after the last of these steps. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    const uint64_t last = step + steps - 1;
    const bool exchanges = search_exchange_is_due(&problem->search, last);
    enum shoal_status status = launch_run(solver, step, steps, exchanges, error);
    if (!status && exchanges)
        status = launch_exchange(solver, last, error);
    if (!status && search_ends_together(&problem->search))
        status = launch_end(solver, error);
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

const struct search_method pso_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance},
};
