/* Private: loss, gradient and outputs of a batch of rows in double precision: the reference of every device.
 *
 * Rows are taken in blocks; in a block all rows of a unit follow each other, so that loops over rows become
 * vector code. Each sum is in an order that follows from the net and the batch alone, so that the number of
 * threads changes no bit.
 */
#ifndef SHOAL_MLP_HOST_PASS_H
#define SHOAL_MLP_HOST_PASS_H

#include "base/threads.h"
#include "mlp/model/net.h"

/* Rows in memory, which belong to the caller. Rows have classes or targets, not both; classes of a net of one
 * output are 0 and 1. */
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
 * score of all these rows is R2, the mean over the outputs; 0 for an output whose target is constant, and NaN
 * where all are. */
void pass_factors(const double *targets, const double *weights, size_t first, size_t rows, uint32_t outputs,
                  double *factors);

/* Dropout of an update; NULL where a pass takes all units. */
struct pass_dropout {
    uint64_t seed;
    uint32_t update;
};

struct pass_sums {
    double loss;   /* sum of w l: weight times loss of a row */
    double weight; /* sum of w */
    /* Sum of w s, where s is the score of a row. For classes s is 1 where the class is the largest output (of
     * equal outputs the first), else 0. For numbers s is 1 - sum over the outputs of factor (y - t)^2. */
    double score;
};

struct pass;

/* Creates memory for batches of up to `rows` rows. SHOAL_HOST_MEMORY: the message says how many bytes are
 * needed. */
SHOAL_MUST_CHECK enum shoal_status pass_create(const struct net *net, size_t rows, struct pass **out,
                                               struct shoal_error *error);
void pass_destroy(struct pass **pass);

/* Sets the number of threads for a batch; the default is one. */
void pass_set_threads(struct pass *pass, int threads);

/* A batch of the rows row[0 .. count - 1] of the data (row NULL: of `count` rows from `first` on). gradient:
 * [parameters], receives the gradient of the mean loss sum w l / sum w, without penalties; NULL: not wanted.
 * outputs: [count][outputs], receives predictions; NULL: not wanted. A batch whose weights are all 0 has
 * gradient 0. */
struct pass_batch {
    const struct pass_data *data;
    const uint32_t *row;
    size_t first, count;
    const struct pass_dropout *dropout;
    bool is_part; /* the rows are a part of a batch: `gradient` receives the gradient of sum w l */
};
/* Turns the gradient of sum w l over a batch into the gradient of its mean loss. weight: sum w. */
void pass_take_mean(const struct net *net, double weight, double *gradient);
struct pass_sums pass_run(struct pass *pass, const struct pass_batch *batch, const double *parameters,
                          double *gradient, double *outputs);

#endif
