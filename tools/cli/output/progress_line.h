/* The text of a line of progress, and the time when the next line is due. The functions neither read a clock
 * nor write. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_LINE_H
#define SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_LINE_H

#include <shoal/workload.h>
#include <stdbool.h>

/* The progress of one run. */
struct cli_progress {
    const char *label;
    const char *name;            /* name of the value; NULL: no value is shown */
    const char *warm_up_name;    /* name of the warm-up; NULL: none */
    double limit;                /* seconds after which the run ends; 0 or NaN: no limit */
    double value;                /* last known value */
    bool begun, valued;          /* begun: steps have begun; valued: `value` is known */
    struct shoal_progress first; /* first report, from which the speed is computed */
    struct shoal_progress last;
};

/* Takes a report of the run. The speed is computed anew from the first steps after a phase, which belong to
 * another run or to another part of the run. */
void progress_note(struct cli_progress *progress, const struct shoal_progress *now);
/* Makes the line for `later` seconds after the last report, since a step may take long: "pso host 12 % 40 s
 * left best 0.3 step 120 of 1000", or with a time limit "... 5 of 45 s step 120". The caller frees the line.
 */
char *progress_line(const struct cli_progress *progress, double later);

/* Times of the lines of a log: the first line comes after `first` seconds, then a line every `apart`
 * seconds. */
struct progress_timer {
    double first, apart; /* seconds from the begin to the first line, and between two lines */
    double said;         /* seconds from the begin to the last line */
    bool any;
};
/* Seconds from `now` until a line is due; 0: a line is due. */
double progress_wait(const struct progress_timer *timer, double now);
void progress_said(struct progress_timer *timer, double now);

#endif
