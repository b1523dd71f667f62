/* One run divided over several devices: options and table of the parts. */
#ifndef SHOAL_TOOLS_CLI_RUN_SPLIT_H
#define SHOAL_TOOLS_CLI_RUN_SPLIT_H

#include "cli/workload.h"

#include <shoal/split.h>

/* Takes the devices of the call, and --shares, for one run, which has one row. Call run_split_free in any
 * case. Exit code. */
int run_split_make(struct cli *cli, struct shoal_split_params *split);
void run_split_free(struct shoal_split_params *split); /* accepts zeros */

/* Prints for each device the runs that it made, where the run was divided. */
void run_split_print(const struct cli_row *row);

#endif
