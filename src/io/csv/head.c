/* The head of a text in columns: lines before its first row, separator, names. */
#include "io/csv/head.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/input.h"
#include "io/csv/choice.h"
#include "io/csv/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Texts in memory ---------------------------------------------------------------------------------------- */

static enum shoal_status next_in_memory(void *state, struct line *line, struct shoal_error *error)
{
    struct csv_memory *memory = state;
    (void)error;
    if (!cursor_next_whole(&memory->at, line))
        line->begin = NULL;
    return SHOAL_OK;
}

static enum shoal_status rewind_memory(void *state, struct shoal_error *error)
{
    struct csv_memory *memory = state;
    (void)error;
    memory->at = memory->begin;
    return SHOAL_OK;
}

struct csv_text csv_text_of(struct csv_memory *memory, struct cursor begin)
{
    *memory = (struct csv_memory){begin, begin};
    return (struct csv_text){begin.name, next_in_memory, rewind_memory, memory};
}

/* The lines ---------------------------------------------------------------------------------------------- */

/* The beginning of a text: copies of lines, with the blanks around them. */
struct opening {
    struct text first, second, comments; /* first and second row; comments before the first row, each followed
                                          * by a NUL */
    /* number of the line of the first and of the second row; 0: there is no such row */
    size_t first_line, second_line;
    char separator; /* separator that a line "sep=;" gives; '\0': no such line */
};

static struct line line_of(const struct text *text)
{
    const char *begin = text->data ? text->data : "";
    return (struct line){begin, begin + text->length};
}

/* Whether the line is Excel's "sep=;", also in quotes. */
static bool is_separator_line(struct line line, char *separator)
{
    while (line.end > line.begin && line.end[-1] == '\r')
        line.end--;
    const bool is_quoted = line.end - line.begin > 2 && *line.begin == '"' && line.end[-1] == '"';
    line.begin += is_quoted;
    line.end -= is_quoted;
    if (line.end - line.begin != 5 || strncasecmp(line.begin, "sep=", 4) != 0)
        return false;
    *separator = line.begin[4];
    return true;
}

static enum shoal_status read_opening(const struct csv_text *text, struct opening *opening,
                                      struct shoal_error *error)
{
    enum { COMMENTS_MOST = 1 << 16 };
    size_t number = 0;
    enum shoal_status status = text->rewind(text->state, error);
    while (!status && !opening->second_line) {
        struct line whole, line;
        status = text->next(text->state, &whole, error);
        if (status || !whole.begin)
            break;
        number++;
        if (number == 1 && is_separator_line(whole, &opening->separator)) {
            if (!strchr(";,\t ", opening->separator) || !opening->separator)
                return fail(
                    error, SHOAL_IO,
                    "%s: line 1 says that '%c' separates columns; semicolons, commas, tabs and blanks "
                    "do: save it with one of them",
                    text->name, opening->separator);
            continue;
        }
        line = whole;
        if (line_is_row(&line, ' ')) {
            struct text *row = opening->first_line ? &opening->second : &opening->first;
            *(opening->first_line ? &opening->second_line : &opening->first_line) = number;
            text_append(row, whole.begin, (size_t)(whole.end - whole.begin));
            continue;
        }
        while (line.begin < line.end && (*line.begin == ' ' || *line.begin == '\t'))
            line.begin++;
        if (!opening->first_line && line.begin < line.end && *line.begin == '#') {
            if (opening->comments.length > COMMENTS_MOST)
                opening->comments.length = 0;
            text_append(&opening->comments, line.begin, (size_t)(whole.end - line.begin));
            text_append(&opening->comments, "", 1);
        }
    }
    if (!status && (opening->first.failed || opening->second.failed || opening->comments.failed))
        status = fail_host_memory(error);
    return status;
}

static void free_opening(struct opening *opening)
{
    text_free(&opening->first);
    text_free(&opening->second);
    text_free(&opening->comments);
}

/* Entries of a line -------------------------------------------------------------------------------------- */

struct entries {
    char **texts;
    struct word *words;
    enum field_kind *kinds;
    size_t count;
    const char *fault; /* fault in the quotes; NULL: there is none */
    bool is_utf8;      /* whether the line was UTF-8 before it was converted */
};

static void free_texts(char **texts, size_t count)
{
    for (size_t c = 0; c < count && texts; c++)
        free(texts[c]);
    free(texts);
}

static void free_entries(struct entries *entries)
{
    free_texts(entries->texts, entries->count);
    free(entries->words);
    free(entries->kinds);
    *entries = (struct entries){.texts = NULL};
}

/* Cuts a line into `count` entries. before: number of empty entries that precede the fields of the line. */
static enum shoal_status cut(struct line line, const struct csv_style *style, const struct csv_rules *rules,
                             size_t before, size_t count, struct entries *entries, struct shoal_error *error)
{
    struct text scratch = {0};
    struct word field = {"", ""};
    *entries = (struct entries){.count = count, .is_utf8 = true};
    (void)line_is_row(&line, style->separator);
    entries->texts = calloc(count + 1, sizeof *entries->texts);
    entries->words = calloc(count + 1, sizeof *entries->words);
    entries->kinds = calloc(count + 1, sizeof *entries->kinds);
    bool has_memory = entries->texts && entries->words && entries->kinds;
    for (size_t c = 0; c < count && has_memory; c++) {
        double value;
        bool is_there = c >= before && line_field(&line, style->separator, &field);
        field = is_there ? field : (struct word){"", ""};
        entries->fault = entries->fault ? entries->fault : field_quote_fault(field);
        entries->kinds[c] = field_kind(style, rules->missing, field, &value);
        field = field_unquote(field, &scratch);
        entries->texts[c] = text_utf8_copy(field.begin, (size_t)(field.end - field.begin), NULL);
        entries->is_utf8 = entries->is_utf8 && text_is_utf8(field.begin, (size_t)(field.end - field.begin));
        has_memory = entries->texts[c] && !scratch.failed;
        if (has_memory)
            entries->words[c] =
                (struct word){entries->texts[c], entries->texts[c] + strlen(entries->texts[c])};
    }
    text_free(&scratch);
    return has_memory ? SHOAL_OK : fail_host_memory(error);
}

/* Separator ---------------------------------------------------------------------------------------------- */

static size_t filled(struct line line, char separator)
{
    (void)line_is_row(&line, separator);
    return line_filled_count(line, separator);
}

static size_t fields(struct line line, char separator)
{
    (void)line_is_row(&line, separator);
    return line_field_count(line, separator);
}

static bool has_number(struct line line, char separator)
{
    const struct csv_style style = {.separator = separator};
    struct word field;
    (void)line_is_row(&line, separator);
    while (line_field(&line, separator, &field))
        if (field_is_number(&style, field))
            return true;
    return false;
}

static char separator_of(struct line line)
{
    (void)line_is_row(&line, ' ');
    return line_separator(line);
}

/* Chooses the separator of the first line or, if the separator of the second line divides the second line
 * into more fields, the separator of the second line: names may contain a separator that rows do not have. */
static char choose_separator(const struct opening *opening)
{
    const struct line first = line_of(&opening->first), second = line_of(&opening->second);
    const char own = separator_of(first);
    if (opening->separator)
        return opening->separator;
    if (!opening->second_line || has_number(first, own))
        return own;
    const char other = separator_of(second);
    const size_t names = filled(first, own), fields = filled(second, own);
    return (names != fields || names == 1) && filled(second, other) > fields ? other : own;
}

/* Names -------------------------------------------------------------------------------------------------- */

static bool is_empty_name(const char *name)
{
    return !*name || strcmp(name, "NA") == 0;
}

/* Replaces empty names by the number of their column or, if this number is the name of another column, by
 * another number. */
static enum shoal_status number_names(struct csv_head *head, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    bool *is_taken = calloc(head->columns + 1, sizeof *is_taken); /* [columns]: the number was taken as a
                                                                   * name */
    if (!is_taken)
        return fail_host_memory(error);
    for (size_t c = 0; c < head->columns; c++) {
        const char *at = head->names[c], *end = at + strlen(at);
        size_t number;
        if (*at != '0' && take_whole_number(&at, end, &number) && at == end && number <= head->columns)
            is_taken[number] = true;
    }
    for (size_t c = 0; c < head->columns && !status; c++) {
        char number[40];
        if (!is_empty_name(head->names[c]))
            continue;
        snprintf(number, sizeof number, "%s%zu", is_taken[c + 1] ? "column " : "", c + 1);
        free(head->names[c]);
        head->names[c] = strdup(number);
        status = head->names[c] ? SHOAL_OK : fail_host_memory(error);
    }
    free(is_taken);
    return status;
}

struct named {
    const char *name;
    size_t column;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *first = a, *second = b;
    const int order = strcmp(first->name, second->name);
    return order ? order : (first->column > second->column) - (first->column < second->column);
}

/* Finds the first two columns with the same name; *has_equal false: there are none. */
static enum shoal_status find_equal(char **names, size_t count, bool *has_equal, size_t same[2],
                                    struct shoal_error *error)
{
    struct named *sorted = malloc((count + 1) * sizeof *sorted);
    size_t named = 0;
    *has_equal = false;
    if (!sorted)
        return fail_host_memory(error);
    for (size_t c = 0; c < count; c++)
        if (!is_empty_name(names[c]))
            sorted[named++] = (struct named){names[c], c};
    qsort(sorted, named, sizeof *sorted, compare_named);
    for (size_t i = 1; i < named; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0 &&
            (!*has_equal || sorted[i - 1].column < same[0])) {
            *has_equal = true;
            same[0] = sorted[i - 1].column;
            same[1] = sorted[i].column;
        }
    free(sorted);
    return SHOAL_OK;
}

/* Sets the names, and takes ownership of the entries. */
static enum shoal_status keep_names(const struct csv_text *text, struct entries *entries,
                                    struct csv_head *head, struct shoal_error *error)
{
    bool has_equal;
    size_t same[2];
    if (entries->fault)
        return fail(error, SHOAL_IO, "%s: the line of names %s", text->name, entries->fault);
    if (!entries->is_utf8 && !lines_add(&head->notes, INPUT_LATIN_NOTE, text->name))
        return fail_host_memory(error);
    head->names = entries->texts;
    entries->texts = NULL;
    for (size_t c = 0; c < head->columns; c++)
        text_clean(head->names[c], "");
    enum shoal_status status = find_equal(head->names, head->columns, &has_equal, same, error);
    if (!status && has_equal)
        status =
            fail(error, SHOAL_IO,
                 "%s: columns %zu and %zu have the same name, '%.60s': rename one, or give --header no if "
                 "the first line is a row",
                 text->name, same[0] + 1, same[1] + 1, head->names[same[0]]);
    return status ? status : number_names(head, error);
}

/* Finds the names in a comment: a line that has after its # a different word for each column, none of which
 * is a number. */
static enum shoal_status find_comment_names(const struct opening *opening, const struct csv_rules *rules,
                                            struct csv_head *head, bool *is_found, struct shoal_error *error)
{
    const char *at = opening->comments.data, *end = at ? at + opening->comments.length : NULL;
    enum shoal_status status = SHOAL_OK;
    *is_found = false;
    for (; at < end && !status; at += strlen(at) + 1) {
        struct line line = {at + strspn(at, "#!% \t"), at + strlen(at)};
        struct csv_style style = head->style;
        struct entries entries;
        bool has_equal;
        size_t same[2];
        if (line.begin == line.end || !line_is_row(&line, ' '))
            continue;
        if (filled(line, style.separator) != head->columns)
            style.separator = line_separator(line);
        if (filled(line, style.separator) != head->columns)
            continue;
        status = cut(line, &style, rules, 0, head->columns, &entries, error);
        if (!status)
            status = find_equal(entries.texts, entries.count, &has_equal, same, error);
        bool are_words = !status && !has_equal && !entries.fault;
        for (size_t c = 0; c < entries.count && are_words; c++)
            are_words = entries.kinds[c] == FIELD_WORD;
        if (are_words) {
            free_texts(head->names, head->columns);
            head->names = entries.texts;
            entries.texts = NULL;
            for (size_t c = 0; c < head->columns; c++)
                text_clean(head->names[c], "");
            *is_found = true;
        }
        free_entries(&entries);
    }
    return status;
}

/* Decision ----------------------------------------------------------------------------------------------- */

/* Division of the first line into fields, before it is known whether the fields are names. */
struct cutting {
    char separator; /* separator of the names */
    size_t before;  /* number of empty names before the first: 1 where R leaves out the name of row names */
    size_t count;   /* number of fields */
};

/* Whether the first field of a row may be the name of the row: R has words there, or numbers from 1. */
static bool may_name_row(struct line line, char separator)
{
    const struct csv_style style = {.separator = separator};
    struct word field;
    double value = 0;
    (void)line_is_row(&line, separator);
    return line_field(&line, separator, &field) &&
           (field_kind(&style, NULL, field, &value) == FIELD_WORD || value == 1);
}

static struct cutting cut_first(const struct opening *opening, const struct csv_rules *rules, char separator)
{
    struct line first = line_of(&opening->first), second = line_of(&opening->second);
    struct cutting cutting = {.separator = separator};
    const bool has_second = opening->second_line > 0;
    const size_t row = has_second ? filled(second, separator) : 0;
    if (has_second && filled(first, separator) != row && !has_number(first, separator) &&
        filled(first, separator_of(first)) == row)
        cutting.separator = separator_of(first);
    cutting.before = has_second && fields(first, cutting.separator) + 1 == fields(second, separator) &&
                     rules->header != SHOAL_HEADER_NO && !has_number(first, cutting.separator) &&
                     may_name_row(second, separator);
    (void)line_is_row(&first, cutting.separator);
    cutting.count = line_field_count(first, cutting.separator) + cutting.before;
    return cutting;
}

/* Adds a note if a line that was taken for names by CSV_NAMES_OVER_CLASSES contains a number: names are
 * rarely numbers, and a row with a word that occurs nowhere else looks like such a line. */
static bool add_note_of_numbers(const struct csv_text *text, const struct entries *entries, size_t column,
                                struct csv_head *head)
{
    size_t number = 0;
    while (number < entries->count && entries->kinds[number] != FIELD_NUMBER)
        number++;
    return number == entries->count ||
           lines_add(&head->notes,
                     "%s: its first line, with '%.20s' and '%.40s', is taken for names of columns, since "
                     "column %zu has that word nowhere else; --header no takes it for a row",
                     text->name, entries->texts[number], entries->texts[column], column + 1);
}

static bool add_note(const struct csv_text *text, enum csv_reason reason, const struct entries *entries,
                     size_t column, struct csv_head *head)
{
    switch (reason) {
    case CSV_NAMES_OVER_CLASSES:
        return add_note_of_numbers(text, entries, column, head);
    case CSV_NAMES_COUNT:
        return lines_add(
            &head->notes,
            "%s: its first line, %.20s to %.20s, is taken for names of columns; --header no takes "
            "it for a row",
            text->name, entries->texts[entries->texts[0][0] ? 0 : 1], entries->texts[entries->count - 1]);
    case CSV_ROW_OF_TWO:
        return lines_add(&head->notes,
                         "%s: its first line, %.20s and %.20s, is taken for a row; if these are names of "
                         "columns, give --header yes",
                         text->name, entries->texts[0], entries->texts[1]);
    case CSV_ROW_WITH_WORD:
        return lines_add(&head->notes,
                         "%s: its first line is taken for a row, though its column %zu has '%.40s' nowhere "
                         "else; if it has names of columns, give --header yes",
                         text->name, column + 1, entries->texts[column]);
    default:
        return true;
    }
}

/* Keeps the fields of a first line that counts as a row, so that messages can show them as possible names. */
static void keep_entries(struct entries *entries, struct csv_head *head)
{
    bool has_word = false;
    for (size_t c = 0; c < entries->count; c++)
        has_word = has_word || entries->kinds[c] == FIELD_WORD;
    if (!has_word)
        return;
    head->entries = entries->texts;
    head->entry_count = entries->count;
    entries->texts = NULL;
}

static enum shoal_status choose_reason(const struct csv_first *first, bool comment_has_names,
                                       const struct entries *entries, struct csv_head *head, size_t *column,
                                       struct shoal_error *error)
{
    bool has_numbers_alone = true;
    for (size_t c = 0; c < entries->count; c++)
        has_numbers_alone = has_numbers_alone && entries->kinds[c] == FIELD_NUMBER;
    *column = 0;
    if (first->rules->header == SHOAL_HEADER_NO)
        head->reason = CSV_ROW_ASKED;
    else if (first->rules->header == SHOAL_HEADER_YES)
        head->reason = comment_has_names && has_numbers_alone ? CSV_NAMES_COMMENT : CSV_NAMES_ASKED;
    else
        return csv_first_decide(first, &head->reason, column, error);
    return SHOAL_OK;
}

/* Cuts the first line into fields and counts the fields that are columns. */
static enum shoal_status cut_columns(const struct opening *opening, const struct cutting *cutting,
                                     const struct csv_first *first, struct entries *entries,
                                     struct shoal_error *error)
{
    const struct line line = line_of(&opening->first);
    const struct csv_style style = {.separator = cutting->separator};
    const size_t least = filled(line, cutting->separator) + cutting->before;
    size_t columns = 0;
    enum shoal_status status =
        cut(line, &style, first->rules, cutting->before, cutting->count, entries, error);
    if (!status)
        status = csv_first_find_columns(first, least, cutting->count, &columns, error);
    if (status)
        return status;
    columns = columns ? columns : 1;
    while (entries->count > columns)
        free(entries->texts[--entries->count]);
    return SHOAL_OK;
}

/* Removes the first entry, the name of the row; the other entries are the columns. */
static void drop_first(struct entries *entries)
{
    free(entries->texts[0]);
    entries->count--;
    memmove(entries->texts, entries->texts + 1, entries->count * sizeof *entries->texts);
    memmove(entries->words, entries->words + 1, entries->count * sizeof *entries->words);
    memmove(entries->kinds, entries->kinds + 1, entries->count * sizeof *entries->kinds);
}

static enum shoal_status take_names(const struct csv_first *first, const struct opening *opening,
                                    const struct cutting *cutting, struct entries *entries,
                                    struct csv_head *head, struct shoal_error *error)
{
    const bool may_be_index = !*entries->texts[0] && head->columns > 1;
    enum shoal_status status = keep_names(first->text, entries, head, error);
    head->names_line = opening->first_line;
    head->first_line = opening->second_line;
    if (!status && may_be_index)
        status = csv_first_has_index(first, &head->has_index, error);
    struct line second = line_of(&opening->second);
    struct word field;
    (void)line_is_row(&second, head->style.separator);
    if (!status && cutting->before && !head->has_index &&
        line_field(&second, head->style.separator, &field) && field_is_number(&head->style, field))
        status =
            fail(error, SHOAL_IO, "%s: row 1 (line %zu) has %s, the first line has %zu", first->text->name,
                 opening->second_line, counted(head->columns, "column").s, head->columns - 1);
    return status;
}

static enum shoal_status decide(const struct csv_text *text, const struct csv_rules *rules,
                                const struct opening *opening, struct csv_head *head,
                                struct shoal_error *error)
{
    const struct cutting cutting = cut_first(opening, rules, head->style.separator);
    struct csv_first first = {
        .text = text, .rules = rules, .style = head->style, .line = opening->first_line};
    struct entries entries;
    size_t column = 0;
    bool comment_has_names = false;
    enum shoal_status status = cut_columns(opening, &cutting, &first, &entries, error);
    head->columns = first.columns = entries.count;
    first.entries = entries.words;
    first.kinds = entries.kinds;
    if (!status && rules->header != SHOAL_HEADER_NO)
        status = find_comment_names(opening, rules, head, &comment_has_names, error);
    if (!status)
        status = choose_reason(&first, comment_has_names, &entries, head, &column, error);
    const bool is_row = head->reason < CSV_NAMES_ASKED;
    if (!status && is_row && cutting.before) {
        free_texts(head->names, head->columns);
        head->names = NULL;
        comment_has_names = false;
        drop_first(&entries);
        head->columns--;
    }
    if (!status && is_row && comment_has_names)
        head->reason = CSV_NAMES_COMMENT;
    if (status || head->reason != CSV_NAMES_COMMENT) {
        free_texts(head->names, head->columns);
        head->names = NULL;
    }
    if (!status && !add_note(text, head->reason, &entries, column, head))
        status = fail_host_memory(error);
    if (!status && csv_head_has_names(head) && head->reason != CSV_NAMES_COMMENT) {
        status = take_names(&first, opening, &cutting, &entries, head, error);
    } else if (!status) {
        head->first_line = opening->first_line;
        if (head->reason < CSV_NAMES_ASKED)
            keep_entries(&entries, head);
    }
    free_entries(&entries);
    return status;
}

enum shoal_status csv_head_read(const struct csv_text *text, const struct csv_rules *rules,
                                struct csv_head *head, struct shoal_error *error)
{
    struct opening opening = {.separator = '\0'};
    *head = (struct csv_head){.reason = CSV_ROW, .style.separator = ' '};
    enum shoal_status status = read_opening(text, &opening, error);
    if (!status && opening.first_line) {
        head->style.separator = choose_separator(&opening);
        status = decide(text, rules, &opening, head, error);
    }
    free_opening(&opening);
    return status;
}

void csv_head_free(struct csv_head *head)
{
    free_texts(head->names, head->columns);
    free_texts(head->entries, head->entry_count);
    free(head->notes);
    *head = (struct csv_head){.names = NULL};
}
