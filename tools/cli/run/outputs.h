/* What a run is to write, checked before its first step: no hour of work ends with a file that cannot be. */
#ifndef SHOAL_TOOLS_CLI_RUN_OUTPUTS_H
#define SHOAL_TOOLS_CLI_RUN_OUTPUTS_H

#include "cli/cli.h"

/* Can every file that options name be written where it is to be, and has the problem what it is to show?
 * Options that would have no effect are refused as well. Exit code. */
int run_outputs_check(const struct cli *cli);

#endif
