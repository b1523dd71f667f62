/* The variables of a search: checks that the algorithm takes their kinds, and finds their number. */
#include "objective/variables/variables.h"
#include "base/error.h"
#include "objective/objective.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>

static enum shoal_status fail_kind(const struct search_problem *problem,
                                   const struct shoal_variable_group *group, struct shoal_error *error)
{
    char name[2 * VARIABLES_NAME];
    variables_name(problem->variables, group->first, name);
    char others[SEARCH_NAMES];
    return fail(error, SHOAL_INVALID, "%s is %s%s: %s takes %s; take %s", name,
                variable_kind_name(group->kind), group->bits ? " coded in bits" : "",
                problem->algorithm->name,
                problem->algorithm->rounds ? "reals, integers, choices and bits alone, none of them coded"
                                           : "reals alone",
                search_takers_of_genes(variables_can_be_rounded(problem->variables), others));
}

static bool takes_group(const struct search_algorithm *algorithm, const struct shoal_variable_group *group)
{
    return algorithm->takes_genes || (group->kind == SHOAL_REAL && !group->bits) ||
           (algorithm->rounds && variable_can_be_rounded(group));
}

bool search_has_bounds(const struct search_problem *problem, const struct search_lists *lists)
{
    return problem->params->lower_bounds || problem->params->upper_bounds || lists->lower.columns > 1 ||
           lists->upper.columns > 1;
}

/* Checks that the algorithm and the parameters allow genes other than plain reals. */
static enum shoal_status check_genes(const struct search_problem *problem, const struct search_lists *lists,
                                     struct shoal_error *error)
{
    const struct shoal_search_params *params = problem->params;
    for (size_t i = 0; i < problem->variables->group_count; i++)
        if (!takes_group(problem->algorithm, &problem->variables->groups[i]))
            return fail_kind(problem, &problem->variables->groups[i], error);
    if (params->polish || params->polish_every)
        return fail(error, SHOAL_INVALID, "--polish%s is for reals, of which each variable must be one",
                    params->polish ? "" : "-every");
    if (!isnan(params->shift) && params->shift != 0)
        return fail(error, SHOAL_INVALID, "--shift is for reals, of which each variable must be one");
    if (params->rotate)
        return fail(error, SHOAL_INVALID, "--rotate is for reals, of which each variable must be one");
    if (search_has_bounds(problem, lists))
        return fail(error, SHOAL_INVALID,
                    "genes have the ranges of their variables: leave out bounds of each "
                    "coordinate");
    return SHOAL_OK;
}

static size_t default_dim(const struct search_problem *problem)
{
    const size_t least = problem->info->min_dim, most = problem->info->max_dim;
    if (problem->asked_dim)
        return problem->asked_dim;
    return most == least ? least : least > 30 ? least : most < 30 ? most : 30;
}

/* Fails if an expression that reads a table takes any number of coordinates and the user has not given this
 * number. The table does not determine it. */
static enum shoal_status check_table_dim(const struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_objective_info *info = problem->info;
    if (!problem->objective->table || info->shape != SHOAL_OPAQUE || problem->asked_dim ||
        info->min_dim == info->max_dim)
        return SHOAL_OK;
    enum shoal_status status =
        fail(error, SHOAL_INVALID,
             "%s: the dim of x does not follow from the table: give it (--dim), or define MIN_DIM and "
             "MAX_DIM as one number",
             info->name);
    return problem->params->objective_file ? fail_in_file(error, status) : status;
}

/* Marks the coordinates that are computed by rounding down: problem->whole. */
static enum shoal_status mark_wholes(struct search_problem *problem, struct shoal_error *error)
{
    problem->whole = calloc(problem->point_dim, sizeof *problem->whole);
    if (!problem->whole)
        return fail_host_memory(error);
    for (size_t i = 0; i < problem->variables->group_count; i++) {
        const struct shoal_variable_group *group = &problem->variables->groups[i];
        for (size_t d = group->first; d < group->first + group->count; d++)
            problem->whole[d] = group->kind != SHOAL_REAL;
    }
    return SHOAL_OK;
}

/* Checks that the algorithm takes an objective over genes. */
static enum shoal_status check_objective(const struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_objective_info *info = problem->info;
    const struct search_algorithm *algorithm = problem->algorithm;
    char others[SEARCH_NAMES];
    if (algorithm->takes_genes || (algorithm->rounds && objective_has_points(problem->objective)))
        return SHOAL_OK;
    const bool can_round =
        objective_has_points(problem->objective) && variables_can_be_rounded(problem->variables);
    search_takers_of_genes(can_round, others);
    if (!algorithm->rounds)
        return fail(error, SHOAL_INVALID,
                    "%s is over genes (%s): %s takes objectives over reals alone; take %s", info->name,
                    info->variables, algorithm->name, others);
    return fail(error, SHOAL_INVALID, "%s %s, which %s does not take: take %s", info->name,
                info->repairs ? "repairs individuals" : "depends on the generation", algorithm->name, others);
}

/* Replaces an objective over genes by one over points, whose variables then are those of the parameters. */
static enum shoal_status take_points(struct search_problem *problem, struct shoal_error *error)
{
    struct shoal_objective *over_points;
    const enum shoal_status status =
        objective_over_points(problem->objective, &problem->own, problem->variables, &over_points, error);
    if (status)
        return status;
    problem->objective = problem->own = over_points;
    problem->info = shoal_objective_get_info(over_points);
    problem->params->variables = problem->variables->list;
    return SHOAL_OK;
}

enum shoal_status search_variables_read(struct search_problem *problem, const struct search_lists *lists,
                                        struct shoal_error *error)
{
    const char *own = problem->info->variables, *list = problem->params->variables;
    const bool rounds = problem->algorithm->rounds;
    /* The objective of a formula takes its variables from the list of the parameters, so both lists are the
     * same. */
    if (own && list && !problem->params->expression)
        return fail(error, SHOAL_INVALID, "%s has variables of its own (%s): leave out --variables",
                    problem->info->name, own);
    if (list && search_has_bounds(problem, lists))
        return fail(error, SHOAL_INVALID,
                    "bounds of each coordinate and a list of variables are both given: put the ranges into "
                    "the list");
    problem->point_dim = default_dim(problem);
    if (!own && !list)
        return check_table_dim(problem, error);
    enum shoal_status status = shoal_variables_parse(
        own ? own : list, own ? problem->point_dim : problem->asked_dim, &problem->variables, error);
    if (!status && own)
        status = check_objective(problem, error);
    if (status)
        return status;
    problem->point_dim = shoal_variables_count(problem->variables);
    const bool is_plain =
        !(own && problem->algorithm->takes_genes) && variables_are_plain(problem->variables);
    problem->has_genome = !is_plain && !rounds;
    problem->genome = genome_layout(problem->variables);
    if (problem->algorithm->extra_words)
        problem->genome.extra = problem->algorithm->extra_words(problem);
    if (!is_plain)
        status = check_genes(problem, lists, error);
    if (!status && own && rounds)
        status = take_points(problem, error);
    return status || is_plain || !rounds ? status : mark_wholes(problem, error);
}
