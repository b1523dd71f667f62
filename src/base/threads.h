/* Private: the number of OpenMP threads for a loop of the host.
 *
 * OpenMP threads spin at barriers. Where other programs occupy the cores, a step on all threads takes up to a
 * hundred times longer than on one thread. So steps run on one thread while that is faster; the number of
 * threads changes no result. Every parallel loop asks here, but those that measure the threads themselves.
 */
#ifndef SHOAL_BASE_THREADS_H
#define SHOAL_BASE_THREADS_H

#include <stdbool.h>

/* The choice compares the elapsed time of a step, divided by the processor time of its loops: 1 / threads on
 * idle cores, 1 for a thread that has a core of its own. Steps may differ in length. */
struct thread_choice {
    int most; /* threads that a step can use */
    /* The rest begins as zeros. */
    bool alone;      /* one thread makes the step, not all */
    double left_s;   /* time for which `other` is valid and `alone` lasts; then all threads are tried again */
    double other;    /* expected of the other choice; 1 where left_s is 0 */
    unsigned slow;   /* consecutive steps that were slower than that */
    double best;     /* the least of those */
    double slow_s;   /* their time */
    double begin_s;  /* start time of the current step */
    double worked_s; /* processor time of its loops */
};

/* Threads for the next step. */
static inline int thread_choice_threads(const struct thread_choice *choice)
{
    return choice->alone ? 1 : choice->most;
}

/* Around a step that runs on thread_choice_threads threads. */
void thread_choice_begin(struct thread_choice *choice);
void thread_choice_end(struct thread_choice *choice);

/* Each thread of a loop of the step calls this before it waits for others: its work began at `start` of
 * clock_thread_seconds. NULL: has no effect. */
void thread_choice_work(struct thread_choice *choice, double start);

/* The step took `seconds`, and `worked_s` of processor time. */
void thread_choice_learn(struct thread_choice *choice, double seconds, double worked_s);

/* Is a step that takes this long on one thread worth waking the others? */
bool threads_are_worth_waking(double alone_s);

/* Threads for a loop from whose time no later one learns, since it runs once or seldom: all of OpenMP's where
 * it takes longer on one thread than a wait for an occupied core. */
int threads_once(double alone_s);

#endif
