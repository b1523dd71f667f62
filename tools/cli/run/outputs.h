/* Checks the outputs of a run before its first step, so that a long run does not end with a file that cannot
 * be written. */
#ifndef SHOAL_TOOLS_CLI_RUN_OUTPUTS_H
#define SHOAL_TOOLS_CLI_RUN_OUTPUTS_H

#include "cli/cli.h"

/* Checks that every output file can be written, and that the problem has the data that the files show.
 * Refuses options that would have no effect. Returns an exit code. */
int run_outputs_check(const struct cli *cli);

#endif
