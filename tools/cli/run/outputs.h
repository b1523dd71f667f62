/* Checks the output of a run before its first step, so that no hour of work ends with a file that cannot be
 * written. */
#ifndef SHOAL_TOOLS_CLI_RUN_OUTPUTS_H
#define SHOAL_TOOLS_CLI_RUN_OUTPUTS_H

#include "cli/cli.h"

/* Can every file that options name be written where it is to be, and has the problem what it is to show?
 * Options that would have no effect are refused as well. Exit code. */
int run_outputs_check(const struct cli *cli);

#endif
