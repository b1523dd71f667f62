/* The ladder on the host: frames of the thesis's gas as cases of the benchmark. */
#ifndef SHOAL_BENCH_THESIS_GAS_HOST_H
#define SHOAL_BENCH_THESIS_GAS_HOST_H

#include "bench/runner/bench.h"

struct thesis_gas_case {
    const char *variant; /* name of a variant of the ladder */
    size_t n;
    size_t threads;   /* 0: as many as the row has */
    size_t stride;    /* 0: 1 */
    const char *racy; /* the reason why the variant is not measured; NULL: it is correct */
};

extern const struct bench_ops thesis_gas_host_ops;

/* Number of frames in a sample when one frame takes `seconds`. A figure of the thesis is the mean of 50
 * frames. If 50 frames would take more than a second, there are fewer; if the time for a row is 0, there is
 * one. */
double thesis_gas_frames(const struct bench *bench, double seconds);

/* Adds figures for frames of `pairs` pairs: frames/s, pairs/s, and as the thesis counts them flop/s, with
 * `flops` operations for an iteration, and bytes/s, with `bytes`. */
void thesis_gas_rates(struct bench *bench, double seconds, double frames, double pairs, double iterations,
                      double flops, double bytes);

#endif
