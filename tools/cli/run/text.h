/* Prints the results of `shoal WORKLOAD` for people: a block for one run; for several a table, and the block
 * of the best row where all solve the same problem. */
#ifndef SHOAL_TOOLS_CLI_RUN_TEXT_H
#define SHOAL_TOOLS_CLI_RUN_TEXT_H

#include "cli/cli.h"

/* At least one of the rows has a result. */
void run_text_print(const struct cli *cli, const struct cli_row *rows, size_t count);

#endif
