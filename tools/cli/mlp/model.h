/* Model files of `shoal mlp`: writes the files of a run, and predicts new rows without a run. */
#ifndef SHOAL_TOOLS_CLI_MLP_MODEL_H
#define SHOAL_TOOLS_CLI_MLP_MODEL_H

#include "cli/cli.h"
#include "cli/mlp/rows.h"

struct mlp_files {
    const char *model, *exports;  /* model: file of the model; exports: further files, separated by commas */
    int32_t form;                 /* form of exports to .c: MLP_FORM_FLOAT or MLP_FORM_INT8 */
    const char *predict, *labels; /* predict: file of rows that are predicted without a run; labels: file of
                                   * their labels in the format IDX */
    uint64_t net;                 /* number of the net in a set, counted from 1; 0: the best net */
    const char *shape;            /* shape of the net whose weights --load reads, for exports without a run */
};
enum { MLP_FORM_FLOAT, MLP_FORM_INT8 };

/* Checks the files before a run. Returns an exit code; a failure is reported in one line. */
int mlp_files_check(const struct cli *cli, const struct mlp_files *files);
/* Writes the files of the chosen net after a run. */
int mlp_files_write(const struct cli *cli, const struct cli_row *row, const struct mlp_files *files,
                    struct shoal_solver *solver);

/* Writes the model of --load to the files of --model and --export, without a run. Returns an exit code; a
 * failure is reported in one line. */
int mlp_files_convert(const struct cli *cli, const struct mlp_files *files);

/* Predicts the rows of files->predict by the model of --load, on the first selected device. Targets in the
 * file are used as true values. Prints notes on how the file was read. SHOAL_STOPPED: a signal has ended it.
 */
SHOAL_MUST_CHECK enum shoal_status mlp_predict(const struct cli *cli, const struct mlp_files *files,
                                               struct mlp_rows *rows, struct shoal_error *error);

#endif
