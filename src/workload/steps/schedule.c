#include "workload/steps/schedule.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status schedule_ended_by_caller(const char *failure, uint64_t step, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s (at step %llu)", failure ? failure : "the caller ended the run",
                (unsigned long long)step);
}

/* Steps ------------------------------------------------------------------------------------------------- */

/* Takes the events of the current step. */
static enum shoal_status take_events(struct shoal_solver *solver, const struct schedule *schedule,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (*schedule->done < schedule->warm_up)
        return SHOAL_OK;
    const uint64_t step = *schedule->done - schedule->warm_up;
    for (size_t i = 0; i < SCHEDULE_EVENTS && !status; i++) {
        const struct schedule_event *event = &schedule->events[i];
        const bool is_end = event->at_ends && (step == 0 || step == schedule->steps);
        if (event->take && (is_end || schedule_is_due(event->every, step)))
            status = event->take(solver, step, error);
    }
    return status;
}

/* The next step, counted with the warm-up, at which the run must stop for an event, or the end of the warm-up
 * or of the run. */
static uint64_t next_stop(const struct schedule *schedule)
{
    if (*schedule->done < schedule->warm_up)
        return schedule->warm_up;
    const uint64_t step = *schedule->done - schedule->warm_up;
    uint64_t left = schedule->steps - step;
    for (size_t i = 0; i < SCHEDULE_EVENTS; i++) {
        const uint64_t every = schedule->events[i].take ? schedule->events[i].every : 0;
        if (every && every - step % every < left)
            left = every - step % every;
    }
    return *schedule->done + left;
}

static enum shoal_status begin(struct shoal_solver *solver, const struct schedule *schedule,
                               struct shoal_error *error)
{
    if (*schedule->begun)
        return SHOAL_OK;
    solver->began_s = solver_clock(solver);
    enum shoal_status status = schedule->begin(solver, error);
    if (status)
        return status;
    *schedule->begun = true;
    return take_events(solver, schedule, error);
}

enum shoal_status schedule_step(struct shoal_solver *solver, const struct schedule *schedule, uint64_t steps,
                                uint64_t *done, struct shoal_error *error)
{
    const bool begins = !*schedule->begun;
    enum shoal_status status = begin(solver, schedule, error);
    const uint64_t before = *schedule->done, left = schedule->warm_up + schedule->steps - before;
    const uint64_t end = before + (steps < left ? steps : left);
    bool is_over = false;
    while (!status && !is_over && *schedule->done < end) {
        const uint64_t stop = next_stop(schedule), next = stop < end ? stop : end, at = *schedule->done;
        status = schedule->advance(solver, next - at, error);
        is_over = *schedule->done != next;
        /* If no step was made, for example because it was cut, the events of this step have been taken
         * already. */
        if (!status && *schedule->done != at)
            status = take_events(solver, schedule, error);
    }
    /* A failed first step may have changed the initial state: the next call sets the state again. */
    if (begins && status && status != SHOAL_STOPPED && *schedule->done == before)
        *schedule->begun = false;
    /* A run may have ended before the step at which this call began. */
    *done = *schedule->done > before ? *schedule->done - before : 0;
    return status;
}

/* Clock ------------------------------------------------------------------------------------------------- */

double schedule_seconds(const struct shoal_solver *solver)
{
    return solver->earlier_s + (solver->began_s > 0 ? solver_clock(solver) - solver->began_s : 0);
}

void schedule_save_seconds(struct shoal_solver *solver, struct checkpoint *checkpoint)
{
    solver->earlier_s = schedule_seconds(solver);
    solver->began_s = solver_clock(solver);
    checkpoint_add(checkpoint, "seconds", &solver->earlier_s, sizeof solver->earlier_s);
}

enum shoal_status schedule_load_seconds(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                        struct shoal_error *error)
{
    double seconds;
    const enum shoal_status status = checkpoint_get(checkpoint, "seconds", &seconds, sizeof seconds, error);
    if (status || !(seconds >= 0))
        return status ? status : checkpoint_damaged(checkpoint, error);
    solver->earlier_s = seconds;
    return SHOAL_OK;
}

/* Samples ----------------------------------------------------------------------------------------------- */

void shoal_solver_on_sample(struct shoal_solver *solver, shoal_sample_callback *callback, void *data)
{
    if (!solver)
        return;
    solver->on_sample = callback;
    solver->sample_data = data;
}

void schedule_call_turns(struct shoal_solver *solver)
{
    atomic_fetch_add(&solver->calls, 1);
}

enum shoal_status schedule_give(struct shoal_solver *solver, const void *sample, struct shoal_error *error)
{
    const struct shoal_column *first = solver->workload->sampling->columns;
    const char *failure = NULL;
    uint64_t step;
    if (!solver->on_sample)
        return SHOAL_OK;
    schedule_call_turns(solver);
    const bool ends = solver->on_sample(solver->sample_data, sample, &failure);
    schedule_call_turns(solver);
    if (!ends)
        return SHOAL_OK;
    memcpy(&step, (const char *)sample + first->offset, sizeof step);
    return schedule_ended_by_caller(failure, step, error);
}
