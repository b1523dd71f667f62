/* Aligned text tables. */
#include "cli/output/tables/table.h"
#include "base/text.h"
#include "cli/output/tables/layout.h"
#include "cli/output/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_TEXT = 24 };

struct row {
    char **cells;
    size_t count;
    bool span; /* the last cell takes the rest of the row */
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
    if (row->count == table->column_count)
        return;
    char *text = cli_vsprintf(format, args);
    text_clean(text, "");
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

/* The text of a cell; NULL: the row has no value in this column. */
static const char *cell_of(const struct row *row, size_t column)
{
    const bool is_span = row->span && column + 1 == row->count;
    return column < row->count && !is_span ? row->cells[column] : NULL;
}

static bool is_value(const char *cell)
{
    return cell && *cell && strcmp(cell, "-") != 0;
}

/* Layout ----------------------------------------------------------------------------------------- */

struct layout {
    const struct cli_table *table;
    size_t limit;
    bool *shown;
    size_t *widths, total;
};

static bool is_empty(const struct cli_table *table, size_t column)
{
    for (size_t r = 0; r < table->row_count; r++)
        if (is_value(cell_of(&table->rows[r], column)))
            return false;
    return table->row_count > 0;
}

static bool is_equal(const struct cli_table *table, size_t column)
{
    const struct cli_column *described = &table->columns[column];
    if (table->row_count < 2 || column == 0 || described->stays || !*described->title)
        return false;
    const char *first = cell_of(&table->rows[0], column);
    for (size_t r = 0; r < table->row_count; r++) {
        const char *cell = cell_of(&table->rows[r], column);
        if (!is_value(cell) || strcmp(cell, first) != 0)
            return false;
    }
    return true;
}

/* Chooses the columns to show. Returns a line with the columns whose values are equal in all rows, which are
 * not shown; NULL: there are none. The caller frees the line. */
static char *choose(struct layout *layout)
{
    const struct cli_table *table = layout->table;
    char *line = NULL;
    for (size_t c = 0; c < table->column_count; c++) {
        const bool equal = is_equal(table, c);
        layout->shown[c] = !equal && !is_empty(table, c);
        if (!equal)
            continue;
        char *longer = cli_sprintf("%s %s %s", line ? line : "In all rows:", table->columns[c].title,
                                   table->rows[0].cells[c]);
        free(line);
        line = cli_sprintf("%s;", longer);
        free(longer);
    }
    if (line)
        line[strlen(line) - 1] = '\0';
    return line;
}

static void measure(struct layout *layout)
{
    const struct cli_table *table = layout->table;
    layout->total = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (!layout->shown[c])
            continue;
        layout->widths[c] = cli_columns(table->columns[c].title);
        for (size_t r = 0; r < table->row_count; r++) {
            const char *cell = cell_of(&table->rows[r], c);
            if (cell && cli_columns(cell) > layout->widths[c])
                layout->widths[c] = cli_columns(cell);
        }
        layout->total += layout->widths[c] + (layout->total ? GAP : 0);
    }
}

/* Least width of a column. */
static size_t least_width(const struct cli_column *column)
{
    const size_t title = cli_columns(column->title), least = column->wraps ? LEAST_TEXT : column->least;
    return least > title ? least : title;
}

/* Shortens columns that may be shortened, the widest first, until the table fits the terminal. */
static void shrink(struct layout *layout)
{
    const struct cli_table *table = layout->table;
    while (layout->total > layout->limit) {
        size_t widest = table->column_count;
        for (size_t c = 0; c < table->column_count; c++) {
            const struct cli_column *column = &table->columns[c];
            if (layout->shown[c] && (column->least || column->wraps) &&
                layout->widths[c] > least_width(column) &&
                (widest == table->column_count || layout->widths[c] > layout->widths[widest]))
                widest = c;
        }
        if (widest == table->column_count)
            return;
        layout->widths[widest]--;
        layout->total--;
    }
}

/* Makes the table fit the terminal. Returns a line that names the columns left out; NULL: none is left out.
 * The caller frees the line. */
static char *fit(struct layout *layout)
{
    const struct cli_table *table = layout->table;
    char *names = NULL;
    for (;;) {
        size_t out = table->column_count;
        measure(layout);
        shrink(layout);
        for (size_t c = 0; c < table->column_count; c++)
            if (layout->shown[c] && table->columns[c].rank &&
                (out == table->column_count || table->columns[c].rank > table->columns[out].rank))
                out = c;
        if (layout->total <= layout->limit || out == table->column_count)
            break;
        layout->shown[out] = false;
        char *longer =
            cli_sprintf("%s%s%s", names ? names : "", names ? ", " : "", table->columns[out].title);
        free(names);
        names = longer;
    }
    char *line =
        names ? cli_sprintf("Not shown in %zu columns: %s; --json has all.", layout->limit, names) : NULL;
    free(names);
    return line;
}

/* Printing ---------------------------------------------------------------------------------------------- */

/* Prints one line of the table: `row`; NULL: the titles. */
static void print_line(const struct layout *layout, const struct row *row, FILE *file)
{
    const struct cli_table *table = layout->table;
    size_t at = 0, place = 0; /* place: the column of text where the next cell begins */
    for (size_t c = 0; c < table->column_count; c++) {
        const char *cell = row ? cell_of(row, c) : table->columns[c].title;
        if (row && row->span && c + 1 == row->count) {
            const bool fits =
                cli_columns(row->cells[c]) + place <= layout->limit || place + LEAST_TEXT <= layout->limit;
            if (!fits)
                putc('\n', file);
            fprintf(file, "%*s", (int)(fits ? place - at : 2 * GAP), "");
            cli_wrap(file, row->cells[c], fits ? place : 2 * GAP, fits ? place : 2 * GAP, layout->limit);
            break;
        }
        if (!layout->shown[c])
            continue;
        const size_t width = layout->widths[c];
        if (cell && *cell && table->columns[c].wraps) {
            fprintf(file, "%*s", (int)(place - at), "");
            cli_wrap(file, cell, place, place, place + width);
        } else if (cell && *cell) {
            char *text = cli_shortened(cell, width);
            const size_t begin = place + (table->columns[c].right ? width - cli_columns(text) : 0);
            fprintf(file, "%*s%s", (int)(begin - at), "", text);
            at = begin + cli_columns(text);
            free(text);
        }
        place += width + GAP;
    }
    putc('\n', file);
}

void cli_table_print(const struct cli_table *table, FILE *file)
{
    struct layout layout = {.table = table,
                            .limit = cli_width(file),
                            .shown = cli_alloc(table->column_count * sizeof *layout.shown),
                            .widths = cli_alloc(table->column_count * sizeof *layout.widths)};
    char *equal = choose(&layout), *left_out = fit(&layout);
    if (equal) {
        cli_paragraph(file, GAP, equal);
        putc('\n', file);
    }
    print_line(&layout, NULL, file);
    for (size_t r = 0; r < table->row_count; r++)
        print_line(&layout, &table->rows[r], file);
    if (left_out)
        cli_paragraph(file, GAP, left_out);
    free(equal);
    free(left_out);
    free(layout.shown);
    free(layout.widths);
}

void cli_table_add_to(const struct cli_table *table, struct cli_block *block)
{
    for (size_t c = 0; c < table->column_count && table->row_count; c++) {
        const char *cell = cell_of(&table->rows[0], c);
        if (is_value(cell))
            cli_block_line(block, table->columns[c].title, "%s", cell);
    }
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
