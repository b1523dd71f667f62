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
    uint64_t update;      /* updates done */
    uint64_t best_update; /* after which `best` was taken */
    uint64_t waited;      /* epochs since the best loss */
    uint64_t plateaus, plateau_waited;
    double best_loss;           /* infinity: none yet */
    double previous_loss;       /* loss of the last batch with its penalty, for iRPROP+; infinity: none */
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
    const struct pass_data *rows, *validation; /* validation NULL: the training rows judge */
    struct mlp_rows *own_rows;                 /* the rows, where the trainer owns them; NULL: the caller owns
                                                * them */
    double *parameters, *best; /* net->parameters each, followed by three states of the optimiser */
    double *s0, *s1, *s2;
    double *gradient;
    uint32_t *order;
    struct pass *pass; /* for batches of at least 1024 rows */
    size_t batch;
    uint64_t updates; /* updates of an epoch */
};

/* The figures at the end of an epoch. */
struct trainer_epoch {
    double loss, score; /* over the batches at the time of their updates; score: accuracy or R2 */
    double validation_loss, validation_score; /* NaN without validation rows */
    bool is_best, must_stop;                  /* must_stop: patience is at its end */
    uint64_t plateaus;                        /* plateaus that had lowered the rate before this epoch */
};

/* Creates a trainer that begins with a copy of `parameters`. The other arguments must live as long as the
 * trainer. threads: most threads. SHOAL_INVALID: there are no rows, or the training is not possible;
 * SHOAL_HOST_MEMORY names the bytes. */
SHOAL_MUST_CHECK enum shoal_status trainer_create(const struct net *net, const struct training *training,
                                                  const struct pass_data *rows,
                                                  const struct pass_data *validation,
                                                  const double *parameters, int threads, struct trainer **out,
                                                  struct shoal_error *error);
void trainer_destroy(struct trainer **trainer);

/* Makes `count` updates. SHOAL_CHECK_FAILED: the loss or the gradient is not finite; the message names the
 * update, the parameters are those before it, and `best` has the best so far. */
SHOAL_MUST_CHECK enum shoal_status trainer_update(struct net_training *training, uint64_t count,
                                                  struct shoal_error *error);
/* Judges an epoch after it has ended, and keeps the parameters with the least validation loss. Without
 * validation rows, the training rows are scored again if patience or a plateau needs their loss; else the
 * current parameters are kept: trainer_keep. */
enum shoal_status trainer_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                    struct shoal_error *error);
/* Mean loss and score over rows, in parts that fit the memory of a batch. */
void trainer_score(struct trainer *trainer, const struct pass_data *rows, const double *parameters,
                   double *loss, double *score);

/* The parts of a trainer that devices share. `arrays` holds parameters, best ones and three states of
 * the optimiser, net->parameters numbers each. */
enum { TRAINER_ARRAYS = 5 };
/* The state and the arrays before the first update. */
void trainer_start(const struct net *net, const struct training *training, const double *parameters,
                   struct trainer_state *state, double *arrays);
/* Applies the gradient of a batch with these sums: penalties, the limit, the update, the sums of the epoch,
 * which has `updates` batches. SHOAL_CHECK_FAILED as trainer_update. */
SHOAL_MUST_CHECK enum shoal_status trainer_apply(const struct net *net, const struct training *training,
                                                 uint64_t updates, const struct pass_sums *sum,
                                                 double *gradient, struct trainer_state *state,
                                                 double *arrays, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status trainer_not_finite(uint64_t update, struct shoal_error *error);
/* Adds the sums of an update; the first of an epoch begins new ones. */
void trainer_count(struct trainer_state *state, uint64_t updates, const struct pass_sums *sum);
/* Returns the loss and score of the epoch's batches; loss and score of validation are NaN. */
struct trainer_epoch trainer_epoch_of(const struct trainer_state *state);
/* Judges an epoch by a loss of now; where epoch->is_best the caller keeps the parameters. */
void trainer_judge(const struct training *training, double loss, struct trainer_state *state,
                   struct trainer_epoch *epoch);
/* Marks the current parameters as the best, where no loss judges them, so that they remain after a loss that
 * is not finite. The caller copies the parameters. */
void trainer_keep(struct trainer_state *state, struct trainer_epoch *epoch);

#endif
