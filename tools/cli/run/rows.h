/* Runs the rows of a plan one after another. */
#ifndef SHOAL_TOOLS_CLI_RUN_ROWS_H
#define SHOAL_TOOLS_CLI_RUN_ROWS_H

#include "cli/run/plan.h"

/* Runs the rows of the plan: on each device its stages, or the rounds of the report, which add rows. A row
 * that fails keeps the error, and the next rows run. Returns the exit code of the first failure. */
int run_rows(struct run_plan *plan);

#endif
