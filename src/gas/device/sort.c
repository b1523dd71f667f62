/* Counting sort of the particles on a device: cl/gas/device/sort.clh. */
#include "gas/device/sort.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "lib/scan.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* CHUNKS_PER_UNIT: number of chunks of particles for each core of a CPU, several to balance the load.
     * LEAST_CHUNK: number of particles in the smallest chunk that is worth a work-item. */
    CHUNKS_PER_UNIT = 4,
    LEAST_CHUNK = 512,
    LEAST_SHARE = 256, /* least number of particles that a group of GAS_SORT_GROUP moves */
    KEY_BYTES = 8,
    ENTRY_BYTES = 16
};

_Static_assert(COUNT(((struct gas_sort *)NULL)->part.cells) <= SCAN_MOST_RANGES,
               "a scan takes all ranges of cells");

extern const struct shoal_program_desc gas_sort_program, gas_sort_serial_program, gas_sort_group_program;

/* Number of particles that a work-item handles on a CPU. */
static uint32_t chunk_of(const struct shoal_device *device, size_t n)
{
    const uint32_t units = shoal_device_get_info(device)->units;
    const uint32_t chunk = div_up(n, (size_t)CHUNKS_PER_UNIT * (units ? units : 1));
    return chunk > LEAST_CHUNK ? chunk : LEAST_CHUNK;
}

static enum gas_sort_method choose(const struct shoal_solver *solver, size_t cells)
{
    if (is_plain_cpu(solver->device))
        return GAS_SORT_SERIAL;
    return gas_device_of(solver)->problem.n <= GAS_SORT_GROUP_PARTICLES && cells <= GAS_SORT_GROUP_CELLS
               ? GAS_SORT_GROUP
               : GAS_SORT_BLOCKS;
}

static enum shoal_status build(struct shoal_solver *solver, struct gas_sort *sort, struct shoal_error *error)
{
    static const struct shoal_program_desc *const descs[] = {[GAS_SORT_BLOCKS] = &gas_sort_program,
                                                             [GAS_SORT_GROUP] = &gas_sort_group_program,
                                                             [GAS_SORT_SERIAL] = &gas_sort_serial_program};
    const struct entry_kernel group = {"gas_sort_group", &sort->group};
    const struct entry_kernel kernels[] = {{"gas_sort_count", &sort->count},
                                           {"gas_sort_scatter", &sort->scatter},
                                           {"gas_sort_order", &sort->order}};
    const bool is_group = sort->method == GAS_SORT_GROUP;
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    if (is_group) /* rounded up, so that gases of about the same size share a program */
        define_add(&defines, "PARTICLES", (int64_t)power_of_two_at_least(gas_device_of(solver)->problem.n));
    else
        define_add(&defines, "RANGED", solver->share.of > 0);
    enum shoal_status status =
        programs_build(&solver->programs, descs[sort->method], &defines, is_group ? &group : kernels,
                       is_group ? 1 : COUNT(kernels), NULL, error);
    if (!status && !is_group)
        status = scan_create(solver->device, gas_mesh_total(&sort->mesh) + 1,
                             solver->share.of ? COUNT(sort->part.cells) : 1, SHOAL_SCAN_AUTO,
                             solver->programs.variant, &sort->scan, error);
    for (size_t i = 0; sort->scan && shoal_scan_program(sort->scan, i); i++)
        solver->programs.build_seconds += shoal_program_build_seconds(shoal_scan_program(sort->scan, i));
    return status;
}

static enum shoal_status allocate(struct shoal_solver *solver, struct gas_sort *sort,
                                  struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t n = device->problem.n, word = sizeof(uint32_t), starts = gas_mesh_total(&sort->mesh) + 1;
    const double padded = (double)device->padded;
    /* A sort by GAS_SORT_GROUP needs only `starts` beside the arrays of the gas. */
    const bool is_group = sort->method == GAS_SORT_GROUP;
    /* A sort needs counts of 0, and leaves 0 for the next sort. */
    const struct array list[] = {
        {&sort->starts, (double)starts, word},
        {&sort->counts, is_group ? 1 : (double)starts, word, ARRAY_ZERO},
        {&sort->keys, is_group ? 1 : (double)n, KEY_BYTES},
        {&sort->entries, is_group ? 1 : (double)n, ENTRY_BYTES},
        {&sort->reference, padded, device->position_bytes, 0, "reference", n},
        {&sort->position, padded, device->position_bytes},
        {&sort->velocity, padded, device->velocity_bytes},
        {&sort->id, padded, word},
    };
    sort->arrays.queue = solver->queue;
    ARRAYS_SET(&sort->arrays, list);
    return arrays_create(&sort->arrays, error);
}

double gas_sort_bytes(const struct gas_device *device)
{
    const double copies =
        2 * (double)device->position_bytes + (double)device->velocity_bytes + sizeof(uint32_t);
    return (double)device->padded * (copies + KEY_BYTES + ENTRY_BYTES);
}

static enum shoal_status check_create(const struct shoal_solver *solver, const struct gas_mesh *mesh,
                                      enum gas_sort_method method, struct shoal_error *error)
{
    const size_t n = gas_device_of(solver)->problem.n, cells = gas_mesh_total(mesh);
    if (n == 0 || n > SHOAL_PRIMITIVE_MAX || cells == 0 || cells >= SHOAL_PRIMITIVE_MAX)
        return fail(error, SHOAL_INVALID,
                    "the sort by cells was asked for %zu particles and %zu cells; both must be 1 to %u", n,
                    cells, SHOAL_PRIMITIVE_MAX - 1);
    if (method == GAS_SORT_GROUP && (n > GAS_SORT_GROUP_PARTICLES || cells > GAS_SORT_GROUP_CELLS))
        return fail(
            error, SHOAL_INVALID,
            "the sort in one group was asked for %zu particles and %zu cells; it takes at most %d and %d", n,
            cells, GAS_SORT_GROUP_PARTICLES, GAS_SORT_GROUP_CELLS);
    return SHOAL_OK;
}

enum shoal_status gas_sort_create(struct shoal_solver *solver, const struct gas_mesh *mesh,
                                  enum gas_sort_method method, struct gas_sort **out,
                                  struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = check_create(solver, mesh, method, error);
    if (status)
        return status;
    struct gas_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return fail_host_memory(error);
    const size_t n = gas_device_of(solver)->problem.n, cells = gas_mesh_total(mesh);
    sort->mesh = *mesh;
    sort->method = method == GAS_SORT_AUTO ? choose(solver, cells) : method;
    const bool serial = sort->method == GAS_SORT_SERIAL;
    sort->items = serial ? chunk_of(solver->device, gas_count(gas_own_range(solver))) : 1;
    sort->cell_items = serial ? div_up(cells, div_up(n, sort->items)) : 1;
    status = build(solver, sort, error);
    if (!status)
        status = allocate(solver, sort, error);
    if (status)
        gas_sort_destroy(&sort);
    *out = sort;
    return status;
}

void gas_sort_destroy(struct gas_sort **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct gas_sort *sort = *pointer;
    *pointer = NULL;
    arrays_destroy(&sort->arrays);
    shoal_scan_destroy(&sort->scan);
    free(sort);
}

static enum shoal_status run_group(struct shoal_solver *solver, struct gas_sort *sort,
                                   const struct gas_arrays *from, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const uint32_t n = (uint32_t)device->problem.n, units = shoal_device_get_info(solver->device)->units;
    /* Each group counts all particles, so there are no more groups than run at the same time. */
    const uint32_t even = div_up(n, units ? units : 1), share = even > LEAST_SHARE ? even : LEAST_SHARE;
    return LAUNCH(
        gas_sort_group, solver->queue, sort->group, div_up(n, share), error, .settings = device->settings,
        .starts = sort->starts, .words = from->words, .position = from->position, .velocity = from->velocity,
        .id = from->id, .position_out = sort->position, .velocity_out = sort->velocity, .id_out = sort->id,
        .reference = sort->reference, .cells = &sort->mesh, .n = n, .share = share, .holds = sort->holds);
}

static struct gas_sort_launch scalars_of(const struct gas_sort *sort, const struct gas_range *ranges,
                                         size_t range_count)
{
    const struct gas_sort_part *part = &sort->part;
    return (struct gas_sort_launch){.places = gas_places_of(ranges, range_count),
                                    .count = (uint32_t)gas_count_all(ranges, range_count),
                                    .first_cell = part->cells[0].begin,
                                    .end_cell = part->cells[0].end,
                                    .further_cell = part->cells[1].begin,
                                    .end_further = part->cells[1].end,
                                    .items = sort->items,
                                    .cell_items = sort->cell_items};
}

/* Counts the particles in `ranges` in each cell. continues: adds to the counts of a launch before. */
static enum shoal_status count(struct shoal_solver *solver, const struct gas_sort *sort,
                               const struct gas_arrays *from, const struct gas_range *ranges,
                               size_t range_count, bool continues, struct shoal_error *error)
{
    struct gas_sort_launch launch = scalars_of(sort, ranges, range_count);
    const uint32_t chunks = div_up(launch.count, sort->items);
    launch.continues = continues;
    launch.holds = sort->holds;
    return LAUNCH(gas_sort_count, solver->queue, sort->count, shoal_kernel_groups(sort->count, chunks), error,
                  .position = from->position, .settings = gas_device_of(solver)->settings,
                  .counts = sort->counts, .keys = sort->keys, .words = from->words, .cells = &sort->mesh,
                  .launch = &launch);
}

struct gas_sort_launch gas_sort_others(const struct gas_sort *sort)
{
    struct gas_sort_launch launch = scalars_of(sort, sort->part.others, sort->part.other_count);
    launch.continues = 1;
    launch.items = 1;
    return launch;
}

enum shoal_status gas_sort_count_own(struct shoal_solver *solver, struct gas_sort *sort,
                                     const struct gas_arrays *from, struct gas_range own,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (sort->is_cut)
        status = shoal_buffer_fill(solver->queue, sort->counts, 0, shoal_buffer_size(sort->counts), 0, error);
    sort->is_cut = true;
    return status ? status : count(solver, sort, from, &own, 1, false, error);
}

/* Computes the place of the first particle of each cell of the part, from the counts. */
static enum shoal_status scan(struct shoal_solver *solver, const struct gas_sort *sort,
                              struct shoal_error *error)
{
    const struct gas_sort_part *part = &sort->part;
    struct scan_range ranges[COUNT(part->cells)];
    for (size_t i = 0; i < part->cell_count; i++) {
        const uint32_t first = part->cells[i].begin > 0 ? part->cells[i].begin - 1 : 0;
        ranges[i] = (struct scan_range){first, part->cells[i].end + 1 - first};
    }
    return scan_run_ranges(sort->scan, solver->queue, sort->counts, sort->starts, ranges, part->cell_count,
                           error);
}

/* Writes the numbers of the particles at these places to the parts of sort->entries that belong to their
 * cells. */
static enum shoal_status scatter(struct shoal_solver *solver, const struct gas_sort *sort,
                                 const struct gas_arrays *from, const struct gas_range *ranges,
                                 size_t range_count, struct shoal_error *error)
{
    struct gas_sort_launch launch = scalars_of(sort, ranges, range_count);
    const uint32_t chunks = div_up(launch.count, sort->items);
    launch.reset = (uint32_t)gas_mesh_total(&sort->mesh);
    return LAUNCH(gas_sort_scatter, solver->queue, sort->scatter, shoal_kernel_groups(sort->scatter, chunks),
                  error, .keys = sort->keys, .starts = sort->starts, .id = from->id, .entries = sort->entries,
                  .counts = sort->counts, .launch = &launch);
}

/* Writes the particles of the part's cells to their places in the new order. `ranges`: places before the sort
 * of particles that include these. */
static enum shoal_status order(struct shoal_solver *solver, const struct gas_sort *sort,
                               const struct gas_arrays *from, const struct gas_range *ranges,
                               size_t range_count, struct shoal_error *error)
{
    const struct gas_sort_launch launch = scalars_of(sort, ranges, range_count);
    const struct gas_range *cells = sort->part.cells;
    const size_t items = sort->method == GAS_SORT_SERIAL
                             ? div_up(gas_count_all(cells, sort->part.cell_count), sort->cell_items)
                             : launch.count;
    return LAUNCH(gas_sort_order, solver->queue, sort->order, shoal_kernel_groups(sort->order, items), error,
                  .entries = sort->entries, .starts = sort->starts, .keys = sort->keys,
                  .position = from->position, .velocity = from->velocity, .position_out = sort->position,
                  .velocity_out = sort->velocity, .id_out = sort->id, .reference = sort->reference,
                  .launch = &launch);
}

/* Begins a sort of all particles: sets the part to all particles and all cells. */
static enum shoal_status begin_all(struct shoal_solver *solver, struct gas_sort *sort,
                                   const struct gas_arrays *from, struct shoal_error *error)
{
    const struct gas_range cells = {0, (uint32_t)gas_mesh_total(&sort->mesh)};
    sort->part = (struct gas_sort_part){
        .own = {0, (uint32_t)gas_device_of(solver)->problem.n}, .cells = {cells}, .cell_count = 1};
    return gas_sort_count_own(solver, sort, from, sort->part.own, error);
}

static enum shoal_status run_launches(struct shoal_solver *solver, struct gas_sort *sort,
                                      const struct gas_arrays *from, struct shoal_error *error)
{
    const struct gas_sort_part *part = &sort->part;
    enum shoal_status status = sort->has_part ? SHOAL_OK : begin_all(solver, sort, from, error);
    struct gas_range ranges[1 + GAS_SORT_OTHERS] = {part->own};
    const size_t range_count = 1 + part->other_count;
    memcpy(ranges + 1, part->others, sizeof part->others);
    if (!status && part->other_count && !part->has_counted_others)
        status = count(solver, sort, from, part->others, part->other_count, true, error);
    if (!status)
        status = scan(solver, sort, error);
    if (!status)
        status = scatter(solver, sort, from, ranges, range_count, error);
    sort->is_cut = status != SHOAL_OK;
    sort->has_part = false;
    return status ? status : order(solver, sort, from, ranges, range_count, error);
}

enum shoal_status gas_sort_run(struct shoal_solver *solver, struct gas_sort *sort,
                               const struct gas_arrays *from, struct shoal_error *error)
{
    return sort->method == GAS_SORT_GROUP ? run_group(solver, sort, from, error)
                                          : run_launches(solver, sort, from, error);
}

void gas_sort_take(struct gas_device *device, struct gas_sort *sort)
{
    buffers_swap(&device->position, &sort->position);
    buffers_swap(&device->velocity, &sort->velocity);
    buffers_swap(&device->id, &sort->id);
}
