#include "bench/tsp/onward.h"

#include <stdlib.h>

enum shoal_status bench_onward_create(struct bench *bench, struct shoal_tsp_params *params, uint64_t first,
                                      uint64_t steps, struct shoal_error *error)
{
    struct onward *onward = bench->state = calloc(1, sizeof *onward);
    if (!onward)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of tours");
    params->iterations = 4000000000;
    params->lists = SHOAL_TSP_LISTS_NEAREST;
    const enum shoal_status status =
        shoal_solver_create(shoal_workload_find("tsp"), bench->device, bench->queue, params, bench->variant,
                            &onward->solver, error);
    if (status != SHOAL_OK)
        return status;
    onward->left = first;
    onward->steps = steps;
    bench->build_s = shoal_solver_build_seconds(onward->solver);
    bench->native = shoal_solver_is_native(onward->solver);
    return SHOAL_OK;
}

enum shoal_status bench_onward_prepare(struct bench *bench, struct shoal_error *error)
{
    struct onward *onward = bench->state;
    const enum shoal_status status =
        onward->left ? shoal_solver_run(onward->solver, onward->left, error) : SHOAL_OK;
    onward->left = 0;
    return status;
}

enum shoal_status bench_onward_run(struct bench *bench, struct shoal_error *error)
{
    const struct onward *onward = bench->state;
    return shoal_solver_run(onward->solver, onward->steps, error);
}

enum shoal_status bench_onward_check(struct bench *bench, struct bench_check *check,
                                     struct shoal_error *error)
{
    const struct onward *onward = bench->state;
    return bench_check_result(onward->solver, check, error);
}

void bench_onward_destroy(struct bench *bench)
{
    struct onward *onward = bench->state;
    if (!onward)
        return;
    shoal_solver_destroy(&onward->solver);
    free(onward);
    bench->state = NULL;
}
