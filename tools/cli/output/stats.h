/* Order statistics of samples. */
#ifndef SHOAL_BENCH_STATS_H
#define SHOAL_BENCH_STATS_H

#include <stddef.h>

struct stats {
    size_t count;
    double median, min, max;
    /* Half the interquartile range over the median: unlike max - min it does not change with one slow sample,
     * which would hide every regression. 0 for fewer than two samples. */
    double spread;
};

/* Sorts `samples`. All figures are NAN where count is 0. */
struct stats stats_of(double *samples, size_t count);
/* Quantile q in 0..1 of sorted samples, linear between neighbours. */
double stats_quantile(const double *sorted, size_t count, double q);

#endif
