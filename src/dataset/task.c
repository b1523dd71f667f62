/* Decides whether a target of numbers is a target of classes. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_MOST = 20, CLASS_ROWS = 5 };

/* Statistics of a column. rows: for each of 0, 1 ... 20, the number of rows with this value. */
struct values {
    size_t rows[CLASSES_MOST + 1];
    bool are_whole, are_few; /* are_whole: all values are whole; are_few: no value is outside of 0 to 20 */
    double least, greatest;
};

static void look_at(const struct shoal_dataset *dataset, const struct column *column, struct values *values)
{
    *values = (struct values){.are_whole = true, .are_few = true, .least = INFINITY, .greatest = -INFINITY};
    for (size_t row = 0; row < dataset->info.rows && values->are_whole; row++) {
        if (column_misses(column, row))
            continue;
        const double value = column_stored(column, row);
        values->are_whole = value == floor(value);
        values->are_few = values->are_few && value >= 0 && value <= CLASSES_MOST;
        values->least = value < values->least ? value : values->least;
        values->greatest = value > values->greatest ? value : values->greatest;
        if (values->are_whole && values->are_few)
            values->rows[(size_t)value]++;
    }
}

static bool are_classes(const struct values *values)
{
    if (!values->are_whole || !values->are_few || !(values->least <= 1))
        return false;
    const size_t least = (size_t)values->least, greatest = (size_t)values->greatest,
                 count = greatest - least + 1;
    bool are = count >= 2 && count <= CLASSES_MOST;
    for (size_t value = least; value <= greatest && are; value++)
        are = values->rows[value] >= CLASS_ROWS;
    return are;
}

/* Makes a category of each number, whose name is the number's digits. */
static enum shoal_status make_categories(struct shoal_dataset *dataset, size_t c)
{
    struct column *column = &dataset->columns[c];
    enum shoal_status status = dataset_use_categories(dataset, c);
    for (size_t row = 0; row < dataset->info.rows && !status; row++) {
        char digits[DECIMAL_MOST];
        if (column_misses(column, row))
            continue;
        const int length = decimal_write(digits, column_stored(column, row), false);
        const uint32_t index = categories_add(column->categories, (struct word){digits, digits + length});
        if (index == NO_CATEGORY)
            status = fail_host_memory(dataset->error);
        else
            column_store(column, row, index);
    }
    return status;
}

static bool add_note(struct shoal_dataset *dataset, const struct column *column, const struct values *values,
                     bool becomes_classes)
{
    return becomes_classes
               ? lines_add(&dataset->notes,
                           "%s: the target '%.60s' has the whole numbers %.0f to %.0f, which are taken for "
                           "classes; --task regress takes them for numbers",
                           dataset->name, column->name, values->least, values->greatest)
               : lines_add(
                     &dataset->notes,
                     "%s: the target '%.60s' has whole numbers, %.15g to %.15g, which are taken for numbers; "
                     "--task classify takes each for a class",
                     dataset->name, column->name, values->least, values->greatest);
}

static enum shoal_status choose_by_values(struct shoal_dataset *dataset, size_t c)
{
    const struct column *column = &dataset->columns[c];
    struct values values;
    look_at(dataset, column, &values);
    const bool are_bits = values.are_few && values.least == 0 && values.greatest == 1;
    if (!values.are_whole || are_bits || !(values.least < values.greatest))
        return SHOAL_OK;
    const bool becomes = are_classes(&values);
    enum shoal_status status = becomes ? make_categories(dataset, c) : SHOAL_OK;
    if (!status && !add_note(dataset, column, &values, becomes))
        status = fail_host_memory(dataset->error);
    return status;
}

/* Finds the first target; SIZE_MAX: there is none. *count: number of targets. */
static size_t find_target(const struct shoal_dataset *dataset, size_t *count)
{
    size_t target = SIZE_MAX;
    *count = 0;
    for (size_t c = dataset->info.columns; c-- > 0;)
        if (dataset->columns[c].face.is_target) {
            target = c;
            ++*count;
        }
    return target;
}

/* Whether the type of a column was left open, so that its values decide. */
static bool is_open(const struct column *column)
{
    return !column->categories && !column->is_placed && !column->has_encoding &&
           column->choice == CHOICE_NONE;
}

/* Adds a note on each target that would be a target of classes if it were the only target. */
static enum shoal_status note_targets(struct shoal_dataset *dataset)
{
    for (size_t c = 0; c < dataset->info.columns; c++) {
        const struct column *column = &dataset->columns[c];
        struct values values;
        if (!column->face.is_target || !is_open(column))
            continue;
        look_at(dataset, column, &values);
        if (are_classes(&values) && values.greatest > 1 &&
            !lines_add(
                &dataset->notes,
                "%s: the target '%.60s' has the whole numbers %.15g to %.15g, which are taken for numbers "
                "beside other targets; as the only target they are classes",
                dataset->name, column->name, values.least, values.greatest))
            return fail_host_memory(dataset->error);
    }
    return SHOAL_OK;
}

enum shoal_status dataset_choose_task(struct shoal_dataset *dataset)
{
    size_t count;
    const size_t c = find_target(dataset, &count);
    if (dataset->for_model || c == SIZE_MAX)
        return SHOAL_OK;
    if (count > 1)
        return dataset->task == SHOAL_TASK_AUTO ? note_targets(dataset) : SHOAL_OK;
    const struct column *column = &dataset->columns[c];
    if (dataset->task == SHOAL_TASK_REGRESS && column->categories)
        return fail(dataset->error, SHOAL_INVALID,
                    "task: the target '%.60s' of %s has words, which are classes and no numbers to regress",
                    column->name, dataset->name);
    if (column->categories || column->is_placed || column->has_encoding)
        return SHOAL_OK;
    if (dataset->task == SHOAL_TASK_CLASSIFY)
        return make_categories(dataset, c);
    return dataset->task == SHOAL_TASK_AUTO && is_open(column) ? choose_by_values(dataset, c) : SHOAL_OK;
}
