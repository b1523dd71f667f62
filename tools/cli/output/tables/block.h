/* Labels and values in lines, with the values aligned. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H

#include <shoal/api.h>
#include <stdio.h>

struct cli_block;
struct cli_block *cli_block_new(void);
/* Makes a label of a JSON key: "force error" of "force_error". The caller frees the label. */
char *cli_label(const char *key);
/* Adds a line. label: a label or a JSON key. */
SHOAL_PRINTF(3, 4)
void cli_block_line(struct cli_block *block, const char *label, const char *format, ...);
/* Prints the block. Long values continue in further lines, within the width of the terminal. */
void cli_block_print(const struct cli_block *block, FILE *file);
void cli_block_free(struct cli_block **block);

#endif
