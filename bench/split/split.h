/* Runs that are divided over all devices of a kind, beside the runs of each device alone. */
#ifndef SHOAL_BENCH_SPLIT_H
#define SHOAL_BENCH_SPLIT_H

#include "bench/runner/bench.h"

#include <shoal/objective.h>
#include <shoal/split.h>
#include <shoal/workload.h>

/* A case: a run whose size grows with the number of devices, so that each device has the same work; or one
 * whose size is fixed, of which each device has a part. */
struct split_bench {
    const char *workload;
    /* Sets the run of `devices` devices, with `steps` steps, in the workload's default parameters. */
    void (*set)(void *params, size_t devices, uint64_t steps);
    /* Makes the objective of a search; the caller destroys it. NULL: `set` has set the objective. */
    enum shoal_status (*make_objective)(struct shoal_objective **out, struct shoal_error *error);
    /* The devices that share the run, which may be unlike; the caller frees *devices, which is set after a
     * failure, too. NULL: split_devices. */
    enum shoal_status (*choose_devices)(const struct bench *bench, struct shoal_device ***devices,
                                        size_t *count, struct shoal_error *error);
    /* Changes parameters of the run to those of the last device: struct shoal_split_params. NULL: all devices
     * have the parameters of the run. */
    void (*set_last)(void *params);
};

/* measure of struct bench_case: the row is the rate of the divided run over that of the fastest device alone,
 * by the host's clock, and has both rates as figures. Rates are those behind the first quarter of the steps.
 * Devices of a kind together must have the bits of one of them. The first device of the kind makes the
 * row; `seconds` of the bench are those of a run. */
enum shoal_status split_measure(struct bench *bench, struct bench_sink *sink, const struct split_bench *split,
                                struct shoal_error *error);

/* Defines `function`, the measure of a case whose struct split_bench has these members. */
#define SPLIT_CASE(function, ...)                                                                            \
    static enum shoal_status function(struct bench *bench, struct bench_sink *sink,                          \
                                      struct shoal_error *error)                                             \
    {                                                                                                        \
        static const struct split_bench split = {__VA_ARGS__};                                               \
        return split_measure(bench, sink, &split, error);                                                    \
    }

extern const struct bench_case_list bench_split_cases, bench_split_gas_cases;
extern const struct bench_case_list *const bench_split_lists[];

/* choose_devices: all devices of the kind of the bench's device, which must be the first of them; the bench's
 * graphics card and all processors; two parts of the bench's processor, with three quarters and one quarter
 * of its compute units. */
enum shoal_status split_devices(const struct bench *bench, struct shoal_device ***devices, size_t *count,
                                struct shoal_error *error);
enum shoal_status split_beside_processors(const struct bench *bench, struct shoal_device ***devices,
                                          size_t *count, struct shoal_error *error);
enum shoal_status split_unequal_parts(const struct bench *bench, struct shoal_device ***devices,
                                      size_t *count, struct shoal_error *error);
/* What a run reports after its first `chunk` of steps and between chunks, but not at its end: the steps made
 * and the seconds of the run at the first report and at the last one. first: 0 before a report. */
struct split_watch {
    uint64_t chunk, first, last;
    double begin_s, end_s;
};

/* Makes a run over devices, with the report of shoal_run. `split` has the devices; one device makes an
 * ordinary run. watch: NULL, nothing is noted. */
enum shoal_status split_run(const struct bench *bench, const char *workload,
                            const struct shoal_split_params *split, const void *params,
                            struct split_watch *watch, struct shoal_report *report,
                            struct shoal_error *error);

/* The row of ratios, [count], with the further figures of the bench; check and wall time are the caller's. */
struct bench_figure split_figure(const struct bench *bench, const double *ratios, size_t count);

/* measure of the case tsp.split-tours.E1M.0. */
enum shoal_status split_measure_tours(struct bench *bench, struct bench_sink *sink,
                                      struct shoal_error *error);

#endif
