/* Model files of `shoal mlp`: those that a run writes, and predictions of new rows without a run. */
#ifndef SHOAL_TOOLS_CLI_MLP_MODEL_H
#define SHOAL_TOOLS_CLI_MLP_MODEL_H

#include "cli/cli.h"
#include "cli/mlp/rows.h"

struct mlp_files {
    const char *model, *exports;  /* exports: names separated by commas */
    int32_t form;                 /* form of exports to .c: enum below */
    const char *predict, *labels; /* rows without a run, and their labels where they are of IDX */
    uint64_t net;                 /* number of the net in a set, from 1; 0: the best net */
    const char *shape;            /* shape of the weights of --load, which are exported without a run */
};
enum { MLP_FORM_FLOAT, MLP_FORM_INT8 };

/* Checks the files before a run. Exit code, after a line where it is not 0. */
int mlp_files_check(const struct cli *cli, const struct mlp_files *files);
/* Writes the files of the chosen net after a run. */
int mlp_files_write(const struct cli *cli, const struct cli_row *row, const struct mlp_files *files,
                    struct shoal_solver *solver);

/* The model of --load into these files, without a run. Exit code after a line. */
int mlp_files_convert(const struct cli *cli, const struct mlp_files *files);

/* Rows of files->predict through the model of --load. The truth is taken where the file has targets. Notes of
 * how the file was read are shown. */
SHOAL_MUST_CHECK enum shoal_status mlp_predict(const struct cli *cli, const struct mlp_files *files,
                                               struct mlp_rows *rows, struct shoal_error *error);

#endif
