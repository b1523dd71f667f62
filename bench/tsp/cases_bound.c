/* Lower bounds of tours: the time they take, and which part of the best known length they are. */
#include "bench/runner/bench.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>

struct bound {
    struct shoal_tsp_problem *problem;
    int64_t length;
};

static void destroy(struct bench *bench)
{
    struct bound *bound = bench->state;
    if (!bound)
        return;
    shoal_tsp_close(&bound->problem);
    free(bound);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct bound *bound = bench->state = calloc(1, sizeof *bound);
    struct shoal_tsp_params params;
    if (!bound)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of bounds");
    bench->work = 1;
    shoal_tsp_params_init(&params);
    params.generate = bench->data;
    return shoal_tsp_open(&params, &bound->problem, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct bound *bound = bench->state;
    return shoal_tsp_bound(bound->problem, &bound->length, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct bound *bound = bench->state;
    const int64_t best = shoal_tsp_get_info(bound->problem)->optimum;
    (void)error;
    check->passed = bound->length > 0 && (!best || bound->length <= best);
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "bound %lld, but there is a tour of length %lld",
                 (long long)bound->length, (long long)best);
    return SHOAL_OK;
}

static void figures(struct bench *bench, double seconds)
{
    const struct bound *bound = bench->state;
    const int64_t best = shoal_tsp_get_info(bound->problem)->optimum;
    (void)seconds;
    if (best)
        bench_add_figure(bench, "of best known length", "%", 100 * (double)bound->length / (double)best);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures};

#define BOUND                                                                                                \
    .unit = "s", .precision = "fp64", .clock = BENCH_WALL_TIME, .large = true, .all_threads = true,          \
    .host = &ops

static const struct bench_case cases[] = {
    {.name = "tsp.bound.E1k.0", .help = "lower bound of tours of 1,000 cities", .data = "E1k.0", BOUND},
    {.name = "tsp.bound.E100k.0", .help = "the same for 100,000 cities", .data = "E100k.0", BOUND},
    {.name = "tsp.bound.E1M.0", .help = "the same for 1,000,000 cities", .data = "E1M.0", BOUND},
};

const struct bench_case_list bench_tsp_bound_cases = {cases, sizeof cases / sizeof *cases};
