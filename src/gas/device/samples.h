/* Private: device times of some steps, for methods without `advance`. The last step of each call of
 * gas_stepper.advance is timed, since its launches follow each other without a gap: the queue is full.
 * Methods with `advance` measure their times themselves. */
#ifndef SHOAL_GAS_SAMPLES_H
#define SHOAL_GAS_SAMPLES_H

#include <shoal/gas.h>

struct gas_samples {
    bool is_wanted; /* the step that is enqueued next is timed */
    /* Events of the timed step: its first launch, the first launch after its sort, and the launch that moves
     * the particles. NULL: there was no such launch. */
    struct shoal_event *first, *sorted, *last;
    double force_s, sort_s; /* seconds of all timed steps. force_s: forces and motion; sort_s: sort */
    uint64_t count, steps;  /* count: number of timed steps; steps: number of all steps */
};

/* Returns `event` as the argument of a launch that stores its event there. Returns NULL, so that no event is
 * stored, if none is wanted or if a launch of the same step has stored one already. */
static inline struct shoal_event **gas_sample(bool is_wanted, struct shoal_event **event)
{
    return is_wanted && !*event ? event : NULL;
}

static inline struct shoal_event **gas_sample_first(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->first);
}

/* gas_sample_first is the argument of each launch of a sort, or of forces without a sort; gas_sample_sorted
 * of each launch for forces after a sort; gas_sample_last of the launch that moves the particles. */
static inline struct shoal_event **gas_sample_sorted(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->sorted);
}

static inline struct shoal_event **gas_sample_last(struct gas_samples *samples)
{
    return gas_sample(samples->is_wanted, &samples->last);
}

/* Adds the times of the timed step to the sums, and releases its events. The launches must have ended. */
SHOAL_MUST_CHECK enum shoal_status gas_samples_take(struct gas_samples *samples, struct shoal_error *error);
void gas_samples_drop(struct gas_samples *samples);
/* Sets force_s and sort_s of `timing`, for all steps, by extrapolation from the timed steps. Does nothing if
 * no step was timed. */
void gas_samples_fill(const struct gas_samples *samples, struct shoal_gas_timing *timing);

#endif
