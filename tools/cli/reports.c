/* What commands of single workloads show beyond the others: one line for each workload that has such a
 * module. */
#include "cli/workload.h"

extern const struct workload_output gas_report;

const struct workload_output *const cli_reports[] = {
    &gas_report,
    NULL,
};
