#include "cli/mlp/rows.h"

#include "cli/output/json.h"
#include "io/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are judged ----------------------------------------------------------------------------------- */

const char *mlp_part_name(enum shoal_mlp_part part)
{
    static const char *const names[] = {"training", "validation", "test", "file"};
    return names[part];
}

static enum shoal_status find_part(struct shoal_solver *solver, uint64_t folds, enum shoal_mlp_part *part,
                                   struct shoal_error *error)
{
    struct shoal_mlp_outcome outcome = {0};
    enum shoal_status status = SHOAL_OK;
    *part = folds ? SHOAL_MLP_VALIDATION : SHOAL_MLP_TEST;
    while (!folds && !status) {
        status = shoal_mlp_predict_part(solver, 0, *part, &outcome, error);
        if (outcome.rows || *part == SHOAL_MLP_TRAINING)
            break;
        --*part;
    }
    return status;
}

static void *joined(void *array, size_t before, const void *more, size_t count, size_t size)
{
    if (!more)
        return array;
    array = cli_realloc(array, (before + count + 1) * size);
    memcpy((char *)array + before * size, more, count * size);
    return array;
}

static void keep_names(struct mlp_rows *rows, const struct shoal_mlp_outcome *more)
{
    const size_t count = more->classes ? more->classes : more->outputs;
    rows->names = cli_alloc((count + 1) * sizeof *rows->names); /* NULL ends the names */
    for (size_t i = 0; i < count; i++)
        rows->names[i] = cli_strdup(more->names[i]);
}

static bool are_alike(const struct mlp_rows *rows, const struct shoal_mlp_outcome *more)
{
    const size_t count = more->classes ? more->classes : more->outputs;
    bool are = rows->outcome.outputs == more->outputs && rows->outcome.classes == more->classes;
    for (size_t i = 0; i < count && are; i++)
        are = strcmp(rows->names[i], more->names[i]) == 0;
    return are;
}

/* Copies the outcome, because the arrays of a solver are valid only until its next call. */
static void add(struct mlp_rows *rows, const struct shoal_mlp_outcome *more)
{
    struct shoal_mlp_outcome *all = &rows->outcome;
    const size_t before = all->rows, count = more->rows, outputs = more->outputs;
    if (!rows->names) {
        *all = *more;
        keep_names(rows, more);
    }
    rows->predicted =
        joined(rows->predicted, before * outputs, more->predicted, count * outputs, sizeof(double));
    rows->truth = joined(rows->truth, before * outputs, more->truth, count * outputs, sizeof(double));
    rows->weights = joined(rows->weights, before, more->weights, count, sizeof(double));
    rows->class_of = joined(rows->class_of, before, more->class_of, count, sizeof(uint32_t));
    rows->number = joined(rows->number, before, more->number, count, sizeof(uint32_t));
    all->rows = before + count;
    all->predicted = rows->predicted;
    all->truth = rows->truth;
    all->weights = rows->weights;
    all->class_of = rows->class_of;
    all->number = rows->number;
    all->names = (const char *const *)rows->names;
}

static enum shoal_status list_nets(struct shoal_solver *solver, uint64_t count, struct mlp_rows *rows,
                                   struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (count < 2)
        return SHOAL_OK;
    rows->all = cli_alloc(count * sizeof *rows->all);
    for (uint64_t i = 0; i < count && !status; i++)
        status = shoal_mlp_net_at(solver, i, &rows->all[i], error);
    return status;
}

enum shoal_status mlp_rows_take(struct shoal_solver *solver, const struct shoal_mlp_params *params,
                                uint64_t net, struct mlp_rows *rows, struct shoal_error *error)
{
    const uint64_t count = shoal_mlp_nets(solver), folds = params->folds ? params->folds : 1;
    struct shoal_mlp_outcome more = {0};
    *rows = (struct mlp_rows){
        .folds = params->folds, .nets = count / folds, .net = net ? net - 1 : 0, .is_best = !net};
    enum shoal_status status = net ? SHOAL_OK : shoal_mlp_best_net(solver, &rows->net, error);
    if (!status)
        status = list_nets(solver, count, rows, error);
    if (!status)
        status = find_part(solver, params->folds, &rows->part, error);
    for (uint64_t f = 0; f < folds && !status; f++) {
        status = shoal_mlp_predict_part(solver, f * rows->nets + rows->net, rows->part, &more, error);
        if (!status && f && !are_alike(rows, &more))
            status =
                cli_set_error(error, SHOAL_IO,
                              "the training rows of fold %" PRIu64
                              " have other classes than those of fold 1: a class has fewer rows than there "
                              "are folds",
                              f + 1);
        if (!status)
            add(rows, &more);
    }
    return status;
}

void mlp_rows_free(struct mlp_rows *rows)
{
    for (size_t i = 0; rows->names && rows->names[i]; i++)
        free(rows->names[i]);
    free(rows->names);
    free(rows->predicted);
    free(rows->truth);
    free(rows->weights);
    free(rows->class_of);
    free(rows->number);
    free(rows->all);
    *rows = (struct mlp_rows){0};
}

double mlp_probability(const struct shoal_mlp_outcome *outcome, const double *outputs, uint32_t class_of)
{
    return outcome->outputs > 1 ? outputs[class_of] : class_of ? outputs[0] : 1 - outputs[0];
}

/* CSV ---------------------------------------------------------------------------------------------------- */

static void put_name(FILE *out, const char *begin, const char *name)
{
    char *whole = cli_sprintf("%s%s", begin, name);
    putc(',', out);
    cli_csv_text(out, whole);
    free(whole);
}

/* Writes the line of column names. A single output that is a number has the column names of classes. */
static void put_head(FILE *out, const struct shoal_mlp_outcome *outcome)
{
    const bool is_plain = outcome->classes || outcome->outputs == 1;
    fputs("row", out);
    if (is_plain && (outcome->class_of || outcome->truth))
        fputs(",truth", out);
    for (uint32_t k = 0; !is_plain && outcome->truth && k < outcome->outputs; k++)
        put_name(out, "truth ", outcome->names[k]);
    if (is_plain)
        fputs(",prediction", out);
    for (uint32_t k = 0; !is_plain && k < outcome->outputs; k++)
        put_name(out, "prediction ", outcome->names[k]);
    for (uint32_t k = 0; k < outcome->classes; k++)
        put_name(out, "p ", outcome->names[k]);
    putc('\n', out);
}

/* Writes the shortest text of a number, in single precision where the number is exact there. */
static void put_number(FILE *out, double value)
{
    fprintf(out, ",%s", decimal_text(value, (double)(float)value == value).s);
}

static void put_row(FILE *out, const struct shoal_mlp_outcome *outcome, size_t row)
{
    const double *y = outcome->predicted + row * outcome->outputs;
    fprintf(out, "%" PRIu64, outcome->number ? (uint64_t)outcome->number[row] + 1 : (uint64_t)row + 1);
    if (outcome->classes && outcome->class_of)
        put_name(out, "", outcome->names[outcome->class_of[row]]);
    for (uint32_t k = 0; outcome->truth && k < outcome->outputs; k++)
        put_number(out, outcome->truth[row * outcome->outputs + k]);
    if (outcome->classes)
        put_name(out, "", outcome->names[shoal_mlp_outcome_class(outcome, y)]);
    for (uint32_t k = 0; !outcome->classes && k < outcome->outputs; k++)
        put_number(out, y[k]);
    for (uint32_t k = 0; k < outcome->classes; k++)
        put_number(out, mlp_probability(outcome, y, k));
    putc('\n', out);
}

enum shoal_status mlp_rows_write(const char *path, const struct shoal_mlp_outcome *outcome,
                                 struct shoal_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    const bool is_output = strcmp(path, "-") == 0;
    FILE *out = is_output ? stdout : open_memstream(&text, &bytes);
    if (out) {
        put_head(out, outcome);
        for (size_t i = 0; i < outcome->rows; i++)
            put_row(out, outcome, i);
    }
    if (is_output)
        return SHOAL_OK;
    enum shoal_status status = !out || fclose(out)
                                   ? cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory")
                                   : cli_write_file(path, text, bytes, error);
    free(text);
    return status;
}

void mlp_rows_json(cJSON *array, const struct shoal_mlp_outcome *outcome)
{
    for (size_t row = 0; row < outcome->rows; row++) {
        const double *y = outcome->predicted + row * outcome->outputs;
        cJSON *object = cli_json_object(array, NULL);
        cli_json_uint(object, "row",
                      outcome->number ? (uint64_t)outcome->number[row] + 1 : (uint64_t)row + 1);
        if (outcome->classes) {
            cli_json_text(object, "prediction", outcome->names[shoal_mlp_outcome_class(outcome, y)]);
            cJSON *p = cli_json_array(object, "probabilities");
            for (uint32_t k = 0; k < outcome->classes; k++)
                cli_json_real(p, NULL, mlp_probability(outcome, y, k));
        } else {
            cJSON *values = cli_json_array(object, "prediction");
            for (uint32_t k = 0; k < outcome->outputs; k++)
                cli_json_real(values, NULL, y[k]);
        }
    }
}
