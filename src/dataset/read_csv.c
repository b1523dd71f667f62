/* Reads data sets from text in columns. */
#include "base/counted.h"
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/csv/choice.h"
#include "io/csv/days.h"
#include "io/csv/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The content of a column. NONE, NUMBERS and WORDS are found in the rows of the column so far; all other
 * values are choices of the caller. */
enum content {
    CONTENT_NONE,
    CONTENT_NUMBERS,
    CONTENT_WORDS,
    CONTENT_NUMBERS_ASKED,
    CONTENT_WORDS_ASKED,
    CONTENT_DAYS,
    CONTENT_IGNORED
};

struct csv {
    struct cursor cursor, begin; /* cursor: position of the next row; begin: position of the first line */
    struct shoal_dataset *dataset;
    struct csv_style style;
    struct csv_missing missing;
    struct csv_head head;
    size_t columns;
    unsigned char *content; /* enum content of each column */
    bool *is_noted;         /* [columns]: a note on how the numbers of the column are read was added */
    struct csv_memory memory;
    struct csv_text text;
    struct csv_notations notations;
    double *row;
    struct text scratch;
};

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

/* Statistics of a column with both words and numbers. Index 0 of the arrays is for words, index 1 for
 * numbers. row, line and field: place and text of the first word and of the first number. */
struct mixture {
    size_t count[2]; /* number of words, number of numbers */
    size_t row[2], line[2];
    struct word field[2];
};

static bool is_number(const struct csv *csv, struct word field)
{
    double value;
    return field_kind(&csv->style, &csv->missing, field, &value) == FIELD_NUMBER;
}

static void find_mixture(const struct csv *csv, size_t column, struct mixture *mixture)
{
    struct cursor cursor = csv->begin;
    struct line line;
    struct word field;
    *mixture = (struct mixture){.count = {0, 0}};
    for (size_t row = 0; cursor_next_row(&cursor, csv->style.separator, &line);) {
        if (cursor.line < csv->head.first_line)
            continue;
        bool has_field = true;
        for (size_t c = 0; c <= column && has_field; c++)
            has_field = line_field(&line, csv->style.separator, &field);
        if (has_field && !field_is_missing(&csv->missing, field)) {
            const bool number = is_number(csv, field);
            if (!mixture->count[number]++) {
                mixture->row[number] = row;
                mixture->line[number] = cursor.line;
                mixture->field[number] = field_inside(field);
            }
        }
        row++;
    }
}

/* Reports a column with both numbers and words; the message names an example of the rarer kind. */
static enum shoal_status bad_mixture(const struct csv *csv, size_t c)
{
    const struct shoal_dataset *dataset = csv->dataset;
    struct mixture mixture;
    char what[400];
    find_mixture(csv, c, &mixture);
    const bool number = mixture.count[1] < mixture.count[0];
    const bool may_be_name =
        !number && !mixture.row[0] && !csv_head_has_names(&csv->head) && csv->head.reason != CSV_ROW_ASKED;
    const struct csv_place place = {.file = dataset->name,
                                    .row = mixture.row[number],
                                    .line = mixture.line[number],
                                    .column = c,
                                    .name = dataset->has_names ? dataset->columns[c].name : NULL};
    if (number)
        snprintf(what, sizeof what, "is a number among words; --columns '%s category' takes all as words",
                 column_list_show(dataset->columns[c].name, c).text);
    else
        snprintf(what, sizeof what,
                 "is a word among numbers; %s--missing-values names words of missing values (--missing says "
                 "what becomes of them), --columns '%s category' takes all as words",
                 may_be_name ? "--header yes takes the first line for names, " : "",
                 column_list_show(dataset->columns[c].name, c).text);
    return csv_fail(&place, mixture.field[number], what, dataset->error);
}

/* Stores a number in a notation such as "1,234.5" or "12 %", and adds a note on this notation for the first
 * such number of the column. */
static enum shoal_status take_amount(struct csv *csv, size_t c, double value)
{
    struct shoal_dataset *dataset = csv->dataset;
    char advice[120];
    csv->row[c] = value;
    if (csv->content[c] == CONTENT_NONE)
        csv->content[c] = CONTENT_NUMBERS;
    if (csv->is_noted[c])
        return SHOAL_OK;
    csv->is_noted[c] = true;
    snprintf(advice, sizeof advice, "; --columns '%s category' takes its words",
             column_list_show(dataset->columns[c].name, c).text);
    return csv_notation_note(&csv->notations, dataset->name, c,
                             dataset->has_names ? dataset->columns[c].name : NULL, advice, &dataset->notes)
               ? SHOAL_OK
               : fail_host_memory(dataset->error);
}

/* Takes a field that is not a plain number. */
static enum shoal_status take_word(struct csv *csv, size_t c, struct word field)
{
    struct csv_reading reading;
    if (word_is_not_finite(field))
        return bad_field(csv, c, field,
                         "is not finite; leave the field of a missing number empty, or write ?");
    enum shoal_status status = csv_notation_read(&csv->notations, c, field, &reading, csv->dataset->error);
    if (status)
        return status;
    if (reading.verdict == CSV_AMOUNT)
        return take_amount(csv, c, reading.value);
    if (reading.verdict == CSV_AMOUNT_FAULT)
        return bad_field(csv, c, field, reading.fault);
    if (csv->content[c] == CONTENT_NUMBERS)
        return bad_mixture(csv, c);
    if (csv->content[c] == CONTENT_NUMBERS_ASKED)
        return bad_field(csv, c, field, "is not a number");
    csv->content[c] = CONTENT_WORDS;
    status = dataset_use_categories(csv->dataset, c);
    return status ? status : read_word(csv, c, field);
}

static enum shoal_status read_number(struct csv *csv, size_t c, struct word field)
{
    if (!field_number(&csv->style, field, &csv->row[c]))
        return take_word(csv, c, field);
    if (!isfinite(csv->row[c]))
        return bad_field(csv, c, field, "is too large for a number");
    if (csv->content[c] == CONTENT_NONE)
        csv->content[c] = CONTENT_NUMBERS;
    return SHOAL_OK;
}

static enum shoal_status read_day(struct csv *csv, size_t c, struct word field)
{
    return day_read(field, &csv->row[c])
               ? SHOAL_OK
               : bad_field(csv, c, field, "is no date such as 2024-01-31 or 2024-01-31 18:30");
}

static enum shoal_status read_field(struct csv *csv, size_t c, struct word field)
{
    if (field_is_missing(&csv->missing, field)) {
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
    switch ((enum content)csv->content[c]) {
    case CONTENT_WORDS:
        return is_number(csv, field) && !word_is_not_finite(field) ? bad_mixture(csv, c)
                                                                   : read_word(csv, c, field);
    case CONTENT_WORDS_ASKED:
        return read_word(csv, c, field);
    case CONTENT_DAYS:
        return read_day(csv, c, field);
    default:
        return read_number(csv, c, field);
    }
}

/* Removes a whole number of few digits, the most frequent kind of field in most tables, from the line; false:
 * the next field is something else. The character after the end of a line is no digit. */
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

/* Refuses a row with too few or too many fields: its values could belong to other columns. */
static enum shoal_status bad_count(const struct csv *csv, size_t count)
{
    return fail(csv->dataset->error, SHOAL_IO, "%s: row %zu (line %zu) has %s, the first line has %zu",
                csv->dataset->name, csv->dataset->info.rows + 1, csv->cursor.line, counted(count, "column").s,
                csv->columns);
}

static enum shoal_status read_row(struct csv *csv, struct line line)
{
    const char separator = csv->style.separator;
    struct word field;
    size_t c = 0;
    for (; c < csv->columns; c++) {
        if (csv->content[c] == CONTENT_NUMBERS && !csv->missing.has_numbers &&
            take_whole(&line, separator, &csv->row[c]))
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

/* Searches the rows for a decimal comma. Columns of words and ignored columns do not count. */
static enum shoal_status find_decimal_commas(struct csv *csv)
{
    struct cursor ahead = csv->cursor;
    struct line line;
    bool *used = calloc(csv->columns, sizeof *used);
    if (!used)
        return fail_host_memory(csv->dataset->error);
    for (size_t c = 0; c < csv->columns; c++)
        used[c] = csv->content[c] <= CONTENT_NUMBERS || csv->content[c] == CONTENT_NUMBERS_ASKED;
    while (!csv->style.has_decimal_commas && cursor_next_row(&ahead, csv->style.separator, &line))
        csv->style.has_decimal_commas =
            line_has_decimal_comma(line, csv->style.separator, used, csv->columns);
    free(used);
    return SHOAL_OK;
}

static enum content content_asked(const struct column *column)
{
    switch (column->choice) {
    case CHOICE_IGNORED:
        return CONTENT_IGNORED;
    case CHOICE_NUMBER:
        return CONTENT_NUMBERS_ASKED;
    case CHOICE_DAY:
        return CONTENT_DAYS;
    default:
        return column->categories ? CONTENT_WORDS_ASKED : CONTENT_NONE;
    }
}

static enum shoal_status name_columns(struct csv *csv)
{
    struct shoal_dataset *dataset = csv->dataset;
    enum shoal_status status = dataset_declare(dataset, csv->columns);
    for (size_t c = 0; c < csv->columns && csv->head.names && !status; c++) {
        const char *name = csv->head.names[c];
        status = dataset_name(dataset, c, (struct word){name, name + strlen(name)});
    }
    if (!status)
        dataset->columns[0].is_index = csv->head.has_index;
    return status;
}

static enum shoal_status read_rows(struct csv *csv, const struct shoal_dataset_params *params)
{
    struct shoal_dataset *dataset = csv->dataset;
    struct line line;
    enum shoal_status status = name_columns(csv);
    dataset->entries = (const char *const *)csv->head.entries;
    dataset->entry_count = csv->head.entry_count;
    dataset->takes_days = true;
    if (!status)
        status = dataset_choose(dataset, params);
    dataset->entries = NULL;
    dataset->entry_count = 0;
    for (size_t c = 0; c < csv->columns && !status; c++)
        csv->content[c] = (unsigned char)content_asked(&dataset->columns[c]);
    if (!status && !csv->head.first_line)
        return SHOAL_OK;
    cursor_skip(&csv->cursor, csv->head.first_line - 1);
    if (!status)
        status = find_decimal_commas(csv);
    csv->notations = (struct csv_notations){.text = &csv->text,
                                            .missing = &csv->missing,
                                            .style = csv->style,
                                            .first_line = csv->head.first_line,
                                            .columns = csv->columns};
    while (!status && cursor_next_row(&csv->cursor, csv->style.separator, &line))
        status = read_row(csv, line);
    return status;
}

static enum shoal_status open_rows(struct csv *csv, const struct shoal_dataset_params *params)
{
    const struct csv_rules rules = {.header = (enum shoal_header)params->header, .missing = &csv->missing};
    csv->text = csv_text_of(&csv->memory, csv->begin);
    enum shoal_status status = csv_head_read(&csv->text, &rules, &csv->head, csv->dataset->error);
    if (status || !csv->head.columns)
        return status;
    csv->columns = csv->head.columns;
    csv->style = csv->head.style;
    csv->dataset->notes = csv->head.notes;
    csv->head.notes = NULL;
    csv->content = calloc(csv->columns, sizeof *csv->content);
    csv->is_noted = calloc(csv->columns, sizeof *csv->is_noted);
    csv->row = calloc(csv->columns, sizeof *csv->row);
    return csv->content && csv->is_noted && csv->row ? read_rows(csv, params)
                                                     : fail_host_memory(csv->dataset->error);
}

enum shoal_status dataset_read_csv(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                   const char *text, size_t bytes)
{
    struct csv csv = {
        .cursor = {.name = dataset->name, .at = text, .end = text + bytes, .error = dataset->error},
        .dataset = dataset};
    cursor_skip_mark(&csv.cursor);
    csv.begin = csv.cursor;
    enum shoal_status status =
        params->header < SHOAL_HEADER_AUTO || params->header > SHOAL_HEADER_YES
            ? fail(dataset->error, SHOAL_INVALID, "header: %d is none of its values", params->header)
            : csv_missing_read(params->missing_values, &csv.missing, dataset->error);
    if (!status)
        status = open_rows(&csv, params);
    csv_head_free(&csv.head);
    csv_missing_free(&csv.missing);
    csv_notations_free(&csv.notations);
    free(csv.content);
    free(csv.is_noted);
    free(csv.row);
    text_free(&csv.scratch);
    return status;
}

bool dataset_csv_is_numbers(const char *text, size_t bytes)
{
    const struct csv_rules rules = {.header = SHOAL_HEADER_AUTO};
    struct cursor cursor = {.name = "", .at = text, .end = text + bytes};
    struct shoal_error error;
    struct csv_memory memory;
    struct csv_head head;
    struct word field;
    struct line line;
    double value;
    cursor_skip_mark(&cursor);
    const struct csv_text of = csv_text_of(&memory, cursor);
    bool are_numbers = !csv_head_read(&of, &rules, &head, &error) && head.first_line;
    if (are_numbers) {
        cursor_skip(&cursor, head.first_line - 1);
        are_numbers = cursor_next_row(&cursor, head.style.separator, &line);
        for (size_t c = 0; are_numbers && c < head.columns && line_field(&line, head.style.separator, &field);
             c++)
            are_numbers = field_kind(&head.style, NULL, field, &value) == FIELD_NUMBER;
    }
    csv_head_free(&head);
    return are_numbers;
}
