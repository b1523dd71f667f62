/* Models as objectives: their creation, and their values on the host. */
#include "objective/model/model.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/params.h"
#include "objective/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void shoal_model_init(struct shoal_model *model)
{
    if (!model)
        return;
    *model = (struct shoal_model){.size = sizeof *model, .loss = SHOAL_LOSS_SQUARES, .delta = 1};
}

/* Rows ------------------------------------------------------------------------------------------------- */

enum shoal_status model_pass_begin(struct model_pass *pass, const struct model *model, size_t most,
                                   const double *x, bool slopes, struct shoal_error *error)
{
    const size_t parameters = model->info.parameter_count, columns = model->info.column_count;
    const size_t stride = most < MODEL_PIECE ? most : MODEL_PIECE;
    const size_t scratch = expression_scratch(model->program, slopes ? parameters : 0);
    *pass = (struct model_pass){.model = model, .x = x, .rows.stride = stride};
    pass->memory =
        malloc((stride * (columns + 1 + (slopes ? parameters : 0)) + scratch) * sizeof *pass->memory);
    if (!pass->memory)
        return fail_host_memory(error);
    pass->values = pass->memory + scratch;
    pass->rows.numbers = pass->values + stride;
    pass->slopes = slopes ? pass->values + stride * (1 + columns) : NULL;
    return SHOAL_OK;
}

enum shoal_status model_pass_read(struct model_pass *pass, size_t first, struct shoal_error *error)
{
    const struct model *model = pass->model;
    const size_t left = model->info.rows - first, stride = pass->rows.stride;
    double *numbers = pass->values + stride;
    pass->first = first;
    pass->count = pass->rows.count = left < stride ? left : stride;
    /* With one tile for all rows of the piece, the numbers are stored column by column, as the model needs
     * them. */
    enum shoal_status status =
        table_read_tiles(model->table, first, pass->count, SHOAL_FP64, pass->count, numbers, error);
    /* In the last piece, which may be shorter than the stride, columns are moved apart. */
    for (size_t c = model->info.column_count; c-- > 1 && !status && pass->count < stride;)
        memmove(numbers + c * stride, numbers + c * pass->count, pass->count * sizeof *numbers);
    if (!status && pass->x)
        expression_model(model->program, pass->x, model->info.parameter_count, &pass->rows, pass->memory,
                         pass->values, pass->slopes);
    return status;
}

void model_pass_end(struct model_pass *pass)
{
    free(pass->memory);
    pass->memory = NULL;
}

static double loss(const struct shoal_model_info *info, double residual)
{
    const double size = fabs(residual);
    switch ((enum shoal_loss)info->loss) {
    case SHOAL_LOSS_SQUARES:
        return residual * residual;
    case SHOAL_LOSS_ABSOLUTE:
        return size;
    case SHOAL_LOSS_HUBER:
        return size <= info->delta ? residual * residual / 2 : info->delta * (size - info->delta / 2);
    }
    return NAN;
}

double model_term(const struct model_pass *pass, size_t j)
{
    const double weight = model_weight(pass, j);
    return weight > 0 ? weight * loss(&pass->model->info, model_residual(pass, j)) : 0;
}

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct model *model = objective->state;
    struct rows_sum total = {0};
    struct model_pass pass;
    struct shoal_error error;
    (void)dim;
    enum shoal_status status = model_pass_begin(&pass, model, model->info.rows, x, false, &error);
    for (size_t first = 0; first < model->info.rows && !status; first += pass.count) {
        double sum = 0;
        status = model_pass_read(&pass, first, &error);
        for (size_t j = 0; j < pass.count && !status; j++)
            sum += model_term(&pass, j);
        rows_sum_add(&total, sum);
    }
    model_pass_end(&pass);
    return status ? objective_fail_value(&error) : rows_sum_value(&total);
}

/* Computes the residuals of rows, for the loss SQUARES. */
static enum shoal_status residuals(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *out, struct shoal_error *error)
{
    struct model_pass pass;
    size_t done = 0;
    enum shoal_status status = model_pass_begin(&pass, objective->state, count, x, false, error);
    while (done < count && !status) {
        status = model_pass_read(&pass, first + done, error);
        for (size_t j = 0; j < pass.count && done < count && !status; j++, done++) {
            const double weight = model_weight(&pass, j);
            out[done] = weight > 0 ? sqrt(weight) * model_residual(&pass, j) : 0;
        }
    }
    model_pass_end(&pass);
    return status;
}

const struct model *model_of(const struct shoal_objective *objective)
{
    return objective && objective->value == value ? objective->state : NULL;
}

const struct shoal_model_info *shoal_objective_model(const struct shoal_objective *objective)
{
    const struct model *model = model_of(objective);
    return model ? &model->info : NULL;
}

enum shoal_status shoal_model_rows(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *columns, double *values, struct shoal_error *error)
{
    const struct model *model = model_of(objective);
    struct model_pass pass;
    error_reset(error);
    if (!NEED(error, objective))
        return SHOAL_INVALID;
    if (!model)
        return fail(error, SHOAL_UNSUPPORTED, "the objective is no model");
    if (first > model->info.rows || count > model->info.rows - first)
        return fail(error, SHOAL_INVALID, "rows %zu to %zu of the model's %zu do not exist", first + 1,
                    first + count, model->info.rows);
    enum shoal_status status = model_pass_begin(&pass, model, count, values ? x : NULL, false, error);
    for (size_t done = 0; done < count && !status;) {
        status = model_pass_read(&pass, first + done, error);
        const size_t some = pass.count < count - done ? pass.count : count - done;
        for (size_t j = 0; j < some && !status && columns; j++)
            for (size_t c = 0; c < model->info.column_count; c++)
                columns[(done + j) * model->info.column_count + c] = model_column(&pass, c)[j];
        if (!status && values)
            memcpy(values + done, pass.values, some * sizeof *values);
        done += some;
    }
    model_pass_end(&pass);
    return status;
}

/* Construction ----------------------------------------------------------------------------------------- */

static void model_free(struct model *model)
{
    if (!model)
        return;
    for (size_t p = 0; p < model->info.parameter_count && model->parameters; p++)
        free((char *)model->parameters[p].name);
    for (size_t c = 0; c < model->info.column_count && model->columns; c++)
        free(model->columns[c]);
    free(model->formula);
    free(model->parameters);
    free(model->columns);
    free(model->box);
    expression_program_free(model->program);
    table_destroy(&model->table);
    free(model);
}

static void destroy(struct shoal_objective *objective)
{
    model_free(objective->state);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

/* Copies parameters and names. Returns false if there is no memory. */
static bool copy_names(const struct model_plan *plan, struct model *model)
{
    const struct shoal_model *given = plan->given;
    const size_t count = given->parameter_count;
    model->formula = strdup(given->formula);
    model->parameters = calloc(count, sizeof *model->parameters);
    model->columns = calloc(plan->used_count, sizeof *model->columns);
    model->box = malloc(2 * count * sizeof *model->box);
    model->program = expression_compile(&plan->expression);
    bool done = model->formula && model->parameters && model->columns && model->box && model->program;
    for (size_t p = 0; p < count && done; p++) {
        model->parameters[p] = given->parameters[p];
        model->parameters[p].name = strdup(given->parameters[p].name);
        model->box[p] = given->parameters[p].lower;
        model->box[count + p] = given->parameters[p].upper;
        done = model->parameters[p].name != NULL;
    }
    for (size_t c = 0; c < plan->used_count && done; c++)
        done = (model->columns[c] = strdup(given->columns[plan->used[c]])) != NULL;
    return done;
}

/* Makes the checks that need the numbers of the table, after all other checks. */
static enum shoal_status check_numbers(const struct model *model, struct shoal_error *error)
{
    const struct shoal_model_info *info = &model->info;
    double least = INFINITY, most = -INFINITY;
    size_t rows = 0;
    struct model_pass pass;
    enum shoal_status status = model_pass_begin(&pass, model, model->info.rows, NULL, false, error);
    for (size_t first = 0; first < info->rows && !status; first += pass.count) {
        status = model_pass_read(&pass, first, error);
        for (size_t j = 0; j < pass.count && !status; j++) {
            const double weight = model_weight(&pass, j), y = model_column(&pass, info->target)[j];
            if (weight < 0)
                status = fail(error, SHOAL_INVALID, "row %zu%s: the weight, %.40s, is %g: weights are >= 0",
                              first + j + 1, model->table->dropped ? " of those without missing values" : "",
                              info->columns[info->weights], weight);
            if (weight <= 0)
                continue;
            least = fmin(least, y);
            most = fmax(most, y);
            rows++;
        }
    }
    model_pass_end(&pass);
    if (!status && rows < info->parameter_count)
        status = fail(error, SHOAL_INVALID, "%s%s for %s: a fit needs at least as many rows",
                      counted(rows, "row").s, rows < info->rows ? " of positive weight" : "",
                      counted(info->parameter_count, "parameter").s);
    if (!status && least == most)
        status = fail(error, SHOAL_INVALID, "the target, %.40s, is %g in every row: there is nothing to fit",
                      info->columns[info->target], least);
    return status;
}

static enum shoal_status fill(struct shoal_objective *objective, const struct model_plan *plan,
                              struct shoal_error *error)
{
    struct model *model = objective->state;
    const struct shoal_model *given = plan->given;
    const size_t count = given->parameter_count;
    struct text text = {0};
    model->info = (struct shoal_model_info){.size = sizeof model->info,
                                            .parameter_count = count,
                                            .column_count = plan->used_count,
                                            .input_count = plan->input_count,
                                            .target = plan->target,
                                            .weights = plan->weights,
                                            .rows = model->table->rows,
                                            .loss = given->loss,
                                            .delta = given->delta};
    if (!copy_names(plan, model))
        return fail_host_memory(error);
    model->info.formula = model->formula;
    model->info.parameters = model->parameters;
    model->info.columns = (const char *const *)model->columns;
    model_write_kernel(plan, &text);
    if (text.failed)
        text_free(&text);
    objective->text = text.data;
    objective->text_name = strdup("model");
    if (!objective->text || !objective->text_name)
        return fail_host_memory(error);
    objective->value = value;
    objective->residuals = given->loss == SHOAL_LOSS_SQUARES ? residuals : NULL;
    objective->lower = model->box;
    objective->upper = model->box + count;
    objective->table = model->table;
    objective->info = (struct shoal_objective_info){.size = sizeof objective->info,
                                                    .name = objective->text_name,
                                                    .formula = model->formula,
                                                    .shape = SHOAL_DATA_ROWS,
                                                    .lower = NAN,
                                                    .upper = NAN,
                                                    .min_dim = count,
                                                    .max_dim = count,
                                                    .minimum = NAN,
                                                    .minimiser = NAN};
    return check_numbers(model, error);
}

enum shoal_status model_objective(const struct model_plan *plan, struct objective_table *table,
                                  struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct model *model = calloc(1, sizeof *model);
    *out = NULL;
    if (!objective || !model) {
        free(objective);
        free(model);
        table_destroy(&table);
        return fail_host_memory(error);
    }
    model->table = table;
    objective->state = model;
    objective->destroy = destroy;
    enum shoal_status status = fill(objective, plan, error);
    if (status)
        shoal_objective_destroy(&objective);
    *out = objective;
    return status;
}

/* Copies the columns that the model uses, row by row, to an array that the caller frees. */
static enum shoal_status gather(const struct model_plan *plan, double **out, struct shoal_error *error)
{
    const struct shoal_model *given = plan->given;
    const size_t count = plan->used_count;
    *out = given->rows <= SIZE_MAX / sizeof **out / count ? malloc(given->rows * count * sizeof **out) : NULL;
    if (!*out)
        return fail_host_memory(error);
    for (size_t c = 0; c < count; c++) {
        const double *column = given->values[plan->used[c]];
        for (size_t j = 0; j < given->rows; j++) {
            if (!isfinite(column[j]))
                return fail(error, SHOAL_INVALID, "row %zu of column %.40s is %s", j + 1,
                            given->columns[plan->used[c]], isnan(column[j]) ? "NaN" : "an infinity");
            (*out)[j * count + c] = column[j];
        }
    }
    return SHOAL_OK;
}

enum shoal_status shoal_objective_from_model(const struct shoal_model *model, struct shoal_objective **out,
                                             struct shoal_error *error)
{
    struct shoal_model own;
    struct objective_table *table = NULL;
    double *values = NULL;
    error_reset(error);
    if (!NEED(error, model, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(model, shoal_model_init, &own, error);
    if (status)
        return status;
    struct model_plan *plan = malloc(sizeof *plan);
    if (!plan)
        return fail_host_memory(error);
    status = model_plan_make(&own, plan, error);
    if (!status && (!own.rows || !own.values))
        status = fail(error, SHOAL_INVALID, "a model needs rows of numbers");
    if (!status)
        status = gather(plan, &values, error);
    if (!status)
        status = table_from_values(values, own.rows, plan->used_count, own.parameter_count, "model", &table,
                                   error);
    if (!status)
        status = model_objective(plan, table, out, error);
    free(values);
    free(plan->used);
    free(plan);
    return status;
}
