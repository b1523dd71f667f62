#include "bench/pso/swarm.h"

#include <math.h>
#include <shoal/workload.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status finish(struct bench *bench, struct shoal_error *error)
{
    return bench->queue ? shoal_queue_finish(bench->queue, error) : SHOAL_OK;
}

enum shoal_status bench_swarm_begin(struct bench *bench, struct bench_swarm **out, struct shoal_error *error)
{
    struct bench_swarm *swarm = bench->state = *out = calloc(1, sizeof *swarm);
    if (!swarm)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the swarm");
    shoal_pso_params_init(&swarm->params);
    swarm->params.search.seed = 1;
    if (!bench->queue)
        bench->precision = "fp64";
    return SHOAL_OK;
}

void bench_swarm_destroy(struct bench *bench)
{
    struct bench_swarm *swarm = bench->state;
    if (!swarm)
        return;
    for (size_t i = 0; i < swarm->count; i++)
        shoal_solver_destroy(&swarm->solvers[i]);
    shoal_objective_destroy(&swarm->objective);
    free(swarm);
    bench->state = NULL;
}

static enum shoal_status add(struct bench *bench, struct bench_swarm *swarm, struct shoal_error *error)
{
    enum shoal_status status =
        shoal_solver_create(shoal_workload_find("pso"), bench->device, bench->queue, &swarm->params,
                            bench->variant, &swarm->solvers[swarm->count], error);
    swarm->count += status == SHOAL_OK;
    return status;
}

/* Seconds of one step of the only swarm, which makes some 2, 4, 8 ... steps from `first` on. */
static enum shoal_status time_step(struct bench *bench, struct bench_swarm *swarm, double wanted,
                                   double *seconds, struct shoal_error *error)
{
    const uint64_t most = swarm->last - swarm->first;
    enum shoal_status status = bench_swarm_prepare(bench, error);
    for (uint64_t steps = 1; status == SHOAL_OK; steps *= 2) {
        if (status == SHOAL_OK)
            status = finish(bench, error);
        const double start = bench_seconds();
        if (status == SHOAL_OK)
            status = shoal_solver_run(swarm->solvers[0], steps, error);
        if (status == SHOAL_OK)
            status = finish(bench, error);
        *seconds = (bench_seconds() - start) / (double)steps;
        swarm->done += steps;
        if (*seconds * (double)steps >= wanted / 4 || swarm->done + 2 * steps > swarm->first + most)
            break;
    }
    return status;
}

enum shoal_status bench_swarm_create(struct bench *bench, const struct bench_length *length,
                                     struct shoal_error *error)
{
    struct bench_swarm *swarm = bench->state;
    swarm->first = length->first;
    swarm->last = length->last;
    swarm->steps = length->steps;
    swarm->params.search.iterations = length->last;
    enum shoal_status status = add(bench, swarm, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_solver_build_seconds(swarm->solvers[0]);
    bench->native = shoal_solver_is_native(swarm->solvers[0]);
    if (!swarm->steps) {
        double seconds;
        status = time_step(bench, swarm, length->seconds, &seconds, error);
        if (status != SHOAL_OK)
            return status;
        /* A tenth more, so that a faster sample is still long enough. */
        const double wanted = 1.1 * length->seconds / seconds;
        const uint64_t most = length->last - length->first;
        swarm->steps = wanted <= 1 ? 1 : wanted < (double)most ? (uint64_t)ceil(wanted) : most;
        while (status == SHOAL_OK && swarm->count < BENCH_SWARMS &&
               (double)(swarm->count * swarm->steps) < wanted)
            status = add(bench, swarm, error);
        if (status == SHOAL_OUT_OF_DEVICE_MEMORY)
            status = SHOAL_OK;
        swarm->done =
            swarm->last; /* the swarms are at different steps: the next repetition creates them anew */
    }
    const double steps = (double)swarm->steps * (double)swarm->count;
    bench->parts = steps;
    bench->work =
        steps * (double)(swarm->params.particles * swarm->params.search.islands * swarm->params.search.runs);
    return status;
}

enum shoal_status bench_swarm_prepare(struct bench *bench, struct shoal_error *error)
{
    struct bench_swarm *swarm = bench->state;
    if (swarm->done && swarm->done + swarm->steps <= swarm->last)
        return SHOAL_OK;
    if (swarm->done) {
        const size_t count = swarm->count;
        for (size_t i = 0; i < count; i++)
            shoal_solver_destroy(&swarm->solvers[i]);
        swarm->count = 0;
        while (swarm->count < count) {
            enum shoal_status status = add(bench, swarm, error);
            if (status != SHOAL_OK)
                return status;
        }
    }
    swarm->done = swarm->first;
    for (size_t i = 0; i < swarm->count; i++) {
        enum shoal_status status = shoal_solver_run(swarm->solvers[i], swarm->first, error);
        if (status != SHOAL_OK)
            return status;
    }
    return SHOAL_OK;
}

enum shoal_status bench_swarm_run(struct bench *bench, struct shoal_error *error)
{
    struct bench_swarm *swarm = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < swarm->count && status == SHOAL_OK; i++)
        status = shoal_solver_run(swarm->solvers[i], swarm->steps, error);
    swarm->done += swarm->steps;
    return status;
}

enum shoal_status bench_swarm_check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct bench_swarm *swarm = bench->state;
    const bool counts_other_work = bench->roof_work > 0;
    check->passed = true;
    for (size_t i = 0; i < swarm->count && check->passed; i++) {
        struct shoal_result result;
        enum shoal_status status = shoal_solver_result(swarm->solvers[i], &result, error);
        if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
            return status;
        if (!counts_other_work)
            bench_set_roof_work(bench, &result, bench->work);
        check->passed = status == SHOAL_OK && result.check_passed;
        check->error = fmax(check->error, result.error);
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "%.80s", result.check_name);
    }
    return SHOAL_OK;
}
