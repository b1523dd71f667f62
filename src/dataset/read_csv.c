/* Text in columns. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

/* What a column has been found to hold. */
enum content { CONTENT_NONE, CONTENT_NUMBERS, CONTENT_WORDS, CONTENT_IGNORED };

struct csv {
    struct cursor cursor;
    struct shoal_dataset *dataset;
    char separator;
    size_t columns;
    unsigned char *content; /* of each column: enum content */
    double *row;
    struct text scratch;
};

static bool is_missing(struct word field)
{
    return field.begin == field.end || (field.end - field.begin == 1 && *field.begin == '?');
}

static bool is_quoted(struct word field)
{
    return field.begin < field.end && *field.begin == '"';
}

/* The first line ----------------------------------------------------------------------------------------- */

static size_t count_fields(struct line line, char separator)
{
    struct word field;
    size_t count = 0;
    while (line_field(&line, separator, &field))
        count++;
    return count;
}

/* Whether a line names columns: no field is a number or missing, and all differ. */
static enum shoal_status find_header(const struct csv *csv, struct line line, bool *is_header)
{
    struct categories *names = categories_new();
    struct text scratch = {0};
    struct word field;
    bool has_memory = names != NULL;
    *is_header = true;
    while (*is_header && has_memory && line_field(&line, csv->separator, &field)) {
        field = field_unquote(field, &scratch);
        const size_t before = categories_count(names);
        *is_header = !is_missing(field) && !field_is_number(field) && !word_is_not_finite(field);
        if (*is_header)
            has_memory = categories_add(names, field) != NO_CATEGORY && !scratch.failed;
        *is_header = *is_header && categories_count(names) > before;
    }
    categories_free(names);
    text_free(&scratch);
    return has_memory ? SHOAL_OK : fail_host_memory(csv->dataset->error);
}

static enum shoal_status read_names(struct csv *csv, struct line line)
{
    struct word field;
    enum shoal_status status = SHOAL_OK;
    for (size_t c = 0; !status && line_field(&line, csv->separator, &field); c++) {
        field = field_unquote(field, &csv->scratch);
        status = csv->scratch.failed ? fail_host_memory(csv->dataset->error)
                                     : dataset_name(csv->dataset, c, field);
    }
    return status;
}

/* Rows --------------------------------------------------------------------------------------------------- */

static enum shoal_status bad_field(const struct csv *csv, size_t c, struct word field, const char *what)
{
    const struct shoal_dataset *dataset = csv->dataset;
    return fail(dataset->error, SHOAL_IO, "%s: row %zu (line %zu), column %zu%s%s%s: '%s' %s", dataset->name,
                dataset->info.rows + 1, csv->cursor.line, c + 1, dataset->has_names ? " (" : "",
                dataset->has_names ? dataset->columns[c].name : "", dataset->has_names ? ")" : "",
                word_show(field).text, what);
}

static enum shoal_status read_word(struct csv *csv, size_t c, struct word field)
{
    const uint32_t index = categories_add(csv->dataset->columns[c].categories, field);
    if (index == NO_CATEGORY)
        return fail_host_memory(csv->dataset->error);
    csv->row[c] = index;
    return SHOAL_OK;
}

/* What is no number: the first value of a column decides. */
static enum shoal_status take_word(struct csv *csv, size_t c, struct word field)
{
    if (word_is_not_finite(field))
        return bad_field(csv, c, field,
                         "is not finite; leave the field of a missing number empty, or write ?");
    if (csv->content[c] == CONTENT_NUMBERS)
        return bad_field(
            csv, c, field,
            "is not a number; a missing one is empty or ?, and a column of words is to be called a "
            "category");
    csv->content[c] = CONTENT_WORDS;
    enum shoal_status status = dataset_use_categories(csv->dataset, c);
    return status ? status : read_word(csv, c, field);
}

static enum shoal_status read_number(struct csv *csv, size_t c, struct word field)
{
    const char *end = decimal_read(field.begin, &csv->row[c]);
    if (end == field.begin || end != field.end)
        return take_word(csv, c, field);
    if (!isfinite(csv->row[c]))
        return bad_field(csv, c, field, "is too large for a number");
    csv->content[c] = CONTENT_NUMBERS;
    return SHOAL_OK;
}

static enum shoal_status read_field(struct csv *csv, size_t c, struct word field)
{
    if (is_quoted(field)) {
        if (field.end - field.begin < 2 || field.end[-1] != '"')
            return bad_field(csv, c, field, "has a quote that is not closed in its line");
        field = field_unquote(field, &csv->scratch);
        if (csv->scratch.failed)
            return fail_host_memory(csv->dataset->error);
    }
    if (is_missing(field)) {
        csv->row[c] = NAN;
        return SHOAL_OK;
    }
    return csv->content[c] == CONTENT_WORDS ? read_word(csv, c, field) : read_number(csv, c, field);
}

/* Removes a whole number of few digits, which most tables hold most of, from the line; false: the next field
 * is something else. Behind a line is no digit. */
static inline bool take_whole(struct line *line, char separator, double *value)
{
    enum { MOST_DIGITS = 9 };
    const char *c = line->begin;
    uint32_t number = 0;
    if (!c || separator == ' ')
        return false;
    for (; *c >= '0' && *c <= '9' && c - line->begin < MOST_DIGITS; c++)
        number = 10 * number + (uint32_t)(*c - '0');
    if (c == line->begin || (c < line->end && *c != separator))
        return false;
    *value = number;
    line->begin = c < line->end ? c + 1 : NULL;
    return true;
}

static enum shoal_status read_row(struct csv *csv, struct line line)
{
    struct word field;
    size_t c = 0;
    for (;; c++) {
        if (c < csv->columns && csv->content[c] == CONTENT_NUMBERS &&
            take_whole(&line, csv->separator, &csv->row[c]))
            continue;
        if (!line_field(&line, csv->separator, &field))
            break;
        if (c >= csv->columns || csv->content[c] == CONTENT_IGNORED)
            continue;
        const enum shoal_status status = read_field(csv, c, field);
        if (!status)
            continue;
        if (status != SHOAL_IO || is_quoted(field))
            return status;
        /* A field too few or too many puts others into columns that are not theirs. */
        for (c++; line_field(&line, csv->separator, &field); c++)
            ;
        if (c == csv->columns)
            return status;
        break;
    }
    if (c != csv->columns)
        return fail(csv->dataset->error, SHOAL_IO,
                    "%s: row %zu (line %zu) has %zu column%s, the first line has %zu", csv->dataset->name,
                    csv->dataset->info.rows + 1, csv->cursor.line, c, c == 1 ? "" : "s", csv->columns);
    return dataset_add_row(csv->dataset, csv->row);
}

static enum shoal_status read_rows(struct csv *csv, const struct shoal_dataset_params *params,
                                   struct line line)
{
    bool is_header = params->header > 0;
    enum shoal_status status = dataset_declare(csv->dataset, csv->columns);
    if (!status && params->header < 0)
        status = find_header(csv, line, &is_header);
    if (!status && is_header)
        status = read_names(csv, line);
    if (!status)
        status = dataset_choose(csv->dataset, params);
    for (size_t c = 0; c < csv->columns && !status; c++)
        csv->content[c] = csv->dataset->columns[c].choice == CHOICE_IGNORED  ? CONTENT_IGNORED
                          : csv->dataset->columns[c].choice == CHOICE_NUMBER ? CONTENT_NUMBERS
                          : csv->dataset->columns[c].categories              ? CONTENT_WORDS
                                                                             : CONTENT_NONE;
    if (!status && !is_header)
        status = read_row(csv, line);
    while (!status && cursor_next_row(&csv->cursor, csv->separator, &line))
        status = read_row(csv, line);
    return status;
}

/* The first line as its separator has it; false: there is none. */
static bool first_row(struct cursor *cursor, char *separator, struct line *line)
{
    struct cursor ahead = *cursor;
    if (!cursor_next_row(&ahead, ' ', line))
        return false;
    *separator = line_separator(*line);
    return cursor_next_row(cursor, *separator, line);
}

enum shoal_status dataset_read_csv(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                   const char *text, size_t bytes)
{
    struct csv csv = {
        .cursor = {.name = dataset->name, .at = text, .end = text + bytes, .error = dataset->error},
        .dataset = dataset};
    struct line line;
    cursor_skip_mark(&csv.cursor);
    if (!first_row(&csv.cursor, &csv.separator, &line))
        return SHOAL_OK;
    csv.columns = count_fields(line, csv.separator);
    csv.content = calloc(csv.columns, sizeof *csv.content);
    csv.row = calloc(csv.columns, sizeof *csv.row);
    enum shoal_status status =
        csv.content && csv.row ? read_rows(&csv, params, line) : fail_host_memory(dataset->error);
    free(csv.content);
    free(csv.row);
    text_free(&csv.scratch);
    return status;
}

bool dataset_csv_is_numbers(const char *text, size_t bytes)
{
    struct cursor cursor = {.at = text, .end = text + bytes};
    struct line line;
    char separator;
    cursor_skip_mark(&cursor);
    bool has_line = first_row(&cursor, &separator, &line), has_number = false;
    for (int i = 0; i < 2 && has_line; i++) {
        bool are_numbers = true;
        for (struct word field; line_field(&line, separator, &field);) {
            const bool is_number = field_is_number(field) || word_is_not_finite(field);
            has_number = has_number || is_number;
            are_numbers = are_numbers && is_number;
        }
        if (has_number)
            return are_numbers;
        has_line = cursor_next_row(&cursor, separator, &line);
    }
    return false;
}
