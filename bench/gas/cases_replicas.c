/* Replicas of small gases: the host's clock times steps of all of them, with forces, rescaling, rebuilds of
 * lists, and every 100 steps energies and pressure. Each replica has its own temperature, from 0.7 to 2. The
 * first steps, from the lattice, are not timed.
 *
 * A row's error is the largest error of a potential energy per particle against double precision at the last
 * positions.
 */
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/replicas.h>
#include <stdlib.h>

enum { PARTICLES = 1024, THERMO = 100, FIRST = 2000, STEPS = 1000, MOST_STEPS = 1 << 30 };

struct size {
    size_t replicas;
    bool for_cpus; /* CPUs make as many steps as GPUs; the host never does */
};

struct run {
    struct shoal_gas_replicas *replicas;
    uint64_t steps;
    double pressure; /* mean over the replicas */
};

static enum shoal_status step(struct run *run, uint64_t steps, struct shoal_error *error)
{
    uint64_t done;
    return shoal_gas_replicas_step(run->replicas, steps, &done, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const bool is_slow = !bench->queue || (shoal_device_get_info(bench->device)->is_cpu && !size->for_cpus);
    struct run *run = bench->state = calloc(1, sizeof *run);
    double *temperature = calloc(size->replicas, sizeof *temperature);
    if (!run || !temperature) {
        free(temperature);
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gases");
    }
    for (size_t i = 0; i < size->replicas; i++)
        temperature[i] = 0.7 + 1.3 * (double)i / (double)(size->replicas - 1);
    const struct shoal_gas_params gas =
        SHOAL_GAS_PARAMS(.particles = PARTICLES, .density = 0.4, .cutoff = 2.5, .dt = 0.005,
                         .steps = MOST_STEPS, .thermo = THERMO, .thermostat = SHOAL_GAS_RESCALE);
    const struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = size->replicas, .temperature = temperature,
                                  .variant = bench->variant);
    enum shoal_status status =
        shoal_gas_replicas_create(bench->device, bench->queue, &params, &run->replicas, error);
    free(temperature);
    if (status)
        return status;
    run->steps = is_slow ? STEPS / 10 : STEPS;
    bench_uses(bench, shoal_gas_replicas_program(run->replicas));
    bench->work = (double)size->replicas * PARTICLES * (double)run->steps;
    bench->parts = (double)run->steps;
    return step(run, is_slow ? FIRST / 10 : FIRST, error);
}

static enum shoal_status run_steps(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    return step(run, run->steps, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct size *size = bench->data;
    struct run *run = bench->state;
    enum shoal_status status = SHOAL_OK;
    check->passed = true;
    run->pressure = 0;
    for (size_t i = 0; i < size->replicas && !status; i++) {
        struct shoal_gas_replica row = {.size = sizeof row};
        status = shoal_gas_replicas_get(run->replicas, i, &row, error);
        check->error = fmax(check->error, row.energy_error);
        run->pressure += row.pressure / (double)size->replicas;
        check->passed = check->passed && !row.failure && row.samples > 0;
    }
    check->passed = check->passed && check->error <= 1e-5;
    snprintf(check->detail, sizeof check->detail, "energy error %.2g, mean pressure %.4g", check->error,
             run->pressure);
    return status;
}

static void figures(struct bench *bench, double seconds)
{
    const struct run *run = bench->state;
    (void)seconds;
    bench_add_figure(bench, "pressure", "", run->pressure);
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_gas_replicas_destroy(&run->replicas);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, NULL, run_steps, check, destroy, figures};

static const struct size gpu = {264, false}, cpu = {64, true};

#define REPLICAS_CASE(case_name, size, is_large, text)                                                       \
    {                                                                                                        \
        .name = case_name, .help = text, .unit = "particle-steps/s", .precision = "fp32",                    \
        .clock = BENCH_WALL_TIME, .data = &size, .large = is_large, .program = "gas.replicas",               \
        .device = &ops, .host = &ops                                                                         \
    }
#define GASES                                                                                                \
    " gases of 1024 force-shifted Lennard-Jones disks at density 0.4 and temperatures 0.7 to 2, rescaled, "  \
    "behind 2000 such steps"

static const struct bench_case cases[] = {
    REPLICAS_CASE("gas.replicas.264x1024", gpu, true,
                  "1000 steps of 264" GASES "; on CPUs 100 steps behind 200"),
    REPLICAS_CASE("gas.cpu.replicas-64x1024", cpu, true,
                  "1000 steps of 64" GASES "; on the host 100 steps behind 200"),
};

const struct bench_case_list bench_gas_replicas_cases = {cases, sizeof cases / sizeof *cases};
