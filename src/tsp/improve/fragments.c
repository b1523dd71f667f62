/* Fragments of a tour on a device: joins in rounds, lists of ends, and the order of the last path. */
#include "tsp/improve/fragments.h"

#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "tsp/improve/curve.h"

#include <stdlib.h>

#include "lib/host.h"
#include "tsp/improve/fragments.clh"

_Static_assert(sizeof(fragment_city) == 16, "as the kernel's");

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_fragments, WG, 1, 1024, "work-items of a group, a power of two"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_fragments, tsp_fragments_begin, .roof = SHOAL_ROOF_COPY_BYTES, .help = "each city alone"),
    ENTRY(tsp_fragments, tsp_fragments_listed, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "edges of candidate lists, sorted"),
    ENTRY(tsp_fragments, tsp_fragments_paired, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "edges between ends, sorted"),
    ENTRY(tsp_fragments, tsp_fragments_propose, .local_bytes = 4, .local_bytes_per_item = 8,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "lowest rank of the edges of each end"),
    ENTRY(tsp_fragments, tsp_fragments_decide, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "edges that are the first of both fragments"),
    ENTRY(tsp_fragments, tsp_fragments_join, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "joins fragments by these edges"),
    ENTRY(tsp_fragments, tsp_fragments_flag, .roof = SHOAL_ROOF_COPY_BYTES, .help = "which cities are ends"),
    ENTRY(tsp_fragments, tsp_fragments_ends, .roof = SHOAL_ROOF_COPY_BYTES, .help = "list of the ends"),
    ENTRY(tsp_fragments, tsp_fragments_walk, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "cities between stops of the last path"),
    ENTRY(tsp_fragments, tsp_fragments_write, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the tour along the last path"),
};

const struct shoal_program_desc tsp_fragments_program =
    PROGRAM("tsp.fragments", tsp_fragments, 0, defines, entries);

/* Create ----------------------------------------------------------------------------------------------- */

static uint32_t stops_of(const struct tsp_fragments *fragments)
{
    return div_up(fragments->n, STOP_EVERY) + 1;
}

/* Lists the arrays for up to `listed` edges, and checks that they fit beside `more` bytes. */
static enum shoal_status list_arrays(struct tsp_fragments *fragments, double listed, double more,
                                     struct shoal_error *error)
{
    if (listed > SHOAL_PRIMITIVE_MAX)
        return fail(error, SHOAL_UNSUPPORTED,
                    "tsp: %.0f edges for a greedy tour are more than %u: make it on the host", listed,
                    SHOAL_PRIMITIVE_MAX);
    fragments->most = listed > fragments->n ? (uint32_t)listed : fragments->n;
    const double n = fragments->n, edges = fragments->most, stops = stops_of(fragments);
    enum { WORD = sizeof(uint32_t), SORTED = 2 * WORD + 1 }; /* a key, a value, and a part of a table */
    const struct array all[] = {
        {&fragments->cities, n, sizeof(fragment_city)},
        {&fragments->keys, edges, WORD},
        {&fragments->values, edges, WORD},
        {&fragments->edges, edges, 2 * WORD},
        {&fragments->places, n + 1, WORD},
        {&fragments->ends, n, WORD},
        {&fragments->others, n, WORD},
        {&fragments->longest, 1, WORD},
        {&fragments->found, 2, WORD},
        {&fragments->links, 2 * stops, 2 * WORD},
        {&fragments->stops, stops, 2 * WORD},
    };
    ARRAYS_SET(&fragments->arrays, all);
    fragments->arrays.queue = fragments->queue;
    return arrays_check(&fragments->arrays, more + SORTED * edges, "tsp: the fragments of a greedy tour",
                        "make it on the host", error);
}

bool tsp_fragments_fit(uint32_t n, double edges, double more, struct shoal_queue *queue)
{
    struct tsp_fragments fragments = {.n = n, .queue = queue};
    struct shoal_error why;
    return !list_arrays(&fragments, edges, more, &why);
}

enum shoal_status tsp_fragments_create(uint32_t n, double edges, double more, struct programs *programs,
                                       struct shoal_queue *queue, struct tsp_fragments *fragments,
                                       struct shoal_error *error)
{
    *fragments = (struct tsp_fragments){.n = n, .queue = queue};
    const struct entry_kernel kernels[] = {
        {"tsp_fragments_begin", &fragments->begin},   {"tsp_fragments_listed", &fragments->listed},
        {"tsp_fragments_paired", &fragments->paired}, {"tsp_fragments_propose", &fragments->propose},
        {"tsp_fragments_decide", &fragments->decide}, {"tsp_fragments_join", &fragments->join},
        {"tsp_fragments_flag", &fragments->flag},     {"tsp_fragments_ends", &fragments->list},
        {"tsp_fragments_walk", &fragments->walk},     {"tsp_fragments_write", &fragments->write},
    };
    const struct defines none = {.count = 0};
    enum shoal_status status = list_arrays(fragments, edges, more, error);
    if (!status)
        status = arrays_create(&fragments->arrays, error);
    if (!status)
        status = programs_build(programs, &tsp_fragments_program, &none, kernels, COUNT(kernels),
                                &fragments->program, error);
    if (!status)
        status = shoal_scan_create(programs->device, (size_t)n + 1, SHOAL_SCAN_AUTO, programs->variant,
                                   &fragments->scan, error);
    return status ? status
                  : shoal_sort_create(programs->device, fragments->most, SHOAL_SORT_AUTO, programs->variant,
                                      &fragments->sort, error);
}

void tsp_fragments_destroy(struct tsp_fragments *fragments)
{
    shoal_sort_destroy(&fragments->sort);
    shoal_scan_destroy(&fragments->scan);
    arrays_destroy(&fragments->arrays);
}

/* Begin ------------------------------------------------------------------------------------------------ */

static enum shoal_status read_word(const struct tsp_fragments *fragments, struct shoal_buffer *buffer,
                                   size_t index, uint32_t *word, struct shoal_error *error)
{
    return shoal_buffer_read(fragments->queue, buffer, index * sizeof *word, word, sizeof *word, error);
}

enum shoal_status tsp_fragments_begin(struct tsp_fragments *fragments, const uint32_t *fixed,
                                      struct shoal_error *error)
{
    const uint32_t n = fragments->n;
    if (!fixed)
        return LAUNCH(tsp_fragments_begin, fragments->queue, fragments->begin,
                      shoal_kernel_groups(fragments->begin, n), error, .n = n, .cities = fragments->cities);
    fragment_city *cities = malloc(n * sizeof *cities);
    if (!cities)
        return fail_host_memory(error);
    tsp_begin_fragments(fixed, n, cities);
    const enum shoal_status status =
        shoal_buffer_write(fragments->queue, fragments->cities, 0, cities, n * sizeof *cities, error);
    free(cities);
    return status;
}

enum shoal_status tsp_fragments_sum(struct tsp_fragments *fragments, uint32_t count, uint32_t *sum,
                                    struct shoal_error *error)
{
    const enum shoal_status status = shoal_scan_run(fragments->scan, fragments->queue, fragments->places, 0,
                                                    fragments->places, 0, (size_t)count + 1, error);
    return status ? status : read_word(fragments, fragments->places, count, sum, error);
}

enum shoal_status tsp_fragments_sort(struct tsp_fragments *fragments, uint32_t count,
                                     struct shoal_error *error)
{
    uint32_t longest = 0;
    struct shoal_sort_args args = {.keys = fragments->keys,
                                   .values = fragments->values,
                                   .keys_out = fragments->keys,
                                   .values_out = fragments->values,
                                   .n = count};
    const enum shoal_status status = read_word(fragments, fragments->longest, 0, &longest, error);
    if (status)
        return status;
    for (; longest; longest >>= 1)
        args.end_bit++;
    return shoal_sort_run(fragments->sort, fragments->queue, &args, error);
}

/* Rounds ----------------------------------------------------------------------------------------------- */

/* Ranks of edges in a round: `from` (NULL: all ranks below `left`) before it, `to` after it. */
struct round {
    struct shoal_buffer *from, *to;
    uint32_t left; /* number of ranks */
    uint32_t turn;
};

static enum shoal_status propose(struct tsp_fragments *fragments, struct round *round,
                                 struct shoal_error *error)
{
    const enum shoal_status status =
        LAUNCH(tsp_fragments_propose, fragments->queue, fragments->propose,
               shoal_kernel_groups(fragments->propose, round->left), error, .cities = fragments->cities,
               .edges = fragments->edges, .from = round->from, .count = round->left, .turn = round->turn,
               .to = round->to, .found = fragments->found);
    return status ? status : read_word(fragments, fragments->found, round->turn, &round->left, error);
}

static enum shoal_status make_joins(struct tsp_fragments *fragments, struct round *round,
                                    struct shoal_error *error)
{
    const enum shoal_status status =
        LAUNCH(tsp_fragments_decide, fragments->queue, fragments->decide,
               shoal_kernel_groups(fragments->decide, round->left), error, .cities = fragments->cities,
               .edges = fragments->edges, .ranks = round->to, .count = round->left, .turn = round->turn,
               .found = fragments->found);
    return status
               ? status
               : LAUNCH(tsp_fragments_join, fragments->queue, fragments->join,
                        shoal_kernel_groups(fragments->join, round->left), error, .cities = fragments->cities,
                        .edges = fragments->edges, .ranks = round->to, .count = round->left);
}

/* Number of rounds after which it is asked whether the host is sooner done. The first rounds of a path decide
 * few edges, as all cities are at distance 0 from the last one. */
enum { ROUNDS_ASKED = 4 };

/* Is the host sooner done with the edges that are left, of `before` ROUNDS_ASKED rounds ago? Where edges of
 * the same length form chains, as in lattices, a round decides only the first edge of each chain. The seconds
 * are typical of GPUs; host and device give equal joins. */
static bool is_for_host(const struct tsp_fragments *fragments, uint32_t edges, uint32_t before, uint32_t left)
{
    const double round_s = 5e-5, edge_s = 2e-10, copied_s = 1.25e-10, tried_s = 5e-8, begin_s = 1e-3;
    const double rounds = (double)ROUNDS_ASKED * left / (before > left ? before - left : 1);
    const double bytes = 2.0 * fragments->n * sizeof(fragment_city) + 8.0 * edges;
    return rounds * (round_s + edge_s * left) > begin_s + copied_s * bytes + tried_s * left;
}

/* Joins fragments in memory of the host by edges in the order of their ranks, until `cut` ends the work. */
static void try_edges(fragment_city *cities, uint32_t n, const uint32_t (*edges)[2],
                      const struct tsp_curve_item *ranks, uint32_t count, struct long_step *cut)
{
    enum { LOOK = 1024 }; /* number of edges between two calls of long_step_look */
    for (uint32_t i = 0; i < count; i++) {
        if (long_step_look_each(cut, i, LOOK))
            return;
        const uint32_t *edge = edges[ranks[i].key];
        if (may_join(cities, edge[0], edge[1]))
            join_ends(cities, edge[0], edge[1]);
    }
    for (uint32_t city = 0; city < n; city++)
        if (cities[city].far != NO_END)
            cities[city].best[0] = cities[city].best[1] = NO_END;
}

/* Tries the edges that are left on the host. */
static enum shoal_status join_on_host(struct tsp_fragments *fragments, uint32_t edges,
                                      const struct round *round, struct long_step *cut,
                                      struct shoal_error *error)
{
    const uint32_t left = round->left;
    const size_t city_bytes = fragments->n * sizeof(fragment_city);
    fragment_city *cities = malloc(city_bytes);
    uint32_t(*all)[2] = malloc(edges * sizeof *all), *ranks = malloc(left * sizeof *ranks);
    struct tsp_curve_item *items = malloc(2 * (size_t)left * sizeof *items);
    enum shoal_status status = cities && all && ranks && items ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = shoal_buffer_read(fragments->queue, fragments->cities, 0, cities, city_bytes, error);
    if (!status)
        status = shoal_buffer_read(fragments->queue, fragments->edges, 0, all, edges * sizeof *all, error);
    if (!status)
        status = shoal_buffer_read(fragments->queue, round->to, 0, ranks, left * sizeof *ranks, error);
    if (!status) {
        for (uint32_t i = 0; i < left; i++)
            items[i].key = ranks[i];
        tsp_sort_items(items, items + left, left, 1);
        try_edges(cities, fragments->n, (const uint32_t(*)[2])all, items, left, cut);
    }
    if (!status && !long_step_is_cut(cut))
        status = shoal_buffer_write(fragments->queue, fragments->cities, 0, cities, city_bytes, error);
    free(cities);
    free(all);
    free(ranks);
    free(items);
    return status;
}

enum shoal_status tsp_fragments_join(struct tsp_fragments *fragments, uint32_t count, struct long_step *cut,
                                     uint32_t *may, struct shoal_error *error)
{
    struct round round = {.to = fragments->keys, .left = count};
    enum shoal_status status =
        shoal_buffer_fill(fragments->queue, fragments->found, 0, 2 * sizeof(uint32_t), 0, error);
    if (!status)
        status = propose(fragments, &round, error);
    *may = round.left;
    uint32_t before = round.left;
    for (uint32_t i = 1; !status && round.left && !long_step_look(cut); i++) {
        status = make_joins(fragments, &round, error);
        round.from = round.to;
        round.to = round.from == fragments->keys ? fragments->values : fragments->keys;
        round.turn ^= 1;
        if (!status)
            status = propose(fragments, &round, error);
        if (status || !round.left || i % ROUNDS_ASKED != 0)
            continue;
        if (is_for_host(fragments, count, before, round.left))
            return join_on_host(fragments, count, &round, cut, error);
        before = round.left;
    }
    return status;
}

/* Ends ------------------------------------------------------------------------------------------------- */

/* Writes the ends among the cities `listed` (NULL: all cities below *count) to `others`, and swaps `ends` and
 * `others`. */
static enum shoal_status choose_ends(struct tsp_fragments *fragments, struct shoal_buffer *listed,
                                     uint32_t *count, struct shoal_error *error)
{
    const uint32_t cities = *count;
    enum shoal_status status =
        LAUNCH(tsp_fragments_flag, fragments->queue, fragments->flag,
               shoal_kernel_groups(fragments->flag, (size_t)cities + 1), error, .cities = fragments->cities,
               .listed = listed, .count = cities, .flags = fragments->places);
    if (!status)
        status = tsp_fragments_sum(fragments, cities, count, error);
    if (!status)
        status =
            LAUNCH(tsp_fragments_ends, fragments->queue, fragments->list,
                   shoal_kernel_groups(fragments->list, cities), error, .cities = fragments->cities,
                   .listed = listed, .count = cities, .places = fragments->places, .ends = fragments->others);
    buffers_swap(&fragments->ends, &fragments->others);
    return status;
}

enum shoal_status tsp_fragments_list(struct tsp_fragments *fragments, uint32_t *count,
                                     struct shoal_error *error)
{
    *count = fragments->n;
    return choose_ends(fragments, NULL, count, error);
}

enum shoal_status tsp_fragments_drop(struct tsp_fragments *fragments, uint32_t *count,
                                     struct shoal_error *error)
{
    return choose_ends(fragments, fragments->ends, count, error);
}

/* The order of the path ------------------------------------------------------------------------------- */

struct link {
    uint32_t to, cities;
};
struct stop {
    uint32_t position, side;
};

/* Follows the links from the last stop, the start, and sets the positions of the stops on the path. Returns
 * the number of cities on the path. */
static uint32_t place_stops(const struct link (*links)[2], uint32_t count, struct stop *stops)
{
    uint32_t position = 0, before = NO_END, stop = count - 1;
    for (uint32_t i = 0; i < count; i++)
        stops[i].position = NO_END;
    while (stop != NO_END && stops[stop].position == NO_END) {
        const uint32_t side = before != NO_END && links[stop][0].to == before;
        const struct link *link = &links[stop][side];
        stops[stop] = (struct stop){position, side};
        position += link->cities;
        before = stop;
        stop = link->to;
    }
    return position;
}

static enum shoal_status write_tour(struct tsp_fragments *fragments, uint32_t start, struct link (*links)[2],
                                    struct stop *stops, uint32_t *tour, struct shoal_error *error)
{
    const uint32_t n = fragments->n, count = stops_of(fragments);
    enum shoal_status status =
        LAUNCH(tsp_fragments_walk, fragments->queue, fragments->walk,
               shoal_kernel_groups(fragments->walk, 2 * (size_t)count), error, .cities = fragments->cities,
               .n = n, .start = start, .links = fragments->links);
    if (!status)
        status =
            shoal_buffer_read(fragments->queue, fragments->links, 0, links, count * sizeof *links, error);
    if (status)
        return status;
    const uint32_t cities = place_stops((const struct link(*)[2])links, count, stops);
    if (cities != n)
        return fail(error, SHOAL_CHECK_FAILED, "tsp: a greedy tour has %u cities instead of %u",
                    (unsigned)cities, (unsigned)n);
    status = shoal_buffer_write(fragments->queue, fragments->stops, 0, stops, count * sizeof *stops, error);
    if (!status)
        status = LAUNCH(tsp_fragments_write, fragments->queue, fragments->write,
                        shoal_kernel_groups(fragments->write, count), error, .cities = fragments->cities,
                        .n = n, .start = start, .stops = fragments->stops, .tour = fragments->others);
    return status ? status
                  : shoal_buffer_read(fragments->queue, fragments->others, 0, tour, n * sizeof *tour, error);
}

enum shoal_status tsp_fragments_follow(struct tsp_fragments *fragments, uint32_t count, uint32_t *tour,
                                       struct shoal_error *error)
{
    const uint32_t stops = stops_of(fragments);
    uint32_t ends[2] = {0, UINT32_MAX};
    enum shoal_status status =
        shoal_buffer_read(fragments->queue, fragments->ends, 0, ends, count * sizeof *ends, error);
    if (status)
        return status;
    struct link(*links)[2] = malloc(stops * sizeof *links);
    struct stop *places = malloc(stops * sizeof *places);
    status = links && places
                 ? write_tour(fragments, ends[0] < ends[1] ? ends[0] : ends[1], links, places, tour, error)
                 : fail_host_memory(error);
    free(links);
    free(places);
    return status;
}
