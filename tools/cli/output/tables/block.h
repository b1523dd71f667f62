/* Labels and values in lines, with the values aligned. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H

#include <shoal/api.h>
#include <stdio.h>

struct cli_block;
struct cli_block *cli_block_new(void);
/* The key of a document as a label: "force_error" gives "force error". The caller frees it. */
char *cli_label(const char *key);
/* label: may be the key of a document. */
SHOAL_PRINTF(3, 4)
void cli_block_line(struct cli_block *block, const char *label, const char *format, ...);
/* Prints the block. Long values continue in further lines, within the width of the terminal. */
void cli_block_print(const struct cli_block *block, FILE *file);
void cli_block_free(struct cli_block **block);

#endif
