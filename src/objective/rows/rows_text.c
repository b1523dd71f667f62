/* User-defined residuals over the rows of a table. */
#include "base/error.h"
#include "objective/code.h"
#include "objective/rows/rows.h"

#include <stdlib.h>
#include <string.h>

struct text_state {
    struct objective_table *table;
    struct objective_code *code;
};

static double value_text(const struct shoal_objective *objective, const double *x, size_t dim)
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

static void destroy_text(struct shoal_objective *objective)
{
    struct text_state *state = objective->state;
    if (state) {
        code_destroy(&state->code);
        table_destroy(&state->table);
    }
    free(state);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

static enum shoal_status check_facts(const struct text_facts *facts, size_t dim, const char *name,
                                     struct shoal_error *error)
{
    if (facts->shape != SHOAL_DATA_ROWS)
        return fail(error, SHOAL_INVALID, "%s: the objective of a table has SHAPE DATA_ROWS", name);
    if (dim < facts->min_dim || dim > facts->max_dim)
        return fail(error, SHOAL_INVALID, "%s: takes dim %zu to %zu, not the %zu of the table", name,
                    facts->min_dim, facts->max_dim, dim);
    return SHOAL_OK;
}

static enum shoal_status fill(struct shoal *shoal, struct shoal_objective *objective, const char *text,
                              const char *name, struct shoal_error *error)
{
    struct text_state *state = objective->state;
    const size_t dim = state->table->dim;
    struct text_facts facts;
    objective->text_name = strdup(name);
    if (!objective->text_name)
        return fail_host_memory(error);
    enum shoal_status status = text_read(shoal, text, name, &objective->text, &facts, error);
    if (!status)
        status = check_facts(&facts, dim, name, error);
    if (status)
        return status;
    objective->info = (struct shoal_objective_info){.size = sizeof objective->info,
                                                    .name = objective->text_name,
                                                    .formula = "sum over the rows of a table, by a text",
                                                    .shape = SHOAL_DATA_ROWS,
                                                    .lower = facts.lower,
                                                    .upper = facts.upper,
                                                    .min_dim = dim,
                                                    .max_dim = dim,
                                                    .minimum = facts.minimum,
                                                    .minimiser = NAN};
    const struct code_params params = {
        .text = objective->text, .name = name, .dim = dim, .columns = state->table->columns};
    return code_create(shoal, &params, &state->code, error);
}

enum shoal_status objective_from_table_text(struct shoal *shoal, struct objective_table *table,
                                            const char *text, const char *name, struct shoal_objective **out,
                                            struct shoal_error *error)
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
    *objective = (struct shoal_objective){
        .value = value_text, .table = table, .state = state, .destroy = destroy_text};
    enum shoal_status status = fill(shoal, objective, text, name, error);
    if (status)
        destroy_text(objective);
    else
        *out = objective;
    return status;
}
