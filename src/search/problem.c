/* Creates the problem of a search from the common parameters: objective, box, sizes. */
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "compute/log.h"
#include "objective/code.h"
#include "objective/constraints/constraints.h"
#include "objective/model/model.h"
#include "objective/rows/rows.h"
#include "search/options/options.h"
#include "search/refine/refine.h"
#include "search/space.h"
#include "search/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Objective -------------------------------------------------------------------------------------------- */

/* Parameters from which an objective is created: a text, a formula, a model or a table. */
struct source {
    const struct search_algorithm *algorithm;
    const struct shoal_search_params *params;
    size_t dim;    /* number of dimensions that the user gives; 0: the source determines it */
    bool is_check; /* the objective is only checked: see objective_from_table_text */
};

static enum shoal_status objective_of_data(struct shoal *shoal, const struct source *source, const char *text,
                                           const char *name, struct shoal_objective **own,
                                           struct shoal_error *error)
{
    const struct shoal_search_params *params = source->params;
    const struct objective_file file = {
        .path = params->data_file,
        .layout = params->data_layout,
        .header = params->header,
        .missing_values = params->missing_values,
        .columns = params->columns,
        .drops_missing = params->missing == SHOAL_SEARCH_MISSING_DROP,
        .text = text,
        .name = name,
        .dim = source->dim,
        .squared = params->squared,
        .is_check = source->is_check,
    };
    enum shoal_status status = objective_from_table_file(shoal, &file, own, error);
    if (status || !params->compressed || source->is_check)
        return status;
    struct shoal_objective *whole = *own;
    *own = NULL;
    status = objective_compress(whole, own, error);
    shoal_objective_destroy(&whole);
    return status;
}

/* Creates the objective of a built-in function that has instances. */
static enum shoal_status make_instance(const struct source *source, const struct shoal_objective_info *info,
                                       struct shoal_objective **own, struct shoal_error *error)
{
    const char *of_table = source->params->data_layout      ? "data-layout"
                           : source->params->missing_values ? "missing-values"
                                                            : NULL;
    if (of_table)
        return fail(error, SHOAL_INVALID, "%s reads a format of its own: leave out --%s", info->name,
                    of_table);
    const size_t dim = source->dim ? source->dim : info->min_dim > 30 ? info->min_dim : 30;
    if (source->params->instance)
        return shoal_objective_from_bbob(info->name, source->params->instance, dim, own, error);
    return shoal_objective_from_instance(info->name, source->params->data_file, dim, own, error);
}

static enum shoal_status objective_of_model(const struct shoal_search_params *params,
                                            struct shoal_objective **own, struct shoal_error *error)
{
    if (!params->data_file || !params->fit || !params->target_column)
        return fail(error, SHOAL_INVALID, "--model needs %s",
                    !params->data_file ? "--data, the table with its columns"
                    : !params->fit     ? "--fit, its parameters and their ranges"
                                       : "--target, the column that it is fitted to");
    return model_objective_from_file(
        &(struct model_file){.path = params->data_file,
                             .layout = params->data_layout,
                             .header = params->header,
                             .missing_values = params->missing_values,
                             .drops_missing = params->missing == SHOAL_SEARCH_MISSING_DROP,
                             .formula = params->model,
                             .ranges = params->fit,
                             .target = params->target_column,
                             .weights = params->weights_column,
                             .loss = params->loss,
                             .delta = params->huber_delta},
        own, error);
}

/* Creates the objective from a text, a formula or a table. If the caller has given an objective, *objective
 * is this one, and *own stays NULL. */
static enum shoal_status make_objective(struct shoal *shoal, const struct source *source,
                                        const struct shoal_objective **objective,
                                        struct shoal_objective **own, struct shoal_error *error)
{
    const struct shoal_search_params *params = source->params;
    const struct shoal_objective *function = shoal_objective_at((size_t)params->function);
    enum shoal_status status = SHOAL_OK;
    *objective = params->objective;
    if (!params->objective && params->expression) {
        status =
            params->variables && source->algorithm->takes_genes
                ? shoal_objective_from_expression_variables(params->expression, params->variables, own, error)
                : objective_from_named_expression(params->expression, params->variables, own, error);
    } else if (!params->objective && params->model) {
        status = objective_of_model(params, own, error);
    } else if (!params->objective && !params->objective_file && function->source) {
        status = make_instance(source, &function->info, own, error);
    } else if (!params->objective && (params->objective_file || params->data_file)) {
        char *text = NULL;
        const char *name = params->objective_file ? file_base_name(params->objective_file) : NULL;
        if (params->objective_file)
            status = read_input_text(params->objective_file, "objective", &text, error);
        if (!status && params->data_file)
            status = objective_of_data(shoal, source, text, name, own, error);
        else if (!status)
            status = fail_in_file(
                error, objective_from_table_text(shoal, NULL, text, name, source->is_check, own, error));
        free(text);
    } else if (!params->objective && params->instance) {
        status = shoal_objective_from_bbob(function->info.name, params->instance, source->dim, own, error);
    } else if (!params->objective) {
        *objective = function;
    }
    /* The data functions f6 to f10 sum over random rows, which are a part of the function, so their seed is 1
     * for every search. */
    if (!status && !source->is_check && *objective && (*objective)->info.shape == SHOAL_DATA_ROWS &&
        !(*objective)->table)
        status = objective_from_thesis_table((*objective)->info.name, 1, own, error);
    if (!status && *own)
        *objective = *own;
    return status;
}

static enum shoal_shape shape_of_text(const char *path)
{
    struct shoal_error ignored;
    struct text_facts facts = {.shape = SHOAL_OPAQUE};
    char *text = NULL, *checked = NULL;
    if (read_input_text(path, "objective", &text, &ignored))
        return SHOAL_OPAQUE;
    const bool is_read = !text_read(NULL, text, path, &checked, &facts, &ignored);
    free(checked);
    free(text);
    return is_read ? facts.shape : SHOAL_OPAQUE;
}

static enum shoal_shape shape_of_expression(const struct shoal_search_params *params)
{
    struct shoal_error ignored;
    struct shoal_objective *objective = NULL;
    const bool is_read =
        !objective_from_named_expression(params->expression, params->variables, &objective, &ignored);
    const enum shoal_shape shape = is_read ? objective->info.shape : SHOAL_OPAQUE;
    shoal_objective_destroy(&objective);
    return shape;
}

enum shoal_shape search_shape(const struct shoal_search_params *params)
{
    const struct shoal_objective *function = shoal_objective_at((size_t)params->function);
    if (params->objective)
        return params->objective->info.shape;
    if (params->expression)
        return shape_of_expression(params);
    if (params->model)
        return SHOAL_DATA_ROWS;
    if (params->objective_file)
        return shape_of_text(params->objective_file);
    return params->data_file && !function->source ? SHOAL_DATA_ROWS : function->info.shape;
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
    problem->islands = problem->whole_islands = problem->run_islands * problem->runs;
    problem->total = problem->members * problem->islands;
    problem->sign = params->maximise || problem->info->maximise ? -1 : 1;
    problem->target = isnan(params->target) ? -INFINITY : problem->sign * params->target;
}

static enum shoal_status rotate(struct search_problem *problem, struct shoal_error *error)
{
    struct shoal_objective *rotated;
    const enum shoal_status status = objective_rotate(
        problem->objective, &problem->own, problem->params->rotate, problem->point_dim, &rotated, error);
    if (status)
        return status;
    problem->objective = problem->own = rotated;
    problem->info = shoal_objective_get_info(rotated);
    return SHOAL_OK;
}

/* Adds the constraints, if there are any, to the objective. Constraints are evaluated at the points that the
 * objective gets, so a shift or rotation also moves them. */
static enum shoal_status constrain(struct search_problem *problem, struct shoal_error *error)
{
    const struct shoal_search_params *params = problem->params;
    const struct constraint_params constraints = {.formulas = params->subject_to,
                                                  .variables = params->variables,
                                                  .is_genes = params->expression && problem->info->variables,
                                                  .tolerance = params->constraint_tolerance,
                                                  .sign = problem->sign};
    struct shoal_objective *constrained;
    problem->constrained = problem->objective->constrained;
    /* in a share, or in a search that is a part of another one, the objective already has its constraints */
    if (problem->constrained)
        return SHOAL_OK;
    if (!params->subject_to && !problem->info->constraints)
        return SHOAL_OK;
    const enum shoal_status status = objective_constrain(problem->objective, &problem->own, &constraints,
                                                         problem->point_dim, &constrained, error);
    if (status)
        return status;
    problem->objective = problem->own = constrained;
    problem->info = shoal_objective_get_info(constrained);
    problem->constrained = constrained->constrained;
    return SHOAL_OK;
}

/* Checks that the size of the positions in bytes fits 63 bits. */
static enum shoal_status check_counts(const struct search_problem *problem, struct shoal_error *error)
{
    const char *members = problem->algorithm->members;
    const double coordinates = (double)problem->width * (double)problem->islands * (double)problem->dim;
    if (coordinates > 1e15)
        return fail(error, SHOAL_INVALID,
                    "%zu %s of dim %zu are %.0f bytes of positions alone: lower --%s or --dim",
                    problem->total, problem->algorithm->member_name, problem->dim,
                    coordinates * sizeof(double), members);
    return SHOAL_OK;
}

static enum shoal_status keep_notes(struct search_problem *problem, const struct search_lists *lists,
                                    struct shoal_error *error)
{
    const char *const notes[] = {lists->lower.notes, lists->upper.notes, lists->start.notes,
                                 problem->own && problem->own->table ? problem->own->table->notes : NULL};
    struct text text = {0};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i] && *notes[i])
            text_printf(&text, "%s%s", text.length ? "\n" : "", notes[i]);
    problem->notes = text.data;
    return text.failed ? fail_host_memory(error) : SHOAL_OK;
}

enum shoal_status search_problem_create(struct shoal *shoal, const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    struct search_lists lists;
    *problem = (struct search_problem){.algorithm = algorithm};
    enum shoal_status status = search_lists_read(params, &lists, error);
    if (status)
        return status;
    const struct source source = {.algorithm = algorithm, .params = params, .dim = lists.dim};
    problem->params = malloc(params->size);
    if (!problem->params) {
        status = fail_host_memory(error);
        goto fail;
    }
    memcpy(problem->params, params, params->size);
    problem->asked_dim = lists.dim;
    status = make_objective(shoal, &source, &problem->objective, &problem->own, error);
    if (status)
        goto fail;
    status = keep_notes(problem, &lists, error);
    if (status)
        goto fail;
    if (shoal)
        shoal_log_lines(shoal, SHOAL_LOG_WARNING, problem->notes);
    problem->info = shoal_objective_get_info(problem->objective);
    set_sizes(problem);
    if (params->chunk_rows && problem->info->shape == SHOAL_OPAQUE && problem->objective->table)
        status = fail(error, SHOAL_INVALID, "%s reads its whole table: leave out --chunk-rows",
                      problem->info->name);
    else if (params->chunk_rows && problem->info->shape != SHOAL_DATA_ROWS)
        status = fail(error, SHOAL_INVALID,
                      "--chunk-rows needs a table: give --data or one of the functions f6 to f10");
    if (!status)
        status = search_space_create(problem, &lists, error);
    if (!status)
        status = constrain(problem, error);
    if (!status && params->rotate)
        status = rotate(problem, error);
    if (!status && algorithm->resolve) {
        algorithm->resolve(problem);
        set_sizes(problem);
    }
    if (!status)
        status = search_check_budget(algorithm, problem->params, error);
    if (!status && params->refine == SHOAL_REFINE_LEAST_SQUARES &&
        search_refinement(problem) != SEARCH_LEAST_SQUARES)
        status =
            fail(error, SHOAL_INVALID,
                 "--refine least-squares is for minima of sums of squares over a table, in up to 256 reals; "
                 "%s is no such objective",
                 problem->info->name);
    if (!status && params->x_tolerance > 0 && !search_is_plain(problem))
        status = fail(error, SHOAL_INVALID, "--x-tolerance is for reals, of which each variable must be one");
    if (!status)
        status = search_check_polish(problem, error);
    if (!status) {
        problem->has_moves = params->polish_every > 0;
        search_resolve_limits(problem);
    }
    if (!status)
        status = check_counts(problem, error);
    if (!status)
        status = search_start_create(problem, &lists.start, error);
    if (!status)
        status = search_links_create(params, &problem->links, error);
fail:
    search_lists_free(&lists);
    if (status)
        search_problem_destroy(problem);
    return status;
}

/* Creates the problem for `objective` from a copy of the parameters, and calls `look` with the problem. */
static enum shoal_status look_at_problem(const struct search_algorithm *algorithm,
                                         const struct shoal_search_params *params,
                                         const struct shoal_objective *objective, search_look *look,
                                         void *data, struct shoal_error *error)
{
    struct shoal_search_params *copy = malloc(params->size);
    struct search_problem *problem = calloc(1, algorithm->problem_size);
    enum shoal_status status = copy && problem ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        memcpy(copy, params, params->size);
        copy->objective = objective;
        status = algorithm->problem_create(NULL, copy, problem, error);
        if (!status && look)
            look(problem, data);
        search_problem_destroy(problem);
    }
    free(problem);
    free(copy);
    return status;
}

enum shoal_status search_examine(struct shoal *shoal, const struct search_algorithm *algorithm,
                                 const struct shoal_search_params *params, search_look *look, void *data,
                                 struct shoal_error *error)
{
    const struct objective_table no_rows = {0};
    const struct shoal_objective *objective;
    struct shoal_objective *own = NULL, described;
    struct search_lists lists;
    enum shoal_status status = search_lists_read(params, &lists, error);
    if (status)
        return status;
    const struct source source = {
        .algorithm = algorithm, .params = params, .dim = lists.dim, .is_check = true};
    search_lists_free(&lists);
    status = make_objective(shoal, &source, &objective, &own, error);
    /* No check reads the rows of the data functions f6 to f10, and making them takes longer than all checks,
     * so they are replaced by a table without rows. */
    if (!status && objective->info.shape == SHOAL_DATA_ROWS && !objective->table) {
        described = *objective;
        described.table = &no_rows;
        objective = &described;
    }
    if (!status)
        status = look_at_problem(algorithm, params, objective, look, data, error);
    shoal_objective_destroy(&own);
    return status;
}

enum shoal_status search_check_input(struct shoal *shoal, const struct search_algorithm *algorithm,
                                     const struct shoal_search_params *params, struct shoal_error *error)
{
    return search_examine(shoal, algorithm, params, NULL, NULL, error);
}

static void take_steps(const struct search_problem *problem, void *data)
{
    *(uint64_t *)data = problem->max_steps;
}

uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params)
{
    struct shoal_error error;
    uint64_t steps = (uint64_t)SEARCH_MAX_STEPS;
    const bool keeps = params->refine == SHOAL_REFINE_ALL;
    const bool is_shared = keeps || algorithm->resolve || params->polish_every;
    if (search_has_limit(params) && !(params->evaluations && is_shared))
        return search_limit_steps(algorithm, params);
    /* An invalid problem has no run, so any number of steps may be returned. */
    (void)!search_examine(NULL, algorithm, params, take_steps, &steps, &error);
    return steps;
}

void search_problem_destroy(struct search_problem *problem)
{
    if (problem->algorithm && problem->algorithm->problem_destroy)
        problem->algorithm->problem_destroy(problem);
    shoal_objective_destroy(&problem->own);
    shoal_variables_destroy(&problem->variables);
    search_links_free(&problem->links);
    free(problem->lower);
    free(problem->upper);
    free(problem->shift);
    free(problem->whole);
    free(problem->start);
    free(problem->notes);
    free(problem->tables);
    free(problem->params);
    *problem = (struct search_problem){0};
}
