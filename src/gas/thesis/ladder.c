/* The all-pairs kernels of the thesis: contract of cl/gas/thesis/ladder.cl, and its launches. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "gas/device/device.h"
#include "gas/thesis/options.h"
#include "gas/thesis/thesis.h"

#include <math.h>
#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_ladder, gas_ladder_places, .help = "coordinates as numbers, an array for each axis"),
    ENTRY(gas_ladder, gas_ladder_forces,
          .help = "forces of all pairs by the kernels of the thesis, from global memory"),
};

static const struct shoal_define_desc define_descs[] = {
    DEFINE(gas_ladder, ROOT, 0, 1, "0: divisions, 1: rsqrt(s s)"),
    DEFINE(gas_ladder, TARGETS, 1, 4, "particles of a work-item"),
    DEFINE(gas_ladder, UNROLL, 1, 16, "sources a turn of the loop"),
    DEFINE(gas_ladder, WG, 1, 1024, "work-group size"),
    GAS_STATE_DEFINE_DESCS(gas_ladder),
    DEFINE(gas_ladder, CUT, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_CUT_SMOOTHED,
           "of the real gas: 0 no cutoff, 1 truncated, 2 shifted, 3 force-shifted, 4 smoothed"),
    DEFINE(gas_ladder, POTENTIAL, GAS_PAIR_LOG, GAS_PAIR_GRAVITY,
           "2 log, 3 log with repulsion, 4 real gas, 5 gravity"),
};

const struct shoal_program_desc gas_ladder_program =
    PROGRAM("gas.allpairs-ladder", gas_ladder, SHOAL_FLUSHES_SUBNORMALS, define_descs, entries);

struct ladder {
    struct shoal_kernel *places, *forces;
    struct shoal_buffer *along;
    size_t targets;
};

/* Number of sources for which the kernel unrolls its loop. 1 for PoCL, which warns that it cannot unroll a
 * loop of unknown length. */
static int64_t unroll_of(const struct shoal_solver *solver)
{
    const struct shoal_gas_params *params = gas_params(solver);
    if (is_plain_cpu(solver->device))
        return 1;
    return gas_thesis_of(params)->kernel == SHOAL_GAS_KERNEL_SEMI_BLOCKED ? 8
           : gas_thesis_of(params)->kernel == SHOAL_GAS_KERNEL_UNROLLED   ? (int64_t)gas_unroll_of(params)
                                                                          : 1;
}

static enum shoal_status create(struct shoal_solver *solver, struct ladder **out, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct shoal_gas_params *params = device->problem.params;
    const bool blocked = gas_thesis_of(params)->kernel == SHOAL_GAS_KERNEL_SEMI_BLOCKED;
    struct ladder *ladder = *out = calloc(1, sizeof *ladder);
    if (!ladder)
        return fail_host_memory(error);
    ladder->targets = blocked ? 4 : 1;
    const struct entry_kernel kernels[] = {{"gas_ladder_places", &ladder->places},
                                           {"gas_ladder_forces", &ladder->forces}};
    struct defines defines = {.count = 0};
    define_add(&defines, "ROOT", gas_thesis_of(params)->kernel != SHOAL_GAS_KERNEL_NAIVE);
    define_add(&defines, "TARGETS", (int64_t)ladder->targets);
    define_add(&defines, "UNROLL", unroll_of(solver));
    if (params->work_group)
        define_add(&defines, "WG", (int64_t)params->work_group);
    gas_state_defines(solver, &defines);
    gas_pair_defines(solver, &defines);
    enum shoal_status status = programs_build(&solver->programs, &gas_ladder_program, &defines, kernels,
                                              COUNT(kernels), NULL, error);
    const size_t real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    if (!status)
        status = shoal_buffer_create(solver->device, device->padded * device->problem.dim * real,
                                     &ladder->along, error);
    return status;
}

static void destroy(struct ladder **pointer)
{
    struct ladder *ladder = *pointer;
    if (!ladder)
        return;
    *pointer = NULL;
    shoal_buffer_destroy(&ladder->along);
    free(ladder);
}

static enum shoal_status forces(struct shoal_solver *solver, const struct ladder *ladder,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_range own = gas_own_range(solver);
    const size_t n = device->problem.n, items = (gas_count(own) + ladder->targets - 1) / ladder->targets;
    enum shoal_status status =
        LAUNCH_EVENT(gas_ladder_places, solver->queue, ladder->places, shoal_kernel_groups(ladder->places, n),
                     gas_sample_first(&gas_device_of(solver)->samples), error, .position = device->position,
                     .settings = device->settings, .along = ladder->along, .n = (uint32_t)n,
                     .stride = (uint32_t)device->padded);
    if (!status)
        status = LAUNCH(gas_ladder_forces, solver->queue, ladder->forces,
                        shoal_kernel_groups(ladder->forces, items), error, .along = ladder->along,
                        .settings = device->settings, .acceleration = device->acceleration, .n = (uint32_t)n,
                        .stride = (uint32_t)device->padded, .items = (uint32_t)items, .begin = own.begin,
                        .end = own.end, .scale = 1 / device->problem.params->mass);
    return status;
}

/* Tolerance of forces. Rounding errors in plain sums of n terms add up like a random walk. Positions relative
 * to the centre of the box are rounded, too, which changes steep repulsions of near pairs. */
static double tolerance(const struct gas_problem *problem, enum shoal_gas_precision precision)
{
    const double digits = precision == SHOAL_GAS_DOUBLE ? 2e-16 : 2e-7;
    const double walk = 2 * digits * sqrt((double)problem->n);
    const bool steep = problem->kind == GAS_PAIR_REAL || problem->kind == GAS_PAIR_LOG_REPULSION;
    return fmax(50 * digits, walk) * (steep ? 10 : 1);
}

static const char *name(const struct shoal_gas_params *params)
{
    static const char *const names[] = {
        [SHOAL_GAS_KERNEL_NAIVE] = "all-pairs naive",
        [SHOAL_GAS_KERNEL_RSQRT] = "all-pairs rsqrt",
        [SHOAL_GAS_KERNEL_UNROLLED] = "all-pairs unrolled",
        [SHOAL_GAS_KERNEL_SEMI_BLOCKED] = "all-pairs semi-blocked",
    };
    return names[gas_thesis_of(params)->kernel];
}

const struct gas_ladder *gas_ladder_of(const struct shoal_gas_params *params)
{
    static const struct gas_ladder ladder = {
        .create = create, .destroy = destroy, .forces = forces, .tolerance = tolerance, .name = name};
    return gas_thesis_of(params)->kernel > SHOAL_GAS_KERNEL_TILED ? &ladder : NULL;
}
