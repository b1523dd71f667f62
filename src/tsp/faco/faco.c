/* Focused ants: settings that follow from the parameters, tables, and the first source. */
#include "tsp/faco/faco.h"

#include "base/error.h"
#include "tsp/faco/layout.h"
#include "tsp/improve/improve.h"
#include "tsp/model/neighbours.h"
#include "workload/arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* CANDIDATES: default length of candidate lists of nearest cities. QUADRANT_CANDIDATES: default length of
 * candidate lists of quadrants, which have five cities of each quadrant. */
enum { CANDIDATES = 16, QUADRANT_CANDIDATES = 20, NEW_EDGES = 8, ANTS_MULTIPLE = 64, MOST_CANDIDATES = 64 };
/* LEAST_PIECE: least number of cities of a piece. PIECE_ANTS: default number of ants for each piece. */
enum { LEAST_PIECE = 8, PIECE_ANTS = 64 };

static enum shoal_status check(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    if (!isnan(params->alpha) && params->alpha != 1)
        return fail(error, SHOAL_INVALID, "faco has no --alpha: its pheromone has the exponent 1");
    if (params->candidates > MOST_CANDIDATES)
        return fail(error, SHOAL_INVALID, "faco takes at most %d --candidates, got %llu", MOST_CANDIDATES,
                    (unsigned long long)params->candidates);
    if (params->pieces && params->ants % params->pieces)
        return fail(error, SHOAL_INVALID,
                    "--ants are shared equally by --pieces: %llu is not a multiple of %llu",
                    (unsigned long long)params->ants, (unsigned long long)params->pieces);
    return SHOAL_OK;
}

/* Returns the default number of ants: 4 sqrt(n), rounded up to a multiple of 64; with several pieces
 * PIECE_ANTS for each piece. */
static uint32_t default_ants(uint32_t n, uint32_t pieces)
{
    if (pieces > 1)
        return pieces * PIECE_ANTS;
    const double ants = 4 * sqrt(n);
    return (uint32_t)ceil(ants / ANTS_MULTIPLE) * ANTS_MULTIPLE;
}

static double given(double value, double standard)
{
    return isnan(value) ? standard : value;
}

/* Returns the least pheromone divided by the largest. With this quotient, an ant that chooses k times, each
 * time among k candidates, chooses the best candidate every time with probability p_best (T. Stuetzle and H.
 * H. Hoos 2000, with k instead of n). */
static double least_trail(double p_best, uint32_t k)
{
    const double p = pow(p_best, 1.0 / k);
    return k > 1 ? fmin(1, (1 - p) / ((k - 1) * p)) : 1;
}

static const struct tsp_list_rules list_rules = {
    .nearest = CANDIDATES, .quadrants = QUADRANT_CANDIDATES, .most = MOST_CANDIDATES};

/* Sets the numbers of pieces and of ants. A share may process only some of the pieces. */
static enum shoal_status set_pieces(const struct shoal_solver *solver, struct faco_settings *settings,
                                    struct shoal_error *error)
{
    const struct shoal_tsp_params *params = tsp_params(solver);
    const uint32_t pieces = params->pieces ? (uint32_t)params->pieces : 1;
    const bool has_some = tsp_shares_pieces(solver);
    if (pieces > 1 && settings->n / pieces < LEAST_PIECE)
        return fail(error, SHOAL_INVALID,
                    "a piece has %d cities or more: lower --pieces to %u, the most for %u cities",
                    LEAST_PIECE, settings->n < LEAST_PIECE ? 1 : settings->n / LEAST_PIECE, settings->n);
    settings->ants = params->ants ? (uint32_t)params->ants : default_ants(settings->n, pieces);
    settings->pieces = pieces;
    settings->merges = params->faco.merge || params->pieces;
    /* The golden section of a piece, rounded down: successive sources are rotated by this number of cities,
     * so that ends of pieces move over all positions. */
    settings->turn = pieces > 1 ? (uint32_t)((uint64_t)(settings->n / pieces) * 618 / 1000) : 0;
    settings->lead = has_some ? 0 : (uint32_t)solver->share.first;
    settings->first_piece = has_some ? (uint32_t)solver->share.first : 0;
    settings->own_pieces = has_some ? (uint32_t)solver->share.count : settings->colonies * pieces;
    return SHOAL_OK;
}

enum shoal_status faco_create(struct shoal_solver *solver, struct faco *faco, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = tsp_params(solver);
    const uint32_t n = tsp_problem_of(solver)->form.n;
    struct faco_settings *settings = calloc(1, sizeof *settings);
    faco->problem = tsp_problem_of(solver);
    faco->settings = settings;
    if (!settings)
        return fail_host_memory(error);
    const enum shoal_status status = tsp_run_choose_lists(solver, &list_rules, &faco->lists, error);
    if (status)
        return status;
    settings->seed = params->seed;
    settings->n = n;
    settings->k = tsp_run_list_length(solver, &list_rules);
    settings->colonies = (uint32_t)params->colonies;
    settings->new_edges = params->faco.new_edges ? (uint32_t)params->faco.new_edges : NEW_EDGES;
    settings->searched = settings->k < FACO_SEARCHED ? settings->k : FACO_SEARCHED;
    settings->kept = (uint32_t)lrint(65536 * (1 - given(params->rho, 0.5)));
    settings->added = FACO_TRAIL - (FACO_TRAIL * settings->kept >> 16);
    settings->least = (uint32_t)lrint(FACO_TRAIL * least_trail(given(params->faco.p_best, 0.1), settings->k));
    const double share = given(params->faco.source_share, 0.01) * 4294967296.0;
    settings->share = share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
    return set_pieces(solver, settings, error);
}

/* Tables ------------------------------------------------------------------------------------------------ */

/* Sets the weights of the candidates of a city: (1 / distance)^beta, scaled so that the sum of k weights is
 * below 2^32. The weight of a fixed edge is 0, since an ant follows fixed edges without a choice. */
static void set_row(struct faco *faco, uint32_t city, double beta)
{
    const uint32_t k = faco->settings->k;
    const uint32_t *list = faco->lists + (size_t)city * k;
    const double most = floor(4294967295.0 / k);
    uint32_t *desires = faco->desires + (size_t)city * k;
    int32_t *reach = faco->reach + (size_t)city * k;
    /* the least distance above 0: the first, since lists are sorted by distance */
    int32_t nearest = 0;
    bool has_zero = false;
    for (uint32_t j = 0; j < k; j++) {
        const int64_t distance = list[j] == SHOAL_TSP_NONE ? 0 : tsp_distance(faco->problem, city, list[j]);
        reach[j] = distance < 0 ? INT32_MIN : (int32_t)distance;
        has_zero |= list[j] != SHOAL_TSP_NONE && distance == 0;
        nearest = nearest > 0 || distance < 0 ? nearest : reach[j];
    }
    for (uint32_t j = 0; j < k; j++) {
        const double ratio = tsp_nearness(nearest, has_zero, reach[j]);
        desires[j] = list[j] == SHOAL_TSP_NONE || reach[j] < 0
                         ? 0
                         : (uint32_t)(most * (beta == 1 ? ratio : pow(ratio, beta)));
    }
}

static void clear_tables(struct faco *faco)
{
    if (!faco->are_others) {
        free(faco->lists);
        free(faco->desires);
        free(faco->reach);
        free(faco->first);
    }
    faco->lists = faco->desires = faco->first = NULL;
    faco->reach = NULL;
}

static enum shoal_status fill_tables(struct shoal_solver *solver, struct faco *faco,
                                     struct shoal_error *error)
{
    /* number of cities between two calls of long_step_look; the work for a city takes some us */
    enum { LOOK = 256 };
    struct long_step *cut = &tsp_run_of(solver)->cut;
    const struct faco_settings *settings = faco->settings;
    const size_t entries = (size_t)settings->n * settings->k;
    const double beta = given(tsp_params(solver)->beta, 1);
    const bool has_lists = faco->lists != NULL; /* faco_create has computed the lists */
    if (!has_lists)
        faco->lists = malloc(entries * sizeof *faco->lists);
    faco->desires = malloc(entries * sizeof *faco->desires);
    faco->reach = malloc(entries * sizeof *faco->reach);
    if (!faco->lists || !faco->desires || !faco->reach)
        return fail_host_memory(error);
    const enum shoal_status status =
        has_lists ? SHOAL_OK : tsp_run_candidates(solver, settings->k, faco->lists, error);
    for (uint32_t city = 0; city < settings->n && !status; city++) {
        if (long_step_look_each(cut, city, LOOK))
            break;
        set_row(faco, city, beta);
    }
    return status ? status : long_step_status(cut, error);
}

/* Computes all tables, unless they exist. After a failure the tables are NULL. */
static enum shoal_status set_tables(struct shoal_solver *solver, struct faco *faco, struct shoal_error *error)
{
    const enum shoal_status status = faco->reach ? SHOAL_OK : fill_tables(solver, faco, error);
    if (status)
        clear_tables(faco);
    return status;
}

/* Sets the first source: the tour that the caller gave, or else a greedy tour improved by 2-opt and
 * Or-opt. */
static enum shoal_status set_first(struct shoal_solver *solver, struct faco *faco, struct shoal_error *error)
{
    /* most cities that a move may reverse, since longer reversals gain little and take long */
    enum { REACH = 50000 };
    const struct faco_settings *settings = faco->settings;
    struct tsp_run *run = tsp_run_of(solver);
    faco->first = malloc(settings->n * sizeof *faco->first);
    if (!faco->first)
        return fail_host_memory(error);
    if (run->start_tour) {
        memcpy(faco->first, run->start_tour, settings->n * sizeof *faco->first);
        faco->length = tsp_form_length(faco->problem, faco->first);
        return SHOAL_OK;
    }
    const struct tsp_improve_rules rules = {
        .moves = TSP_MOVES_2OPT_OROPT, .lists = faco->lists, .neighbours = settings->k, .reach = REACH};
    enum shoal_status status = tsp_first_greedy(solver, faco->lists, settings->k, faco->first, error);
    if (status)
        return status;
    status = tsp_improve_first(solver, &rules, faco->first, error);
    faco->length = tsp_form_length(faco->problem, faco->first);
    return status;
}

enum shoal_status faco_prepare(struct shoal_solver *solver, struct faco *faco, bool is_first,
                               struct shoal_error *error)
{
    enum shoal_status status = set_tables(solver, faco, error);
    if (status || faco->first || !is_first)
        return status;
    status = set_first(solver, faco, error);
    if (status)
        clear_tables(faco);
    return status;
}

void faco_share_tables(struct faco *faco, const struct faco *whole)
{
    struct faco_settings *settings = faco->settings;
    const struct tsp_problem *problem = faco->problem;
    *faco = *whole;
    faco->settings = settings;
    faco->problem = problem;
    faco->are_others = true;
}

void faco_destroy(struct faco *faco)
{
    free(faco->settings);
    clear_tables(faco);
    *faco = (struct faco){0};
}

/* State ------------------------------------------------------------------------------------------------- */

/* Returns whether `tour` is a permutation of all cities and has the length `length` that the checkpoint
 * saved. `seen`: scratch memory for n values. */
static bool is_saved_tour(const struct faco *faco, const uint32_t *tour, int64_t length, bool *seen)
{
    const uint32_t n = faco->settings->n;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (tour[i] >= n || seen[tour[i]])
            return false;
        seen[tour[i]] = true;
    }
    return tsp_form_length(faco->problem, tour) == length;
}

static bool are_saved_tours(const struct faco *faco, const uint32_t *sources, const uint32_t *best,
                            const struct faco_colony *colonies, uint64_t step, bool *seen)
{
    const size_t n = faco->settings->n;
    for (uint32_t c = 0; c < faco->settings->colonies; c++)
        if (colonies[c].best_step > step || !is_saved_tour(faco, sources + c * n, colonies[c].source, seen) ||
            !is_saved_tour(faco, best + c * n, colonies[c].best, seen))
            return false;
    return true;
}

static enum shoal_status check_saved(const struct faco *faco, const struct checkpoint *checkpoint,
                                     uint64_t step, struct shoal_error *error)
{
    const size_t colonies = faco->settings->colonies, cities = colonies * faco->settings->n;
    uint32_t *sources = malloc(cities * sizeof *sources), *best = malloc(cities * sizeof *best);
    struct faco_colony *states = malloc(colonies * sizeof *states);
    bool *seen = malloc(faco->settings->n * sizeof *seen);
    enum shoal_status status = SHOAL_OK;
    if (!sources || !best || !states || !seen)
        status = fail_host_memory(error);
    if (!status)
        status = checkpoint_get(checkpoint, "sources", sources, cities * sizeof *sources, error);
    if (!status)
        status = checkpoint_get(checkpoint, "best tours", best, cities * sizeof *best, error);
    if (!status)
        status = checkpoint_get(checkpoint, "colonies", states, colonies * sizeof *states, error);
    if (!status && !are_saved_tours(faco, sources, best, states, step, seen))
        status = checkpoint_damaged(checkpoint, error);
    free(sources);
    free(best);
    free(states);
    free(seen);
    return status;
}

enum shoal_status faco_load(struct shoal_solver *solver, struct faco *faco,
                            const struct checkpoint *checkpoint, struct shoal_error *error)
{
    struct tsp_colonies *common = solver->method.state;
    const enum shoal_status status = check_saved(faco, checkpoint, tsp_run_of(solver)->steps, error);
    return status ? status : arrays_load(&common->arrays, checkpoint, error);
}

static struct tsp_look best_of(const void *states, uint32_t index)
{
    const struct faco_colony *colony = (const struct faco_colony *)states + index;
    return (struct tsp_look){.best = colony->best, .best_step = colony->best_step};
}

void faco_set_colonies(const struct faco *faco, struct faco_colony *states, struct tsp_colonies *common)
{
    const struct faco_settings *settings = faco->settings;
    common->count = settings->colonies;
    common->cities = settings->n;
    common->kept = 1;
    common->ants = (uint64_t)settings->colonies * settings->ants;
    common->first_ant = (uint64_t)settings->first_piece * (settings->ants / settings->pieces);
    common->own_ants = (uint64_t)settings->own_pieces * (settings->ants / settings->pieces);
    common->states = states;
    common->state_bytes = settings->colonies * sizeof *states;
    common->best_of = best_of;
}

const struct tsp_algorithm tsp_faco = {.name = "faco",
                                       .has_colonies = true,
                                       .has_quadrants = true,
                                       .check = check,
                                       .host = &faco_host_method,
                                       .device = &faco_device_method};
