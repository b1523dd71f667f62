/* Private: the steps of a run with samples, frames and callbacks between them.
 *
 * Step 0 of the run is the state after the warm-up steps, which have no events. Events depend on the number
 * of a step alone, not on how a run is split into calls.
 */
#ifndef SHOAL_WORKLOAD_SCHEDULE_H
#define SHOAL_WORKLOAD_SCHEDULE_H

#include "workload/workload.h"

/* An event takes place at each step that is a multiple of `every`, step 0 included (every 0: never), and with
 * at_ends also at step 0 and at the last step. */
struct schedule_event {
    uint64_t every;
    bool at_ends;
    enum shoal_status (*take)(struct shoal_solver *solver, uint64_t step, struct shoal_error *error);
};

enum { SCHEDULE_EVENTS = 3 };

/* A solver fills this struct for each call; the struct holds no state between calls. */
struct schedule {
    /* warm_up: number of steps before step 0; steps: number of steps of the run after step 0 */
    uint64_t warm_up, steps;
    bool *begun;    /* true: the initial state is set, or a state was loaded */
    uint64_t *done; /* number of steps done so far, warm-up included */
    /* Sets the initial state, whatever state a failed call has left. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    /* Makes `steps` steps, which lie all in the warm-up or all after it, and adds them to *done; a run that
     * ends early adds fewer. */
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    struct schedule_event events[SCHEDULE_EVENTS]; /* events of a step take place in this order; .take NULL:
                                                    * no event */
};

static inline bool schedule_is_due(uint64_t every, uint64_t step)
{
    return every && step % every == 0;
}

/* Implements `step` of a solver. A call that begins a run and fails before it has made a step leaves the run
 * as not begun: the next call sets the initial state and takes the events of step 0 again. */
SHOAL_MUST_CHECK enum shoal_status schedule_step(struct shoal_solver *solver, const struct schedule *schedule,
                                                 uint64_t steps, uint64_t *done, struct shoal_error *error);

/* Seconds of the run so far, without the time between a checkpoint and the resumed run. 0: the run has not
 * begun. */
double schedule_seconds(const struct shoal_solver *solver);
/* schedule_save_seconds writes and schedule_load_seconds reads the section "seconds" of a checkpoint. */
void schedule_save_seconds(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status schedule_load_seconds(struct shoal_solver *solver,
                                                         const struct checkpoint *checkpoint,
                                                         struct shoal_error *error);

/* schedule_call_turns is called before and after each call of a function of the caller, whose time must not
 * count as time of the device. */
void schedule_call_turns(struct shoal_solver *solver);
/* Passes a sample to the callback; returns SHOAL_IO where the callback ends the run. */
SHOAL_MUST_CHECK enum shoal_status schedule_give(struct shoal_solver *solver, const void *sample,
                                                 struct shoal_error *error);
/* Returns SHOAL_IO: a callback has ended the run with the message `failure` (NULL: no message). */
enum shoal_status schedule_ended_by_caller(const char *failure, uint64_t step, struct shoal_error *error);

#endif
