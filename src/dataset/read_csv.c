/* Text in columns. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/csv/fields.h"

#include <stdlib.h>
#include <string.h>

/* What a column has been found to hold. */
enum content { CONTENT_NONE, CONTENT_NUMBERS, CONTENT_WORDS, CONTENT_IGNORED };

struct csv {
    struct cursor cursor;
    struct shoal_dataset *dataset;
    struct csv_style style;
    size_t columns;
    unsigned char *content; /* of each column: enum content */
    double *row;
    struct text scratch;
};

/* The first line ----------------------------------------------------------------------------------------- */

/* Whether a line names columns: no field is a number or missing, and all differ. Only the first may be empty:
 * so do R and pandas call a column of row numbers. */
static enum shoal_status find_header(const struct csv *csv, struct line line, bool *is_header)
{
    struct categories *names = categories_new();
    struct text scratch = {0};
    struct word field;
    bool has_memory = names != NULL;
    *is_header = true;
    for (size_t c = 0;
         *is_header && has_memory && c < csv->columns && line_field(&line, csv->style.separator, &field);
         c++) {
        const bool is_number = field_is_number(&csv->style, field), is_missing = field_is_missing(field);
        field = field_unquote(field, &scratch);
        const size_t before = categories_count(names);
        if (c == 0 && csv->columns > 1 && field.begin == field.end)
            continue;
        *is_header = !is_missing && !is_number && !word_is_not_finite(field);
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
    for (size_t c = 0; !status && c < csv->columns && line_field(&line, csv->style.separator, &field); c++) {
        field = field_unquote(field, &csv->scratch);
        if (csv->scratch.failed)
            status = fail_host_memory(csv->dataset->error);
        else if (c || field.begin < field.end)
            status = dataset_name(csv->dataset, c, field);
    }
    return status;
}

/* Rows --------------------------------------------------------------------------------------------------- */

static enum shoal_status bad_field(const struct csv *csv, size_t c, struct word field, const char *what)
{
    const struct shoal_dataset *dataset = csv->dataset;
    const struct csv_place place = {.file = dataset->name,
                                    .row = dataset->info.rows,
                                    .line = csv->cursor.line,
                                    .column = c,
                                    .name = dataset->has_names ? dataset->columns[c].name : NULL};
    return csv_fail(&place, field, what, dataset->error);
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
    const struct csv_style points = {.separator = csv->style.separator};
    double value;
    if (word_is_not_finite(field))
        return bad_field(csv, c, field,
                         "is not finite; leave the field of a missing number empty, or write ?");
    if (csv->style.has_decimal_commas &&
        (csv->content[c] == CONTENT_NUMBERS || field_number(&points, field, &value)))
        return bad_field(csv, c, field, field_fault(&csv->style, field));
    if (csv->content[c] == CONTENT_NUMBERS)
        return bad_field(
            csv, c, field,
            "is not a number; a missing one is empty, NA or ?, and a column of words is to be called a "
            "category");
    csv->content[c] = CONTENT_WORDS;
    enum shoal_status status = dataset_use_categories(csv->dataset, c);
    return status ? status : read_word(csv, c, field);
}

static enum shoal_status read_number(struct csv *csv, size_t c, struct word field)
{
    if (!field_number(&csv->style, field, &csv->row[c]))
        return take_word(csv, c, field);
    if (!isfinite(csv->row[c]))
        return bad_field(csv, c, field, "is too large for a number");
    csv->content[c] = CONTENT_NUMBERS;
    return SHOAL_OK;
}

static enum shoal_status read_field(struct csv *csv, size_t c, struct word field)
{
    if (field_is_missing(field)) {
        csv->row[c] = NAN;
        return SHOAL_OK;
    }
    if (field_is_quoted(field)) {
        const char *fault = field_quote_fault(field);
        if (fault)
            return bad_field(csv, c, field, fault);
        field = field_unquote(field, &csv->scratch);
        if (csv->scratch.failed)
            return fail_host_memory(csv->dataset->error);
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

/* A field too few or too many puts others into columns that are not theirs. */
static enum shoal_status bad_count(const struct csv *csv, size_t count)
{
    return fail(csv->dataset->error, SHOAL_IO,
                "%s: row %zu (line %zu) has %zu column%s, the first line has %zu", csv->dataset->name,
                csv->dataset->info.rows + 1, csv->cursor.line, count, count == 1 ? "" : "s", csv->columns);
}

static enum shoal_status read_row(struct csv *csv, struct line line)
{
    const char separator = csv->style.separator;
    struct word field;
    size_t c = 0;
    for (; c < csv->columns; c++) {
        if (csv->content[c] == CONTENT_NUMBERS && take_whole(&line, separator, &csv->row[c]))
            continue;
        if (!line_field(&line, separator, &field))
            return bad_count(csv, c);
        if (csv->content[c] == CONTENT_IGNORED)
            continue;
        const enum shoal_status status = read_field(csv, c, field);
        if (!status)
            continue;
        const size_t count = c + 1 + line_filled_count(line, separator);
        return status == SHOAL_IO && !field_is_quoted(field) && count != csv->columns ? bad_count(csv, count)
                                                                                      : status;
    }
    c += line_filled_count(line, separator);
    return c == csv->columns ? dataset_add_row(csv->dataset, csv->row) : bad_count(csv, c);
}

/* The number of columns is that of the first line, whose last fields are none if they are empty in all rows.
 */
static enum shoal_status look_at_first(struct csv *csv, struct line line, int32_t header, bool *is_header)
{
    const char separator = csv->style.separator;
    const size_t count = line_field_count(line, separator);
    struct line row;
    size_t filled = line_filled_count(line, separator);
    for (struct cursor ahead = csv->cursor; filled < count && cursor_next_row(&ahead, separator, &row);) {
        const size_t here = line_filled_count(row, separator);
        filled = here > filled ? here : filled;
    }
    csv->columns = filled > count ? count : filled ? filled : 1;
    *is_header = header > 0;
    return header < 0 ? find_header(csv, line, is_header) : SHOAL_OK;
}

/* Decimal commas of names, of words and of columns that are ignored do not count. `line`: the first one. */
static enum shoal_status find_decimal_commas(struct csv *csv, struct line line, bool is_header)
{
    struct cursor ahead = csv->cursor;
    bool *used = calloc(csv->columns, sizeof *used), has_line = true;
    if (!used)
        return fail_host_memory(csv->dataset->error);
    for (size_t c = 0; c < csv->columns; c++)
        used[c] = csv->content[c] != CONTENT_IGNORED && csv->content[c] != CONTENT_WORDS;
    csv->style.has_decimal_commas = false;
    if (is_header)
        has_line = cursor_next_row(&ahead, csv->style.separator, &line);
    while (has_line && !csv->style.has_decimal_commas) {
        csv->style.has_decimal_commas =
            line_has_decimal_comma(line, csv->style.separator, used, csv->columns);
        has_line = cursor_next_row(&ahead, csv->style.separator, &line);
    }
    free(used);
    return SHOAL_OK;
}

static enum shoal_status read_rows(struct csv *csv, const struct shoal_dataset_params *params,
                                   struct line line, bool is_header)
{
    enum shoal_status status = dataset_declare(csv->dataset, csv->columns);
    if (!status && is_header)
        status = read_names(csv, line);
    if (!status)
        status = dataset_choose(csv->dataset, params);
    for (size_t c = 0; c < csv->columns && !status; c++)
        csv->content[c] = csv->dataset->columns[c].choice == CHOICE_IGNORED  ? CONTENT_IGNORED
                          : csv->dataset->columns[c].choice == CHOICE_NUMBER ? CONTENT_NUMBERS
                          : csv->dataset->columns[c].categories              ? CONTENT_WORDS
                                                                             : CONTENT_NONE;
    if (!status && csv->style.has_decimal_commas)
        status = find_decimal_commas(csv, line, is_header);
    if (!status && !is_header)
        status = read_row(csv, line);
    while (!status && cursor_next_row(&csv->cursor, csv->style.separator, &line))
        status = read_row(csv, line);
    return status;
}

/* The first line as its separator has it; false: there is none. */
static bool first_row(struct cursor *cursor, struct csv_style *style, struct line *line)
{
    struct cursor ahead = *cursor;
    if (!cursor_next_row(&ahead, ' ', line))
        return false;
    *style = csv_style_of(*cursor, line_separator(*line));
    return cursor_next_row(cursor, style->separator, line);
}

enum shoal_status dataset_read_csv(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                   const char *text, size_t bytes)
{
    struct csv csv = {
        .cursor = {.name = dataset->name, .at = text, .end = text + bytes, .error = dataset->error},
        .dataset = dataset};
    struct line line;
    bool is_header;
    cursor_skip_mark(&csv.cursor);
    if (!first_row(&csv.cursor, &csv.style, &line))
        return SHOAL_OK;
    enum shoal_status status = look_at_first(&csv, line, params->header, &is_header);
    if (status)
        return status;
    csv.content = calloc(csv.columns, sizeof *csv.content);
    csv.row = calloc(csv.columns, sizeof *csv.row);
    status =
        csv.content && csv.row ? read_rows(&csv, params, line, is_header) : fail_host_memory(dataset->error);
    free(csv.content);
    free(csv.row);
    text_free(&csv.scratch);
    return status;
}

bool dataset_csv_is_numbers(const char *text, size_t bytes)
{
    struct cursor cursor = {.at = text, .end = text + bytes};
    struct line line;
    struct csv_style style;
    cursor_skip_mark(&cursor);
    bool has_line = first_row(&cursor, &style, &line), has_number = false;
    size_t count = 0;
    for (int i = 0; i < 2 && has_line; i++) {
        bool are_numbers = true;
        const size_t filled = line_filled_count(line, style.separator);
        struct word field;
        count = filled > count ? filled : count;
        for (size_t c = 0; c < count && line_field(&line, style.separator, &field); c++) {
            const bool is_number = field_is_number(&style, field) || word_is_not_finite(field);
            has_number = has_number || is_number;
            are_numbers = are_numbers && is_number;
        }
        if (has_number)
            return are_numbers;
        has_line = cursor_next_row(&cursor, style.separator, &line);
    }
    return false;
}
