/* Objectives from a text in the kernel dialect: with a table, of which it reads the rows or all, or without.
 */
#include "base/error.h"
#include "objective/code.h"
#include "objective/rows/rows.h"

#include <stdlib.h>
#include <string.h>

struct text_state {
    struct objective_code *code;
    struct objective_table *table; /* NULL: none */
    double *numbers;               /* of a table that the text reads, row by row; else NULL */
};

static double value_whole(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct text_state *state = objective->state;
    return code_value(state->code, x, dim, state->numbers, 0);
}

static double value_rows(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct text_state *state = objective->state;
    const struct objective_table *table = state->table;
    struct rows_sum total = {0};
    enum shoal_status status = SHOAL_OK;
    const size_t most = table->rows < ROWS_BLOCK ? table->rows : ROWS_BLOCK;
    double *rows = malloc(most * table->columns * sizeof *rows);
    for (size_t first = 0; first < table->rows && rows && !status; first += most) {
        const size_t left = table->rows - first, count = left < most ? left : most;
        status = table_read(table, first, count, rows, NULL);
        if (!status)
            rows_sum_add(&total, code_value(state->code, x, dim, rows, count));
    }
    const bool done = rows && !status;
    free(rows);
    return done ? rows_sum_value(&total) : NAN;
}

static void destroy(struct shoal_objective *objective)
{
    struct text_state *state = objective->state;
    if (state) {
        code_destroy(&state->code);
        table_destroy(&state->table);
        free(state->numbers);
    }
    free(state);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

static enum shoal_status check_facts(const struct text_facts *facts, const struct objective_table *table,
                                     const char *name, struct shoal_error *error)
{
    enum shoal_status status = text_check_table(facts, table != NULL, name, error);
    if (status || !table)
        return status;
    if ((facts->shape == SHOAL_DATA_ROWS) != (table->dim > 0))
        return fail(error, SHOAL_INVALID,
                    "%s: a text that is DATA_ROWS goes to shoal_objective_from_rows, one that is OPAQUE to "
                    "shoal_objective_from_text_table",
                    name);
    if (facts->shape == SHOAL_DATA_ROWS && (table->dim < facts->min_dim || table->dim > facts->max_dim))
        return fail(error, SHOAL_INVALID, "%s: takes dim %zu to %zu, not the %zu of the table", name,
                    facts->min_dim, facts->max_dim, table->dim);
    if (facts->shape == SHOAL_OPAQUE && table->rows > OBJECTIVE_MAX_NUMBERS / table->columns)
        return fail(
            error, SHOAL_INVALID,
            "%s: the table has %zu rows of %zu numbers: a text that is OPAQUE reads at most %d numbers", name,
            table->rows, table->columns, OBJECTIVE_MAX_NUMBERS);
    return SHOAL_OK;
}

static enum shoal_status read_numbers(struct text_state *state, struct shoal_error *error)
{
    const struct objective_table *table = state->table;
    state->numbers = malloc(table->rows * table->columns * sizeof *state->numbers);
    if (!state->numbers)
        return fail_host_memory(error);
    return table_read(table, 0, table->rows, state->numbers, error);
}

static enum shoal_status fill(struct shoal *shoal, struct shoal_objective *objective, const char *text,
                              const char *name, bool is_check, struct shoal_error *error)
{
    struct text_state *state = objective->state;
    const struct objective_table *table = state->table;
    struct text_facts facts;
    objective->text_name = strdup(name);
    if (!objective->text_name)
        return fail_host_memory(error);
    enum shoal_status status = text_read(shoal, text, name, &objective->text, &facts, error);
    if (!status)
        status = check_facts(&facts, table, name, error);
    if (!status && facts.table)
        status = read_numbers(state, error);
    if (status)
        return status;
    const bool rows = facts.shape == SHOAL_DATA_ROWS;
    objective->value = rows ? value_rows : value_whole;
    objective->singles = facts.singles;
    objective->info = (struct shoal_objective_info){
        .size = sizeof objective->info,
        .name = objective->text_name,
        .formula = rows ? "sum over the rows of a table, by a text" : "a text of the kernel dialect",
        .shape = facts.shape,
        .lower = facts.lower,
        .upper = facts.upper,
        .min_dim = rows ? table->dim : facts.min_dim,
        .max_dim = rows ? table->dim : facts.max_dim,
        .minimum = facts.minimum,
        .minimiser = NAN};
    const bool fixed =
        facts.shape != SHOAL_PER_DIMENSION && objective->info.min_dim == objective->info.max_dim;
    const struct code_params params = {.text = objective->text,
                                       .name = name,
                                       .dim = fixed ? objective->info.min_dim : 0,
                                       .rows = facts.table ? table->rows : 0,
                                       .columns = table ? table->columns : 0,
                                       .is_check = is_check};
    return code_create(shoal, &params, &state->code, error);
}

enum shoal_status objective_from_table_text(struct shoal *shoal, struct objective_table *table,
                                            const char *text, const char *name, bool is_check,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct text_state *state = calloc(1, sizeof *state);
    *out = NULL;
    if (!objective || !state) {
        free(objective);
        free(state);
        table_destroy(&table);
        return fail_host_memory(error);
    }
    state->table = table;
    *objective = (struct shoal_objective){.table = table, .state = state, .destroy = destroy};
    enum shoal_status status = fill(shoal, objective, text, name, is_check, error);
    if (status)
        destroy(objective);
    else
        *out = objective;
    return status;
}

enum shoal_status shoal_objective_from_text(struct shoal *shoal, const char *text, const char *name,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    *out = NULL;
    if (!text)
        return fail(error, SHOAL_INVALID, "an objective needs a text");
    return objective_from_table_text(shoal, NULL, text, name ? name : "objective.cl", false, out, error);
}

enum shoal_status shoal_objective_from_text_table(struct shoal *shoal, const char *text, const char *name,
                                                  const double *values, size_t rows, size_t columns,
                                                  struct shoal_objective **out, struct shoal_error *error)
{
    struct objective_table *table;
    error_reset(error);
    *out = NULL;
    if (!text)
        return fail(error, SHOAL_INVALID, "an objective needs a text");
    if (!name)
        name = "objective.cl";
    enum shoal_status status = table_from_values(values, rows, columns, 0, name, &table, error);
    return status ? status : objective_from_table_text(shoal, table, text, name, false, out, error);
}
