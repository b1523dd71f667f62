/* The public form of a preparation: <shoal/mlp_preparation.h>. */
#include "base/error.h"
#include "base/params.h"
#include "dataset/dataset.h"
#include "mlp/files/model.h"
#include "mlp/mlp.h"

#include <inttypes.h>
#include <shoal/mlp_preparation.h>
#include <stdlib.h>
#include <string.h>

struct shoal_mlp_preparation {
    struct mlp_problem problem;
    const struct mlp_fold *fold;
    struct shoal_mlp_preparation_info info;
    struct shoal_mlp_preparation_column *columns;
    char **names; /* copies of the names of the columns, since the data set may belong to the caller */
    char *name;
    uint64_t *class_rows;
    char *notes; /* notes on the data set and the preparation; NULL: none */
};

static size_t count_missing(const struct mlp_fold *fold, const struct column *column)
{
    size_t count = 0;
    for (size_t i = 0; i < fold->split.count[SPLIT_TRAINING]; i++)
        count += column_misses(column, fold->split.rows[SPLIT_TRAINING][i]);
    return count;
}

static void describe(const struct shoal_mlp_preparation *of, size_t c, const struct prepare_column *column,
                     bool is_target)
{
    const struct preparation *rule = of->fold->preparation;
    const bool are_classes = rule->task != PREPARE_NUMBERS;
    struct shoal_mlp_preparation_column *out = &of->columns[c];
    out->use = is_target ? SHOAL_MLP_USE_TARGET : SHOAL_MLP_USE_INPUT;
    out->kind = column->kind;
    out->encoding = column->encoding;
    out->missing = count_missing(of->fold, &of->problem.sets[0]->columns[c]);
    out->first = column->first;
    out->width = column->width + column->has_indicator;
    out->has_indicator = column->has_indicator;
    out->fill = column->fill;
    out->category_count = column->category_count;
    out->categories = (const char *const *)column->categories;
    if (!is_target) {
        out->shift = rule->shift + column->first;
        out->factor = rule->factor + column->first;
    } else if (!are_classes) {
        out->shift = rule->target_shift + column->first;
        out->factor = rule->target_factor + column->first;
        /* one target column has an output for each class, or one output for two classes */
    } else if (rule->target_columns == 1) {
        out->width = rule->target_width;
    }
}

static enum shoal_status describe_columns(struct shoal_mlp_preparation *of, struct shoal_error *error)
{
    const struct preparation *rule = of->fold->preparation;
    const struct prepare_match *match = &of->fold->prepared->matches[0];
    const struct shoal_dataset *dataset = of->problem.sets[0];
    const size_t columns = dataset->info.columns;
    of->columns = calloc(columns + 1, sizeof *of->columns);
    of->names = calloc(columns + 1, sizeof *of->names);
    if (!of->columns || !of->names)
        return fail_host_memory(error);
    for (size_t c = 0; c < columns; c++) {
        of->names[c] = strdup(dataset->columns[c].name);
        if (!of->names[c])
            return fail_host_memory(error);
        of->columns[c] = (struct shoal_mlp_preparation_column){
            .size = sizeof *of->columns,
            .name = of->names[c],
            .use = c == match->weight                                      ? SHOAL_MLP_USE_WEIGHT
                   : rule->group && strcmp(rule->group, of->names[c]) == 0 ? SHOAL_MLP_USE_GROUP
                                                                           : SHOAL_MLP_UNUSED};
    }
    for (size_t i = 0; i < rule->input_columns; i++)
        describe(of, match->inputs[i], &rule->inputs[i], false);
    for (size_t t = 0; t < rule->target_columns; t++)
        describe(of, match->targets[t], &rule->targets[t], true);
    return SHOAL_OK;
}

static bool join_notes(struct shoal_mlp_preparation *of)
{
    const char *const notes[] = {of->problem.sets[0]->notes, of->fold->preparation->notes,
                                 of->fold->prepared->notes};
    struct text text = {0};
    for (int i = 0; i < 3; i++)
        if (notes[i])
            text_printf(&text, "%s%s", text.length ? "\n" : "", notes[i]);
    of->notes = text.data;
    return !text.failed;
}

static enum shoal_status describe_whole(struct shoal_mlp_preparation *of, struct shoal_error *error)
{
    static const char *const forms[] = {
        [STORAGE_BITS] = "bits", [STORAGE_U8] = "u8", [STORAGE_FP32] = "fp32", [STORAGE_FP64] = "fp64"};
    const struct mlp_fold *fold = of->fold;
    const struct preparation *rule = fold->preparation;
    const struct prepared *prepared = fold->prepared;
    of->name = strdup(of->problem.sets[0]->info.name);
    of->class_rows = calloc(rule->class_count + 1, sizeof *of->class_rows);
    if (!of->name || !of->class_rows || !join_notes(of))
        return fail_host_memory(error);
    for (size_t i = 0; prepared->classes && i < fold->count[SHOAL_MLP_TRAINING]; i++)
        of->class_rows[prepared->classes[i]]++;
    of->info = (struct shoal_mlp_preparation_info){.size = sizeof of->info,
                                                   .name = of->name,
                                                   .dropped = of->problem.dropped,
                                                   .columns = of->problem.sets[0]->info.columns,
                                                   .inputs = rule->input_width,
                                                   .outputs = rule->target_width,
                                                   .form = forms[prepared->storage],
                                                   .scale = (int32_t)rule->scale,
                                                   .target_scale = (int32_t)rule->target_scale,
                                                   .missing = (int32_t)rule->missing,
                                                   .classes = rule->class_count,
                                                   .class_names = (const char *const *)rule->classes,
                                                   .class_rows = of->class_rows,
                                                   .class_weights = rule->class_weights,
                                                   .notes = of->notes ? of->notes : ""};
    for (int part = 0; part < SHOAL_MLP_PARTS; part++)
        of->info.rows[part] = fold->count[part];
    return SHOAL_OK;
}

enum shoal_status shoal_mlp_preparation_create(const struct shoal_mlp_params *params, uint64_t fold,
                                               struct shoal_mlp_preparation **out, struct shoal_error *error)
{
    struct shoal_mlp_params own;
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = workload_struct_take(__func__, &mlp_workload.face, params, &own, error);
    if (status)
        return status;
    const uint64_t folds = own.folds ? own.folds : 1;
    if (fold >= folds)
        return fail(error, SHOAL_INVALID, "%s: fold %" PRIu64 " of %" PRIu64, __func__, fold, folds);
    status = shoal_workload_validate(NULL, &mlp_workload.face, &own, error);
    if (status)
        return status;
    struct shoal_mlp_preparation *of = calloc(1, sizeof *of);
    if (!of)
        return fail_host_memory(error);
    status = mlp_problem_create(&own, &of->problem, error);
    if (!status) {
        of->fold = &of->problem.folds[fold];
        status = describe_columns(of, error);
    }
    if (!status)
        status = describe_whole(of, error);
    if (status)
        shoal_mlp_preparation_destroy(&of);
    else
        mlp_problem_free_rows(&of->problem);
    *out = of;
    return status;
}

void shoal_mlp_preparation_destroy(struct shoal_mlp_preparation **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_mlp_preparation *of = *pointer;
    for (size_t c = 0; of->names && of->names[c]; c++)
        free(of->names[c]);
    free(of->names);
    free(of->columns);
    free(of->name);
    free(of->class_rows);
    free(of->notes);
    mlp_problem_destroy(&of->problem);
    free(of);
    *pointer = NULL;
}

enum shoal_status shoal_mlp_preparation_can_save(const struct shoal_mlp_preparation *preparation,
                                                 const char *path, const char *form,
                                                 struct shoal_error *error)
{
    if (!NEED(error, preparation, path))
        return SHOAL_INVALID;
    return model_can_save(preparation->fold->net, path, form, error);
}

const struct shoal_mlp_preparation_info *
shoal_mlp_preparation_get_info(const struct shoal_mlp_preparation *preparation)
{
    return preparation ? &preparation->info : NULL;
}

const struct shoal_mlp_preparation_column *
shoal_mlp_preparation_column_at(const struct shoal_mlp_preparation *preparation, size_t index)
{
    return preparation && index < preparation->info.columns ? &preparation->columns[index] : NULL;
}
