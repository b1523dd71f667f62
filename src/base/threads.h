/* Private: the number of OpenMP threads for a loop on the host.
 *
 * OpenMP threads spin at barriers. While other programs occupy cores, a step on all threads takes up to a
 * hundred times longer than on one thread. So steps run on one thread as long as that is faster; results do
 * not depend on the number of threads. Every parallel loop gets its number of threads here, except loops that
 * measure the threads themselves.
 */
#ifndef SHOAL_BASE_THREADS_H
#define SHOAL_BASE_THREADS_H

#include <stdbool.h>

/* State of the choice between one thread and all threads. The choice compares steps by the ratio of their
 * elapsed time to the processor time of their loops, so steps may have different lengths. The ratio is 1 /
 * (number of threads) on idle cores, and 1 for one thread with a core of its own. */
struct thread_choice {
    int most; /* number of threads that a step can use */
    /* The caller sets `most`; all other members begin as zeros. */
    bool alone;      /* the step runs on one thread, not on all threads */
    double left_s;   /* seconds for which `alone` stays as it is; then all threads are tried again */
    double other;    /* expected ratio of the other choice; not used unless left_s > 0 */
    unsigned slow;   /* consecutive steps that were slower than `other` */
    double best;     /* least ratio among these slow steps */
    double slow_s;   /* seconds of these slow steps */
    double begin_s;  /* time on the clock at which the current step began */
    double worked_s; /* processor seconds of the loops in the current step */
};

/* Number of threads for the next step. */
static inline int thread_choice_threads(const struct thread_choice *choice)
{
    return choice->alone ? 1 : choice->most;
}

/* thread_choice_begin is called before and thread_choice_end after a step that runs on thread_choice_threads
 * threads. */
void thread_choice_begin(struct thread_choice *choice);
void thread_choice_end(struct thread_choice *choice);

/* Each thread of a loop calls this before it waits for the other threads. start: clock_thread_seconds at the
 * begin of its work. choice NULL: does nothing. */
void thread_choice_work(struct thread_choice *choice, double start);

/* Reports a step of `seconds`, whose loops took `worked_s` of processor time. */
void thread_choice_learn(struct thread_choice *choice, double seconds, double worked_s);

/* Is a step that takes this many seconds on one thread long enough to wake the other threads? */
bool threads_are_worth_waking(double alone_s);

/* Number of threads for a loop that runs once or seldom, so that no later loop can learn from its time: all
 * of OpenMP's threads where the loop would take longer on one thread than the wait for an occupied core. */
int threads_once(double alone_s);

#endif
