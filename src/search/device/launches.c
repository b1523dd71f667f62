#include "search/device/launches.h"
#include "compute/queue.h"

#include <math.h>

/* Longest launch: half of the delay that a display or Ctrl-C tolerates. */
static const double launch_seconds = 0.1;

/* Steps that are timed; fewer if they are long. */
enum { TIMED_STEPS = 16 };
static const double long_seconds = 1e-3;

/* Steps of one launch from `step` on, at most `left`. */
static uint64_t steps_of_launch(const struct search_problem *problem, const struct search_launches *launches,
                                uint64_t step, uint64_t left)
{
    const uint64_t exchange = search_exchange_interval(problem);
    uint64_t most = search_ends_together(problem) ? 1 : launches->probe;
    if (!most) {
        const double fitting = launch_seconds / launches->step_seconds;
        most = fitting < 1 ? 1 : fitting < 1e9 ? (uint64_t)fitting : 1000000000;
    }
    if (exchange && most > exchange - (step - 1) % exchange)
        most = exchange - (step - 1) % exchange;
    return left < most ? left : most;
}

/* The same, by the clock: times the first steps to limit the length of launches. */
static enum shoal_status make_timed_steps(struct shoal_solver *solver, struct search_launches *launches,
                                          uint64_t step, uint64_t steps, search_make_steps_fn make_steps,
                                          struct shoal_error *error)
{
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    const double start = queue_clock(solver->queue);
    if (!status)
        status = make_steps(solver, step, steps, error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    if (status)
        return status;
    const double seconds = queue_clock(solver->queue) - start;
    launches->step_seconds = fmax(seconds / (double)steps, 1e-9);
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
        const uint64_t now = steps_of_launch(device->problem, launches, step, end - step + 1);
        status = is_timed && launches->probe
                     ? make_timed_steps(solver, launches, step, now, make_steps, error)
                     : make_steps(solver, step, now, error);
        step += now;
    }
    return status;
}
