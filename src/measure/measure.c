#include "measure/measure.h"
#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Long compared with the resolution of the clock and with the start of threads or of a launch. */
const struct measure_limits measure_limits = {.batch_seconds = 0.02, .figure_seconds = 0.2};
enum { MIN_BATCHES = 3, MAX_BATCHES = 16 };
/* If the median of the batches exceeds the fastest batch by this factor, other programs have used the cores.
 * On an idle machine the two differ by a few per cent. */
static const double most_disagreement = 1.3;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum shoal_status measure_repeats(measure_batch_fn batch, void *data, double least, uint64_t *repeats,
                                  double *spent, struct shoal_error *error)
{
    double taken = 0;
    /* The first batch is not timed: it includes work that drivers do at the first launch, by which the number
     * of repeats would be too small. */
    enum shoal_status status = batch(data, 1, &taken, error);
    *spent = 0;
    for (*repeats = 1; !status; *repeats *= 2) {
        status = batch(data, *repeats, &taken, error);
        *spent += taken;
        if (taken >= least)
            break;
    }
    return status;
}

enum shoal_status measure_batches(measure_batch_fn batch, void *data, const struct measure_limits *limits,
                                  struct measure_samples *samples, struct shoal_error *error)
{
    uint64_t repeats;
    double taken = 0, spent, times[MAX_BATCHES];
    size_t count = 0;
    enum shoal_status status = measure_repeats(batch, data, limits->batch_seconds, &repeats, &spent, error);
    if (status != SHOAL_OK)
        return status;
    while (count < MIN_BATCHES || (count < MAX_BATCHES && spent < limits->figure_seconds)) {
        status = batch(data, repeats, &taken, error);
        if (status != SHOAL_OK)
            return status;
        spent += taken;
        times[count++] = taken;
    }
    qsort(times, count, sizeof *times, compare);
    *samples = (struct measure_samples){.fastest = times[0] / (double)repeats,
                                        .median = times[count / 2] / (double)repeats,
                                        .slowest = times[count - 1] / (double)repeats,
                                        .count = (uint32_t)count};
    return SHOAL_OK;
}

double measure_fastest(const struct measure_samples *samples)
{
    return samples->median > most_disagreement * samples->fastest ? NAN : samples->fastest;
}

enum shoal_status measure_best(measure_batch_fn batch, void *data, double *seconds, struct shoal_error *error)
{
    struct measure_samples samples;
    enum shoal_status status = measure_batches(batch, data, &measure_limits, &samples, error);
    if (status == SHOAL_OK)
        *seconds = measure_fastest(&samples);
    return status;
}

/* Limits of plausible figures. On an idle machine a launch takes less than most_launch_s with every driver;
 * no device computes doubles at less than 1 / 64 of the rate of floats; and any memory copies faster than a
 * disk. */
static const double most_launch_s = 1e-3, least_fp64 = 1.0 / 200, least_copy = 0.1e9;

bool measure_is_busy(const struct shoal_roofs *roofs)
{
    return isnan(roofs->fp32_flops) || isnan(roofs->fp64_flops) || isnan(roofs->sfu_ops) ||
           isnan(roofs->copy_bytes) || isnan(roofs->launch_s) || isnan(roofs->launch_sync_s) ||
           roofs->launch_s > most_launch_s || roofs->launch_sync_s > most_launch_s ||
           (roofs->fp64_flops > 0 && roofs->fp64_flops < least_fp64 * roofs->fp32_flops) ||
           (roofs->copy_bytes > 0 && roofs->copy_bytes < least_copy);
}

/* Sets all figures to NaN, since none is reliable on a busy machine, except those that are 0: not
 * supported. */
static void forget_figures(struct shoal_roofs *roofs)
{
    double *figures[] = {&roofs->fp32_flops, &roofs->fp64_flops, &roofs->sfu_ops,
                         &roofs->copy_bytes, &roofs->launch_s,   &roofs->launch_sync_s};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        *figures[i] = *figures[i] == 0 ? 0 : NAN;
}

double measure_fma_value(double start, double steps)
{
    double limit = MEASURE_FMA_TERM / (1 - MEASURE_FMA_FACTOR);
    return limit + (start - limit) * pow(MEASURE_FMA_FACTOR, steps);
}

enum shoal_status shoal_measure_roofs(struct shoal_device *device, struct shoal_roofs *roofs,
                                      struct shoal_error *error)
{
    error_reset(error);
    if (!device || !roofs)
        return fail(error, SHOAL_INVALID, "shoal_measure_roofs needs a device and a place for the roofs");
    struct shoal_roofs measured = {0};
    double start = clock_seconds();
    enum shoal_status status = shoal_device_get_info(device)->is_host
                                   ? measure_host(&measured, error)
                                   : measure_device(device, &measured, error);
    measured.seconds = clock_seconds() - start - measured.build_s;
    if (measure_is_busy(&measured))
        forget_figures(&measured);
    *roofs = status == SHOAL_OK ? measured : (struct shoal_roofs){0};
    return status;
}
