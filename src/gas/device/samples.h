/* Private: device times of some of the steps that a method makes launch by launch: of the last one of each
 * call, when the queue is full. Methods with an `advance` of their own have their own. */
#ifndef SHOAL_GAS_SAMPLES_H
#define SHOAL_GAS_SAMPLES_H

#include <shoal/gas.h>

struct gas_samples {
    bool is_wanted; /* of the step whose launches come now */
    /* Of the first launch, of the first one behind a sort, of the motion; NULL: not seen. */
    struct shoal_event *first, *sorted, *last;
    double force_s, sort_s; /* of the steps looked at; forces with the motion behind them */
    uint64_t count, steps;  /* looked at, and all */
};

/* For shoal_launch: where the event of this launch belongs, NULL: nowhere. */
static inline struct shoal_event **gas_sample(bool is_wanted, struct shoal_event **event)
{
    return is_wanted && !*event ? event : NULL;
}

static inline struct shoal_event **gas_sample_first(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->first);
}

/* Of launches for forces, none of them a sort. */
static inline struct shoal_event **gas_sample_sorted(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->sorted);
}

static inline struct shoal_event **gas_sample_last(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->last);
}

/* The launches have ended: adds up what their events say and drops them. */
SHOAL_MUST_CHECK enum shoal_status gas_samples_take(struct gas_samples *samples, struct shoal_error *error);
void gas_samples_drop(struct gas_samples *samples);
/* Times of all steps, from those looked at; nothing is filled where there are none. */
void gas_samples_fill(const struct gas_samples *samples, struct shoal_gas_timing *timing);

#endif
