/* shoal tsp --problems: many problems in one call. */
#ifndef SHOAL_TOOLS_CLI_TSP_PROBLEMS_H
#define SHOAL_TOOLS_CLI_TSP_PROBLEMS_H

#include "cli/cli.h"

/* Refuses options that --problems cannot have beside it. Returns an exit code. */
int tsp_check_problems(const struct cli *cli);
/* Runs the problems that `path` names, and prints a line for each. Returns an exit code: CLI_FAILURE if a
 * problem failed. */
int tsp_run_problems(struct cli *cli, const char *path);

#endif
