/* Finds the targets that a net predicts, classes or numbers, and learns their classes or range from the
 * training rows. */
#include "base/error.h"
#include "dataset/prepare/values.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

/* Whether several columns of numbers are classes: in each training row one column is 1 and the other columns
 * are 0. */
static bool are_classes(const struct shoal_dataset *dataset, const uint32_t *rows, size_t count)
{
    for (size_t c = 0; c < dataset->info.columns; c++)
        if (dataset->columns[c].face.is_target && (!column_is_number(&dataset->columns[c]) ||
                                                   dataset->columns[c].face.encoding != SHOAL_ENCODING_PLAIN))
            return false;
    for (size_t i = 0; i < count; i++) {
        size_t ones = 0;
        for (size_t c = 0; c < dataset->info.columns; c++) {
            const struct column *column = &dataset->columns[c];
            if (!column->face.is_target)
                continue;
            const double value =
                column_misses(column, rows[i]) ? NAN : dataset_value(dataset, column, rows[i]);
            if (value != 0 && value != 1)
                return false;
            ones += value > 0;
        }
        if (ones != 1)
            return false;
    }
    return true;
}

/* Whether a single target column gives classes: it has categories, and its encoding does not turn them into
 * numbers. */
static bool is_class_column(const struct column *column)
{
    return column->categories &&
           (column->face.encoding == SHOAL_ENCODING_PLAIN || column->face.encoding == SHOAL_ENCODING_ONE_HOT);
}

static enum shoal_status no_second_class(const struct shoal_dataset *dataset, const char *only,
                                         struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s: all training rows are of the class '%.60s'; there is nothing to learn",
                dataset->name, only);
}

static bool add_class(struct preparation *preparation, const char *name)
{
    char *copy = strdup(name);
    if (copy)
        preparation->classes[preparation->class_count++] = copy;
    return copy != NULL;
}

/* Takes as classes the categories of the only target column that occur in the training rows. */
static enum shoal_status learn_one(struct preparation *preparation, const struct shoal_dataset *dataset,
                                   const uint32_t *rows, size_t count, struct shoal_error *error)
{
    struct prepare_column *target = &preparation->targets[0];
    const struct column *source = &dataset->columns[target->place];
    if (target->kind == SHOAL_COLUMN_NUMBER) { /* 0 and 1, as categories of these names */
        bool has[2] = {false, false};
        for (size_t i = 0; i < count; i++)
            if (!column_misses(source, rows[i]))
                has[dataset_value(dataset, source, rows[i]) > 0] = true;
        target->kind = SHOAL_COLUMN_CATEGORY;
        target->least = 0;
        target->categories = calloc(2, sizeof *target->categories);
        for (int k = 0; k < 2 && target->categories; k++)
            if (has[k]) {
                target->categories[target->category_count] = strdup(k ? "1" : "0");
                if (!target->categories[target->category_count])
                    return fail_host_memory(error);
                target->category_count++;
            }
        if (!target->categories)
            return fail_host_memory(error);
    }
    if (target->category_count < 2)
        return no_second_class(dataset, target->categories[0], error);
    target->encoding = SHOAL_ENCODING_ONE_HOT;
    target->width = target->category_count;
    preparation->classes = calloc(target->category_count, sizeof *preparation->classes);
    for (size_t k = 0; k < target->category_count; k++)
        if (!preparation->classes || !add_class(preparation, target->categories[k]))
            return fail_host_memory(error);
    return SHOAL_OK;
}

/* Takes several columns as classes: each column is a class. */
static enum shoal_status learn_several(struct preparation *preparation, const struct shoal_dataset *dataset,
                                       const uint32_t *rows, size_t count, struct shoal_error *error)
{
    size_t with_rows = 0, last = 0;
    preparation->classes = calloc(preparation->target_columns, sizeof *preparation->classes);
    for (size_t t = 0; t < preparation->target_columns; t++) {
        const struct column *column = &dataset->columns[preparation->targets[t].place];
        bool has_rows = false;
        for (size_t i = 0; i < count && !has_rows; i++)
            has_rows = dataset_value(dataset, column, rows[i]) > 0;
        with_rows += has_rows;
        last = has_rows ? t : last;
        if (!preparation->classes || !add_class(preparation, column->name))
            return fail_host_memory(error);
    }
    return with_rows < 2 ? no_second_class(dataset, preparation->classes[last], error) : SHOAL_OK;
}

/* Learns the scales of targets that are numbers. */
static enum shoal_status learn_numbers(struct preparation *preparation, const struct shoal_dataset *dataset,
                                       const uint32_t *rows, size_t count, struct shoal_error *error)
{
    struct prepare_match match;
    const size_t width = preparation->target_width;
    enum shoal_status status = prepare_match(preparation, dataset, true, &match, error);
    if (status)
        return status;
    double *row = malloc((width + 1) * sizeof *row), *statistics = calloc(4 * width + 1, sizeof *statistics);
    if (!row || !statistics)
        status = fail_host_memory(error);
    for (size_t k = 0; k < width && !status; k++) {
        preparation->target_factor[k] = 1; /* prepare_target applies the factor, which is learned below */
        statistics[4 * k + 1] = INFINITY;
        statistics[4 * k + 2] = -INFINITY;
    }
    for (int pass = 0; pass < 2 && !status; pass++) {
        for (size_t i = 0; i < count && !status; i++) {
            status = prepare_target(&match, rows[i], NULL, row, error);
            for (size_t k = 0; k < width && !status; k++) {
                double *of = statistics + 4 * k;
                if (pass == 0) {
                    of[0] += row[k] / (double)count;
                    of[1] = row[k] < of[1] ? row[k] : of[1];
                    of[2] = row[k] > of[2] ? row[k] : of[2];
                } else {
                    of[3] += (row[k] - of[0]) * (row[k] - of[0]);
                }
            }
        }
    }
    for (size_t t = 0; t < preparation->target_columns && !status; t++) {
        const struct prepare_column *column = &preparation->targets[t];
        bool is_constant = true;
        for (size_t k = column->first; k < column->first + column->width; k++) {
            is_constant = is_constant && !(statistics[4 * k + 2] > statistics[4 * k + 1]);
            learn_scale(preparation->target_scale, statistics + 4 * k, count, &preparation->target_shift[k],
                        &preparation->target_factor[k]);
            /* the factor is 0 if one of the column's encoded numbers, such as one bit, is constant */
            if (preparation->target_factor[k] == 0)
                preparation->target_factor[k] = 1;
        }
        if (is_constant)
            status =
                fail(error, SHOAL_IO,
                     "%s: the target, column %zu ('%s'), is %.10g in all training rows; there is nothing "
                     "to learn",
                     dataset->name, column->place + 1, column->name, column->least);
    }
    prepare_match_free(&match);
    free(row);
    free(statistics);
    return status;
}

/* Checks that targets are either classes or numbers, since no loss takes both, and that they fit the task
 * that the caller chose. */
static enum shoal_status check_targets(const struct shoal_dataset *dataset, const struct prepare_rules *rules,
                                       bool have_classes, struct shoal_error *error)
{
    const struct column *words = NULL, *number = NULL;
    for (size_t c = 0; c < dataset->info.columns; c++) {
        const struct column *column = &dataset->columns[c];
        if (!column->face.is_target)
            continue;
        if (column_is_number(column))
            number = column;
        else if (is_class_column(column))
            words = column;
    }
    if (words && number)
        return fail(
            error, SHOAL_INVALID,
            "target: '%.60s' of %s has classes and '%.60s' numbers, but a net learns either "
            "classes or numbers: name one of them, or say what the classes are as numbers (--columns)",
            words->name, dataset->name, number->name);
    if (rules->task == SHOAL_TASK_REGRESS && words)
        return fail(error, SHOAL_INVALID,
                    "task: the target '%.60s' of %s has classes, which are no numbers to regress",
                    words->name, dataset->name);
    if (rules->task == SHOAL_TASK_CLASSIFY && !have_classes)
        return fail(error, SHOAL_INVALID,
                    "task: the targets of %s are several, of which not exactly one is 1 and the others 0 in "
                    "each row: name one column of classes",
                    dataset->name);
    return SHOAL_OK;
}

enum shoal_status learn_targets(struct preparation *preparation, const struct shoal_dataset *dataset,
                                const uint32_t *rows, size_t count, const struct prepare_rules *rules,
                                struct shoal_error *error)
{
    const size_t targets = dataset->info.targets;
    enum shoal_status status = SHOAL_OK;
    preparation->targets = calloc(targets, sizeof *preparation->targets);
    if (!preparation->targets)
        return fail_host_memory(error);
    for (size_t c = 0; c < dataset->info.columns && !status; c++) {
        const struct column *column = &dataset->columns[c];
        if (!column->face.is_target)
            continue;
        for (size_t i = 0; i < count && column->missing && !status; i++)
            if (column_misses(column, rows[i]))
                status = fail(error, SHOAL_IO,
                              "%s: row %zu, column %zu ('%s'): a target has no value; leave the row out",
                              dataset->name, (size_t)rows[i] + 1, c + 1, column->name);
        struct prepare_column *target = &preparation->targets[preparation->target_columns];
        if (!status) {
            preparation->target_columns++;
            status = learn_column(dataset, rows, count, c, target, error);
        }
    }
    if (status)
        return status;
    const struct column *first = &dataset->columns[preparation->targets[0].place];
    const bool have_classes = !rules->are_numbers && rules->task != SHOAL_TASK_REGRESS &&
                              (targets == 1 ? is_class_column(first) : are_classes(dataset, rows, count));
    status = check_targets(dataset, rules, have_classes, error);
    if (status)
        return status;
    if (have_classes) {
        status = targets == 1 ? learn_one(preparation, dataset, rows, count, error)
                              : learn_several(preparation, dataset, rows, count, error);
        const bool is_binary = rules->is_one_output && preparation->class_count == 2;
        preparation->task = is_binary ? PREPARE_BINARY : PREPARE_CLASSES;
        preparation->target_width = is_binary ? 1 : preparation->class_count;
        if (!status && rules->is_one_output && !is_binary)
            status = fail(error, SHOAL_INVALID,
                          "loss: %s has %zu classes, and one output tells two apart; give cross-entropy",
                          dataset->name, preparation->class_count);
        return status;
    }
    preparation->task = PREPARE_NUMBERS;
    for (size_t t = 0; t < targets; t++) {
        preparation->targets[t].first = preparation->target_width;
        preparation->target_width += preparation->targets[t].width;
    }
    if (!preparation->target_width)
        return fail(error, SHOAL_IO,
                    "%s: its target is constant in all training rows; there is nothing to "
                    "learn",
                    dataset->name);
    preparation->target_shift = calloc(preparation->target_width, sizeof *preparation->target_shift);
    preparation->target_factor = calloc(preparation->target_width, sizeof *preparation->target_factor);
    if (!preparation->target_shift || !preparation->target_factor)
        return fail_host_memory(error);
    return learn_numbers(preparation, dataset, rows, count, error);
}

/* Weights of classes ------------------------------------------------------------------------------------- */

static size_t find_class(const struct preparation *preparation, const char *name, size_t length)
{
    size_t k = 0;
    while (k < preparation->class_count &&
           (strncmp(preparation->classes[k], name, length) != 0 || preparation->classes[k][length]))
        k++;
    return k;
}

/* Reads weights such as "NAME=3, OTHER=0.5"; other classes have the weight 1. */
static enum shoal_status read_named_weights(struct preparation *preparation, const char *list,
                                            struct shoal_error *error)
{
    for (size_t k = 0; k < preparation->class_count; k++)
        preparation->class_weights[k] = 1;
    for (const char *at = list; *at;) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        size_t name = length;
        while (name && at[name - 1] != '=')
            name--;
        double weight = NAN;
        const char *end = name ? decimal_read(at + name + strspn(at + name, " "), &weight) : at;
        end += strspn(end, " ");
        if (!name || end != at + length || !(isfinite(weight) && weight >= 0))
            return fail(error, SHOAL_INVALID,
                        "class weights: '%.*s' is not CLASS=WEIGHT with a weight from 0 on, such as rare=3",
                        (int)(length < 60 ? length : 60), at);
        for (name--; name && at[name - 1] == ' ';)
            name--;
        const size_t k = find_class(preparation, at, name);
        if (k == preparation->class_count)
            return fail(error, SHOAL_INVALID, "class weights: there is no class '%.*s'; the first is '%.60s'",
                        (int)(name < 60 ? name : 60), at, preparation->classes[0]);
        preparation->class_weights[k] = weight;
        at += length + (at[length] == ',');
    }
    return SHOAL_OK;
}

/* Reads a list of weights, one for each class, in the order of the classes. */
static enum shoal_status read_listed_weights(struct preparation *preparation, const char *list,
                                             struct shoal_error *error)
{
    const char *at = list;
    size_t count = 0;
    bool is_list = true;
    for (bool has_more = true; has_more && is_list;) {
        double weight;
        while (*at == ' ')
            at++;
        const char *end = decimal_read(at, &weight);
        is_list = end > at && isfinite(weight) && weight >= 0;
        for (at = end; *at == ' ';)
            at++;
        has_more = *at == ',';
        is_list = is_list && (has_more || !*at);
        at += has_more;
        if (is_list && count < preparation->class_count)
            preparation->class_weights[count] = weight;
        count += is_list;
    }
    if (!is_list)
        return fail(error, SHOAL_INVALID,
                    "class weights: '%.60s' is neither balanced nor a list of numbers from 0 on, such as "
                    "1,2.5, or of "
                    "classes, such as rare=3",
                    list);
    if (count != preparation->class_count)
        return fail(error, SHOAL_INVALID, "class weights: %zu are given, there are %zu classes", count,
                    preparation->class_count);
    return SHOAL_OK;
}

static enum shoal_status read_weights(struct preparation *preparation, const char *list,
                                      struct shoal_error *error)
{
    const enum shoal_status status = strchr(list, '=') ? read_named_weights(preparation, list, error)
                                                       : read_listed_weights(preparation, list, error);
    if (status)
        return status;
    for (size_t k = 0; k < preparation->class_count; k++)
        if (preparation->class_weights[k] > 0)
            return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "class weights: all of them are 0");
}

enum shoal_status learn_class_weights(struct preparation *preparation, const struct prepare_match *match,
                                      const uint32_t *rows, size_t count, const char *class_weights,
                                      struct shoal_error *error)
{
    const size_t classes = preparation->class_count;
    enum shoal_status status = SHOAL_OK;
    if (class_weights && preparation->task == PREPARE_NUMBERS)
        return fail(error, SHOAL_INVALID, "class weights: the targets of %s are numbers, no classes",
                    match->dataset->name);
    if (preparation->task == PREPARE_NUMBERS)
        return SHOAL_OK;
    size_t *of_class = calloc(classes, sizeof *of_class);
    if (class_weights)
        preparation->class_weights = calloc(classes, sizeof *preparation->class_weights);
    if (!of_class || (class_weights && !preparation->class_weights))
        status = fail_host_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        uint32_t class_of;
        status = prepare_target(match, rows[i], &class_of, NULL, error);
        if (!status)
            of_class[class_of]++;
    }
    for (size_t k = 0; k < classes && !status; k++)
        if (!of_class[k] && !lines_add(&preparation->notes, "no training row is of the class '%.60s'",
                                       preparation->classes[k]))
            status = fail_host_memory(error);
    if (!status && class_weights && strcmp(class_weights, "balanced") == 0)
        for (size_t k = 0; k < classes; k++)
            preparation->class_weights[k] =
                of_class[k] ? (double)count / ((double)classes * (double)of_class[k]) : 1;
    else if (!status && class_weights)
        status = read_weights(preparation, class_weights, error);
    free(of_class);
    return status;
}
