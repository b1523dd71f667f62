/* What commands of single workloads show beyond the others: one line for each workload that has such a
 * module. */
#include "cli/workload.h"

extern const struct report ga_report, gas_report, mlp_report, pso_report, tsp_report;

const struct report *const cli_reports[] = {
    &ga_report, &gas_report, &mlp_report, &pso_report, &tsp_report, NULL,
};
