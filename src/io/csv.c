/* Tables in text form. Opening counts the rows and notes where some of them begin; numbers are parsed when
 * they are read, from there on. */
#include "base/error.h"
#include "io/cursor.h"
#include "io/decimal.h"
#include "io/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_NUMBERS = 256, LINE_LIMIT = 1 << 28 };

struct mark {
    uint64_t offset; /* in the file */
    size_t line;     /* its number, from 1 */
};

struct csv {
    char separator;     /* ',' ';' or ' ', which means any number of blanks and tabs */
    struct mark *marks; /* of every row whose number is a multiple of mark_rows() */
    size_t mark_room;
};

/* Small enough that skipping the rows before a given one is cheap, whatever their length. */
static size_t mark_rows(const struct shoal_table *table)
{
    return table->info.columns < MARK_NUMBERS ? MARK_NUMBERS / table->info.columns : 1;
}

/* Goes through a file line by line. */
struct lines {
    const struct shoal_table *table;
    char *buffer; /* capacity + 1 bytes */
    size_t capacity, start, end;
    uint64_t offset; /* of buffer[0] */
    size_t line;     /* number of the line that was got last */
};

static enum shoal_status lines_begin(struct lines *lines, const struct shoal_table *table,
                                     const struct mark *mark, struct shoal_error *error)
{
    *lines =
        (struct lines){.table = table, .offset = mark->offset, .line = mark->line - 1, .capacity = 65536};
    lines->buffer = malloc(lines->capacity + 1);
    return lines->buffer ? SHOAL_OK : fail_host_memory(error);
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
    return status;
}

/* The next line that is neither a comment nor empty, without line end and surrounding blanks; *text NULL: no
 * more. The byte behind it may be written to. */
static enum shoal_status lines_next(struct lines *lines, char **text, char **text_end, uint64_t *offset,
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
        *text = NULL;
        if (!feed && lines->start == lines->end)
            return SHOAL_OK;
        char *end = feed ? feed : lines->buffer + lines->end;
        *offset = lines->offset + lines->start;
        lines->start = (size_t)(end - lines->buffer) + (feed != NULL);
        lines->line++;
        searched = 0;
        if (*offset == 0 && end - begin >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
            begin += 3; /* byte order mark */
        while (begin < end && (*begin == ' ' || *begin == '\t'))
            begin++;
        while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
            end--;
        if (begin == end || *begin == '#')
            continue;
        *text = begin;
        *text_end = end;
        return SHOAL_OK;
    }
}

/* One field of a line: text from `begin` to `end`, without surrounding blanks. Returns where the next one
 * begins, NULL after the last. */
static char *field(char separator, char *begin, char *line_end, char **end)
{
    char *stop = begin;
    if (separator == ' ') {
        while (stop < line_end && *stop != ' ' && *stop != '\t')
            stop++;
    } else {
        stop = memchr(begin, separator, (size_t)(line_end - begin));
        stop = stop ? stop : line_end;
    }
    *end = stop;
    while (*end > begin && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        --*end;
    if (stop == line_end)
        return NULL;
    for (stop++; stop < line_end && (*stop == ' ' || *stop == '\t');)
        stop++;
    return stop;
}

/* False where the field is not one number; nan and inf are numbers here. */
static bool parse_number(char *begin, char *end, double *value)
{
    const char kept = *end;
    *end = '\0';
    const bool is_number = begin < end && decimal_read(begin, value) == end;
    *end = kept;
    if (is_number || !word_is_not_finite((struct word){begin, end}))
        return is_number;
    *value = NAN;
    return true;
}

static enum shoal_status bad_field(const struct lines *lines, size_t row, size_t column, const char *begin,
                                   const char *end, const char *what, struct shoal_error *error)
{
    const char *name = lines->table->names ? lines->table->names[column] : NULL;
    char shown[32];
    size_t length = (size_t)(end - begin);
    if (length >= sizeof shown)
        length = sizeof shown - 1;
    for (size_t i = 0; i < length; i++)
        shown[i] = begin[i] < ' ' || begin[i] == 0x7f ? '?' : begin[i];
    shown[length] = '\0';
    return fail(error, SHOAL_IO, "%s: row %zu (line %zu), column %zu%s%.40s%s: '%s' is %s",
                lines->table->name, row + 1, lines->line, column + 1, name ? " (" : "", name ? name : "",
                name ? ")" : "", shown, what);
}

static enum shoal_status parse_row(const struct lines *lines, char *text, char *text_end, size_t row,
                                   double *out, struct shoal_error *error)
{
    const struct csv *csv = lines->table->state;
    const size_t columns = lines->table->info.columns;
    size_t c = 0;
    for (char *next = text, *end; next; c++) {
        char *begin = next;
        next = field(csv->separator, begin, text_end, &end);
        if (c >= columns)
            continue;
        if (lines->table->used && !lines->table->used[c]) {
            out[c] = 0;
            continue;
        }
        if (!parse_number(begin, end, &out[c]))
            return bad_field(lines, row, c, begin, end, begin == end ? "empty" : "not a number", error);
        if (!isfinite(out[c]))
            return bad_field(lines, row, c, begin, end, "not finite", error);
    }
    if (c != columns)
        return fail(error, SHOAL_IO, "%s: row %zu (line %zu) has %zu column%s, the first row has %zu",
                    lines->table->name, row + 1, lines->line, c, c == 1 ? "" : "s", columns);
    return SHOAL_OK;
}

static enum shoal_status read_csv(const struct shoal_table *table, size_t first, size_t count, double *out,
                                  struct shoal_error *error)
{
    const struct csv *csv = table->state;
    struct lines lines = {.buffer = NULL};
    char *text, *end;
    uint64_t offset;
    if (!count)
        return SHOAL_OK;
    const size_t step = mark_rows(table), mark = first / step;
    enum shoal_status status = lines_begin(&lines, table, &csv->marks[mark], error);
    for (size_t row = mark * step; row < first + count && !status; row++) {
        status = lines_next(&lines, &text, &end, &offset, error);
        if (!status && !text)
            status = fail(error, SHOAL_IO, "%s: has lost rows while it was read", table->name);
        if (!status && row >= first)
            status = parse_row(&lines, text, end, row, out + (row - first) * table->info.columns, error);
    }
    free(lines.buffer);
    return status;
}

static bool add_mark(const struct shoal_table *table, uint64_t offset, size_t line)
{
    struct csv *csv = table->state;
    const size_t row = table->info.rows, step = mark_rows(table), index = row / step;
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

/* Finds the separator and the number of columns; true where no field is a number: a line of names. */
static bool look_at_first_line(struct shoal_table *table, char *text, char *text_end)
{
    struct csv *csv = table->state;
    const size_t length = (size_t)(text_end - text);
    bool names = true;
    double value;
    csv->separator = memchr(text, ';', length) ? ';' : memchr(text, ',', length) ? ',' : ' ';
    table->info.columns = 0;
    for (char *next = text, *end; next; table->info.columns++) {
        char *begin = next;
        next = field(csv->separator, begin, text_end, &end);
        names = names && !parse_number(begin, end, &value);
    }
    return names;
}

/* As `field`, where separators in quotation marks are part of the name. */
static char *name_field(char separator, char *begin, char *line_end, char **end)
{
    char *quote = *begin == '"' ? memchr(begin + 1, '"', (size_t)(line_end - begin) - 1) : NULL;
    return field(separator, quote ? quote : begin, line_end, end);
}

/* Without the quotation marks round it. */
static char *copy_name(const char *begin, const char *end)
{
    const bool quoted = end - begin >= 2 && *begin == '"' && end[-1] == '"';
    char *name = strndup(begin + quoted, (size_t)(end - begin) - 2 * quoted);
    if (name)
        text_clean(name, "");
    return name;
}

/* Divides the line of names, if it has as many as the rows have numbers; false: out of memory. */
static bool take_names(struct shoal_table *table, char *line)
{
    const struct csv *csv = table->state;
    char *line_end = line + strlen(line), *end;
    size_t count = 0;
    for (char *next = line; next; count++)
        next = name_field(csv->separator, next, line_end, &end);
    if (count != table->info.columns)
        return true;
    table->names = calloc(count, sizeof *table->names);
    bool done = table->names != NULL;
    size_t c = 0;
    for (char *next = line; next && done; c++) {
        char *begin = next;
        next = name_field(csv->separator, begin, line_end, &end);
        done = (table->names[c] = copy_name(begin, end)) != NULL;
    }
    return done;
}

static enum shoal_status count_rows(struct shoal_table *table, struct shoal_error *error)
{
    struct lines lines;
    char *text, *end;
    uint64_t offset;
    char *names = NULL;
    enum shoal_status status = lines_begin(&lines, table, &(struct mark){.offset = 0, .line = 1}, error);
    while (!status) {
        status = lines_next(&lines, &text, &end, &offset, error);
        if (status || !text)
            break;
        /* Names may contain a separator that the first row does not: the row decides. */
        if (table->info.rows == 0) {
            const bool is_names = look_at_first_line(table, text, end);
            if (is_names && !names) {
                names = strndup(text, (size_t)(end - text));
                status = names ? SHOAL_OK : fail_host_memory(error);
                continue;
            }
            if (names && !take_names(table, names))
                status = fail_host_memory(error);
        }
        if (!status && !add_mark(table, offset, lines.line))
            status = fail_host_memory(error);
        table->info.rows++;
    }
    free(names);
    free(lines.buffer);
    /* Only names, or nothing: columns are counted in a row. */
    if (!table->info.rows)
        table->info.columns = 0;
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
    struct csv *csv = calloc(1, sizeof *csv);
    if (!csv)
        return fail_host_memory(error);
    table->state = csv;
    table->close = close_csv;
    table->read = read_csv;
    table->info.format = "csv";
    table->info.type = "text";
    table->info.order = "rows";
    return count_rows(table, error);
}
