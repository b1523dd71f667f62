/* Tables in text form. Opening counts the rows and notes where some of them begin; numbers are parsed when
 * they are read, from there on. */
#include "io/table.h"
#include "base/error.h"
#include "io/csv/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_NUMBERS = 256, LINE_LIMIT = 1 << 28 };

struct mark {
    uint64_t offset; /* in the file */
    size_t line;     /* its number, from 1 */
};

struct csv {
    struct csv_style style;
    struct mark *marks; /* of every row whose number is a multiple of mark_rows */
    size_t mark_rows;   /* few enough that skipping the rows before a given one is cheap */
    size_t mark_room;
    bool drops; /* rows with missing values */
};

/* Goes through a file line by line. */
struct lines {
    const struct shoal_table *table;
    char *buffer; /* capacity + 1 bytes, a NUL at `end` */
    size_t capacity, start, end;
    uint64_t offset;   /* of buffer[0] */
    size_t line;       /* number of the line that was got last */
    struct line whole; /* that line with the blanks around it */
    struct text scratch;
};

static enum shoal_status lines_begin(struct lines *lines, const struct shoal_table *table,
                                     const struct mark *mark, struct shoal_error *error)
{
    *lines =
        (struct lines){.table = table, .offset = mark->offset, .line = mark->line - 1, .capacity = 65536};
    lines->buffer = malloc(lines->capacity + 1);
    if (!lines->buffer)
        return fail_host_memory(error);
    lines->buffer[0] = '\0';
    return SHOAL_OK;
}

static void lines_end(struct lines *lines)
{
    free(lines->buffer);
    text_free(&lines->scratch);
}

/* Reads more of the file behind the buffered part. */
static enum shoal_status lines_fill(struct lines *lines, struct shoal_error *error)
{
    if (lines->start) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->offset += lines->start;
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->end == lines->capacity) {
        if (lines->capacity >= LINE_LIMIT)
            return fail(error, SHOAL_IO, "%s: line %zu: is longer than %d bytes", lines->table->name,
                        lines->line + 1, LINE_LIMIT);
        char *larger = realloc(lines->buffer, 2 * lines->capacity + 1);
        if (!larger)
            return fail_host_memory(error);
        lines->buffer = larger;
        lines->capacity *= 2;
    }
    const uint64_t left = lines->table->bytes - (lines->offset + lines->end);
    const size_t room = lines->capacity - lines->end, some = left < room ? (size_t)left : room;
    enum shoal_status status =
        table_read_bytes(lines->table, lines->offset + lines->end, lines->buffer + lines->end, some, error);
    if (!status)
        lines->end += some;
    lines->buffer[lines->end] = '\0';
    return status;
}

/* The next row, as line_is_row has it; line->begin NULL: no more. */
static enum shoal_status lines_next(struct lines *lines, char separator, struct line *line, uint64_t *offset,
                                    struct shoal_error *error)
{
    for (size_t searched = 0;;) {
        char *begin = lines->buffer + lines->start;
        char *feed = memchr(begin + searched, '\n', lines->end - lines->start - searched);
        if (!feed && lines->offset + lines->end < lines->table->bytes) {
            searched = lines->end - lines->start;
            enum shoal_status status = lines_fill(lines, error);
            if (status)
                return status;
            continue;
        }
        line->begin = NULL;
        if (!feed && lines->start == lines->end)
            return SHOAL_OK;
        char *end = feed ? feed : lines->buffer + lines->end;
        *offset = lines->offset + lines->start;
        lines->start = (size_t)(end - lines->buffer) + (feed != NULL);
        lines->line++;
        searched = 0;
        if (*offset == 0 && end - begin >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
            begin += 3; /* byte order mark */
        *line = lines->whole = (struct line){begin, end};
        if (line_is_row(line, separator))
            return SHOAL_OK;
    }
}

/* Rows -------------------------------------------------------------------------------------------------- */

static enum shoal_status bad_field(const struct lines *lines, size_t row, size_t column, struct word field,
                                   const char *what, struct shoal_error *error)
{
    const struct shoal_table *table = lines->table;
    const struct csv_place place = {.file = table->name,
                                    .row = row,
                                    .line = lines->line,
                                    .column = column,
                                    .name = table->names ? table->names[column] : NULL};
    return csv_fail(&place, field, what, error);
}

/* A field that is there. */
static enum shoal_status parse_field(struct lines *lines, size_t row, size_t column, struct word field,
                                     double *value, struct shoal_error *error)
{
    const struct csv *csv = lines->table->state;
    struct word content = field;
    if (field_is_quoted(field)) {
        const char *fault = field_quote_fault(field);
        if (fault)
            return bad_field(lines, row, column, field, fault, error);
        content = field_unquote(field, &lines->scratch);
        if (lines->scratch.failed)
            return fail_host_memory(error);
    }
    if (!field_number(&csv->style, content, value))
        return bad_field(lines, row, column, field,
                         field_is_nan(field)
                             ? "is not finite: put a number there, or have such rows left out "
                               "by --missing drop"
                         : word_is_not_finite(content) ? "is not finite"
                                                       : field_fault(&csv->style, content),
                         error);
    return isfinite(*value) ? SHOAL_OK : bad_field(lines, row, column, field, "is not finite", error);
}

/* *dropped: a number is missing, and such rows are left out. */
static enum shoal_status parse_row(struct lines *lines, struct line line, size_t row, double *out,
                                   bool *dropped, struct shoal_error *error)
{
    const struct shoal_table *table = lines->table;
    const struct csv *csv = table->state;
    struct word field;
    enum shoal_status status = SHOAL_OK;
    size_t c = 0;
    *dropped = false;
    for (; c < table->info.columns && !status && line_field(&line, csv->style.separator, &field); c++) {
        out[c] = 0;
        if (table->used && !table->used[c])
            continue;
        if (csv->drops && (field_is_missing(field) || field_is_nan(field)))
            *dropped = true;
        else if (!field_is_missing(field))
            status = parse_field(lines, row, c, field, &out[c], error);
        else
            status = bad_field(lines, row, c, field,
                               "is missing: fill it in, or have such rows left out by --missing drop", error);
    }
    if (status)
        return status;
    c += line_filled_count(line, csv->style.separator);
    if (c != table->info.columns)
        return fail(error, SHOAL_IO, "%s: row %zu (line %zu) has %zu column%s, the first row has %zu",
                    table->name, row + 1, lines->line, c, c == 1 ? "" : "s", table->info.columns);
    return SHOAL_OK;
}

static enum shoal_status read_csv(const struct shoal_table *table, size_t first, size_t count, double *out,
                                  struct shoal_error *error)
{
    const struct csv *csv = table->state;
    struct lines lines = {.buffer = NULL};
    struct line line;
    uint64_t offset;
    if (!count)
        return SHOAL_OK;
    const size_t step = csv->mark_rows, mark = first / step;
    enum shoal_status status = lines_begin(&lines, table, &csv->marks[mark], error);
    for (size_t row = mark * step; row < first + count && !status;) {
        double *const at = out + (row > first ? row - first : 0) * table->info.columns;
        bool dropped = false;
        status = lines_next(&lines, csv->style.separator, &line, &offset, error);
        if (!status && !line.begin)
            status = fail(error, SHOAL_IO, "%s: has lost rows while it was read", table->name);
        if (!status && (row >= first || csv->drops))
            status = parse_row(&lines, line, row, at, &dropped, error);
        row += !dropped;
    }
    lines_end(&lines);
    return status;
}

/* Opening ----------------------------------------------------------------------------------------------- */

static bool add_mark(struct shoal_table *table, uint64_t offset, size_t line)
{
    struct csv *csv = table->state;
    const size_t row = table->info.rows++, step = csv->mark_rows, index = row / step;
    if (row % step)
        return true;
    if (index == csv->mark_room) {
        const size_t room = csv->mark_room ? 2 * csv->mark_room : 16;
        struct mark *marks = realloc(csv->marks, room * sizeof *marks);
        if (!marks)
            return false;
        csv->marks = marks;
        csv->mark_room = room;
    }
    csv->marks[index] = (struct mark){.offset = offset, .line = line};
    return true;
}

/* What the first pass finds. */
struct survey {
    struct text names; /* the line of names */
    bool looked;       /* at a first line */
    size_t empty;      /* fields at the end of every row */
};

/* Finds the separator, by which the line is cut anew, and the number of columns; true where no field is a
 * number: a line of names. */
static bool look_at_first_line(struct shoal_table *table, const struct lines *lines, struct line *line)
{
    struct csv *csv = table->state;
    const char separator = line_separator(*line);
    struct word field;
    bool names = true;
    *line = lines->whole;
    (void)line_is_row(line, separator);
    csv->style = (struct csv_style){.separator = separator,
                                    .has_decimal_commas = line_has_decimal_comma(*line, separator, NULL, 0)};
    table->info.columns = 0;
    for (struct line rest = *line; line_field(&rest, separator, &field); table->info.columns++)
        names = names && !field_is_number(&csv->style, field) && !word_is_not_finite(field);
    csv->mark_rows = table->info.columns < MARK_NUMBERS ? MARK_NUMBERS / table->info.columns : 1;
    return names;
}

static enum shoal_status survey_rows(struct shoal_table *table, struct survey *survey, struct lines *lines,
                                     struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct line line;
    uint64_t offset;
    for (;;) {
        const char separator = table->info.rows ? csv->style.separator : ' ';
        enum shoal_status status = lines_next(lines, separator, &line, &offset, error);
        if (status || !line.begin)
            return status;
        /* Names may contain a separator that the first row does not: the row decides. */
        const bool names = table->info.rows == 0 && look_at_first_line(table, lines, &line);
        if (names && !survey->looked) {
            survey->looked = true;
            text_append(&survey->names, lines->whole.begin, (size_t)(lines->whole.end - lines->whole.begin));
            continue;
        }
        survey->looked = true;
        const size_t empty = line_empty_end(line, csv->style.separator);
        survey->empty = empty < survey->empty ? empty : survey->empty;
        csv->style.has_decimal_commas =
            csv->style.has_decimal_commas || line_has_decimal_comma(line, csv->style.separator, NULL, 0);
        if (!add_mark(table, offset, lines->line))
            return fail_host_memory(error);
    }
}

/* Cuts a line of names by a separator; false: it has not as many as the rows have numbers. */
static bool has_names(const struct shoal_table *table, struct line whole, char separator, struct line *line)
{
    *line = whole;
    (void)line_is_row(line, separator);
    return line_filled_count(*line, separator) <= table->info.columns &&
           line_field_count(*line, separator) >= table->info.columns;
}

/* Names of columns, by the separator of the rows or their own; without as many there are none. */
static enum shoal_status keep_names(struct shoal_table *table, struct line whole, struct shoal_error *error)
{
    const struct csv *csv = table->state;
    char separator = csv->style.separator;
    struct text scratch = {0};
    struct line line = whole;
    struct word field;
    (void)line_is_row(&line, ' ');
    const char own = line_separator(line);
    if (!has_names(table, whole, separator, &line)) {
        separator = own;
        if (!has_names(table, whole, separator, &line))
            return SHOAL_OK;
    }
    table->names = calloc(table->info.columns, sizeof *table->names);
    bool done = table->names != NULL;
    for (size_t c = 0; done && c < table->info.columns && line_field(&line, separator, &field); c++) {
        field = field_unquote(field, &scratch);
        table->names[c] = strndup(field.begin, (size_t)(field.end - field.begin));
        done = table->names[c] && !scratch.failed;
        if (done)
            text_clean(table->names[c], "");
    }
    text_free(&scratch);
    return done ? SHOAL_OK : fail_host_memory(error);
}

/* What follows from all rows: fields that are empty in each of them, and have no name, are no columns. */
static enum shoal_status close_survey(struct shoal_table *table, const struct survey *survey,
                                      struct shoal_error *error)
{
    const char *const names = survey->names.data;
    const struct line whole = {names, names ? names + survey->names.length : NULL};
    const size_t columns = table->info.columns;
    struct line line = whole;
    if (!table->info.rows) {
        /* Only names, or nothing: columns are counted in a row. */
        table->info.columns = 0;
        return SHOAL_OK;
    }
    size_t named = 0;
    if (whole.begin) {
        const char separator = ((const struct csv *)table->state)->style.separator;
        (void)line_is_row(&line, separator);
        named = line_filled_count(line, separator);
    }
    table->info.columns -= survey->empty < columns ? survey->empty : columns - 1;
    if (table->info.columns < named && named <= columns)
        table->info.columns = named;
    return whole.begin ? keep_names(table, whole, error) : SHOAL_OK;
}

static enum shoal_status survey(struct shoal_table *table, struct shoal_error *error)
{
    struct survey found = {.empty = SIZE_MAX};
    struct lines lines;
    enum shoal_status status = lines_begin(&lines, table, &(struct mark){.offset = 0, .line = 1}, error);
    if (!status)
        status = survey_rows(table, &found, &lines, error);
    if (!status && found.names.failed)
        status = fail_host_memory(error);
    if (!status)
        status = close_survey(table, &found, error);
    lines_end(&lines);
    text_free(&found.names);
    return status;
}

/* Decimal commas of columns that are not in use do not count for the others. */
static enum shoal_status use_columns(struct shoal_table *table, struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct lines lines;
    struct line line;
    uint64_t offset;
    if (!csv->style.has_decimal_commas)
        return SHOAL_OK;
    csv->style.has_decimal_commas = false;
    enum shoal_status status = lines_begin(&lines, table, &csv->marks[0], error);
    for (size_t row = 0; row < table->info.rows && !status && !csv->style.has_decimal_commas; row++) {
        status = lines_next(&lines, csv->style.separator, &line, &offset, error);
        csv->style.has_decimal_commas =
            !status && line.begin &&
            line_has_decimal_comma(line, csv->style.separator, table->used, table->info.columns);
    }
    lines_end(&lines);
    return status;
}

/* Reads all rows once more and keeps the places of those that are left. */
static enum shoal_status drop_missing(struct shoal_table *table, struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct lines lines;
    struct line line;
    const size_t rows = table->info.rows;
    const struct mark first = csv->marks[0];
    uint64_t offset;
    double *numbers = malloc(table->info.columns * sizeof *numbers);
    enum shoal_status status = lines_begin(&lines, table, &first, error);
    if (!status && !numbers)
        status = fail_host_memory(error);
    csv->drops = true;
    table->info.rows = 0;
    for (size_t row = 0; row < rows && !status; row++) {
        bool dropped = false;
        status = lines_next(&lines, csv->style.separator, &line, &offset, error);
        if (!status && !line.begin)
            status = fail(error, SHOAL_IO, "%s: has lost rows while it was read", table->name);
        if (!status)
            status = parse_row(&lines, line, row, numbers, &dropped, error);
        if (!status && !dropped && !add_mark(table, offset, lines.line))
            status = fail_host_memory(error);
    }
    table->info.dropped = rows - table->info.rows;
    lines_end(&lines);
    free(numbers);
    return status;
}

static void close_csv(struct shoal_table *table)
{
    struct csv *csv = table->state;
    if (csv)
        free(csv->marks);
    free(csv);
}

enum shoal_status table_open_csv(struct shoal_table *table, struct shoal_error *error)
{
    char start[4096];
    const size_t count = table->bytes < sizeof start ? (size_t)table->bytes : sizeof start;
    struct csv *csv = calloc(1, sizeof *csv);
    if (!csv)
        return fail_host_memory(error);
    table->state = csv;
    table->close = close_csv;
    table->read = read_csv;
    table->use = use_columns;
    table->drop_missing = drop_missing;
    table->info.format = "csv";
    table->info.type = "text";
    table->info.order = "rows";
    enum shoal_status status = table_read_bytes(table, 0, start, count, error);
    if (!status)
        status = csv_check_text(table->name, start, count, error);
    return status ? status : survey(table, error);
}
