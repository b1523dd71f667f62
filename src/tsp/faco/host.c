/* Focused ants on the host, compiled from the source text of the kernels. A thread constructs one tour at a
 * time. */
#include "base/error.h"
#include "base/threads.h"
#include "base/vectors/processor.h"
#include "tsp/faco/faco.h"
#include "tsp/faco/layout.h"
#include "workload/arrays.h"

#include <shoal/rng.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Macros for words of OpenCL C, so that the source text of the kernels compiles as C. */
#define __global
#include "tsp/faco/settle.clh"
#include "tsp/faco/trail.clh"

struct faco_host {
    struct tsp_colonies common;
    struct faco faco;
    uint32_t *orders[2]; /* [0]: source of each colony; [1]: source for the next step */
    uint32_t *best, *positions;
    struct faco_stop *stops;
    int64_t *legs;
    /* The cities are points in the plane with rounded Euclidean distances, no edge is fixed, and the tour is
     * closed. */
    bool is_plane;
    double *places; /* coordinates of the cities in the order of the source */
    uint16_t *trails;
    uint32_t *weights;
    struct faco_colony *colonies;
    int64_t *changes;          /* [ants]: length of each ant's tour minus the length of the source */
    uint32_t *counts;          /* [ants]: number of segments of each ant's tour */
    struct faco_piece *pieces; /* [ants][FACO_SEGMENTS]: segments of each ant's tour */
    /* The next three arrays have an element for each piece of each colony; NULL if ants are not merged. */
    unsigned char *merging; /* memory that faco_host_merge uses for each piece */
    struct faco_piece *merged;
    struct faco_result *results;
    uint32_t *sent; /* best tour of the last colony before an exchange */
    uint64_t every; /* number of steps between exchanges; 0: no exchange */
    struct thread_choice choice;
    struct long_step *cut; /* the current step of the run, which may be cut */
    faco_host_ant_function *ant;
    /* number of ants that have constructed their tours, which the watchdog reads as a sign of progress */
    atomic_uint_fast64_t done;
};

static struct faco_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ------------------------------------------------------------------------------------------------ */

static void list_arrays(struct faco_host *host)
{
    const struct faco_settings *settings = host->faco.settings;
    const double colonies = settings->colonies, cities = colonies * settings->n,
                 ants = colonies * settings->ants,
                 merged = settings->merges ? colonies * settings->pieces : 0;
    const size_t used = (size_t)settings->colonies * settings->n;
    const struct array list[] = {
        {&host->orders[0], cities, sizeof **host->orders, ARRAY_SAVE, "sources", used},
        {&host->orders[1], cities, sizeof **host->orders},
        {&host->best, cities, sizeof *host->best, ARRAY_SAVE, "best tours", used},
        {&host->positions, cities, sizeof *host->positions},
        {&host->stops, cities, sizeof *host->stops},
        {&host->legs, cities, sizeof *host->legs},
        {&host->places, host->is_plane ? 2 * cities : 0, sizeof *host->places},
        {&host->weights, cities * settings->k, sizeof *host->weights},
        {&host->trails, cities * settings->k, sizeof *host->trails, ARRAY_SAVE, "pheromone",
         used * settings->k},
        {&host->colonies, colonies, sizeof *host->colonies, ARRAY_SAVE, "colonies", settings->colonies},
        {&host->changes, ants, sizeof *host->changes},
        {&host->counts, ants, sizeof *host->counts},
        {&host->pieces, ants * FACO_SEGMENTS, sizeof *host->pieces},
        {&host->merging, merged * (double)faco_merge_bytes(), 1},
        {&host->merged, merged * FACO_MERGED, sizeof *host->merged},
        {&host->results, merged, sizeof *host->results},
        {&host->sent, host->every ? settings->n : 0, sizeof *host->sent},
    };
    ARRAYS_SET(&host->common.arrays, list);
}

static faco_host_ant_function *ant_in_plane(void)
{
#ifdef __x86_64__
    if (processor_has_avx2_and_bmi2())
        return faco_host_ant_in_plane_avx2;
#endif
    return faco_host_ant_in_plane;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_host *host = calloc(1, sizeof *host);
    solver->method.state = host;
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status = faco_create(solver, &host->faco, error);
    if (status)
        return status;
    host->is_plane = tsp_form_is_plane(&host->faco.problem->form);
    host->ant = host->is_plane ? ant_in_plane() : faco_host_ant;
    host->choice = (struct thread_choice){.most = solver_threads(solver)};
    host->cut = &tsp_run_of(solver)->cut;
    host->every = tsp_params(solver)->exchange;
    list_arrays(host);
    status = tsp_check_memory(solver, &host->common.arrays, error);
    if (!status)
        status = arrays_create(&host->common.arrays, error);
    faco_set_colonies(&host->faco, host->colonies, &host->common);
    host->common.tours = host->best;
    host->common.numbers = host->changes;
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct faco_host *host = host_of(solver);
    if (!host)
        return;
    arrays_destroy(&host->common.arrays);
    faco_destroy(&host->faco);
    free(host);
}

/* Steps ------------------------------------------------------------------------------------------------- */

/* Updates pheromone and weights of the city that is at `position` in the source of a colony. */
static void renew(struct faco_host *host, uint32_t colony, uint32_t position, uint32_t kept, uint32_t added)
{
    const struct faco_settings *settings = host->faco.settings;
    const size_t n = settings->n, k = settings->k, base = colony * n;
    const uint32_t *order = host->orders[0] + base;
    const uint32_t city = order[position], before = order[(position ? position : settings->n) - 1];
    const uint32_t after = order[position + 1 < settings->n ? position + 1 : 0];
    struct faco_stop *stop = &host->stops[base + position];
    const uint32_t *candidates = host->faco.lists + city * k, *desires = host->faco.desires + city * k;
    uint16_t *trails = host->trails + (base + city) * k;
    uint32_t *weights = host->weights + (base + city) * k;
    uint32_t all = 0, up = 0, down = 0, up_side = FACO_ABSENT, down_side = FACO_ABSENT;
    for (uint32_t j = 0; j < k; j++) {
        const bool is_up = candidates[j] == after, is_down = candidates[j] == before;
        const uint32_t weight =
            faco_trail(&trails[j], desires[j], is_up || is_down, settings->least, kept, added);
        weights[j] = weight;
        all += weight;
        up = is_up ? weight : up;
        up_side = is_up ? j : up_side;
        down = is_down ? weight : down;
        down_side = is_down ? j : down_side;
    }
    faco_set_stop(all, up, down, up_side, down_side, stop);
    host->legs[base + position] = tsp_distance(host->faco.problem, city, after);
    if (host->faco.problem->form.has_fixed) {
        if (host->legs[base + position] < 0)
            stop->up = UINT32_MAX;
        if (tsp_distance(host->faco.problem, city, before) < 0)
            stop->down = UINT32_MAX;
    }
}

static void place(struct faco_host *host, uint32_t colony)
{
    const uint32_t n = host->faco.settings->n;
    const uint32_t *order = host->orders[0] + (size_t)colony * n;
    const double *places = host->faco.problem->form.places;
    for (uint32_t i = 0; i < n; i++)
        host->positions[(size_t)colony * n + order[i]] = i;
    for (size_t i = 0; i < n && host->places; i++)
        memcpy(&host->places[2 * ((size_t)colony * n + i)], &places[2 * (size_t)order[i]],
               2 * sizeof *places);
}

/* Computes the arrays that depend on sources and pheromone. Ends early if the step is cut. */
static void derive(struct faco_host *host)
{
    /* number of cities between two calls of long_step_look; the work for a city takes some 100 ns */
    enum { LOOK = 1024 };
    const struct faco_settings *settings = host->faco.settings;
    for (uint32_t c = 0; c < settings->colonies && !long_step_is_cut(host->cut); c++) {
        place(host, c);
        for (uint32_t i = 0; i < settings->n && !long_step_look_each(host->cut, i, LOOK); i++)
            renew(host, c, i, 65536, 0);
    }
}

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    return faco_prepare(solver, &host_of(solver)->faco, is_first, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct faco_host *host = host_of(solver);
    const struct faco_settings *settings = host->faco.settings;
    const size_t n = settings->n;
    for (uint32_t c = 0; c < settings->colonies; c++) {
        memcpy(host->orders[0] + c * n, host->faco.first, n * sizeof *host->best);
        memcpy(host->best + c * n, host->faco.first, n * sizeof *host->best);
        host->colonies[c] = (struct faco_colony){.source = host->faco.length, .best = host->faco.length};
    }
    for (size_t i = 0; i < settings->colonies * n * settings->k; i++)
        host->trails[i] = FACO_TRAIL;
    derive(host);
    return tsp_start_status(solver, host->faco.first, error);
}

static void make_tour(struct faco_host *host, uint32_t index, uint32_t step)
{
    const struct faco_settings *settings = host->faco.settings;
    const size_t base = (size_t)(index / settings->ants) * settings->n;
    const struct faco_source source = {.order = host->orders[0] + base,
                                       .positions = host->positions + base,
                                       .stops = host->stops + base,
                                       .legs = host->legs + base,
                                       .places = host->places ? host->places + 2 * base : NULL,
                                       .weights = host->weights + base * settings->k};
    host->changes[index] = host->ant(&host->faco, &source, index, step,
                                     host->pieces + (size_t)index * FACO_SEGMENTS, &host->counts[index]);
    atomic_fetch_add_explicit(&host->done, 1, memory_order_relaxed);
}

/* Writes the cities of `count` segments of the source to `next`. Returns the position after the last city
 * written. */
static uint32_t *take_pieces(const uint32_t *source, const struct faco_piece *pieces, uint32_t count,
                             uint32_t *next)
{
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t from = pieces[r].from, to = pieces[r].to;
        for (uint32_t i = from; i <= to && from <= to; i++)
            *next++ = source[i];
        for (uint32_t i = from + 1; i-- > to && from > to;)
            *next++ = source[i];
    }
    return next;
}

static void merge(struct faco_host *host, uint32_t piece)
{
    const struct faco_tours tours = {host->changes, host->pieces, host->counts};
    faco_host_merge(host->faco.settings, &tours, piece, host->merging + piece * faco_merge_bytes(),
                    host->merged + (size_t)piece * FACO_MERGED, &host->results[piece]);
}

/* Writes the source for the next step of a colony to `next`: the merged segments of all pieces, or the tour
 * of the winner if ants are not merged. */
static void take_ants(const struct faco_host *host, uint32_t index, uint32_t *next)
{
    const struct faco_settings *settings = host->faco.settings;
    const uint32_t *source = host->orders[0] + (size_t)index * settings->n;
    const uint32_t winner = host->colonies[index].winner, first = index * settings->pieces;
    if (!settings->merges)
        take_pieces(source, host->pieces + (size_t)winner * FACO_SEGMENTS, host->counts[winner], next);
    for (uint32_t p = first; p < (settings->merges ? first + settings->pieces : 0); p++)
        next = take_pieces(source, host->merged + (size_t)p * FACO_MERGED, host->results[p].count, next);
}

/* Rotates a tour: moves its first `turn` cities to its end. */
static void turn_tour(uint32_t *tour, size_t n, size_t turn, uint32_t *scratch)
{
    memcpy(scratch, tour, turn * sizeof *tour);
    memmove(tour, tour + turn, (n - turn) * sizeof *tour);
    memcpy(tour + n - turn, scratch, turn * sizeof *tour);
}

static void settle(struct faco_host *host, uint32_t index, uint32_t step)
{
    const struct faco_settings *settings = host->faco.settings;
    const size_t base = (size_t)index * settings->n, bytes = settings->n * sizeof *host->best;
    struct faco_colony *colony = &host->colonies[index];
    uint32_t winner = index * settings->ants;
    int64_t change = 0;
    if (settings->merges) {
        const struct faco_result *results = host->results + (size_t)index * settings->pieces;
        winner = results[0].winner;
        for (uint32_t p = 0; p < settings->pieces; p++)
            change += results[p].change;
    } else {
        for (uint32_t i = winner; i < (index + 1) * settings->ants; i++)
            winner = host->changes[i] < host->changes[winner] ? i : winner;
        change = host->changes[winner];
    }
    faco_settle(settings->seed, settings->share, index, winner, change, step, colony);
    if (colony->take == FACO_TAKE_ANT)
        take_ants(host, index, host->orders[1] + base);
    else
        memcpy(host->orders[1] + base, (colony->take == FACO_TAKE_BEST ? host->best : host->orders[0]) + base,
               bytes);
    /* The old source is no longer needed, so its memory is used as scratch memory. */
    turn_tour(host->orders[1] + base, settings->n, settings->turn, host->orders[0] + base);
    if (colony->is_better)
        memcpy(host->best + base, host->orders[1] + base, bytes);
}

/* Replaces the best tour of the colony by the sender's tour, if this tour is shorter. */
static void receive(struct faco_host *host, uint32_t index, const uint32_t *tour,
                    const struct faco_colony *sender)
{
    const size_t base = (size_t)index * host->faco.settings->n, bytes = host->faco.settings->n * sizeof *tour;
    if (sender->best >= host->colonies[index].best)
        return;
    memcpy(host->best + base, tour, bytes);
    memcpy(host->orders[0] + base, tour, bytes);
    faco_receive(&host->colonies[index], sender);
}

/* Goes from the last colony to the first, so that each colony sends the best tour that it had before the
 * exchange. */
static void exchange(struct faco_host *host)
{
    const struct faco_settings *settings = host->faco.settings;
    const uint32_t n = settings->n, last = settings->colonies - 1;
    const struct faco_colony sender = host->colonies[last];
    memcpy(host->sent, host->best + (size_t)last * n, n * sizeof *host->sent);
    for (uint32_t c = last; c > 0; c--)
        receive(host, c, host->best + (size_t)(c - 1) * n, &host->colonies[c - 1]);
    receive(host, 0, host->sent, &sender);
}

/* The work of one thread in a step. All threads of the team finish a loop before any begins the next. */
static void step_of_thread(void *own, uint32_t step)
{
    enum { LOOK = 8 }; /* number of ants between two calls of long_step_look; an ant takes some 10 us */
    struct faco_host *host = own;
    const struct faco_settings *settings = host->faco.settings;
    const uint32_t colonies = settings->colonies;
#pragma omp for schedule(dynamic, 8)
    for (uint32_t i = 0; i < colonies * settings->ants; i++) {
        if (long_step_is_cut(host->cut))
            continue;
        make_tour(host, i, step);
        if (i % LOOK == 0)
            long_step_look(host->cut);
    }
    /* A step that is cut up to here has changed no data that the repeated step reads. */
    if (long_step_is_cut(host->cut))
        return;
#pragma omp for schedule(dynamic)
    for (uint32_t p = 0; p < (settings->merges ? colonies * settings->pieces : 0); p++)
        merge(host, p);
#pragma omp for schedule(static)
    for (uint32_t c = 0; c < colonies; c++)
        settle(host, c, step);
#pragma omp single
    {
        uint32_t *next = host->orders[1];
        host->orders[1] = host->orders[0];
        host->orders[0] = next;
        if (host->every && step % host->every == 0)
            exchange(host);
    }
#pragma omp for schedule(static) nowait
    for (uint32_t c = 0; c < colonies; c++)
        place(host, c);
#pragma omp for schedule(static) nowait
    for (uint64_t i = 0; i < (uint64_t)colonies * settings->n; i++)
        renew(host, (uint32_t)(i / settings->n), (uint32_t)(i % settings->n), settings->kept,
              settings->added);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    (void)error;
    struct faco_host *host = host_of(solver);
    tsp_advance_threads(solver, &host->choice, steps, step_of_thread, host);
    return SHOAL_OK;
}

/* State ------------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct faco_host *host = host_of(solver);
    const enum shoal_status status = faco_load(solver, &host->faco, checkpoint, error);
    if (status)
        return status;
    derive(host);
    return long_step_status(host->cut, error);
}

static uint64_t progress(const struct shoal_solver *solver)
{
    return atomic_load_explicit(&host_of(solver)->done, memory_order_relaxed);
}

const struct tsp_method faco_host_method = {.base = {.name = "host",
                                                     .create = create,
                                                     .destroy = destroy,
                                                     .begin = begin,
                                                     .advance = advance,
                                                     .save = tsp_colonies_save,
                                                     .load = load},
                                            TSP_COLONIES_METHOD,
                                            .prepare = prepare,
                                            .progress = progress};
