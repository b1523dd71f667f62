#include "base/threads.h"

#include <math.h>
#include <omp.h>

enum {
    SLOW_STEPS = 3, /* consecutive: a single one may be a list rebuild */
    FIRST_ALONE_STEPS = 256,
    MOST_ALONE_STEPS = 16384
};

/* Waking the threads takes about a tenth of this. */
static const double worth_waking_s = 50e-6;
/* Of the order of a time slice. */
static const double wait_s = 1e-3;

void thread_choice_learn(struct thread_choice *choice, double seconds)
{
    if (choice->most == 1)
        return;
    if (choice->left > 0) {
        /* The guess was wrong if the first step on one thread takes even longer. */
        const bool is_wrong = choice->left == choice->alone_steps && seconds > choice->together_s;
        choice->alone_s = is_wrong ? fmax(choice->alone_s, seconds) : choice->alone_s;
        choice->left = is_wrong ? 0 : choice->left - 1;
        return;
    }
    if (!(seconds > choice->slow_factor * choice->alone_s)) {
        choice->slow = 0;
        return;
    }
    choice->together_s = choice->slow > 0 ? fmin(choice->together_s, seconds) : seconds;
    if (++choice->slow < SLOW_STEPS)
        return;
    choice->slow = 0;
    choice->alone_steps = choice->alone_steps == 0                 ? FIRST_ALONE_STEPS
                          : choice->alone_steps < MOST_ALONE_STEPS ? 2 * choice->alone_steps
                                                                   : choice->alone_steps;
    choice->left = choice->alone_steps;
}

bool threads_are_worth_waking(double alone_s)
{
    return alone_s >= worth_waking_s;
}

int threads_once(double alone_s)
{
    return alone_s > wait_s ? omp_get_max_threads() : 1;
}
