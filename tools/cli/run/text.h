/* The results of `shoal WORKLOAD` for people: a block for one run; a table for several, and
 * the block of the best one where they solve one problem. */
#ifndef SHOAL_TOOLS_CLI_RUN_TEXT_H
#define SHOAL_TOOLS_CLI_RUN_TEXT_H

#include "cli/cli.h"

/* Rows of which one has a result. */
void run_text_print(const struct cli *cli, const struct cli_row *rows, size_t count);

#endif
