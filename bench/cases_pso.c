/* Particle swarms through the solver interface, as a program that embeds shoal runs them.
 *
 * Steps 100 to 600 are measured: before, particles improve often and write more; long after, they stand
 * still.
 */
#include "bench.h"

#include <shoal/pso.h>
#include <shoal/workload.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEP = 100, LAST_STEP = 600, DIM = 30 };

struct swarm {
    struct shoal_pso_params params;
    struct shoal_solver *solver;
    uint64_t steps; /* of a repetition */
    uint64_t done;
};

static void destroy(struct bench *bench)
{
    struct swarm *swarm = bench->state;
    if (swarm)
        shoal_solver_destroy(&swarm->solver);
    free(swarm);
    bench->state = NULL;
}

static bool has_native_text(const struct shoal_workload *workload)
{
    for (size_t i = 0; i < workload->program_count; i++)
        if (workload->programs[i]->native)
            return true;
    return false;
}

static enum shoal_status create(struct bench *bench, uint64_t particles, uint64_t steps,
                                struct shoal_error *error)
{
    const struct shoal_workload *pso = shoal_workload_find("pso");
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    struct swarm *swarm = bench->state = calloc(1, sizeof *swarm);
    if (!swarm)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the swarm");
    shoal_pso_params_init(&swarm->params);
    swarm->params.function = SHOAL_RASTRIGIN;
    swarm->params.dim = DIM;
    swarm->params.particles = particles;
    swarm->params.iterations = LAST_STEP;
    swarm->params.seed = 1;
    swarm->steps = steps;
    if (info->is_host)
        bench->precision = "fp64";
    bench->native =
        strcmp(info->backend, "cuda") == 0 && bench->variant != SHOAL_VARIANT_CL && has_native_text(pso);
    bench->work = (double)particles * (double)steps;
    enum shoal_status status = shoal_solver_create(pso, bench->device, bench->queue, &swarm->params,
                                                   bench->variant, &swarm->solver, error);
    if (status == SHOAL_OK)
        bench->build_s = shoal_solver_build_seconds(swarm->solver);
    return status;
}

static enum shoal_status create_small(struct bench *bench, struct shoal_error *error)
{
    return create(bench, 1024, 100, error);
}

/* x and v are read and written, p is read, and seldom written. */
static void set_traffic(struct bench *bench)
{
    bench->roof_work = bench->work * DIM * 5 * (double)(bench->queue ? sizeof(float) : sizeof(double));
}

static enum shoal_status create_medium(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create(bench, 1 << 16, 20, error);
    set_traffic(bench);
    return status;
}

static enum shoal_status create_large(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create(bench, 1 << 20, 20, error);
    set_traffic(bench);
    return status;
}

static enum shoal_status advance(struct swarm *swarm, uint64_t steps, struct shoal_error *error)
{
    while (steps) {
        uint64_t done = 0;
        enum shoal_status status = shoal_solver_step(swarm->solver, steps, &done, error);
        if (status != SHOAL_OK)
            return status;
        if (done == 0)
            return bench_fail(error, SHOAL_FAILED, "the swarm stopped at step %llu of %d",
                              (unsigned long long)swarm->done, LAST_STEP);
        swarm->done += done;
        steps -= done;
    }
    return SHOAL_OK;
}

/* A fresh swarm at the first step that counts, where the next repetition would pass the last one. */
static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    struct swarm *swarm = bench->state;
    if (swarm->done && swarm->done + swarm->steps <= LAST_STEP)
        return SHOAL_OK;
    if (swarm->done) {
        shoal_solver_destroy(&swarm->solver);
        swarm->done = 0;
        enum shoal_status status =
            shoal_solver_create(shoal_workload_find("pso"), bench->device, bench->queue, &swarm->params,
                                bench->variant, &swarm->solver, error);
        if (status != SHOAL_OK)
            return status;
    }
    return advance(swarm, FIRST_STEP, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct swarm *swarm = bench->state;
    return advance(swarm, swarm->steps, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct swarm *swarm = bench->state;
    struct shoal_result result;
    enum shoal_status status = shoal_solver_result(swarm->solver, &result, error);
    if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
        return status;
    check->passed = status == SHOAL_OK && result.check_passed;
    check->error = result.error;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "%.80s", result.check_name);
    return SHOAL_OK;
}

static const struct bench_ops small_ops = {create_small, prepare, run, check, destroy};
static const struct bench_ops medium_ops = {create_medium, prepare, run, check, destroy};
static const struct bench_ops large_ops = {create_large, prepare, run, check, destroy};

static const struct bench_case cases[] = {
    {.name = "pso.global.rastrigin30-1024",
     .help = "100 steps of 1024 particles on Rastrigin's function in 30 dimensions",
     .unit = "evaluations/s",
     .precision = "fp32",
     .device = &small_ops,
     .host = &small_ops},
    {.name = "pso.global.rastrigin30-65536",
     .help = "20 steps of 65536 particles on Rastrigin's function in 30 dimensions",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "pso.swarm",
     .device = &medium_ops,
     .host = &medium_ops},
    {.name = "pso.global.rastrigin30-1m",
     .help = "20 steps of 1048576 particles on Rastrigin's function in 30 dimensions",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .device = &large_ops}, /* the host would take minutes for the steps before the first that counts */
};

const struct bench_case_list bench_pso_cases = {cases, sizeof cases / sizeof *cases};
