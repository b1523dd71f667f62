/* Bench case of the toy: whole runs by the public interface. */
#include "bench/runner/bench.h"

#include <shoal/workload.h>
#include <stdlib.h>

enum { STEPS = 100 };

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct shoal_workload *toy = shoal_workload_find("toy");
    struct shoal_solver *solver = NULL;
    void *params = malloc(toy->params_size);
    if (!params)
        abort();
    toy->params_init(params);
    shoal_workload_make_endless(toy, params, 0);
    bench->work = STEPS;
    const enum shoal_status status =
        shoal_solver_create(toy, bench->device, bench->queue, params, bench->variant, &solver, error);
    free(params);
    bench->state = solver;
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    uint64_t done;
    return shoal_solver_step(bench->state, STEPS, &done, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *out, struct shoal_error *error)
{
    struct shoal_result result = {0};
    const enum shoal_status status = shoal_solver_result(bench->state, &result, error);
    out->passed = !status && result.check_passed;
    out->error = result.error;
    return status;
}

static void destroy(struct bench *bench)
{
    struct shoal_solver *solver = bench->state;
    shoal_solver_destroy(&solver);
}

static const struct bench_ops ops = {.create = create, .run = run, .check = check, .destroy = destroy};
static const struct bench_case cases[] = {{.name = "toy.steps",
                                           .help = "100 steps of 1000 values",
                                           .unit = "steps/s",
                                           .precision = "fp32",
                                           .program = "toy.approach",
                                           .device = &ops,
                                           .host = &ops}};

static const struct bench_case_list list = {cases, sizeof cases / sizeof *cases};

extern const struct bench_case_list *const toy_bench_lists[];
const struct bench_case_list *const toy_bench_lists[] = {&list, NULL};
