/* Tables with aligned columns in the width of the terminal. Columns without values are not shown. If all of
 * several rows have the same value in a column, a line above the table has this value, and the column is not
 * shown. If a table is wider than the terminal, names are shortened in the middle, then columns are left out,
 * which a line below the table lists. */
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
    bool stays;     /* shown even if all values are equal, as the first column always is */
    bool wraps;     /* the last column: long texts continue in further lines */
    unsigned least; /* least width of the column when texts are shortened; 0: texts are not shortened */
    /* columns are left out from the highest rank on if the table does not fit; 0: never left out */
    unsigned rank;
};
struct cli_table *cli_table_new(const struct cli_column *columns, size_t count);
void cli_table_row(struct cli_table *table);
/* Adds the next cell of the row. Missing cells are empty; "-": no value. */
SHOAL_PRINTF(2, 3) void cli_table_cell(struct cli_table *table, const char *format, ...);
/* Adds a text over the rest of the row, for example the reason why a device failed. */
SHOAL_PRINTF(2, 3) void cli_table_span(struct cli_table *table, const char *format, ...);
void cli_table_print(const struct cli_table *table, FILE *file);
/* Adds the first row to a block, one line for each cell: the form for a single run. */
void cli_table_add_to(const struct cli_table *table, struct cli_block *block);
void cli_table_free(struct cli_table **table);

#endif
