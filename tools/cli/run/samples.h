/* Samples of the runs of `shoal WORKLOAD`: options, lines during a run, files, and charts after a run, all
 * with the columns of the workload's struct shoal_sampling. */
#ifndef SHOAL_TOOLS_CLI_RUN_SAMPLES_H
#define SHOAL_TOOLS_CLI_RUN_SAMPLES_H

#include "cli/output/files/pieces.h"
#include "cli/workload.h"

/* Writes the options of samples to `options` and returns the number of options: the file of samples, the
 * columns of the lines if the workload shows lines, and --plot if the report has no charts. */
enum { RUN_SAMPLES_OPTIONS = 3 };
size_t run_samples_options(const struct shoal_workload *workload,
                           struct shoal_option options[RUN_SAMPLES_OPTIONS]);

/* Called before parameters are checked: if a file or chart needs samples, chooses about 1000 samples unless
 * the user gives a number. */
void run_samples_want(struct cli *cli);
/* Checks that the files can be written. Returns an exit code. */
int run_samples_check(const struct cli *cli);

/* The sample files of one run. */
struct run_samples {
    const struct cli *cli;
    struct sample_form form;
    struct piece_files *files;
    struct piece_file *file; /* NULL: the user asks for no file */
    struct samples kept;     /* samples kept for files and charts */
    bool any, keeps;
    bool thins;         /* not every sample has a line */
    bool is_last_shown; /* false: the last sample is in `last` */
    void *last;
};

/* Opens the file of samples and sets the callback for samples in `params`. Returns an exit code. */
int run_samples_begin(struct run_samples *samples, const struct cli *cli, const struct cli_row *row,
                      struct piece_files *files, struct shoal_run_params *params);
/* Moves the kept samples to the row, and draws the charts of the report. Returns an exit code. */
int run_samples_end(struct run_samples *samples, struct cli_row *row);
/* Adds the samples of a run to its JSON row, if there are some. */
void run_samples_json(cJSON *object, const struct cli *cli, const struct cli_row *row);
/* Draws the chart of --plot, which shows all runs. Returns an exit code. */
int run_samples_files(const struct cli *cli, const struct cli_row *rows, size_t count);

#endif
