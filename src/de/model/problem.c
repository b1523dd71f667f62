/* Constants of differential evolution: defaults of each adaptation, and the table `plan`. */
#include "de/model/problem.h"
#include "base/error.h"
#include "objective/constraints/constraints.h"
#include "search/options/options.h"

#include <math.h>
#include <stdlib.h>

/* Defaults of an adaptation, as in its source: docs/de.md. */
struct preset {
    double each; /* members for each dimension; 0: the default is `population` */
    double population;
    double end; /* members at the end; 0: the population does not shrink */
    double pbest, pbest_end, archive;
    double cells, constant_cells;
    double scale, rate; /* first values in the cells of the memory */
};

static const struct preset presets[] = {
    [SHOAL_DE_NONE] = {.each = 10, .pbest = 0.11, .pbest_end = 0.11},
    [SHOAL_DE_JDE] = {.population = 100, .pbest = 0.11, .pbest_end = 0.11},
    [SHOAL_DE_JADE] = {.population = 100,
                       .pbest = 0.05,
                       .pbest_end = 0.05,
                       .archive = 1,
                       .cells = 1,
                       .scale = 0.5,
                       .rate = 0.5},
    [SHOAL_DE_SHADE] = {.population = 100,
                        .pbest = 0.2,
                        .pbest_end = 0.2,
                        .archive = 1,
                        .cells = 100,
                        .scale = 0.5,
                        .rate = 0.5},
    [SHOAL_DE_LSHADE] = {.each = 18,
                         .end = 4,
                         .pbest = 0.11,
                         .pbest_end = 0.11,
                         .archive = 2.6,
                         .cells = 6,
                         .scale = 0.5,
                         .rate = 0.5},
    [SHOAL_DE_JSO] = {.end = 4,
                      .pbest = 0.25,
                      .pbest_end = 0.125,
                      .archive = 1,
                      .cells = 5,
                      .constant_cells = 1,
                      .scale = 0.3,
                      .rate = 0.8},
};

/* Value of F and CR in a constant cell of jSO. */
static const double constant_cell = 0.9;

/* least_population: least default population. least_steps: number of steps for which the budget must be
 * enough. */
static const double least_population = 8, least_steps = 50;

/* Evaluations for each dimension of a run without a limit. */
static const double evaluations_of_dimension = 10000;

/* Defaults with an epsilon level. level_least, level_most: bounds of a population that would otherwise
 * shrink; level_each: evaluations of an island for each of its members; level_share: part of the budget
 * during which the level decreases; LEVEL_RESTART: steps without improvement after which an island restarts.
 * Measured: docs/constraints.md. */
static const double level_least = 20, level_most = 60, level_each = 2000, level_share = 0.1;
enum { LEVEL_RESTART = 300 };

static uint64_t default_population(const struct preset *preset, const struct search_problem *problem)
{
    const double dim = (double)problem->dim;
    const struct shoal_search_params *params = problem->params;
    const bool has_level = ((const struct shoal_de_params *)params)->level > 0;
    double population = preset->each > 0 ? preset->each * dim : preset->population;
    if (population == 0)
        population = round(25 * log(dim) * sqrt(dim));
    const double budget = params->evaluations ? (double)params->evaluations : evaluations_of_dimension * dim;
    if (params->evaluations || !search_has_limit(params))
        population = fmin(population, floor(budget / (double)params->islands / least_steps));
    if (has_level && preset->end > 0)
        population =
            fmin(level_most, fmax(level_least, floor(budget / (double)params->islands / level_each)));
    return (uint64_t)fmax(population, least_population);
}

/* Whether the default strategy moves members towards the best members. With constraints, unless the user
 * gives pbest or archive, it does not: the best member would draw all members to the region where it first
 * met the constraints (docs/constraints.md). */
static bool pulls(const struct search_problem *problem, const struct shoal_de_params *params)
{
    const bool is_asked = !isnan(params->pbest) || params->archive > 0;
    return params->adaptation >= SHOAL_DE_JADE && (!problem->constrained || is_asked);
}

static bool has_equality(const struct search_problem *problem)
{
    return problem->constrained && constrained_has_equality(problem->constrained);
}

/* Returns, for messages, a condition of an epsilon level that the problem does not meet; NULL: it meets
 * all. */
static const char *level_lacks(const struct search_problem *problem)
{
    if (problem->constrained->is_told)
        return "an objective that the search evaluates";
    return problem->constrained->tolerance > 0 ? NULL : "a --constraint-tolerance above 0";
}

void de_resolve(struct search_problem *problem)
{
    struct shoal_de_params *params = (struct shoal_de_params *)problem->params;
    const struct preset *preset = &presets[params->adaptation];
    if (isnan(params->level)) {
        const bool shrinks = params->population_end && params->population_end != params->population;
        params->level = has_equality(problem) && !shrinks && !level_lacks(problem) ? level_share : 0;
    }
    /* There is no restart if the user gives `stagnation`, which ends the run, since a restart would come
     * first. */
    if (params->level > 0 && !params->search.restart && !params->search.stagnation)
        params->search.restart = LEVEL_RESTART;
    if (!params->population)
        params->population = default_population(preset, problem);
    if (!params->population_end)
        params->population_end =
            preset->end > 0 && !(params->level > 0) ? (uint64_t)preset->end : params->population;
    if (params->strategy == SHOAL_DE_STRATEGY_AUTO)
        params->strategy = pulls(problem, params) ? SHOAL_DE_CURRENT_TO_PBEST_1 : SHOAL_DE_RAND_1;
    if (isnan(params->archive))
        params->archive = params->strategy == SHOAL_DE_CURRENT_TO_PBEST_1 ? preset->archive : 0;
    if (!params->memory)
        params->memory = (uint64_t)preset->cells;
}

void de_first_cell(const struct de_problem *problem, size_t cell, double *scale, double *rate)
{
    const struct preset *preset = &presets[problem->params->adaptation];
    const bool is_constant = cell >= problem->free_cells;
    *scale = is_constant ? constant_cell : preset->scale;
    *rate = is_constant ? constant_cell : preset->rate;
}

/* Members by step ---------------------------------------------------------------------------------------- */

static size_t members_at(const struct search_problem *problem, uint64_t step)
{
    const uint32_t last = UINT32_MAX;
    return de_members_at(((const struct de_problem *)problem)->plan, step < last ? (uint32_t)step : last);
}

static double evaluations_of(const struct shoal_search_params *params, uint64_t steps)
{
    const struct de_schedule schedule = de_schedule_of((const struct shoal_de_params *)params);
    return de_schedule_evaluations(&schedule, (double)steps);
}

static uint64_t steps_of(const struct shoal_search_params *params, uint64_t evaluations)
{
    const struct de_schedule schedule = de_schedule_of((const struct shoal_de_params *)params);
    /* Before the defaults are set, the number of members is unknown. */
    return schedule.first > 0 ? (uint64_t)fmin(de_schedule_steps(&schedule, (double)evaluations), 1e18)
                              : UINT64_MAX;
}

const struct search_shrinking de_shrinking = {members_at, evaluations_of, steps_of};

/* Plan --------------------------------------------------------------------------------------------------- */

static uint32_t as_step(double step)
{
    return step < 4294967295.0 ? (uint32_t)step : UINT32_MAX;
}

static uint32_t as_share(double share)
{
    return (uint32_t)round(share * 65536);
}

/* Returns the first step after this part of the budget; 0: the run has no budget. */
static uint32_t step_at(const struct de_problem *problem, double share)
{
    const struct shoal_search_params *params = problem->search.params;
    const bool has_iterations = params->iterations && params->iterations < (uint64_t)SEARCH_MAX_STEPS;
    const double budget = (double)params->evaluations / (double)params->islands;
    if (params->evaluations)
        return as_step(de_schedule_steps(&problem->schedule, ceil(share * budget)) + 1);
    return has_iterations ? as_step(ceil(share * (double)params->iterations) + 1) : 0;
}

/* Fills falls[i] with the first step in which an island has at most schedule->first - 1 - i members. */
static void fill_falls(const struct de_schedule *schedule, size_t count, uint32_t *falls)
{
    double members = schedule->first, step;
    size_t i = 0;
    for (; i < count && (step = de_schedule_fall(schedule, members)) < INFINITY;) {
        members = de_schedule_members(schedule, step);
        for (; (double)i < schedule->first - members; i++)
            falls[i] = as_step(step);
        if (as_step(step) == UINT32_MAX)
            break;
    }
    for (; i < count; i++)
        falls[i] = UINT32_MAX;
}

static enum shoal_status make_plan(struct de_problem *problem, struct shoal_error *error)
{
    const struct shoal_de_params *params = problem->params;
    const struct preset *preset = &presets[params->adaptation];
    const struct de_schedule *schedule = &problem->schedule;
    const size_t falls = (size_t)(schedule->first - schedule->last);
    const bool is_jso = params->adaptation == SHOAL_DE_JSO, has_share = !isnan(params->pbest);
    uint32_t *plan = malloc((PLAN_FALLS + falls) * sizeof *plan);
    if (!plan)
        return fail_host_memory(error);
    problem->search.tables = plan;
    problem->plan = plan;
    problem->plan_words = PLAN_FALLS + falls;
    plan[PLAN_MEMBERS] = (uint32_t)schedule->first;
    plan[PLAN_LAST] = (uint32_t)schedule->last;
    plan[PLAN_SLOTS] = as_share(params->archive);
    plan[PLAN_BEST] = as_share(has_share ? params->pbest : preset->pbest);
    plan[PLAN_BEST_END] = has_share ? plan[PLAN_BEST] : as_share(preset->pbest_end);
    plan[PLAN_PULL] = is_jso ? step_at(problem, 0.2) : 0;
    plan[PLAN_PULL + 1] = is_jso ? step_at(problem, 0.4) : 0;
    plan[PLAN_RATE] = is_jso ? step_at(problem, 0.25) : 0;
    plan[PLAN_RATE + 1] = is_jso ? step_at(problem, 0.5) : 0;
    plan[PLAN_SCALE] = is_jso ? step_at(problem, 0.6) : 0;
    fill_falls(schedule, falls, plan + PLAN_FALLS);
    return SHOAL_OK;
}

double de_level_most(const struct de_problem *problem)
{
    const struct constrained *constrained = problem->search.constrained;
    double equalities = 0;
    for (size_t i = 0; constrained && i < constrained->count; i++)
        equalities += constrained->is_equality[i];
    return constrained ? DE_LEVEL_MOST * fmax(1, equalities) * constrained->tolerance : 0;
}

/* Number of steps after a draw during which the epsilon level decreases. */
static uint32_t level_steps(const struct de_problem *problem)
{
    const struct shoal_de_params *params = problem->params;
    const double all = evaluations_of_dimension * (double)problem->search.dim / (double)params->population;
    const uint32_t steps = params->level > 0 ? step_at(problem, params->level) : 0;
    return params->level > 0 && !steps ? as_step(ceil(params->level * all) + 1) : steps;
}

static enum shoal_status check_level(const struct de_problem *problem, struct shoal_error *error)
{
    const struct shoal_de_params *params = problem->params;
    if (!(params->level > 0))
        return SHOAL_OK;
    if (!problem->search.constrained)
        return fail(error, SHOAL_INVALID, "--level needs constraints: %s has none",
                    problem->search.info->name);
    const char *lacks = level_lacks(&problem->search);
    if (lacks)
        return fail(error, SHOAL_INVALID, "--level needs %s: give --level 0, or leave it out", lacks);
    if (params->population_end < params->population)
        return fail(error, SHOAL_INVALID,
                    "--level needs a population that stays: leave out --population-end, or give --level 0");
    return SHOAL_OK;
}

static enum shoal_status check_end(const struct de_problem *problem, const struct shoal_de_params *given,
                                   struct shoal_error *error)
{
    const bool has_end = given->population_end && given->population_end < problem->params->population;
    if (has_end && problem->schedule.ratio == 1)
        return fail(error, SHOAL_INVALID,
                    "--population-end needs a budget over which members leave: give --evaluations or "
                    "--iterations");
    if (problem->params->population_end > problem->params->population)
        return fail(error, SHOAL_INVALID, "--population-end %llu is above the population, %llu",
                    (unsigned long long)problem->params->population_end,
                    (unsigned long long)problem->params->population);
    return SHOAL_OK;
}

enum shoal_status de_problem_create(struct shoal *shoal, const struct shoal_de_params *params,
                                    struct de_problem *problem, struct shoal_error *error)
{
    *problem = (struct de_problem){.params = NULL};
    struct search_problem *search = &problem->search;
    enum shoal_status status = search_problem_create(shoal, &de_algorithm, &params->search, search, error);
    if (status)
        return status;
    problem->params = (const struct shoal_de_params *)search->params;
    const bool pulls = problem->params->strategy == SHOAL_DE_CURRENT_TO_PBEST_1;
    problem->schedule = de_schedule_of(problem->params);
    problem->has_own = problem->params->adaptation == SHOAL_DE_JDE;
    problem->cells = problem->params->adaptation >= SHOAL_DE_JADE ? (size_t)problem->params->memory : 0;
    problem->free_cells = problem->cells > 1
                              ? problem->cells - (size_t)presets[problem->params->adaptation].constant_cells
                              : problem->cells;
    problem->ranks = pulls;
    problem->level_steps = level_steps(problem);
    status = check_end(problem, params, error);
    if (!status)
        status = check_level(problem, error);
    if (!status)
        status = make_plan(problem, error);
    if (!status)
        problem->slots = pulls ? de_share(problem->plan[PLAN_SLOTS], problem->plan[PLAN_MEMBERS]) : 0;
    if (status)
        search_problem_destroy(search);
    return status;
}

/* A trial reads three members and its own member, and is written and read once; few trials replace their
 * members. */
double de_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    return 6 * (double)problem->dim * (double)(precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}
