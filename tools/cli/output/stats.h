/* Order statistics of samples. */
#ifndef SHOAL_BENCH_STATS_H
#define SHOAL_BENCH_STATS_H

#include <stddef.h>

struct stats {
    size_t count;
    double median, min, max;
    /* Half the interquartile range over the median; 0 for less than two samples. Unlike max - min, this
     * spread does not grow by a single slow sample, which could hide a regression. */
    double spread;
};

/* Computes statistics and sorts `samples`. All figures are NAN where count is 0. */
struct stats stats_of(double *samples, size_t count);
/* Quantile q (0 .. 1) of sorted samples, interpolated linearly. */
double stats_quantile(const double *sorted, size_t count, double q);

#endif
