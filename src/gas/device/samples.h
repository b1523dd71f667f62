/* Private: device times of some steps of a method without an `advance` of its own: the last step of each call
 * is sampled, when the queue is full. Methods with an `advance` of their own take times themselves. */
#ifndef SHOAL_GAS_SAMPLES_H
#define SHOAL_GAS_SAMPLES_H

#include <shoal/gas.h>

struct gas_samples {
    bool is_wanted; /* is the next enqueued step sampled? */
    /* Events of the first launch, of the first launch after a sort, and of the motion; NULL: there is
     * none. */
    struct shoal_event *first, *sorted, *last;
    double force_s, sort_s; /* seconds of the sampled steps; force_s includes the motion after the forces */
    uint64_t count, steps;  /* number of sampled steps, and of all steps */
};

/* Argument for shoal_launch: where to store the event of this launch; NULL: no event is wanted. */
static inline struct shoal_event **gas_sample(bool is_wanted, struct shoal_event **event)
{
    return is_wanted && !*event ? event : NULL;
}

static inline struct shoal_event **gas_sample_first(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->first);
}

/* Returns where the event of a launch for forces goes; the launch must not be a sort. */
static inline struct shoal_event **gas_sample_sorted(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->sorted);
}

static inline struct shoal_event **gas_sample_last(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->last);
}

/* After the launches have ended: adds up the times of their events and releases them. */
SHOAL_MUST_CHECK enum shoal_status gas_samples_take(struct gas_samples *samples, struct shoal_error *error);
void gas_samples_drop(struct gas_samples *samples);
/* Estimates the times of all steps from the sampled ones; without sampled steps, fills nothing. */
void gas_samples_fill(const struct gas_samples *samples, struct shoal_gas_timing *timing);

#endif
