/* Shows on stderr how far a command is: on a terminal in one line that is overwritten, elsewhere in a line
 * now and then. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H
#define SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H

#include "cli/output/progress_line.h"

enum cli_progress_kind { CLI_PROGRESS_AUTO, CLI_PROGRESS_YES, CLI_PROGRESS_NO };
extern const char *const cli_progress_names[]; /* "auto", "yes", "no", NULL */

/* AUTO: unless `quiet`; where stderr is no terminal the first line comes after 10 s, then one a minute. YES:
 * whether or not `quiet`; where stderr is no terminal the first line comes at once, then one every 10 s. */
void cli_progress_enable(enum cli_progress_kind kind, bool quiet);
/* After the last call of the others: ends the thread that waits for the time of the next line. */
void cli_progress_disable(void);

/* Names the phase that lasts until the next call. A text longer than the terminal's line is cut. */
SHOAL_PRINTF(1, 2) void cli_progress_show(const char *format, ...);
/* `data` is a struct cli_progress, which stays until cli_progress_end; fits shoal_run_params.progress. */
void cli_progress_steps(void *data, const struct shoal_progress *progress);
/* Ends the phase: no progress is shown until the next call. */
void cli_progress_end(void);

/* Clears the line of a terminal, which the next call of the above shows again. */
void cli_progress_clear(void);
/* Writes whole lines to stderr, and nothing in between. */
void cli_progress_write(const char *lines);

#endif
