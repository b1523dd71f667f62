/* Private: loss, gradient and outputs of a batch of rows in double precision: the reference of every device.
 *
 * Rows are computed in blocks. In a block the values of a unit for all rows are adjacent in memory, so that
 * loops over rows become vector code. The order of each sum depends only on the net and the batch, so that
 * the number of threads changes no bit.
 */
#ifndef SHOAL_MLP_HOST_PASS_H
#define SHOAL_MLP_HOST_PASS_H

#include "base/threads.h"
#include "mlp/model/net.h"

/* Rows in memory, which belong to the caller. Rows have classes or targets, not both; for a net with one
 * output classes are 0 and 1. */
struct pass_data {
    size_t rows;
    const double *inputs;    /* [rows][inputs] */
    const uint32_t *classes; /* [rows]; NULL: the rows have targets */
    const double *targets;   /* [rows][outputs] */
    const double *weights;   /* [rows], 0 or more; NULL: all weights are 1 */
    /* [outputs], for outputs that are numbers: see pass_factors; NULL: no score is computed */
    const double *factors;
};

/* Sets factors[outputs] from the targets first .. first + rows - 1: 1 / (outputs x variance), so that the
 * score of all these rows is R^2, the mean over the outputs. The factor of an output with a constant target
 * is 0; NaN, if all targets are constant. */
void pass_factors(const double *targets, const double *weights, size_t first, size_t rows, uint32_t outputs,
                  double *factors);

/* Dropout of an update. */
struct pass_dropout {
    uint64_t seed;
    uint32_t update;
};

struct pass_sums {
    double loss;   /* sum of w l: weight times loss of a row */
    double weight; /* sum of w */
    /* Sum of w s, where s is the score of a row. For classes s is 1 if the class has the largest output (of
     * equal outputs the first), else 0. For numbers s is 1 - sum over the outputs of factor (y - t)^2. */
    double score;
};

struct pass;

/* Creates memory for batches of up to `rows` rows. SHOAL_OUT_OF_HOST_MEMORY: the message says how many bytes
 * are needed. */
SHOAL_MUST_CHECK enum shoal_status pass_create(const struct net *net, size_t rows, struct pass **out,
                                               struct shoal_error *error);
void pass_destroy(struct pass **pass);

/* Sets the number of threads for a batch; the default is one. */
void pass_set_threads(struct pass *pass, int threads);

/* A batch: rows row[0 .. count - 1] of the data; row NULL: `count` rows from `first` on. dropout NULL: all
 * units are used. */
struct pass_batch {
    const struct pass_data *data;
    const uint32_t *row;
    size_t first, count;
    const struct pass_dropout *dropout;
    bool is_part; /* the rows are a part of a batch: `gradient` receives the gradient of sum w l */
};
/* Turns the gradient of sum w l over a batch into the gradient of its mean loss. weight: sum w. */
void pass_take_mean(const struct net *net, double weight, double *gradient);
/* Computes the sums of a batch. gradient: [parameters], receives the gradient of the mean loss sum w l /
 * sum w, without penalties, 0 if all weights are 0; NULL: not wanted. outputs: [count][outputs], receives
 * predictions; NULL: not wanted. */
struct pass_sums pass_run(struct pass *pass, const struct pass_batch *batch, const double *parameters,
                          double *gradient, double *outputs);

#endif
