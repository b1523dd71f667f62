/* The reports, with which workloads extend their commands. */
#include "cli/workload.h"

extern const struct report ga_report, gas_report, mlp_report, pso_report, search_report, tsp_report;

const struct report *const cli_reports[] = {
    &ga_report, &gas_report, &mlp_report, &pso_report, &search_report, &tsp_report, NULL,
};
