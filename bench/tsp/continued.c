#include "bench/tsp/continued.h"

#include <stdlib.h>

enum shoal_status bench_continued_create(struct bench *bench, struct shoal_tsp_params *params, uint64_t first,
                                         uint64_t steps, struct shoal_error *error)
{
    struct continued_run *continued = bench->state = calloc(1, sizeof *continued);
    if (!continued)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of tours");
    params->iterations = 4000000000;
    params->lists = SHOAL_TSP_LISTS_NEAREST;
    const enum shoal_status status =
        shoal_solver_create(shoal_workload_find("tsp"), bench->device, bench->queue, params, bench->variant,
                            &continued->solver, error);
    if (status != SHOAL_OK)
        return status;
    continued->left = first;
    continued->steps = steps;
    bench->build_s = shoal_solver_build_seconds(continued->solver);
    bench->native = shoal_solver_is_native(continued->solver);
    return SHOAL_OK;
}

enum shoal_status bench_continued_prepare(struct bench *bench, struct shoal_error *error)
{
    struct continued_run *continued = bench->state;
    const enum shoal_status status =
        continued->left ? shoal_solver_run(continued->solver, continued->left, error) : SHOAL_OK;
    continued->left = 0;
    return status;
}

enum shoal_status bench_continued_run(struct bench *bench, struct shoal_error *error)
{
    const struct continued_run *continued = bench->state;
    return shoal_solver_run(continued->solver, continued->steps, error);
}

enum shoal_status bench_continued_check(struct bench *bench, struct bench_check *check,
                                        struct shoal_error *error)
{
    const struct continued_run *continued = bench->state;
    return bench_check_result(continued->solver, check, error);
}

void bench_continued_destroy(struct bench *bench)
{
    struct continued_run *continued = bench->state;
    if (!continued)
        return;
    shoal_solver_destroy(&continued->solver);
    free(continued);
    bench->state = NULL;
}
