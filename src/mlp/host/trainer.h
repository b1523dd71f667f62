/* Private: a net in training on the host, one update at a time.
 *
 * What a trainer computes depends only on its state (struct trainer_state) and its arrays. A new trainer that
 * is given both continues with the same bits, even in the middle of an epoch.
 */
#ifndef SHOAL_MLP_HOST_TRAINER_H
#define SHOAL_MLP_HOST_TRAINER_H

#include "mlp/host/pass.h"
#include "mlp/training/state.h"

struct mlp_rows;

struct trainer {
    struct net_training base;
    /* validation NULL: there are no validation rows */
    const struct pass_data *rows, *validation;
    /* owner of `rows` and `validation` if that is the trainer; NULL: the caller owns them */
    struct mlp_rows *own_rows;
    /* net->parameters numbers each; the arrays of the optimiser, s0, s1 and s2, follow in the same memory */
    double *parameters, *best;
    double *s0, *s1, *s2;
    double *gradient; /* a gradient for each level of the tree of shards: shards.h */
    uint32_t *order;
    struct pass *pass; /* memory for a pass of pass_rows rows */
    size_t batch, shards;
    size_t pass_rows; /* most rows of a pass; at least 1024 */
    uint64_t updates; /* number of updates of an epoch */
};

/* Creates a trainer that begins with a copy of `parameters`. The other arguments must live as long as the
 * trainer. threads: most threads of a pass. SHOAL_INVALID: there are no rows or too many, or training_check
 * refuses the training; SHOAL_OUT_OF_HOST_MEMORY: the memory does not suffice. */
SHOAL_MUST_CHECK enum shoal_status trainer_create(const struct net *net, const struct training *training,
                                                  const struct pass_data *rows,
                                                  const struct pass_data *validation,
                                                  const double *parameters, int threads, struct trainer **out,
                                                  struct shoal_error *error);
void trainer_destroy(struct trainer **trainer);

/* Makes `count` updates. SHOAL_CHECK_FAILED: the loss or the gradient of an update is not finite; the message
 * names the update. The parameters then are as they were before this update, and `best` holds the best
 * parameters so far. */
SHOAL_MUST_CHECK enum shoal_status trainer_update(struct net_training *training, uint64_t count,
                                                  struct shoal_error *error);
/* Judges an epoch after it has ended, and keeps the parameters with the least validation loss. Without
 * validation rows, and if patience or a plateau needs a loss, the training rows are scored again. If nothing
 * needs a loss, the current parameters are kept: see trainer_keep. */
enum shoal_status trainer_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                    struct shoal_error *error);
/* Computes mean loss and score over rows, in passes of at most trainer->pass_rows rows. */
void trainer_score(struct trainer *trainer, const struct pass_data *rows, const double *parameters,
                   double *loss, double *score);

/* Steps of a training that training on a device uses, too. arrays: TRAINER_ARRAYS arrays. */
/* Sets the state and the arrays before the first update. */
void trainer_start(const struct net *net, const struct training *training, const double *parameters,
                   struct trainer_state *state, double *arrays);
/* Makes the update of a batch, given its mean gradient and its sums: adds the penalties to the gradient,
 * limits the gradient, changes the parameters, and adds `sum` to the sums of the epoch, which has `updates`
 * batches. SHOAL_CHECK_FAILED: see trainer_update. */
SHOAL_MUST_CHECK enum shoal_status trainer_apply(const struct net *net, const struct training *training,
                                                 uint64_t updates, const struct pass_sums *sum,
                                                 double *gradient, struct trainer_state *state,
                                                 double *arrays, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status trainer_not_finite(uint64_t update, struct shoal_error *error);
/* Adds `sum`, the sums of an update, to the sums of its epoch. If the update is the first of the epoch, sets
 * the sums of the epoch to 0 before. */
void trainer_count(struct trainer_state *state, uint64_t updates, const struct pass_sums *sum);
/* Returns the loss and score of the epoch's batches; loss and score of the validation rows are NaN. */
struct trainer_epoch trainer_epoch_of(const struct trainer_state *state);
/* Judges an epoch by its loss. If the call sets epoch->is_best, the caller must copy the current parameters
 * to the best parameters. */
void trainer_judge(const struct training *training, double loss, struct trainer_state *state,
                   struct trainer_epoch *epoch);
/* Marks the current parameters as the best without a loss, for trainings in which nothing judges an epoch. If
 * a later loss is not finite, there are then parameters to return. The caller copies the parameters. */
void trainer_keep(struct trainer_state *state, struct trainer_epoch *epoch);

#endif
