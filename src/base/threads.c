#include "base/threads.h"
#include "base/clock.h"

#include <math.h>
#include <omp.h>

enum {
    SLOW_STEPS = 3,  /* consecutive slow steps; a single slow step may be a list rebuild */
    TRIAL_SHARE = 32 /* time until the next trial of the other choice, in units of the trial's duration */
};

/* A trial of one thread ends before it has had SLOW_STEPS slow steps, if its slow steps together took longer
 * than this: with steps of a tenth of a second, users would notice three slow steps in each run. */
static const double longest_trial_s = 10e-3;
/* The least gain that counts as more than noise. */
static const double worth_changing = 1.05;
/* Steps shorter than this run on one thread: waking the threads takes about a tenth of this time. */
static const double worth_waking_s = 50e-6;
/* For work that is done once: longer work than this gets all threads. This is about a time slice of the
 * scheduler, the time that a thread may wait for an occupied core. */
static const double wait_s = 1e-3;

void thread_choice_begin(struct thread_choice *choice)
{
    choice->begin_s = clock_seconds();
    choice->worked_s = 0;
}

void thread_choice_end(struct thread_choice *choice)
{
    thread_choice_learn(choice, clock_seconds() - choice->begin_s, choice->worked_s);
}

void thread_choice_work(struct thread_choice *choice, double start)
{
    const double worked_s = clock_thread_seconds() - start;
    if (!choice)
        return;
#pragma omp atomic
    choice->worked_s += worked_s;
}

void thread_choice_learn(struct thread_choice *choice, double seconds, double worked_s)
{
    if (choice->most == 1 || !(worked_s > 0))
        return;
    const double stretch = seconds / worked_s, other = choice->left_s > 0 ? choice->other : 1;
    choice->left_s -= seconds;
    if (!(stretch > worth_changing * other)) {
        choice->slow = 0;
    } else {
        choice->best = choice->slow > 0 ? fmin(choice->best, stretch) : stretch;
        choice->slow_s = (choice->slow > 0 ? choice->slow_s : 0) + seconds;
        choice->slow++;
    }
    if (choice->slow == SLOW_STEPS ||
        (choice->alone && choice->slow > 0 && choice->slow_s > longest_trial_s)) {
        choice->alone = !choice->alone;
        choice->other = choice->best;
        choice->left_s = TRIAL_SHARE * choice->slow_s;
        choice->slow = 0;
    } else if (choice->alone && !(choice->left_s > 0)) {
        choice->alone = false;
        choice->slow = 0;
    }
}

bool threads_are_worth_waking(double alone_s)
{
    return alone_s >= worth_waking_s;
}

int threads_once(double alone_s)
{
    return alone_s > wait_s ? omp_get_max_threads() : 1;
}
