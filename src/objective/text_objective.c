/* Objectives from a text in the kernel dialect: without a table, or with a table that the text reads row by
 * row or as a whole. */
#include "base/error.h"
#include "base/params.h"
#include "objective/code.h"
#include "objective/rows/rows.h"
#include "objective/variables/variables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bounded;

struct text_state {
    struct objective_code *code;
    /* the objective with checked indices: see objective->bounded; NULL: there is none */
    struct bounded *bounded;
    struct objective_table *table; /* NULL: there is no table */
    /* numbers of the table, row by row, for a text with TABLE INT; else NULL */
    int32_t *whole;
    struct shoal_variables *variables; /* variables of a text over genes; else NULL */
    char *list;                        /* the list of the variables */
};

/* Number of rows that a check of the objective reads. */
enum { FEW_ROWS = 256 };
/* Most numbers of a table of which a value reads all from the stack. */
enum { FEW_NUMBERS = 1024 };

struct bounded {
    struct shoal_objective objective;
    struct text_state state;
    struct objective_table *few; /* the first rows of the table, at most FEW_ROWS */
    atomic_bool is_slow;
};

/* Returns the table that the text reads; NULL: there is none. */
static const void *table_of(const struct text_state *state)
{
    return state->whole ? (const void *)state->whole : state->table ? state->table->tiles : NULL;
}

static double value_whole(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct text_state *state = objective->state;
    return code_value(state->code, x, dim, table_of(state), 0);
}

/* A computation with an individual. function: computes the value, the change of the value by a move, or the
 * repaired individual. */
struct computed {
    const struct shoal_objective *objective;
    const struct shoal_variables *variables;
    double (*function)(const struct genome *genome, const void *data);
    struct genome_layout layout;
    size_t i, j;
    uint32_t generation;
    double *repaired; /* genes after the repair */
    double *x;        /* point after the repair; NULL: not wanted */
};

static double compute_value(const struct genome *genome, const void *data)
{
    const struct computed *of = data;
    const struct text_state *state = of->objective->state;
    return code_value_genes(state->code, genome, of->variables->count, of->generation, table_of(state));
}

static double compute_change(const struct genome *genome, const void *data)
{
    const struct computed *of = data;
    const struct text_state *state = of->objective->state;
    return code_change(state->code, genome, of->variables->count, table_of(state), of->i, of->j);
}

/* Repairs an individual. Returns 1 if the text has set bits beyond the last bit of the genome, else 0. */
static double compute_repair(const struct genome *genome, const void *data)
{
    const struct computed *of = data;
    const struct text_state *state = of->objective->state;
    const size_t bits = of->layout.bits;
    code_repair(state->code, genome, of->variables->count, table_of(state));
    if (bits % 32 && genome->words[of->layout.words - 1] >> bits % 32)
        return 1;
    genes_from_genome(&of->layout, genome, of->repaired);
    return 0;
}

/* Does the computation for the individual `genes`. */
static double compute(struct computed of, const double *genes, size_t dim)
{
    const struct text_state *state = of.objective->state;
    struct shoal_variable_group group;
    struct shoal_variables sized;
    of.variables = variables_sized(state->variables, dim, &group, &sized);
    of.layout = genome_layout(of.variables);
    return genome_apply(&of.layout, genes, of.function, &of);
}

static double compute_genes(double *genes, const void *data)
{
    struct computed of = *(const struct computed *)data;
    const size_t dim = of.variables->count;
    of.repaired = genes;
    const double result = compute(of, genes, dim);
    if (of.x && result == 0)
        genes_to_point(of.variables, genes, of.x);
    return result;
}

/* Does the computation for the individual of point x. */
static double compute_at(struct computed of, const double *x, size_t dim)
{
    const struct text_state *state = of.objective->state;
    struct shoal_variable_group group;
    struct shoal_variables sized;
    of.variables = variables_sized(state->variables, dim, &group, &sized);
    return genes_apply(of.variables, x, compute_genes, &of);
}

static double value_of_genes(const struct shoal_objective *objective, const double *genes, size_t dim,
                             uint32_t generation)
{
    return compute(
        (struct computed){.objective = objective, .function = compute_value, .generation = generation}, genes,
        dim);
}

static double value_in_generation(const struct shoal_objective *objective, const double *x, size_t dim,
                                  uint32_t generation)
{
    return compute_at(
        (struct computed){.objective = objective, .function = compute_value, .generation = generation}, x,
        dim);
}

static double value_genes(const struct shoal_objective *objective, const double *x, size_t dim)
{
    return value_in_generation(objective, x, dim, 0);
}

static double change_of_genes(const struct shoal_objective *objective, const double *genes, size_t dim,
                              size_t i, size_t j)
{
    return compute((struct computed){.objective = objective, .function = compute_change, .i = i, .j = j},
                   genes, dim);
}

static double change_genes(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                           size_t j)
{
    return compute_at((struct computed){.objective = objective, .function = compute_change, .i = i, .j = j},
                      x, dim);
}

/* Repairs `genes`; if `genes` is NULL, repairs the point x. */
static enum shoal_status repair(const struct shoal_objective *objective, double *genes, double *x, size_t dim,
                                struct shoal_error *error)
{
    const struct text_state *state = objective->state;
    const struct computed of = {
        .objective = objective, .function = compute_repair, .repaired = genes, .x = x};
    if (!state->code) /* the text is only checked */
        return SHOAL_OK;
    const double result = genes ? compute(of, genes, dim) : compute_at(of, x, dim);
    if (isnan(result))
        return fail_host_memory(error);
    if (result > 0)
        return fail(error, SHOAL_INVALID, "%s: objective_repair sets bits behind the last one",
                    objective->info.name);
    return SHOAL_OK;
}

static enum shoal_status repair_of_genes(const struct shoal_objective *objective, double *genes, size_t dim,
                                         struct shoal_error *error)
{
    return repair(objective, genes, NULL, dim, error);
}

static enum shoal_status repair_genes(const struct shoal_objective *objective, double *x, size_t dim,
                                      struct shoal_error *error)
{
    return repair(objective, NULL, x, dim, error);
}

static const struct objective_genes genes_functions = {
    .value = value_of_genes, .change = change_of_genes, .repair = repair_of_genes};

static void constraints_of_text(const struct shoal_objective *objective, const double *x, size_t dim,
                                double *g)
{
    const struct text_state *state = objective->state;
    code_constraints(state->code, x, dim, g);
}

static double value_rows(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct text_state *state = objective->state;
    const struct objective_table *table = state->table;
    struct rows_sum total = {0};
    struct shoal_error error;
    const size_t most = table->rows < ROWS_BLOCK ? table->rows : ROWS_BLOCK;
    double few[FEW_NUMBERS]; /* small tables need no memory for each value */
    const bool is_small = most * table->columns <= FEW_NUMBERS;
    double *rows = is_small ? few : malloc(most * table->columns * sizeof *rows);
    enum shoal_status status = rows ? SHOAL_OK : fail_host_memory(&error);
    for (size_t first = 0; first < table->rows && !status; first += most) {
        const size_t left = table->rows - first, count = left < most ? left : most;
        status = table_read(table, first, count, rows, &error);
        if (!status)
            rows_sum_add(&total, code_value(state->code, x, dim, rows, count));
    }
    if (!is_small)
        free(rows);
    return status ? objective_fail_value(&error) : rows_sum_value(&total);
}

static enum shoal_status residuals(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *out, struct shoal_error *error)
{
    const struct text_state *state = objective->state;
    double *rows = malloc(count * state->table->columns * sizeof *rows);
    enum shoal_status status =
        rows ? table_read(state->table, first, count, rows, error) : fail_host_memory(error);
    if (!status)
        code_residuals(state->code, x, objective->info.min_dim, rows, count, out);
    free(rows);
    return status;
}

static void destroy(struct shoal_objective *objective)
{
    struct text_state *state = objective->state;
    if (state) {
        if (state->bounded) {
            code_destroy(&state->bounded->state.code);
            table_destroy(&state->bounded->few);
        }
        free(state->bounded);
        code_destroy(&state->code);
        table_destroy(&state->table);
        free(state->whole);
        shoal_variables_destroy(&state->variables);
        free(state->list);
    }
    free(state);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

enum shoal_status text_check_size(const struct text_facts *facts, size_t rows, size_t columns, size_t dim,
                                  const char *name, struct shoal_error *error)
{
    if (facts->shape == SHOAL_DATA_ROWS && (dim < facts->min_dim || dim > facts->max_dim))
        return facts->min_dim == facts->max_dim
                   ? fail(error, SHOAL_INVALID, "%s: takes dim %zu, not %zu", name, facts->min_dim, dim)
                   : fail(error, SHOAL_INVALID, "%s: takes dim %zu to %zu, not %zu", name, facts->min_dim,
                          facts->max_dim, dim);
    if (facts->shape == SHOAL_OPAQUE && rows > OBJECTIVE_MAX_NUMBERS / columns)
        return fail(
            error, SHOAL_INVALID,
            "%s: the table has %zu rows of %zu numbers: a text that is OPAQUE reads at most %d numbers", name,
            rows, columns, OBJECTIVE_MAX_NUMBERS);
    return SHOAL_OK;
}

enum shoal_status text_check_fit(const struct text_facts *facts, const struct objective_table *table,
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
    return text_check_size(facts, table->rows, table->columns, table->dim, name, error);
}

/* Reads the list of variables of a text over genes. A list up to D is stored for the least dimension, but at
 * least for 2. */
static enum shoal_status read_variables(struct shoal_objective *objective, const struct text_facts *facts,
                                        struct shoal_error *error)
{
    struct text_state *state = objective->state;
    if (!facts->variables[0])
        return SHOAL_OK;
    objective->info.variables = state->list = strdup(facts->variables);
    if (!state->list)
        return fail_host_memory(error);
    const size_t dim = facts->min_dim > 2 ? facts->min_dim : 2;
    return shoal_variables_parse(state->list, facts->min_dim == facts->max_dim ? facts->min_dim : dim,
                                 &state->variables, error);
}

static enum shoal_status take_fault(const struct shoal_objective *bounded, struct shoal_error *error)
{
    const struct text_state *state = bounded->state;
    return code_take_fault(state->code, error);
}

/* Copies the first rows of a table into memory, since the process of a trial cannot read the file of the
 * table. */
static enum shoal_status take_few(const struct objective_table *table, struct objective_table **few,
                                  struct shoal_error *error)
{
    const size_t rows = table->rows < FEW_ROWS ? table->rows : FEW_ROWS;
    double *values = malloc(rows * table->columns * sizeof *values);
    enum shoal_status status = values ? table_read(table, 0, rows, values, error) : fail_host_memory(error);
    if (!status)
        status = table_from_values(values, rows, table->columns, table->dim, table->name, few, error);
    free(values);
    return status;
}

/* Creates objective->bounded, the objective that checks its indices. */
static enum shoal_status make_bounded(struct shoal *shoal, struct shoal_objective *objective,
                                      const struct code_params *params, struct shoal_error *error)
{
    struct text_state *state = objective->state;
    struct bounded *bounded = state->bounded = calloc(1, sizeof *bounded);
    char *text = text_with_bounds(params->text);
    struct code_params checked = *params;
    checked.text = text;
    checked.has_bounds = true;
    enum shoal_status status = bounded && text
                                   ? code_create(shoal, &checked, &state->bounded->state.code, error)
                                   : fail_host_memory(error);
    free(text);
    if (status)
        return status;
    struct objective_code *code = bounded->state.code;
    bounded->state = *state;
    bounded->state.code = code;
    if (objective->info.shape == SHOAL_DATA_ROWS) {
        status = take_few(state->table, &bounded->few, error);
        bounded->state.table = bounded->few;
    }
    if (status)
        return status;
    bounded->objective = *objective;
    bounded->objective.state = &bounded->state;
    bounded->objective.take_fault = take_fault;
    objective->bounded = &bounded->objective;
    objective->is_slow = &bounded->is_slow;
    /* Tries the objective now if its dimension is fixed, or if moves or repairs are checked at random points
     * anyway. Otherwise a search tries it. */
    return objective->info.min_dim == objective->info.max_dim || objective->change || objective->repair
               ? objective_try(objective, NULL, NULL, objective_check_dim(objective), error)
               : SHOAL_OK;
}

/* Sets the members of the objective. Takes ownership of read->checked. */
static enum shoal_status fill(struct shoal *shoal, struct shoal_objective *objective, struct read_text *read,
                              bool is_check, struct shoal_error *error)
{
    struct text_state *state = objective->state;
    const struct objective_table *table = state->table;
    const struct text_facts *facts = &read->facts;
    objective->text = read->checked;
    read->checked = NULL;
    objective->text_name = strdup(read->name);
    if (!objective->text_name)
        return fail_host_memory(error);
    const bool rows = facts->shape == SHOAL_DATA_ROWS;
    objective->value = rows ? value_rows : facts->variables[0] ? value_genes : value_whole;
    objective->residuals = facts->squares ? residuals : NULL;
    objective->change = facts->move ? change_genes : NULL;
    objective->repair = facts->repair ? repair_genes : NULL;
    objective->constraints = facts->constraints ? constraints_of_text : NULL;
    objective->value_in_generation = facts->dynamic ? value_in_generation : NULL;
    objective->genes = !rows && facts->variables[0] ? &genes_functions : NULL;
    objective->whole_table = facts->whole_table;
    objective->singles = facts->singles;
    objective->info = (struct shoal_objective_info){
        .size = sizeof objective->info,
        .name = objective->text_name,
        .formula = rows ? "sum over the rows of a table, by a text" : "a text of the kernel dialect",
        .shape = facts->shape,
        .lower = facts->lower,
        .upper = facts->upper,
        .min_dim = rows ? table->dim : facts->min_dim,
        .max_dim = rows ? table->dim : facts->max_dim,
        .minimum = facts->minimum,
        .minimiser = NAN,
        .move = (int32_t)facts->move,
        .whole_values = facts->whole_values,
        .repairs = facts->repair,
        .dynamic = facts->dynamic,
        .constraints = facts->constraints,
        .equalities = facts->equalities};
    enum shoal_status status = SHOAL_OK;
    if (facts->whole_table)
        status = table_read_whole(table, &state->whole, error);
    if (!status)
        status = read_variables(objective, facts, error);
    if (status)
        return status;
    const bool fixed =
        facts->shape != SHOAL_PER_DIMENSION && objective->info.min_dim == objective->info.max_dim;
    const struct code_params params = {.text = objective->text,
                                       .name = objective->text_name,
                                       .dim = fixed ? objective->info.min_dim : 0,
                                       .rows = facts->table ? table->rows : 0,
                                       .columns = table ? table->columns : 0,
                                       .genes = state->variables != NULL,
                                       .change = facts->move != SHOAL_MOVE_NONE,
                                       .repair = facts->repair,
                                       .residuals = facts->squares,
                                       .constraints = facts->constraints > 0,
                                       .is_check = is_check};
    status = code_create(shoal, &params, &state->code, error);
    if (!status && state->code)
        status = make_bounded(shoal, objective, &params, error);
    if (!status && facts->move && state->code)
        status = objective_check_changes(objective, error);
    if (!status && facts->repair && state->code)
        status = objective_check_repair(objective, objective_check_dim(objective), error);
    return status;
}

enum shoal_status objective_from_read_text(struct shoal *shoal, struct objective_table *table,
                                           struct read_text *read, bool is_check,
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
    enum shoal_status status = fill(shoal, objective, read, is_check, error);
    if (status)
        destroy(objective);
    else
        *out = objective;
    return status;
}

enum shoal_status objective_from_table_text(struct shoal *shoal, struct objective_table *table,
                                            const char *text, const char *name, bool is_check,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    struct read_text read = {.name = name};
    *out = NULL;
    enum shoal_status status = text_read(shoal, text, name, &read.checked, &read.facts, error);
    if (!status)
        status = text_check_fit(&read.facts, table, name, error);
    if (status)
        table_destroy(&table);
    else
        status = objective_from_read_text(shoal, table, &read, is_check, out, error);
    free(read.checked);
    return status;
}

enum shoal_status shoal_objective_from_text(struct shoal *shoal, const char *text, const char *name,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!text)
        return fail(error, SHOAL_INVALID, "an objective needs a text");
    return objective_from_table_text(shoal, NULL, text, name ? name : "objective.cl", false, out, error);
}

enum shoal_status shoal_objective_from_text_table(struct shoal *shoal, const char *text, const char *name,
                                                  const double *values, size_t rows, size_t columns,
                                                  struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    struct objective_table *table;
    *out = NULL;
    if (!text)
        return fail(error, SHOAL_INVALID, "an objective needs a text");
    if (!name)
        name = "objective.cl";
    enum shoal_status status = table_from_values(values, rows, columns, 0, name, &table, error);
    return status ? status : objective_from_table_text(shoal, table, text, name, false, out, error);
}
