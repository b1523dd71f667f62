/* Makes the text of a line of progress, and says when the next line is due. No function looks at a clock or
 * writes. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_LINE_H
#define SHOAL_TOOLS_CLI_OUTPUT_PROGRESS_LINE_H

#include <shoal/workload.h>
#include <stdbool.h>

/* The progress of one run. */
struct cli_progress {
    const char *label;
    const char *name;            /* name of the value; NULL: no value is shown */
    const char *warm_up_name;    /* NULL: there is none */
    double limit;                /* seconds after which the run ends; 0 or NaN: none */
    double value;                /* the last value that was known */
    bool begun, valued;          /* steps are made, and `value` is known */
    struct shoal_progress first; /* from which the speed is known */
    struct shoal_progress last;
};

/* Takes what the run says of itself. Steps behind a phase are of another run, or of another part of it. */
void progress_note(struct cli_progress *progress, const struct shoal_progress *now);
/* "pso  host  12 %  40 s left  best 0.3  step 120 of 1000", or with a time limit "... 5 of 45 s  step 120",
 * `later` seconds after what was noted last: a step may take long. Free with free(). */
char *progress_line(const struct cli_progress *progress, double later);

/* Lines of a log: the first after some time, then one in each interval. */
struct progress_timer {
    double first, apart; /* seconds; since the begin, and between two lines */
    double said;         /* when the last one was, since the begin */
    bool any;
};
/* Seconds from `now` on until a line is due; 0: it is. */
double progress_wait(const struct progress_timer *timer, double now);
void progress_said(struct progress_timer *timer, double now);

#endif
