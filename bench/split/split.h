/* Runs that are divided over all devices of a kind, beside the runs of each device alone. */
#ifndef SHOAL_BENCH_SPLIT_H
#define SHOAL_BENCH_SPLIT_H

#include "bench/runner/bench.h"

#include <shoal/objective.h>
#include <shoal/workload.h>

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

/* All devices of the kind of the bench's device, which must be the first of them. The caller frees *devices,
 * which is set after a failure, too. */
enum shoal_status split_devices(const struct bench *bench, struct shoal_device ***devices, size_t *count,
                                struct shoal_error *error);
/* Makes a run over `count` devices, with the report of shoal_run. */
enum shoal_status split_run(const struct bench *bench, const char *workload,
                            struct shoal_device *const *devices, size_t count, const void *params,
                            struct shoal_report *report, struct shoal_error *error);

/* measure of the case tsp.split-tours.E1M.0. */
enum shoal_status split_measure_tours(struct bench *bench, struct bench_sink *sink,
                                      struct shoal_error *error);

#endif
