/* A gas with neighbour lists that several devices share: cl/gas/methods/domains.cl. */
#include "gas/methods/domains.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"

#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES = GAS_WORDS * sizeof(uint32_t), MOST_RANGES = 2 };

struct gas_domains {
    const struct gas_neighbours *neighbours;
    struct shoal_kernel *layers_of, *pack, *unpack, *merge;
    uint32_t count, width;       /* number of layers, and of cells of a layer */
    uint32_t reach;              /* number of layers on either side that hold neighbours */
    struct shoal_buffer *layers; /* [count + 1] of uint: place of the first particle of each layer */
    uint32_t *firsts;            /* the same on the host */
    struct shoal_buffer *packed; /* [padded][dim] of int: crossings by place; NULL: nothing crosses borders */
    /* [shares][GAS_WORDS] of uint, used by turns, since other shares read the words of a step while this one
     * makes the next step */
    struct shoal_buffer *notes[2];
    unsigned turn;
    struct solver_guest halo[MOST_RANGES];
    size_t ranges; /* number of ranges in `halo` */
    struct arrays arrays;
};

/* Create ----------------------------------------------------------------------------------------------- */

static void set_layers(struct gas_domains *domains, size_t dim)
{
    const struct gas_neighbours *neighbours = domains->neighbours;
    const struct gas_mesh *mesh = &neighbours->sort->mesh;
    const uint32_t rows = mesh->cells[dim - 1], together = 1u << mesh->pencil;
    domains->count = div_up(rows, together);
    domains->width = (uint32_t)(gas_mesh_total(mesh) / rows) * together;
    domains->reach = div_up(neighbours->reach[dim - 1], together);
}

static enum shoal_status build(struct shoal_solver *share, struct gas_domains *domains,
                               struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"gas_domains_layers", &domains->layers_of},
                                           {"gas_domains_pack", &domains->pack},
                                           {"gas_domains_unpack", &domains->unpack},
                                           {"gas_domains_merge", &domains->merge}};
    struct defines defines = {.count = 0};
    gas_state_defines(share, &defines);
    return programs_build(&share->programs, &gas_domains_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static enum shoal_status allocate(struct shoal_solver *share, struct gas_domains *domains,
                                  struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(share)->problem;
    const double padded = problem->any_periodic ? (double)gas_device_of(share)->padded : 0;
    const double notes = (double)share->share.shares * GAS_WORDS;
    const struct array list[] = {
        {&domains->layers, (double)domains->count + 1, sizeof(uint32_t)},
        {&domains->packed, padded * (double)problem->dim, sizeof(int32_t)},
        {&domains->notes[0], notes, sizeof(uint32_t), ARRAY_ZERO},
        {&domains->notes[1], notes, sizeof(uint32_t), ARRAY_ZERO},
    };
    domains->arrays.queue = share->queue;
    ARRAYS_SET(&domains->arrays, list);
    domains->firsts = calloc((size_t)domains->count + 1, sizeof *domains->firsts);
    return domains->firsts ? arrays_create(&domains->arrays, error) : fail_host_memory(error);
}

enum shoal_status gas_domains_create(struct shoal_solver *share, const struct gas_neighbours *neighbours,
                                     struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(share);
    if (!share->share.of)
        return SHOAL_OK;
    struct gas_domains *domains = device->domains = calloc(1, sizeof *domains);
    if (!domains)
        return fail_host_memory(error);
    domains->neighbours = neighbours;
    set_layers(domains, device->problem.dim);
    const enum shoal_status status = build(share, domains, error);
    return status ? status : allocate(share, domains, error);
}

void gas_domains_destroy(struct shoal_solver *share)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    if (!domains)
        return;
    arrays_destroy(&domains->arrays);
    free(domains->firsts);
    free(domains);
    gas_device_of(share)->domains = NULL;
}

double gas_domains_bytes(const struct shoal_solver *share)
{
    const struct gas_device *device = gas_device_of(share);
    return share->share.of && device->problem.any_periodic
               ? (double)device->padded * (double)device->problem.dim * sizeof(int32_t)
               : 0;
}

/* Halo ------------------------------------------------------------------------------------------------- */

/* The layer in which the particle at `place` lies. */
static uint32_t layer_of(const struct gas_domains *domains, uint32_t place)
{
    uint32_t low = 0, high = domains->count; /* the layer is one of low .. high - 1 */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (domains->firsts[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Adds the blocks that hold the particles of layers low .. high - 1. */
static void add_layers(struct gas_domains *domains, uint32_t low, uint32_t high)
{
    const uint32_t first = domains->firsts[low] / GAS_UNIT, end = div_up(domains->firsts[high], GAS_UNIT);
    if (end > first)
        domains->halo[domains->ranges++] = (struct solver_guest){.unit = first, .count = end - first};
}

static void set_halo(struct gas_domains *domains, const struct gas_problem *problem, struct gas_range own)
{
    const uint32_t count = domains->count, reach = domains->reach;
    const uint32_t first = layer_of(domains, own.begin), last = layer_of(domains, own.end - 1);
    domains->ranges = 0;
    if (problem->boundary[problem->dim - 1] != SHOAL_GAS_PERIODIC) {
        add_layers(domains, first > reach ? first - reach : 0,
                   count - last > reach ? last + reach + 1 : count);
    } else if (last - first + 1 + 2 * reach >= count) {
        add_layers(domains, 0, count);
    } else if (first < reach) {
        add_layers(domains, 0, last + reach + 1);
        add_layers(domains, first + count - reach, count);
    } else if (last + reach >= count) {
        add_layers(domains, first - reach, count);
        add_layers(domains, 0, last + reach + 1 - count);
    } else {
        add_layers(domains, first - reach, last + reach + 1);
    }
}

enum shoal_status gas_domains_find_halo(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    if (!domains)
        return SHOAL_OK;
    const struct gas_sort *sort = domains->neighbours->sort;
    enum shoal_status status =
        LAUNCH(gas_domains_layers, share->queue, domains->layers_of,
               shoal_kernel_groups(domains->layers_of, (size_t)domains->count + 1), error,
               .starts = sort->starts, .layers = domains->layers, .count = domains->count,
               .width = domains->width, .cells = (uint32_t)gas_mesh_total(&sort->mesh));
    if (!status)
        status = shoal_buffer_read(share->queue, domains->layers, 0, domains->firsts,
                                   ((size_t)domains->count + 1) * sizeof *domains->firsts, error);
    if (!status)
        set_halo(domains, &gas_device_of(share)->problem, gas_own_range(share));
    return status;
}

/* Meetings --------------------------------------------------------------------------------------------- */

/* Exchanges the words and, where `takes_halo`, the positions of the halo. Neither changes before the next
 * meeting: a step writes the other array of positions. */
static enum shoal_status meet(struct shoal_solver *share, bool takes_halo, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    struct gas_domains *domains = device->domains;
    struct shoal_buffer *notes = domains->notes[domains->turn ^= 1];
    const struct solver_table position = {device->position, device->position_bytes};
    const struct solver_visit visit = {.tables = &position,
                                       .table_count = takes_halo,
                                       .guests = domains->halo,
                                       .guest_count = takes_halo ? domains->ranges : 0,
                                       .rows = share->share.of * GAS_UNIT,
                                       .notes = {notes, NOTE_BYTES},
                                       .stays = true};
    enum shoal_status status = shoal_buffer_copy(share->queue, device->words, 0, notes,
                                                 share->share.number * NOTE_BYTES, NOTE_BYTES, error);
    if (!status)
        status = share->meet(share->meet_data, &visit, error);
    return status ? status
                  : LAUNCH(gas_domains_merge, share->queue, domains->merge, 1, error, .words = device->words,
                           .notes = notes, .shares = (uint32_t)share->share.shares);
}

enum shoal_status gas_domains_built(struct shoal_solver *share, struct shoal_error *error)
{
    if (!gas_device_of(share)->domains)
        return SHOAL_OK;
    const enum shoal_status status = gas_domains_find_halo(share, error);
    return status ? status : meet(share, false, error);
}

enum shoal_status gas_domains_step(struct shoal_solver *share, struct shoal_error *error)
{
    return gas_device_of(share)->domains ? meet(share, true, error) : SHOAL_OK;
}

/* Crossings -------------------------------------------------------------------------------------------- */

enum shoal_status gas_domains_pack(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    const struct gas_range own = gas_own_range(share);
    if (!domains || !domains->packed)
        return SHOAL_OK;
    return LAUNCH(gas_domains_pack, share->queue, domains->pack,
                  shoal_kernel_groups(domains->pack, gas_count(own)), error, .ids = device->id,
                  .image = device->image, .packed = domains->packed, .begin = own.begin, .end = own.end);
}

enum shoal_status gas_domains_unpack(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    if (!domains || !domains->packed)
        return SHOAL_OK;
    return LAUNCH(gas_domains_unpack, share->queue, domains->unpack,
                  shoal_kernel_groups(domains->unpack, device->problem.n), error, .ids = device->id,
                  .image = device->image, .packed = domains->packed, .begin = 0,
                  .end = (uint32_t)device->problem.n);
}

struct shoal_buffer *gas_domains_crossings(const struct gas_device *device)
{
    return device->domains ? device->domains->packed : device->image;
}

/* Agreement -------------------------------------------------------------------------------------------- */

static bool are_alike(const struct gas_neighbours *one, const struct gas_neighbours *other)
{
    return one->skin == other->skin && one->sort->mesh.pencil == other->sort->mesh.pencil &&
           memcmp(one->sort->mesh.cells, other->sort->mesh.cells, sizeof one->sort->mesh.cells) == 0;
}

enum shoal_status gas_domains_agree(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct solver_list shares = solver_holders(&whole);
    const struct gas_neighbours *first = gas_device_of(shares.solvers[0])->domains->neighbours;
    for (size_t k = 1; k < shares.count; k++)
        if (!are_alike(first, gas_device_of(shares.solvers[k])->domains->neighbours))
            return fail(error, SHOAL_INVALID,
                        "%s and %s are of different kinds and would sort particles by different cells: give "
                        "--method allpairs, or devices of one kind",
                        shoal_device_get_info(shares.solvers[0]->device)->id,
                        shoal_device_get_info(shares.solvers[k]->device)->id);
    return SHOAL_OK;
}
