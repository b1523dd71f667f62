/* Tables in text form. Opening a table counts the rows and records where some of the rows begin. Numbers are
 * parsed when a caller reads rows, from the nearest recorded row on. */
#include "io/table.h"
#include "base/counted.h"
#include "base/error.h"
#include "io/csv/notation.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_NUMBERS = 256, LINE_LIMIT = 1 << 28 };

struct mark {
    uint64_t offset; /* offset of the row in the file, in bytes */
    size_t line;     /* line number, from 1 */
};

struct csv {
    struct csv_style style;
    struct mark *marks; /* a mark for each row whose number is a multiple of mark_rows */
    /* rows from one mark to the next, few enough that skipping rows up to a given row is cheap */
    size_t mark_rows;
    size_t mark_room;
    bool drops; /* rows with missing values are left out */
    struct csv_missing missing;
    bool may_have_names; /* the first line was taken for a row, by its content */
    size_t first_line;   /* line number of the first row */
    struct csv_notations notations;
    pthread_mutex_t lock; /* guards the notations: several threads read rows */
};

/* Goes through a file line by line. */
struct lines {
    const struct shoal_table *table;
    char *buffer; /* capacity + 1 bytes, a NUL at `end` */
    size_t capacity, start, end;
    uint64_t offset; /* file offset of buffer[0] */
    size_t line;     /* number of the line that was got last */
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

/* Reads more of the file into the buffer, after the part that is still needed. */
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

/* Gives the next line, unchanged; line->begin NULL: there is none. */
static enum shoal_status lines_next_whole(struct lines *lines, struct line *line, uint64_t *offset,
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
        if (*offset == 0 && end - begin >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
            begin += 3; /* skips a byte order mark */
        *line = (struct line){begin, end};
        return SHOAL_OK;
    }
}

/* Gives the next row, as line_is_row defines it; line->begin NULL: there is none. */
static enum shoal_status lines_next(struct lines *lines, char separator, struct line *line, uint64_t *offset,
                                    struct shoal_error *error)
{
    enum shoal_status status;
    do
        status = lines_next_whole(lines, line, offset, error);
    while (!status && line->begin && !line_is_row(line, separator));
    return status;
}

/* State of a csv_text that gives the lines of a file. */
struct walk {
    const struct shoal_table *table;
    struct lines lines;
};

static enum shoal_status walk_next(void *state, struct line *line, struct shoal_error *error)
{
    uint64_t offset;
    return lines_next_whole(&((struct walk *)state)->lines, line, &offset, error);
}

static enum shoal_status walk_rewind(void *state, struct shoal_error *error)
{
    struct walk *walk = state;
    lines_end(&walk->lines);
    return lines_begin(&walk->lines, walk->table, &(struct mark){.offset = 0, .line = 1}, error);
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

static enum shoal_status bad_number(const struct lines *lines, size_t row, size_t column, struct word field,
                                    struct word content, struct shoal_error *error)
{
    const struct csv *csv = lines->table->state;
    double value;
    if (word_is_not_finite(content))
        return bad_field(lines, row, column, field, "is not finite", error);
    if (row == 0 && csv->may_have_names &&
        field_kind(&csv->style, &csv->missing, field, &value) == FIELD_WORD)
        return bad_field(lines, row, column, field,
                         "is not a number; if the first line has names of columns, give --header yes", error);
    return bad_field(lines, row, column, field, "is not a number", error);
}

/* Reads a number that is not plain, in the notation of its column. */
static enum shoal_status read_amount(const struct shoal_table *table, size_t column, struct word content,
                                     struct csv_reading *reading, struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct walk walk = {.table = table};
    const struct csv_text text = {table->name, walk_next, walk_rewind, &walk};
    pthread_mutex_lock(&csv->lock);
    csv->notations.text = &text;
    csv->notations.missing = &csv->missing;
    csv->notations.style = csv->style;
    csv->notations.first_line = csv->first_line;
    csv->notations.columns = table->info.columns;
    enum shoal_status status = csv_notation_read(&csv->notations, column, content, reading, error);
    csv->notations.text = NULL;
    pthread_mutex_unlock(&csv->lock);
    lines_end(&walk.lines);
    return status;
}

/* Parses a field that is not missing. */
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
    if (!field_number(&csv->style, content, value)) {
        struct csv_reading reading;
        enum shoal_status status = read_amount(lines->table, column, content, &reading, error);
        if (status)
            return status;
        if (reading.verdict == CSV_AMOUNT_FAULT)
            return bad_field(lines, row, column, field, reading.fault, error);
        if (reading.verdict == CSV_WORD)
            return bad_number(lines, row, column, field, content, error);
        *value = reading.value;
    }
    return isfinite(*value) ? SHOAL_OK : bad_field(lines, row, column, field, "is not finite", error);
}

/* Reads the numbers of a row. *dropped: a number is missing, and rows with missing numbers are left out. */
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
        if (!field_is_missing(&csv->missing, field))
            status = parse_field(lines, row, c, field, &out[c], error);
        else if (csv->drops)
            *dropped = true;
        else
            status = bad_field(lines, row, c, field,
                               "is missing: fill it in, or have such rows left out by --missing drop", error);
    }
    if (status)
        return status;
    c += line_filled_count(line, csv->style.separator);
    if (c != table->info.columns)
        return fail(error, SHOAL_IO, "%s: row %zu (line %zu) has %s, the first line has %zu", table->name,
                    row + 1, lines->line, counted(c, "column").s, table->info.columns);
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

/* Counts the rows from line `first_line` on, and notes where they begin. */
static enum shoal_status survey_rows(struct shoal_table *table, size_t first_line, struct lines *lines,
                                     struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct line line;
    uint64_t offset;
    for (;;) {
        enum shoal_status status = lines_next(lines, csv->style.separator, &line, &offset, error);
        if (status || !line.begin)
            return status;
        if (lines->line < first_line)
            continue;
        csv->style.has_decimal_commas =
            csv->style.has_decimal_commas || line_has_decimal_comma(line, csv->style.separator, NULL, 0);
        if (!add_mark(table, offset, lines->line))
            return fail_host_memory(error);
    }
}

/* Moves style, names, entries and notes from the head to the table. */
static void take_head(struct shoal_table *table, struct csv_head *head)
{
    struct csv *csv = table->state;
    csv->style = head->style;
    csv->may_have_names = !csv_head_has_names(head) && head->reason != CSV_ROW_ASKED;
    csv->mark_rows = head->columns && head->columns < MARK_NUMBERS ? MARK_NUMBERS / head->columns : 1;
    table->info.columns = head->columns;
    table->names = head->names;
    table->entries = head->entries;
    table->entry_count = head->entry_count;
    table->notes = head->notes;
    table->has_index = head->has_index;
    *head = (struct csv_head){.names = NULL};
}

/* Adds a note on each column whose number in the first row is not plain. */
static enum shoal_status note_amounts(struct shoal_table *table, struct shoal_error *error)
{
    const struct csv *csv = table->state;
    struct lines lines;
    struct line line;
    struct word field;
    uint64_t offset;
    enum shoal_status status = lines_begin(&lines, table, &csv->marks[0], error);
    if (!status)
        status = lines_next(&lines, csv->style.separator, &line, &offset, error);
    for (size_t c = 0; c < table->info.columns && !status && line_field(&line, csv->style.separator, &field);
         c++) {
        struct csv_reading reading;
        if (field_is_missing(&csv->missing, field) || field_is_number(&csv->style, field))
            continue;
        status = read_amount(table, c, field_inside(field), &reading, error);
        if (!status && reading.verdict == CSV_AMOUNT &&
            !csv_notation_note(&csv->notations, table->name, c, table->names ? table->names[c] : NULL, "",
                               &table->notes))
            status = fail_host_memory(error);
    }
    lines_end(&lines);
    return status;
}

static enum shoal_status survey(struct shoal_table *table, enum shoal_header header,
                                struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct walk walk = {.table = table};
    const struct csv_text text = {table->name, walk_next, walk_rewind, &walk};
    const struct csv_rules rules = {.header = header, .missing = &csv->missing};
    struct csv_head head;
    enum shoal_status status = csv_head_read(&text, &rules, &head, error);
    const size_t first_line = head.first_line;
    if (!status && first_line) {
        take_head(table, &head);
        status = walk_rewind(&walk, error);
        if (!status)
            status = survey_rows(table, first_line, &walk.lines, error);
        csv->first_line = first_line;
        if (!status)
            status = note_amounts(table, error);
    }
    csv_head_free(&head);
    lines_end(&walk.lines);
    return status;
}

/* Searches for a decimal comma again, now only in the columns in use. */
static enum shoal_status use_columns(struct shoal_table *table, struct shoal_error *error)
{
    struct csv *csv = table->state;
    struct lines lines;
    struct line line;
    uint64_t offset;
    if (!csv->style.has_decimal_commas)
        return SHOAL_OK;
    csv->style.has_decimal_commas = false;
    csv_notations_free(&csv->notations);
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

/* Reads all rows again, and keeps only the rows without missing values. */
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
    if (csv) {
        free(csv->marks);
        csv_missing_free(&csv->missing);
        csv_notations_free(&csv->notations);
        pthread_mutex_destroy(&csv->lock);
    }
    free(csv);
}

enum shoal_status table_open_csv(struct shoal_table *table, const struct shoal_table_params *params,
                                 struct shoal_error *error)
{
    char start[4096];
    const size_t count = table->bytes < sizeof start ? (size_t)table->bytes : sizeof start;
    struct csv *csv = calloc(1, sizeof *csv);
    if (!csv)
        return fail_host_memory(error);
    pthread_mutex_init(&csv->lock, NULL);
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
    if (!status)
        status = csv_missing_read(params->missing_values, &csv->missing, error);
    return status ? status : survey(table, (enum shoal_header)params->header, error);
}
