/* Sums of the tables of a gas on a device: the pressure tensor, profiles and the structure factor. */
#include "gas/device/tables/tables.h"
#include "base/clock.h"
#include "base/error.h"
#include "compute/launch.h"
#include "gas/model/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TENSOR_GROUPS = 256, SUM_BYTES = 8, G6_BYTES = G6_SUMS * sizeof(uint64_t) };

struct gas_tabler {
    struct shoal_kernel *stress, *velocities, *tensor, *profile, *structure;
    struct shoal_kernel *hexatic, *hexatic_sums, *g6;
    /* [n] vectors each, by number of the particle: velocities of the full step, and the virial tensors of the
     * pairs, as gas_tables_stress writes them. With particles that do not interact the tensors stay 0. */
    struct shoal_buffer *full, *diagonal, *shear;
    struct shoal_buffer *psi;    /* [n] vectors, by number of the particle: hexatic order */
    struct shoal_buffer *sums;   /* [sum_count] */
    struct shoal_buffer *waves;  /* [wave vectors][dim] of int */
    struct shoal_buffer *counts; /* [g6_bins][G6_SUMS][2] */
    struct shoal_buffer *words, *starts;
    /* Sorts for pairs within the cutoff, within hexatic_range and within the range of g6(r), and a sort by
     * the slices of the profiles. They change `words` in place of the words of the gas. */
    struct gas_near by_cutoff, by_hexatic, by_g6;
    struct gas_mesh slices;
    struct gas_sort *by_slice;
    struct gas_clusters clusters;
    size_t sum_count;
    void *parts;                      /* [sum_count]: sums of the device, as gas_sum_at reads them */
    double waves_length[GAS_MAX_DIM]; /* lengths of the box to which the vectors in `waves` belong */
    struct arrays arrays;
    double seconds;
};

static struct gas_tabler *tabler_of(const struct shoal_solver *solver)
{
    return gas_device_of(solver)->tabler;
}

static size_t cells_of(const struct gas_device *device, enum shoal_gas_table_kind kind)
{
    return gas_table_cells(&device->problem, &device->common.tables.waves, kind);
}

/* Making ----------------------------------------------------------------------------------------------- */

/* Number of cells of the sort by slices for each slice of the profiles, and number of cells before the first
 * slice: the cells of an open axis begin half a box before the box. */
static void slice_cells(const struct gas_problem *problem, uint32_t *width, uint32_t *first)
{
    const bool is_open = problem->boundary[gas_profile_axis(problem)] == SHOAL_GAS_OPEN;
    *width = is_open ? 2 : 1;
    *first = is_open ? (uint32_t)gas_slices(problem) : 0;
}

static struct gas_mesh mesh_of_slices(const struct gas_problem *problem)
{
    struct gas_mesh mesh = {{1, 1, 1}};
    uint32_t width, first;
    slice_cells(problem, &width, &first);
    mesh.cells[gas_profile_axis(problem)] = (uint32_t)gas_slices(problem) * width + 2 * first;
    return mesh;
}

/* Whether a table is wanted that the kernels of tables.cl sum up. */
static bool needs_sums(const struct gas_device *device)
{
    bool any = false;
    for (int kind = 0; kind < GAS_TABLES; kind++)
        any = any || (kind != SHOAL_GAS_CLUSTERS && cells_of(device, (enum shoal_gas_table_kind)kind) > 0);
    return any;
}

static enum shoal_status build(struct shoal_solver *solver, struct gas_tabler *tabler,
                               struct shoal_error *error)
{
    struct defines defines = {.count = 0};
    const struct entry_kernel kernels[] = {
        {"gas_tables_stress", &tabler->stress},   {"gas_tables_velocities", &tabler->velocities},
        {"gas_tables_tensor", &tabler->tensor},   {"gas_tables_profile", &tabler->profile},
        {"gas_tables_hexatic", &tabler->hexatic}, {"gas_tables_hexatic_sums", &tabler->hexatic_sums},
        {"gas_tables_g6", &tabler->g6},           {"gas_tables_structure", &tabler->structure}};
    gas_state_defines(solver, &defines);
    gas_pair_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    return programs_build(&solver->programs, &gas_tables_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static void list_arrays(struct shoal_solver *solver, struct gas_tabler *tabler)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const size_t profiles = cells_of(device, SHOAL_GAS_PROFILES), waves = gas_most_waves(problem->params);
    const bool stressed = cells_of(device, SHOAL_GAS_TENSOR) || profiles;
    const double n = stressed ? (double)problem->n : 0;
    const bool sorts =
        stressed || problem->params->hexatic_range > 0 || problem->params->cluster_distance > 0;
    tabler->sum_count = TENSOR_GROUPS * STRESS_PARTS;
    tabler->sum_count = profiles > tabler->sum_count ? profiles : tabler->sum_count;
    tabler->sum_count = waves > tabler->sum_count ? waves : tabler->sum_count;
    const struct array list[] = {
        {&tabler->full, n, device->velocity_bytes},
        {&tabler->diagonal, n, device->velocity_bytes, ARRAY_ZERO},
        {&tabler->shear, n, device->velocity_bytes, ARRAY_ZERO},
        {&tabler->psi, problem->params->hexatic_range > 0 ? (double)problem->n : 0, device->velocity_bytes},
        {&tabler->sums, (double)tabler->sum_count, SUM_BYTES},
        {&tabler->waves, (double)(waves * problem->dim), sizeof(int32_t)},
        {&tabler->counts, (double)problem->params->g6_bins, G6_BYTES},
        {&tabler->words, sorts ? GAS_WORDS : 0, sizeof(uint32_t), ARRAY_ZERO},
        {&tabler->starts, sorts ? 2 : 0, sizeof(uint32_t)},
    };
    tabler->arrays.queue = solver->queue;
    ARRAYS_SET(&tabler->arrays, list);
}

/* Writes the wave vectors to the device, unless it has those of this box. */
static enum shoal_status write_waves(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_waves *waves = &device->common.tables.waves;
    const size_t dim = device->problem.dim;
    double *written = device->tabler->waves_length;
    if (memcmp(written, waves->length, sizeof waves->length) == 0)
        return SHOAL_OK;
    int32_t *numbers = calloc(waves->count * dim, sizeof *numbers);
    if (!numbers)
        return fail_host_memory(error);
    for (size_t at = 0; at < waves->count * dim; at++)
        numbers[at] = waves->waves[at / dim][at % dim];
    const enum shoal_status status = shoal_buffer_write(solver->queue, device->tabler->waves, 0, numbers,
                                                        waves->count * dim * sizeof *numbers, error);
    if (!status)
        memcpy(written, waves->length, sizeof waves->length);
    free(numbers);
    return status;
}

static struct gas_mesh mesh_of_range(const struct gas_problem *problem, double range)
{
    return isfinite(range) ? gas_mesh_for(problem, range) : (struct gas_mesh){{1, 1, 1}};
}

enum shoal_status gas_near_create(struct shoal_solver *solver, struct gas_near *near,
                                  struct shoal_error *error)
{
    near->mesh = near->created = mesh_of_range(&gas_device_of(solver)->problem, near->range);
    return gas_mesh_total(&near->mesh) > 1
               ? gas_sort_create(solver, &near->mesh, GAS_SORT_AUTO, &near->sort, error)
               : SHOAL_OK;
}

/* The range of pair forces. */
static double range_of_pairs(const struct gas_problem *problem)
{
    return problem->kind == GAS_PAIR_REAL ? INFINITY : problem->pair.cutoff;
}

static enum shoal_status create_sorts(struct shoal_solver *solver, struct gas_tabler *tabler,
                                      struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const uint32_t starts[2] = {0, (uint32_t)problem->n};
    enum shoal_status status =
        shoal_buffer_write(solver->queue, tabler->starts, 0, starts, sizeof starts, error);
    tabler->by_cutoff.range = range_of_pairs(problem);
    tabler->by_hexatic.range = problem->params->hexatic_range;
    tabler->by_g6.range = gas_g6_range(problem->params);
    if (!status && tabler->full && gas_has_pair_force(problem->params))
        status = gas_near_create(solver, &tabler->by_cutoff, error);
    if (!status && tabler->psi)
        status = gas_near_create(solver, &tabler->by_hexatic, error);
    if (!status && tabler->counts)
        status = gas_near_create(solver, &tabler->by_g6, error);
    if (!status && cells_of(gas_device_of(solver), SHOAL_GAS_PROFILES)) {
        tabler->slices = mesh_of_slices(problem);
        status = gas_sort_create(solver, &tabler->slices, GAS_SORT_AUTO, &tabler->by_slice, error);
    }
    if (!status && problem->params->cluster_distance > 0)
        status = gas_clusters_create(solver, &tabler->clusters, error);
    return status;
}

enum shoal_status gas_tabler_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_tabler *tabler = gas_device_of(solver)->tabler = calloc(1, sizeof *tabler);
    if (!tabler)
        return fail_host_memory(error);
    list_arrays(solver, tabler);
    tabler->parts = calloc(tabler->sum_count, SUM_BYTES);
    enum shoal_status status = tabler->parts ? SHOAL_OK : fail_host_memory(error);
    if (!status && needs_sums(gas_device_of(solver)))
        status = build(solver, tabler, error);
    if (!status)
        status = arrays_create(&tabler->arrays, error);
    if (!status && tabler->starts)
        status = create_sorts(solver, tabler, error);
    return status;
}

void gas_tabler_destroy(struct shoal_solver *solver)
{
    struct gas_tabler *tabler = tabler_of(solver);
    if (!tabler)
        return;
    gas_sort_destroy(&tabler->by_cutoff.sort);
    gas_sort_destroy(&tabler->by_hexatic.sort);
    gas_sort_destroy(&tabler->by_g6.sort);
    gas_sort_destroy(&tabler->by_slice);
    gas_clusters_destroy(&tabler->clusters);
    arrays_destroy(&tabler->arrays);
    free(tabler->parts);
    free(tabler);
    gas_device_of(solver)->tabler = NULL;
}

double gas_tabler_seconds(const struct shoal_solver *solver)
{
    const struct gas_tabler *tabler = tabler_of(gas_const_holder(solver));
    return tabler ? tabler->seconds : 0;
}

/* Sums ------------------------------------------------------------------------------------------------- */

/* Sorts the particles by the cells of a sort, with the words of the tables. */
static enum shoal_status sort(struct shoal_solver *solver, struct gas_sort *sort, struct shoal_error *error)
{
    struct gas_arrays from = gas_arrays_of(gas_device_of(solver));
    from.words = tabler_of(solver)->words;
    return gas_sort_run(solver, sort, &from, error);
}

enum shoal_status gas_near_sort(struct shoal_solver *solver, struct gas_near *near,
                                struct gas_near_particles *particles, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    enum shoal_status status = SHOAL_OK;
    if (near->sort) {
        near->sort->mesh = near->mesh = gas_mesh_fitting(&device->problem, near->range, &near->created);
        status = sort(solver, near->sort, error);
    }
    *particles = near->sort
                     ? (struct gas_near_particles){near->sort->position, near->sort->id, near->sort->starts}
                     : (struct gas_near_particles){device->position, device->id, device->tabler->starts};
    return status;
}

/* Computes what tensor and profiles need of each particle: velocities, and the virial tensors. */
static enum shoal_status find_particles(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_tabler *tabler = device->tabler;
    const uint32_t n = (uint32_t)device->problem.n;
    enum shoal_status status =
        LAUNCH(gas_tables_velocities, solver->queue, tabler->velocities,
               shoal_kernel_groups(tabler->velocities, n), error, .position = device->position,
               .velocity = device->velocity, .acceleration = device->acceleration, .ids = device->id,
               .full = tabler->full, .settings = device->settings, .n = n);
    if (status || !gas_has_pair_force(device->problem.params))
        return status;
    struct gas_near_particles near;
    status = gas_near_sort(solver, &tabler->by_cutoff, &near, error);
    return status ? status
                  : LAUNCH(gas_tables_stress, solver->queue, tabler->stress,
                           shoal_kernel_groups(tabler->stress, n), error, .position = near.position,
                           .starts = near.starts, .ids = near.id, .diagonal = tabler->diagonal,
                           .shear = tabler->shear, .settings = device->settings,
                           .cells = &tabler->by_cutoff.mesh, .n = n);
}

/* Reads `count` sums of the device, and adds sum number i to sums[i % to]. */
static enum shoal_status read_sums(struct shoal_solver *solver, size_t count, double *sums, size_t to,
                                   struct shoal_error *error)
{
    const struct gas_tabler *tabler = tabler_of(solver);
    enum shoal_status status =
        shoal_buffer_read(solver->queue, tabler->sums, 0, tabler->parts, count * SUM_BYTES, error);
    memset(sums, 0, to * sizeof *sums);
    for (size_t i = 0; i < count && !status; i++)
        sums[i % to] += gas_sum_at(gas_device_of(solver), tabler->parts, i);
    return status;
}

static enum shoal_status sum_tensor(struct shoal_solver *solver, double sums[STRESS_PARTS],
                                    struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_tabler *tabler = device->tabler;
    const uint32_t n = (uint32_t)device->problem.n;
    const size_t wanted = shoal_kernel_groups(tabler->tensor, n);
    const size_t groups = wanted < TENSOR_GROUPS ? wanted : TENSOR_GROUPS;
    enum shoal_status status =
        LAUNCH(gas_tables_tensor, solver->queue, tabler->tensor, groups, error, .full = tabler->full,
               .diagonal = tabler->diagonal, .shear = tabler->shear, .sums = tabler->sums,
               .settings = device->settings, .n = n);
    return status ? status : read_sums(solver, groups * STRESS_PARTS, sums, STRESS_PARTS, error);
}

static enum shoal_status sum_profiles(struct shoal_solver *solver, double *sums, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_tabler *tabler = device->tabler;
    const size_t slices = gas_slices(&device->problem);
    uint32_t width, first;
    slice_cells(&device->problem, &width, &first);
    enum shoal_status status = sort(solver, tabler->by_slice, error);
    if (!status)
        status = LAUNCH(gas_tables_profile, solver->queue, tabler->profile, slices, error,
                        .starts = tabler->by_slice->starts, .ids = tabler->by_slice->id, .full = tabler->full,
                        .diagonal = tabler->diagonal, .sums = tabler->sums, .settings = device->settings,
                        .first = first, .width = width, .n = (uint32_t)device->problem.n);
    const size_t count = slices * PROFILE_SUMS;
    return status ? status : read_sums(solver, count, sums, count, error);
}

static enum shoal_status sum_waves(struct shoal_solver *solver, double *sums, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_tabler *tabler = device->tabler;
    const size_t count = cells_of(device, SHOAL_GAS_STRUCTURE);
    enum shoal_status status = write_waves(solver, error);
    if (!status)
        status = LAUNCH(gas_tables_structure, solver->queue, tabler->structure, count, error,
                        .position = device->position, .waves = tabler->waves, .sums = tabler->sums,
                        .settings = device->settings, .n = (uint32_t)device->problem.n);
    return status ? status : read_sums(solver, count, sums, count, error);
}

enum shoal_status gas_tabler_psi(struct shoal_solver *solver, struct shoal_buffer **psi,
                                 struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_tabler *tabler = device->tabler;
    const uint32_t n = (uint32_t)device->problem.n;
    struct gas_near_particles near;
    *psi = tabler->psi;
    enum shoal_status status = gas_near_sort(solver, &tabler->by_hexatic, &near, error);
    return status ? status
                  : LAUNCH(gas_tables_hexatic, solver->queue, tabler->hexatic,
                           shoal_kernel_groups(tabler->hexatic, n), error, .position = near.position,
                           .starts = near.starts, .ids = near.id, .psi = tabler->psi,
                           .settings = device->settings, .cells = &tabler->by_hexatic.mesh,
                           .range = tabler->by_hexatic.range, .n = n);
}

static enum shoal_status sum_hexatic(struct shoal_solver *solver, double sums[HEXATIC_SUMS],
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_tabler *tabler = device->tabler;
    const uint32_t n = (uint32_t)device->problem.n;
    const size_t wanted = shoal_kernel_groups(tabler->hexatic_sums, n);
    const size_t groups = wanted < TENSOR_GROUPS ? wanted : TENSOR_GROUPS;
    struct shoal_buffer *psi;
    enum shoal_status status = gas_tabler_psi(solver, &psi, error);
    if (!status)
        status = LAUNCH(gas_tables_hexatic_sums, solver->queue, tabler->hexatic_sums, groups, error,
                        .psi = tabler->psi, .sums = tabler->sums, .n = n);
    return status ? status : read_sums(solver, groups * HEXATIC_SUMS, sums, HEXATIC_SUMS, error);
}

/* Sums up the correlation of the psi that sum_hexatic has left on the device. */
static enum shoal_status sum_g6(struct shoal_solver *solver, double *sums, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_tabler *tabler = device->tabler;
    const uint32_t n = (uint32_t)device->problem.n, bins = (uint32_t)device->problem.params->g6_bins;
    const size_t wanted = shoal_kernel_groups(tabler->g6, n);
    const size_t groups = wanted < TENSOR_GROUPS ? wanted : TENSOR_GROUPS;
    uint32_t *counts = calloc(bins, G6_BYTES);
    struct gas_near_particles near;
    enum shoal_status status =
        counts ? gas_near_sort(solver, &tabler->by_g6, &near, error) : fail_host_memory(error);
    if (!status)
        status = shoal_buffer_write(solver->queue, tabler->counts, 0, counts, bins * G6_BYTES, error);
    if (!status)
        status = LAUNCH(gas_tables_g6, solver->queue, tabler->g6, groups, error, .position = near.position,
                        .starts = near.starts, .ids = near.id, .psi = tabler->psi, .counts = tabler->counts,
                        .settings = device->settings, .cells = &tabler->by_g6.mesh,
                        .inverse_width = bins / tabler->by_g6.range, .bins = bins, .n = n);
    if (!status)
        status = shoal_buffer_read(solver->queue, tabler->counts, 0, counts, bins * G6_BYTES, error);
    for (size_t at = 0; at < bins * (size_t)G6_SUMS && !status; at++)
        sums[at] = counts[2 * at] + 0x1p32 * counts[2 * at + 1];
    for (size_t bin = 0; bin < bins && !status; bin++) {
        double *own = sums + bin * G6_SUMS;
        own[G6_PRODUCTS] = 2 * own[G6_PRODUCTS] / G6_UNIT - own[G6_PAIRS];
    }
    free(counts);
    return status;
}

enum shoal_status gas_observe_tables(struct shoal_solver *solver, double *const sums[GAS_TABLES],
                                     struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const double start = clock_seconds();
    enum shoal_status status = SHOAL_OK;
    if (sums[SHOAL_GAS_TENSOR] || sums[SHOAL_GAS_PROFILES])
        status = find_particles(holder, error);
    if (!status && sums[SHOAL_GAS_TENSOR])
        status = sum_tensor(holder, sums[SHOAL_GAS_TENSOR], error);
    if (!status && sums[SHOAL_GAS_PROFILES])
        status = sum_profiles(holder, sums[SHOAL_GAS_PROFILES], error);
    if (!status && sums[SHOAL_GAS_HEXATIC])
        status = sum_hexatic(holder, sums[SHOAL_GAS_HEXATIC], error);
    if (!status && sums[SHOAL_GAS_G6])
        status = sum_g6(holder, sums[SHOAL_GAS_G6], error);
    if (!status && sums[SHOAL_GAS_STRUCTURE])
        status = sum_waves(holder, sums[SHOAL_GAS_STRUCTURE], error);
    if (!status && sums[SHOAL_GAS_CLUSTERS])
        status = gas_clusters_sum(holder, &tabler_of(holder)->clusters, sums[SHOAL_GAS_CLUSTERS], error);
    tabler_of(holder)->seconds += clock_seconds() - start;
    return status;
}

enum shoal_status gas_tabler_launch_first(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    double *sums[GAS_TABLES] = {NULL};
    enum shoal_status status = SHOAL_OK;
    for (int kind = 0; kind < GAS_TABLES && !status; kind++) {
        const size_t cells = cells_of(device, (enum shoal_gas_table_kind)kind);
        sums[kind] = cells ? calloc(cells, sizeof(double)) : NULL;
        if (cells && !sums[kind])
            status = fail_host_memory(error);
    }
    if (!status)
        status = gas_observe_tables(solver, sums, error);
    for (int kind = 0; kind < GAS_TABLES; kind++)
        free(sums[kind]);
    device->tabler->seconds = 0;
    return status;
}
