/* The samples of several runs of a workload in one chart. */
#ifndef SHOAL_TOOLS_TRACE_H
#define SHOAL_TOOLS_TRACE_H

#include "cli/cli.h"

struct trace_rows {
    const struct cli_row *rows;
    size_t count;
    const void *params; /* parameters that are the same for all rows */
};

/* Draws a curve for each row: the first column of values over the steps, with bands between the columns q05
 * and q95 and between q25 and q75, if the samples have these. Returns an exit code. */
int trace_plot(const struct trace_rows *traces, const char *option, const char *path);

#endif
