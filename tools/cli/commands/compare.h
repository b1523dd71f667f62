/* A comparison: every workload on every device, for the table, JSON, the result file and the page. */
#ifndef SHOAL_TOOLS_COMPARE_H
#define SHOAL_TOOLS_COMPARE_H

#include "bench/runner/results.h"
#include "cli/cli.h"

/* One workload with its parameters and its rows. */
struct compared_work {
    const struct shoal_workload *workload;
    const char *size; /* name of the size, such as "small" */
    void *params;
    struct cli_row *rows;
    size_t row_count;
    /* split: devices of the last row, if that row is a divided run. refusal: why there is no divided run;
     * SHOAL_OK: there is a divided run, or the user asked for none. */
    struct shoal_split_params split;
    struct shoal_error refusal;
};

struct compared_roofs {
    struct shoal_roofs roofs;
    struct shoal_error error;
    bool measured; /* a measurement was made; `roofs` is valid if error.status is SHOAL_OK */
};

/* Kernel programs that were built before the first row. */
struct compared_builds {
    size_t programs;
    double wall_s, compile_s; /* compile_s: sum of the seconds of all compilers */
};

struct comparison {
    const struct cli *cli;
    const char *sizes; /* the sizes of the works, separated by commas */
    bool has_sizes;    /* there are several */
    size_t samples;
    const struct shoal_device *baseline; /* the device to which speeds are relative, one of cli->devices */
    struct compared_work *works;
    size_t work_count;
    struct compared_roofs *roofs; /* [devices]: roofs of each of cli->devices */
    /* Devices of the divided runs, which are further rows; divided_count below 2: there are no such rows. */
    struct shoal_device **divided;
    size_t divided_count;
    struct compared_builds builds;
    struct results results; /* date, command and commit; the rows are added by compare_results */
};

/* A note for all outputs: results of different devices differ in their digits. */
#define COMPARE_ROUNDING "Rounding makes trajectories diverge: trust the check of a row, not equal digits."

/* Speed of `row` relative to the baseline: device time of the first complete row of the baseline over the
 * device time of `row`; NaN: one of the times is missing. */
double compare_speed(const struct comparison *comparison, const struct compared_work *work,
                     const struct cli_row *row);

/* The rate of the row over the roof of its device; 0: the work has no roof, or the roof was not measured. */
double compare_share(const struct comparison *comparison, const struct cli_row *row);
/* The result of compare_share as text, "36 % of copy_bytes"; "-" if compare_share returns 0. */
struct cli_text compare_share_text(const struct comparison *comparison, const struct cli_row *row);

/* How much faster a divided run is than runs of its devices alone, by wall time. best: row of the device that
 * is fastest alone; gain: rate of the divided run over the rate of `best`; of_sum: rate of the divided run
 * over the sum of the rates of all its devices alone. best NULL: `row` is no divided run, or a figure is
 * missing. */
struct compare_gain {
    const struct cli_row *best;
    double gain, of_sum;
};
struct compare_gain compare_gain(const struct compared_work *work, const struct cli_row *row);
/* A sentence about the divided run of a work; NULL: there is no divided run. The caller frees the text. */
char *compare_divided_text(const struct compared_work *work);

/* Defined in compare_ahead.c: builds the kernels of all rows, and shows what was built. */
void compare_build_ahead(struct comparison *comparison);
void compare_print_builds(const struct compared_builds *builds);
void compare_builds_json(const struct compared_builds *builds, cJSON *json);

/* Defined in compare_results.c: compare_results adds devices and rows to comparison->results, for the result
 * file; compare_divided adds the rows of divided runs, which only the page shows. */
SHOAL_MUST_CHECK enum shoal_status compare_results(struct comparison *comparison, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status compare_divided(struct comparison *comparison, struct shoal_error *error);
/* Writes the page of comparison->results. Returns an exit code. */
int compare_page(const struct comparison *comparison, const char *path);

#endif
