/* Speed over problem size. */
#ifndef SHOAL_TOOLS_CLI_REPORT_SIZES_H
#define SHOAL_TOOLS_CLI_REPORT_SIZES_H

#include "cli/report/report.h"

/* Draws a chart for each group of cases of the workload that differ by their size alone. */
void sizes_draw(FILE *out, const struct results_report *report, size_t workload);

#endif
