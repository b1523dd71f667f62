/* Objectives over the rows of a table: least squares, linear or in the squares of the coordinates, and
 * user-defined residuals. */
#include "objective/rows/rows.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/params.h"
#include "io/table.h"
#include "objective/code.h"
#include "objective/rows/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rows_state {
    struct objective_table *table;
    char *name;
};

static double value_linear(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)dim;
    return rows_least_squares(objective->table, x, false);
}

static double value_squared(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)dim;
    return rows_least_squares(objective->table, x, true);
}

/* Computes the residuals of rows first .. first + count - 1. */
static enum shoal_status residuals(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *out, struct shoal_error *error)
{
    const struct objective_table *table = objective->table;
    const bool squared = objective->value == value_squared;
    double *rows = malloc(count * table->columns * sizeof *rows);
    enum shoal_status status = rows ? table_read(table, first, count, rows, error) : fail_host_memory(error);
    for (size_t k = 0; k < count && !status; k++) {
        const double *row = rows + k * table->columns;
        out[k] = row[table->dim];
        for (size_t d = 0; d < table->dim; d++)
            out[k] -= row[d] * (squared ? x[d] * x[d] : x[d]);
    }
    free(rows);
    return status;
}

static void destroy_rows(struct shoal_objective *objective)
{
    struct rows_state *state = objective->state;
    table_destroy(&state->table);
    free(state->name);
    free(state);
    free(objective);
}

enum shoal_status objective_from_table(struct objective_table *table, const char *name, bool squared,
                                       struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct rows_state *state = calloc(1, sizeof *state);
    char *copy = strdup(name);
    *out = NULL;
    if (!objective || !state || !copy) {
        table_destroy(&table);
        free(objective);
        free(state);
        free(copy);
        return fail_host_memory(error);
    }
    *state = (struct rows_state){.table = table, .name = copy};
    *objective = (struct shoal_objective){
        .info = {.size = sizeof objective->info,
                 .name = copy,
                 .formula = squared ? "sum (b - sum a[d] x[d]^2)^2" : "sum (b - sum a[d] x[d])^2",
                 .shape = SHOAL_DATA_ROWS,
                 .lower = NAN,
                 .upper = NAN,
                 .min_dim = table->dim,
                 .max_dim = table->dim,
                 .minimum = NAN,
                 .minimiser = NAN},
        .file = squared ? OBJECTIVE_FILE("objective/least_squares_squared.clh")
                        : OBJECTIVE_FILE("objective/least_squares.clh"),
        .value = squared ? value_squared : value_linear,
        .residuals = residuals,
        .table = table,
        .state = state,
        .destroy = destroy_rows};
    *out = objective;
    return SHOAL_OK;
}

bool objective_is_least_squares(const struct shoal_objective *objective, bool *squared)
{
    if (squared)
        *squared = objective->value == value_squared;
    return objective->value == value_linear || objective->value == value_squared;
}

static enum shoal_status check_squared(const char *name, const char *text, bool squared,
                                       struct shoal_error *error)
{
    return text && squared ? fail(error, SHOAL_INVALID,
                                  "%s: squared belongs to the built-in residual, not to a text", name)
                           : SHOAL_OK;
}

/* Sets *dim if it is 0: to the only dimension that the text allows; without a text, to columns - 1. Without a
 * text, fails if *dim is neither 0 nor columns - 1. facts: properties of the text; NULL: there is no text. */
static enum shoal_status choose_dim(const char *name, size_t columns, const struct text_facts *facts,
                                    size_t *dim, struct shoal_error *error)
{
    if (facts && !*dim && facts->min_dim != facts->max_dim)
        return fail(error, SHOAL_INVALID,
                    "%s: the dim of x does not follow from the table: give it (--dim), or define MIN_DIM and "
                    "MAX_DIM as one number",
                    name);
    if (facts) {
        *dim = *dim ? *dim : facts->min_dim;
        return SHOAL_OK;
    }
    if (columns < 2)
        return fail(error, SHOAL_INVALID,
                    "%s: has %zu column%s; least squares needs two or more, the last one being b", name,
                    columns, columns == 1 ? "" : "s");
    if (*dim && *dim != columns - 1)
        return fail(error, SHOAL_INVALID,
                    "%s: has %s, so x has dim %zu, one less (the last column is b), and not %zu", name,
                    counted(columns, "column").s, columns - 1, *dim);
    *dim = columns - 1;
    return SHOAL_OK;
}

/* Creates an objective whose residual is computed by a text. */
static enum shoal_status rows_by_text(struct shoal *shoal, const struct shoal_rows *rows, const char *name,
                                      struct shoal_objective **out, struct shoal_error *error)
{
    struct read_text read = {.name = name};
    struct objective_table *table;
    size_t dim = rows->dim;
    enum shoal_status status = text_read(shoal, rows->text, name, &read.checked, &read.facts, error);
    if (!status && read.facts.shape == SHOAL_DATA_ROWS)
        status = choose_dim(name, rows->columns, &read.facts, &dim, error);
    if (!status)
        status =
            table_from_values(rows->values, rows->rows, rows->columns, dim ? dim : 1, name, &table, error);
    if (!status) {
        status = text_check_fit(&read.facts, table, name, error);
        if (status)
            table_destroy(&table);
        else
            status = objective_from_read_text(shoal, table, &read, false, out, error);
    }
    free(read.checked);
    return status;
}

void shoal_rows_init(struct shoal_rows *rows)
{
    if (!rows)
        return;
    *rows = (struct shoal_rows){.size = sizeof *rows};
}

enum shoal_status shoal_objective_from_rows(struct shoal *shoal, const struct shoal_rows *rows,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_rows own;
    struct objective_table *table;
    error_reset(error);
    if (!NEED(error, rows, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(rows, shoal_rows_init, &own, error);
    if (status)
        return status;
    const char *name = own.name ? own.name : "table";
    size_t dim = own.dim;
    status = check_squared(name, own.text, own.squared, error);
    if (!status && own.text)
        return rows_by_text(shoal, &own, name, out, error);
    if (!status)
        status = choose_dim(name, own.columns, NULL, &dim, error);
    if (!status)
        status = table_from_values(own.values, own.rows, own.columns, dim, name, &table, error);
    return status ? status : objective_from_table(table, name, own.squared, out, error);
}

/* Finds the dimension of x for the rows of the table; 0: the text reads the whole table and states its own
 * dimensions. */
static enum shoal_status dim_of_file(const struct objective_file *given, const struct read_text *read,
                                     const struct shoal_table_info *info, size_t *dim,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *dim = given->text && read->facts.shape == SHOAL_OPAQUE ? 0 : given->dim;
    if (!given->text || read->facts.shape != SHOAL_OPAQUE)
        status = choose_dim(given->text ? read->name : given->path, info->columns,
                            given->text ? &read->facts : NULL, dim, error);
    if (status || !given->text)
        return status;
    status = text_check_size(&read->facts, info->rows, info->columns, *dim, read->name, error);
    /* If the caller has given the dimension, the error may not be in the file. */
    return *dim && given->dim ? status : fail_in_file(error, status);
}

static enum shoal_status read_file(struct shoal *shoal, const struct objective_file *given,
                                   struct read_text *read, struct objective_table **table,
                                   struct shoal_error *error)
{
    struct shoal_table *source;
    size_t dim;
    enum shoal_status status = check_squared(given->path, given->text, given->squared, error);
    if (!status && given->text)
        status = fail_in_file(error,
                              text_read(shoal, given->text, read->name, &read->checked, &read->facts, error));
    if (!status && given->text)
        status = fail_in_file(error, text_check_table(&read->facts, true, read->name, error));
    if (!status)
        status = shoal_table_open_with(&(struct shoal_table_params){.size = sizeof(struct shoal_table_params),
                                                                    .path = given->path,
                                                                    .layout = given->layout,
                                                                    .header = given->header,
                                                                    .missing_values = given->missing_values},
                                       &source, error);
    if (!status)
        status = shoal_table_choose(&source, given->columns, given->drops_missing, error);
    if (status)
        return status;
    status = dim_of_file(given, read, shoal_table_get_info(source), &dim, error);
    if (status) {
        shoal_table_destroy(&source);
        return status;
    }
    return table_create(source, dim, table_memory_limit(), table, error);
}

enum shoal_status objective_from_table_file(struct shoal *shoal, const struct objective_file *given,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    struct objective_table *table;
    struct read_text read = {.name = given->name ? given->name : file_base_name(given->path)};
    *out = NULL;
    enum shoal_status status = read_file(shoal, given, &read, &table, error);
    if (!status && given->text)
        status =
            fail_in_file(error, objective_from_read_text(shoal, table, &read, given->is_check, out, error));
    else if (!status)
        status = objective_from_table(table, read.name, given->squared, out, error);
    free(read.checked);
    return status;
}

/* Sets the box and the minimum to those of the built-in function `known`. A minimum that is not known is
 * computed. */
static enum shoal_status set_thesis_box(struct shoal_objective *objective,
                                        const struct shoal_objective_info *known, struct shoal_error *error)
{
    struct shoal_objective_info *info = &objective->info;
    const size_t dim = info->min_dim, columns = dim + 1;
    info->formula = known->formula;
    info->lower = known->lower;
    info->upper = known->upper;
    info->minimum = known->minimum;
    info->minimiser = known->minimiser;
    if (!isnan(info->minimum))
        return SHOAL_OK;
    double *numbers = malloc((columns * columns + 3 * dim) * sizeof *numbers);
    if (!numbers)
        return fail_host_memory(error);
    double *lower = numbers + columns * columns, *upper = lower + dim, *minimiser = upper + dim;
    for (size_t d = 0; d < dim; d++) {
        lower[d] = info->lower;
        upper[d] = info->upper;
    }
    enum shoal_status status = factor_table(objective->table, numbers, error);
    if (!status)
        status = factor_solve_bounded(numbers, dim, lower, upper, minimiser, &info->minimum, error);
    free(numbers);
    return status;
}

enum shoal_status objective_from_thesis_table(const char *name, uint64_t seed, struct shoal_objective **out,
                                              struct shoal_error *error)
{
    struct shoal_least_squares_params params;
    struct shoal_table *source;
    struct objective_table *table;
    *out = NULL;
    shoal_least_squares_params_init(&params);
    params.like = name;
    params.seed = seed;
    enum shoal_status status = shoal_table_least_squares(&params, &source, error);
    if (!status)
        status = table_create(source, shoal_table_get_info(source)->columns - 1, SIZE_MAX, &table, error);
    if (!status)
        status = objective_from_table(table, name, false, out, error);
    if (!status)
        status = set_thesis_box(*out, &shoal_objective_find(name)->info, error);
    if (status)
        shoal_objective_destroy(out);
    return status;
}
