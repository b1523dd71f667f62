/* Reads the caller's lists of columns, "species category, id ignored, 2-17 bits:4", and of targets. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/csv/choice.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 24 }; /* most bits of a category, since numbers up to 2^24 are exact in single precision */

static void set_encoding(struct column *column, enum shoal_encoding encoding, unsigned bits)
{
    column->face.encoding = encoding;
    column->has_encoding = true;
    column->bits = bits;
    if (encoding == SHOAL_ENCODING_ONE_HOT && column->choice == CHOICE_NONE)
        column->choice = CHOICE_CATEGORY;
}

static enum shoal_status apply_word(const struct column_list *list, struct word word, struct column *column)
{
    static const char *const kinds[] = {"number", "binary", "category", "ignored", "day"};
    size_t bits;
    for (int i = 0; i < 5; i++)
        if (word_is(word, kinds[i])) {
            column->choice = (enum choice)(CHOICE_NUMBER + i);
            return SHOAL_OK;
        }
    if (word_is(word, "one-hot")) {
        set_encoding(column, SHOAL_ENCODING_ONE_HOT, 0);
        return SHOAL_OK;
    }
    if (word_is(word, "thermometer")) {
        set_encoding(column, SHOAL_ENCODING_THERMOMETER, 0);
        return SHOAL_OK;
    }
    const char *digits = word.begin + 5;
    if (word.end - word.begin > 5 && memcmp(word.begin, "bits:", 5) == 0 &&
        take_whole_number(&digits, word.end, &bits) && digits == word.end && bits >= 1 && bits <= MOST_BITS) {
        set_encoding(column, SHOAL_ENCODING_BITS, (unsigned)bits);
        return SHOAL_OK;
    }
    return fail(
        list->error, SHOAL_INVALID,
        "%s: '%s' is none of number, binary, category, day, ignored, one-hot, thermometer, bits:1 to bits:%d",
        list->option, word_show(word).text, MOST_BITS);
}

/* Applies one entry of params->columns. is_target: applies one entry of params->target, in which entries are
 * only names of columns. */
static enum shoal_status apply_entry(struct shoal_dataset *dataset, struct column_list *list,
                                     const struct column_names *names, bool is_target)
{
    struct word name, word;
    size_t first, end, words = 0;
    enum shoal_status status = column_list_entry(list, names, &name, &first, &end);
    if (status)
        return status;
    if (is_target) {
        for (size_t c = first; c < end; c++)
            dataset->columns[c].face.is_target = true;
        return column_list_end_entry(list);
    }
    for (; column_list_has_word(list); words++) {
        status = column_list_word(list, &word);
        for (size_t c = first; c < end && !status; c++)
            if (!dataset->columns[c].is_index || !word_is(name, "*"))
                status = apply_word(list, word, &dataset->columns[c]);
        if (status)
            return status;
    }
    if (!words)
        return fail(list->error, SHOAL_INVALID,
                    "%s: '%s' has no kind or encoding behind it, such as category", list->option,
                    word_show(name).text);
    return SHOAL_OK;
}

static enum shoal_status apply_list(struct shoal_dataset *dataset, const char *text, const char *option,
                                    bool is_target)
{
    struct column_list list = {.at = text, .option = option, .error = dataset->error};
    const size_t count = dataset->info.columns;
    const char **names = malloc(count * sizeof *names);
    const struct column_names columns = {.file = dataset->name,
                                         .count = count,
                                         .names = names,
                                         .are_numbers = !dataset->has_names,
                                         .entries = dataset->entries,
                                         .entry_count = dataset->entry_count};
    enum shoal_status status = SHOAL_OK;
    if (!names)
        return fail_host_memory(dataset->error);
    for (size_t c = 0; c < count; c++)
        names[c] = dataset->columns[c].name;
    do
        status = apply_entry(dataset, &list, &columns, is_target);
    while (!status && column_list_next(&list));
    free(names);
    return status;
}

/* Marks the columns that the list params->kept names. The list may also name columns of other files, so
 * entries for columns that do not exist here are skipped. */
static void keep_columns(struct shoal_dataset *dataset, const char *kept)
{
    struct shoal_error ignored;
    struct column_list list = {.at = kept, .option = "kept", .error = &ignored};
    struct word word;
    do {
        if (column_list_word(&list, &word))
            return;
        const char *digits = word.begin;
        size_t number;
        const bool is_number = take_whole_number(&digits, word.end, &number) && digits == word.end;
        for (size_t c = 0; c < dataset->info.columns; c++)
            if (word_is(word, "*") || word_is(word, dataset->columns[c].name) ||
                (is_number && number == c + 1))
                dataset->columns[c].is_kept = true;
    } while (column_list_next(&list));
}

/* Ignores the first column if it is an index, unless the caller has chosen a type or encoding for it or made
 * it a target. */
static enum shoal_status leave_index(struct shoal_dataset *dataset)
{
    struct column *column = &dataset->columns[0];
    if (!column->is_index || column->choice != CHOICE_NONE || column->has_encoding || column->face.is_target)
        return SHOAL_OK;
    column->choice = CHOICE_IGNORED;
    column->face.left_out = "index";
    return lines_add(&dataset->notes,
                     "%s: its first column has no name and numbers the rows: it is left out; --columns '%s "
                     "number' takes it",
                     dataset->name, column->name)
               ? SHOAL_OK
               : fail_host_memory(dataset->error);
}

enum shoal_status dataset_choose(struct shoal_dataset *dataset, const struct shoal_dataset_params *params)
{
    enum shoal_status status = SHOAL_OK;
    dataset->task = params->for_model ? SHOAL_TASK_AUTO : (enum shoal_task)params->task;
    dataset->for_model = params->for_model;
    if (params->columns)
        status = apply_list(dataset, params->columns, "columns", false);
    for (size_t c = 0; c < dataset->info.columns && params->target; c++)
        dataset->columns[c].face.is_target = false;
    if (!status && params->target)
        status = apply_list(dataset, params->target, "target", true);
    if (!status && params->kept)
        keep_columns(dataset, params->kept);
    if (!status)
        status = leave_index(dataset);
    for (size_t c = 0; c < dataset->info.columns && !status; c++) {
        const struct column *column = &dataset->columns[c];
        if (column->choice == CHOICE_BINARY || column->choice == CHOICE_CATEGORY)
            status = dataset_use_categories(dataset, c);
        if (column->choice == CHOICE_DAY && !dataset->takes_days)
            return fail(dataset->error, SHOAL_INVALID, "columns: '%s' is to be a day, but only CSV has days",
                        column->name);
        if (column->face.is_target && column->choice == CHOICE_IGNORED)
            return fail(dataset->error, SHOAL_INVALID, "target: column '%s' is to be ignored", column->name);
        if (column->face.encoding == SHOAL_ENCODING_ONE_HOT &&
            (column->choice == CHOICE_NUMBER || column->choice == CHOICE_DAY))
            return fail(dataset->error, SHOAL_INVALID,
                        "columns: '%s' is to be a number and one-hot, but only categories are one-hot",
                        column->name);
    }
    return status;
}
