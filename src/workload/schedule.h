/* Private: the steps of a run and what happens between them: samples, frames, the callbacks of the caller.
 *
 * Step 0 of the run is the state after the warm-up steps, which have no events. Events follow from the number
 * of a step alone, so it makes no difference how a run is cut into calls.
 */
#ifndef SHOAL_WORKLOAD_SCHEDULE_H
#define SHOAL_WORKLOAD_SCHEDULE_H

#include "workload/workload.h"

/* Happens at each multiple of `every`, step 0 among them (0: at none), and where `at_ends` is set at step 0
 * and at the last step too. */
struct schedule_event {
    uint64_t every;
    bool at_ends;
    enum shoal_status (*take)(struct shoal_solver *solver, uint64_t step, struct shoal_error *error);
};

enum { SCHEDULE_EVENTS = 2 };

/* Made anew for each call: it keeps nothing. */
struct schedule {
    uint64_t warm_up, steps; /* before step 0, and of the run */
    bool *begun;             /* the start is in place, or a state was loaded */
    uint64_t *done;          /* steps so far, those of the warm-up first */
    /* Puts the start in place. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    /* Makes `steps` steps, either all of the warm-up or all of the run, and adds them to `*done`; a run that
     * ends early adds others. */
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    struct schedule_event events[SCHEDULE_EVENTS]; /* in this order; `take` NULL: none */
};

static inline bool schedule_is_due(uint64_t every, uint64_t step)
{
    return every && step % every == 0;
}

/* The operation `step` of a solver. */
SHOAL_MUST_CHECK enum shoal_status schedule_step(struct shoal_solver *solver, const struct schedule *schedule,
                                                 uint64_t steps, uint64_t *done, struct shoal_error *error);

/* Gives a sample to the caller; SHOAL_IO where he ends the run. */
SHOAL_MUST_CHECK enum shoal_status schedule_give(const struct shoal_solver *solver, const void *sample,
                                                 struct shoal_error *error);
/* The same of those that the solver recorded by itself. */
SHOAL_MUST_CHECK enum shoal_status schedule_give_recorded(const struct shoal_solver *solver,
                                                          struct shoal_error *error);
/* SHOAL_IO: a callback ended the run with that message (NULL: none). */
enum shoal_status schedule_ended_by_caller(const char *failure, uint64_t step, struct shoal_error *error);

#endif
