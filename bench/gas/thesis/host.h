/* Frames of the thesis's gas as cases: the ladder on the host. */
#ifndef SHOAL_BENCH_THESIS_GAS_HOST_H
#define SHOAL_BENCH_THESIS_GAS_HOST_H

#include "bench/runner/bench.h"

struct thesis_gas_case {
    const char *variant; /* of the ladder */
    size_t n;
    size_t threads;   /* 0: those of the row */
    size_t stride;    /* 0: 1 */
    const char *racy; /* not measured: why not; NULL: it is correct */
};

extern const struct bench_ops thesis_gas_host_ops;

/* Frames of a sample where one takes `seconds`. A figure of the thesis is the mean of 50 frames; fewer are
 * taken of those that would make a sample of more than a second, and one where the time for a row is 0. */
double thesis_gas_frames(const struct bench *bench, double seconds);

/* Adds what a frame of `pairs` iterations means: frames/s, pairs/s, and as the thesis counts them, flop/s of
 * `flops` operations an iteration and bytes/s of `bytes`. */
void thesis_gas_rates(struct bench *bench, double seconds, double frames, double pairs, double iterations,
                      double flops, double bytes);

#endif
