/* Many small problems in one call: tours in a second, and how much longer than those of a good solver they
 * are. */
#include "bench/runner/bench.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>

/* COMPARED: problems whose tours are compared. STEPS: steps of a run, of 100 kicks each. */
enum { PROBLEMS = 10000, COMPARED = 1000, STEPS = 20 };
/* Sum of the lengths of tours of the problems 1 to COMPARED by LKH 3 (elkai), the shortest of 10 runs. */
static const double compared_length = 7760092213;

struct batch {
    const struct bench *bench;
    struct shoal_tsp_params params[PROBLEMS];
    char names[PROBLEMS][24];
    size_t solved;
    double sum;      /* lengths of the compared tours */
    bool has_failed; /* a repetition has failed, for the reason in `detail` */
    char detail[96];
};

static void destroy(struct bench *bench)
{
    free(bench->state);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct batch *batch = bench->state = calloc(1, sizeof *batch);
    if (!batch)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of many problems");
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct shoal_tsp_params *params = &batch->params[i];
        snprintf(batch->names[i], sizeof batch->names[i], "uniform:100:%zu", i + 1);
        shoal_tsp_params_init(params);
        params->generate = batch->names[i];
        params->algorithm = SHOAL_TSP_LK;
        params->iterations = STEPS;
    }
    bench->work = PROBLEMS;
    return SHOAL_OK;
}

static bool is_stopped(void *data)
{
    const struct batch *batch = data;
    return bench_stopped(batch->bench, NULL) != SHOAL_OK;
}

static bool take(void *data, const struct shoal_tsp_solved *solved)
{
    struct batch *batch = data;
    if (solved->status != SHOAL_OK || !solved->report->result.check_passed) {
        if (!batch->has_failed)
            snprintf(batch->detail, sizeof batch->detail, "problem %zu: %.70s", solved->index + 1,
                     solved->status ? solved->message : solved->report->result.check_failure);
        batch->has_failed = true;
        return false;
    }
    batch->solved++;
    if (solved->index < COMPARED)
        batch->sum += solved->report->result.value;
    return true;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct batch *batch = bench->state;
    batch->bench = bench;
    batch->solved = 0;
    batch->sum = 0;
    const enum shoal_status status =
        shoal_tsp_run_many(bench->device, batch->params, PROBLEMS, take, is_stopped, batch, error);
    return status == SHOAL_STOPPED && batch->has_failed ? SHOAL_OK
                                                        : status; /* the check says what was wrong */
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct batch *batch = bench->state;
    (void)error;
    check->passed = !batch->has_failed && batch->solved == PROBLEMS;
    snprintf(check->detail, sizeof check->detail, "%s", batch->detail);
    return SHOAL_OK;
}

static void figures(struct bench *bench, double seconds)
{
    const struct batch *batch = bench->state;
    (void)seconds;
    bench_add_figure(bench, "first 1000 over LKH", "", batch->sum / compared_length - 1);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures};

static const struct bench_case cases[] = {
    {.name = "tsp.batch.E100x10000",
     .help = "Lin-Kernighan search of 2,000 kicks on each of 10,000 problems of 100 cities",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .host = &ops,
     .large = true,
     .all_threads = true},
};

const struct bench_case_list bench_tsp_batch_cases = {cases, sizeof cases / sizeof *cases};
