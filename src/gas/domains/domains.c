/* A gas with neighbour lists that several devices share: cl/gas/methods/domains.cl. */
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"
#include "gas/device/motion.h"
#include "gas/domains/domains_state.h"

#include <stdlib.h>
#include <string.h>

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
                                           {"gas_domains_count", &domains->count_own},
                                           {"gas_domains_join", &domains->join},
                                           {"gas_domains_crossings", &domains->crossings},
                                           {"gas_domains_merge", &domains->merge}};
    struct defines defines = {.count = 0};
    gas_state_defines(share, &defines);
    const enum shoal_status status = programs_build(&share->programs, &gas_domains_program, &defines, kernels,
                                                    COUNT(kernels), NULL, error);
    if (!status)
        kernel_omit_times(domains->join); /* the host only waits for its events */
    return status;
}

static enum shoal_status allocate(struct shoal_solver *share, struct gas_domains *domains,
                                  struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(share)->problem;
    const double padded = problem->any_periodic ? (double)gas_device_of(share)->padded : 0;
    const double notes = (double)share->share.shares * GAS_WORDS;
    const struct array list[] = {
        {&domains->layers, 2 * (double)domains->count + 1, sizeof(uint32_t), ARRAY_ZERO},
        {&domains->totals, 2 * (double)share->share.shares * domains->count, sizeof(uint32_t)},
        {&domains->packed, padded * (double)problem->dim, sizeof(int32_t)},
        {&domains->notes[0], notes, sizeof(uint32_t), ARRAY_ZERO},
        {&domains->notes[1], notes, sizeof(uint32_t), ARRAY_ZERO},
    };
    domains->arrays.queue = share->queue;
    ARRAYS_SET(&domains->arrays, list);
    const size_t numbers = 2 * (size_t)domains->count + 1, ends = share->share.shares + 1;
    domains->firsts = calloc(numbers, sizeof *domains->firsts);
    domains->next = calloc(numbers, sizeof *domains->next);
    domains->shares = calloc(3 * ends, sizeof *domains->shares);
    if (!domains->firsts || !domains->next || !domains->shares)
        return fail_host_memory(error);
    domains->before = domains->shares + ends;
    domains->cuts = domains->before + ends;
    const enum shoal_status status = arrays_create(&domains->arrays, error);
    return status ? status : shoal_queue_create(share->device, 0, &domains->reader, error);
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
    shoal_event_destroy(&domains->joined);
    shoal_queue_destroy(&domains->reader);
    arrays_destroy(&domains->arrays);
    free(domains->firsts);
    free(domains->next);
    free(domains->shares);
    free(domains);
    gas_device_of(share)->domains = NULL;
    gas_device_of(share)->own = (struct gas_range){0, 0};
}

double gas_domains_bytes(const struct shoal_solver *share)
{
    const struct gas_device *device = gas_device_of(share);
    return share->share.of && device->problem.any_periodic
               ? (double)device->padded * (double)device->problem.dim * sizeof(int32_t)
               : 0;
}

/* Layers ----------------------------------------------------------------------------------------------- */

/* Returns the layers of the last sort or, if `next`, of the next sort. */
static struct gas_layers layers_of(const struct shoal_solver *share, bool next)
{
    const struct gas_problem *problem = &gas_device_of(share)->problem;
    const struct gas_domains *domains = gas_device_of(share)->domains;
    return (struct gas_layers){.count = domains->count,
                               .is_periodic = problem->boundary[problem->dim - 1] == SHOAL_GAS_PERIODIC,
                               .firsts = next ? domains->next : domains->firsts,
                               .before = domains->next,
                               .neighbours = domains->firsts + domains->count + 1};
}

size_t gas_domains_guests(const struct gas_ranges *blocks, struct solver_guest guests[GAS_RANGES])
{
    for (size_t i = 0; i < blocks->count; i++)
        guests[i] = (struct solver_guest){.unit = blocks->list[i].begin, .count = gas_count(blocks->list[i])};
    return blocks->count;
}

static enum shoal_status read_layers(struct shoal_solver *share, struct shoal_queue *queue,
                                     struct shoal_error *error)
{
    const struct gas_domains *domains = gas_device_of(share)->domains;
    return shoal_buffer_read(queue, domains->layers, 0, domains->next,
                             (2 * (size_t)domains->count + 1) * sizeof *domains->next, error);
}

/* Called after a sort: makes the layers in `next` the layers of the last sort, and finds the share's halo. */
static void take_layers(struct shoal_solver *share)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    const struct gas_layers layers = layers_of(share, true);
    const struct gas_range own = gas_layers_of(&layers, gas_own_range(share));
    const struct gas_ranges near = gas_layers_around(&layers, own, domains->reach);
    uint32_t *const next = domains->next;
    domains->halo = gas_layers_blocks(&layers, &near);
    domains->inner = gas_layers_inner(&layers, own, domains->reach);
    domains->next = domains->firsts;
    domains->firsts = next;
    domains->is_sorted = true;
}

enum shoal_status gas_domains_await(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    if (!domains->joined)
        return SHOAL_OK;
    enum shoal_status status = shoal_event_wait(domains->joined, error);
    shoal_event_destroy(&domains->joined);
    if (!status)
        status = read_layers(share, domains->reader, error);
    if (!status)
        take_layers(share);
    return status;
}

enum shoal_status gas_domains_find_halo(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    if (!domains)
        return SHOAL_OK;
    const struct gas_sort *sort = domains->neighbours->sort;
    domains->is_put_off = false; /* it may have been left by a failure */
    enum shoal_status status =
        LAUNCH(gas_domains_layers, share->queue, domains->layers_of,
               shoal_kernel_groups(domains->layers_of, (size_t)domains->count + 1), error,
               .starts = sort->starts, .firsts = domains->layers, .count = domains->count,
               .width = domains->width, .cells = (uint32_t)gas_mesh_total(&sort->mesh));
    if (!status)
        status = read_layers(share, share->queue, error);
    if (status)
        return status;
    /* The numbers of neighbours become 0, since they may be from lists that this share has not built. */
    memset(domains->next + domains->count + 1, 0, domains->count * sizeof *domains->next);
    memset(domains->firsts, 0, (domains->count + 1) * sizeof *domains->firsts);
    take_layers(share);
    return SHOAL_OK;
}

const uint64_t *gas_domains_cuts(const struct gas_device *device)
{
    return device->domains && device->domains->is_cut ? device->domains->cuts : NULL;
}

void gas_domains_forget(struct shoal_solver *share)
{
    if (gas_device_of(share)->domains)
        gas_device_of(share)->domains->is_sorted = false;
}

/* Crossings -------------------------------------------------------------------------------------------- */

/* Particles whose crossings a launch copies. */
struct carried {
    struct gas_places places;
    uint32_t count;
};

/* The particles at these places, at most GAS_PLACE_RANGES ranges; none if there are no crossings. */
static struct carried carried_of(const struct gas_domains *domains, const struct gas_range *ranges,
                                 size_t range_count)
{
    return (struct carried){gas_places_of(ranges, range_count),
                            domains->packed ? (uint32_t)gas_count_all(ranges, range_count) : 0};
}

/* Number of work-groups of a kernel that copy the crossings. */
static size_t carried_groups(const struct shoal_kernel *kernel, const struct carried *carried)
{
    return carried->count ? shoal_kernel_groups(kernel, carried->count) : 0;
}

/* Copies the crossings of the particles at these places, at most GAS_PLACE_RANGES ranges, to the order of
 * places or, unless `packs`, to the order of the particles' numbers. */
static enum shoal_status carry(struct shoal_solver *share, bool packs, const struct gas_range *ranges,
                               size_t range_count, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    const struct carried carried = carried_of(domains, ranges, range_count);
    if (!carried.count)
        return SHOAL_OK;
    return LAUNCH(gas_domains_crossings, share->queue, domains->crossings,
                  carried_groups(domains->crossings, &carried), error, .ids = device->id,
                  .image = device->image, .packed = domains->packed, .count = carried.count, .packs = packs,
                  .places = &carried.places);
}

enum shoal_status gas_domains_pack(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_range own = gas_own_range(share);
    return gas_device_of(share)->domains ? carry(share, true, &own, 1, error) : SHOAL_OK;
}

enum shoal_status gas_domains_unpack(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_range all = {0, (uint32_t)gas_device_of(share)->problem.n};
    return gas_device_of(share)->domains ? carry(share, false, &all, 1, error) : SHOAL_OK;
}

struct shoal_buffer *gas_domains_crossings(const struct gas_device *device)
{
    return device->domains ? device->domains->packed : device->image;
}

struct shoal_buffer *gas_domains_reference(const struct gas_device *device)
{
    return device->domains ? device->domains->neighbours->sort->reference : NULL;
}

/* Rebuilds --------------------------------------------------------------------------------------------- */

/* The totals as a table of notes. Unless `travels`: no notes. */
static struct solver_table totals_of(const struct gas_domains *domains, bool travels)
{
    return (struct solver_table){domains->totals, travels ? 2 * domains->count * sizeof(uint32_t) : 0};
}

/* Counts the share's particles, which are at the places `own`, and their neighbours in each layer, and packs
 * crossings. */
static enum shoal_status count_layers(struct shoal_solver *share, struct gas_range own,
                                      const struct carried *packed, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    struct gas_sort *sort = domains->neighbours->sort;
    const struct gas_arrays from = gas_arrays_of(device);
    const enum shoal_status status = gas_sort_count_own(share, sort, &from, own, error);
    return status
               ? status
               : LAUNCH(gas_domains_count, share->queue, domains->count_own,
                        domains->count + carried_groups(domains->count_own, packed), error,
                        .counts = sort->counts, .firsts = domains->layers,
                        .neighbours = domains->neighbours->counts, .totals = domains->totals,
                        .ids = device->id, .image = device->image, .packed = domains->packed,
                        .carried = packed->count, .places = &packed->places,
                        .first = (uint32_t)share->share.number * 2 * domains->count, .layers = domains->count,
                        .width = domains->width, .cells = (uint32_t)gas_mesh_total(&sort->mesh),
                        .begin = own.begin, .end = own.end, .all = !domains->is_sorted);
}

/* Enqueues the kernel that adds up, over all shares, the numbers of particles and neighbours of each layer,
 * counts the particles of `others`, and unpacks their crossings. others: from gas_sort_others; all 0: the
 * share sorts all layers, and does not have these particles yet. */
static enum shoal_status join(struct shoal_solver *share, const struct gas_sort_launch *others,
                              struct shoal_event **event, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    const struct gas_sort *sort = domains->neighbours->sort;
    const size_t groups = others->count ? shoal_kernel_groups(domains->join, others->count) : 0;
    return LAUNCH_EVENT(gas_domains_join, share->queue, domains->join, 1 + groups, event, error,
                        .totals = domains->totals, .firsts = domains->layers, .counts = sort->counts,
                        .keys = sort->keys, .position = device->position, .settings = device->settings,
                        .ids = device->id, .image = device->image, .packed = domains->packed,
                        .shares = (uint32_t)share->share.shares, .count = domains->count,
                        .width = domains->width, .cells = &sort->mesh, .launch = others);
}

/* Adds up the numbers of all shares, and counts the particles of other shares that the sort takes. */
static enum shoal_status join_part(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    struct gas_sort *sort = domains->neighbours->sort;
    const struct gas_sort_launch others = gas_sort_others(sort);
    sort->part.has_counted_others = true;
    return join(share, &others, &domains->joined, error);
}

/* Sets the first cuts, and the fractions of the cost, by the units of the shares at the start of the run. */
static void take_shares(const struct shoal_solver *share)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    struct shoal_solver *whole = share->share.whole;
    const struct solver_list shares = solver_holders(&whole);
    for (size_t k = 0; k < shares.count; k++)
        domains->shares[k] = shares.solvers[k]->share.first;
    domains->shares[shares.count] = share->share.of;
    memcpy(domains->cuts, domains->shares, (shares.count + 1) * sizeof *domains->cuts);
    domains->is_cut = true;
}

/* The places of the particles of share number `k`. */
static struct gas_range places_of(const struct shoal_solver *share, size_t k)
{
    const uint64_t *cuts = gas_device_of(share)->domains->cuts + k;
    const size_t n = gas_device_of(share)->problem.n, end = (size_t)cuts[1] * GAS_UNIT;
    return (struct gas_range){(uint32_t)(cuts[0] * GAS_UNIT), (uint32_t)(end < n ? end : n)};
}

/* Moves the cuts so that each share has its part of the cost. All shares compute the same cuts. Returns
 * whether a cut has moved. */
static bool move_cuts(struct shoal_solver *share)
{
    struct gas_device *device = gas_device_of(share);
    struct gas_domains *domains = device->domains;
    const struct gas_layers layers = layers_of(share, false);
    if (!domains->is_cut)
        take_shares(share);
    memcpy(domains->before, domains->cuts, (share->share.shares + 1) * sizeof *domains->cuts);
    if (!domains->is_sorted || !gas_domains_cut(&layers, domains->shares, share->share.shares, domains->cuts))
        return false;
    device->own = places_of(share, share->share.number);
    return true;
}

/* Adds the range begin .. end - 1 of places to part->others, but leaves out the places in part->own. */
static void add_others(struct gas_sort_part *part, uint32_t begin, uint32_t end)
{
    const struct gas_range before = {begin, end < part->own.begin ? end : part->own.begin},
                           behind = {begin > part->own.end ? begin : part->own.end, end};
    if (before.end > before.begin)
        part->others[part->other_count++] = before;
    if (behind.end > behind.begin)
        part->others[part->other_count++] = behind;
}

static struct gas_range cells_of(const struct gas_domains *domains, struct gas_range layers)
{
    const uint32_t cells = (uint32_t)gas_mesh_total(&domains->neighbours->sort->mesh);
    return (struct gas_range){layers.begin * domains->width,
                              layers.end < domains->count ? layers.end * domains->width : cells};
}

/* The layers whose particles a share needs to sort its places `own` and the layers of their neighbours.
 * Between two sorts a particle moves by less than the thickness of a layer (by half the skin and, in the last
 * step, half the cutoff at most), so they come from the sorted layers and one more layer on either side. */
static struct gas_ranges needed_layers(const struct shoal_solver *share, struct gas_range own)
{
    const struct gas_layers layers = layers_of(share, false);
    return gas_layers_around(&layers, gas_layers_next(&layers, own),
                             gas_device_of(share)->domains->reach + 1);
}

/* Plans the sort of a share: the layers of its own places and of their neighbours. The host does not know
 * the new layers yet. To avoid a wait it uses layers of the last sort that are sure to contain the particles.
 * counted: places of the share's particles before the sort. *needed: the units that the sort needs. */
static struct gas_sort_part plan_sort(const struct shoal_solver *share, struct gas_range counted,
                                      struct gas_ranges *needed)
{
    const struct gas_domains *domains = gas_device_of(share)->domains;
    const struct gas_layers layers = layers_of(share, false);
    const struct gas_range own = gas_layers_next(&layers, gas_own_range(share));
    const struct gas_ranges sorted = gas_layers_around(&layers, own, domains->reach);
    const struct gas_ranges around = needed_layers(share, gas_own_range(share));
    struct gas_sort_part part = {.own = counted};
    for (size_t i = 0; i < sorted.count; i++)
        part.cells[part.cell_count++] = cells_of(domains, sorted.list[i]);
    *needed = gas_layers_blocks(&layers, &around);
    for (size_t i = 0; i < around.count; i++)
        add_others(&part, domains->firsts[around.list[i].begin], domains->firsts[around.list[i].end]);
    return part;
}

/* Plans a sort of all particles, for use after other code than steps has moved particles. After this sort
 * each place holds a valid particle, even a place that later sorts of the share do not reach. */
static struct gas_sort_part plan_whole_sort(const struct shoal_solver *share, struct gas_range counted,
                                            struct gas_ranges *needed)
{
    const struct gas_domains *domains = gas_device_of(share)->domains;
    struct gas_sort_part part = {
        .own = counted,
        .cells = {cells_of(domains, (struct gas_range){0, domains->count})},
        .cell_count = 1,
    };
    *needed = (struct gas_ranges){{{0, (uint32_t)share->share.of}}, 1};
    add_others(&part, 0, (uint32_t)gas_device_of(share)->problem.n);
    return part;
}

/* Finds those particles at the places `own` whose border crossings other shares need. If they are in more
 * than GAS_PLACE_RANGES ranges, packs those in the first ranges and finds the others. */
static enum shoal_status find_needed(struct shoal_solver *share, struct gas_range own, struct carried *found,
                                     struct shoal_error *error)
{
    const uint32_t *firsts = gas_device_of(share)->domains->firsts;
    struct gas_range ranges[GAS_PLACE_RANGES] = {{0, 0}};
    size_t count = 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < share->share.shares; k++) {
        const struct gas_ranges needed = needed_layers(share, places_of(share, k));
        for (size_t i = 0; k != share->share.number && i < needed.count && !status; i++) {
            const uint32_t begin = firsts[needed.list[i].begin], end = firsts[needed.list[i].end];
            const struct gas_range places = {begin > own.begin ? begin : own.begin,
                                             end < own.end ? end : own.end};
            if (places.end <= places.begin)
                continue;
            if (count == GAS_PLACE_RANGES) {
                status = carry(share, true, ranges, count, error);
                count = 0;
            }
            ranges[count++] = places;
        }
    }
    *found = carried_of(gas_device_of(share)->domains, ranges, count);
    return status;
}

/* Exchanges the totals of all shares unless `is_whole`, and copies the state of the particles in the `needed`
 * blocks. Neither changes before the next meeting, since the sort writes other arrays. */
static enum shoal_status gather(struct shoal_solver *share, bool is_whole, const struct gas_ranges *needed,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const struct gas_domains *domains = device->domains;
    const struct solver_table tables[] = {
        {device->position, device->position_bytes},
        {device->velocity, device->velocity_bytes},
        {device->id, sizeof(uint32_t)},
        {domains->packed, device->problem.dim * sizeof(int32_t)},
    };
    struct solver_guest guests[GAS_RANGES];
    const struct solver_visit visit = {.tables = tables,
                                       .table_count = COUNT(tables) - !domains->packed,
                                       .guests = guests,
                                       .guest_count = gas_domains_guests(needed, guests),
                                       .rows = share->share.of * GAS_UNIT,
                                       .notes = totals_of(domains, !is_whole),
                                       .cuts = domains->before,
                                       .stays = true};
    return share->meet(share->meet_data, &visit, error);
}

/* Copies the exchange (heat and impulse) of the places that the new cuts give to the share. */
static enum shoal_status gather_exchange(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const uint64_t *own = device->domains->cuts + share->share.number;
    const struct solver_table table = {device->exchange,
                                       gas_exchange_entries(&device->problem) * GAS_EXCHANGE_BYTES};
    const struct solver_guest guest = {.unit = own[0], .count = (size_t)(own[1] - own[0])};
    const struct solver_visit visit = {.tables = &table,
                                       .table_count = 1,
                                       .guests = &guest,
                                       .guest_count = 1,
                                       .rows = share->share.of * GAS_UNIT,
                                       .cuts = device->domains->before,
                                       .stays = true};
    return table.row ? share->meet(share->meet_data, &visit, error) : SHOAL_OK;
}

/* Finds the layers of a sort of all particles. */
static enum shoal_status find_layers(struct shoal_solver *share, struct shoal_error *error)
{
    const struct gas_sort_launch none = {.count = 0};
    const struct solver_visit visit = {.rows = share->share.of * GAS_UNIT,
                                       .notes = totals_of(gas_device_of(share)->domains, true),
                                       .cuts = gas_domains_cuts(gas_device_of(share)),
                                       .stays = true};
    enum shoal_status status = share->meet(share->meet_data, &visit, error);
    if (!status)
        status = join(share, &none, NULL, error);
    if (!status) /* enqueued before read_layers waits, so that the device has work */
        status = gas_domains_pack(share, error);
    return status ? status : read_layers(share, share->queue, error);
}

enum shoal_status gas_domains_gather(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_domains *domains = gas_device_of(share)->domains;
    if (!domains)
        return SHOAL_OK;
    struct gas_sort *sort = domains->neighbours->sort;
    const struct gas_range counted = gas_own_range(share);
    const bool is_whole = !domains->is_sorted, has_moved = move_cuts(share);
    struct carried packed = {.count = 0};
    struct gas_ranges needed;
    enum shoal_status status = is_whole ? SHOAL_OK : find_needed(share, counted, &packed, error);
    if (!status)
        status = count_layers(share, counted, &packed, error);
    if (!status && is_whole)
        status = find_layers(share, error);
    if (status)
        return status;
    sort->part = (is_whole ? plan_whole_sort : plan_sort)(share, counted, &needed);
    shoal_event_destroy(&domains->joined);
    status = gather(share, is_whole, &needed, error);
    /* The share already has the crossings of its own particles, so only others are unpacked. */
    if (!status)
        status = is_whole ? carry(share, false, sort->part.others, sort->part.other_count, error)
                          : join_part(share, error);
    if (!status && has_moved)
        status = gather_exchange(share, error);
    sort->has_part = !status;
    if (!status && is_whole)
        take_layers(share);
    return status;
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
