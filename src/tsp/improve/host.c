/* Local search on the host; tests compare the kernels with it. A thread improves one tour at a time. */
#include "base/error.h"
#include "tsp/improve/improve.h"

#include <shoal/rng.h>

#include <math.h>
#include <stdlib.h>

struct tsp_improver {
    const struct tsp_problem *problem;
    const uint32_t *lists;
    uint32_t n, neighbours, reach;
    int moves;
    bool is_best, no_bits;
    /* order: the caller's tour; place: index of each city in the tour, which is own_place or an array of the
     * caller */
    uint32_t *order, *place;
    uint32_t *own_place;
    /* The queue is a ring buffer with room for n cities; `count` cities, from index `head` on, are in the
     * queue. waits: whether a city is in the queue. */
    uint32_t *queue;
    bool *waits;
    uint32_t head, count;
    int64_t gain;
    uint64_t done;   /* number of moves since the search began */
    uint64_t before; /* value of `done` when all cities were last added to the queue */
    struct shoal_words drawn;
};

/* Returns the distance from a city to its candidate j, or INT64_MAX if its list is shorter. */
static int64_t near_distance(const struct tsp_improver *improver, uint32_t city, uint32_t j)
{
    const uint32_t candidate = improver->lists[(size_t)city * improver->neighbours + j];
    return candidate == SHOAL_TSP_NONE ? INT64_MAX : tsp_distance(improver->problem, city, candidate);
}

/* Macros and types with which the source text of the kernels compiles as C. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"
#define INLINE inline
typedef struct tsp_improver tour_view;
typedef int64_t tour_gain;
typedef uint32_t tour_cell;
typedef uint32_t tour_site;
#define MOVES                 ((v)->moves)
#define TOUR_SITE(v, city)    (city)
#define TOUR_BETWEEN(v, a, b) tsp_distance((v)->problem, a, b)
#define TOUR_NEAR(v, city, j) near_distance(v, city, j)
#include "tsp/improve/moves.clh"

enum shoal_status tsp_improver_create(const struct tsp_problem *problem,
                                      const struct tsp_improve_rules *rules, struct tsp_improver **out,
                                      struct shoal_error *error)
{
    const uint32_t n = problem->form.n;
    struct tsp_improver *improver = calloc(1, sizeof *improver);
    *out = NULL;
    if (improver) {
        improver->own_place = malloc(n * sizeof *improver->own_place);
        improver->queue = malloc(n * sizeof *improver->queue);
        improver->waits = malloc(n * sizeof *improver->waits);
    }
    if (!improver || !improver->own_place || !improver->queue || !improver->waits) {
        tsp_improver_destroy(&improver);
        return fail_host_memory(error);
    }
    improver->problem = problem;
    improver->lists = rules->lists;
    improver->n = n;
    improver->neighbours = rules->neighbours;
    improver->reach = rules->reach ? rules->reach : n;
    improver->moves = (int)rules->moves;
    improver->is_best = rules->is_best;
    improver->no_bits = rules->no_bits;
    tsp_improver_draw(improver, 0, 0, 0);
    *out = improver;
    return SHOAL_OK;
}

void tsp_improver_destroy(struct tsp_improver **improver)
{
    if (!*improver)
        return;
    free((*improver)->own_place);
    free((*improver)->queue);
    free((*improver)->waits);
    free(*improver);
    *improver = NULL;
}

void tsp_improver_draw(struct tsp_improver *v, uint64_t seed, uint32_t step, uint32_t ant)
{
    v->drawn = shoal_random_words(seed, SHOAL_STREAM_TSP_IMPROVE, step, ant, 0);
}

/* Adds a city at the end of the queue, unless the queue has it already. */
static void push(struct tsp_improver *v, uint32_t city)
{
    const uint32_t at = v->head < v->n - v->count ? v->head + v->count : v->head - (v->n - v->count);
    if (v->waits[city])
        return;
    v->waits[city] = true;
    v->queue[at] = city;
    v->count++;
}

/* Adds a city with a changed edge to the queue, unless the search uses no don't-look bits. */
static void rejoin(struct tsp_improver *v, uint32_t city)
{
    if (!v->no_bits)
        push(v, city);
}

static uint32_t pop(struct tsp_improver *v)
{
    const uint32_t city = v->queue[v->head];
    v->head = v->head + 1 == v->n ? 0 : v->head + 1;
    v->count--;
    v->waits[city] = false;
    return city;
}

static void wake_all(struct tsp_improver *v)
{
    for (uint32_t i = 0; i < v->n; i++) {
        v->queue[waiting_rank(v->n, i, v->drawn)] = v->order[i];
        v->waits[i] = true;
    }
    v->head = 0;
    v->count = v->n;
    v->before = v->done;
}

void tsp_improver_begin(struct tsp_improver *v, uint32_t *tour, uint32_t *place, const uint32_t *wake,
                        size_t count)
{
    const uint32_t n = v->n;
    v->order = tour;
    v->place = place ? place : v->own_place;
    v->gain = 0;
    v->done = 0;
    v->before = 0;
    v->head = 0;
    v->count = 0;
    for (uint32_t i = 0; i < n && !place; i++)
        v->place[tour[i]] = i;
    memset(v->waits, 0, n * sizeof *v->waits);
    /* Three cities have only one closed tour. */
    if (n < 4)
        return;
    for (size_t i = 0; i < count && wake; i++)
        push(v, wake[i]);
    if (!wake)
        wake_all(v);
}

static void make_move(struct tsp_improver *v, const tour_move *move, int64_t gain)
{
    for (uint32_t i = 0; i < flips_of(move->kind); i++) {
        const tour_span span = flip_span(v, move_flip(move, i));
        for (uint32_t j = 0; j < span.count / 2; j++)
            span_exchange(v, span, j);
    }
    const uint32_t ends[6] = {move->t1, move->t2, move->t3, move->t4, move->t5, move->t6};
    for (uint32_t i = 0; i < (move->kind == MOVE_2OPT ? 4 : 6); i++)
        rejoin(v, ends[i]);
    v->gain += gain;
    v->done++;
}

/* Returns the best move of a city. Of moves with the same gain, returns the move with the lowest number;
 * numbers are ordered by direction, then by candidate. */
static tour_found best_move(const struct tsp_improver *v, uint32_t city)
{
    tour_found best = {.gain = 0, .number = NO_MOVE};
    for (uint32_t d = 0; d < 2; d++) {
        const uint32_t pairs = pairs_of(v, city, d);
        for (uint32_t j = 0; j < pairs; j++) {
            const tour_found found = best_of_pair(v, city, d, j);
            if (found.gain > best.gain)
                best = found;
        }
    }
    return best;
}

static void first_round(struct tsp_improver *v)
{
    const uint32_t count = v->count < IMPROVE_BATCH ? v->count : IMPROVE_BATCH;
    uint32_t cities[IMPROVE_BATCH], numbers[IMPROVE_BATCH];
    for (uint32_t i = 0; i < count; i++) {
        cities[i] = pop(v);
        numbers[i] = best_move(v, cities[i]).number;
    }
    for (uint32_t i = 0; i < count; i++) {
        tour_move move;
        if (numbers[i] == NO_MOVE)
            continue;
        const int64_t gain = move_numbered(v, cities[i], numbers[i], &move);
        if (gain > 0)
            make_move(v, &move, gain);
        else
            rejoin(v, cities[i]);
    }
}

/* Makes the best of the moves of all cities in the queue; of moves with the same gain, the move of the city
 * that is first in the queue. Cities without a move leave the queue; without don't-look bits, all cities
 * leave it. */
static void best_round(struct tsp_improver *v)
{
    tour_found best = {.gain = 0, .number = NO_MOVE};
    uint32_t city = 0;
    for (uint32_t left = v->count; left; left--) {
        const uint32_t own = pop(v);
        const tour_found found = best_move(v, own);
        if (found.number == NO_MOVE)
            continue;
        rejoin(v, own);
        if (found.gain > best.gain) {
            best = found;
            city = own;
        }
    }
    tour_move move;
    if (best.number != NO_MOVE)
        make_move(v, &move, move_numbered(v, city, best.number, &move));
}

bool tsp_improver_advance(struct tsp_improver *v, uint64_t rounds)
{
    for (; rounds && v->count; rounds--) {
        if (v->is_best)
            best_round(v);
        else
            first_round(v);
        if (v->no_bits && !v->count && v->done > v->before)
            wake_all(v);
    }
    return !v->count;
}

int64_t tsp_improver_gain(const struct tsp_improver *v)
{
    return v->gain;
}

uint64_t tsp_improver_moves(const struct tsp_improver *v)
{
    return v->done;
}

int64_t tsp_improve(struct tsp_improver *v, uint32_t *tour, const uint32_t *wake, size_t count)
{
    tsp_improver_begin(v, tour, NULL, wake, count);
    tsp_improver_advance(v, UINT64_MAX);
    return v->gain;
}
