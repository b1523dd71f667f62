/* One run divided over several devices: options and table of the parts. */
#ifndef SHOAL_TOOLS_CLI_RUN_SPLIT_H
#define SHOAL_TOOLS_CLI_RUN_SPLIT_H

#include "cli/workload.h"

#include <shoal/split.h>

/* Fills `split` for one run over all devices of `cli`, by --shares and --on, and reduces cli->device_count to
 * 1, since a divided run has one row. Call run_split_free also after a failure. Returns an exit code. */
int run_split_make(struct cli *cli, struct shoal_split_params *split);
void run_split_free(struct shoal_split_params *split); /* accepts zeros */

/* Prints the parts of a divided run: for each device its units and times. */
void run_split_print(const struct cli_row *row);

#endif
