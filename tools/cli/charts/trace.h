/* The samples that several runs of a workload recorded, as one file. */
#ifndef SHOAL_TOOLS_TRACE_H
#define SHOAL_TOOLS_TRACE_H

#include "cli/cli.h"

struct trace_rows {
    const struct cli_row *rows;
    size_t count;
    const void *params; /* of all of them */
    uint64_t interval;  /* steps between the samples */
};

/* Texts that the caller frees; NULL: out of memory. The columns of the samples behind the device. */
char *trace_csv(const struct trace_rows *traces, size_t *bytes);
/* {"schema", "workload", "interval", "traces": [{"device", "trace", "trace_..."}]} of the sampling "trace":
 * its first value, and the others. */
char *trace_json(const struct trace_rows *traces, size_t *bytes);
/* A line for each row: the first value over the steps, with bands between the columns q05 and q95, q25 and
 * q75 where there are such. Exit code. */
int trace_plot(const struct trace_rows *traces, const char *option, const char *path);

#endif
