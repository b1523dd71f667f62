/* Aligned text tables. */
#include "cli/output/table.h"
#include "cli/output/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { GAP = 2, LEAST_ELASTIC = 8 };

struct row {
    char **cells;
    size_t count;
    bool span; /* the last cell runs over the rest of the row */
};

struct cli_table {
    const struct cli_column *columns;
    size_t column_count;
    struct row *rows;
    size_t row_count;
};

struct cli_table *cli_table_new(const struct cli_column *columns, size_t count)
{
    struct cli_table *table = cli_alloc(sizeof *table);
    table->columns = columns;
    table->column_count = count;
    return table;
}

void cli_table_row(struct cli_table *table)
{
    table->rows = cli_realloc(table->rows, (table->row_count + 1) * sizeof *table->rows);
    table->rows[table->row_count++] =
        (struct row){.cells = cli_alloc(table->column_count * sizeof(char *)), .count = 0};
}

static void add(struct cli_table *table, bool span, const char *format, va_list args)
{
    struct row *row = &table->rows[table->row_count - 1];
    char *text = NULL;
    if (row->count == table->column_count)
        return;
    if (vasprintf(&text, format, args) < 0)
        text = cli_strdup("");
    row->cells[row->count++] = text;
    row->span = span;
}

void cli_table_cell(struct cli_table *table, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(table, false, format, args);
    va_end(args);
}

void cli_table_span(struct cli_table *table, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(table, true, format, args);
    va_end(args);
}

/* Columns of a UTF-8 text, one for each code point. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Bytes of the first `width` code points. */
static size_t prefix_bytes(const char *text, size_t width)
{
    const char *end = text;
    while (*end && (width || ((unsigned char)*end & 0xc0) == 0x80)) {
        width -= ((unsigned char)*end & 0xc0) != 0x80;
        end++;
    }
    return (size_t)(end - text);
}

static size_t terminal_width(FILE *file)
{
    struct winsize size;
    int fd = fileno(file);
    if (fd < 0 || !isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

/* Takes what the terminal lacks from the elastic columns, the widest first. */
static void shrink(const struct cli_table *table, size_t *widths, size_t total, size_t limit)
{
    while (limit && total > limit) {
        size_t widest = table->column_count;
        for (size_t c = 0; c < table->column_count; c++)
            if (table->columns[c].elastic && widths[c] > LEAST_ELASTIC &&
                (widest == table->column_count || widths[c] > widths[widest]))
                widest = c;
        if (widest == table->column_count)
            return;
        widths[widest]--;
        total--;
    }
}

static void print_cell(const char *text, const struct cli_column *column, size_t width, bool last, FILE *file)
{
    size_t length = width_of(text);
    bool cut = length > width;
    size_t shown = cut ? width : length;
    if (column->right)
        fprintf(file, "%*s", (int)(width - shown), "");
    if (cut)
        fprintf(file, "%.*s...", (int)prefix_bytes(text, width - 3), text);
    else
        fputs(text, file);
    if (!last)
        fprintf(file, "%*s", (int)(column->right ? GAP : width - shown + GAP), "");
}

void cli_table_print(const struct cli_table *table, FILE *file)
{
    size_t *widths = cli_alloc(table->column_count * sizeof *widths), total = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        widths[c] = width_of(table->columns[c].title);
        for (size_t r = 0; r < table->row_count; r++) {
            const struct row *row = &table->rows[r];
            if (c < row->count && !(row->span && c + 1 == row->count) && width_of(row->cells[c]) > widths[c])
                widths[c] = width_of(row->cells[c]);
        }
        total += widths[c] + (c ? GAP : 0);
    }
    shrink(table, widths, total, terminal_width(file));
    for (size_t c = 0; c < table->column_count; c++)
        print_cell(table->columns[c].title, &table->columns[c], widths[c], c + 1 == table->column_count,
                   file);
    putc('\n', file);
    for (size_t r = 0; r < table->row_count; r++) {
        const struct row *row = &table->rows[r];
        for (size_t c = 0; c < row->count; c++) {
            bool last = c + 1 == row->count;
            if (last && row->span)
                fputs(row->cells[c], file);
            else
                print_cell(row->cells[c], &table->columns[c], widths[c], last, file);
        }
        putc('\n', file);
    }
    free(widths);
}

void cli_table_free(struct cli_table **pointer)
{
    struct cli_table *table = *pointer;
    if (!table)
        return;
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t c = 0; c < table->rows[r].count; c++)
            free(table->rows[r].cells[c]);
        free(table->rows[r].cells);
    }
    free(table->rows);
    free(table);
    *pointer = NULL;
}
