/* The plan of a run of `shoal WORKLOAD`, decided and checked before the first step. */
#ifndef SHOAL_TOOLS_CLI_RUN_PLAN_H
#define SHOAL_TOOLS_CLI_RUN_PLAN_H

#include "cli/workload.h"

#include <shoal/split.h>

struct run_plan {
    struct cli *cli;
    const struct report *report;    /* report of the workload; NULL: there is none */
    struct shoal_run_params params; /* parameters of every run, except its stage and checkpoints */
    /* A row for each device, or for each device and stage, in the order in which they run. Rows of further
     * rounds are added while the plan runs. */
    struct cli_row *rows;
    size_t count;
    /* division of the run with --split; .count 0: the run is not divided */
    struct shoal_split_params split;
    bool is_answered; /* `instead` of the report has done what the user asked for: no run is left to make */
};

/* Makes the plan: parameters, outputs, devices, rows and the files of each row. Call run_plan_free also after
 * a failure. Returns an exit code. */
int run_plan_make(struct cli *cli, struct run_plan *plan);
void run_plan_free(struct run_plan *plan);

/* Makes a row of the plan on a device. */
struct cli_row run_plan_row(const struct run_plan *plan, struct shoal_device *device, const char *label,
                            const struct cli_stage *stage);
/* Returns the values of the command for a row: the values of its stage, if the row has a stage. */
struct cli *run_plan_cli(const struct run_plan *plan, const struct cli_row *row);

#endif
