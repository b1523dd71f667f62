/* Shows the progress of a command on stderr: on a terminal as one line that is overwritten, elsewhere as a
 * line in each interval. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H
#define SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_H

#include "cli/output/progress_line.h"

enum cli_progress_kind { CLI_PROGRESS_AUTO, CLI_PROGRESS_YES, CLI_PROGRESS_NO };
extern const char *const cli_progress_names[]; /* "auto", "yes", "no"; ended by NULL */

/* AUTO: shows progress unless `quiet`; without a terminal, a line after 10 s, then a line each minute. YES:
 * always shows progress; without a terminal, a line at once, then a line every 10 s. */
void cli_progress_enable(enum cli_progress_kind kind, bool quiet);
/* Ends the thread that waits for the next line. Call this function last. */
void cli_progress_disable(void);

/* Shows the name of the phase that lasts until the next call. A text longer than the terminal's line is cut.
 */
SHOAL_PRINTF(1, 2) void cli_progress_show(const char *format, ...);
/* Shows the progress of the steps of a run; a callback for shoal_run_params.progress. data: a struct
 * cli_progress, valid until cli_progress_end. */
void cli_progress_steps(void *data, const struct shoal_progress *progress);
/* Ends the phase: no progress is shown until the next call. */
void cli_progress_end(void);

/* Clears the line of a terminal; the next call of cli_progress_show or cli_progress_steps shows the line
 * again. */
void cli_progress_clear(void);
/* Writes whole lines to stderr, without other output between them; while lines are held, later. */
void cli_progress_write(const char *lines);
/* true: lines for a terminal are held from now on, since its screen shows something else. false: the lines
 * that were held are written. */
void cli_progress_hold(bool holds);

#endif
