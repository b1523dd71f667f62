/* Runs that are divided over all devices of a kind, beside the runs of each device alone. */
#ifndef SHOAL_BENCH_SPLIT_H
#define SHOAL_BENCH_SPLIT_H

#include "bench/runner/bench.h"

#include <shoal/objective.h>

/* A case: a run whose size grows with the number of devices, so that each device has the same work; or one
 * whose size is fixed, of which each device has a part. */
struct split_bench {
    const char *workload;
    /* Sets the run of `devices` devices, with `steps` steps, in the workload's default parameters. */
    void (*set)(void *params, size_t devices, uint64_t steps);
    /* Makes the objective of a search; the caller destroys it. NULL: `set` has set the objective. */
    enum shoal_status (*make_objective)(struct shoal_objective **out, struct shoal_error *error);
};

/* measure of struct bench_case: the row is the rate of the divided run over that of the fastest device alone,
 * by the host's clock, and has both rates as figures. The first device of the kind makes the row; `seconds`
 * of the bench are those of a run. */
enum shoal_status split_measure(struct bench *bench, struct bench_sink *sink, const struct split_bench *split,
                                struct shoal_error *error);

#endif
