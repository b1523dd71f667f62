/* Prints the results of `shoal WORKLOAD` for people: a block for one run; for several runs a table, and the
 * block of the best row if all runs solve the same problem. */
#ifndef SHOAL_TOOLS_CLI_RUN_TEXT_H
#define SHOAL_TOOLS_CLI_RUN_TEXT_H

#include "cli/cli.h"

/* Prints the rows, of which at least one must have a result. */
void run_text_print(const struct cli *cli, const struct cli_row *rows, size_t count);

#endif
