/* Private: the training of a net, independent of what computes the gradient: rates, penalties, settings of an
 * update. */
#ifndef SHOAL_MLP_TRAINING_TRAINING_H
#define SHOAL_MLP_TRAINING_TRAINING_H

#include "mlp/model/net.h"

enum training_schedule { TRAINING_CONSTANT, TRAINING_STEPS, TRAINING_COSINE, TRAINING_PLATEAU };

struct training {
    int32_t optimiser; /* enum mlp_optimiser */
    double rate;
    double momentum; /* momentum; for Adam beta1, for RMSprop the factor of the old mean square */
    double beta2, epsilon;
    double decay; /* AdamW: decay of weights; biases do not decay */
    /* iRPROP: factors of a step (up, down), and limits of a step (least, greatest) */
    double up, down, least, greatest;
    /* Penalties on weights, which are added to the mean loss. */
    double l1, l2, elimination, elimination_scale;
    double clip; /* greatest norm of a gradient; 0: no limit */

    enum training_schedule schedule;
    double factor;          /* STEPS, PLATEAU: factor of the rate */
    uint64_t period;        /* STEPS: epochs from one change of the rate to the next; PLATEAU: epochs without
                             * a better loss before a change */
    uint64_t warm_up;       /* number of updates in which the rate rises linearly; 0: none */
    uint64_t total_updates; /* COSINE: number of updates after which the rate is 0 */

    uint64_t seed;
    size_t batch;      /* rows of an update; 0: all rows */
    size_t shards;     /* number of shards of a batch (shards.h); 0: one shard */
    bool in_order;     /* rows are not shuffled */
    uint64_t patience; /* the run ends after this number of epochs without a better loss; 0: no limit */
};

/* Checks the settings. SHOAL_INVALID: a setting is out of its range. */
SHOAL_MUST_CHECK enum shoal_status training_check(const struct training *training, struct shoal_error *error);

/* The rate of update `update`, counted from 0, in epoch `epoch`. plateaus: number of times that
 * TRAINING_PLATEAU has lowered the rate. */
double training_rate(const struct training *training, uint64_t update, uint64_t epoch, uint64_t plateaus);

/* Numbers of an update that depend on its index: the rate, the bias corrections of Adam, and the factor of a
 * weight by AdamW's decay. */
struct training_step {
    double rate, correction1, correction2, keep;
};
struct training_step training_step_of(const struct training *training, uint64_t update, uint64_t epoch,
                                      uint64_t plateaus);

/* Whether the loss of the training rows is needed after an epoch, if there are no validation rows. */
static inline bool training_judges(const struct training *training)
{
    return training->patience > 0 || training->schedule == TRAINING_PLATEAU;
}

/* Whether training ends by patience, after `waited` epochs without a better loss. */
static inline bool training_is_over(const struct training *training, uint64_t waited)
{
    return training->patience > 0 && waited >= training->patience;
}

/* Returns the penalty and adds its derivatives to `gradient`. gradient NULL: the derivatives are not
 * wanted. */
double training_penalty(const struct training *training, const struct net *net, const double *parameters,
                        double *gradient);
/* Shortens a gradient to the norm training->clip, and returns the norm that it had before. */
double training_clip(const struct training *training, size_t count, double *gradient);

#endif
