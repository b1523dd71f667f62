/* The method "cells": forces by the cell schemes of the thesis, or by the corrected scheme (docs/gas.md). */
#include "gas/thesis/cells.h"
#include "base/error.h"
#include "compute/launch.h"
#include "gas/model/problem.h"

#include <math.h>
#include <stdlib.h>

/* Number of iterations of a loop that are unrolled. FAR_UNROLL: of a loop over source cells in kernels of the
 * far zone; 10 divides the 2500 cells of the thesis. NEAR_UNROLL: of a loop over the particles of a near
 * cell; 4 is the value of the thesis. CELLS_UNROLL: of a loop over the cells in the schemes that test each
 * cell. */
enum { FAR_UNROLL = 10, NEAR_UNROLL = 4, CELLS_UNROLL = 2 };

enum kernel {
    FAR,
    FAR_HA1,
    FAR_HA3,
    MASS,
    FAR_LINEAR,
    NEAR_KERNELS,
    TILED1 = NEAR_KERNELS,
    TILED2,
    TILED3,
    KADDER,
    KERNELS
};
static const char *const entries[KERNELS] = {
    [FAR] = "gas_cells_far",       [FAR_HA1] = "gas_cells_far_ha1",       [FAR_HA3] = "gas_cells_far_ha3",
    [MASS] = "gas_cells_mass",     [FAR_LINEAR] = "gas_cells_far_linear", [TILED1] = "gas_cells_tiled1",
    [TILED2] = "gas_cells_tiled2", [TILED3] = "gas_cells_tiled3",         [KADDER] = "gas_cells_kadder"};

/* The kernels, built without or with the computation of energies. */
struct build {
    struct shoal_kernel *kernels[KERNELS];
};

struct cells {
    struct cells_zones zones;
    struct cells_sort *sort;
    struct build builds[2]; /* builds[1] computes energies, too (-D ENERGIES) */
    struct shoal_buffer *centre, *near, *middle, *mass, *far;
    struct shoal_buffer *distance2, *factor_x, *factor_y; /* tables of the far schemes Ha1 and Ha3 */
    struct arrays arrays;
};

static struct cells *cells_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static bool has_far_zone(const struct cells *cells)
{
    return isfinite(cells->zones.middle2);
}

static bool is_corrected(const struct shoal_solver *solver)
{
    return gas_thesis_of(gas_params(solver))->scheme == SHOAL_GAS_SCHEME_CORRECTED;
}

/* Fits ------------------------------------------------------------------------------------------------- */

static enum shoal_status fits_reach(const struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const double side = problem->length[0] / cells_columns(problem);
    const double range = cells_near_range(gas_near_radius_of(params)) * side;
    const double softening2 = problem->pair.softening2;
    const double reach = sqrt(fmax(problem->pair.cutoff2 - softening2, 0));
    if (problem->kind == GAS_PAIR_REAL && reach > range * (1 + 1e-12))
        return fail(
            error, SHOAL_INVALID,
            "--cells: the short forces reach %g, the near cells (--near-radius %g, cells %g wide) hold all "
            "pairs up to %g only: lower --cutoff or --cells, or raise --near-radius",
            reach, gas_near_radius_of(params), side, range);
    return SHOAL_OK;
}

/* Most entries of the tables and lists together: 4-byte numbers in 1 GiB. */
static const double most_entries = 268435456;

static enum shoal_status fits_grid(const struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const double columns = cells_columns(problem),
                 rows = ceil(columns * problem->length[1] / problem->length[0]);
    const double near = gas_near_radius_of(params), middle = gas_middle_radius_of(params);
    const double cells = columns * rows;
    const bool tables = gas_thesis_of(params)->far != SHOAL_GAS_FAR_2K;
    if (cells > most_entries || (tables && cells * cells > most_entries))
        return fail(error, SHOAL_INVALID, "--cells: %.0f x %.0f of them are too many%s: lower --cells",
                    columns, rows, tables ? " for the tables of ha1 and ha3" : "");
    if (cells * cells_in_list((uint32_t)cells, near, middle) > most_entries ||
        cells * cells_in_list((uint32_t)cells, 0, near) > most_entries)
        return fail(error, SHOAL_INVALID,
                    "--cells: lists of all cells within --middle-radius %g of each of %.0f are too long: "
                    "lower --middle-radius or --cells",
                    middle, cells);
    return fits_reach(problem, error);
}

static enum shoal_status fits(const struct method *method, const void *gas,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct gas_problem *problem = gas;
    const enum shoal_status status = gas_check_cells(problem->params, error);
    (void)method, (void)info;
    return status ? status : fits_grid(problem, error);
}

static double bytes(struct shoal_solver *solver)
{
    return cells_sort_bytes(gas_device_of(solver));
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, bool energies, struct build *out,
                               struct shoal_error *error)
{
    const uint64_t work_group = gas_params(solver)->work_group;
    struct entry_kernel kernels[KERNELS];
    struct defines far = {.count = 0};
    for (int k = 0; k < KERNELS; k++)
        kernels[k] = (struct entry_kernel){entries[k], &out->kernels[k]};
    gas_state_defines(solver, &far);
    gas_pair_defines(solver, &far);
    define_add(&far, "ENERGIES", energies);
    if (work_group)
        define_add(&far, "WG", (int64_t)work_group);
    struct defines near = far;
    define_add(&far, "UNROLL", FAR_UNROLL);
    define_add(&near, "UNROLL", NEAR_UNROLL);
    define_add(&near, "CELLS_UNROLL", CELLS_UNROLL);
    define_add(&near, "CORRECTED", is_corrected(solver));
    define_add(&near, "SOFTENED", gas_device_of(solver)->problem.pair.softening2 > 0);
    enum shoal_status status =
        programs_build(&solver->programs, &gas_cells_far_program, &far, kernels, NEAR_KERNELS, NULL, error);
    return status ? status
                  : programs_build(&solver->programs, &gas_cells_near_program, &near, kernels + NEAR_KERNELS,
                                   KERNELS - NEAR_KERNELS, NULL, error);
}

/* Writes `data` to the whole buffer, if the buffer exists. */
static enum shoal_status upload(struct shoal_solver *solver, const void *data, struct shoal_buffer *out,
                                struct shoal_error *error)
{
    return out ? shoal_buffer_write(solver->queue, out, 0, data, shoal_buffer_size(out), error) : SHOAL_OK;
}

/* Uploads the tables of the far schemes Ha1 and Ha3: for each pair of cells the squared distance of the cells
 * and, for Ha3, both components of the distance divided by the squared distance. Lengths are in units of the
 * side of a cell. */
static enum shoal_status upload_tables(struct shoal_solver *solver, struct shoal_error *error)
{
    struct cells *cells = cells_of(solver);
    const size_t count = cells->zones.cells, bytes = count * count * sizeof(float);
    const bool three = gas_thesis_of(gas_params(solver))->far == SHOAL_GAS_FAR_HA3;
    float *tables[3] = {malloc(bytes), three ? malloc(bytes) : NULL, three ? malloc(bytes) : NULL};
    struct shoal_buffer *const buffers[] = {cells->distance2, cells->factor_x, cells->factor_y};
    enum shoal_status status = SHOAL_OK;
    for (size_t t = 0; t < (three ? 3 : 1) && !status; t++)
        if (!tables[t])
            status = fail_host_memory(error);
    for (size_t at = 0; !status && at < count * count; at++) {
        const float *to = cells->zones.centre + 2 * (at / count),
                    *from = cells->zones.centre + 2 * (at % count);
        const float x = to[0] - from[0], y = to[1] - from[1], d = x * x + y * y;
        tables[0][at] = d;
        if (three) {
            tables[1][at] = d > 0 ? x / d : 0;
            tables[2][at] = d > 0 ? y / d : 0;
        }
    }
    for (size_t t = 0; t < (three ? 3 : 1) && !status; t++)
        status = upload(solver, tables[t], buffers[t], error);
    for (size_t t = 0; t < 3; t++)
        free(tables[t]);
    return status;
}

static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct cells *cells = cells_of(solver);
    const struct cells_zones *zones = &cells->zones;
    const double count = zones->cells;
    const size_t word = sizeof(uint32_t);
    const size_t real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    const int32_t far = gas_thesis_of(gas_params(solver))->far;
    const bool tables = has_far_zone(cells) && !is_corrected(solver) && far != SHOAL_GAS_FAR_2K;
    const double factors = tables && far == SHOAL_GAS_FAR_HA3 ? count * count : 0;
    const struct array list[] = {
        {&cells->centre, (count + 1) * 2, sizeof(float)},
        {&cells->near, zones->near ? count * zones->near_length : 0, word},
        {&cells->middle, zones->middle ? count * zones->middle_length : 0, word},
        {&cells->mass, count * CELLS_MASS_NUMBERS, real},
        {&cells->far, count * CELLS_FAR_NUMBERS, real},
        {&cells->distance2, tables ? count * count : 0, sizeof(float)},
        {&cells->factor_x, factors, sizeof(float)},
        {&cells->factor_y, factors, sizeof(float)},
    };
    cells->arrays.queue = solver->queue;
    ARRAYS_SET(&cells->arrays, list);
    enum shoal_status status = arrays_create(&cells->arrays, error);
    if (!status)
        status = upload(solver, zones->centre, cells->centre, error);
    if (!status)
        status = upload(solver, zones->near, cells->near, error);
    if (!status)
        status = upload(solver, zones->middle, cells->middle, error);
    if (!status && tables)
        status = upload_tables(solver, error);
    /* The first sort moves accelerations before any were computed, so they must have a value. */
    if (!status)
        status = shoal_buffer_fill(solver->queue, device->acceleration, 0,
                                   shoal_buffer_size(device->acceleration), 0, error);
    return status;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct cells *cells = solver->method.state = calloc(1, sizeof *cells);
    enum shoal_status status =
        cells ? cells_zones_create(&device->problem, &cells->zones, error) : fail_host_memory(error);
    if (!status)
        status = cells_sort_create(solver, &cells->zones, &cells->sort, error);
    for (int energies = 0; energies < 2 && !status; energies++)
        status = build(solver, energies, &cells->builds[energies], error);
    return status ? status : allocate(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct cells *cells = solver->method.state;
    if (!cells)
        return;
    arrays_destroy(&cells->arrays);
    cells_sort_destroy(&cells->sort);
    cells_zones_destroy(&cells->zones);
    free(cells);
    solver->method.state = NULL;
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Launches a kernel whose time counts as time of forces. */
#define RUN(entry, kernel, groups, ...)                                                                      \
    LAUNCH_EVENT(entry, solver->queue, kernel, groups, gas_sample_sorted(&gas_device_of(solver)->samples),   \
                 error, __VA_ARGS__)

/* Arguments that all kernels of the far zone have. */
#define FAR_ARGS                                                                                             \
    .far = cells->far, .settings = gas_device_of(solver)->settings, .grid = &cells->zones.grid,              \
    .cells = cells->zones.cells, .middle2 = cells->zones.middle2

/* Enqueues the computation of the forces of the far zone by the scheme of the thesis. */
static enum shoal_status far_zone(struct shoal_solver *solver, const struct build *build,
                                  struct shoal_error *error)
{
    static const enum kernel kernels[] = {
        [SHOAL_GAS_FAR_2K] = FAR, [SHOAL_GAS_FAR_HA1] = FAR_HA1, [SHOAL_GAS_FAR_HA3] = FAR_HA3};
    const struct cells *cells = cells_of(solver);
    struct shoal_buffer *const offsets = cells_sort_offsets(cells->sort);
    struct shoal_kernel *kernel = build->kernels[kernels[gas_thesis_of(gas_params(solver))->far]];
    const size_t groups = shoal_kernel_groups(kernel, cells->zones.cells);
    if (gas_thesis_of(gas_params(solver))->far == SHOAL_GAS_FAR_HA1)
        return RUN(gas_cells_far_ha1, kernel, groups, .offsets = offsets, .centre = cells->centre,
                   .distance2 = cells->distance2, FAR_ARGS);
    if (gas_thesis_of(gas_params(solver))->far == SHOAL_GAS_FAR_HA3)
        return RUN(gas_cells_far_ha3, kernel, groups, .offsets = offsets, .distance2 = cells->distance2,
                   .factor_x = cells->factor_x, .factor_y = cells->factor_y, FAR_ARGS);
    return RUN(gas_cells_far, kernel, groups, .offsets = offsets, .centre = cells->centre, FAR_ARGS);
}

/* Enqueues the computation of the centres of mass, which the middle zone uses, too, and of the forces of the
 * far zone by the corrected scheme. */
static enum shoal_status corrected_far_zone(struct shoal_solver *solver, const struct build *build,
                                            struct shoal_error *error)
{
    const struct cells *cells = cells_of(solver);
    enum shoal_status status = RUN(gas_cells_mass, build->kernels[MASS], cells->zones.cells,
                                   .offsets = cells_sort_offsets(cells->sort),
                                   .relative = cells_sort_relative(cells->sort), .mass = cells->mass);
    return status ? status
                  : RUN(gas_cells_far_linear, build->kernels[FAR_LINEAR], cells->zones.cells,
                        .centre = cells->centre, .mass = cells->mass, FAR_ARGS);
}

/* Arguments that all kernels of the near zone have. */
#define RESULT_ARGS                                                                                          \
    .acceleration = device->acceleration, .energy = device->energy, .virial = device->virial,                \
    .settings = device->settings

static enum shoal_status kadder(struct shoal_solver *solver, const struct build *build,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct cells *cells = cells_of(solver);
    struct shoal_kernel *kernel = build->kernels[KADDER];
    return RUN(gas_cells_kadder, kernel, shoal_kernel_groups(kernel, cells->zones.cells),
               .relative = cells_sort_relative(cells->sort), .offsets = cells_sort_offsets(cells->sort),
               .far = cells->far, RESULT_ARGS, .cells = cells->zones.cells);
}

#define NEAR_ARGS                                                                                            \
    .relative = cells_sort_relative(cells->sort), .cell = cells_sort_cell(cells->sort),                      \
    .offsets = cells_sort_offsets(cells->sort), .centre = cells->centre, RESULT_ARGS, .grid = &zones->grid,  \
    .launch = &launch

static enum shoal_status near_zone(struct shoal_solver *solver, const struct build *build, bool far_is_added,
                                   struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct cells *cells = cells_of(solver);
    const struct cells_zones *zones = &cells->zones;
    const bool tiled1 = gas_thesis_of(gas_params(solver))->scheme == SHOAL_GAS_SCHEME_TILED1;
    const struct cells_launch launch = {.n = (uint32_t)device->problem.n,
                                        .cells = zones->cells,
                                        .near_length = zones->near_length,
                                        .middle_length = zones->middle_length,
                                        .near2 = zones->near2,
                                        .middle2 = zones->middle2,
                                        .add = far_is_added};
    struct shoal_buffer *const far = has_far_zone(cells) && !far_is_added ? cells->far : NULL;
    struct shoal_kernel *kernel = build->kernels[zones->near ? TILED3 : tiled1 ? TILED1 : TILED2];
    const size_t groups = shoal_kernel_groups(kernel, device->problem.n);
    if (zones->near)
        return RUN(gas_cells_tiled3, kernel, groups, .near = cells->near, .middle = cells->middle,
                   .mass = cells->mass, .far = far, NEAR_ARGS);
    return tiled1 ? RUN(gas_cells_tiled1, kernel, groups, NEAR_ARGS)
                  : RUN(gas_cells_tiled2, kernel, groups, .far = far, NEAR_ARGS);
}

static enum shoal_status forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    const struct cells *cells = cells_of(solver);
    const struct build *build = &cells->builds[energies];
    const bool by_cell = has_far_zone(cells) && gas_thesis_of(gas_params(solver))->adder == SHOAL_GAS_KADDER;
    enum shoal_status status = cells_sort_run(solver, cells->sort, error);
    if (!status && has_far_zone(cells))
        status =
            is_corrected(solver) ? corrected_far_zone(solver, build, error) : far_zone(solver, build, error);
    if (!status && by_cell)
        status = kadder(solver, build, error);
    return status ? status : near_zone(solver, build, by_cell, error);
}

/* Nothing is to be done: each call of `forces` begins with a sort. */
static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    (void)solver;
    (void)error;
    return SHOAL_OK;
}

/* Figures ---------------------------------------------------------------------------------------------- */

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    static const char *const names[] = {[SHOAL_GAS_SCHEME_CORRECTED] = "cells corrected",
                                        [SHOAL_GAS_SCHEME_TILED1] = "cells tiled1",
                                        [SHOAL_GAS_SCHEME_TILED11] = "cells tiled11",
                                        [SHOAL_GAS_SCHEME_TILED2] = "cells tiled2",
                                        [SHOAL_GAS_SCHEME_TILED3] = "cells tiled3"};
    timing->method = names[gas_thesis_of(gas_params(solver))->scheme];
    if (gas_thesis_of(gas_params(solver))->sort != SHOAL_GAS_SORT_DEVICE)
        cells_sort_seconds(cells_of(solver)->sort, &timing->sort_s, &timing->transfer_s);
}

/* Tolerance of forces: a margin times the largest errors that were measured in tests/gas/test_cells.c (3001
 * particles), in the cases thesis-gas.accuracy (16384 and 262144 particles, bench/results) and in runs of 256
 * and 1024 particles. Droplets have larger errors than uniform gases. Errors grow with wider cells, and with
 * fewer particles. */
static double force_tolerance(const struct shoal_solver *solver)
{
    enum zones { ONE_CELL, COARSE, FEW, MANY };
    static const struct {
        double corrected, thesis;
    } measured[] = {[ONE_CELL] = {6.5e-2, 1.8e-1},
                    [COARSE] = {4.0e-3, 3.5e-2},
                    [FEW] = {2.8e-3, 3.1e-2},
                    [MANY] = {9.3e-4, 1.4e-2}};
    static const double margin = 2;
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct shoal_gas_params *params = problem->params;
    /* COARSE: zones or cells coarser than those of the thesis (R1 = 2, R2 = 10, 50 columns). near * near <=
     * 2: cells that touch at a corner, whose centres are sqrt(2) sides apart, are not near each other. */
    const double near = gas_near_radius_of(params);
    const bool coarse = near * near <= 2 || gas_middle_radius_of(params) < 10 || cells_columns(problem) < 50;
    const enum zones zones = near <= 1 ? ONE_CELL : coarse ? COARSE : problem->n < 16384 ? FEW : MANY;
    return margin * (is_corrected(solver) ? measured[zones].corrected : measured[zones].thesis);
}

const struct gas_method gas_cells_method = {
    .base = {.name = "cells", .fits = fits, .create = create, .destroy = destroy, .begin = begin},
    .bytes = bytes,
    .forces = forces,
    .timing = timing,
    .force_tolerance = force_tolerance,
};
