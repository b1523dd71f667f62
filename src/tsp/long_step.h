/* Private: long steps of the host that threads make, and that end at once where the run must: such a step is
 * dropped, so that what follows is as if it had never begun. */
#ifndef SHOAL_TSP_LONG_STEP_H
#define SHOAL_TSP_LONG_STEP_H

#include "workload/workload.h"

struct long_step {
    const struct shoal_solver *solver;
    double patience_s; /* shorter steps are made whole */
    double began_s;
    _Atomic double asked_s;
    atomic_bool is_cut;
};

/* Before the first step. */
void long_step_create(struct long_step *step, const struct shoal_solver *solver);
void long_step_begin(struct long_step *step);
/* Reads the clock, and at times asks the caller: from any thread of the step, after about a millisecond of
 * work. True: the step is cut. */
bool long_step_look(struct long_step *step);

static inline bool long_step_is_cut(const struct long_step *step)
{
    return atomic_load_explicit(&step->is_cut, memory_order_relaxed);
}

#endif
