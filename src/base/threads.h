/* Private: the number of OpenMP threads for a loop of the host.
 *
 * OpenMP threads spin at barriers. Where other programs occupy the cores, a step on all threads takes up to a
 * hundred times longer than on one thread. So steps run on one thread while that is faster; the number of
 * threads changes no result. Every parallel loop asks here, but those that measure the threads themselves.
 */
#ifndef SHOAL_BASE_THREADS_H
#define SHOAL_BASE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct thread_choice {
    int most;       /* threads that the step can use */
    double alone_s; /* expected time of a step on one thread */
    /* A step on all threads is slow beyond this multiple of it: little more than 1 where the time was
     * measured. */
    double slow_factor;
    /* The rest begins as zeros. */
    uint64_t left;        /* steps still to run on one thread; 0: all threads are used */
    uint64_t alone_steps; /* length of the last period on one thread */
    unsigned slow;        /* consecutive steps on all threads that were slower than expected on one */
    double together_s;    /* the fastest of those */
};

/* Threads for the next step. */
static inline int thread_choice_threads(const struct thread_choice *choice)
{
    return choice->left > 0 ? 1 : choice->most;
}

/* The step on thread_choice_threads threads took `seconds`. */
void thread_choice_learn(struct thread_choice *choice, double seconds);

/* Is a step that takes this long on one thread worth waking the others? */
bool threads_are_worth_waking(double alone_s);

/* Threads for a loop from whose time no later one learns, since it runs once or seldom: all of OpenMP's where
 * it takes longer on one thread than a wait for an occupied core. */
int threads_once(double alone_s);

#endif
