/* The problem of a portfolio: its arms and the parameters of their searches. */
#include "base/error.h"
#include "base/text.h"
#include "compute/log.h"
#include "portfolio/portfolio.h"
#include "search/choice/choice.h"
#include "search/space.h"

#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Default algorithms. With turns of lives, differential evolution comes first: it suits functions without
 * narrow valleys, and CMA-ES suits functions with narrow valleys. */
static const char default_names[] = "cmaes,de", names_of_lives[] = "de,cmaes";

/* Evaluations for each dimension for which arms plan if the run has no limit. */
static const double guessed_evaluations = 10000;

/* Least number of evaluations of a life that is planned. */
static const double least_plan = 64;

/* Distance from the best member, in widths of the box, within which the members of a converged life lie. */
static const double life_x_tolerance = 1e-10;

uint64_t portfolio_seed(const struct search_problem *problem, size_t island, size_t arm, uint64_t life)
{
    const size_t run = island / problem->run_islands;
    const struct shoal_words words =
        shoal_random_words(problem->params->seed + run, SHOAL_STREAM_PORTFOLIO_SEED, (uint32_t)life,
                           (uint32_t)(island % problem->run_islands), (uint32_t)arm);
    return (uint64_t)words.x << 32 | words.y;
}

static bool is_by_lives(const struct shoal_portfolio_params *params)
{
    return params->turns == SHOAL_PORTFOLIO_LIVES;
}

void portfolio_resolve(struct search_problem *problem)
{
    enum { POINTS_OF_DIMENSION = 200 };
    struct shoal_portfolio_params *params = (struct shoal_portfolio_params *)problem->params;
    if (!params->populations)
        params->populations = 1;
    if (!params->points && is_by_lives(params))
        params->points = POINTS_OF_DIMENSION * problem->dim * params->populations;
    if (is_by_lives(params) &&
        params->points > params->populations) /* each population gets the same number of points */
        params->points -= params->points % params->populations;
    if (!params->points)
        params->points = (4 + (uint64_t)(3 * log((double)problem->dim))) *
                         (params->turns == SHOAL_PORTFOLIO_STEPS ? 10 : 1);
}

/* Names ------------------------------------------------------------------------------------------------ */

static enum shoal_status fail_name(const char *name, size_t length, struct shoal_error *error)
{
    struct text known = {0};
    for (size_t i = 0; search_algorithms[i]; i++)
        if (search_algorithms[i] != &portfolio_algorithm)
            text_printf(&known, "%s%s", known.length ? ", " : "", search_algorithms[i]->name);
    const enum shoal_status status = known.failed
                                         ? fail_host_memory(error)
                                         : fail(error, SHOAL_INVALID,
                                                "--algorithms: there is no algorithm '%.*s' for a portfolio: "
                                                "give some of %s, separated by commas",
                                                (int)(length < 40 ? length : 40), name, known.data);
    text_free(&known);
    return status;
}

/* Finds the algorithm whose name begins the list. *end: the rest of the list. */
static enum shoal_status take_name(const char *list, const char **end,
                                   const struct search_algorithm **algorithm, struct shoal_error *error)
{
    list += strspn(list, " ");
    size_t length = strcspn(list, ",");
    *end = list + length;
    while (length && list[length - 1] == ' ')
        length--;
    *algorithm = search_algorithm_in(list, length);
    return *algorithm && *algorithm != &portfolio_algorithm ? SHOAL_OK : fail_name(list, length, error);
}

static enum shoal_status read_names(const struct shoal_portfolio_params *params,
                                    const struct search_algorithm *algorithms[PORTFOLIO_MOST], size_t *count,
                                    struct shoal_error *error)
{
    const char *end = params->algorithms    ? params->algorithms
                      : is_by_lives(params) ? names_of_lives
                                            : default_names;
    for (*count = 0;; end++) {
        const struct search_algorithm *algorithm = NULL;
        enum shoal_status status = take_name(end, &end, &algorithm, error);
        if (status)
            return status;
        if (*count == PORTFOLIO_MOST)
            return fail(error, SHOAL_INVALID, "--algorithms: more than %d algorithms", PORTFOLIO_MOST);
        for (size_t i = 0; i < *count; i++)
            if (algorithms[i] == algorithm)
                return fail(error, SHOAL_INVALID, "--algorithms: %s is named twice", algorithm->name);
        algorithms[(*count)++] = algorithm;
        if (!*end)
            return SHOAL_OK;
    }
}

enum shoal_status portfolio_check_params(const void *data, struct shoal_error *error)
{
    const struct search_algorithm *algorithms[PORTFOLIO_MOST];
    size_t count;
    enum shoal_status status = search_check_params(&portfolio_algorithm, data, error);
    return status ? status : read_names(data, algorithms, &count, error);
}

/* Arms ------------------------------------------------------------------------------------------------- */

/* Sets the evaluations after which a life of the arm ends, and the limits by which a life has converged. A
 * life gets all evaluations of the run, or a part of them (at least least_plan) if the population shrinks or
 * there are turns of lives. planned: number of arms whose population shrinks; they share the fraction
 * params->life of the run. */
static void plan_life(const struct portfolio_problem *problem, struct portfolio_arm *arm, size_t planned)
{
    const double guess = guessed_evaluations * (double)problem->search.point_dim;
    const double whole = problem->evaluations / (double)problem->populations;
    const double part = floor(problem->params->life / (double)planned * whole);
    arm->life = problem->is_by_lives ? fmax(problem->has_budget ? fmin(part, guess) : guess, least_plan)
                : arm->algorithm->shrinking ? fmax(part, least_plan)
                                            : fmax(problem->evaluations, guess);
    arm->is_planned = !problem->is_by_lives && arm->algorithm->shrinking && part >= least_plan;
    arm->params->evaluations = (uint64_t)arm->life;
    arm->params->stagnation = arm->algorithm->stagnation;
    arm->params->x_tolerance = search_is_plain(&problem->search) ? life_x_tolerance : 0;
}

/* Sets the population of an algorithm that restarts by itself to a large size, for turns of whole lives.
 * Large populations find the best of many minima; functions with few minima are solved before, by
 * differential evolution, which comes first by default.
 */
static void enlarge(const struct portfolio_problem *problem, struct portfolio_arm *arm)
{
    enum { MEMBERS_OF_DIMENSION = 10, MOST_MEMBERS = 1000 };
    const size_t members = MEMBERS_OF_DIMENSION * problem->search.point_dim;
    uint64_t *const own = (uint64_t *)(void *)((char *)arm->params + arm->algorithm->members_offset);
    *own = members < MOST_MEMBERS ? members : MOST_MEMBERS;
}

/* Creates the problem of the arm's search once, which checks the parameters of the arm. An arm whose search
 * restarts by itself gets no limits of convergence. Sets the start points of the arm, at most as many as the
 * search has members. */
static enum shoal_status look_at_arm(const struct portfolio_problem *problem, struct portfolio_arm *arm,
                                     struct shoal_error *error)
{
    struct search_problem *own = calloc(1, arm->algorithm->problem_size);
    if (!own)
        return fail_host_memory(error);
    const uint64_t starts = problem->search.start_count;
    enum shoal_status status = arm->algorithm->problem_create(NULL, arm->params, own, error);
    if (!status && own->has_restarts) {
        arm->params->stagnation = 0;
        arm->params->x_tolerance = 0;
        if (problem->is_by_lives)
            enlarge(problem, arm);
    }
    if (!status && problem->starts) {
        arm->params->start_points = problem->starts;
        arm->params->start_count = starts < own->members ? starts : own->members;
    }
    search_problem_destroy(own);
    free(own);
    return status;
}

/* Whether the algorithm can be an arm: if coordinates are rounded, the algorithm must support rounded
 * coordinates, or genomes. */
static bool takes(const struct search_problem *problem, const struct search_algorithm *algorithm)
{
    return !problem->whole || algorithm->rounds || algorithm->takes_genes;
}

/* Leaves out the algorithms that do not support the variables (takes), with a note and a warning for each. */
static enum shoal_status leave_out(struct shoal *shoal, struct portfolio_problem *problem,
                                   const struct search_algorithm **algorithms, size_t *count,
                                   struct shoal_error *error)
{
    struct search_problem *search = &problem->search;
    struct text notes = {0};
    const size_t all = *count;
    *count = 0;
    text_printf(&notes, "%s", search->notes ? search->notes : "");
    for (size_t i = 0; i < all; i++) {
        if (takes(search, algorithms[i])) {
            algorithms[(*count)++] = algorithms[i];
            continue;
        }
        char note[160];
        snprintf(note, sizeof note,
                 "portfolio: %s is left out, since whole numbers and choices are rounded here",
                 algorithms[i]->name);
        text_printf(&notes, "%s%s", notes.length ? "\n" : "", note);
        if (shoal)
            shoal_log_lines(shoal, SHOAL_LOG_WARNING, note);
    }
    if (*count == all || notes.failed) {
        text_free(&notes);
        return *count == all ? SHOAL_OK : fail_host_memory(error);
    }
    free(search->notes);
    search->notes = notes.data;
    return *count
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID,
                      "--algorithms: none of them takes whole numbers and choices here: name some of %s,ga",
                      default_names);
}

/* Sets problem->starts to the start points of the arms: the points of search->start in the form in which
 * points are evaluated, which differs for whole numbers. */
static enum shoal_status make_starts(struct portfolio_problem *problem, struct shoal_error *error)
{
    const struct search_problem *search = &problem->search;
    if (!search->start_count)
        return SHOAL_OK;
    problem->starts = malloc(search->start_count * search->dim * sizeof *problem->starts);
    if (!problem->starts)
        return fail_host_memory(error);
    for (size_t i = 0; i < search->start_count; i++)
        for (size_t d = 0; d < search->dim; d++)
            problem->starts[i * search->dim + d] =
                search_coordinate(search, d, search->start[i * search->dim + d]);
    return SHOAL_OK;
}

/* Sets the rules of the arm's search that depend on constraints: an arm gets only the value of a point,
 * without sides of constraints, and makes the same steps on the host and on a device. */
static void settle_arm(struct portfolio_arm *arm)
{
    const struct workload *workload = workload_of(shoal_workload_find(arm->algorithm->name));
    if (workload->settle_as_device)
        workload->settle_as_device(arm->params);
}

static enum shoal_status create_arms(struct shoal *shoal, struct portfolio_problem *problem,
                                     struct shoal_error *error)
{
    const struct search_algorithm *algorithms[PORTFOLIO_MOST];
    const struct shoal_search_params params = choice_inner_params(&problem->search);
    size_t count, planned = 0;
    enum shoal_status status = read_names(problem->params, algorithms, &count, error);
    if (!status)
        status = leave_out(shoal, problem, algorithms, &count, error);
    if (!status)
        status = make_starts(problem, error);
    for (size_t i = 0; i < count && !status; i++)
        planned += algorithms[i]->shrinking != NULL;
    for (size_t i = 0; i < count && !status; i++) {
        struct portfolio_arm *arm = &problem->arms[i];
        void *block = NULL;
        arm->algorithm = algorithms[i];
        status = choice_params_of(arm->algorithm, &params, &block, error);
        arm->params = block;
        if (status)
            break;
        settle_arm(arm);
        problem->arm_count++;
        plan_life(problem, arm, planned);
        status = look_at_arm(problem, arm, error);
        const size_t used = strlen(problem->names);
        snprintf(problem->names + used, sizeof problem->names - used, "%s%s", used ? "," : "",
                 arm->algorithm->name);
    }
    return status;
}

static void plan(struct portfolio_problem *problem)
{
    const struct shoal_search_params *params = problem->search.params;
    const double islands = (double)params->islands;
    problem->is_by_lives = is_by_lives(problem->params);
    problem->populations = problem->is_by_lives ? (size_t)problem->params->populations : 1;
    problem->has_budget = params->evaluations || params->iterations < (uint64_t)SEARCH_MAX_STEPS;
    problem->evaluations =
        guessed_evaluations * (double)problem->search.point_dim * (double)problem->populations;
    if (params->evaluations)
        problem->evaluations = (double)params->evaluations / islands;
    else if (problem->has_budget)
        problem->evaluations = ((double)params->iterations + 1) * (double)problem->search.points;
}

/* Returns the parameters without a default for x_tolerance. The members of a life converge before the end of
 * the run, which must not end the run. */
static struct shoal_portfolio_params without_spread(const struct shoal_portfolio_params *params)
{
    struct shoal_portfolio_params copy = *params;
    if (isnan(copy.search.x_tolerance))
        copy.search.x_tolerance = 0;
    return copy;
}

enum shoal_status portfolio_problem_create(struct shoal *shoal, const struct shoal_portfolio_params *params,
                                           struct portfolio_problem *problem, struct shoal_error *error)
{
    const struct shoal_portfolio_params own = without_spread(params);
    *problem = (struct portfolio_problem){.params = NULL};
    struct search_problem *search = &problem->search;
    enum shoal_status status = search_problem_create(shoal, &portfolio_algorithm, &own.search, search, error);
    if (status)
        return status;
    problem->params = (const struct shoal_portfolio_params *)search->params;
    search->has_restarts = true;
    if (search->info->dynamic)
        status = fail(error, SHOAL_INVALID,
                      "%s depends on the generation, and portfolio compares values of several ones: use pso "
                      "or ga",
                      search->info->name);
    if (!status && is_by_lives(problem->params) && problem->params->points < problem->params->populations)
        status = fail(error, SHOAL_INVALID,
                      "--points %llu is below the %llu populations of an island: raise it, or lower "
                      "--populations",
                      (unsigned long long)problem->params->points,
                      (unsigned long long)problem->params->populations);
    if (!status) {
        plan(problem);
        status = create_arms(shoal, problem, error);
    }
    if (status)
        search_problem_destroy(search);
    return status;
}

void portfolio_problem_destroy(struct search_problem *search)
{
    struct portfolio_problem *problem = (struct portfolio_problem *)search;
    for (size_t i = 0; i < problem->arm_count; i++)
        free(problem->arms[i].params);
    problem->arm_count = 0;
    free(problem->starts);
    problem->starts = NULL;
}
