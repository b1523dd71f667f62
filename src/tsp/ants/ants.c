/* Rules of the ants of ACOTSP, as they follow from parameters and problem: settings (numbers of ants and
 * candidates, bounds of the pheromone), tables, and the first tour. */
#include "tsp/ants/ants.h"
#include "base/error.h"
#include "tsp/improve/improve.h"
#include "tsp/model/neighbours.h"

#include <stdlib.h>

#include "tsp/ants/rules.h"

/* Rules ------------------------------------------------------------------------------------------------ */

static int algorithm_of(const struct shoal_tsp_params *params)
{
    static const int algorithms[] = {
        [SHOAL_TSP_AS] = ANTS_AS,     [SHOAL_TSP_EAS] = ANTS_EAS,   [SHOAL_TSP_RAS] = ANTS_RAS,
        [SHOAL_TSP_MMAS] = ANTS_MMAS, [SHOAL_TSP_BWAS] = ANTS_BWAS, [SHOAL_TSP_ACS] = ANTS_ACS};
    return algorithms[params->algorithm];
}

static double default_rho(int algorithm, bool improves)
{
    if (improves)
        return algorithm == ANTS_MMAS ? 0.2 : algorithm == ANTS_ACS ? 0.1 : 0.5;
    return algorithm == ANTS_MMAS ? 0.02 : algorithm == ANTS_AS || algorithm == ANTS_EAS ? 0.5 : 0.1;
}

static uint64_t default_ants(int algorithm, bool improves, uint32_t n)
{
    return algorithm == ANTS_ACS ? 10 : improves ? 25 : n;
}

static uint32_t at_most(uint64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

/* Returns the least pheromone of mmas divided by the largest. With local search: 1 / (2 n). Without: the
 * quotient with which ants construct the best tour again with a probability of 0.05 once the pheromone has
 * converged, if an ant chooses among half of its candidate list at each city. */
static double least_share(const struct ants_settings *settings)
{
    const double n = settings->cities, p = exp(log(0.05) / n);
    if (settings->improves)
        return 1 / (2 * n);
    return fmin(1, (1 - p) / (p * (double)((settings->candidates + 1) / 2)));
}

/* Number of steps of the run: the limit on steps, or fewer steps if the limit on tours is reached earlier.
 * The parameters of a share limit only the share, so those of the whole run are used. */
static uint64_t run_steps(const struct shoal_solver *solver, const struct ants_settings *settings)
{
    const struct shoal_tsp_params *params = tsp_params(solver->share.of ? solver->share.whole : solver);
    const uint64_t steps = tsp_workload.total_steps(params), each = settings->ants * params->colonies;
    const uint64_t until = params->tours ? (params->tours + each - 1) / each : steps;
    return until < steps ? until : steps;
}

static void set_numbers(const struct shoal_solver *solver, const struct ants *ants,
                        struct ants_settings *settings)
{
    const struct shoal_tsp_params *params = tsp_params(solver);
    const struct tsp_problem *problem = ants->problem;
    const uint32_t n = problem->form.n;
    const struct shoal_tsp_ants *own = &params->colony;
    const int algorithm = ants->algorithm;
    settings->improves = own->local_search > 0;
    const bool improves = settings->improves;
    settings->seed = params->seed + solver->share.first * ANTS_SEED_STRIDE;
    settings->cities = n;
    settings->colonies = (uint32_t)params->colonies;
    settings->ants = (uint32_t)(params->ants ? params->ants : default_ants(algorithm, improves, problem->n));
    settings->candidates = tsp_list_length(problem, params->candidates, 20);
    const bool has_more = problem->lists == SHOAL_TSP_LISTS_NEAREST && settings->candidates < ANTS_LIST;
    settings->lists = has_more ? at_most(ANTS_LIST, n - 1) : settings->candidates;
    settings->entries = ants->is_full ? n : settings->candidates;
    const double rho = isnan(params->rho) ? default_rho(algorithm, improves) : params->rho;
    settings->rho = (float)rho;
    settings->keep = (float)(1 - rho);
    settings->largest = (float)(1 / rho);
    settings->least = (float)least_share(settings);
    settings->start = algorithm == ANTS_BWAS || algorithm == ANTS_ACS ? (float)(1.0 / n) : (float)(1 / rho);
    settings->alpha = isnan(params->alpha) ? 1 : (float)params->alpha;
    settings->q0 = !isnan(own->q0) ? (float)own->q0 : algorithm != ANTS_ACS ? 0 : improves ? 0.98f : 0.9f;
    settings->elitists =
        own->elitists ? (float)own->elitists : (float)default_ants(algorithm, improves, problem->n);
    const uint32_t ranks = own->ranks ? (uint32_t)own->ranks : 6;
    const uint32_t deposits[] = {[ANTS_AS] = settings->ants,
                                 [ANTS_EAS] = settings->ants + 1,
                                 [ANTS_RAS] = at_most(ranks, settings->ants + 1),
                                 [ANTS_MMAS] = 1,
                                 [ANTS_BWAS] = 2,
                                 [ANTS_ACS] = 1};
    settings->deposits = deposits[algorithm];
    /* ACOTSP makes 0.3 * cities * candidates mutations in all. `mutations` is the number for each city. It is
     * halved, since a mutation of an edge changes the entries of both ends. */
    settings->mutations = (uint32_t)(0.3 * settings->candidates / 2);
    settings->base = (long)((int64_t)problem->form.fixed_count * TSP_FAR);
    settings->steps = run_steps(solver, settings);
}

enum shoal_status ants_create(const struct shoal_solver *solver, struct ants *ants, struct shoal_error *error)
{
    static const unsigned moves[] = {TSP_MOVES_2OPT, TSP_MOVES_2OPT, TSP_MOVES_2HOPT, TSP_MOVES_3OPT,
                                     TSP_MOVES_2OPT_OROPT};
    const struct shoal_tsp_params *params = tsp_params(solver);
    *ants = (struct ants){.problem = tsp_problem_of(solver),
                          .algorithm = algorithm_of(params),
                          .is_full = params->colony.pheromone == SHOAL_TSP_ON_ALL,
                          .moves = moves[params->colony.local_search],
                          .no_bits = !params->colony.look_bits,
                          .settings = calloc(1, sizeof *ants->settings)};
    if (!ants->settings)
        return fail_host_memory(error);
    ants->neighbours = tsp_list_length(ants->problem, params->colony.local_neighbours, 20);
    set_numbers(solver, ants, ants->settings);
    const struct ants_settings *settings = ants->settings;
    const uint64_t tours = (uint64_t)settings->colonies * ((uint64_t)settings->ants + 2);
    if (tours > UINT32_MAX / 2)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%u colonies of %u ants: at most %u tours are possible in a step, lower --ants or "
                    "--colonies",
                    settings->colonies, settings->ants, UINT32_MAX / 2);
    return SHOAL_OK;
}

static void clear_tables(struct ants *ants)
{
    if (!ants->are_others) {
        free(ants->lists);
        free(ants->heuristic);
        free(ants->near);
        free(ants->first);
    }
    ants->lists = ants->near = ants->first = NULL;
    ants->heuristic = NULL;
}

void ants_destroy(struct ants *ants)
{
    free(ants->settings);
    clear_tables(ants);
    *ants = (struct ants){0};
}

/* Ants ------------------------------------------------------------------------------------------------- */

static uint32_t partner(const struct ants *ants, uint32_t city, unsigned place)
{
    return ants->problem->form.fixed[2 * (size_t)city + place];
}

void ants_clear(const struct ants *ants, uint32_t *visited)
{
    const uint32_t n = ants->settings->cities;
    memset(visited, 0, (n + 31) / 32 * sizeof *visited);
    if (ants->problem->form.has_fixed)
        for (uint32_t i = 0; i < n; i++)
            if (partner(ants, i, 1) != SHOAL_TSP_NONE)
                ants_add(visited, i);
}

uint32_t ants_forced(const struct ants *ants, uint32_t city, uint32_t previous)
{
    if (!ants->problem->form.has_fixed)
        return SHOAL_TSP_NONE;
    const uint32_t first = partner(ants, city, 0), second = partner(ants, city, 1);
    return first == previous                                ? second
           : second == previous || second == SHOAL_TSP_NONE ? first
                                                            : SHOAL_TSP_NONE;
}

uint32_t ants_chain_end(const struct ants *ants, uint32_t city)
{
    if (!ants->problem->form.has_fixed)
        return city;
    uint32_t previous = SHOAL_TSP_NONE;
    /* The loop ends after n cities even if a cycle of fixed edges contains all cities. */
    for (uint32_t i = 0; i < ants->settings->cities && partner(ants, city, 1) != SHOAL_TSP_NONE; i++) {
        const uint32_t first = partner(ants, city, 0),
                       next = first == previous ? partner(ants, city, 1) : first;
        previous = city;
        city = next;
    }
    return city;
}

uint32_t ants_nearest(const struct ants *ants, const uint32_t *visited, uint32_t city, uint32_t skip)
{
    const struct ants_settings *settings = ants->settings;
    const uint32_t *list = &ants->lists[(size_t)city * settings->lists];
    for (uint32_t k = skip; k < settings->lists && list[k] != SHOAL_TSP_NONE; k++)
        if (!ants_has(visited, list[k]))
            return list[k];
    uint32_t nearest = SHOAL_TSP_NONE;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < settings->cities; i++) {
        if (ants_has(visited, i))
            continue;
        const int64_t distance = tsp_distance(ants->problem, city, i);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/* Constructs a tour from city 0, which goes to the nearest unvisited city each time. Returns SHOAL_STOPPED if
 * `cut` ended the work. */
static enum shoal_status construct_nearest(const struct ants *ants, struct long_step *cut, uint32_t *tour,
                                           struct shoal_error *error)
{
    const uint32_t n = ants->settings->cities;
    uint32_t *visited = calloc((n + 31) / 32, sizeof *visited), previous = SHOAL_TSP_NONE;
    struct long_step_looks looks = {0};
    if (!visited)
        return fail_host_memory(error);
    ants_clear(ants, visited);
    uint32_t city = ants_chain_end(ants, 0);
    for (uint32_t i = 0; i < n; i++) {
        tour[i] = city;
        ants_add(visited, city);
        if (i + 1 == n || long_step_worked(cut, &looks))
            break;
        const uint32_t forced = ants_forced(ants, city, previous);
        previous = city;
        city = forced != SHOAL_TSP_NONE ? forced : ants_nearest(ants, visited, city, 0);
    }
    free(visited);
    return long_step_status(cut, error);
}

/* Constructs the nearest neighbour tour, and improves it by local search if the ants use local search. */
static enum shoal_status construct_first(struct shoal_solver *solver, struct ants *ants,
                                         struct shoal_error *error)
{
    const enum shoal_status status = construct_nearest(ants, &tsp_run_of(solver)->cut, ants->first, error);
    if (status || !ants->settings->improves)
        return status;
    const struct tsp_improve_rules rules = {.moves = TSP_MOVES_2OPT,
                                            .no_bits = ants->no_bits,
                                            .lists = ants->near,
                                            .neighbours = ants->neighbours};
    return tsp_improve_first(solver, &rules, ants->first, error);
}

/* Tables ----------------------------------------------------------------------------------------------- */

static double heuristic(double ratio, double beta)
{
    return beta == 1 ? ratio : beta == 2 ? ratio * ratio : pow(ratio, beta);
}

/* Returns the least distance above 0 from a city to the cities of `list`, or to all cities if `list` is NULL.
 * 0: all these distances are 0. Sets *has_zero if a distance is 0. */
static int64_t nearest_of(const struct ants *ants, uint32_t city, const uint32_t *list, uint32_t count,
                          bool *has_zero)
{
    int64_t nearest = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t other = list ? list[k] : k;
        if (other == SHOAL_TSP_NONE || other == city)
            continue;
        const int64_t distance = tsp_distance(ants->problem, city, other);
        *has_zero |= distance == 0;
        if (distance > 0 && (!nearest || distance < nearest))
            nearest = distance;
    }
    return nearest;
}

static enum shoal_status set_heuristic(const struct shoal_solver *solver, struct ants *ants,
                                       struct shoal_error *error)
{
    /* number of cities between two calls of long_step_look; the work for a city takes at least some us */
    enum { LOOK = 16 };
    struct long_step *cut = &tsp_run_of(solver)->cut;
    const struct ants_settings *settings = ants->settings;
    const uint32_t entries = settings->entries;
    const double given = tsp_params(solver)->beta, beta = isnan(given) ? 2 : given;
    const int threads = solver_threads(solver);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < settings->cities; i++) {
        if (long_step_look_each(cut, i, LOOK))
            continue;
        const uint32_t *list = &ants->lists[(size_t)i * settings->lists];
        bool has_zero = false;
        int64_t nearest = nearest_of(ants, i, list, settings->candidates, &has_zero);
        if (!nearest && ants->is_full)
            nearest = nearest_of(ants, i, NULL, settings->cities, &has_zero);
        for (uint32_t e = 0; e < entries; e++) {
            const uint32_t city = ants->is_full ? e : list[e];
            ants->heuristic[(size_t)i * entries + e] =
                city == SHOAL_TSP_NONE || city == i
                    ? 0
                    : (float)heuristic(tsp_nearness(nearest, has_zero, tsp_distance(ants->problem, i, city)),
                                       beta);
        }
    }
    return tsp_start_status(solver, ants->first, error);
}

static enum shoal_status allocate(struct ants *ants, struct shoal_error *error)
{
    const struct ants_settings *settings = ants->settings;
    const size_t n = settings->cities;
    ants->lists = malloc(n * settings->lists * sizeof *ants->lists);
    ants->heuristic = malloc(n * settings->entries * sizeof *ants->heuristic);
    ants->first = malloc(n * sizeof *ants->first);
    ants->near = settings->improves ? malloc(n * ants->neighbours * sizeof *ants->near) : NULL;
    const bool has_all = ants->lists && ants->heuristic && ants->first;
    return has_all && (ants->near || !settings->improves) ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status ants_prepare(struct shoal_solver *solver, struct ants *ants, struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    struct ants_settings *settings = ants->settings;
    if (ants->lists)
        return SHOAL_OK;
    enum shoal_status status = allocate(ants, error);
    if (!status)
        status = tsp_run_candidates(solver, settings->lists, ants->lists, error);
    if (!status && ants->near)
        status = tsp_run_candidates(solver, ants->neighbours, ants->near, error);
    if (!status && run->start_tour)
        memcpy(ants->first, run->start_tour, settings->cities * sizeof *ants->first);
    else if (!status)
        status = construct_first(solver, ants, error);
    if (!status)
        status = set_heuristic(solver, ants, error);
    if (status) {
        clear_tables(ants);
        return status;
    }
    settings->first = (long)tsp_form_length(ants->problem, ants->first) + settings->base;
    if (settings->first < 1)
        settings->first = 1;
    return SHOAL_OK;
}

void ants_share_tables(struct ants *ants, const struct ants *whole)
{
    ants->lists = whole->lists;
    ants->heuristic = whole->heuristic;
    ants->near = whole->near;
    ants->first = whole->first;
    ants->settings->first = whole->settings->first;
    ants->are_others = true;
}
