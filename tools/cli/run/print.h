/* Prints the results of a run of `shoal WORKLOAD` at its end. */
#ifndef SHOAL_TOOLS_CLI_RUN_PRINT_H
#define SHOAL_TOOLS_CLI_RUN_PRINT_H

#include "cli/run/plan.h"

/* Writes the files that combine all rows, then prints the rows, as JSON or as text. Returns an exit code. */
int run_print(const struct run_plan *plan);

#endif
