/* Private: a net in training on the host, one update at a time.
 *
 * A trainer's future is a function of its state (trainer_state) alone: the same state in a new trainer goes
 * on with the same bits, inside an epoch too.
 */
#ifndef SHOAL_MLP_HOST_TRAINER_H
#define SHOAL_MLP_HOST_TRAINER_H

#include "mlp/host/pass.h"
#include "mlp/training/training.h"

struct trainer_state {
    uint64_t update;      /* number of updates done */
    uint64_t best_update; /* update after which `best` was taken */
    uint64_t waited;      /* number of epochs since the best loss */
    uint64_t plateaus, plateau_waited;
    double best_loss; /* infinity: no loss was the best yet */
    /* loss of the last batch with its penalty, for iRPROP+; infinity: there was no batch yet */
    double previous_loss;
    double loss, weight, score; /* sums over the updates of the current epoch */
};

/* A net in training, on the host or on a device: the first member of the struct in which host or device keeps
 * the net. */
struct net_training {
    const struct net *net;
    const struct training *training;
    struct trainer_state state; /* on a device, losses are added when they are read */
};

struct mlp_rows;

struct trainer {
    struct net_training base;
    const struct pass_data *rows, *validation; /* validation NULL: epochs are judged by the training rows */
    struct mlp_rows *own_rows;                 /* the rows, where the trainer owns them; NULL: the caller owns
                                                * them */
    double *parameters, *best; /* net->parameters numbers each; three states of the optimiser follow */
    double *s0, *s1, *s2;
    double *gradient; /* a gradient for each level of the tree of shards: shards.h */
    uint32_t *order;
    struct pass *pass; /* memory for passes of at least 1024 rows */
    size_t batch, shards;
    size_t pass_rows; /* most rows of a pass */
    uint64_t updates; /* number of updates of an epoch */
};

/* The figures at the end of an epoch. */
struct trainer_epoch {
    /* means over the batches of the epoch, each before its update; score: accuracy or R2 */
    double loss, score;
    double validation_loss, validation_score; /* NaN where there are no validation rows */
    bool is_best, must_stop;                  /* must_stop: patience is at its end */
    /* number of times that a plateau had lowered the rate before this epoch */
    uint64_t plateaus;
};

/* Creates a trainer that begins with a copy of `parameters`. The other arguments must live as long as the
 * trainer. threads: most threads. SHOAL_INVALID: there are no rows, or the training is not possible;
 * SHOAL_HOST_MEMORY: the message says how many bytes are needed. */
SHOAL_MUST_CHECK enum shoal_status trainer_create(const struct net *net, const struct training *training,
                                                  const struct pass_data *rows,
                                                  const struct pass_data *validation,
                                                  const double *parameters, int threads, struct trainer **out,
                                                  struct shoal_error *error);
void trainer_destroy(struct trainer **trainer);

/* Makes `count` updates. SHOAL_CHECK_FAILED: the loss or the gradient is not finite; the message names the
 * update, the parameters are those before that update, and `best` holds the best parameters so far. */
SHOAL_MUST_CHECK enum shoal_status trainer_update(struct net_training *training, uint64_t count,
                                                  struct shoal_error *error);
/* Judges an epoch after it has ended, and keeps the parameters with the least validation loss. Without
 * validation rows, the training rows are scored again if patience or a plateau needs their loss; else the
 * current parameters are kept: trainer_keep. */
enum shoal_status trainer_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                    struct shoal_error *error);
/* Computes mean loss and score over rows, in parts that fit the memory of a batch. */
void trainer_score(struct trainer *trainer, const struct pass_data *rows, const double *parameters,
                   double *loss, double *score);

/* The parts of a trainer that devices share. `arrays` holds parameters, best ones and three states of
 * the optimiser, net->parameters numbers each. */
enum { TRAINER_ARRAYS = 5 };
/* Sets the state and the arrays before the first update. */
void trainer_start(const struct net *net, const struct training *training, const double *parameters,
                   struct trainer_state *state, double *arrays);
/* Applies the gradient of a batch with these sums: adds penalties, limits the gradient, makes the update, and
 * adds to the sums of the epoch, which has `updates` batches. SHOAL_CHECK_FAILED as trainer_update. */
SHOAL_MUST_CHECK enum shoal_status trainer_apply(const struct net *net, const struct training *training,
                                                 uint64_t updates, const struct pass_sums *sum,
                                                 double *gradient, struct trainer_state *state,
                                                 double *arrays, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status trainer_not_finite(uint64_t update, struct shoal_error *error);
/* Adds the sums of an update to the sums of its epoch. The first update of an epoch begins new sums. */
void trainer_count(struct trainer_state *state, uint64_t updates, const struct pass_sums *sum);
/* Returns the loss and score of the epoch's batches; loss and score of validation are NaN. */
struct trainer_epoch trainer_epoch_of(const struct trainer_state *state);
/* Judges an epoch by its loss. Where epoch->is_best is set the caller keeps the parameters. */
void trainer_judge(const struct training *training, double loss, struct trainer_state *state,
                   struct trainer_epoch *epoch);
/* Marks the current parameters as the best, where no loss judges them, so that they remain after a loss that
 * is not finite. The caller copies the parameters. */
void trainer_keep(struct trainer_state *state, struct trainer_epoch *epoch);

#endif
