#include "gas/device/samples.h"

#include <shoal/queue.h>

void gas_samples_drop(struct gas_samples *samples)
{
    shoal_event_destroy(&samples->first);
    shoal_event_destroy(&samples->sorted);
    shoal_event_destroy(&samples->last);
    samples->is_wanted = false;
}

/* Reads the start and the end time of an event, in seconds. Both are 0 if `event` is NULL. */
static enum shoal_status times_of(struct shoal_event *event, double *start, double *end,
                                  struct shoal_error *error)
{
    *start = *end = 0;
    return event ? shoal_event_times(event, start, end, error) : SHOAL_OK;
}

enum shoal_status gas_samples_take(struct gas_samples *samples, struct shoal_error *error)
{
    double first, sorted, end, unused;
    enum shoal_status status = SHOAL_OK;
    if (samples->last && (samples->first || samples->sorted)) {
        status = times_of(samples->first, &first, &unused, error);
        if (!status)
            status = times_of(samples->sorted, &sorted, &unused, error);
        if (!status)
            status = times_of(samples->last, &unused, &end, error);
        if (!status) {
            samples->force_s += end - (samples->sorted ? sorted : first);
            samples->sort_s += samples->sorted && samples->first ? sorted - first : 0;
            samples->count++;
        }
    }
    gas_samples_drop(samples);
    return status;
}

void gas_samples_fill(const struct gas_samples *samples, struct shoal_gas_timing *timing)
{
    if (samples->count == 0)
        return;
    const double steps = (double)samples->steps / (double)samples->count;
    timing->force_s = samples->force_s * steps;
    if (samples->sort_s > 0)
        timing->sort_s = samples->sort_s * steps;
}
