/* A comparison: every workload on every device, for the table, JSON, the result file and the HTML page. */
#ifndef SHOAL_TOOLS_COMPARE_H
#define SHOAL_TOOLS_COMPARE_H

#include "bench/runner/results.h"
#include "cli/cli.h"

/* One workload with its parameters and its rows. */
struct compared_work {
    const struct shoal_workload *workload;
    void *params;
    struct cli_row *rows;
    size_t row_count;
    /* The last row may be a run divided over the devices of `split`. refusal: the reason why there is no such
     * row; SHOAL_OK: there is one, or none is wanted. */
    struct shoal_split_params split;
    struct shoal_error refusal;
};

struct compared_roofs {
    struct shoal_roofs roofs;
    struct shoal_error error;
    bool measured; /* whether `roofs` is valid, error.status says */
};

struct comparison {
    const struct cli *cli;
    const char *size; /* the size by name, such as "small" */
    size_t samples;
    const struct shoal_device *baseline; /* the device to which speeds are relative, one of cli->devices */
    struct compared_work *works;
    size_t work_count;
    struct compared_roofs *roofs; /* [devices]: roofs of each of cli->devices */
    /* Devices among which each work is divided for a row of its own; below 2: there are no such rows. */
    struct shoal_device **divided;
    size_t divided_count;
    struct results results; /* date, command and commit; the rows are added by compare_results */
};

/* A note, for all outputs, that equal work does not mean equal digits. */
#define COMPARE_ROUNDING "Rounding makes trajectories diverge: trust the check of a row, not equal digits."

/* Device time of the baseline's first row with whole figures, divided by the device time of `row`; NaN where
 * one of them is missing. */
double compare_speed(const struct comparison *comparison, const struct compared_work *work,
                     const struct cli_row *row);

/* The share of the device's roof that the row reached, 1 for the whole roof; 0: the work has no roof, or the
 * roof was not measured. */
double compare_share(const struct comparison *comparison, const struct cli_row *row);
/* The share as a text, "36 % of copy_bytes"; "-" where there is no share. */
struct cli_text compare_share_text(const struct comparison *comparison, const struct cli_row *row);

/* How much faster a divided run is, by wall time: `best` is the row of its fastest device alone, `gain` the
 * rate over the rate of this row, `of_sum` the rate over the sum of the rates of all its devices alone. best
 * NULL: `row` is of no divided run, or a figure is missing. */
struct compare_gain {
    const struct cli_row *best;
    double gain, of_sum;
};
struct compare_gain compare_gain(const struct compared_work *work, const struct cli_row *row);
/* What is to be said of the divided run of a work, in a sentence; NULL: there is none. The caller frees the
 * text. */
char *compare_divided_text(const struct compared_work *work);

/* Defined in compare_results.c: adds devices and rows to comparison->results, for the result file. */
SHOAL_MUST_CHECK enum shoal_status compare_results(struct comparison *comparison, struct shoal_error *error);

/* Defined in html.c: the page as one text without external resources; the caller frees it. */
char *compare_html(const struct comparison *comparison, size_t *bytes);

#endif
