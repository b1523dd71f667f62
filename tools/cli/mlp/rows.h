/* Predictions of a run, with the truth: those that it is judged by, as one table. */
#ifndef SHOAL_TOOLS_CLI_MLP_ROWS_H
#define SHOAL_TOOLS_CLI_MLP_ROWS_H

#include <cjson/cJSON.h>
#include <shoal/mlp.h>
#include <shoal/mlp_report.h>
#include <stdio.h>

struct mlp_rows {
    struct shoal_mlp_outcome outcome; /* over the arrays below */
    enum shoal_mlp_part part;         /* SHOAL_MLP_PARTS: rows of a file */
    uint64_t folds; /* 0: the rows belong to one part; else each row was validated by the net of its fold */
    uint64_t nets;  /* nets in a set, in each fold */
    uint64_t net;   /* number, from 0, of the net that predicted the rows, in each fold */
    bool is_best;   /* shoal_mlp_best_net chose the net; else the user did */
    struct shoal_mlp_net *all; /* folds x nets, where there is more than one; NULL */
    double *predicted, *truth, *weights;
    uint32_t *class_of, *number;
    char **names;
};

/* By net `net` from 1 on, 0: the best. Takes the test rows, without test rows the validation rows, else the
 * training rows; with folds the validation rows of all folds. mlp_rows_free also frees the rest after a
 * failure. */
SHOAL_MUST_CHECK enum shoal_status mlp_rows_take(struct shoal_solver *solver,
                                                 const struct shoal_mlp_params *params, uint64_t net,
                                                 struct mlp_rows *rows, struct shoal_error *error);
void mlp_rows_free(struct mlp_rows *rows); /* accepts zeros */

/* "test", "validation", "training"; of SHOAL_MLP_PARTS "file": rows of a file without a run. */
const char *mlp_part_name(enum shoal_mlp_part part);

/* The probability of a class for a row. */
double mlp_probability(const struct shoal_mlp_outcome *outcome, const double *outputs, uint32_t class_of);

/* CSV: number of each row in its file, from 1, truth, prediction, and of classes the probability of each. The
 * outcome may lack the truth, and the numbers: rows are counted then. "-": to standard output. */
SHOAL_MUST_CHECK enum shoal_status mlp_rows_write(const char *path, const struct shoal_mlp_outcome *outcome,
                                                  struct shoal_error *error);
/* The predictions without the truth, as objects. */
void mlp_rows_json(cJSON *array, const struct shoal_mlp_outcome *outcome);
/* A field of a CSV line, in quotes where it needs them. */
void mlp_csv_text(FILE *out, const char *text);

#endif
