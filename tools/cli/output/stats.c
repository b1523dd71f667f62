#include "cli/output/stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_quantile(const double *sorted, size_t count, double q)
{
    if (count == 0)
        return NAN;
    double place = q * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct stats stats_of(double *samples, size_t count)
{
    struct stats stats = {.count = count, .median = NAN, .min = NAN, .max = NAN, .spread = NAN};
    if (count == 0)
        return stats;
    qsort(samples, count, sizeof *samples, by_value);
    stats.median = stats_quantile(samples, count, 0.5);
    stats.min = samples[0];
    stats.max = samples[count - 1];
    double quartiles = stats_quantile(samples, count, 0.75) - stats_quantile(samples, count, 0.25);
    stats.spread = quartiles > 0 ? quartiles / 2 / fabs(stats.median) : 0;
    return stats;
}
