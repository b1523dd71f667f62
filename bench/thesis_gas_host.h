/* Frames of the thesis's gas as cases: the ladder on the host. */
#ifndef SHOAL_BENCH_THESIS_GAS_HOST_H
#define SHOAL_BENCH_THESIS_GAS_HOST_H

#include "bench.h"

/* As the thesis: a figure is the mean of so many frames, where they take no longer than the time for a row.
 */
enum { THESIS_GAS_FRAMES = 50 };

struct thesis_gas_case {
    const char *variant; /* of the ladder */
    size_t n;
    size_t threads;   /* 0: those of the row */
    size_t stride;    /* 0: 1 */
    const char *racy; /* not measured: why not; NULL: it is correct */
};

extern const struct bench_ops thesis_gas_host_ops;

/* Adds what a frame of `pairs` iterations means: frames/s, pairs/s, and as the thesis counts them, flop/s of
 * `flops` operations an iteration and bytes/s of `bytes`. */
void thesis_gas_rates(struct bench *bench, double seconds, double frames, double pairs, double iterations,
                      double flops, double bytes);

#endif
