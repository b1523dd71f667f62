/* Private: the steps of a run with samples, frames and callbacks between them.
 *
 * Step 0 of the run is the state after the warm-up steps, which have no events. Events depend on the number
 * of a step alone, not on how a run is split into calls.
 */
#ifndef SHOAL_WORKLOAD_SCHEDULE_H
#define SHOAL_WORKLOAD_SCHEDULE_H

#include "workload/workload.h"

/* An event takes place at each multiple of `every`, step 0 included (every 0: at none), and with at_ends also
 * at step 0 and at the last step. */
struct schedule_event {
    uint64_t every;
    bool at_ends;
    enum shoal_status (*take)(struct shoal_solver *solver, uint64_t step, struct shoal_error *error);
};

enum { SCHEDULE_EVENTS = 2 };

/* Filled in by the solver for each call; holds no state between calls. */
struct schedule {
    uint64_t warm_up, steps; /* steps before step 0, and steps of the run */
    bool *begun;             /* the initial state is set, or a state was loaded */
    uint64_t *done;          /* steps done so far; the warm-up is the first of them */
    /* Sets the initial state, whatever a call that failed has left. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    /* Does `steps` steps, either all of the warm-up or all of the run, and adds them to `*done`; a run that
     * ends early adds fewer. */
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    struct schedule_event events[SCHEDULE_EVENTS]; /* events of a step take place in this order; `take` NULL:
                                                    * no event */
};

static inline bool schedule_is_due(uint64_t every, uint64_t step)
{
    return every && step % every == 0;
}

/* The operation `step` of a solver. A call that begins a run and fails before a step is made leaves it as one
 * that has not begun: the next call sets the initial state and gives the events of step 0 again. */
SHOAL_MUST_CHECK enum shoal_status schedule_step(struct shoal_solver *solver, const struct schedule *schedule,
                                                 uint64_t steps, uint64_t *done, struct shoal_error *error);

/* Seconds of the run so far, without those between a checkpoint and the run that resumes it. 0: the run has
 * not begun. */
double schedule_seconds(const struct shoal_solver *solver);
/* Write and read the section "seconds" of a checkpoint. */
void schedule_save_seconds(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status schedule_load_seconds(struct shoal_solver *solver,
                                                         const struct checkpoint *checkpoint,
                                                         struct shoal_error *error);

/* Called before and after each call of a function of the caller: the time of the call is not the device's. */
void schedule_call_turns(struct shoal_solver *solver);
/* Passes a sample to the callback; SHOAL_IO if that ends the run. */
SHOAL_MUST_CHECK enum shoal_status schedule_give(struct shoal_solver *solver, const void *sample,
                                                 struct shoal_error *error);
/* SHOAL_IO: a callback ended the run with that message (NULL: none). */
enum shoal_status schedule_ended_by_caller(const char *failure, uint64_t step, struct shoal_error *error);

#endif
