/* Rules between common parameters that `needs` of an option cannot express: a row for each invalid
 * combination. */
#include "base/error.h"
#include "search/options/options.h"
#include "search/problem.h"
#include "search/refine/refine.h"
#include "workload/arrays.h"

#include <math.h>
#include <stdio.h>

typedef unsigned long long ull;

/* Defaults for a run that has no limit. default_evaluations: evaluations for each dimension.
 * default_x_tolerance: a run ends when all members are within this distance from the best one in each
 * dimension, in widths of the box. */
static const double default_evaluations = 10000, default_x_tolerance = 1e-10;

/* Default of x_tolerance if a pattern search refines the result of the run. */
static const double rough_x_tolerance = 1e-6;

/* Defaults of stagnation_tolerance. rough_tolerance: for runs whose result is refined by least squares. */
static const double default_tolerance = 1e-9, rough_tolerance = 1e-4;

/* Number of steps after step 0 until the evaluations of the run, including those of step 0, are used up; the
 * last step may exceed them. UINT64_MAX: the evaluations are not limited. */
static uint64_t budget_steps(const struct search_algorithm *algorithm,
                             const struct shoal_search_params *params)
{
    const uint64_t first = search_members(algorithm, params) * params->islands;
    const uint64_t each = search_points(algorithm, params) * params->islands;
    if (!params->evaluations)
        return UINT64_MAX;
    if (algorithm->shrinking)
        return algorithm->shrinking->steps(params, (params->evaluations - 1) / params->islands + 1);
    return params->evaluations > first ? (params->evaluations - first - 1) / each + 1 : 0;
}

/* Number of evaluations of a run of `steps` steps, with `restarts` restarts of its islands. */
static double evaluations_of(const struct search_algorithm *algorithm,
                             const struct shoal_search_params *params, uint64_t steps, uint64_t restarts)
{
    const double members = (double)search_members(algorithm, params),
                 points = (double)search_points(algorithm, params);
    if (algorithm->shrinking)
        return algorithm->shrinking->evaluations(params, steps) * (double)params->islands;
    return (members + points * (double)steps) * (double)params->islands +
           (members - points) * (double)restarts;
}

enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params)
{
    return params->evaluations && budget_steps(algorithm, params) <= params->iterations
               ? SHOAL_OPTIMISE_EVALUATIONS
               : SHOAL_OPTIMISE_ITERATIONS;
}

bool search_has_limit(const struct shoal_search_params *params)
{
    return params->iterations || params->evaluations || !isnan(params->time);
}

uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params)
{
    const uint64_t allowed = budget_steps(algorithm, params),
                   most = params->iterations ? params->iterations : (uint64_t)SEARCH_MAX_STEPS;
    return allowed < most ? allowed : most;
}

/* Whether the run has a limit, a target, or restarts instead of an end by stagnation. */
static bool has_end(const struct shoal_search_params *params)
{
    return search_has_limit(params) || !isnan(params->target) || params->restart;
}

/* A pattern search during the run gets 1 / polish_part of the evaluations made since the previous pattern
 * search. */
static const uint64_t polish_part = 10;

uint64_t search_polish_allowance(const struct search_problem *problem, uint64_t step)
{
    const uint64_t every = problem->params->polish_every;
    if (!every || !step || step % every)
        return 0;
    const double evaluated =
        search_evaluations(problem, step, 0) - search_evaluations(problem, step - every, 0);
    return (uint64_t)evaluated / polish_part;
}

/* Reserves a part of the run's evaluations for the pattern search after the run. This search also gets the
 * evaluations that do not suffice for a whole step. If the last step would use more than half of the reserved
 * part, the run leaves this step out. */
static void keep_evaluations(struct search_problem *problem)
{
    const struct search_algorithm *algorithm = problem->algorithm;
    struct shoal_search_params *params = problem->params;
    const uint64_t all = params->evaluations;
    problem->pattern = search_pattern_evaluations(problem, all);
    if (!all || !search_keeps_evaluations(problem))
        return;
    params->evaluations -= problem->pattern;
    const uint64_t steps = budget_steps(algorithm, params),
                   each = params->islands * search_points(algorithm, params);
    uint64_t used = (uint64_t)evaluations_of(algorithm, params, steps, 0);
    /* Islands that shrink are excluded: their last steps are short, and the budget determines how many
     * members they have in every step. */
    if (!algorithm->shrinking && steps && used - params->evaluations > problem->pattern / 2) {
        used -= each;
        params->evaluations = used;
    }
    problem->pattern = used < all ? all - used : 0;
}

void search_resolve_limits(struct search_problem *problem)
{
    const struct search_algorithm *algorithm = problem->algorithm;
    struct shoal_search_params *params = problem->params;
    const bool is_dynamic = problem->info->dynamic, is_open = !search_has_limit(params);
    const bool is_refined = search_refinement(problem) == SEARCH_LEAST_SQUARES;
    const bool ends_itself = !has_end(params) && !is_dynamic;
    if (isnan(params->stagnation_tolerance))
        params->stagnation_tolerance = ends_itself && is_refined ? rough_tolerance : default_tolerance;
    /* Least squares find the minimum from a rough position, so `stagnation` of the algorithm, which is at
     * most the limit by stagnation_of, is enough. */
    if (ends_itself && !params->stagnation)
        params->stagnation = algorithm->stagnation_of && !is_refined ? algorithm->stagnation_of(params)
                                                                     : algorithm->stagnation;
    /* A negative tolerance is relative to the value, since values may have any scale. A run whose values
     * converge to 0 then never stagnates; it ends when all members are near the best. */
    if (ends_itself)
        params->stagnation_tolerance = -params->stagnation_tolerance;
    if (isnan(params->x_tolerance))
        params->x_tolerance = !ends_itself || !search_is_plain(problem) ? 0
                              : search_keeps_evaluations(problem)       ? rough_x_tolerance
                                                                        : default_x_tolerance;
    if (is_open)
        params->evaluations = (uint64_t)(default_evaluations * (double)problem->point_dim);
    if (is_open && (is_dynamic || (algorithm->has_moves && algorithm->has_moves(params)))) {
        params->iterations = search_limit_steps(algorithm, params);
        params->evaluations = 0;
    }
    if (params->polish_every)
        params->evaluations -= params->evaluations / (polish_part + 1);
    keep_evaluations(problem);
    problem->max_steps = search_limit_steps(algorithm, params);
    if (!params->iterations)
        params->iterations = (uint64_t)SEARCH_MAX_STEPS;
}

/* Function make_endless of struct workload: only the number of iterations limits the run. Also switches off
 * the samples, since their time would be measured with the steps. */
void search_make_endless(void *data, uint64_t warm_up_steps)
{
    struct shoal_search_params *params = data;
    (void)warm_up_steps;
    params->iterations = 2147483520;
    params->evaluations = params->stagnation = params->polish = params->trace = 0;
    params->target = params->time = NAN;
    params->stagnation_tolerance = NAN;
    params->refine = SHOAL_REFINE_NONE;
    /* NaN is the default, under which the iterations limit the run. With --restart, 0 would be refused. */
    params->x_tolerance = NAN;
}

static enum shoal_status check_size(const struct search_algorithm *algorithm,
                                    const struct shoal_search_params *params, struct shoal_error *error)
{
    const char *members = algorithm->members, *islands = algorithm->islands;
    const uint64_t each = search_members(algorithm, params);
    const char *more = params->runs == 1 ? "" : "s";
    const double runs_islands = (double)params->islands * (double)params->runs;
    if (runs_islands > SEARCH_MAX_ISLANDS)
        return fail(error, SHOAL_INVALID, "%llu run%s of %llu %s are more than %.0f: lower --runs or --%s",
                    (ull)params->runs, more, (ull)params->islands, islands, SEARCH_MAX_ISLANDS, islands);
    if ((double)each * runs_islands > SEARCH_MAX_MEMBERS)
        return fail(error, SHOAL_INVALID,
                    "%llu run%s of %llu %s of %llu %s are more than %.0f %s: lower --runs, --%s or --%s",
                    (ull)params->runs, more, (ull)params->islands, islands, (ull)each, algorithm->member_name,
                    SEARCH_MAX_MEMBERS, algorithm->member_name, islands, members);
    const uint64_t points = search_points(algorithm, params);
    if ((double)points * runs_islands > SEARCH_MAX_MEMBERS)
        return fail(error, SHOAL_INVALID,
                    "%llu run%s of %llu %s that make %llu points in a step are more than %.0f points: lower "
                    "--runs, --%s or --%s",
                    (ull)params->runs, more, (ull)params->islands, islands, (ull)points, SEARCH_MAX_MEMBERS,
                    islands, members);
    return SHOAL_OK;
}

enum shoal_status search_check_polish(const struct search_problem *problem, struct shoal_error *error)
{
    char names[SEARCH_NAMES];
    if (!problem->params->polish_every)
        return SHOAL_OK;
    if (!problem->algorithm->takes_points)
        return fail(error, SHOAL_INVALID,
                    "--polish-every: points of %s do not follow from its members: leave it out, or take %s",
                    problem->algorithm->name, search_takers_of_points(names));
    if (problem->info->dynamic)
        return fail(error, SHOAL_INVALID, "%s depends on the generation: leave out --polish-every",
                    problem->info->name);
    return SHOAL_OK;
}

enum shoal_status search_check_budget(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params, struct shoal_error *error)
{
    const uint64_t first = search_members(algorithm, params) * params->islands;
    if (!params->evaluations || first <= params->evaluations)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "--evaluations %llu is below the %llu %s of step 0: raise it, or lower --%s or --%s",
                (ull)params->evaluations, (ull)first, algorithm->member_name, algorithm->members,
                algorithm->islands);
}

double search_evaluations(const struct search_problem *problem, uint64_t steps, uint64_t restarts)
{
    const double again = problem->info->dynamic ? (double)problem->members : 0;
    return evaluations_of(problem->algorithm, problem->params, steps, restarts) +
           again * ((double)steps * (double)problem->run_islands - (double)restarts);
}

/* Fails if bounds or start points are given both as a text and as numbers. */
static enum shoal_status check_given_once(const struct shoal_search_params *params, struct shoal_error *error)
{
    const char *twice = NULL;
    if (params->lower_list && (params->lower_bounds || !isnan(params->lower)))
        twice = "lower";
    else if (params->upper_list && (params->upper_bounds || !isnan(params->upper)))
        twice = "upper";
    else if (params->start && params->start_count)
        twice = "start";
    if (twice)
        return fail(error, SHOAL_INVALID, "--%s is given as a text and as numbers: use one", twice);
    if (params->start_count && !params->start_points)
        return fail(error, SHOAL_INVALID, "start_count is %llu and start_points NULL",
                    (ull)params->start_count);
    return SHOAL_OK;
}

enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params, struct shoal_error *error)
{
    if (params->objective &&
        (params->objective_file || params->expression || params->model || params->data_file))
        return fail(error, SHOAL_INVALID,
                    "an objective of the caller and a file or formula are both given: use one");
    struct shoal_search_params defaults;
    search_params_init(&defaults, sizeof defaults);
    const struct shoal_objective *function = shoal_objective_at((size_t)params->function);
    if (params->data_file && params->function != defaults.function && !(function && function->source))
        return fail(error, SHOAL_INVALID, "--function does not go with --data; use one");
    const bool has_tolerance =
        !isnan(params->stagnation_tolerance) && params->stagnation_tolerance != default_tolerance;
    if (has_tolerance && has_end(params) && !params->stagnation && !params->restart)
        return fail(error, SHOAL_INVALID,
                    "--stagnation-tolerance needs --stagnation or --restart beside other limits of a run");
    enum shoal_status status = check_given_once(params, error);
    if (!status)
        status = check_size(algorithm, params, error);
    if (status)
        return status;
    struct search_links links;
    status = search_links_create(params, &links, error);
    search_links_free(&links);
    if (status)
        return status;
    if (!isnan(params->lower) && !isnan(params->upper) && !(params->lower <= params->upper))
        return fail(error, SHOAL_INVALID, "the box is empty: --lower %.9g is above --upper %.9g",
                    params->lower, params->upper);
    return SHOAL_OK;
}

enum shoal_status search_check_memory(const struct search_problem *problem, const struct arrays *arrays,
                                      double more, struct shoal_error *error)
{
    const char *members = problem->algorithm->members;
    char what[64], remedy[64];
    /* Shares of a search that use the same memory have arrays of about the same size. */
    const double alike = problem->on_memory > 0 ? problem->on_memory : 1;
    snprintf(what, sizeof what, "%.0f %s of dim %zu", (double)problem->total * alike,
             problem->algorithm->member_name, problem->dim);
    snprintf(remedy, sizeof remedy, "lower --%s, --%s, --runs or --dim", members,
             problem->algorithm->islands);
    return arrays_check(arrays, more + (alike - 1) * (arrays_bytes(arrays) + more), what, remedy, error);
}

/* Solvers use these counts of a checkpoint as indices and as limits. */
bool search_is_sound(const struct search_problem *problem, uint64_t steps, const struct search_counts *island)
{
    const bool in_step = island->steps == steps || (island->ended && island->steps < steps);
    return in_step && island->ended <= SEARCH_CONVERGED && island->reached <= 1 &&
           island->stagnant <= island->steps && island->restarts <= island->steps &&
           island->renew_at <= island->steps + 1 && island->leader < problem->members;
}
