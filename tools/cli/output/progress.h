/* One line on stderr that is overwritten; only on a terminal and without --quiet. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H
#define SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H

#include <shoal/workload.h>
#include <stdbool.h>

struct cli_progress {
    const char *label;
    const char *name;         /* of the value; NULL: there is none */
    const char *warm_up_name; /* NULL: there is none */
    double limit;             /* seconds after which the run ends; 0 or NaN: none */
    double seconds;           /* of the run, at the last line */
    double value;             /* the last that was known */
    bool any, valued;
    struct shoal_progress first; /* from which the speed is known */
};
void cli_progress_enable(bool enable);
/* What the terminal has no room for is left out. */
SHOAL_PRINTF(1, 2) void cli_progress_show(const char *format, ...);
void cli_progress_clear(void);
/* `data` is a struct cli_progress; fits shoal_run_params.progress. */
void cli_progress_steps(void *data, const struct shoal_progress *progress);

#endif
