/* Neighbour lists on a device: cl/gas/methods/list_build.cl. */
#include "gas/methods/neighbours.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "gas/methods/list.h"
#include "gas/model/grid.h"
#include "gas/species/species_device.h"

#include <math.h>
#include <stdlib.h>

/* CPU_TILE: number of fp32 values in vectors of 512 bits; two vectors of 256 bits are faster than one, too.
 * WIDE: -D WINDOW_BITS of entries of 32 bits. SMALL_LISTS: bytes, see window_bits. WARP: work-items of a
 * warp; WARPED_PARTICLES: most particles for each compute unit whose lists are built by a warp each. */
enum { GPU_TILE = 32, CPU_TILE = 16, WIDE = 32, SMALL_LISTS = 1 << 23, WARP = 32, WARPED_PARTICLES = 64 };

extern const struct shoal_program_desc gas_list_build_program, gas_list_build_serial_program;

/* Relative margins for rounding. range_margin: added to the range from which the widths of cells are
 * computed; square_margin: added to the squared range with which squared distances in fp32 are compared. */
static const double range_margin = 1e-6, square_margin = 0x1p-20;

uint32_t gas_list_tile(const struct shoal_device *device)
{
    return is_plain_cpu(device) ? CPU_TILE : GPU_TILE;
}

static double range_of(const struct gas_problem *problem, double skin)
{
    return problem->pair.cutoff + skin;
}

/* spare: entries behind the neighbours that the build uses: 1 on CPUs. */
static uint32_t round_capacity(const struct gas_problem *problem, double neighbours, uint32_t spare)
{
    const double all = (double)(problem->n > 1 ? problem->n - 1 : 1);
    return (uint32_t)(8 * ceil((fmin(neighbours, all) + spare) / 8));
}

/* Bits of an entry of 16 bits that species leave. */
static uint32_t most_window_bits(const struct gas_problem *problem)
{
    const size_t species = problem->species ? problem->species->count : 1;
    return species > 4 ? 13 : species > 2 ? 14 : species > 1 ? 15 : 16;
}

/* -D WINDOW_BITS. On GPUs steps read half as much with entries of 16 bits as with 32; lists below SMALL_LISTS
 * stay in the second-level cache, where this saves nothing. Particles are in the order of layers of cells
 * along the last axis, about as thick as the range. Neighbours are in the layers beside that of a particle,
 * so up to two layers of particles away on either side; a quarter more is for layers with more particles than
 * others. */
static uint32_t window_bits(const struct gas_problem *problem, double range, bool serial)
{
    const uint32_t bits = most_window_bits(problem);
    const double n = (double)problem->n, layer = n * range / problem->length[problem->dim - 1],
                 bytes = n * gas_mean_neighbours(problem, range) * sizeof(uint32_t);
    const bool fits = fmin(n, 4 * 1.25 * layer) <= ldexp(1, (int)bits);
    return !serial && fits && bytes > SMALL_LISTS ? bits : WIDE;
}

/* The value of a tuning file, by which tests make windows small, or else that of window_bits. */
static uint32_t choose_window_bits(struct shoal_solver *solver, double range)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const uint32_t most = most_window_bits(problem);
    char class[TUNING_CLASS_SIZE];
    gas_list_class(problem, class);
    const struct tuning_question question = define_question(&gas_list_build_program, "WINDOW_BITS", class,
                                                            window_bits(problem, range, false), NULL, 0);
    const uint32_t bits = (uint32_t)tuning_ask(solver->device, &question);
    return bits > 16 ? WIDE : bits < most ? bits : most;
}

static size_t entry_bytes(uint32_t window_bits)
{
    return window_bits <= 16 ? sizeof(uint16_t) : sizeof(uint32_t);
}

size_t gas_neighbours_entry_bytes(const struct gas_neighbours *neighbours)
{
    return entry_bytes(neighbours->window_bits);
}

static double list_bytes(const struct gas_problem *problem, uint32_t tile, uint32_t capacity,
                         uint32_t window_bits)
{
    return (double)div_up(problem->n, tile) * tile * capacity * (double)entry_bytes(window_bits);
}

/* First capacity of a list: 1.5 times the mean number of neighbours, plus 16, since small numbers fluctuate
 * more. */
static uint32_t first_capacity(const struct gas_problem *problem, double range, uint32_t spare)
{
    return round_capacity(problem, fmin(1.5 * gas_mean_neighbours(problem, range) + 16, 1e9), spare);
}

double gas_neighbours_bytes(const struct shoal_solver *solver, double skin)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const double padded = (double)device->padded, range = range_of(problem, skin);
    return list_bytes(problem, gas_list_tile(solver->device), first_capacity(problem, range, 1),
                      window_bits(problem, range, is_plain_cpu(solver->device))) +
           padded * sizeof(uint32_t) + gas_sort_bytes(device);
}

enum shoal_status gas_neighbours_fits(const struct gas_problem *problem, double skin,
                                      const struct shoal_device_info *info, struct shoal_error *error)
{
    if (!isfinite(problem->pair.cutoff))
        return fail(error, SHOAL_UNSUPPORTED,
                    "a neighbour list needs a force that ends at a cutoff; this one reaches everywhere");
    const double range = range_of(problem, skin);
    const double bytes = list_bytes(problem, GPU_TILE, first_capacity(problem, range, 1),
                                    window_bits(problem, range, is_cpu_alone(info)));
    if (info->max_allocation && bytes > (double)info->max_allocation)
        return fail(error, SHOAL_OUT_OF_DEVICE_MEMORY,
                    "the neighbour list would take %.3g GB, a buffer of this device has at most %.3g GB: "
                    "lower --particles, --cutoff or --skin",
                    1e-9 * bytes, 1e-9 * (double)info->max_allocation);
    return SHOAL_OK;
}

/* Length along an axis that the cells cover: positions on an open axis may be half a length outside of the
 * box. */
static double covered(const struct gas_problem *problem, size_t axis)
{
    return (problem->boundary[axis] == SHOAL_GAS_OPEN ? 2 : 1) * problem->length[axis];
}

/* Chooses the cells of a mesh: at most `most` cells, each at least range / reach wide. */
static void fit_mesh(const struct gas_problem *problem, double range, const uint32_t reach[GAS_MAX_DIM],
                     double most, struct gas_mesh *mesh)
{
    double fitting[GAS_MAX_DIM] = {1, 1, 1};
    size_t cells[GAS_MAX_DIM];
    for (size_t k = 0; k < problem->dim; k++) {
        /* 2 * 0x1p-30: two grid steps of fixed-point coordinates on an axis that is not periodic */
        const double width = (range * (1 + range_margin) + 2 * 0x1p-30 * problem->length[k]) / reach[k];
        fitting[k] = fmax(1, floor(covered(problem, k) / width));
    }
    gas_fit_cells(fitting, most, cells);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        mesh->cells[k] = (uint32_t)cells[k];
}

/* Whatever the box, the mesh has at most the cells with which the sort was created. */
void gas_neighbours_resized(const struct gas_problem *problem, struct gas_neighbours *neighbours)
{
    struct gas_mesh mesh = {.pencil = neighbours->created.pencil};
    fit_mesh(problem, neighbours->range, neighbours->reach, HUGE_VAL, &mesh);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        if (mesh.cells[k] > neighbours->created.cells[k])
            mesh.cells[k] = neighbours->created.cells[k];
    neighbours->sort->mesh = mesh;
}

static bool is_serial(const struct shoal_solver *solver, enum gas_sort_method method)
{
    return method == GAS_SORT_SERIAL || (method == GAS_SORT_AUTO && is_plain_cpu(solver->device));
}

/* Shares take the places of particles in the next sort from their layers in the last one: between two sorts
 * no particle may move by the thickness of a layer. It moves by less than half the range of the list. */
static enum shoal_status check_layers(const struct shoal_solver *solver,
                                      const struct gas_neighbours *neighbours, uint32_t pencil,
                                      struct shoal_error *error)
{
    const uint32_t most = 2u << pencil, reach = neighbours->reach[gas_device_of(solver)->problem.dim - 1];
    if (!solver->share.of || reach <= most)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "gas.list-build: with FINE_YZ %u and PENCIL %u, layers of cells are too thin for a gas that "
                "several devices share: tune FINE_YZ to at most %u, or take one device",
                reach, pencil, most);
}

/* Creates the sort. Defines of `program` determine the size of the cells. */
static enum shoal_status create_sort(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                                     const struct shoal_program *program, enum gas_sort_method method,
                                     struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const bool serial = is_serial(solver, method);
    const bool few = !serial && problem->n <= GAS_SORT_GROUP_PARTICLES;
    const double most = few ? GAS_SORT_GROUP_CELLS : 4 * (double)problem->n;
    struct gas_mesh mesh;
    /* On CPUs cells are as wide as the range, so that few cells hold the neighbours of a tile. */
    for (size_t k = 0; k < problem->dim; k++)
        neighbours->reach[k] =
            serial ? 1 : (uint32_t)shoal_program_define(program, k == 0 ? "FINE_X" : "FINE_YZ");
    mesh.pencil = serial ? 0 : (uint32_t)shoal_program_define(program, "PENCIL");
    fit_mesh(problem, neighbours->range, neighbours->reach, most, &mesh);
    neighbours->created = mesh;
    enum shoal_status status = check_layers(solver, neighbours, mesh.pencil, error);
    if (!status)
        status = gas_sort_create(solver, &mesh, method, &neighbours->sort, error);
    if (!status)
        neighbours->items = serial ? div_up(neighbours->sort->items, neighbours->tile) * neighbours->tile : 1;
    return status;
}

static enum shoal_status create_list(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                                     struct shoal_error *error)
{
    const double bytes = list_bytes(&gas_device_of(solver)->problem, neighbours->tile, neighbours->capacity,
                                    neighbours->window_bits);
    const double most = (double)shoal_device_get_info(solver->device)->max_allocation;
    if (most > 0 && bytes > most)
        return fail(
            error, SHOAL_OUT_OF_DEVICE_MEMORY,
            "a neighbour list with room for %u neighbours of a particle takes %.3g GB, a buffer of this "
            "device has at most %.3g GB: lower --particles, --density, --cutoff or --skin",
            neighbours->capacity, 1e-9 * bytes, 1e-9 * most);
    return shoal_buffer_create(solver->device, (size_t)bytes, &neighbours->list, error);
}

/* Whether a warp builds the list of each particle. On an H200 lists of 4096 particles in two dimensions then
 * take 7 us, and 19 us with a work-item for each. A multiprocessor holds up to 64 warps at a time. */
static bool warped(const struct shoal_solver *solver)
{
    const size_t units = shoal_device_get_info(solver->device)->units;
    return is_cuda(solver->device) && !solver->share.of &&
           gas_device_of(solver)->problem.n <= units * WARPED_PARTICLES;
}

/* Adds the defines of the layout. In three dimensions lists are long, and the neighbourhoods of the particles
 * in a warp overlap, so with GROUPED the whole warp visits their common neighbourhood. A step of 2,048,000
 * particles, including its part of a rebuild, took 0.64 ms on an H200 with GROUPED and 0.80 ms without.
 * GROUPED is slower in two dimensions, and in double precision, where more registers leave room for fewer
 * warps. */
static void add_layout(struct shoal_solver *solver, struct defines *defines)
{
    static const int64_t flags[] = {0, 1}, groups[] = {32, 64, 128}, fine[] = {1, 2, 4, 6},
                         unrolls[] = {2, 4, 8, 16};
    const struct gas_device *device = gas_device_of(solver);
    const bool is_grouped = device->problem.dim == 3 && device->precision != SHOAL_GAS_DOUBLE;
    const struct tuned_define layout[] = {{"GROUPED", is_grouped, flags, COUNT(flags)},
                                          {"WG", is_grouped ? 32 : 128, groups, COUNT(groups)},
                                          {"UNROLL", is_grouped ? 8 : 4, unrolls, COUNT(unrolls)},
                                          {"FINE_X", is_grouped ? 6 : 2, fine, COUNT(fine)},
                                          {"FINE_YZ", 1, NULL, 0},
                                          {"PENCIL", 0, NULL, 0}};
    char class[TUNING_CLASS_SIZE];
    gas_list_class(&device->problem, class);
    chosen_defines(&solver->method.chosen, solver->device, &gas_list_build_program, class, layout,
                   COUNT(layout), defines);
    define_add(defines, "WARPED", warped(solver)); /* whatever GROUPED is */
}

static enum shoal_status build_program(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                                       enum gas_sort_method method, struct shoal_program **program,
                                       struct shoal_error *error)
{
    const bool serial = is_serial(solver, method);
    const struct entry_kernel kernel = {"gas_list_build", &neighbours->build};
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    define_add(&defines, "LIST_TILE", neighbours->tile);
    if (!serial) {
        define_add(&defines, "WINDOW_BITS", neighbours->window_bits);
        add_layout(solver, &defines);
    }
    return programs_build(&solver->programs,
                          serial ? &gas_list_build_serial_program : &gas_list_build_program, &defines,
                          &kernel, 1, program, error);
}

enum shoal_status gas_neighbours_create(struct shoal_solver *solver, double skin,
                                        struct gas_list_layout layout, enum gas_sort_method method,
                                        struct gas_neighbours **out, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_neighbours *neighbours = calloc(1, sizeof *neighbours);
    *out = NULL;
    if (!neighbours)
        return fail_host_memory(error);
    neighbours->skin = skin;
    neighbours->range = range_of(&device->problem, skin);
    neighbours->tile = layout.tile ? layout.tile : gas_list_tile(solver->device);
    neighbours->spare = is_serial(solver, method);
    neighbours->capacity = layout.capacity
                               ? layout.capacity
                               : first_capacity(&device->problem, neighbours->range, neighbours->spare);
    neighbours->window_bits = layout.window_bits  ? layout.window_bits
                              : neighbours->spare ? WIDE
                                                  : choose_window_bits(solver, neighbours->range);
    struct shoal_program *program = NULL;
    enum shoal_status status = build_program(solver, neighbours, method, &program, error);
    if (!status)
        status = create_sort(solver, neighbours, program, method, error);
    if (!status)
        status = create_list(solver, neighbours, error);
    if (!status)
        status = shoal_buffer_create(solver->device, device->padded * sizeof(uint32_t), &neighbours->counts,
                                     error);
    if (!status)
        status = shoal_buffer_fill(solver->queue, neighbours->counts, 0, device->padded * sizeof(uint32_t), 0,
                                   error);
    if (status)
        gas_neighbours_destroy(&neighbours);
    *out = neighbours;
    return status;
}

void gas_neighbours_destroy(struct gas_neighbours **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct gas_neighbours *neighbours = *pointer;
    *pointer = NULL;
    gas_sort_destroy(&neighbours->sort);
    shoal_buffer_destroy(&neighbours->list);
    shoal_buffer_destroy(&neighbours->counts);
    free(neighbours);
}

enum shoal_status gas_neighbours_build(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                                       const struct gas_arrays *from, bool holds, struct shoal_event **event,
                                       struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const double range = neighbours->range;
    struct gas_mesh reach = {.pencil = 0};
    neighbours->sort->holds = holds;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        reach.cells[k] = neighbours->reach[k];
    enum shoal_status status = gas_sort_run(solver, neighbours->sort, from, error);
    if (!status)
        status = gas_species_place(solver, neighbours->sort->id, false, error);
    if (status)
        return status;
    const struct gas_range own = gas_own_range(solver);
    const uint32_t chunks = div_up(gas_count(own), neighbours->items);
    const struct gas_build_launch launch = {.begin = own.begin,
                                            .end = own.end,
                                            .items = neighbours->items,
                                            .capacity = neighbours->capacity,
                                            .particles = (uint32_t)device->problem.n,
                                            .range2 = (float)(range * range * (1 + square_margin))};
    return LAUNCH_EVENT(gas_list_build, solver->queue, neighbours->build,
                        shoal_kernel_groups(neighbours->build, chunks * (warped(solver) ? WARP : 1)), event,
                        error, .position = neighbours->sort->position, .starts = neighbours->sort->starts,
                        .settings = device->settings, .list = neighbours->list, .counts = neighbours->counts,
                        .words = from->words, .cells = &neighbours->sort->mesh, .reach = &reach,
                        .launch = &launch);
}

enum shoal_status gas_neighbours_repair(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                                        const struct gas_arrays *from, uint32_t wanted,
                                        struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    if (status)
        return status;
    shoal_buffer_destroy(&neighbours->list);
    if (wanted == LIST_FAR) {
        neighbours->window_bits = WIDE;
        status = build_program(solver, neighbours, neighbours->sort->method, NULL, error);
    } else {
        neighbours->capacity = round_capacity(problem, 1.125 * wanted + 8, neighbours->spare);
    }
    if (!status)
        status = create_list(solver, neighbours, error);
    return status ? status : gas_neighbours_build(solver, neighbours, from, false, NULL, error);
}
