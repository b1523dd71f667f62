/* Aligned columns. On a narrow terminal elastic columns are truncated with "...". */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLE_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLE_H

#include <shoal/api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_table;
struct cli_column {
    const char *title;
    bool right;   /* align right: numbers */
    bool elastic; /* may be cut */
};
struct cli_table *cli_table_new(const struct cli_column *columns, size_t count);
void cli_table_row(struct cli_table *table);
/* Next cell of the row; missing cells are empty. */
SHOAL_PRINTF(2, 3) void cli_table_cell(struct cli_table *table, const char *format, ...);
/* Text over the rest of the row, e.g. the reason why a device failed. */
SHOAL_PRINTF(2, 3) void cli_table_span(struct cli_table *table, const char *format, ...);
void cli_table_print(const struct cli_table *table, FILE *file);
void cli_table_free(struct cli_table **table);

#endif
