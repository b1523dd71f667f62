/* Private: a net in training on a device, with the same state as a net in training on the host
 * (src/mlp/training/state.h).
 */
#ifndef SHOAL_MLP_DEVICE_DEVICE_H
#define SHOAL_MLP_DEVICE_DEVICE_H

#include "mlp/device/setup.h"

/* Creates a net in training. SHOAL_INVALID: there is no training row, training_check refuses the training, or
 * the rows do not fit the net. SHOAL_OUT_OF_DEVICE_MEMORY: not even two chunks of one batch each fit; the
 * message has the number of bytes. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_create(const struct mlp_device_setup *setup,
                                                     struct net_training **out, struct shoal_error *error);
void mlp_device_destroy(struct net_training **device);
/* Whether two nets in training keep their parameters in the same order in device memory, so that their
 * buffers can be copied to each other. */
bool mlp_device_fits(struct net_training *one, struct net_training *other);
/* Number of rows of a chunk; 0: all rows are on the device. */
size_t mlp_device_chunk_rows(struct net_training *device);
/* Begins training before the first update, with a copy of `parameters`, which are in the order of net.h. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_begin(struct net_training *device, const double *parameters,
                                                    struct shoal_error *error);
/* Enqueues up to `count` updates, but none beyond the end of the epoch. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_update(struct net_training *device, uint64_t count,
                                                     struct shoal_error *error);
/* Replaces the rows by rows in buffers of the caller, which must stay valid until another call replaces them.
 * inputs: [rows][inputs] numbers in the precision of the training. answers: the classes, [rows] of uint32_t,
 * or the targets, [rows][outputs] numbers. The prepared rows of the setup must have had the same form. */
void mlp_device_borrow(struct net_training *device, struct shoal_buffer *inputs,
                       struct shoal_buffer *answers);
/* Waits for all updates. *updates receives, after a failure too, the number of updates before the first whose
 * loss is not finite. SHOAL_CHECK_FAILED: there is such an update; the message names it. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_settle(struct net_training *device, uint64_t *updates,
                                                     struct shoal_error *error);
/* Judges an epoch after its last update was enqueued, and keeps the best parameters. An epoch is judged by
 * the validation rows. Without validation rows, it is judged by the training rows if patience or the rate
 * needs a loss; otherwise the current parameters are kept as the best. SHOAL_CHECK_FAILED: a loss is not
 * finite; the message names the update, and the best parameters stay as they were. */
SHOAL_MUST_CHECK enum shoal_status
mlp_device_end_epoch(struct net_training *device, struct trainer_epoch *epoch, struct shoal_error *error);

/* Copies the current parameters, or with `best` the best parameters: net->parameters numbers. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_parameters(struct net_training *device, bool best,
                                                         double *parameters, struct shoal_error *error);
/* Predicts `count` prepared rows from row `first` on with the given parameters. outputs: receives
 * [count][outputs] numbers. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_predict(struct net_training *device, const double *parameters,
                                                      size_t first, size_t count, double *outputs,
                                                      struct shoal_error *error);
/* A pass of a net that only predicts. */
struct mlp_device_piece {
    struct shoal_buffer *rows; /* in the form of the setup, scaled or not */
    size_t first, count;       /* rows of the buffer */
    /* place of the outputs of the first row; there are setup->predicts times as many places as a pass has
     * rows at most */
    size_t slot;
    bool is_scaled;  /* the rows are shifted and scaled */
    bool is_checked; /* on CPUs: mlp_device_are_finite tells whether the inputs are finite */
};

/* For a net that only predicts (setup->predicts). mlp_device_set sets its parameters. mlp_device_enqueue
 * enqueues a pass. mlp_device_outputs waits for the passes, and copies the outputs of the places first ..
 * first + count - 1, [count][outputs]. mlp_device_are_finite waits for the passes and tells whether all
 * inputs of passes with is_checked were finite since its last call. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_set(struct net_training *device, const double *parameters,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_device_enqueue(struct net_training *device,
                                                      const struct mlp_device_piece *piece,
                                                      struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_device_outputs(struct net_training *device, size_t first, size_t count,
                                                      double *outputs, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_device_are_finite(struct net_training *device, bool *are,
                                                         struct shoal_error *error);
/* Computes mean loss and gradient over the rows first .. first + count - 1, with the penalty and without
 * dropout, and leaves the parameters as they are. The rows must fit one batch and one chunk. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_gradient(struct net_training *device, size_t first,
                                                       size_t count, double *loss, double *gradient,
                                                       struct shoal_error *error);

/* mlp_device_save reads and mlp_device_load sets the state of the training: device->state, and arrays of
 * net->parameters numbers each: the current parameters, the best parameters, s0, s1, s2. A training that is
 * loaded continues with the same bits. SHOAL_CHECK_FAILED: see mlp_device_end_epoch. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_save(struct net_training *device, double *arrays,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_device_load(struct net_training *device,
                                                   const struct trainer_state *state, const double *arrays,
                                                   struct shoal_error *error);

#endif
