/* The method "onchip": a work-group for each island, many generations in a launch. The mathematics is in
 * cl/ga/methods/onchip.cl; the last generation of a launch is settled as those of the pipeline are. */
#include "ga/methods/onchip.h"
#include "base/clock.h"
#include "base/error.h"
#include "ga/methods/pipeline.h"

#include <math.h>
#include <stdlib.h>

/* Longest launch: half of the delay that a display or Ctrl-C tolerates. */
static const double launch_seconds = 0.1;

/* Steps that are timed; fewer if they are long. */
enum { TIMED_STEPS = 16 };
static const double long_seconds = 1e-3;

struct onchip {
    struct ga_pipeline_state pipeline; /* its exchange and the ends of steps */
    struct shoal_kernel *run;
    uint64_t probe;      /* steps to be timed next; 0: step_seconds is known */
    double step_seconds; /* of all islands */
};

static struct onchip *onchip_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const char *lacks = ga_rule_lacks(populations);
    struct ga_onchip_plan plan;
    if (info->is_host)
        return fail(error, SHOAL_UNSUPPORTED, "the host device runs no kernels: method %s", method->name);
    if (lacks)
        return method_lacks(method, lacks, error);
    return ga_onchip_plan(populations, info, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct ga_onchip_plan *plan,
                               struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct entry_kernel kernels[] = {{"ga_onchip", &onchip_of(solver)->run}};
    struct defines defines = {.count = 0};
    ga_program_defines(solver, &ga_onchip_program, &defines);
    define_add(&defines, "LANES", (int64_t)plan->lanes);
    define_add(&defines, "MEMBERS", (int64_t)problem->search.members);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &ga_onchip_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* A tile is an island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ga_device *device = ga_device_of(solver);
    struct onchip *onchip = solver->method.state = calloc(1, sizeof *onchip);
    struct ga_onchip_plan plan;
    if (!onchip)
        return fail_host_memory(error);
    solver->method.tile = device->problem.search.members;
    onchip->pipeline.is_on_chip = true;
    onchip->probe = 1;
    enum shoal_status status =
        ga_onchip_plan(&device->problem, shoal_device_get_info(solver->device), &plan, error);
    if (!status)
        status = build(solver, &plan, error);
    return status ? status : ga_pipeline_create(solver, error);
}

/* Launches --------------------------------------------------------------------------------------------- */

static enum shoal_status launch(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct search_problem *problem = &device->problem.search;
    const struct onchip *onchip = onchip_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.reals),
        shoal_arg_buffer(device->search.champion),
        shoal_arg_buffer(device->search.trace),
        shoal_arg_buffer(device->search.settings),
        shoal_arg_buffer(onchip->pipeline.rates),
        shoal_arg_ulong(problem->params->seed),
        shoal_arg_uint((uint32_t)problem->run_islands),
        shoal_arg_uint((uint32_t)problem->width),
        shoal_arg_uint((uint32_t)step),
        shoal_arg_uint((uint32_t)steps),
        shoal_arg_uint((uint32_t)problem->params->stagnation),
        shoal_arg_uint((uint32_t)problem->params->trace),
        shoal_arg_uint(onchip->pipeline.shape.has_rate_list),
    };
    return shoal_launch(solver->queue, onchip->run, problem->islands, args, sizeof args / sizeof *args, NULL,
                        error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Islands of a run see each other's ends only between launches. */
static bool ends_together(const struct search_problem *problem)
{
    return problem->run_islands > 1 && search_can_end_early(problem);
}

/* Steps step .. step + steps - 1, with an exchange after the last at most. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    const struct search_members members = {ga_device_of(solver)->best, ga_device_of(solver)->x};
    enum shoal_status status = launch(solver, step, steps, error);
    return status ? status
                  : search_islands_end_step(solver, &onchip_of(solver)->pipeline.islands, &members,
                                            (uint32_t)(step + steps - 1), ga_exchange, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_steps(solver, 0, 1, error);
}

/* Steps of one launch from `step` on, at most `left`. */
static uint64_t steps_of_launch(const struct search_problem *problem, const struct onchip *onchip,
                                uint64_t step, uint64_t left)
{
    const uint64_t exchange = problem->params->exchange;
    uint64_t most = ends_together(problem) ? 1 : onchip->probe;
    if (!most) {
        const double fitting = launch_seconds / onchip->step_seconds;
        most = fitting < 1 ? 1 : fitting < 1e9 ? (uint64_t)fitting : 1000000000;
    }
    if (exchange && most > exchange - (step - 1) % exchange)
        most = exchange - (step - 1) % exchange;
    return left < most ? left : most;
}

/* The same, by the clock: times the first steps to limit the length of launches. */
static enum shoal_status make_timed_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                          struct shoal_error *error)
{
    struct onchip *onchip = onchip_of(solver);
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    const double start = clock_seconds();
    if (!status)
        status = make_steps(solver, step, steps, error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    if (status)
        return status;
    const double seconds = clock_seconds() - start;
    onchip->step_seconds = fmax(seconds / (double)steps, 1e-9);
    onchip->probe = seconds < long_seconds && onchip->probe < TIMED_STEPS ? TIMED_STEPS : 0;
    return SHOAL_OK;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct onchip *onchip = onchip_of(solver);
    const uint64_t end = device->steps + steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = device->steps + 1; step <= end && !status;) {
        const uint64_t now = steps_of_launch(device->problem, onchip, step, end - step + 1);
        status = onchip->probe && !ends_together(device->problem) ? make_timed_steps(solver, step, now, error)
                                                                  : make_steps(solver, step, now, error);
        step += now;
    }
    return status;
}

const struct search_method ga_onchip_method = {
    .base = {.name = "onchip",
             .fits = fits,
             .create = create,
             .destroy = ga_pipeline_destroy,
             .begin = begin,
             .advance = advance},
    .is_on_chip = true,
};
