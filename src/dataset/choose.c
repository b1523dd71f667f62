/* What a caller says about columns: "species category, id ignored, 2-17 bits:4", and which are targets. */
#include "base/error.h"
#include "dataset/dataset.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 24 }; /* numbers of categories are exact in single precision */

struct list {
    const char *at, *option;
};

static void skip_blanks(struct list *list)
{
    list->at += strspn(list->at, " \t");
}

/* A word, or a text in quotes, up to a blank or comma. */
static enum shoal_status take_word(struct shoal_dataset *dataset, struct list *list, struct word *word)
{
    skip_blanks(list);
    const char quote = *list->at;
    if (quote == '"' || quote == '\'') {
        const char *end = strchr(list->at + 1, quote);
        if (!end)
            return fail(dataset->error, SHOAL_INVALID, "%s: a quote (%c) is not closed", list->option, quote);
        *word = (struct word){list->at + 1, end};
        list->at = end + 1;
        return SHOAL_OK;
    }
    word->begin = list->at;
    list->at += strcspn(list->at, " \t,");
    word->end = list->at;
    return SHOAL_OK;
}

static bool take_number(const char **text, const char *end, size_t *number)
{
    const char *begin = *text;
    *number = 0;
    for (; *text < end && **text >= '0' && **text <= '9' && *number < SIZE_MAX / 16; ++*text)
        *number = 10 * *number + (size_t)(**text - '0');
    return *text > begin;
}

/* The columns that a name, a number from 1, two numbers "2-17" or "*" mean: first .. end - 1. */
static enum shoal_status find_columns(struct shoal_dataset *dataset, const struct list *list,
                                      struct word word, size_t *first, size_t *end)
{
    const size_t count = dataset->info.columns;
    const char *text = word.begin;
    *first = 0;
    *end = count;
    for (size_t c = 0; c < count; c++)
        if (word_is(word, dataset->columns[c].name)) {
            *first = c;
            *end = c + 1;
            return SHOAL_OK;
        }
    if (word_is(word, "*"))
        return SHOAL_OK;
    bool is_range = take_number(&text, word.end, first);
    *end = *first;
    if (is_range && text < word.end && *text == '-') {
        text++;
        is_range = take_number(&text, word.end, end);
    }
    if (is_range && text == word.end && *first >= 1 && *first <= *end && *end <= count) {
        --*first;
        return SHOAL_OK;
    }
    return fail(dataset->error, SHOAL_INVALID,
                "%s: %s has no column '%s'; its %zu column%s numbered from 1%s%s%s", list->option,
                dataset->name, word_show(word).text, count, count == 1 ? " is" : "s are",
                dataset->has_names ? ", the first is '" : "",
                dataset->has_names ? dataset->columns[0].name : "", dataset->has_names ? "'" : "");
}

static void set_encoding(struct column *column, enum shoal_encoding encoding, unsigned bits)
{
    column->face.encoding = encoding;
    column->has_encoding = true;
    column->bits = bits;
    if (encoding == SHOAL_ENCODING_ONE_HOT && column->choice == CHOICE_NONE)
        column->choice = CHOICE_CATEGORY;
}

static enum shoal_status apply_word(struct shoal_dataset *dataset, const struct list *list, struct word word,
                                    struct column *column)
{
    static const char *const kinds[] = {"number", "binary", "category", "ignored"};
    size_t bits;
    for (int i = 0; i < 4; i++)
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
        take_number(&digits, word.end, &bits) && digits == word.end && bits >= 1 && bits <= MOST_BITS) {
        set_encoding(column, SHOAL_ENCODING_BITS, (unsigned)bits);
        return SHOAL_OK;
    }
    return fail(
        dataset->error, SHOAL_INVALID,
        "%s: '%s' is none of number, binary, category, ignored, one-hot, thermometer, bits:1 to bits:%d",
        list->option, word_show(word).text, MOST_BITS);
}

/* One entry of the list; `is_target`: it names columns alone. */
static enum shoal_status apply_entry(struct shoal_dataset *dataset, struct list *list, bool is_target)
{
    struct word name, word;
    size_t first, end, words = 0;
    enum shoal_status status = take_word(dataset, list, &name);
    if (!status)
        status = find_columns(dataset, list, name, &first, &end);
    if (status)
        return status;
    for (size_t c = first; c < end && is_target; c++)
        dataset->columns[c].face.is_target = true;
    for (skip_blanks(list); *list->at && *list->at != ','; skip_blanks(list)) {
        status = take_word(dataset, list, &word);
        if (!status && is_target)
            status = fail(dataset->error, SHOAL_INVALID,
                          "%s: '%s' is more than a column; commas separate them, quotes hold blanks",
                          list->option, word_show(word).text);
        for (size_t c = first; c < end && !status; c++)
            status = apply_word(dataset, list, word, &dataset->columns[c]);
        if (status)
            return status;
        words++;
    }
    if (!is_target && !words)
        return fail(dataset->error, SHOAL_INVALID, "%s: says '%s' and not what it is to be, such as category",
                    list->option, word_show(name).text);
    return SHOAL_OK;
}

static enum shoal_status apply_list(struct shoal_dataset *dataset, const char *text, const char *option,
                                    bool is_target)
{
    struct list list = {.at = text, .option = option};
    enum shoal_status status;
    do {
        list.at += *list.at == ',';
        status = apply_entry(dataset, &list, is_target);
    } while (!status && *list.at == ',');
    return status;
}

enum shoal_status dataset_choose(struct shoal_dataset *dataset, const struct shoal_dataset_params *params)
{
    enum shoal_status status = SHOAL_OK;
    if (params->columns)
        status = apply_list(dataset, params->columns, "columns", false);
    for (size_t c = 0; c < dataset->info.columns && params->target; c++)
        dataset->columns[c].face.is_target = false;
    if (!status && params->target)
        status = apply_list(dataset, params->target, "target", true);
    for (size_t c = 0; c < dataset->info.columns && !status; c++) {
        const struct column *column = &dataset->columns[c];
        if (column->choice == CHOICE_BINARY || column->choice == CHOICE_CATEGORY)
            status = dataset_use_categories(dataset, c);
        if (column->face.is_target && column->choice == CHOICE_IGNORED)
            return fail(dataset->error, SHOAL_INVALID, "target: column '%s' is to be ignored", column->name);
        if (column->face.encoding == SHOAL_ENCODING_ONE_HOT && column->choice == CHOICE_NUMBER)
            return fail(dataset->error, SHOAL_INVALID,
                        "columns: '%s' is to be a number and one-hot, which categories are", column->name);
    }
    return status;
}
