/* Private: long steps of the host, and long work before them. Threads make them, and they end at once where
 * the run must end. The step is then dropped, or its result so far is taken. */
#ifndef SHOAL_WORKLOAD_LONG_STEP_H
#define SHOAL_WORKLOAD_LONG_STEP_H

#include "workload/workload.h"

struct long_step {
    struct shoal_solver *solver; /* solver that is asked whether the run must end; NULL: none */
    /* A shorter step is never cut: otherwise most runs would lose their last step. */
    double patience_s;
    double pause_s; /* seconds between two questions: a question may take a lock */
    double began_s; /* on the clock */
    double ends_s;  /* time on the clock at which the step is cut, whatever the solver answers; 0: no such
                     * time */
    _Atomic double asked_s;
    atomic_flag is_asked; /* a thread is asking now: only one thread at a time calls the caller's function */
    atomic_bool is_cut;
};

/* When a thread reads the clock, in work whose units take about equal time: after each mask + 1 units, which
 * is about a millisecond. Each thread has its own, at first zeros. */
struct long_step_looks {
    uint64_t units, mask;
    double last_s;
};

/* Before the first step. */
void long_step_create(struct long_step *step, struct shoal_solver *solver);
void long_step_begin(struct long_step *step);
/* Reads the clock and now and then asks whether the run must end; the watchdog takes the question for
 * progress. Any thread of the step calls this after about a millisecond of work. True: the step is cut. */
bool long_step_look(struct long_step *step);
/* long_step_look, which also sets after how many units the thread looks again. */
bool long_step_look_in_turn(struct long_step *step, struct long_step_looks *looks);

/* NULL: work that is never cut. */
static inline bool long_step_is_cut(const struct long_step *step)
{
    return step && atomic_load_explicit(&step->is_cut, memory_order_relaxed);
}

/* Called before unit `index` of work whose units take nanoseconds to microseconds: looks before each unit
 * that is a multiple of `every`. */
static inline bool long_step_look_each(struct long_step *step, size_t index, size_t every)
{
    return index % every == 0 ? long_step_look(step) : long_step_is_cut(step);
}

/* Called after each unit of work, by any thread. True: the step is cut. */
static inline bool long_step_worked(struct long_step *step, struct long_step_looks *looks)
{
    if (!step || (++looks->units & looks->mask) != 0)
        return long_step_is_cut(step);
    return long_step_look_in_turn(step, looks);
}

/* SHOAL_STOPPED where the step, or work before the first step, was cut. */
SHOAL_MUST_CHECK enum shoal_status long_step_status(const struct long_step *step, struct shoal_error *error);

#endif
