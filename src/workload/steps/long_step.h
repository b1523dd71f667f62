/* Private: long steps of the host, and long work in front of them, that threads make and that end at once
 * where the run must. Such a step is dropped, or what it has made so far is a result. */
#ifndef SHOAL_WORKLOAD_LONG_STEP_H
#define SHOAL_WORKLOAD_LONG_STEP_H

#include "workload/workload.h"

struct long_step {
    struct shoal_solver *solver; /* that is asked whether the run must end; NULL: none */
    /* What takes less is made whole: most of a run's last steps would be lost otherwise. */
    double patience_s;
    double pause_s; /* between two questions, which may lock */
    double began_s; /* on the clock */
    double ends_s;  /* on the clock: it is cut from then on, whoever is asked; 0: no such time */
    _Atomic double asked_s;
    atomic_flag is_asked; /* by a thread, now: the caller's function is called by one at a time */
    atomic_bool is_cut;
};

/* When a thread looks at the clock in work of which each unit takes about as long as the one before: after
 * each mask + 1 units, about a millisecond. Of one thread, at first zeros. */
struct long_step_looks {
    uint64_t units, mask;
    double last_s;
};

/* Before the first step. */
void long_step_create(struct long_step *step, struct shoal_solver *solver);
void long_step_begin(struct long_step *step);
/* Reads the clock, and at times asks, which the watchdog takes for progress: from any thread of the step,
 * after about a millisecond of work. True: the step is cut. */
bool long_step_look(struct long_step *step);
/* The same, where it is the thread's turn. */
bool long_step_look_in_turn(struct long_step *step, struct long_step_looks *looks);

/* NULL: work that is never cut. */
static inline bool long_step_is_cut(const struct long_step *step)
{
    return step && atomic_load_explicit(&step->is_cut, memory_order_relaxed);
}

/* Ahead of unit `index` of work that takes some ns to us for each: looks at each `every`-th one. */
static inline bool long_step_look_each(struct long_step *step, size_t index, size_t every)
{
    return index % every == 0 ? long_step_look(step) : long_step_is_cut(step);
}

/* Behind each unit of work, by any thread. */
static inline bool long_step_worked(struct long_step *step, struct long_step_looks *looks)
{
    if (!step || (++looks->units & looks->mask) != 0)
        return long_step_is_cut(step);
    return long_step_look_in_turn(step, looks);
}

/* SHOAL_STOPPED where work ahead of the first step is cut, or a step that its caller drops. */
SHOAL_MUST_CHECK enum shoal_status long_step_status(const struct long_step *step, struct shoal_error *error);

#endif
