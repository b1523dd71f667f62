/* All pairs of a gas: the host's clock times whole steps through the solver interface, with forces, kick,
 * drift and walls. Every one of the n^2 ordered pairs is evaluated, without images. With fast multipoles in
 * place of pairs, the value is the time of a step; the gas is that of fmm.fields.*, in a square of side 1000,
 * evenly spread or with 60 % in droplets.
 *
 * A row's error is the rms error of forces on sampled particles against double precision, over the rms force;
 * the total energy must be conserved too.
 */
#include "bench/fmm/places.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/gas.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1 << 24 };

struct size {
    uint64_t particles;
    int32_t potential, precision;
    bool by_fmm, droplets;
};

static const double fmm_accuracy = 1e-4;

struct run {
    struct shoal_solver *solver;
    uint64_t steps; /* number of steps in a repetition */
    double energy;  /* energy of a particle, at the first check */
    bool knows_energy;
    double drift; /* drift of the energy up to the last check, over the kinetic energy */
};

/* The gas is in a state that it stays in: uniform, and hot enough not to collapse under its own attraction.
 * Its density is 0.4; a liquid of Lennard-Jones particles would have a far smaller share of near pairs. */
static void set_params(struct shoal_gas_params *params, const struct size *size)
{
    shoal_gas_params_init(params);
    params->particles = size->particles;
    params->density = 0.4;
    params->boundary_x = params->boundary_y = SHOAL_GAS_WALLS;
    params->potential = size->potential;
    params->precision = size->precision;
    params->method = SHOAL_GAS_ALLPAIRS;
    params->steps = MOST_STEPS;
    params->dt = 0.005;
    if (size->potential == SHOAL_GAS_LJ) {
        params->cutoff = 0; /* no cutoff */
        /* Particles are not put on a lattice: there forces cancel, and only their rounding errors are
         * left. */
        params->start = SHOAL_GAS_RANDOM;
    } else {
        params->attraction = 1 / (double)size->particles;
        params->softening = 0.25;
    }
    if (size->by_fmm) {
        params->density = NAN;
        params->width = params->height = 1000;
        params->start = SHOAL_GAS_RANDOM;
        params->start_distance = 0;
        params->softening = 1;
        params->method = SHOAL_GAS_FMM;
        params->accuracy = fmm_accuracy;
    }
}

/* Puts 60 % of the particles into three Gaussian droplets and spreads the others evenly. */
static enum shoal_status set_droplets(struct shoal_solver *solver, size_t n, struct shoal_error *error)
{
    double *position = malloc(2 * n * sizeof *position);
    if (!position)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu particles on the host", n);
    for (size_t i = 0; i < n; i++)
        bench_fmm_place(true, i, position + 2 * i);
    const enum shoal_status status = shoal_gas_set_particles(solver, position, NULL, error);
    free(position);
    return status;
}

/* Number of steps whose pairs take some 50 ms, at least one. */
static uint64_t steps_of(const struct bench *bench, double pairs)
{
    const bool slow = !bench->queue || shoal_device_get_info(bench->device)->is_cpu;
    const double steps = (slow ? 5e7 : 1.2e11) / pairs;
    return steps < 1 ? 1 : steps > 2000 ? 2000 : (uint64_t)steps;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const double n = (double)size->particles;
    /* a step by fast multipoles takes about as long as this many pairs for each particle */
    enum { PAIRS_OF_FMM = 2000 };
    const double pairs = n * (size->by_fmm ? PAIRS_OF_FMM : n);
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gas");
    struct shoal_gas_params params;
    set_params(&params, size);
    if (!bench->queue)
        bench->precision = "fp64";
    enum shoal_status status = shoal_solver_create(shoal_workload_find("gas"), bench->device, bench->queue,
                                                   &params, bench->variant, &run->solver, error);
    if (status == SHOAL_OK && size->droplets)
        status = set_droplets(run->solver, size->particles, error);
    if (status != SHOAL_OK)
        return status;
    run->steps = steps_of(bench, pairs);
    bench->build_s = shoal_solver_build_seconds(run->solver);
    bench->native = shoal_solver_is_native(run->solver);
    bench->parts = (double)run->steps;
    bench->work = (size->by_fmm ? 1 : pairs) * (double)run->steps;
    return SHOAL_OK;
}

static enum shoal_status run_steps(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    return shoal_solver_run(run->solver, run->steps, error);
}

/* Host solvers are the reference themselves: they have no force error. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_result result = {0};
    enum shoal_status status = shoal_solver_result(run->solver, &result, error);
    if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
        return status;
    const struct size *size = bench->data;
    bench_set_roof_work(bench, &result, (double)size->particles * (double)run->steps);
    const double kinetic = shoal_result_number(&result, "kinetic");
    const double force_error = shoal_result_number(&result, "force_error");
    if (!run->knows_energy)
        run->energy = result.value;
    run->knows_energy = true;
    const double drift = run->drift = fabs(result.value - run->energy) / kinetic;
    check->error = bench->queue ? force_error : 0;
    const double allowed = size->by_fmm ? fmm_accuracy : 1e-5;
    check->passed = status == SHOAL_OK && result.check_passed && check->error <= allowed && drift <= 1e-3;
    snprintf(check->detail, sizeof check->detail,
             "force error %.2g, energy changed by %.2g of the kinetic one", check->error, drift);
    return SHOAL_OK;
}

static void figures(struct bench *bench, double seconds)
{
    const struct run *run = bench->state;
    (void)seconds;
    bench_add_figure(bench, "energy_change", "of the kinetic energy", run->drift);
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, NULL, run_steps, check, destroy, figures};

static const struct size sizes[] = {
    {1024, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {4096, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {16384, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {65536, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {262144, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {1048576, SHOAL_GAS_LOG, SHOAL_GAS_SINGLE},
    {4096, SHOAL_GAS_LJ, SHOAL_GAS_SINGLE},
    {16384, SHOAL_GAS_LJ, SHOAL_GAS_SINGLE},
    {262144, SHOAL_GAS_LJ, SHOAL_GAS_SINGLE},
    {262144, SHOAL_GAS_LOG, SHOAL_GAS_DOUBLE},
    {.particles = 262144, .potential = SHOAL_GAS_LOG, .by_fmm = true},
    {.particles = 1000000, .potential = SHOAL_GAS_LOG, .by_fmm = true},
    {.particles = 2097152, .potential = SHOAL_GAS_LOG, .by_fmm = true},
    {.particles = 2097152, .potential = SHOAL_GAS_LOG, .by_fmm = true, .droplets = true},
};

#define LOG_CASE(size, index, ...)                                                                           \
    {                                                                                                        \
        .name = "gas.allpairs.log-" #size,                                                                   \
        .help = "steps of " #size " particles with the softened logarithmic attraction, every pair",         \
        .unit = "pairs/s", .precision = "fp32", .roof = SHOAL_ROOF_SFU_OPS, .clock = BENCH_WALL_TIME,        \
        .data = &sizes[index], .device = &ops, __VA_ARGS__                                                   \
    }
#define LJ_CASE(size, index, ...)                                                                            \
    {                                                                                                        \
        .name = "gas.allpairs.lj-" #size,                                                                    \
        .help = "steps of " #size " Lennard-Jones particles without cutoff, every pair", .unit = "pairs/s",  \
        .precision = "fp32", .roof = SHOAL_ROOF_FP32_FLOPS, .clock = BENCH_WALL_TIME, .data = &sizes[index], \
        .device = &ops, __VA_ARGS__                                                                          \
    }

#define FMM_CASE(case_name, index, is_large, text)                                                           \
    {                                                                                                        \
        .name = case_name,                                                                                   \
        .help = "a step of " text " particles with the softened logarithmic attraction, "                    \
                "by fast multipoles with an error of 1e-4",                                                  \
        .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME, .data = &sizes[index],                   \
        .large = is_large, .device = &ops                                                                    \
    }

static const struct bench_case cases[] = {
    LOG_CASE(1024, 0, .host = &ops),
    LOG_CASE(4096, 1, .host = &ops),
    LOG_CASE(16384, 2, .host = &ops),
    LOG_CASE(65536, 3, .large = true),
    LOG_CASE(262144, 4, .large = true, .program = "gas.allpairs"),
    LOG_CASE(1048576, 5, .large = true),
    LJ_CASE(4096, 6, .host = &ops),
    LJ_CASE(16384, 7, .host = &ops),
    LJ_CASE(262144, 8, .large = true),
    {.name = "gas.allpairs.log-262144-fp64",
     .help = "gas.allpairs.log-262144 in double precision",
     .unit = "pairs/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .large = true,
     .data = &sizes[9],
     .device = &ops},
    FMM_CASE("gas.fmm.log-262144", 10, true, "262144"),
    FMM_CASE("gas.fmm.log-2m", 12, true, "2097152"),
    FMM_CASE("gas.fmm.log-2m-droplets", 13, true, "2097152, 60 % of them in droplets,"),
    FMM_CASE("gas.cpu.fmm-log-1m", 11, true, "1000000"),
};

const struct bench_case_list bench_gas_allpairs_cases = {cases, sizeof cases / sizeof *cases};
