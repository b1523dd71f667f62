/* The rounds of an ascent: sets of cities are joined by the shortest edge that leaves each of them (O.
 * Boruvka 1926), by threads that share the cities and edges. */
#include "tsp/bound/rounds.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

#include "lib/host.h"
#include "tsp/bound/rounds.clh"

static uint32_t parts_of(uint32_t count)
{
    return count / TSP_ROUNDS_PART + 1;
}

static uint32_t part_end(uint32_t part, uint32_t count)
{
    const uint64_t end = ((uint64_t)part + 1) * TSP_ROUNDS_PART;
    return end < count ? (uint32_t)end : count;
}

/* The weight by which edges are compared. */
static int64_t weight_of(const struct tsp_rounds *rounds, uint32_t number)
{
    const struct tsp_edge *edge = &rounds->edges[number];
    return (number < rounds->fixed_count ? FIXED_LENGTH : edge->length) + rounds->penalties[edge->a] +
           rounds->penalties[edge->b];
}

static int64_t true_weight(const struct tsp_rounds *rounds, uint32_t number)
{
    const struct tsp_edge *edge = &rounds->edges[number];
    return edge->length + rounds->penalties[edge->a] + rounds->penalties[edge->b];
}

/* Joins -------------------------------------------------------------------------------------------------- */

/* What a thread adds to the tree. */
struct joins {
    uint32_t count;
    int64_t weight, longest;
};

static void add_joins(struct tsp_rounds *rounds, const struct joins *joins)
{
#pragma omp critical(tsp_rounds)
    {
        rounds->joined += joins->count;
        rounds->weight += joins->weight;
        rounds->longest = joins->longest > rounds->longest ? joins->longest : rounds->longest;
    }
}

static void join(struct tsp_rounds *rounds, uint32_t number, struct joins *joins)
{
    const struct tsp_edge *edge = &rounds->edges[number];
    const int64_t weight = true_weight(rounds, number);
    joins->count++;
    joins->weight += weight;
    joins->longest = weight > joins->longest ? weight : joins->longest;
#pragma omp atomic
    rounds->degrees[edge->a]++;
#pragma omp atomic
    rounds->degrees[edge->b]++;
}

/* Joins a set to the other one by its shortest edge. If that is the shortest of the other set, too, the lower
 * number leads both. */
static void hang(struct tsp_rounds *rounds, uint32_t set, uint32_t other, uint32_t number, bool is_mutual,
                 struct joins *joins)
{
    const bool leads = is_mutual && set < other;
    atomic_store_explicit(&rounds->leaders[set], leads ? set : other, memory_order_relaxed);
    if (!leads)
        join(rounds, number, joins);
}

/* Several threads may shorten the same path: each of them stores a number on it. */
static uint32_t leader_of(struct tsp_rounds *rounds, uint32_t number)
{
    _Atomic uint32_t *leaders = rounds->leaders;
    for (;;) {
        const uint32_t next = atomic_load_explicit(&leaders[number], memory_order_relaxed);
        if (next == number)
            return number;
        const uint32_t after = atomic_load_explicit(&leaders[next], memory_order_relaxed);
        if (after != next)
            atomic_store_explicit(&leaders[number], after, memory_order_relaxed);
        number = after;
    }
}

/* The first joins: of single cities ---------------------------------------------------------------------- */

static bool is_before(int64_t weight, uint32_t number, int64_t other_weight, uint32_t other_number)
{
    return weight < other_weight || (weight == other_weight && number < other_number);
}

/* The functions below are called by all threads of a team, and each ends at a barrier. The time that a thread
 * waits there is no work. */

static double begin_work(const struct tsp_rounds *rounds)
{
    return rounds->threads.most > 1 ? clock_thread_seconds() : 0;
}

static void end_work(struct tsp_rounds *rounds, double start)
{
    if (rounds->threads.most > 1)
        thread_choice_work(&rounds->threads, start);
#pragma omp barrier
}

static void look_at_cities(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
#pragma omp for schedule(static) nowait
    for (uint32_t city = 0; city < rounds->n; city++) {
        int64_t first = INT64_MAX, second = INT64_MAX;
        uint32_t numbers[] = {SHOAL_TSP_NONE, SHOAL_TSP_NONE};
        for (size_t i = rounds->begins[city]; i < rounds->begins[city + 1]; i++) {
            const struct tsp_half_edge *half = &rounds->halves[i];
            const int64_t weight = half->length + rounds->penalties[half->other];
            if (is_before(weight, half->number, first, numbers[0])) {
                second = first;
                numbers[1] = numbers[0];
                first = weight;
                numbers[0] = half->number;
            } else if (is_before(weight, half->number, second, numbers[1])) {
                second = weight;
                numbers[1] = half->number;
            }
        }
        rounds->nearest[city] = numbers[0];
        rounds->second[city] = numbers[1];
        rounds->degrees[city] = 0;
    }
    end_work(rounds, start);
}

/* After it, each city is among the sets that are left. */
static void join_cities(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
    struct joins joins = {.longest = INT64_MIN};
#pragma omp for schedule(static) nowait
    for (uint32_t part = 0; part < parts_of(rounds->n); part++) {
        const uint32_t begin = part * TSP_ROUNDS_PART, end = part_end(part, rounds->n);
        for (uint32_t city = begin; city < end; city++) {
            const uint32_t number = rounds->nearest[city];
            const uint32_t other = rounds->edges[number].a ^ rounds->edges[number].b ^ city;
            hang(rounds, city, other, number, rounds->nearest[other] == number, &joins);
            rounds->left[city] = city;
        }
        rounds->left_count[part] = end - begin;
    }
    add_joins(rounds, &joins);
    end_work(rounds, start);
}

/* Makes a crossing the shortest of a set if it is. */
static void offer(struct tsp_rounds *rounds, uint32_t set, uint32_t index)
{
    const struct tsp_crossing *edge = &rounds->crossings[index];
    uint32_t old = atomic_load_explicit(&rounds->shortest[set], memory_order_acquire);
    while (old == SHOAL_TSP_NONE || is_before(edge->weight, edge->number, rounds->crossings[old].weight,
                                              rounds->crossings[old].number))
        if (atomic_compare_exchange_weak_explicit(&rounds->shortest[set], &old, index, memory_order_acq_rel,
                                                  memory_order_acquire))
            return;
}

static void keep_crossing(struct tsp_rounds *rounds, const struct tsp_crossing *edge, uint32_t begin,
                          uint32_t *kept)
{
    const uint32_t index = begin + (*kept)++;
    rounds->crossings[index] = *edge;
    offer(rounds, edge->sets[0], index);
    offer(rounds, edge->sets[1], index);
}

static void keep_first_crossings(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
#pragma omp for schedule(static) nowait
    for (uint32_t part = 0; part < parts_of(rounds->count); part++) {
        const uint32_t begin = part * TSP_ROUNDS_PART;
        uint32_t kept = 0;
        for (uint32_t i = begin; i < part_end(part, rounds->count); i++) {
            const uint32_t a = rounds->sets[rounds->edges[i].a], b = rounds->sets[rounds->edges[i].b];
            if (a != b)
                keep_crossing(rounds, &(struct tsp_crossing){weight_of(rounds, i), i, {a, b}}, begin, &kept);
        }
        rounds->crossing_count[part] = kept;
    }
    end_work(rounds, start);
}

/* The next joins: of sets -------------------------------------------------------------------------------- */

static void join_sets(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
    struct joins joins = {.longest = INT64_MIN};
#pragma omp for schedule(static) nowait
    for (uint32_t part = 0; part < parts_of(rounds->n); part++)
        for (uint32_t i = 0; i < rounds->left_count[part]; i++) {
            const uint32_t set = rounds->left[part * TSP_ROUNDS_PART + i],
                           index = atomic_load_explicit(&rounds->shortest[set], memory_order_relaxed);
            const struct tsp_crossing *edge = &rounds->crossings[index];
            const uint32_t other = edge->sets[0] ^ edge->sets[1] ^ set;
            hang(rounds, set, other, edge->number,
                 atomic_load_explicit(&rounds->shortest[other], memory_order_relaxed) == index, &joins);
        }
    add_joins(rounds, &joins);
    end_work(rounds, start);
}

static void find_leaders(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
#pragma omp for schedule(static) nowait
    for (uint32_t part = 0; part < parts_of(rounds->n); part++) {
        const uint32_t begin = part * TSP_ROUNDS_PART;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < rounds->left_count[part]; i++) {
            const uint32_t set = rounds->left[begin + i];
            rounds->sets[set] = leader_of(rounds, set);
            if (rounds->sets[set] != set)
                continue;
            rounds->left[begin + kept++] = set;
            atomic_store_explicit(&rounds->shortest[set], SHOAL_TSP_NONE, memory_order_relaxed);
        }
        rounds->left_count[part] = kept;
    }
    end_work(rounds, start);
}

static void keep_crossings(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
#pragma omp for schedule(static) nowait
    for (uint32_t part = 0; part < parts_of(rounds->count); part++) {
        const uint32_t begin = part * TSP_ROUNDS_PART;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < rounds->crossing_count[part]; i++) {
            struct tsp_crossing edge = rounds->crossings[begin + i];
            edge.sets[0] = rounds->sets[edge.sets[0]];
            edge.sets[1] = rounds->sets[edge.sets[1]];
            if (edge.sets[0] != edge.sets[1])
                keep_crossing(rounds, &edge, begin, &kept);
        }
        rounds->crossing_count[part] = kept;
    }
    end_work(rounds, start);
}

/* The special city --------------------------------------------------------------------------------------- */

/* Takes the penalties off the weight, and finds the special city, the first of equals. */
static void choose_special(struct tsp_rounds *rounds)
{
    const double start = begin_work(rounds);
    uint32_t special = SHOAL_TSP_NONE, even = 0;
    int64_t longest = INT64_MIN, sum = 0;
#pragma omp for schedule(static) nowait
    for (uint32_t city = 0; city < rounds->n; city++) {
        sum += rounds->penalties[city];
        even += rounds->degrees[city] == 2;
        if (rounds->degrees[city] != 1 || rounds->second[city] == SHOAL_TSP_NONE)
            continue;
        const int64_t weight = true_weight(rounds, rounds->second[city]);
        if (special == SHOAL_TSP_NONE || weight > longest) {
            special = city;
            longest = weight;
        }
    }
#pragma omp critical(tsp_rounds)
    {
        rounds->weight -= 2 * sum;
        rounds->even += even;
        if (special != SHOAL_TSP_NONE &&
            (rounds->special == SHOAL_TSP_NONE || longest > rounds->special_edge ||
             (longest == rounds->special_edge && special < rounds->special))) {
            rounds->special = special;
            rounds->special_edge = longest;
        }
    }
    end_work(rounds, start);
}

static void add_end(struct tsp_rounds *rounds, uint32_t city)
{
    rounds->even -= rounds->degrees[city]++ == 2;
    rounds->even += rounds->degrees[city] == 2;
}

void tsp_rounds_find(struct tsp_rounds *rounds)
{
    rounds->joined = rounds->even = 0;
    rounds->weight = 0;
    rounds->longest = INT64_MIN;
    rounds->special = SHOAL_TSP_NONE;
    thread_choice_begin(&rounds->threads);
#pragma omp parallel num_threads(thread_choice_threads(&rounds->threads))
    {
        look_at_cities(rounds);
        join_cities(rounds);
        /* All threads read `joined` before one of them joins again: the functions between have barriers. */
        for (bool is_first = true; rounds->joined + 1 < rounds->n; is_first = false) {
            find_leaders(rounds);
            if (is_first)
                keep_first_crossings(rounds);
            else
                keep_crossings(rounds);
            join_sets(rounds);
        }
        choose_special(rounds);
    }
    thread_choice_end(&rounds->threads);
    if (rounds->special == SHOAL_TSP_NONE)
        return; /* the tree alone is a bound, too */
    const struct tsp_edge *second = &rounds->edges[rounds->second[rounds->special]];
    rounds->weight += rounds->special_edge;
    add_end(rounds, second->a);
    add_end(rounds, second->b);
}

/* Penalties ---------------------------------------------------------------------------------------------- */

static bool is_longest(const struct tsp_rounds *rounds)
{
    return rounds->weight > rounds->best_weight;
}

void tsp_rounds_move(struct tsp_rounds *rounds, int64_t step)
{
    const int64_t most = tsp_most_penalty(rounds->n);
    int64_t *now = rounds->penalties, *next = rounds->spare;
    rounds->spare = is_longest(rounds) ? rounds->best : now;
    if (is_longest(rounds)) {
        rounds->best_weight = rounds->weight;
        rounds->best = now;
    }
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&rounds->threads))
    for (uint32_t i = 0; i < rounds->n; i++) {
        const int32_t excess = FRACTION * (int32_t)within(rounds->degrees[i] - 2, MOST_EXCESS);
        rounds->averages[i] = next_average(rounds->averages[i], excess);
        next[i] = next_penalty(now[i], step, excess, rounds->averages[i], most);
    }
    rounds->penalties = next;
}

/* ------------------------------------------------------------------------------------------------------- */

static void add_half(struct tsp_rounds *rounds, uint32_t number, uint32_t city, uint32_t other)
{
    const int64_t length = number < rounds->fixed_count ? FIXED_LENGTH : rounds->edges[number].length;
    rounds->halves[rounds->begins[city]++] = (struct tsp_half_edge){other, number, length};
}

static void set_halves(struct tsp_rounds *rounds)
{
    const uint32_t n = rounds->n;
    size_t begin = 0;
    for (uint32_t i = 0; i < rounds->count; i++) {
        rounds->begins[rounds->edges[i].a]++;
        rounds->begins[rounds->edges[i].b]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const size_t own = rounds->begins[i];
        rounds->begins[i] = begin;
        begin += own;
    }
    for (uint32_t i = 0; i < rounds->count; i++) {
        add_half(rounds, i, rounds->edges[i].a, rounds->edges[i].b);
        add_half(rounds, i, rounds->edges[i].b, rounds->edges[i].a);
    }
    for (uint32_t i = n; i > 0; i--)
        rounds->begins[i] = rounds->begins[i - 1];
    rounds->begins[0] = 0;
}

/* Bytes of the arrays of cities and edges; those of parts are small. */
static double bytes_of(const struct tsp_rounds *rounds)
{
    const double of_city = sizeof *rounds->order + sizeof *rounds->begins + sizeof *rounds->penalties +
                           sizeof *rounds->best + sizeof *rounds->spare + sizeof *rounds->averages +
                           sizeof *rounds->degrees + sizeof *rounds->nearest + sizeof *rounds->second +
                           sizeof *rounds->sets + sizeof *rounds->leaders + sizeof *rounds->shortest +
                           sizeof *rounds->left,
                 of_edge = sizeof *rounds->edges + 2 * sizeof *rounds->halves + sizeof *rounds->crossings;
    return of_city * rounds->n + of_edge * rounds->count;
}

static bool allocate(struct tsp_rounds *rounds)
{
    const size_t n = rounds->n, count = rounds->count;
    rounds->order = malloc(n * sizeof *rounds->order);
    rounds->edges = malloc(count * sizeof *rounds->edges);
    rounds->begins = calloc(n + 1, sizeof *rounds->begins);
    rounds->halves = malloc(2 * count * sizeof *rounds->halves);
    rounds->penalties = malloc(n * sizeof *rounds->penalties);
    rounds->best = malloc(n * sizeof *rounds->best);
    rounds->spare = malloc(n * sizeof *rounds->spare);
    rounds->averages = calloc(n, sizeof *rounds->averages);
    rounds->degrees = malloc(n * sizeof *rounds->degrees);
    rounds->nearest = malloc(n * sizeof *rounds->nearest);
    rounds->second = malloc(n * sizeof *rounds->second);
    rounds->sets = malloc(n * sizeof *rounds->sets);
    rounds->leaders = malloc(n * sizeof *rounds->leaders);
    rounds->shortest = malloc(n * sizeof *rounds->shortest);
    rounds->left = malloc(n * sizeof *rounds->left);
    rounds->left_count = malloc(parts_of(rounds->n) * sizeof *rounds->left_count);
    rounds->crossings = malloc(count * sizeof *rounds->crossings);
    rounds->crossing_count = malloc(parts_of(rounds->count) * sizeof *rounds->crossing_count);
    return rounds->order && rounds->edges && rounds->begins && rounds->halves && rounds->penalties &&
           rounds->best && rounds->spare && rounds->averages && rounds->degrees && rounds->nearest &&
           rounds->second && rounds->sets && rounds->leaders && rounds->shortest && rounds->left &&
           rounds->left_count && rounds->crossings && rounds->crossing_count;
}

enum shoal_status tsp_rounds_create(const struct tsp_graph *graph, int threads, struct tsp_rounds *rounds,
                                    struct shoal_error *error)
{
    *rounds = (struct tsp_rounds){.n = graph->n,
                                  .count = (uint32_t)graph->count,
                                  .fixed_count = (uint32_t)graph->fixed_count,
                                  .threads = {.most = threads},
                                  .best_weight = INT64_MIN};
    enum shoal_status status =
        check_host_memory(bytes_of(rounds), "tsp: the rounds of a lower bound", "take fewer cities", error);
    if (status)
        return status;
    if (!allocate(rounds))
        return fail_host_memory(error);
    status = tsp_number_edges(graph, threads, rounds->order, rounds->edges, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < graph->n; i++)
        rounds->penalties[i] = graph->penalties[rounds->order[i]];
    set_halves(rounds);
    return SHOAL_OK;
}

void tsp_rounds_destroy(struct tsp_rounds *rounds)
{
    void *const all[] = {rounds->order,     rounds->edges,         rounds->begins, rounds->halves,
                         rounds->penalties, rounds->best,          rounds->spare,  rounds->averages,
                         rounds->degrees,   rounds->nearest,       rounds->second, rounds->sets,
                         rounds->leaders,   rounds->shortest,      rounds->left,   rounds->left_count,
                         rounds->crossings, rounds->crossing_count};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *rounds = (struct tsp_rounds){0};
}

void tsp_rounds_give(const struct tsp_rounds *rounds, struct tsp_graph *graph)
{
    const int64_t *best = is_longest(rounds) ? rounds->penalties : rounds->best;
    for (uint32_t i = 0; i < rounds->n; i++)
        graph->penalties[rounds->order[i]] = best[i];
}
