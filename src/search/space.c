/* The space of a search: genes, dimensions, box, and values at a point. */
#include "search/space.h"
#include "base/error.h"
#include "objective/constraints/constraints.h"
#include "objective/model/model.h"
#include "objective/objective.h"
#include "objective/variables/variables.h"
#include "search/options/options.h"
#include "search/start.h"

#include <float.h>
#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets how points are repaired. Fails if a test with random individuals shows that the objective's repair
 * returns invalid individuals. */
static enum shoal_status choose_repair(struct search_problem *problem, struct shoal_error *error)
{
    const enum shoal_repair repair = (enum shoal_repair)problem->params->repair;
    if (!problem->info->repairs && repair == SHOAL_REPAIR_VALUE_ONLY)
        return fail(error, SHOAL_INVALID, "%s repairs no individuals: leave out --repair",
                    problem->info->name);
    problem->repair = problem->info->repairs ? repair : SHOAL_REPAIR_NONE;
    return problem->repair ? objective_check_repair(problem->objective, problem->point_dim, error) : SHOAL_OK;
}

/* Fails if the objective is dynamic and an option compares values of different steps. */
static enum shoal_status check_dynamic(const struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_search_params *params = problem->params;
    const char *option = params->restart       ? "--restart"
                         : params->stagnation  ? "--stagnation"
                         : params->evaluations ? "--evaluations, which members of each generation use up"
                                               : NULL;
    return problem->info->dynamic && option
               ? fail(error, SHOAL_INVALID, "%s depends on the generation: leave out %s", problem->info->name,
                      option)
               : SHOAL_OK;
}

static enum shoal_status check_dim(const struct search_problem *problem, const struct search_lists *lists,
                                   struct shoal_error *error)
{
    const struct shoal_objective_info *info = problem->info;
    const size_t least = info->min_dim, most = info->max_dim, dim = problem->point_dim;
    if (dim >= least && dim <= most)
        return SHOAL_OK;
    if (least == most && lists->start.values && lists->start.columns == dim && !problem->params->dim &&
        !search_has_bounds(problem, lists))
        return search_start_fail_count(problem, dim, least, error);
    if (least == most)
        return fail(error, SHOAL_INVALID, "%s has dim %zu, not --dim %zu", info->name, least, dim);
    if (dim < least)
        return fail(error, SHOAL_INVALID, "%s needs --dim %zu or more", info->name, least);
    return fail(error, SHOAL_INVALID, "%s takes --dim %zu at most, not %zu", info->name, most, dim);
}

void search_coordinate_name(const struct search_problem *problem, size_t d, char name[2 * VARIABLES_NAME])
{
    const struct model *model = model_of(problem->objective);
    if (problem->variables)
        variables_name(problem->variables, d, name);
    else if (model)
        snprintf(name, 2 * VARIABLES_NAME, "%.60s", model->info.parameters[d].name);
    else
        snprintf(name, 2 * VARIABLES_NAME, "x[%zu]", d + 1);
}

/* Box and shift ---------------------------------------------------------------------------------------- */

/* Checks the bounds of variable d: its range in the list of variables or, if it has none there, the box. */
static enum shoal_status check_range(const struct search_problem *problem, size_t d, double lower,
                                     double upper, struct shoal_error *error)
{
    char name[2 * VARIABLES_NAME];
    variables_name(problem->variables, d, name);
    if (isnan(lower) || isnan(upper))
        return fail(error, SHOAL_INVALID, "%s has no range: give it one in the list, as real -5 5, or %s",
                    name, isnan(lower) ? "--lower" : "--upper");
    if (fabs(lower) > SEARCH_MAX_COORDINATE || fabs(upper) > SEARCH_MAX_COORDINATE)
        return fail(error, SHOAL_INVALID, "the range of %s, %g to %g, leaves that of searches, +-%g", name,
                    lower, upper, SEARCH_MAX_COORDINATE);
    if (!(lower <= upper))
        return fail(error, SHOAL_INVALID, "the range of %s, %.9g to %.9g, is empty", name, lower, upper);
    return SHOAL_OK;
}

static enum shoal_status check_side(const struct search_problem *problem, size_t d, double lower,
                                    double upper, struct shoal_error *error)
{
    char where[48] = "";
    if (isnan(lower) || isnan(upper))
        return fail(error, SHOAL_INVALID, "%s has no customary box: give %s", problem->info->name,
                    isnan(lower) && isnan(upper) ? "--lower and --upper"
                    : isnan(lower)               ? "--lower"
                                                 : "--upper");
    if (fabs(lower) > SEARCH_MAX_COORDINATE || fabs(upper) > SEARCH_MAX_COORDINATE)
        return fail(error, SHOAL_INVALID, "the box of dimension %zu, %g to %g, leaves the range of +-%g",
                    d + 1, lower, upper, SEARCH_MAX_COORDINATE);
    if (lower <= upper)
        return SHOAL_OK;
    /* If the box is the same in each dimension, the message names no dimension. */
    if (d > 0)
        snprintf(where, sizeof where, " in dimension %zu", d + 1);
    return fail(error, SHOAL_INVALID, "the box is empty%s: --lower %.9g is above --upper %.9g", where, lower,
                upper);
}

/* Sets the bounds of the variables that have a range in the list of variables. */
static void set_ranges(const struct search_problem *problem, double *lower, double *upper)
{
    const size_t groups = problem->variables ? problem->variables->group_count : 0;
    for (size_t i = 0; i < groups; i++) {
        const struct shoal_variable_group *group = &problem->variables->groups[i];
        for (size_t d = group->first; d < group->first + group->count && !isnan(group->lower); d++) {
            lower[d] = group->lower;
            upper[d] = group->upper;
        }
    }
}

static enum shoal_status check_box(const struct search_problem *problem, const double *lower,
                                   const double *upper, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    size_t group = 0;
    for (size_t d = 0; d < problem->point_dim && !status; d++) {
        if (problem->variables &&
            d == problem->variables->groups[group].first + problem->variables->groups[group].count)
            group++;
        if (!problem->variables)
            status = check_side(problem, d, lower[d], upper[d], error);
        else if (problem->variables->groups[group].kind == SHOAL_REAL)
            status = check_range(problem, d, lower[d], upper[d], error);
    }
    return status;
}

/* Returns the variable of gene d, which must be a real. */
static size_t variable_of_real(const struct search_problem *problem, size_t d)
{
    const struct shoal_variable_group *group = problem->variables ? problem->variables->groups : NULL;
    if (!problem->has_genome)
        return d;
    for (; group->kind != SHOAL_REAL || group->bits || d >= group->count; group++)
        d -= group->kind == SHOAL_REAL && !group->bits ? group->count : 0;
    return group->first + d;
}

/* Fails if all variables are fixed. */
static enum shoal_status check_fixed(const struct search_problem *problem, const double *lower,
                                     const double *upper, struct shoal_error *error)
{
    for (size_t d = 0; d < problem->point_dim; d++)
        if (lower[d] < upper[d])
            return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "the bounds of each variable are equal, which fixes all of them: there is nothing to search");
}

bool search_is_fixed(const struct search_problem *problem, size_t d)
{
    const size_t reals = search_reals(problem);
    return (d < reals && problem->lower[d] == problem->upper[d]) || (problem->whole && problem->whole[d]);
}

enum shoal_status search_check_fixed(const struct search_problem *problem, bool leaves_box,
                                     const char *bounds, struct shoal_error *error)
{
    char name[2 * VARIABLES_NAME];
    for (size_t d = 0; d < problem->dim && leaves_box; d++) {
        if (!search_is_fixed(problem, d))
            continue;
        search_coordinate_name(problem, variable_of_real(problem, d), name);
        return fail(
            error, SHOAL_INVALID,
            "equal bounds fix %s, but --bounds %s lets variables leave the box: take another of --bounds",
            name, bounds);
    }
    return SHOAL_OK;
}

/* Whether some variable gets its range from the box. */
static bool takes_box(const struct search_problem *problem)
{
    const size_t groups = problem->variables ? problem->variables->group_count : 0;
    bool any = !problem->variables;
    for (size_t i = 0; i < groups && !any; i++)
        any = problem->variables->groups[i].kind == SHOAL_REAL && isnan(problem->variables->groups[i].lower);
    return any;
}

/* Computes the bounds of the variables: lower, [point_dim], followed by the upper bounds, [point_dim]. */
static enum shoal_status make_bounds(const struct search_problem *problem, const struct search_lists *lists,
                                     double *lower, struct shoal_error *error)
{
    const struct shoal_objective *usual = problem->objective;
    double *upper = lower + problem->point_dim;
    enum shoal_status status =
        search_lists_bounds(lists, problem->params, problem->point_dim, lower, upper, error);
    if (status)
        return status;
    for (size_t d = 0; d < problem->point_dim; d++) {
        if ((!isnan(lower[d]) || !isnan(upper[d])) && !takes_box(problem))
            return fail(
                error, SHOAL_INVALID,
                "--%s is for reals without a range of their own, of which there are none: leave it out",
                isnan(lower[d]) ? "upper" : "lower");
        lower[d] = isnan(lower[d]) ? objective_lower(usual, d) : lower[d];
        upper[d] = isnan(upper[d]) ? objective_upper(usual, d) : upper[d];
    }
    set_ranges(problem, lower, upper);
    status = check_box(problem, lower, upper, error);
    return status ? status : check_fixed(problem, lower, upper, error);
}

static enum shoal_status make_box(struct search_problem *problem, const struct search_lists *lists,
                                  struct shoal_error *error)
{
    const double shift = isnan(problem->params->shift) ? 0 : problem->params->shift;
    const size_t dim = problem->dim, point_dim = problem->point_dim;
    double *bounds = malloc(2 * point_dim * sizeof *bounds);
    problem->lower = malloc(dim * sizeof *problem->lower);
    problem->upper = malloc(dim * sizeof *problem->upper);
    problem->shift = calloc(dim, sizeof *problem->shift);
    enum shoal_status status = bounds && problem->lower && problem->upper && problem->shift
                                   ? make_bounds(problem, lists, bounds, error)
                                   : fail_host_memory(error);
    if (!status && problem->has_genome) {
        genes_bounds(problem->variables, bounds, bounds + point_dim, problem->lower, problem->upper);
        for (size_t d = dim - problem->genome.extra; d < dim; d++) {
            problem->lower[d] = 0;
            problem->upper[d] = UINT32_MAX;
        }
    } else if (!status) {
        memcpy(problem->lower, bounds, dim * sizeof *bounds);
        memcpy(problem->upper, bounds + dim, dim * sizeof *bounds);
        for (size_t d = 0; d < dim && problem->whole; d++)
            problem->upper[d] += problem->whole[d];
    }
    problem->same_box = shift == 0 && search_is_plain(problem);
    for (size_t d = 0; d < dim && !status; d++) {
        if (problem->lower[d] != problem->lower[0] || problem->upper[d] != problem->upper[0])
            problem->same_box = false;
        /* The shift is part of the function, so it is the same for every seed of a search. */
        const struct shoal_words words = shoal_random_words(0, SHOAL_STREAM_SEARCH_SHIFT, 0, (uint32_t)d, 0);
        problem->shift[d] = shift * (2 * shoal_uniform_double(words.x, 0) - 1);
        if (shift != 0) {
            bounds[d] -= problem->shift[d];
            bounds[point_dim + d] -= problem->shift[d];
        }
    }
    if (!status) {
        status = objective_try(problem->objective, bounds, bounds + point_dim, point_dim, error);
        if (problem->params->objective_file)
            status = fail_in_file(error, status);
    }
    free(bounds);
    return status;
}

enum shoal_status search_space_create(struct search_problem *problem, const struct search_lists *lists,
                                      struct shoal_error *error)
{
    enum shoal_status status = search_variables_read(problem, lists, error);
    if (!status)
        status = check_dim(problem, lists, error);
    if (!status)
        status = choose_repair(problem, error);
    if (!status)
        status = check_dynamic(problem, error);
    if (status)
        return status;
    problem->dim = problem->has_genome ? genes_count(&problem->genome) : problem->point_dim;
    return make_box(problem, lists, error);
}

enum shoal_status search_box_check_single(const struct search_problem *problem, struct shoal_error *error)
{
    static const double most_whole = 1 << FLT_MANT_DIG; /* all integers up to this number are floats */
    char name[2 * VARIABLES_NAME];
    const size_t reals = search_reals(problem);
    if (search_precision(problem) != SHOAL_FP32)
        return SHOAL_OK;
    for (size_t d = 0; d < reals; d++) {
        const double lower = problem->lower[d], upper = problem->upper[d];
        if (problem->whole && problem->whole[d] && fmax(-lower, upper) > most_whole) {
            search_coordinate_name(problem, d, name);
            return fail(error, SHOAL_INVALID,
                        "%s has whole numbers beyond %.0f, which single precision does not have: give "
                        "--precision fp64, or take the host",
                        name, most_whole);
        }
        if (!(lower < upper) || (float)lower < (float)upper)
            continue;
        search_coordinate_name(problem, variable_of_real(problem, d), name);
        return fail(error, SHOAL_INVALID,
                    "the ends of the range of %s, %.12g and %.12g, are one number in single precision: give "
                    "--precision fp64, or take the host",
                    name, lower, upper);
    }
    return SHOAL_OK;
}

void search_box_save(const struct search_problem *problem, struct checkpoint *checkpoint)
{
    checkpoint_add(checkpoint, "lower", problem->lower, problem->dim * sizeof *problem->lower);
    checkpoint_add(checkpoint, "upper", problem->upper, problem->dim * sizeof *problem->upper);
    if (problem->algorithm->save_state)
        problem->algorithm->save_state(problem, checkpoint);
}

enum shoal_status search_box_match(const struct search_problem *problem, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    const size_t bytes = problem->dim * sizeof *problem->lower;
    const void *lower, *upper;
    enum shoal_status status = problem->algorithm->check_state
                                   ? problem->algorithm->check_state(problem, checkpoint, error)
                                   : SHOAL_OK;
    if (status || !checkpoint_find(checkpoint, "lower"))
        return status;
    status = checkpoint_expect(checkpoint, "lower", bytes, &lower, error);
    if (!status)
        status = checkpoint_expect(checkpoint, "upper", bytes, &upper, error);
    if (!status && (memcmp(lower, problem->lower, bytes) != 0 || memcmp(upper, problem->upper, bytes) != 0))
        status = fail(error, SHOAL_INVALID, "%s belongs to another box", checkpoint->path);
    return status;
}

/* Places ----------------------------------------------------------------------------------------------- */

/* Repairs a member. If the objective takes genes, they are repaired, except coded variables. Otherwise the
 * point of the member is computed in `scratch`, repaired, and converted back. A member that cannot be
 * repaired does not change. */
static void repair(const struct search_problem *problem, double *genes, double *scratch)
{
    const struct shoal_objective *objective = problem->objective;
    enum shoal_status ignored;
    if (objective->genes) {
        ignored = objective->genes->repair(objective, genes, problem->point_dim, NULL);
    } else {
        genes_to_point(problem->variables, genes, scratch);
        ignored = objective->repair(objective, scratch, problem->point_dim, NULL);
        genes_from_point(problem->variables, scratch, genes);
    }
    (void)ignored;
}

void search_to_point(const struct search_problem *problem, const double *member, double *point)
{
    const struct shoal_objective *objective = problem->objective;
    enum shoal_status ignored = SHOAL_OK;
    if (problem->has_genome)
        genes_to_point(problem->variables, member, point);
    else
        for (size_t d = 0; d < problem->dim; d++)
            point[d] = search_coordinate(problem, d, member[d]);
    if (problem->repair != SHOAL_REPAIR_VALUE_ONLY)
        return;
    double *genes = objective->genes ? malloc(problem->dim * sizeof *genes) : NULL;
    if (genes) {
        memcpy(genes, member, problem->dim * sizeof *genes);
        repair(problem, genes, NULL);
        genes_to_point(problem->variables, genes, point);
    } else if (!objective->genes) {
        ignored = objective->repair(objective, point, problem->point_dim, NULL);
    }
    free(genes);
    (void)ignored;
}

void search_repair(const struct search_problem *problem, double *member, double *scratch)
{
    if (problem->repair == SHOAL_REPAIR_WRITTEN_BACK)
        repair(problem, member, scratch);
}

void search_from_point(const struct search_problem *problem, const double *point, double *member)
{
    if (problem->has_genome)
        genes_from_point(problem->variables, point, member);
    else
        for (size_t d = 0; d < problem->dim; d++)
            member[d] = point[d] + (problem->whole && problem->whole[d] ? 0.5 : 0);
    if (problem->genome.extra)
        problem->algorithm->set_extra(problem, member);
}

void search_convert(const struct search_problem *from, const double *member, const struct search_problem *to,
                    double *converted, double *point)
{
    if (from->has_genome == to->has_genome) {
        memcpy(converted, member, from->dim * sizeof *member);
        return;
    }
    search_to_point(from, member, point);
    search_from_point(to, point, converted);
}

/* Returns the index of the first gene that is an element of an order. */
static size_t first_place(const struct search_problem *problem)
{
    return problem->dim - problem->genome.extra - problem->genome.places;
}

void search_centre(const struct search_problem *problem, double fraction, double *x)
{
    const struct genome_layout *genome = &problem->genome;
    const size_t places = first_place(problem), extra = places + genome->places;
    for (size_t d = 0; d < problem->dim; d++) {
        const double half = problem->upper[d] / 2 - problem->lower[d] / 2;
        if (!problem->has_genome || d < genome->reals)
            x[d] = problem->lower[d] + half + fraction * half;
        else
            x[d] = d < places || d >= extra ? problem->lower[d] : (double)(d - places);
    }
}

/* Rounds a bound to `precision`. */
static double rounded(double value, enum shoal_precision precision)
{
    return precision == SHOAL_FP32 ? (double)(float)value : value;
}

/* Whether `count` integers in [0, count) are a permutation. */
static bool is_order(const double *places, size_t count)
{
    bool *seen = calloc(count, sizeof *seen);
    bool good = seen != NULL;
    for (size_t i = 0; i < count && good; i++) {
        good = !seen[(size_t)places[i]];
        seen[(size_t)places[i]] = true;
    }
    free(seen);
    return good;
}

bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision)
{
    const struct genome_layout *genome = &problem->genome;
    const size_t reals = search_reals(problem);
    for (size_t d = 0; d < reals && !problem->is_unbounded; d++)
        if (!(x[d] >= rounded(problem->lower[d], precision) && x[d] <= rounded(problem->upper[d], precision)))
            return false;
    for (size_t d = reals; d < problem->dim; d++)
        if (!(x[d] >= problem->lower[d] && x[d] <= problem->upper[d] && x[d] == floor(x[d])))
            return false;
    return !problem->has_genome || !genome->places || is_order(x + first_place(problem), genome->places);
}

double search_penalty(const struct search_problem *problem, const double *x)
{
    double sum = 0;
    for (size_t d = 0; d < problem->dim && problem->penalty > 0; d++) {
        const double width = problem->upper[d] - problem->lower[d];
        const double beyond = fmax(problem->lower[d] - x[d], x[d] - problem->upper[d]);
        sum += beyond > 0 ? problem->penalty * (1 + beyond / width) : 0;
    }
    return sum;
}

double search_change(const struct search_problem *problem, const double *member, const double *point,
                     size_t i, size_t j)
{
    const struct shoal_objective *objective = problem->objective;
    return problem->sign * (objective->genes
                                ? objective->genes->change(objective, member, problem->point_dim, i, j)
                                : objective->change(objective, point, problem->point_dim, i, j));
}

static double finite_value(const struct search_problem *problem, double value, double penalty)
{
    value = problem->sign * value + penalty;
    return isfinite(value) ? value : INFINITY;
}

/* Returns the value at a member of an objective that takes genes. */
static double value_of_genes(const struct search_problem *problem, const double *x, uint64_t step,
                             double *scratch)
{
    const struct shoal_objective *objective = problem->objective;
    if (problem->repair == SHOAL_REPAIR_VALUE_ONLY) {
        memcpy(scratch, x, problem->dim * sizeof *scratch);
        repair(problem, scratch, NULL);
        x = scratch;
    }
    return objective->genes->value(objective, x, problem->point_dim, (uint32_t)step);
}

/* Returns the point for which the objective is evaluated: the member itself, or the point computed in
 * `scratch`. */
static const double *point_of(const struct search_problem *problem, const double *x, double *scratch)
{
    if (!search_is_plain(problem)) {
        search_to_point(problem, x, scratch);
        return scratch;
    }
    if (problem->same_box)
        return x;
    for (size_t d = 0; d < problem->dim; d++)
        scratch[d] = x[d] - problem->shift[d];
    return scratch;
}

double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch)
{
    const double penalty = search_penalty(problem, x);
    if (problem->objective->genes)
        return finite_value(problem, value_of_genes(problem, x, step, scratch), penalty);
    return finite_value(problem,
                        shoal_objective_value_in_generation(problem->objective, point_of(problem, x, scratch),
                                                            problem->point_dim, (uint32_t)step),
                        penalty);
}

bool search_takes_points(const struct search_problem *problem)
{
    return problem->objective->values && search_is_plain(problem);
}

void search_values(const struct search_problem *problem, const double *x, size_t count, double *scratch,
                   double *values)
{
    const size_t dim = problem->dim;
    for (size_t n = 0; n < count; n++)
        for (size_t d = 0; d < dim; d++)
            scratch[n * dim + d] = x[n * dim + d] - problem->shift[d];
    problem->objective->values(problem->objective, scratch, count, dim, values);
    for (size_t n = 0; n < count; n++)
        values[n] = finite_value(problem, values[n], search_penalty(problem, x + n * dim));
}

double search_value_of_run(const struct search_problem *problem, size_t run, const double *x, uint64_t step,
                           double *scratch)
{
    const struct shoal_objective *objective = problem->objective;
    if (!objective->value_of_run)
        return search_value_in_step(problem, x, step, scratch);
    const double penalty = search_penalty(problem, x);
    return finite_value(
        problem, objective->value_of_run(objective, run, point_of(problem, x, scratch), problem->point_dim),
        penalty);
}

double search_sides(const struct search_problem *problem, const double *x, double *scratch, double *sides)
{
    return problem->sign *
           constrained_sides(problem->objective, point_of(problem, x, scratch), problem->point_dim, sides);
}

double search_parts(const struct search_problem *problem, const double *x, double *scratch, double *excess)
{
    const double value = search_sides(problem, x, scratch, excess);
    constrained_find_excess(problem->constrained, excess);
    return value;
}

double search_rank_told(const struct search_problem *problem, const double *x, double value, double violation,
                        double *scratch)
{
    double excess[CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    search_parts(problem, x, scratch, excess);
    return constrained_rank_of(value, violation + constrained_violation(problem->constrained, excess));
}
