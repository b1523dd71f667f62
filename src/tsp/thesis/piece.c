/* The ant system of a piece on the host. In each cycle an ant begins in every city of the piece, 2-opt
 * improves each ant's tour, and the best tour of the cycle deposits pheromone. */
#include "base/error.h"
#include "tsp/thesis/thesis.h"

#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

#include "tsp/thesis/weights.h"

/* Data of a piece. Cities are numbered by their positions in the piece before the first cycle. Every tour
 * contains the fixed edges, so a fixed edge always joins two cities with successive numbers. */
struct colony {
    const struct thesis_piece *piece;
    const struct thesis_rules *rules;
    uint32_t n;
    bool is_wide;
    void *distances;     /* [n][n]: int32_t or int64_t */
    float *sights, *tau; /* [n][n]: sights is 1 / distance^beta; tau is the pheromone */
    /* [n][n]: bits of the weights of edges, read as integers; as weights are positive, the integers have the
     * order of the weights */
    int32_t *keys;
    uint8_t *tour, *cycle_best, *best; /* [n]: tours of the current ant, of the cycle and of all cycles */
    bool fixed[THESIS_MOST_PIECE];     /* [p]: the edge from city p to city p + 1 is fixed */
    /* [city]: both edges of the city are fixed, so an ant can enter the city only by a fixed edge */
    bool is_inner[THESIS_MOST_PIECE];
    /* number of fixed edges times TSP_FAR: a length plus fixed_length is the length without fixed edges,
     * whose distances are -TSP_FAR */
    int64_t fixed_length;
};

static enum shoal_status allocate(struct colony *colony, struct shoal_error *error)
{
    const size_t n = colony->n, square = n * n;
    colony->distances = malloc(square * (colony->is_wide ? sizeof(int64_t) : sizeof(int32_t)));
    colony->sights = malloc(square * sizeof *colony->sights);
    colony->tau = malloc(square * sizeof *colony->tau);
    colony->keys = malloc(square * sizeof *colony->keys);
    colony->tour = malloc(3 * n);
    return colony->distances && colony->sights && colony->tau && colony->keys && colony->tour
               ? SHOAL_OK
               : fail_host_memory(error);
}

static void release(struct colony *colony)
{
    free(colony->distances);
    free(colony->sights);
    free(colony->tau);
    free(colony->keys);
    free(colony->tour);
}

static void set_pair(struct colony *colony, size_t i, int64_t distance)
{
    if (colony->is_wide)
        ((int64_t *)colony->distances)[i] = distance;
    else
        ((int32_t *)colony->distances)[i] = (int32_t)distance;
    colony->sights[i] = thesis_sight((float)distance, colony->rules->beta);
    colony->tau[i] = 1;
}

static void set_pairs(struct colony *colony)
{
    const struct tsp_problem *problem = colony->piece->problem;
    const uint32_t *cities = colony->piece->cities, n = colony->n;
    for (size_t a = 0; a < n; a++) {
        set_pair(colony, a * n + a, 0);
        for (size_t b = 0; b < a; b++) {
            const int64_t distance = tsp_distance(problem, cities[a], cities[b]);
            set_pair(colony, a * n + b, distance);
            set_pair(colony, b * n + a, distance);
        }
    }
}

static bool is_fixed(const struct tsp_problem *problem, uint32_t a, uint32_t b)
{
    const uint32_t *partners = problem->form.fixed + 2 * (size_t)a;
    return partners[0] == b || partners[1] == b;
}

static void set_fixed(struct colony *colony)
{
    const uint32_t n = colony->n, *cities = colony->piece->cities;
    if (!colony->piece->problem->form.has_fixed)
        return;
    for (uint32_t p = 0; p + 1 < n; p++) {
        colony->fixed[p] = is_fixed(colony->piece->problem, cities[p], cities[p + 1]);
        colony->fixed_length += colony->fixed[p] ? TSP_FAR : 0;
    }
    /* The edge from the last city to the first closes every tour, so it counts as fixed here. */
    for (uint32_t p = 0; p < n; p++)
        colony->is_inner[p] = (p + 1 < n ? colony->fixed[p] : true) && (p ? colony->fixed[p - 1] : true);
}

/* Ants ------------------------------------------------------------------------------------------------- */

static void set_weights(struct colony *colony, float base_trail)
{
    const struct thesis_rules *rules = colony->rules;
    const size_t square = (size_t)colony->n * colony->n;
    for (size_t i = 0; i < square; i++) {
        const float weight =
            thesis_weight(thesis_trail(colony->tau[i], base_trail, rules->alpha), colony->sights[i]);
        colony->keys[i] = as_int(weight);
    }
}

/* Returns the city to which the ant must go from `city`, over a fixed edge; n: the ant may choose. left[c]:
 * -1 if city c is not visited, otherwise 0. */
static uint32_t forced(const struct colony *colony, const int32_t *left, uint32_t city)
{
    const uint32_t n = colony->n;
    if (city == n - 1 && left[0])
        return 0;
    if (city == 0 && left[n - 1])
        return n - 1;
    if (city + 1 < n && colony->fixed[city] && left[city + 1])
        return city + 1;
    if (city && colony->fixed[city - 1] && left[city - 1])
        return city - 1;
    return n;
}

/* Returns the open city with the largest key; of cities with equal keys, the lowest. open[c]: -1 if city c is
 * open, otherwise 0. *key: the largest key; 0: no city is open. */
static uint32_t largest(const int32_t *keys, const int32_t *open, uint32_t n, int32_t *key)
{
    int32_t most = 0;
    for (uint32_t c = 0; c < n; c++) {
        const int32_t own = keys[c] & open[c];
        most = own > most ? own : most;
    }
    uint32_t city = 0;
    while (city + 1 < n && (keys[city] & open[city]) != most)
        city++;
    *key = most;
    return city;
}

static uint32_t share(int32_t key, float scale)
{
    return key ? (uint32_t)(as_float(key) * scale) : 0;
}

static uint32_t drawn(const struct colony *colony, const int32_t *keys, const int32_t *open, int32_t most,
                      struct shoal_words words)
{
    const float scale = thesis_scale(as_float(most));
    uint64_t total = 0;
    uint32_t city = 0;
    for (uint32_t c = 0; c < colony->n; c++)
        total += share(keys[c] & open[c], scale);
    uint64_t rest = thesis_drawn(words.x, total);
    for (;; city++) {
        const uint32_t own = share(keys[city] & open[city], scale);
        if (rest < own || city + 1 == colony->n)
            return city;
        rest -= own;
    }
}

/* Returns the city at which the ant begins: `city`, or an end of the chain of fixed edges that has `city` as
 * an inner city. */
static uint32_t start_of(const struct colony *colony, uint32_t city)
{
    while (colony->is_inner[city])
        city = city + 1 < colony->n ? city + 1 : 0;
    return city;
}

static void construct(struct colony *colony, uint32_t start, uint64_t cycle)
{
    const uint32_t n = colony->n;
    const struct thesis_piece *piece = colony->piece;
    /* -1 or 0 for each city: left: the city is not visited; open: the ant can choose the city */
    int32_t left[THESIS_MOST_PIECE], open[THESIS_MOST_PIECE];
    for (uint32_t c = 0; c < n; c++) {
        left[c] = -1;
        open[c] = colony->is_inner[c] ? 0 : -1;
    }
    uint32_t city = start_of(colony, start);
    for (uint32_t t = 0;; t++) {
        colony->tour[t] = (uint8_t)city;
        left[city] = open[city] = 0;
        if (t + 1 == n)
            return;
        const uint32_t next = forced(colony, left, city);
        const int32_t *keys = colony->keys + (size_t)city * n;
        int32_t key;
        if (next < n) {
            city = next;
            continue;
        }
        city = largest(keys, open, n, &key);
        if (colony->rules->draws)
            city = drawn(colony, keys, open, key,
                         shoal_random_words(colony->rules->seed, SHOAL_STREAM_TSP_THESIS_MICRO,
                                            (uint32_t)(piece->step * colony->rules->micro_cycles + cycle),
                                            piece->number * THESIS_MOST_PIECE + start, t));
    }
}

static void reinforce(struct colony *colony, const uint8_t *path, float amount)
{
    const size_t n = colony->n;
    for (size_t i = 0; i < n * n; i++)
        colony->tau[i] = thesis_kept(colony->tau[i], colony->rules->keep);
    for (size_t p = 0; p + 1 < n; p++) {
        colony->tau[path[p] * n + path[p + 1]] += amount;
        colony->tau[path[p + 1] * n + path[p]] += amount;
    }
}

/* Makes one cycle. Copies the best path of the cycle to colony->cycle_best and returns its length. */
static int64_t run_cycle(struct colony *colony, uint64_t cycle)
{
    struct thesis_path path = {.cities = colony->tour,
                               .count = colony->n,
                               .distances = colony->distances,
                               .is_wide = colony->is_wide};
    int64_t least = INT64_MAX;
    for (uint32_t s = 0; s < colony->n; s++) {
        construct(colony, s, cycle);
        thesis_find_ends(&path);
        if (!colony->rules->rewinds_late)
            thesis_rewind(&path);
        thesis_improve(&path, colony->rules->passes);
        const int64_t length = thesis_path_length(&path);
        if (length >= least)
            continue;
        least = length;
        if (colony->rules->rewinds_late)
            thesis_rewind(&path);
        memcpy(colony->cycle_best, colony->tour, colony->n);
    }
    return least;
}

static void take(struct colony *colony)
{
    uint32_t cities[THESIS_MOST_PIECE];
    for (uint32_t p = 0; p < colony->n; p++)
        cities[p] = colony->piece->cities[colony->best[p]];
    memcpy(colony->piece->cities, cities, colony->n * sizeof *cities);
}

static void run_cycles(struct colony *colony)
{
    const struct thesis_rules *rules = colony->rules;
    const uint32_t n = colony->n;
    struct thesis_path came = {
        .cities = colony->best, .count = n, .distances = colony->distances, .is_wide = colony->is_wide};
    for (uint32_t p = 0; p < n; p++)
        colony->best[p] = (uint8_t)p;
    int64_t best = thesis_path_length(&came), first = 0;
    float base = 1;
    for (uint64_t cycle = 0; cycle < rules->micro_cycles; cycle++) {
        set_weights(colony, thesis_raised(base, rules->alpha));
        const int64_t length = run_cycle(colony, cycle);
        if (cycle == 0)
            first = length;
        if (length < best) {
            best = length;
            memcpy(colony->best, colony->cycle_best, n);
        }
        if (colony->piece->tours)
            memcpy(colony->piece->tours + cycle * n, colony->cycle_best, n);
        base = thesis_kept(base, rules->keep);
        reinforce(colony, colony->cycle_best,
                  thesis_amount(rules, first + colony->fixed_length, length + colony->fixed_length));
    }
    take(colony);
}

enum shoal_status thesis_solve_piece(const struct thesis_piece *piece, struct shoal_error *error)
{
    struct colony colony = {
        .piece = piece, .rules = piece->rules, .n = piece->count, .is_wide = piece->problem->form.is_wide};
    if (piece->count < THESIS_LEAST_PIECE)
        return SHOAL_OK;
    enum shoal_status status = allocate(&colony, error);
    if (!status) {
        colony.cycle_best = colony.tour + colony.n;
        colony.best = colony.cycle_best + colony.n;
        set_fixed(&colony);
        set_pairs(&colony);
        run_cycles(&colony);
    }
    release(&colony);
    return status;
}
