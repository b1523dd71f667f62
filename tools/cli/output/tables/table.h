/* Aligned columns in the width of the terminal. Columns without a value are not shown, nor are those that are
 * equal in all of several rows: a line above the table has their values. Where a table is wider than the
 * terminal, names are shortened in the middle, then columns are left out, which a line below says. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_TABLE_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_TABLE_H

#include "cli/output/tables/block.h"

#include <shoal/api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_table;
struct cli_column {
    const char *title;
    bool right;     /* align right: numbers */
    bool stays;     /* also where it is equal in all rows, as the first column does */
    bool wraps;     /* the last column: long texts go on below */
    unsigned least; /* may be shortened to that many columns; 0: not */
    unsigned rank;  /* left out where the table does not fit, the highest rank first; 0: never */
};
struct cli_table *cli_table_new(const struct cli_column *columns, size_t count);
void cli_table_row(struct cli_table *table);
/* Next cell of the row; missing cells are empty. "-": no value. */
SHOAL_PRINTF(2, 3) void cli_table_cell(struct cli_table *table, const char *format, ...);
/* Text over the rest of the row, e.g. the reason why a device failed. */
SHOAL_PRINTF(2, 3) void cli_table_span(struct cli_table *table, const char *format, ...);
void cli_table_print(const struct cli_table *table, FILE *file);
/* The first row as lines of a block, which is the form of a single run. */
void cli_table_add_to(const struct cli_table *table, struct cli_block *block);
void cli_table_free(struct cli_table **table);

#endif
