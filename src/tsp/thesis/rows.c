/* The macro level of the thesis on the host, an ant system over all cities: rows of pheromone, and ants. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "tsp/device/neighbours.h"
#include "tsp/thesis/thesis.h"

#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

#include "tsp/thesis/weights.h"

/* Pheromone -------------------------------------------------------------------------------------------- */

float thesis_base_kept(const struct thesis_rules *rules, float base)
{
    return thesis_kept(base, rules->keep);
}

float thesis_base_trail(const struct thesis_rules *rules, float base)
{
    return thesis_raised(base, rules->alpha);
}

static void receive(struct thesis_rows *rows, uint32_t city, uint32_t other, float amount)
{
    const size_t first = (size_t)city * rows->width;
    uint32_t e = 0;
    while (e < rows->used[city] && rows->cities[first + e] != other)
        e++;
    if (e == rows->used[city]) {
        rows->cities[first + e] = other;
        rows->tau[first + e] = rows->base;
        rows->used[city]++;
    }
    rows->tau[first + e] += amount;
}

static void weigh(const struct tsp_problem *problem, const struct thesis_rules *rules,
                  struct thesis_rows *rows, uint32_t city)
{
    const size_t first = (size_t)city * rows->width;
    float sight = 0;
    for (uint32_t e = 0; e < rows->used[city]; e++) {
        const int64_t distance = tsp_distance(problem, city, rows->cities[first + e]);
        const float own = thesis_sight((float)distance, rules->beta);
        rows->weights[first + e] =
            thesis_weight(thesis_trail(rows->tau[first + e], rows->base_trail, rules->alpha), own);
        if (e + 1 == rules->candidates)
            sight = own;
    }
    /* If a row has fewer candidates than rules->candidates, all edges that are not in the row are
     * forbidden. */
    rows->beyond[city] = sight > 0 ? thesis_weight(rows->base_trail, sight) * rules->margin : 0;
}

enum shoal_status thesis_rows_begin(const struct tsp_problem *problem, const struct thesis_rules *rules,
                                    struct thesis_rows *rows, const struct thesis_work *work,
                                    struct shoal_error *error)
{
    const size_t n = rows->n, count = rules->candidates;
    const struct tsp_listing listing = {
        .count = rules->candidates, .kind = TSP_NEAREST, .threads = work->threads->most, .cut = work->cut};
    memset(rows->used, 0, n * sizeof *rows->used);
    rows->base = 1;
    if (!count)
        return SHOAL_OK;
    uint32_t *lists = malloc(n * count * sizeof *lists);
    enum shoal_status status =
        lists ? tsp_candidates(problem, NULL, NULL, &listing, lists, error) : fail_host_memory(error);
    for (size_t city = 0; city < n && !status; city++)
        for (size_t e = 0; e < count && lists[city * count + e] != SHOAL_TSP_NONE; e++) {
            rows->cities[city * rows->width + e] = lists[city * count + e];
            rows->tau[city * rows->width + e] = 1;
            rows->used[city]++;
        }
    free(lists);
    return status;
}

void thesis_rows_weigh(const struct tsp_problem *problem, const struct thesis_rules *rules,
                       struct thesis_rows *rows, int threads)
{
    rows->base_trail = thesis_raised(rows->base, rules->alpha);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t city = 0; city < rows->n; city++)
        weigh(problem, rules, rows, city);
}

void thesis_rows_reinforce(const struct thesis_rules *rules, struct thesis_rows *rows, const uint32_t *tour,
                           float amount)
{
    const uint32_t n = rows->n;
    rows->base = thesis_kept(rows->base, rules->keep);
    for (uint32_t city = 0; city < n; city++)
        for (uint32_t e = 0; e < rows->used[city]; e++) {
            float *tau = &rows->tau[(size_t)city * rows->width + e];
            *tau = thesis_kept(*tau, rules->keep);
        }
    for (uint32_t t = 0; t < n; t++) {
        const uint32_t next = tour[t + 1 < n ? t + 1 : 0];
        receive(rows, tour[t], next, amount);
        receive(rows, next, tour[t], amount);
    }
}

/* Ants ------------------------------------------------------------------------------------------------- */

struct ant {
    const struct tsp_problem *problem;
    const struct thesis_rules *rules;
    const struct thesis_rows *rows;
    uint32_t n, left;
    /* open, [n]: the cities that the ant has not visited; at, [n]: index of each city in `open`, or n if the
     * ant has visited the city */
    uint32_t *tour, *open, *at;
    /* [n]: weights of the edges of the current city; NULL if ants do not draw cities at random */
    float *weights;
};

static enum shoal_status ant_create(struct ant *ant, struct shoal_error *error)
{
    const size_t n = ant->n;
    ant->tour = malloc(3 * n * sizeof *ant->tour);
    ant->weights = ant->rules->draws ? malloc(n * sizeof *ant->weights) : NULL;
    if (!ant->tour || (ant->rules->draws && !ant->weights))
        return fail_host_memory(error);
    ant->open = ant->tour + n;
    ant->at = ant->open + n;
    return SHOAL_OK;
}

static bool is_inner(const struct ant *ant, uint32_t city)
{
    const struct tsp_form *form = &ant->problem->form;
    return form->has_fixed && form->fixed[2 * (size_t)city] != SHOAL_TSP_NONE &&
           form->fixed[2 * (size_t)city + 1] != SHOAL_TSP_NONE;
}

static void visit(struct ant *ant, uint32_t city)
{
    const uint32_t at = ant->at[city], last = ant->open[--ant->left];
    ant->open[at] = last;
    ant->at[last] = at;
    ant->at[city] = ant->n;
}

/* Returns the city at which an ant begins: `city`, or an end of the chain of fixed edges that has `city` as
 * an inner city. */
static uint32_t start_of(const struct ant *ant, uint32_t city)
{
    uint32_t before = SHOAL_TSP_NONE;
    for (uint32_t steps = 0; steps < ant->n && is_inner(ant, city); steps++) {
        const uint32_t *partners = ant->problem->form.fixed + 2 * (size_t)city;
        const uint32_t next = partners[0] == before ? partners[1] : partners[0];
        before = city;
        city = next;
    }
    return city;
}

static uint32_t forced(const struct ant *ant, uint32_t city)
{
    const struct tsp_form *form = &ant->problem->form;
    for (size_t k = 0; form->has_fixed && k < 2; k++) {
        const uint32_t partner = form->fixed[2 * (size_t)city + k];
        if (partner != SHOAL_TSP_NONE && ant->at[partner] < ant->n)
            return partner;
    }
    return SHOAL_TSP_NONE;
}

struct choice {
    uint32_t city;
    float weight;
};

static inline void consider(struct choice *choice, uint32_t city, float weight)
{
    if (weight > choice->weight || (weight == choice->weight && city < choice->city))
        *choice = (struct choice){city, weight};
}

static float plain_weight(const struct ant *ant, uint32_t city, uint32_t other)
{
    const float sight = thesis_sight((float)tsp_distance(ant->problem, city, other), ant->rules->beta);
    return thesis_weight(ant->rows->base_trail, sight);
}

static uint32_t largest(const struct ant *ant, uint32_t city)
{
    const struct thesis_rows *rows = ant->rows;
    const size_t first = (size_t)city * rows->width;
    struct choice choice = {SHOAL_TSP_NONE, 0};
    for (uint32_t e = 0; e < rows->used[city]; e++) {
        const uint32_t other = rows->cities[first + e];
        if (ant->at[other] < ant->n && !is_inner(ant, other))
            consider(&choice, other, rows->weights[first + e]);
    }
    if (ant->rules->candidates && choice.weight > rows->beyond[city])
        return choice.city;
    for (uint32_t i = 0; i < ant->left; i++)
        if (!is_inner(ant, ant->open[i]))
            consider(&choice, ant->open[i], plain_weight(ant, city, ant->open[i]));
    return choice.city;
}

static bool is_open(const struct ant *ant, uint32_t city)
{
    return ant->at[city] < ant->n && !is_inner(ant, city);
}

/* Draws an open city with a probability proportional to its weight. Weights are scaled by the largest weight,
 * rounded to integers, and summed in ascending order of the cities. `word`: random number. */
static uint32_t drawn(const struct ant *ant, uint32_t city, uint32_t word)
{
    const struct thesis_rows *rows = ant->rows;
    const size_t first = (size_t)city * rows->width;
    for (uint32_t c = 0; c < ant->n; c++)
        ant->weights[c] = is_open(ant, c) ? plain_weight(ant, city, c) : -1;
    for (uint32_t e = 0; e < rows->used[city]; e++) {
        const uint32_t other = rows->cities[first + e];
        if (is_open(ant, other))
            ant->weights[other] = rows->weights[first + e];
    }
    float most = 0;
    for (uint32_t c = 0; c < ant->n; c++)
        most = ant->weights[c] > most ? ant->weights[c] : most;
    const float scale = thesis_scale(most);
    uint64_t total = 0;
    uint32_t last = 0;
    for (uint32_t c = 0; c < ant->n; c++)
        if (ant->weights[c] >= 0) {
            total += (uint32_t)(ant->weights[c] * scale);
            last = c;
        }
    uint64_t rest = thesis_drawn(word, total);
    for (uint32_t c = 0; c < last; c++) {
        const uint32_t own = ant->weights[c] >= 0 ? (uint32_t)(ant->weights[c] * scale) : 0;
        if (rest < own)
            return c;
        rest -= own;
    }
    return last;
}

#define CUT INT64_MAX

/* Constructs the tour of the ant with start s in ant->tour, and returns the tour's length; CUT if the work
 * was cut. */
static int64_t construct(struct ant *ant, uint32_t s, uint64_t cycle, struct long_step *cut)
{
    struct long_step_looks looks = {0};
    const struct thesis_rules *rules = ant->rules;
    for (uint32_t c = 0; c < ant->n; c++)
        ant->open[c] = ant->at[c] = c;
    ant->left = ant->n;
    uint32_t city = start_of(ant, thesis_start(rules, ant->n, s));
    int64_t length = 0;
    for (uint32_t t = 0;; t++) {
        if (long_step_worked(cut, &looks))
            return CUT;
        ant->tour[t] = city;
        visit(ant, city);
        if (t + 1 == ant->n)
            return length + tsp_distance(ant->problem, city, ant->tour[0]);
        uint32_t next = forced(ant, city);
        if (next == SHOAL_TSP_NONE)
            next = rules->draws ? drawn(ant, city,
                                        shoal_random_words(rules->seed, SHOAL_STREAM_TSP_THESIS_MACRO,
                                                           (uint32_t)cycle, s, t)
                                            .x)
                                : largest(ant, city);
        length += tsp_distance(ant->problem, city, next);
        city = next;
    }
}

/* Replaces the best tour by the ant's tour if that is shorter. Of tours with equal lengths, keeps the one
 * with the lowest start, so that the order of calls has no effect. */
static void keep_best(const struct ant *ant, struct thesis_best *best, uint32_t s, int64_t length)
{
    if (length > best->length || (length == best->length && s > best->start))
        return;
    best->length = length;
    best->start = s;
    memcpy(best->tour, ant->tour, ant->n * sizeof *ant->tour);
}

enum shoal_status thesis_ants(const struct tsp_problem *problem, const struct thesis_rules *rules,
                              const struct thesis_rows *rows, uint64_t cycle, const struct thesis_work *work,
                              struct thesis_best *best, struct shoal_error *error)
{
    bool lacks_memory = false;
    best->length = INT64_MAX;
    best->start = UINT32_MAX;
#pragma omp parallel num_threads(thread_choice_threads(work->threads))
    {
        struct ant ant = {.problem = problem, .rules = rules, .rows = rows, .n = rows->n};
        const double start = clock_thread_seconds();
        struct shoal_error ignored;
        const bool failed = ant_create(&ant, &ignored);
#pragma omp for schedule(dynamic) nowait
        for (uint32_t s = 0; s < rules->starts; s++) {
            if (failed || long_step_is_cut(work->cut))
                continue;
            const int64_t length = construct(&ant, s, cycle, work->cut);
            if (length == CUT)
                continue;
            atomic_fetch_add_explicit(work->progress, rows->n, memory_order_relaxed);
#pragma omp critical
            keep_best(&ant, best, s, length);
        }
        if (failed) {
#pragma omp atomic write
            lacks_memory = true;
        }
        free(ant.tour);
        free(ant.weights);
        thread_choice_work(work->threads, start);
    }
    return lacks_memory ? fail_host_memory(error) : long_step_status(work->cut, error);
}
