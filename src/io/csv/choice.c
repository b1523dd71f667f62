#include "io/csv/choice.h"

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum shoal_status column_list_word(struct column_list *list, struct word *word)
{
    list->at += strspn(list->at, " \t");
    const char quote = *list->at;
    if (quote == '"' || quote == '\'') {
        const char *end = strchr(list->at + 1, quote);
        if (!end)
            return fail(list->error, SHOAL_INVALID, "%s: a quote (%c) is not closed", list->option, quote);
        *word = (struct word){list->at + 1, end};
        list->at = end + 1;
        return SHOAL_OK;
    }
    word->begin = list->at;
    list->at += strcspn(list->at, " \t,");
    word->end = list->at;
    return SHOAL_OK;
}

struct listed column_list_show(const char *name, size_t column)
{
    struct listed listed;
    if (*name && !strpbrk(name, " \t,'\"") && strlen(name) < sizeof listed.text)
        strcpy(listed.text, name);
    else
        snprintf(listed.text, sizeof listed.text, "%zu", column + 1);
    return listed;
}

bool take_whole_number(const char **text, const char *end, size_t *number)
{
    const char *begin = *text;
    *number = 0;
    for (; *text < end && **text >= '0' && **text <= '9' && *number < SIZE_MAX / 16; ++*text)
        *number = 10 * *number + (size_t)(**text - '0');
    return *text > begin;
}

/* Finds a column by its name. False: no column has the name. */
static bool find_name(const struct column_names *columns, struct word word, size_t *first, size_t *count)
{
    *count = 0;
    for (size_t c = 0; c < columns->count && columns->names; c++)
        if (word_is(word, columns->names[c])) {
            *first = *count ? *first : c;
            ++*count;
        }
    return *count > 0;
}

static bool has_entry(const struct column_names *columns, struct word word)
{
    for (size_t c = 0; c < columns->entry_count; c++)
        if (word_is(word, columns->entries[c]))
            return true;
    return false;
}

enum shoal_status column_list_entry(struct column_list *list, const struct column_names *columns,
                                    struct word *shown, size_t *first, size_t *end)
{
    const size_t count = columns->count;
    size_t found;
    enum shoal_status status = column_list_word(list, shown);
    if (status)
        return status;
    const struct word word = *shown;
    const char *text = word.begin;
    if (find_name(columns, word, first, &found)) {
        *end = *first + 1;
        return found == 1 ? SHOAL_OK
                          : fail(list->error, SHOAL_INVALID,
                                 "%s: %s has %zu columns of the name '%s': give the number of one",
                                 list->option, columns->file, found, word_show(word).text);
    }
    *first = 0;
    *end = count;
    if (word_is(word, "*"))
        return SHOAL_OK;
    bool is_range = take_whole_number(&text, word.end, first);
    *end = *first;
    if (is_range && text < word.end && *text == '-') {
        text++;
        is_range = take_whole_number(&text, word.end, end);
    }
    if (is_range && text == word.end && *first >= 1 && *first <= *end && *end <= count) {
        --*first;
        return SHOAL_OK;
    }
    const bool has_names = columns->names && !columns->are_numbers;
    return fail(
        list->error, SHOAL_INVALID, "%s: %s has no column '%s'; its %zu column%s numbered from 1%s%s%s%s",
        list->option, columns->file, word_show(word).text, count, count == 1 ? " is" : "s are",
        has_names ? ", the first is '" : "", has_names ? columns->names[0] : "", has_names ? "'" : "",
        has_entry(columns, word) ? "; its first line has this name: give --header yes if that line has names"
                                 : "");
}

bool column_list_has_word(struct column_list *list)
{
    list->at += strspn(list->at, " \t");
    return *list->at && *list->at != ',';
}

enum shoal_status column_list_end_entry(struct column_list *list)
{
    struct word word;
    if (!column_list_has_word(list))
        return SHOAL_OK;
    enum shoal_status status = column_list_word(list, &word);
    return status ? status
                  : fail(list->error, SHOAL_INVALID,
                         "%s: '%s' is more than a column; commas separate them, quotes hold blanks",
                         list->option, word_show(word).text);
}

bool column_list_next(struct column_list *list)
{
    const bool has_next = *list->at == ',';
    list->at += has_next;
    return has_next;
}
