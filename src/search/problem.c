/* From the common parameters to a search: objective, box, sizes. */
#include "search/problem.h"
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "objective/rows/rows.h"
#include "objective/variables/variables.h"
#include "search/options/options.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

/* Objective -------------------------------------------------------------------------------------------- */

static enum shoal_status objective_of_data(struct shoal *shoal, const struct shoal_search_params *params,
                                           const char *text, const char *name, bool is_check,
                                           struct shoal_objective **own, struct shoal_error *error)
{
    const struct objective_file file = {
        .path = params->data_file,
        .layout = params->data_layout,
        .text = text,
        .name = name,
        .dim = (size_t)params->dim,
        .squared = params->squared,
        .is_check = is_check,
    };
    enum shoal_status status = objective_from_table_file(shoal, &file, own, error);
    if (status || !params->compressed || is_check)
        return status;
    struct shoal_objective *whole = *own;
    *own = NULL;
    status = objective_compress(whole, own, error);
    shoal_objective_destroy(&whole);
    return status;
}

/* An instance of a built-in function. */
static enum shoal_status make_instance(const struct shoal_search_params *params,
                                       const struct shoal_objective_info *info, struct shoal_objective **own,
                                       struct shoal_error *error)
{
    if (params->data_layout)
        return fail(error, SHOAL_INVALID, "%s reads a format of its own: leave out --data-layout",
                    info->name);
    const size_t dim = params->dim ? (size_t)params->dim : info->min_dim > 30 ? info->min_dim : 30;
    return shoal_objective_from_instance(info->name, params->data_file, dim, own, error);
}

/* Creates the objective of a text, a formula or a table; *own stays NULL if it exists already. `is_check`:
 * see objective_from_table_text. */
static enum shoal_status make_objective(struct shoal *shoal, const struct shoal_search_params *params,
                                        bool is_check, const struct shoal_objective **objective,
                                        struct shoal_objective **own, struct shoal_error *error)
{
    const struct shoal_objective *function = shoal_objective_at((size_t)params->function);
    enum shoal_status status = SHOAL_OK;
    *objective = params->objective;
    if (!params->objective && params->expression) {
        status = shoal_objective_from_expression(params->expression, own, error);
    } else if (!params->objective && !params->objective_file && function->source) {
        status = make_instance(params, &function->info, own, error);
    } else if (!params->objective && (params->objective_file || params->data_file)) {
        char *text = NULL;
        const char *name = params->objective_file ? file_base_name(params->objective_file) : NULL;
        if (params->objective_file)
            status = read_input_text(params->objective_file, "objective", &text, error);
        if (!status && params->data_file)
            status = objective_of_data(shoal, params, text, name, is_check, own, error);
        else if (!status)
            status =
                fail_in_file(error, objective_from_table_text(shoal, NULL, text, name, is_check, own, error));
        free(text);
    } else if (!params->objective) {
        *objective = function;
    }
    /* f6 to f10. The rows are part of the function, so their seed is not the search's. */
    if (!status && !is_check && *objective && (*objective)->info.shape == SHOAL_DATA_ROWS &&
        !(*objective)->table)
        status = objective_from_thesis_table((*objective)->info.name, 1, own, error);
    if (!status && *own)
        *objective = *own;
    return status;
}

static enum shoal_status fail_kind(const struct search_problem *problem,
                                   const struct shoal_variable_group *group, struct shoal_error *error)
{
    char name[2 * VARIABLES_NAME];
    variables_name(problem->variables, group->first, name);
    return fail(error, SHOAL_INVALID, "%s is %s%s: %s takes reals alone", name,
                variable_kind_name(group->kind), group->bits ? " coded in bits" : "",
                problem->algorithm->name);
}

/* The list of variables, whose number is then the dimension. */
static enum shoal_status read_variables(struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_search_params *params = problem->params;
    if (problem->info->variables)
        return fail(error, SHOAL_INVALID, "%s is over genes (%s): %s takes objectives over reals alone",
                    problem->info->name, problem->info->variables, problem->algorithm->name);
    if (!params->variables)
        return SHOAL_OK;
    enum shoal_status status =
        shoal_variables_parse(params->variables, (size_t)params->dim, &problem->variables, error);
    if (status)
        return status;
    problem->dim = shoal_variables_count(problem->variables);
    for (size_t i = 0; i < shoal_variables_group_count(problem->variables); i++) {
        const struct shoal_variable_group *group = shoal_variables_group(problem->variables, i);
        if (group->kind != SHOAL_REAL || group->bits)
            return fail_kind(problem, group, error);
    }
    return SHOAL_OK;
}

static enum shoal_status choose_dim(struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_objective_info *info = problem->info;
    const size_t least = info->min_dim, most = info->max_dim;
    if (!problem->variables)
        problem->dim = (size_t)problem->params->dim;
    if (!problem->dim)
        problem->dim = most == least ? least : least > 30 ? least : most < 30 ? most : 30;
    if (problem->dim >= least && problem->dim <= most)
        return SHOAL_OK;
    if (least == most)
        return fail(error, SHOAL_INVALID, "%s has dim %zu, not --dim %zu", info->name, least, problem->dim);
    if (problem->dim < least)
        return fail(error, SHOAL_INVALID, "%s needs --dim %zu or more", info->name, least);
    return fail(error, SHOAL_INVALID, "%s takes --dim %zu at most, not %zu", info->name, most, problem->dim);
}

/* Box and shift ---------------------------------------------------------------------------------------- */

/* A box narrower than a step of the format would be empty on the device. */
static bool is_empty(const struct search_problem *problem, double lower, double upper)
{
    return problem->params->precision == SHOAL_FP32 ? !((float)lower < (float)upper) : !(lower < upper);
}

/* A range in the list of variables, or the box where it has none. */
static enum shoal_status check_range(const struct search_problem *problem, size_t d,
                                     struct shoal_error *error)
{
    const double lower = problem->lower[d], upper = problem->upper[d];
    char name[2 * VARIABLES_NAME];
    variables_name(problem->variables, d, name);
    if (isnan(lower) || isnan(upper))
        return fail(error, SHOAL_INVALID, "%s has no range: give it one in the list, as real -5 5, or %s",
                    name, isnan(lower) ? "--lower" : "--upper");
    if (fabs(lower) > SEARCH_MAX_COORDINATE || fabs(upper) > SEARCH_MAX_COORDINATE)
        return fail(error, SHOAL_INVALID, "the range of %s, %g to %g, leaves that of searches, +-%g", name,
                    lower, upper, SEARCH_MAX_COORDINATE);
    if (is_empty(problem, lower, upper))
        return fail(error, SHOAL_INVALID, "the range of %s, %.9g to %.9g, is empty%s", name, lower, upper,
                    lower < upper ? " in single precision" : "");
    return SHOAL_OK;
}

static enum shoal_status check_side(const struct search_problem *problem, size_t d, struct shoal_error *error)
{
    const double lower = problem->lower[d], upper = problem->upper[d];
    if (problem->variables)
        return check_range(problem, d, error);
    if (isnan(lower) || isnan(upper))
        return fail(error, SHOAL_INVALID, "%s has no customary box: give %s", problem->info->name,
                    isnan(lower) && isnan(upper) ? "--lower and --upper"
                    : isnan(lower)               ? "--lower"
                                                 : "--upper");
    if (fabs(lower) > SEARCH_MAX_COORDINATE || fabs(upper) > SEARCH_MAX_COORDINATE)
        return fail(error, SHOAL_INVALID, "the box of dimension %zu, %g to %g, leaves the range of +-%g", d,
                    lower, upper, SEARCH_MAX_COORDINATE);
    if (!is_empty(problem, lower, upper))
        return SHOAL_OK;
    if (lower < upper)
        return fail(error, SHOAL_INVALID,
                    "the box is empty: --lower %.9g and --upper %.9g are one number in single precision",
                    lower, upper);
    return fail(error, SHOAL_INVALID, "the box is empty: --lower %.9g is not less than --upper %.9g", lower,
                upper);
}

/* Ranges in the list of variables, in place of the box. */
static void set_ranges(struct search_problem *problem)
{
    const size_t groups = problem->variables ? shoal_variables_group_count(problem->variables) : 0;
    for (size_t i = 0; i < groups; i++) {
        const struct shoal_variable_group *group = shoal_variables_group(problem->variables, i);
        for (size_t d = group->first; d < group->first + group->count && !isnan(group->lower); d++) {
            problem->lower[d] = group->lower;
            problem->upper[d] = group->upper;
        }
    }
}

static enum shoal_status make_box(struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_search_params *params = problem->params;
    const struct shoal_objective_info *info = problem->info;
    const size_t dim = problem->dim;
    problem->lower = malloc(dim * sizeof *problem->lower);
    problem->upper = malloc(dim * sizeof *problem->upper);
    problem->shift = calloc(dim, sizeof *problem->shift);
    if (!problem->lower || !problem->upper || !problem->shift)
        return fail_host_memory(error);
    const double lower = isnan(params->lower) ? info->lower : params->lower;
    const double upper = isnan(params->upper) ? info->upper : params->upper;
    const double shift = isnan(params->shift) ? 0 : params->shift;
    problem->same_box = shift == 0;
    for (size_t d = 0; d < dim; d++) {
        problem->lower[d] = params->lower_bounds ? params->lower_bounds[d] : lower;
        problem->upper[d] = params->upper_bounds ? params->upper_bounds[d] : upper;
    }
    set_ranges(problem);
    for (size_t d = 0; d < dim; d++) {
        const enum shoal_status status = check_side(problem, d, error);
        if (status)
            return status;
        if (problem->lower[d] != problem->lower[0] || problem->upper[d] != problem->upper[0])
            problem->same_box = false;
        /* The function is the same for every seed. */
        const struct shoal_words words = shoal_random_words(0, SHOAL_STREAM_SEARCH_SHIFT, 0, (uint32_t)d, 0);
        problem->shift[d] = shift * (2 * shoal_uniform_double(words.x, 0) - 1);
    }
    return SHOAL_OK;
}

/* Problem ---------------------------------------------------------------------------------------------- */

static void set_sizes(struct search_problem *problem)
{
    const struct shoal_search_params *params = problem->params;
    const struct search_algorithm *algorithm = problem->algorithm;
    problem->members = (size_t)search_members(algorithm, params);
    problem->points = (size_t)search_points(algorithm, params);
    problem->width = problem->members > problem->points ? problem->members : problem->points;
    problem->migrants = algorithm->migrants ? (size_t)algorithm->migrants(params) : 1;
    problem->run_islands = (size_t)params->islands;
    problem->runs = (size_t)params->runs;
    problem->islands = problem->run_islands * problem->runs;
    problem->total = problem->members * problem->islands;
    problem->sign = params->maximise ? -1 : 1;
    problem->target = isnan(params->target) ? -INFINITY : problem->sign * params->target;
    problem->max_steps = search_total_steps(algorithm, params);
}

/* Addresses of coordinates have 63 bits. */
static enum shoal_status check_counts(const struct search_problem *problem, struct shoal_error *error)
{
    const char *members = problem->algorithm->members;
    const double coordinates = (double)problem->width * (double)problem->islands * (double)problem->dim;
    if (coordinates > 1e15)
        return fail(error, SHOAL_INVALID,
                    "%zu %s of dim %zu are %.0f bytes of positions alone: lower --%s or --dim",
                    problem->total, members, problem->dim, coordinates * sizeof(double), members);
    return SHOAL_OK;
}

enum shoal_status search_problem_create(struct shoal *shoal, const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    *problem = (struct search_problem){.algorithm = algorithm, .params = params};
    enum shoal_status status =
        make_objective(shoal, params, false, &problem->objective, &problem->own, error);
    if (status)
        goto fail;
    problem->info = shoal_objective_get_info(problem->objective);
    set_sizes(problem);
    if (params->chunk_rows && problem->info->shape == SHOAL_OPAQUE && problem->objective->table)
        status = fail(error, SHOAL_INVALID, "%s reads its whole table: leave out --chunk-rows",
                      problem->info->name);
    else if (params->chunk_rows && problem->info->shape != SHOAL_DATA_ROWS)
        status = fail(error, SHOAL_INVALID,
                      "--chunk-rows needs a table: give --data or one of the functions f6 to f10");
    if (!status)
        status = read_variables(problem, error);
    if (!status)
        status = choose_dim(problem, error);
    if (!status)
        status = make_box(problem, error);
    if (!status)
        status = check_counts(problem, error);
    if (!status)
        status = search_links_create(params, &problem->links, error);
    if (!status)
        return SHOAL_OK;
fail:
    search_problem_destroy(problem);
    return status;
}

/* `params` in a copy of the whole struct of the algorithm, with the objective. */
static enum shoal_status check_problem(const struct search_algorithm *algorithm,
                                       const struct shoal_search_params *params,
                                       const struct shoal_objective *objective, struct shoal_error *error)
{
    struct shoal_search_params *copy = malloc(params->size);
    struct search_problem *problem = calloc(1, algorithm->problem_size);
    enum shoal_status status = copy && problem ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        memcpy(copy, params, params->size);
        copy->objective = objective;
        status = algorithm->problem_create(NULL, copy, problem, error);
        search_problem_destroy(problem);
    }
    free(problem);
    free(copy);
    return status;
}

enum shoal_status search_check_input(struct shoal *shoal, const struct search_algorithm *algorithm,
                                     const struct shoal_search_params *params, struct shoal_error *error)
{
    const struct objective_table no_rows = {0};
    const struct shoal_objective *objective;
    struct shoal_objective *own = NULL, described;
    enum shoal_status status = make_objective(shoal, params, true, &objective, &own, error);
    /* f6 to f10: making their rows takes longer than all the rest, and what is checked does not read them. */
    if (!status && objective->info.shape == SHOAL_DATA_ROWS && !objective->table) {
        described = *objective;
        described.table = &no_rows;
        objective = &described;
    }
    if (!status)
        status = check_problem(algorithm, params, objective, error);
    shoal_objective_destroy(&own);
    return status;
}

void search_problem_destroy(struct search_problem *problem)
{
    shoal_objective_destroy(&problem->own);
    shoal_variables_destroy(&problem->variables);
    search_links_free(&problem->links);
    free(problem->lower);
    free(problem->upper);
    free(problem->shift);
    free(problem->tables);
    *problem = (struct search_problem){0};
}

/* A bound rounded to that precision. */
static double rounded(double value, enum shoal_precision precision)
{
    return precision == SHOAL_FP32 ? (double)(float)value : value;
}

bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision)
{
    if (problem->is_unbounded)
        return true;
    for (size_t d = 0; d < problem->dim; d++)
        if (!(x[d] >= rounded(problem->lower[d], precision) && x[d] <= rounded(problem->upper[d], precision)))
            return false;
    return true;
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

double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    const double penalty = search_penalty(problem, x);
    if (!problem->same_box) {
        for (size_t d = 0; d < problem->dim; d++)
            scratch[d] = x[d] - problem->shift[d];
        x = scratch;
    }
    const double value = problem->sign * shoal_objective_value(problem->objective, x, problem->dim) + penalty;
    return isfinite(value) ? value : INFINITY;
}
