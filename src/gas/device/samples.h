/* Private: device times of some steps, for methods without an `advance` of their own: the last step of each
 * call is timed, when the queue is full. Methods with an `advance` measure times themselves. */
#ifndef SHOAL_GAS_SAMPLES_H
#define SHOAL_GAS_SAMPLES_H

#include <shoal/gas.h>

struct gas_samples {
    bool is_wanted; /* the next enqueued step is timed */
    /* Events of the first launch for forces, of the first such launch after a sort, and of the motion; NULL:
     * there was no such launch. */
    struct shoal_event *first, *sorted, *last;
    double force_s, sort_s; /* seconds of the sampled steps; force_s: forces and motion; sort_s: sort */
    uint64_t count, steps;  /* count: number of sampled steps; steps: number of all steps */
};

/* Argument for shoal_launch: address for the event of this launch; NULL: no event is wanted. */
static inline struct shoal_event **gas_sample(bool is_wanted, struct shoal_event **event)
{
    return is_wanted && !*event ? event : NULL;
}

static inline struct shoal_event **gas_sample_first(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->first);
}

/* Argument for a launch for forces after the sort; gas_sample_first is for the launch before it. */
static inline struct shoal_event **gas_sample_sorted(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->sorted);
}

static inline struct shoal_event **gas_sample_last(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->last);
}

/* Called when the launches have ended: adds up the times of their events and releases the events. */
SHOAL_MUST_CHECK enum shoal_status gas_samples_take(struct gas_samples *samples, struct shoal_error *error);
void gas_samples_drop(struct gas_samples *samples);
/* Estimates the times of all steps from the sampled steps. Does nothing if no step was sampled. */
void gas_samples_fill(const struct gas_samples *samples, struct shoal_gas_timing *timing);

#endif
