/* Focused ants on a device, by the kernels of cl/tsp/faco/faco_ants.cl, faco_merge.cl and faco_source.cl. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "tsp/faco/faco.h"
#include "tsp/faco/layout.h"
#include "tsp/model/rules.clh"
#include "workload/arrays.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ANTS = 16 };

static const struct shoal_define_desc ant_defines[] = {
    DEFINE(tsp_faco_ants, ANTS, 1, MOST_ANTS,
           "ants of a group: 1, made by its work-items together, or WG; WG if it is below 8"),
    DEFINE(tsp_faco_ants, WG, 1, 32, "work-items of a group"),
    DEFINE(tsp_faco_ants, HAS_PIECES, 0, 1, "1: sources have several pieces"),
    TSP_PLACES_DEFINES(tsp_faco_ants),
};

/* Bytes of local memory of struct faco_ant in cl/tsp/faco/ant.clh. The struct has FACO_TASKS tasks, which is
 * an eighth of the work-items, but at least two. ANT_BYTES counts two tasks and LANE_BYTES, for each
 * work-item, an eighth of a task: the sum is at least what the struct needs. ITEM_BYTES is needed only if one
 * work-item constructs the whole tour of an ant. */
enum {
    TASK_BYTES = 4 * 8 + 9 * 4 + 4,
    ITEM_BYTES = 4 + 1024 + 2 * 8 * FACO_SEGMENTS,
    ANT_BYTES = 4 * 128 + 4 * 4 * FACO_SEGMENTS + 4 * FACO_SEGMENTS + 4 + 2 * 4 * 64 + 2 * 4 + 3 * 4 +
                2 * TASK_BYTES + 32 + 8 + ITEM_BYTES,
    LANE_BYTES = 8 * 4 + 8 + TASK_BYTES / 8
};

static const struct shoal_entry_desc ant_entries[] = {
    ENTRY(tsp_faco_ants, faco_ants, .local_bytes_per_item = LANE_BYTES, .local_define = "ANTS",
          .local_bytes_per_unit = ANT_BYTES, .help = "tours of ants, each by a work-item or by a group"),
};

const struct shoal_program_desc tsp_faco_ants_program =
    PROGRAM("tsp.faco-ants", tsp_faco_ants, SHOAL_WITHOUT_CONTRACTION, ant_defines, ant_entries);

static const struct shoal_define_desc merge_defines[] = {
    DEFINE(tsp_faco_merge, REAL, 32, 64, "format of random numbers, of which whole ones are drawn"),
    DEFINE(tsp_faco_merge, WG, 1, 64, "work-items of a group"),
};

/* Bytes of local memory of struct faco_merge in cl/tsp/faco/merge.clh. */
enum { MERGE_BYTES = 3 * 4 * FACO_MERGED + 2 * 2 * FACO_MERGED + FACO_SEGMENTS + 8 + 4 * 4 };

static const struct shoal_entry_desc merge_entries[] = {
    ENTRY(tsp_faco_merge, faco_merge, .local_bytes = MERGE_BYTES, .local_bytes_per_item = 12,
          .help = "chooses the ants of a step that are combined (--merge, --pieces)"),
    ENTRY(tsp_faco_merge, faco_total, .local_bytes_per_item = 8,
          .help = "decides about the next source tour by its pieces"),
};

const struct shoal_program_desc tsp_faco_merge_program =
    PROGRAM("tsp.faco-merge", tsp_faco_merge, 0, merge_defines, merge_entries);

static const struct shoal_define_desc source_defines[] = {
    DEFINE(tsp_faco_source, WG, 1, 256, "work-items of a group, a power of two"),
    TSP_PLACES_DEFINES(tsp_faco_source),
};

static const struct shoal_entry_desc source_entries[] = {
    ENTRY(tsp_faco_source, faco_decide, .local_bytes_per_item = 8 + 4 + 8,
          .help = "the shortest tour of each colony's step"),
    ENTRY(tsp_faco_source, faco_rebuild, .roof = SHOAL_ROOF_COPY_BYTES, .help = "the next source tour"),
    ENTRY(tsp_faco_source, faco_exchange, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "takes the best tours of other colonies (--exchange)"),
    ENTRY(tsp_faco_source, faco_renew, .roof = SHOAL_ROOF_COPY_BYTES,
          .local_bytes_per_item = 6 * 4 + 2 + 17 * 4,
          .help = "pheromone, and the probabilities of following the source tour"),
};

const struct shoal_program_desc tsp_faco_source_program =
    PROGRAM("tsp.faco-source", tsp_faco_source, SHOAL_WITHOUT_CONTRACTION, source_defines, source_entries);

struct faco_device {
    struct tsp_colonies common;
    struct faco faco;
    /* copy of the states of the colonies on the host, updated by tsp_colonies_look */
    struct faco_colony *seen;
    struct shoal_kernel *ants, *decide, *merge, *total, *rebuild, *exchange, *renew;
    uint32_t group_ants;            /* number of ants in a work-group */
    struct shoal_buffer *orders[2]; /* [0]: source of each colony; [1]: source for the next step */
    struct shoal_buffer *best, *positions, *stops, *legs, *trails, *weights, *lists, *desires, *reach,
        *colonies, *changes, *counts, *pieces, *starts;
    /* merged: merged segments of each piece; merged_counts: their number; results: result of the merge of
     * each piece */
    struct shoal_buffer *merged, *merged_counts, *results;
    /* coordinates of the cities in the order of the source; used if distances depend on coordinates only */
    struct shoal_buffer *placed;
};

static struct faco_device *device_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Returns whether kernels compute distances from positions in the source: the same condition as
 * FACO_BY_POSITION in cl/tsp/faco/places.clh. */
static bool is_by_position(const struct faco_device *device)
{
    return tsp_form_is_plain(&device->faco.problem->form);
}

/* Create ------------------------------------------------------------------------------------------------ */

static void list_arrays(struct shoal_solver *solver)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const double colonies = settings->colonies, cities = colonies * settings->n,
                 ants = colonies * settings->ants,
                 merged = settings->merges ? colonies * settings->pieces : 0;
    const double entries = (double)settings->n * settings->k;
    const size_t used = (size_t)settings->colonies * settings->n, word = sizeof(uint32_t);
    const struct array list[] = {
        {&device->orders[0], cities, word, ARRAY_SAVE, "sources", used},
        {&device->orders[1], cities, word},
        {&device->best, cities, word, ARRAY_SAVE, "best tours", used},
        {&device->positions, cities, word},
        {&device->stops, cities, sizeof(struct faco_stop)},
        {&device->legs, cities, sizeof(int64_t)},
        {&device->weights, cities * settings->k, word},
        /* The array has one element more than the pheromone, since `begin` fills it by 32-bit words. */
        {&device->trails, cities * settings->k + 1, sizeof(uint16_t), ARRAY_SAVE, "pheromone",
         used * settings->k},
        {&device->lists, entries, word},
        {&device->desires, entries, word},
        {&device->reach, entries, word},
        {&device->colonies, colonies, sizeof(struct faco_colony), ARRAY_SAVE, "colonies", settings->colonies},
        {&device->changes, ants, sizeof(int64_t), ARRAY_ZERO},
        {&device->counts, ants, word},
        {&device->pieces, ants * FACO_SEGMENTS, sizeof(struct faco_piece)},
        {&device->starts, settings->merges ? merged * FACO_MERGED : colonies * FACO_SEGMENTS, word},
        {&device->merged, merged * FACO_MERGED, sizeof(struct faco_piece)},
        {&device->merged_counts, merged, word},
        {&device->results, merged, sizeof(struct faco_result)},
        {&device->placed, is_by_position(device) ? cities : 1, tsp_places_bytes(&device->faco.problem->form)},
        {&device->common.sent_tours, tsp_sent_rows(solver) * settings->n, word},
        {&device->common.sent_states, tsp_sent_rows(solver), sizeof(struct faco_colony)},
    };
    device->common.arrays.queue = solver->queue;
    ARRAYS_SET(&device->common.arrays, list);
}

/* Builds the kernel that constructs the tours. On a GPU 32 work-items construct the tour of an ant together,
 * so that they load memory at the same time; on a CPU a work-item constructs a whole tour. */
static enum shoal_status build_ants(struct shoal_solver *solver, struct shoal_error *error)
{
    enum { TEAM = 32, LEAST_TEAM = 8 };
    struct faco_device *device = device_of(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct shoal_program_desc *desc = &tsp_faco_ants_program;
    const struct entry_kernel ants = {"faco_ants", &device->ants};
    struct defines defines = {.count = 0};
    int64_t group = choose_define(solver->device, desc, "WG", info->is_cpu ? 1 : TEAM).value;
    const bool are_many =
        choose_define(solver->device, desc, "ANTS", info->is_cpu ? MOST_ANTS : 1).value > 1 ||
        group < LEAST_TEAM;
    group = are_many && group > MOST_ANTS ? MOST_ANTS : group;
    tsp_places_defines(tsp_problem_of(solver), &defines);
    define_add(&defines, "ANTS", are_many ? group : 1);
    define_add(&defines, "WG", group);
    define_add(&defines, "HAS_PIECES", device->faco.settings->pieces > 1);
    const enum shoal_status status = programs_build(&solver->programs, desc, &defines, &ants, 1, NULL, error);
    if (!status)
        device->group_ants = are_many ? shoal_kernel_work_group(device->ants) : 1;
    return status;
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct defines none = {.count = 0};
    struct defines defines = none;
    tsp_places_defines(tsp_problem_of(solver), &defines);
    const struct entry_kernel merge[] = {{"faco_merge", &device->merge}, {"faco_total", &device->total}};
    const struct entry_kernel kernels[] = {{"faco_decide", &device->decide},
                                           {"faco_rebuild", &device->rebuild},
                                           {"faco_exchange", &device->exchange},
                                           {"faco_renew", &device->renew}};
    enum shoal_status status = build_ants(solver, error);
    if (!status && device->faco.settings->merges)
        status = programs_build(&solver->programs, &tsp_faco_merge_program, &none, merge, COUNT(merge), NULL,
                                error);
    return status ? status
                  : programs_build(&solver->programs, &tsp_faco_source_program, &defines, kernels,
                                   COUNT(kernels), NULL, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_device *device = calloc(1, sizeof *device);
    solver->method.state = device;
    if (!device)
        return fail_host_memory(error);
    enum shoal_status status = faco_create(solver, &device->faco, error);
    if (status)
        return status;
    device->seen = calloc(device->faco.settings->colonies, sizeof *device->seen);
    if (!device->seen)
        return fail_host_memory(error);
    faco_set_colonies(&device->faco, device->seen, &device->common);
    if (solver->shares)
        return SHOAL_OK;
    list_arrays(solver);
    status = tsp_check_memory(solver, &device->common.arrays, error);
    if (!status)
        status = build(solver, error);
    if (!status)
        status = arrays_create(&device->common.arrays, error);
    device->common.state_buffer = device->colonies;
    device->common.tour_buffer = device->best;
    device->common.number_buffer = device->changes;
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct faco_device *device = device_of(solver);
    if (!device)
        return;
    arrays_destroy(&device->common.arrays);
    faco_destroy(&device->faco);
    free(device->seen);
    free(device);
}

/* Steps ------------------------------------------------------------------------------------------------- */

static enum shoal_status launch_ants(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const struct tsp_places *places = &tsp_run_of(solver)->places;
    const size_t ants = (size_t)(settings->ants / settings->pieces) * settings->own_pieces;
    return LAUNCH(
        faco_ants, solver->queue, device->ants, (ants + device->group_ants - 1) / device->group_ants, error,
        .numbers = is_by_position(device) ? device->placed : places->numbers, .fixed = places->fixed,
        .cities = places->cities, .orders = device->orders[0], .positions = device->positions,
        .stops = device->stops, .legs = device->legs, .weights = device->weights, .candidates = device->lists,
        .reach = device->reach, .pieces = device->pieces, .counts = device->counts,
        .changes = device->changes, .settings = settings, .step = step);
}

static enum shoal_status launch_renew(struct shoal_solver *solver, uint32_t kept, uint32_t added,
                                      struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const size_t cities = (size_t)settings->n * settings->colonies;
    return LAUNCH(faco_renew, solver->queue, device->renew, shoal_kernel_groups(device->renew, cities), error,
                  TSP_PLACES_ARGS(&tsp_run_of(solver)->places), .orders = device->orders[0],
                  .candidates = device->lists, .desires = device->desires, .trails = device->trails,
                  .weights = device->weights, .stops = device->stops, .legs = device->legs,
                  .placed = device->placed, .settings = settings, .kept = kept, .added = added);
}

/* Copies to this share the pieces that the other shares have merged. */
static enum shoal_status gather_pieces(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct faco_device *device = device_of(solver);
    const struct solver_table tables[] = {
        {.buffer = device->merged, .row = FACO_MERGED * sizeof(struct faco_piece)},
        {.buffer = device->starts, .row = FACO_MERGED * sizeof(uint32_t)},
        {.buffer = device->results, .row = sizeof(struct faco_result)}};
    const struct solver_guest all = {.unit = 0, .count = solver->share.of};
    const struct solver_visit visit = {.tables = tables,
                                       .table_count = COUNT(tables),
                                       .guests = &all,
                                       .guest_count = 1,
                                       .rows = solver->share.of};
    return tsp_shares_pieces(solver) ? solver->meet(solver->meet_data, &visit, error) : SHOAL_OK;
}

static enum shoal_status launch_merge(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    enum shoal_status status = LAUNCH(
        faco_merge, solver->queue, device->merge, settings->own_pieces, error, .changes = device->changes,
        .pieces = device->pieces, .counts = device->counts, .merged = device->merged,
        .starts = device->starts, .results = device->results, .settings = settings);
    if (!status)
        status = gather_pieces(solver, error);
    return status ? status
                  : LAUNCH(faco_total, solver->queue, device->total, settings->colonies, error,
                           .results = device->results, .colonies = device->colonies,
                           .merged_counts = device->merged_counts, .settings = settings, .step = step);
}

static enum shoal_status launch_decide(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    return LAUNCH(faco_decide, solver->queue, device->decide, settings->colonies, error,
                  .changes = device->changes, .pieces = device->pieces, .counts = device->counts,
                  .colonies = device->colonies, .starts = device->starts, .settings = settings, .step = step);
}

static enum shoal_status exchange(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const size_t cities = (size_t)settings->n * settings->colonies;
    uint32_t before;
    const enum shoal_status status = tsp_colonies_send(solver, &before, error);
    return status ? status
                  : LAUNCH(faco_exchange, solver->queue, device->exchange,
                           shoal_kernel_groups(device->exchange, cities), error,
                           .sent = device->common.sent_tours, .senders = device->common.sent_states,
                           .orders = device->orders[0], .best = device->best, .positions = device->positions,
                           .colonies = device->colonies, .settings = settings, .before = before);
}

static enum shoal_status launch_source(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const bool merges = settings->merges;
    const size_t cities = (size_t)settings->n * settings->colonies;
    enum shoal_status status =
        merges ? launch_merge(solver, step, error) : launch_decide(solver, step, error);
    if (!status)
        status =
            LAUNCH(faco_rebuild, solver->queue, device->rebuild, shoal_kernel_groups(device->rebuild, cities),
                   error, .orders = device->orders[0], .pieces = merges ? device->merged : device->pieces,
                   .counts = merges ? device->merged_counts : device->counts, .colonies = device->colonies,
                   .starts = device->starts, .next = device->orders[1], .best = device->best,
                   .positions = device->positions, .settings = settings);
    buffers_swap(&device->orders[0], &device->orders[1]);
    if (!status && tsp_exchange_is_due(solver, step))
        status = exchange(solver, error);
    return status ? status : launch_renew(solver, settings->kept, settings->added, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const uint64_t done = tsp_run_of(solver)->steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 1; i <= steps && !status; i++) {
        status = launch_ants(solver, (uint32_t)(done + i), error);
        if (!status)
            status = launch_source(solver, (uint32_t)(done + i), error);
    }
    return status;
}

/* Uploads the tables, and `orders` as the sources of the colonies, and computes the arrays that depend on
 * them. */
static enum shoal_status upload(struct shoal_solver *solver, const uint32_t *orders,
                                struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    const struct faco_settings *settings = device->faco.settings;
    const size_t n = settings->n, bytes = n * settings->k * sizeof(uint32_t);
    const size_t cities = n * settings->colonies;
    uint32_t *positions = malloc(cities * sizeof *positions);
    if (!positions)
        return fail_host_memory(error);
    for (size_t i = 0; i < cities; i++)
        positions[i - i % n + orders[i]] = (uint32_t)(i % n);
    enum shoal_status status =
        shoal_buffer_write(solver->queue, device->positions, 0, positions, cities * sizeof *positions, error);
    free(positions);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->lists, 0, device->faco.lists, bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->desires, 0, device->faco.desires, bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->reach, 0, device->faco.reach, bytes, error);
    return status ? status : launch_renew(solver, 65536, 0, error);
}

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    struct faco *faco = &device_of(solver)->faco;
    if (!solver->share.of)
        return faco_prepare(solver, faco, is_first, error);
    faco_share_tables(faco, &device_of(solver->share.whole)->faco);
    return SHOAL_OK;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    enum shoal_status status;
    const struct faco_settings *settings = device->faco.settings;
    const size_t n = settings->n, cities = n * settings->colonies;
    uint32_t *orders = malloc(cities * sizeof *orders);
    if (!orders)
        return fail_host_memory(error);
    for (uint32_t c = 0; c < settings->colonies; c++) {
        memcpy(orders + c * n, device->faco.first, n * sizeof *orders);
        device->seen[c] = (struct faco_colony){.source = device->faco.length, .best = device->faco.length};
    }
    status = shoal_buffer_write(solver->queue, device->orders[0], 0, orders, cities * sizeof *orders, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->best, 0, orders, cities * sizeof *orders, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->colonies, 0, device->seen,
                                    settings->colonies * sizeof *device->seen, error);
    if (!status) /* sets all pheromone to FACO_TRAIL */
        status = shoal_buffer_fill(solver->queue, device->trails, 0,
                                   (cities * settings->k + 1) / 2 * sizeof(uint32_t), UINT32_MAX, error);
    if (!status)
        status = upload(solver, orders, error);
    free(orders);
    return status;
}

/* State ------------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct faco_device *device = device_of(solver);
    void *orders = NULL;
    enum shoal_status status = faco_load(solver, &device->faco, checkpoint, error);
    if (!status)
        status = arrays_read(&device->common.arrays, "sources", &orders, error);
    if (!status)
        status = upload(solver, orders, error);
    free(orders);
    return status;
}

const struct tsp_method faco_device_method = {.base = {.name = "device",
                                                       .create = create,
                                                       .destroy = destroy,
                                                       .begin = begin,
                                                       .advance = advance,
                                                       .save = tsp_colonies_save,
                                                       .load = load},
                                              TSP_COLONIES_METHOD,
                                              .prepare = prepare};
