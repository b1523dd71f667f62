#include "workload/steps/long_step.h"

#include "base/clock.h"
#include "base/error.h"

void long_step_create(struct long_step *step, struct shoal_solver *solver)
{
    *step = (struct long_step){
        .solver = solver, .patience_s = 0.2, .pause_s = 10e-3, .is_asked = ATOMIC_FLAG_INIT};
}

void long_step_begin(struct long_step *step)
{
    step->began_s = clock_seconds();
    atomic_store(&step->asked_s, 0);
    atomic_store(&step->is_cut, false);
}

static bool look(struct long_step *step, double now)
{
    if (now - step->began_s < step->patience_s || now - atomic_load(&step->asked_s) < step->pause_s ||
        long_step_is_cut(step) || !step->solver)
        return long_step_is_cut(step);
    if (atomic_flag_test_and_set(&step->is_asked))
        return long_step_is_cut(step);
    atomic_store(&step->asked_s, now);
    solver_got_further(step->solver);
    /* must_end is set only during steps. While a solver is created or a checkpoint is loaded, there is no
     * step that could be cut, so only the caller can stop the work. */
    const struct shoal_solver *solver = step->solver;
    const bool timed_out = step->ends_s > 0 && now > step->ends_s,
               ends = solver->must_end ? solver_must_end(solver) : solver_is_stopped(solver);
    if (timed_out || ends)
        atomic_store(&step->is_cut, true);
    atomic_flag_clear(&step->is_asked);
    return long_step_is_cut(step);
}

bool long_step_look(struct long_step *step)
{
    return step && look(step, clock_seconds());
}

bool long_step_look_in_turn(struct long_step *step, struct long_step_looks *looks)
{
    enum { MOST_UNITS = 64 };
    const double aim_s = 1e-3; /* approximate seconds between two looks at the clock */
    const double now = clock_seconds(), units = (double)looks->mask + 1,
                 unit_s = (now - looks->last_s) / units;
    looks->last_s = now;
    if (unit_s > aim_s)
        looks->mask = 0;
    else if (2 * units * unit_s < aim_s && 2 * units <= MOST_UNITS)
        looks->mask = 2 * looks->mask + 1;
    return look(step, now);
}

enum shoal_status long_step_status(const struct long_step *step, struct shoal_error *error)
{
    return long_step_is_cut(step) ? fail(error, SHOAL_STOPPED, "stopped ahead of the first step") : SHOAL_OK;
}
