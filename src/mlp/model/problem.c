/* The data of a run: data sets, their parts, preparations learned from training rows, prepared rows. */
#include "base/error.h"
#include "mlp/files/model.h"
#include "mlp/mlp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WITH_FOLDS = 2 };

/* Data sets ---------------------------------------------------------------------------------------------- */

/* Opens a file as a data set. for_model: the columns of the file must be those of a model or of the training
 * rows. */
static enum shoal_status open_file(const struct shoal_mlp_params *params, const char *path,
                                   const char *labels, bool for_model, struct shoal_dataset **out,
                                   struct shoal_error *error)
{
    struct shoal_dataset_params file;
    shoal_dataset_params_init(&file);
    file.path = path;
    file.labels = labels;
    file.target = params->target;
    file.columns = params->columns;
    file.format = params->format;
    file.header = params->header;
    file.missing_values = params->missing_values;
    file.kept = params->group;
    file.task = params->task;
    file.for_model = for_model;
    return shoal_dataset_open(&file, out, error);
}

/* Sets a size of the generator from a word "NAME=NUMBER"; false: the word has another form. */
static bool take_size(const char *word, struct shoal_dataset_generator *generator)
{
    const struct {
        const char *name;
        size_t *size;
    } sizes[] = {{"rows=", &generator->rows},
                 {"inputs=", &generator->inputs},
                 {"hidden=", &generator->hidden},
                 {"classes=", &generator->classes}};
    const char *value = strchr(word, '=');
    if (!value || value[1] < '0' || value[1] > '9')
        return false;
    char *end;
    const unsigned long long number = strtoull(value + 1, &end, 10);
    if (*end)
        return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strncmp(word, sizes[i].name, strlen(sizes[i].name)) == 0) {
            *sizes[i].size = number;
            return true;
        }
    if (strncmp(word, "seed=", 5) != 0)
        return false;
    generator->seed = number;
    return true;
}

/* Generates data from "KIND", "KIND:ROWS" or "KIND:ROWS:SEED", each perhaps followed by sizes: "random:500
 * inputs=8 classes=3". */
static enum shoal_status generate(const struct shoal_mlp_params *params, struct shoal_dataset **out,
                                  struct shoal_error *error)
{
    struct shoal_dataset_generator generator;
    const char *text = params->generate ? params->generate : "teacher";
    char *copy = strdup(text), *rest = NULL;
    if (!copy)
        return fail_host_memory(error);
    shoal_dataset_generator_init(&generator);
    generator.wrong = isnan(params->wrong) ? 0 : params->wrong;
    char *kind = strtok_r(copy, " ,", &rest);
    bool is_right = kind != NULL;
    char *at = kind ? strchr(kind, ':') : NULL;
    for (int i = 0; at && is_right; i++) {
        char *end;
        const unsigned long long number = strtoull(at + 1, &end, 10);
        is_right = i < 2 && at[1] >= '0' && at[1] <= '9' && (*end == ':' || !*end);
        *at = '\0';
        at = *end ? end : NULL;
        if (i == 0)
            generator.rows = number;
        else
            generator.seed = number;
    }
    for (char *word; is_right && (word = strtok_r(NULL, " ,", &rest));)
        is_right = take_size(word, &generator);
    generator.kind = kind;
    const enum shoal_status status =
        is_right
            ? shoal_dataset_generate(&generator, out, error)
            : fail(error, SHOAL_INVALID,
                   "generate: '%.60s' is not of the form KIND, KIND:ROWS or KIND:ROWS:SEED, with 'inputs=N "
                   "classes=N hidden=N rows=N seed=N' behind it",
                   text);
    free(copy);
    return status;
}

static enum shoal_status open_sets(const struct shoal_mlp_params *params, struct mlp_problem *problem,
                                   struct shoal_error *error)
{
    const char *const paths[MLP_FILES] = {params->data, params->validation_data, params->test_data};
    const char *const labels[MLP_FILES] = {params->labels, params->validation_labels, params->test_labels};
    enum shoal_status status = SHOAL_OK;
    if (params->dataset)
        problem->sets[0] = params->dataset;
    else if (!params->data)
        status = generate(params, &problem->opened[0], error);
    for (int i = 0; i < MLP_FILES && !status; i++) {
        if (paths[i])
            status = open_file(params, paths[i], labels[i], i > 0, &problem->opened[i], error);
        if (problem->opened[i])
            problem->sets[i] = problem->opened[i];
    }
    return status;
}

/* Parts -------------------------------------------------------------------------------------------------- */

static bool has_classes(const struct shoal_dataset *dataset)
{
    const struct shoal_dataset_info *info = &dataset->info;
    bool are_binary = info->targets > 1;
    for (size_t c = 0; c < info->columns; c++) {
        const struct shoal_dataset_column *column = &dataset->columns[c].face;
        if (column->is_target && info->targets == 1)
            return column->category_count > 0;
        are_binary = are_binary && (!column->is_target || column->kind == SHOAL_COLUMN_BINARY);
    }
    return are_binary;
}

static struct split_rules rules_of(const struct shoal_mlp_params *params, const struct mlp_problem *problem,
                                   uint32_t fold)
{
    const bool has_folds = params->folds >= WITH_FOLDS;
    const bool validates = has_folds || params->validation_rows || params->validation_data;
    const bool tests = has_folds || params->rows || params->test_rows || params->test_data;
    return (struct split_rules){.rows = {params->rows, params->validation_rows, params->test_rows},
                                .validation = !isnan(params->validation) ? params->validation
                                              : validates                ? 0
                                                                         : 0.1,
                                .test = !isnan(params->test) ? params->test
                                        : tests              ? 0
                                                             : 0.2,
                                .may_train_all = !(params->validation > 0) && !(params->test > 0),
                                .is_stratified =
                                    !params->no_stratify && !params->group && has_classes(problem->sets[0]),
                                .group = params->group,
                                .folds = has_folds ? (uint32_t)params->folds : 0,
                                .fold = fold,
                                .seed = params->split_seed};
}

/* Refuses a file for validation or test rows if another option takes such rows from the data set. */
static enum shoal_status check_parts(const struct mlp_problem *problem, const struct split *split,
                                     struct shoal_error *error)
{
    for (int part = SHOAL_MLP_VALIDATION; part < SHOAL_MLP_PARTS; part++)
        if (problem->sets[part] && split->count[part])
            return fail(
                error, SHOAL_INVALID,
                "%s rows come from a file of their own; omit the share, list or folds that takes such rows "
                "from %s",
                part == SHOAL_MLP_TEST ? "test" : "validation", problem->sets[0]->name);
    return SHOAL_OK;
}

/* Sets sources and ranges of the parts, whose rows follow one another in `prepared`. */
static enum shoal_status place_rows(const struct mlp_problem *problem, struct mlp_fold *fold,
                                    struct prepared_source sources[SHOAL_MLP_PARTS],
                                    struct shoal_error *error)
{
    size_t rows = 0;
    for (int part = 0; part < SHOAL_MLP_PARTS; part++) {
        const bool is_whole = part > 0 && problem->sets[part];
        fold->first[part] = rows;
        fold->count[part] = is_whole ? problem->sets[part]->info.rows : fold->split.count[part];
        rows += fold->count[part];
        sources[part] = (struct prepared_source){.dataset = is_whole ? problem->sets[part] : problem->sets[0],
                                                 .rows = is_whole ? NULL : fold->split.rows[part],
                                                 .count = fold->count[part]};
    }
    if (rows > UINT32_MAX)
        return fail(error, SHOAL_INVALID, "%zu rows are more than 2^32 - 1", rows);
    fold->numbers = malloc((rows + 1) * sizeof *fold->numbers);
    if (!fold->numbers)
        return fail_host_memory(error);
    for (int part = 0; part < SHOAL_MLP_PARTS; part++)
        for (size_t i = 0; i < fold->count[part]; i++)
            fold->numbers[fold->first[part] + i] = sources[part].rows ? sources[part].rows[i] : (uint32_t)i;
    return SHOAL_OK;
}

static bool has_preparation(const struct shoal_mlp_model *start)
{
    return start && start->info.creator[0];
}

/* Refuses options of the preparation that contradict the preparation of the model to start from. Dropping
 * rows with missing values is allowed for any model. */
static enum shoal_status check_start(const struct shoal_mlp_params *params,
                                     const struct shoal_mlp_model *start, struct shoal_error *error)
{
    const struct preparation *of = start->preparation;
    const char *option = NULL;
    if (!has_preparation(start))
        return SHOAL_OK;
    if (params->scale != SHOAL_MLP_STANDARD && params->scale != (int32_t)of->scale)
        option = "scale";
    else if (params->target_scale != SHOAL_MLP_STANDARD && params->target_scale != (int32_t)of->target_scale)
        option = "target-scale";
    else if (params->missing != SHOAL_MLP_REFUSE && params->missing != SHOAL_MLP_DROP_ROWS &&
             params->missing != (int32_t)of->missing)
        option = "missing";
    else if (params->weight && !(of->weight && strcmp(of->weight, params->weight) == 0))
        option = "weight";
    else if (params->class_weights)
        option = "class-weights";
    return option ? fail(error, SHOAL_INVALID,
                         "%s: has no effect on the model of %s, which has its own; leave %s out", option,
                         params->start_file, option)
                  : SHOAL_OK;
}

/* Opens the model to start from. The run also uses the preparation of this model, since the weights of a
 * model are only valid with its preparation. */
static enum shoal_status open_start(const struct shoal_mlp_params *params, struct mlp_problem *problem,
                                    struct shoal_error *error)
{
    struct shoal_mlp_model_file file;
    const char *extension = params->start_file ? strrchr(params->start_file, '.') : NULL;
    if (!params->start_file || (extension && strcasecmp(extension, ".npy") == 0))
        return SHOAL_OK; /* .npy, an array of parameters, which mlp_start reads */
    shoal_mlp_model_file_init(&file);
    file.path = params->start_file;
    file.activation = params->activation;
    file.output = params->output;
    file.slope = params->slope;
    const enum shoal_status status = shoal_mlp_model_open(&file, &problem->start, error);
    return status ? status : check_start(params, problem->start, error);
}

/* Names the outputs after the target columns; if a column has several outputs, a number follows the name. */
static enum shoal_status name_outputs(struct mlp_fold *fold, struct shoal_error *error)
{
    enum { DIGITS = 12 };
    const struct preparation *preparation = fold->preparation;
    size_t bytes = 0;
    if (preparation->task != PREPARE_NUMBERS)
        return SHOAL_OK;
    for (size_t t = 0; t < preparation->target_columns; t++)
        bytes += preparation->targets[t].width * (strlen(preparation->targets[t].name) + DIGITS);
    fold->names = malloc(preparation->target_width * sizeof *fold->names + bytes);
    if (!fold->names)
        return fail_host_memory(error);
    char *at = (char *)(fold->names + preparation->target_width);
    for (size_t t = 0, k = 0; t < preparation->target_columns; t++) {
        const struct prepare_column *target = &preparation->targets[t];
        for (size_t i = 0; i < target->width; i++, k++) {
            fold->names[k] = at;
            at += target->width > 1 ? sprintf(at, "%s %zu", target->name, i + 1)
                                    : sprintf(at, "%s", target->name);
            at++;
        }
    }
    return SHOAL_OK;
}

/* Refuses a part whose weights are all 0, since it has no mean loss. Test rows are only checked if there is a
 * column of weights, since class weights have no effect on the test. */
static enum shoal_status check_weights(const struct mlp_problem *problem, const struct mlp_fold *fold,
                                       struct shoal_error *error)
{
    static const char *const parts[SHOAL_MLP_PARTS] = {"training", "validation", "test"};
    const int last = fold->preparation->weight ? SHOAL_MLP_TEST : SHOAL_MLP_VALIDATION;
    const size_t number = (size_t)(fold - problem->folds) + 1;
    for (int part = 0; part <= last && fold->prepared->weights; part++) {
        const double *weights = fold->prepared->weights + fold->first[part];
        double sum = 0;
        for (size_t i = 0; i < fold->count[part]; i++)
            sum += weights[i];
        if (fold->count[part] && !(sum > 0) && problem->fold_count > 1)
            return fail(error, SHOAL_IO,
                        "the weights of all %s rows of fold %zu are 0; give some a weight above 0",
                        parts[part], number);
        if (fold->count[part] && !(sum > 0))
            return fail(error, SHOAL_IO, "the weights of all %s rows are 0; give some a weight above 0",
                        parts[part]);
    }
    return SHOAL_OK;
}

/* Whether the loss is a loss from logits, which takes targets that are numbers as probabilities. */
static bool takes_shares(const struct shoal_mlp_params *params)
{
    return params->loss == SHOAL_MLP_LOSS_LOGISTIC || params->loss == SHOAL_MLP_LOSS_CROSS_ENTROPY;
}

static enum shoal_status check_shares(const struct mlp_fold *fold,
                                      const struct prepared_source sources[SHOAL_MLP_PARTS],
                                      struct shoal_error *error)
{
    const struct prepared *prepared = fold->prepared;
    if (!net_is_from_logits(fold->net) || !prepared->targets)
        return SHOAL_OK;
    int part = 0;
    for (size_t row = 0; row < prepared->rows; row++) {
        while (row >= fold->first[part] + fold->count[part])
            part++;
        for (size_t k = 0; k < prepared->outputs; k++) {
            const double value = prepared->targets[row * prepared->outputs + k];
            if (!(value >= 0 && value <= 1))
                return fail(error, SHOAL_IO,
                            "%s: row %zu, target '%s': the loss %s takes numbers from 0 to 1, and this is "
                            "%.10g%s",
                            sources[part].dataset->name, (size_t)fold->numbers[row] + 1, fold->names[k],
                            model_losses[fold->net->loss], value,
                            fold->preparation->target_scale == PREPARE_NONE ? "" : " when scaled");
        }
    }
    return SHOAL_OK;
}

/* The task of the params, or else of the data set. */
static enum shoal_task task_of(const struct shoal_mlp_params *params, const struct shoal_dataset *dataset)
{
    return params->task == SHOAL_TASK_AUTO ? dataset->task : (enum shoal_task)params->task;
}

static enum shoal_status create_fold(const struct shoal_mlp_params *params, struct mlp_problem *problem,
                                     uint32_t index, struct shoal_error *error)
{
    struct mlp_fold *fold = &problem->folds[index];
    struct prepared_source sources[SHOAL_MLP_PARTS];
    const struct split_rules rules = rules_of(params, problem, index);
    const struct prepare_rules prepare = {.scale = (enum prepare_scale)params->scale,
                                          .target_scale = takes_shares(params) &&
                                                                  params->target_scale == SHOAL_MLP_STANDARD
                                                              ? PREPARE_NONE
                                                              : (enum prepare_scale)params->target_scale,
                                          .missing = (enum prepare_missing)params->missing,
                                          .task = task_of(params, problem->sets[0]),
                                          .is_one_output = params->loss == SHOAL_MLP_LOSS_LOGISTIC,
                                          .group = params->group,
                                          .weight = params->weight,
                                          .class_weights = params->class_weights};
    const struct shoal_dataset *dataset = problem->sets[0];
    size_t dropped = 0;
    enum shoal_status status = split_create(dataset, &rules, &fold->split, error);
    if (!status)
        status = check_parts(problem, &fold->split, error);
    if (!status && params->missing == SHOAL_MLP_DROP_ROWS)
        status = prepare_drop(dataset, &prepare, &fold->split, &dropped, error);
    problem->dropped = dropped; /* every fold drops the same rows */
    if (!status && has_preparation(problem->start))
        status = prepare_copy(problem->start->preparation, &fold->preparation, error);
    else if (!status)
        status = prepare_create(dataset, fold->split.rows[SPLIT_TRAINING], fold->split.count[SPLIT_TRAINING],
                                &prepare, &fold->preparation, error);
    if (!status)
        status = mlp_net_of(params, fold->preparation, problem->start, &fold->net, error);
    if (!status)
        status = name_outputs(fold, error);
    if (!status)
        status = place_rows(problem, fold, sources, error);
    if (!status)
        status = prepared_create(fold->preparation, sources, SHOAL_MLP_PARTS, true, &fold->prepared, error);
    if (!status)
        status = check_weights(problem, fold, error);
    return status ? status : check_shares(fold, sources, error);
}

enum shoal_status mlp_problem_create(const struct shoal_mlp_params *params, struct mlp_problem *problem,
                                     struct shoal_error *error)
{
    *problem = (struct mlp_problem){0};
    enum shoal_status status = open_sets(params, problem, error);
    if (status)
        return status;
    status = open_start(params, problem, error);
    if (status)
        return status;
    problem->fold_count = params->folds >= WITH_FOLDS ? params->folds : 1;
    problem->folds = calloc(problem->fold_count, sizeof *problem->folds);
    if (!problem->folds) {
        problem->fold_count = 0;
        return fail_host_memory(error);
    }
    for (uint32_t i = 0; i < problem->fold_count && !status; i++)
        status = create_fold(params, problem, i, error);
    if (!status && !isnan(params->target_accuracy) && !problem->folds[0].prepared->classes)
        status = fail(error, SHOAL_INVALID,
                      "target accuracy: the targets are numbers, which have no accuracy; give a target loss");
    return status;
}

void mlp_problem_free_rows(struct mlp_problem *problem)
{
    for (size_t i = 0; i < problem->fold_count; i++)
        prepared_destroy(&problem->folds[i].prepared);
    for (int i = 0; i < MLP_FILES; i++) {
        shoal_dataset_destroy(&problem->opened[i]);
        problem->sets[i] = NULL;
    }
}

void mlp_problem_destroy(struct mlp_problem *problem)
{
    mlp_problem_free_rows(problem);
    for (size_t i = 0; i < problem->fold_count; i++) {
        struct mlp_fold *fold = &problem->folds[i];
        net_destroy(&fold->net);
        prepare_destroy(&fold->preparation);
        split_free(&fold->split);
        free(fold->numbers);
        free(fold->names);
    }
    free(problem->folds);
    shoal_mlp_model_destroy(&problem->start);
    *problem = (struct mlp_problem){0};
}

/* Rules between parameters ---------------------------------------------------------------------------------
 */

enum shoal_status mlp_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_mlp_params *params = given;
    if ((params->data != NULL) + (params->generate != NULL) + (params->dataset != NULL) > 1)
        return fail(error, SHOAL_INVALID, "more than one data set: give data, or generate");
    if (params->folds == 1)
        return fail(error, SHOAL_INVALID,
                    "folds: one fold validates all rows and leaves none to train; give 2 or "
                    "more");
    if (params->folds && (params->validation_rows || params->validation_data || params->validation > 0))
        return fail(error, SHOAL_INVALID, "folds: each fold validates in turn; omit further validation rows");
    if (params->validation + params->test >= 1)
        return fail(error, SHOAL_INVALID, "validation and test: shares of %g and %g leave no rows to train",
                    params->validation, params->test);
    if (params->labels && !params->data)
        return fail(error, SHOAL_INVALID, "labels: they belong to a data file; give data");
    const bool reads = params->data || params->validation_data || params->test_data || params->dataset;
    const char *of_file = params->target           ? "target"
                          : params->columns        ? "columns"
                          : params->format         ? "format"
                          : params->header         ? "header"
                          : params->missing_values ? "missing_values"
                                                   : NULL;
    if (!reads && of_file)
        return fail(error, SHOAL_INVALID, "%s: it is for a data file, but no file is read; give data",
                    of_file);
    return SHOAL_OK;
}
