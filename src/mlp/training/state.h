/* Private: the state of a net in training, on the host or on a device. */
#ifndef SHOAL_MLP_TRAINING_STATE_H
#define SHOAL_MLP_TRAINING_STATE_H

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

/* Arrays of net->parameters numbers each that belong to the state: the current parameters, the best
 * parameters and three arrays of the optimiser. */
enum { TRAINER_ARRAYS = 5 };

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

#endif
