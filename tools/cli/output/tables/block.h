/* Labels and values one below the other, the values aligned. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_BLOCK_H

#include <shoal/api.h>
#include <stdio.h>

struct cli_block;
struct cli_block *cli_block_new(void);
/* The key of a document for people: "force_error" is "force error". free(). */
char *cli_label(const char *key);
/* `label` may be such a key. */
SHOAL_PRINTF(3, 4)
void cli_block_line(struct cli_block *block, const char *label, const char *format, ...);
/* Long values go on below, in the width of the terminal. */
void cli_block_print(const struct cli_block *block, FILE *file);
void cli_block_free(struct cli_block **block);

#endif
