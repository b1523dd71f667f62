/* Lower bounds of tours: the time they take, and which part of the best known length they are. */
#include "bench/runner/bench.h"

#include <shoal/tsp_bound.h>
#include <stdio.h>
#include <stdlib.h>

struct bound {
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_bounder *bounder; /* NULL: the host computes the bound */
    int64_t length, wanted;
    bool has_wanted; /* `wanted` is the host's bound */
};

static void destroy(struct bench *bench)
{
    struct bound *bound = bench->state;
    if (!bound)
        return;
    shoal_tsp_bounder_destroy(&bound->bounder);
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
    enum shoal_status status = shoal_tsp_open(&params, &bound->problem, error);
    if (status != SHOAL_OK || !bench->queue)
        return status;
    status = shoal_tsp_bounder_create(bound->problem, bench->queue, bench->variant, &bound->bounder, error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_tsp_bounder_program(bound->bounder));
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct bound *bound = bench->state;
    if (!bound->bounder)
        return shoal_tsp_bound(bound->problem, &bound->length, error);
    const enum shoal_status status = shoal_tsp_bounder_run(bound->bounder, error);
    return status ? status : shoal_tsp_bounder_get(bound->bounder, &bound->length, error);
}

/* No bound is above a tour that is known; that of a device is the host's. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct bound *bound = bench->state;
    const int64_t best = shoal_tsp_get_info(bound->problem)->optimum;
    if (bound->bounder && !bound->has_wanted) {
        const enum shoal_status status = shoal_tsp_bound(bound->problem, &bound->wanted, error);
        if (status)
            return status;
        bound->has_wanted = true;
    }
    check->passed = bound->length > 0 && (!best || bound->length <= best);
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "bound %lld, but there is a tour of length %lld",
                 (long long)bound->length, (long long)best);
    if (bound->has_wanted && bound->length != bound->wanted) {
        check->passed = false;
        snprintf(check->detail, sizeof check->detail, "bound %lld, on the host %lld",
                 (long long)bound->length, (long long)bound->wanted);
    }
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
    .host = &ops, .device = &ops

static const struct bench_case cases[] = {
    {.name = "tsp.bound.E1k.0", .help = "lower bound of tours of 1,000 cities", .data = "E1k.0", BOUND},
    {.name = "tsp.bound.E100k.0",
     .help = "the same for 100,000 cities",
     .data = "E100k.0",
     .program = "tsp.rounds",
     BOUND},
    {.name = "tsp.bound.E1M.0",
     .help = "the same for 1,000,000 cities",
     .data = "E1M.0",
     .program = "tsp.rounds",
     BOUND},
};

const struct bench_case_list bench_tsp_bound_cases = {cases, sizeof cases / sizeof *cases};
