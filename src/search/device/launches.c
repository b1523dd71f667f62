#include "search/device/launches.h"
#include "base/error.h"
#include "compute/clock.h"
#include "objective/rows/table.h"

#include <math.h>

/* TIMED_STEPS: number of steps in the launch that is timed. If the first step alone takes at least
 * long_seconds, the time of this step is used instead. */
enum { TIMED_STEPS = 16 };
static const double long_seconds = 1e-3;

enum shoal_status search_fits_chip(const struct method *method, const struct search_problem *problem,
                                   struct shoal_error *error)
{
    const char *lacks = NULL;
    if (problem->info->shape != SHOAL_PER_DIMENSION && problem->info->shape != SHOAL_OPAQUE)
        lacks = "objectives over the rows of a table";
    else if (problem->objective->table && !search_settings_table(problem->objective))
        lacks = SEARCH_SETTINGS_LACKS;
    else if (problem->info->dynamic)
        lacks = "objectives whose values depend on the generation";
    else if (problem->dim > SEARCH_MOST_WHOLE)
        lacks = "points of more than 1024 coordinates";
    return lacks ? method_lacks(method, lacks, error) : SHOAL_OK;
}

/* Number of steps in the launch that begins with step `step`, at most `left`. */
static uint64_t steps_of_launch(const struct search_problem *problem, const struct search_launches *launches,
                                uint64_t step, uint64_t left)
{
    const uint64_t exchange = search_exchange_interval(problem);
    uint64_t most = search_ends_together(problem) ? 1 : launches->probe;
    if (!most) {
        const double fitting = SEARCH_LAUNCH_SECONDS / launches->step_seconds;
        most = fitting < 1 ? 1 : fitting < 1e9 ? (uint64_t)fitting : 1000000000;
    }
    if (exchange && most > exchange - (step - 1) % exchange)
        most = exchange - (step - 1) % exchange;
    return left < most ? left : most;
}

enum shoal_status search_launch_timed(struct shoal_solver *solver, search_enqueue_fn enqueue,
                                      const void *data, double *seconds, struct shoal_error *error)
{
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    const double start = queue_clock(solver->queue);
    if (!status)
        status = enqueue(solver, data, error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    *seconds = queue_clock(solver->queue) - start;
    return status;
}

struct steps {
    search_make_steps_fn make;
    uint64_t first, count;
};

static enum shoal_status enqueue_steps(struct shoal_solver *solver, const void *data,
                                       struct shoal_error *error)
{
    const struct steps *steps = data;
    return steps->make(solver, steps->first, steps->count, error);
}

/* Makes and times the first steps, to compute the length of later launches. */
static enum shoal_status make_timed_steps(struct shoal_solver *solver, struct search_launches *launches,
                                          const struct steps *steps, struct shoal_error *error)
{
    double seconds;
    enum shoal_status status = search_launch_timed(solver, enqueue_steps, steps, &seconds, error);
    if (status)
        return status;
    launches->step_seconds = fmax(seconds / (double)steps->count, 1e-9);
    launches->probe = seconds < long_seconds && launches->probe < TIMED_STEPS ? TIMED_STEPS : 0;
    return SHOAL_OK;
}

enum shoal_status search_launches_advance(struct shoal_solver *solver, struct search_launches *launches,
                                          uint64_t steps, search_make_steps_fn make_steps,
                                          struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const bool is_timed = !search_ends_together(device->problem);
    const uint64_t end = device->steps + steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = device->steps + 1; step <= end && !status;) {
        const struct steps now = {make_steps, step,
                                  steps_of_launch(device->problem, launches, step, end - step + 1)};
        status = is_timed && launches->probe ? make_timed_steps(solver, launches, &now, error)
                                             : enqueue_steps(solver, &now, error);
        step += now.count;
    }
    return status;
}
