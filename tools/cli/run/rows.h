/* The rows of a plan, run one after the other. */
#ifndef SHOAL_TOOLS_CLI_RUN_ROWS_H
#define SHOAL_TOOLS_CLI_RUN_ROWS_H

#include "cli/run/plan.h"

/* Runs the rows of the plan: on each device its stages, or the rounds of the workload's module, whose rows
 * are added. A row that fails keeps the reason; the others go on. Exit code: the code of the first failure.
 */
int run_rows(struct run_plan *plan);

#endif
