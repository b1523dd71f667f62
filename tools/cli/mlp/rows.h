/* The predictions by which a run is judged, with the truth, as one table. */
#ifndef SHOAL_TOOLS_CLI_MLP_ROWS_H
#define SHOAL_TOOLS_CLI_MLP_ROWS_H

#include <cjson/cJSON.h>
#include <shoal/mlp.h>
#include <shoal/mlp_report.h>
#include <stdio.h>

struct mlp_rows {
    struct shoal_mlp_outcome outcome; /* points to the arrays below */
    enum shoal_mlp_part part;         /* part of the data; SHOAL_MLP_PARTS: rows of a file */
    /* number of folds of a cross-validation, in which a row is predicted by the net of the fold that
     * validates the row; 0: all rows belong to one part */
    uint64_t folds;
    uint64_t nets;             /* number of nets in a set, in each fold */
    uint64_t net;              /* number, from 0, of the net that has predicted the rows, in each fold */
    bool is_best;              /* true: shoal_mlp_best_net chose the net; false: the user chose the net */
    struct shoal_mlp_net *all; /* [folds][nets], where there are several nets; otherwise NULL */
    double *predicted, *truth, *weights;
    uint32_t *class_of, *number;
    char **names;
};

/* Takes the predictions of net `net`, counted from 1; 0: the best. The rows are the test rows, else the
 * validation rows, else the training rows; with folds, the validation rows of all folds. Call mlp_rows_free
 * also after a failure. */
SHOAL_MUST_CHECK enum shoal_status mlp_rows_take(struct shoal_solver *solver,
                                                 const struct shoal_mlp_params *params, uint64_t net,
                                                 struct mlp_rows *rows, struct shoal_error *error);
void mlp_rows_free(struct mlp_rows *rows); /* accepts zeros */

/* "test", "validation" or "training"; for SHOAL_MLP_PARTS, rows of a file without a run, "file". */
const char *mlp_part_name(enum shoal_mlp_part part);

/* The probability of a class for a row. */
double mlp_probability(const struct shoal_mlp_outcome *outcome, const double *outputs, uint32_t class_of);

/* Writes CSV: for each row its number in the file, from 1, the true value, the prediction, and for classes
 * the probability of each class. The outcome may lack true values, and numbers of rows; rows without numbers
 * are numbered in their order. path "-": standard output. */
SHOAL_MUST_CHECK enum shoal_status mlp_rows_write(const char *path, const struct shoal_mlp_outcome *outcome,
                                                  struct shoal_error *error);
/* Adds an object for each prediction, without the true value. */
void mlp_rows_json(cJSON *array, const struct shoal_mlp_outcome *outcome);

#endif
