/* The method "onchip": a work-group for each island, and many generations in a launch. The kernel is in
 * cl/ga/methods/onchip.cl. */
#include "base/error.h"
#include "compute/device.h"
#include "compute/tune.h"
#include "ga/device/generation.h"
#include "ga/methods/plan.h"
#include "search/device/keys.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct onchip {
    struct ga_generation generation;
    struct shoal_kernel *run;
    struct search_launches launches;
    struct shoal_buffer *table; /* table of an objective over genes; NULL: there is no table */
    bool one_run;               /* all islands are of one run */
    struct ga_keys keys;        /* of the random words of the first run */
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Plans islands of reals or genomes. tuned: for reals, tuned LANES; for genomes, tuned work-group size; 0:
 * chosen for the device. */
static enum shoal_status plan_of(const struct ga_problem *problem, const struct shoal_device_info *info,
                                 size_t tuned, struct ga_plan *plan, struct shoal_error *error)
{
    return problem->search.has_genome ? ga_genes_onchip_plan(problem, info, tuned, plan, error)
                                      : ga_onchip_plan(problem, info, tuned, plan, error);
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const char *lacks = ga_rule_lacks(populations);
    struct ga_plan plan;
    if (lacks)
        return method_lacks(method, lacks, error);
    return plan_of(populations, info, 0, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static void set_keys(struct onchip *onchip, const struct search_problem *problem)
{
    const size_t first = problem->lead / problem->run_islands,
                 last = (problem->lead + problem->islands - 1) / problem->run_islands;
    onchip->one_run = first == last;
    search_fill_keys(onchip->keys.words, problem->params->seed + first);
}

static enum shoal_status build(struct shoal_solver *solver, const struct ga_plan *plan,
                               struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const bool has_genome = problem->search.has_genome;
    const struct shoal_program_desc *program = has_genome ? &ga_genes_onchip_program : &ga_onchip_program;
    const struct entry_kernel kernels[] = {
        {has_genome ? "ga_genes_onchip" : "ga_onchip", &onchip_of(solver)->run}};
    struct defines defines = {.count = 0};
    ga_program_defines(solver, program, &defines);
    if (!has_genome) {
        define_add(&defines, "LANES", (int64_t)plan->lanes);
        define_add(&defines, "ONE_RUN", is_cuda(solver->device) && onchip_of(solver)->one_run);
    } else {
        define_add(&defines, "ENDS", problem->search.run_islands == 1);
    }
    define_add(&defines, "MEMBERS", (int64_t)problem->search.members);
    if (has_genome)
        define_add(&defines, "MIN_GROUPS", plan->min_groups);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, program, &defines, kernels, COUNT(kernels), NULL, error);
}

/* Creates the method. A tile has the members of one island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ga_device *device = ga_device_of(solver);
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    struct ga_plan plan;
    int64_t tuned = 0;
    if (!onchip)
        return fail_host_memory(error);
    solver->method.tile = device->problem.search.members;
    onchip->launches = search_launches_new();
    set_keys(onchip, &device->problem.search);
    if (device->problem.search.has_genome)
        tuning_get_define(solver->device, &ga_genes_onchip_program, "WG", &tuned);
    else
        tuning_get_define(solver->device, &ga_onchip_program, "LANES", &tuned);
    enum shoal_status status =
        plan_of(&device->problem, shoal_device_get_info(solver->device), (size_t)tuned, &plan, error);
    ga_generation_plan(solver, &onchip->generation, 0);
    if (!status)
        status = build(solver, &plan, error);
    if (!status)
        status = ga_genes_create_table(solver, &onchip->table, error);
    return status ? status : ga_generation_create(solver, &onchip->generation, 0, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct onchip *onchip = onchip_of(solver);
    if (!onchip)
        return;
    shoal_buffer_destroy(&onchip->table);
    ga_generation_destroy(&onchip->generation);
    free(onchip);
    solver->method.state = NULL;
}

/* Launches --------------------------------------------------------------------------------------------- */

static enum shoal_status launch(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct search_problem *problem = &device->problem.search;
    const struct onchip *onchip = onchip_of(solver);
    const struct ga_generation *generation = &onchip->generation;
    if (problem->has_genome)
        return LAUNCH(
            ga_genes_onchip, solver->queue, onchip->run, problem->islands, error, .x = device->x,
            .best = device->best, .words = device->search.words, .reals = device->search.reals,
            .champion = device->search.champion, .settings = device->search.settings,
            .rates = generation->rates, .seed = problem->params->seed,
            .run_islands = (uint32_t)problem->run_islands, .indices = (uint32_t)problem->width,
            .first = (uint32_t)step, .steps = (uint32_t)steps, .restart = (uint32_t)problem->params->restart,
            .stagnation = (uint32_t)problem->params->stagnation, .has_list = generation->shape.has_rate_list,
            .ranks = generation->ranks, .truncated = generation->shape.truncated,
            .lead = (uint32_t)problem->lead, .wholes = generation->wholes, .table = onchip->table);
    return LAUNCH(
        ga_onchip, solver->queue, onchip->run, problem->islands, error, .x = device->x, .best = device->best,
        .words = device->search.words, .reals = device->search.reals, .champion = device->search.champion,
        .settings = device->search.settings, .rates = generation->rates, .seed = problem->params->seed,
        .run_islands = (uint32_t)problem->run_islands, .indices = (uint32_t)problem->width,
        .first = (uint32_t)step, .steps = (uint32_t)steps, .restart = (uint32_t)problem->params->restart,
        .stagnation = (uint32_t)problem->params->stagnation, .has_list = generation->shape.has_rate_list,
        .ranks = generation->ranks, .truncated = generation->shape.truncated, .lead = (uint32_t)problem->lead,
        .keys = &onchip->keys);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Enqueues the steps step .. step + steps - 1. Islands may exchange only after the last of these steps. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    enum shoal_status status = launch(solver, step, steps, error);
    return status ? status
                  : ga_end_step(solver, &onchip_of(solver)->generation, (uint32_t)(step + steps - 1), error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return search_launches_advance(solver, &onchip_of(solver)->launches, steps, make_steps, error);
}

const struct search_method ga_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance},
};
