/* Private: long steps on the host, and long work before the first step. The threads that do such work stop
 * soon after the run must end. The step is then dropped, or its partial result is used. */
#ifndef SHOAL_WORKLOAD_LONG_STEP_H
#define SHOAL_WORKLOAD_LONG_STEP_H

#include "workload/workload.h"

struct long_step {
    struct shoal_solver *solver; /* the solver that knows whether the run must end; NULL: none */
    /* A step is cut only after this many seconds; otherwise most runs would lose their last step. */
    double patience_s;
    double pause_s; /* seconds between two calls of the solver's must_end, which may take a lock */
    double began_s; /* begin of the step as a time on the clock */
    double ends_s;  /* time on the clock at which the step is cut in any case; 0: no such time */
    _Atomic double asked_s;
    atomic_flag is_asked; /* set while a thread asks: only one thread at a time may call the caller's
                           * function */
    atomic_bool is_cut;
};

/* Decides when a thread reads the clock, in work whose units take about equal time: after every mask + 1
 * units. `mask` is adapted so that mask + 1 units take about a millisecond. Each thread has its own struct,
 * all zeros at first. */
struct long_step_looks {
    uint64_t units, mask;
    double last_s;
};

/* long_step_create is called before the first step, long_step_begin before each long step. */
void long_step_create(struct long_step *step, struct shoal_solver *solver);
void long_step_begin(struct long_step *step);
/* Reads the clock, and now and then asks whether the run must end; the watchdog counts the question as
 * progress. Any thread of the step calls this after about a millisecond of work. Returns true where the step
 * is cut. */
bool long_step_look(struct long_step *step);
/* Calls long_step_look, and sets after how many units the thread looks again. */
bool long_step_look_in_turn(struct long_step *step, struct long_step_looks *looks);

/* Is the step cut? step NULL: the work is never cut. */
static inline bool long_step_is_cut(const struct long_step *step)
{
    return step && atomic_load_explicit(&step->is_cut, memory_order_relaxed);
}

/* Called before unit `index` of work whose units take nanoseconds to microseconds: calls long_step_look where
 * `index` is a multiple of `every`. */
static inline bool long_step_look_each(struct long_step *step, size_t index, size_t every)
{
    return index % every == 0 ? long_step_look(step) : long_step_is_cut(step);
}

/* Called after each unit of work, by any thread. Returns true where the step is cut. */
static inline bool long_step_worked(struct long_step *step, struct long_step_looks *looks)
{
    if (!step || (++looks->units & looks->mask) != 0)
        return long_step_is_cut(step);
    return long_step_look_in_turn(step, looks);
}

/* Returns SHOAL_STOPPED where the step, or work before the first step, was cut. */
SHOAL_MUST_CHECK enum shoal_status long_step_status(const struct long_step *step, struct shoal_error *error);

#endif
