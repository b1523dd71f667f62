/* Private: a net in training on the host, one update at a time.
 *
 * What a trainer computes depends only on its state (struct trainer_state) and its arrays. A new trainer that
 * is given both continues with the same bits, even in the middle of an epoch.
 */
#ifndef SHOAL_MLP_HOST_TRAINER_H
#define SHOAL_MLP_HOST_TRAINER_H

#include "mlp/host/pass.h"
#include "mlp/training/training.h"

struct trainer_state {
    uint64_t update;      /* number of updates done */
    uint64_t best_update; /* update after which `best` was taken */
    uint64_t waited;      /* number of epochs since the epoch with the best loss */
    uint64_t plateaus, plateau_waited;
    double best_loss; /* infinity: no epoch has been judged by a loss yet */
    /* loss of the last batch with its penalty, for iRPROP+; infinity before the first batch */
    double previous_loss;
    double loss, weight, score; /* sums over the updates of the current epoch */
};

/* A net in training, on the host or on a device: the first member of struct trainer (host) and of struct
 * mlp_device (device). */
struct net_training {
    const struct net *net;
    const struct training *training;
    struct trainer_state state; /* on a device, losses are added to it when the host reads them */
};

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

/* The figures at the end of an epoch. */
struct trainer_epoch {
    /* means over the batches of the epoch, each before its update; score: accuracy or R2 */
    double loss, score;
    double validation_loss, validation_score; /* NaN where there are no validation rows */
    /* is_best: the current parameters become the best parameters; must_stop: the training ends, because the
     * loss did not improve for the number of epochs that `patience` gives */
    bool is_best, must_stop;
    /* number of times that a plateau had lowered the rate before this epoch */
    uint64_t plateaus;
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

/* Steps of a training that training on a device uses, too. `arrays` holds the current parameters, the best
 * parameters and the three arrays of the optimiser, net->parameters numbers each. */
enum { TRAINER_ARRAYS = 5 };
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
