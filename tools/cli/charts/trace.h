/* Traces of a run as files: the fields "trace" and "trace_..." of each row, entry i of which is the headline
 * figure after i * interval steps. The makers return a text that the caller frees, NULL without memory. */
#ifndef SHOAL_TOOLS_TRACE_H
#define SHOAL_TOOLS_TRACE_H

#include "cli/cli.h"

struct trace_rows {
    const struct cli_row *rows;
    size_t count;
    uint64_t interval;
};

/* NULL: the row has no such field. */
const struct shoal_field *trace_field(const struct cli_row *row, const char *name);

/* device,step,value and, where there are several runs, a column for each further curve. */
char *trace_csv(const struct trace_rows *traces, size_t *bytes);
/* {"schema", "workload", "interval", "traces": [{"device", "trace", "trace_..."}]} */
char *trace_json(const struct trace_rows *traces, size_t *bytes);
/* plot.c: a line for each row, with bands of its quantiles if it has them, under `title`. */
char *trace_svg(const struct trace_rows *traces, const char *title, size_t *bytes);

#endif
