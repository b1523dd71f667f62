#include "tsp/long_step.h"

#include "base/clock.h"

/* Between two questions, which lock. */
static const double pause_s = 10e-3;

void long_step_create(struct long_step *step, const struct shoal_solver *solver)
{
    *step = (struct long_step){.solver = solver, .patience_s = 0.2};
}

void long_step_begin(struct long_step *step)
{
    step->began_s = clock_seconds();
    atomic_store(&step->asked_s, 0);
    atomic_store(&step->is_cut, false);
}

bool long_step_look(struct long_step *step)
{
    const double now = clock_seconds();
    if (now - step->began_s < step->patience_s || now - atomic_load(&step->asked_s) < pause_s)
        return long_step_is_cut(step);
    atomic_store(&step->asked_s, now);
    if (solver_must_end(step->solver))
        atomic_store(&step->is_cut, true);
    return long_step_is_cut(step);
}
