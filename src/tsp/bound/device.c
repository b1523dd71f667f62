/* The rounds of an ascent on a device: launches. */
#include "tsp/bound/device.h"

#include "base/error.h"
#include "base/threads.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "tsp/bound/rounds.h"

#include <stdlib.h>

#include "lib/host.h"
#include "tsp/bound/rounds.clh"

_Static_assert(sizeof(round_edge) == 16 && sizeof(struct tsp_edge) == 16, "as the kernel's");
_Static_assert(sizeof(round_total) == 48, "as the kernel's");

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_rounds, WG, 1, 512, "work-items of a group, a power of two"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_rounds, tsp_rounds_begin, .roof = SHOAL_ROOF_COPY_BYTES, .help = "each city alone"),
    ENTRY(tsp_rounds, tsp_rounds_keys, .roof = SHOAL_ROOF_COPY_BYTES, .help = "weights of edges"),
    ENTRY(tsp_rounds, tsp_rounds_nearest, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "shortest edge of each city"),
    ENTRY(tsp_rounds, tsp_rounds_join, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "joins sets by their shortest edges"),
    ENTRY(tsp_rounds, tsp_rounds_settle, .roof = SHOAL_ROOF_COPY_BYTES, .help = "the set of each city"),
    ENTRY(tsp_rounds, tsp_rounds_list, .local_bytes = 4, .local_bytes_per_item = 8,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "edges between sets, and the shortest of each set"),
    ENTRY(tsp_rounds, tsp_rounds_second, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "second shortest edge of each leaf"),
    ENTRY(tsp_rounds, tsp_rounds_sum, .local_bytes_per_item = 48, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "length of the tree, by groups"),
    ENTRY(tsp_rounds, tsp_rounds_total, .local_bytes_per_item = 48, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "length of the 1-tree"),
    ENTRY(tsp_rounds, tsp_rounds_move, .roof = SHOAL_ROOF_COPY_BYTES, .help = "new penalties"),
};

const struct shoal_program_desc tsp_rounds_program = PROGRAM("tsp.rounds", tsp_rounds, 0, defines, entries);

/* Create ------------------------------------------------------------------------------------------------- */

enum shoal_status tsp_bound_device_create(const struct tsp_places *places, struct programs *programs,
                                          struct tsp_bound_device *device, struct shoal_error *error)
{
    *device = (struct tsp_bound_device){.places = places, .programs = programs};
    const struct entry_kernel kernels[] = {
        {"tsp_rounds_begin", &device->begin},     {"tsp_rounds_keys", &device->keys},
        {"tsp_rounds_nearest", &device->nearest}, {"tsp_rounds_join", &device->join},
        {"tsp_rounds_settle", &device->settle},   {"tsp_rounds_list", &device->list},
        {"tsp_rounds_second", &device->second},   {"tsp_rounds_sum", &device->sum},
        {"tsp_rounds_total", &device->total},     {"tsp_rounds_move", &device->move},
    };
    const struct defines none = {.count = 0};
    return programs_build(programs, &tsp_rounds_program, &none, kernels, COUNT(kernels), &device->program,
                          error);
}

static struct shoal_queue *queue_of(const struct tsp_device_rounds *rounds)
{
    return rounds->device->places->arrays.queue;
}

/* Lists the arrays, and checks that they fit beside the places. edges: as a double, as it may be an estimate;
 * groups: work-groups of the cities. */
static enum shoal_status list_arrays(struct tsp_device_rounds *rounds, const struct tsp_places *places,
                                     double edges, double groups, struct shoal_error *error)
{
    enum { WORD = sizeof(uint32_t), LONG = sizeof(int64_t) };
    const double n = rounds->n;
    for (rounds->levels = 1; UINT64_C(1) << rounds->levels < rounds->n;)
        rounds->levels++;
    const struct array all[] = {
        {&rounds->edges, edges, sizeof(round_edge)},
        {&rounds->keys, edges, LONG},
        {&rounds->lists[0], edges, WORD},
        {&rounds->lists[1], edges, WORD},
        {&rounds->sets, n, WORD},
        {&rounds->leaders, n, WORD},
        {&rounds->shortest, n, WORD},
        {&rounds->joined, n, WORD},
        {&rounds->nearest, n, WORD},
        {&rounds->second, n, WORD},
        {&rounds->degrees, n, WORD},
        {&rounds->averages, n, WORD, .flags = ARRAY_ZERO},
        {&rounds->penalties, n, LONG},
        {&rounds->best, n, LONG},
        {&rounds->counts, rounds->levels, WORD},
        {&rounds->totals, groups, sizeof(round_total)},
        {&rounds->result, 1, sizeof(round_total)},
    };
    ARRAYS_SET(&rounds->arrays, all);
    rounds->arrays.queue = places->arrays.queue;
    return arrays_check(&rounds->arrays, arrays_bytes(&places->arrays), "tsp: the rounds of a lower bound",
                        "compute it on the host", error);
}

bool tsp_bound_is_for_device(const struct tsp_problem *problem, const struct tsp_places *places, int threads)
{
    /* Edges of a city with lists of 8; seconds of a thread for an edge in a round; edges of a thread; cities
     * of a work-group. */
    const double of_city = 6, edge_s = 5e-8, of_thread = 16384, of_group = 128;
    const double n = problem->form.n, edges = of_city * n, rounds = fmax(100, fmin(400, 2e4 / sqrt(n))),
                 alone_s = rounds * edges * edge_s, most = threads > 0 ? threads : threads_once(alone_s);
    struct tsp_device_rounds estimate = {.n = problem->form.n};
    struct shoal_error why;
    return tsp_is_sooner_on_device(places, alone_s / fmin(most, 1 + edges / of_thread)) &&
           !list_arrays(&estimate, places, 9 * n, n / of_group, &why);
}

static enum shoal_status upload(struct tsp_device_rounds *rounds, const struct tsp_graph *graph, int threads,
                                struct shoal_error *error)
{
    const uint32_t n = rounds->n;
    const round_total begin = {.best = INT64_MIN};
    struct tsp_edge *edges = malloc(graph->count * sizeof *edges);
    int64_t *penalties = malloc(n * sizeof *penalties);
    enum shoal_status status = SHOAL_OK;
    rounds->order = malloc(n * sizeof *rounds->order);
    if (!edges || !penalties || !rounds->order)
        status = fail_host_memory(error);
    if (!status)
        status = tsp_number_edges(graph, threads, rounds->order, edges, error);
    for (uint32_t i = 0; i < n && !status; i++)
        penalties[i] = graph->penalties[rounds->order[i]];
    if (!status)
        status = shoal_buffer_write(queue_of(rounds), rounds->edges, 0, edges, graph->count * sizeof *edges,
                                    error);
    if (!status)
        status = shoal_buffer_write(queue_of(rounds), rounds->penalties, 0, penalties, n * sizeof *penalties,
                                    error);
    if (!status)
        status = shoal_buffer_write(queue_of(rounds), rounds->result, 0, &begin, sizeof begin, error);
    free(edges);
    free(penalties);
    return status;
}

enum shoal_status tsp_device_rounds_create(const struct tsp_bound_device *device,
                                           const struct tsp_graph *graph, int threads,
                                           struct tsp_device_rounds *rounds, struct shoal_error *error)
{
    *rounds = (struct tsp_device_rounds){.device = device,
                                         .n = graph->n,
                                         .count = (uint32_t)graph->count,
                                         .fixed_count = (uint32_t)graph->fixed_count};
    enum shoal_status status = list_arrays(rounds, device->places, (double)graph->count,
                                           (double)shoal_kernel_groups(device->sum, graph->n), error);
    if (!status)
        status = arrays_create(&rounds->arrays, error);
    return status ? status : upload(rounds, graph, threads, error);
}

void tsp_device_rounds_destroy(struct tsp_device_rounds *rounds)
{
    arrays_destroy(&rounds->arrays);
    free(rounds->order);
    *rounds = (struct tsp_device_rounds){0};
}

/* Rounds ------------------------------------------------------------------------------------------------- */

/* Each city alone, with its shortest edge. */
static enum shoal_status begin(struct tsp_device_rounds *rounds, struct shoal_error *error)
{
    const struct tsp_bound_device *device = rounds->device;
    enum shoal_status status =
        LAUNCH(tsp_rounds_begin, queue_of(rounds), device->begin,
               shoal_kernel_groups(device->begin, rounds->n), error, .n = rounds->n, .levels = rounds->levels,
               .sets = rounds->sets, .shortest = rounds->shortest, .joined = rounds->joined,
               .second = rounds->second, .degrees = rounds->degrees, .counts = rounds->counts);
    if (!status)
        status = LAUNCH(tsp_rounds_keys, queue_of(rounds), device->keys,
                        shoal_kernel_groups(device->keys, rounds->count), error, .edges = rounds->edges,
                        .count = rounds->count, .fixed_count = rounds->fixed_count,
                        .penalties = rounds->penalties, .keys = rounds->keys);
    return status ? status
                  : LAUNCH(tsp_rounds_nearest, queue_of(rounds), device->nearest,
                           shoal_kernel_groups(device->nearest, rounds->count), error, .edges = rounds->edges,
                           .count = rounds->count, .keys = rounds->keys, .shortest = rounds->shortest);
}

static enum shoal_status join(struct tsp_device_rounds *rounds, uint32_t level, struct shoal_error *error)
{
    const struct tsp_bound_device *device = rounds->device;
    return LAUNCH(tsp_rounds_join, queue_of(rounds), device->join,
                  shoal_kernel_groups(device->join, rounds->n), error, .n = rounds->n, .level = level,
                  .edges = rounds->edges, .sets = rounds->sets, .shortest = rounds->shortest,
                  .counts = rounds->counts, .leaders = rounds->leaders, .nearest = rounds->nearest,
                  .joined = rounds->joined, .degrees = rounds->degrees);
}

/* Finds the sets after the joins of the level before, and the shortest edges between them. */
static enum shoal_status list(struct tsp_device_rounds *rounds, uint32_t level, struct shoal_error *error)
{
    /* As many work-groups as keep a device busy: most levels have few edges, or none. */
    enum { MOST_GROUPS = 4096 };
    const struct tsp_bound_device *device = rounds->device;
    const size_t groups = shoal_kernel_groups(device->list, rounds->count);
    const enum shoal_status status = LAUNCH(
        tsp_rounds_settle, queue_of(rounds), device->settle, shoal_kernel_groups(device->settle, rounds->n),
        error, .n = rounds->n, .level = level - 1, .counts = rounds->counts, .leaders = rounds->leaders,
        .sets = rounds->sets, .shortest = rounds->shortest);
    return status ? status
                  : LAUNCH(tsp_rounds_list, queue_of(rounds), device->list,
                           groups < MOST_GROUPS ? groups : MOST_GROUPS, error, .edges = rounds->edges,
                           .count = rounds->count, .level = level,
                           .from = level > 1 ? rounds->lists[(level - 1) % 2] : NULL, .sets = rounds->sets,
                           .keys = rounds->keys, .shortest = rounds->shortest, .to = rounds->lists[level % 2],
                           .counts = rounds->counts);
}

static enum shoal_status add_up(struct tsp_device_rounds *rounds, struct shoal_error *error)
{
    const struct tsp_bound_device *device = rounds->device;
    const size_t groups = shoal_kernel_groups(device->sum, rounds->n);
    enum shoal_status status =
        LAUNCH(tsp_rounds_second, queue_of(rounds), device->second,
               shoal_kernel_groups(device->second, rounds->count), error, .edges = rounds->edges,
               .count = rounds->count, .keys = rounds->keys, .nearest = rounds->nearest,
               .degrees = rounds->degrees, .second = rounds->second);
    if (!status)
        status = LAUNCH(tsp_rounds_sum, queue_of(rounds), device->sum, groups, error, .n = rounds->n,
                        .edges = rounds->edges, .penalties = rounds->penalties, .joined = rounds->joined,
                        .second = rounds->second, .degrees = rounds->degrees, .totals = rounds->totals);
    return status ? status
                  : LAUNCH(tsp_rounds_total, queue_of(rounds), device->total, 1, error, .n = rounds->n,
                           .totals = rounds->totals, .count = (uint32_t)groups, .edges = rounds->edges,
                           .second = rounds->second, .degrees = rounds->degrees, .result = rounds->result);
}

enum shoal_status tsp_device_rounds_find(struct tsp_device_rounds *rounds, struct shoal_error *error)
{
    enum shoal_status status = begin(rounds, error);
    if (!status)
        status = join(rounds, 0, error);
    for (uint32_t level = 1; level < rounds->levels && !status; level++) {
        status = list(rounds, level, error);
        if (!status)
            status = join(rounds, level, error);
    }
    return status ? status : add_up(rounds, error);
}

enum shoal_status tsp_device_rounds_move(struct tsp_device_rounds *rounds, int64_t step,
                                         struct shoal_error *error)
{
    const struct tsp_bound_device *device = rounds->device;
    return LAUNCH(tsp_rounds_move, queue_of(rounds), device->move,
                  shoal_kernel_groups(device->move, rounds->n), error, .n = rounds->n, .step = step,
                  .most = tsp_most_penalty(rounds->n), .result = rounds->result, .degrees = rounds->degrees,
                  .averages = rounds->averages, .penalties = rounds->penalties, .best = rounds->best);
}

enum shoal_status tsp_device_rounds_look(struct tsp_device_rounds *rounds, round_total *total,
                                         struct shoal_error *error)
{
    return shoal_buffer_read(queue_of(rounds), rounds->result, 0, total, sizeof *total, error);
}

enum shoal_status tsp_device_rounds_give(struct tsp_device_rounds *rounds, struct tsp_graph *graph,
                                         struct shoal_error *error)
{
    /* A move keeps the penalties of the last round, if they are the best ones. */
    enum shoal_status status = tsp_device_rounds_move(rounds, 0, error);
    int64_t *best = malloc(rounds->n * sizeof *best);
    if (!status && !best)
        status = fail_host_memory(error);
    if (!status)
        status = shoal_buffer_read(queue_of(rounds), rounds->best, 0, best, rounds->n * sizeof *best, error);
    for (uint32_t i = 0; i < rounds->n && !status; i++)
        graph->penalties[rounds->order[i]] = best[i];
    free(best);
    return status;
}
