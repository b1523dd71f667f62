/* Private: how many threads of the host make a step.
 *
 * Threads that wait for one another turn in circles; where other programs have the cores, those wait for a
 * core meanwhile, and a step by all threads takes a hundred times what one thread needs. So a step is made by
 * one thread while that is the faster way: the number of threads changes no result.
 */
#ifndef SHOAL_GAS_PACE_H
#define SHOAL_GAS_PACE_H

#include <stdint.h>

struct gas_pace {
    int most;       /* threads worth having */
    double alone_s; /* what one thread is expected to take for a step */
    /* The rest begins as zeros. */
    uint64_t left;     /* steps that one thread makes before all try again; 0: all are at it */
    uint64_t stint;    /* how many of those there were last */
    unsigned slow;     /* steps of all threads in a row that one would have made faster */
    double together_s; /* the fastest of them */
};

/* Threads of the coming step. */
static inline int gas_pace_threads(const struct gas_pace *pace)
{
    return pace->left > 0 ? 1 : pace->most;
}

/* The step made by gas_pace_threads took so long. */
void gas_pace_learn(struct gas_pace *pace, double seconds);

#endif
