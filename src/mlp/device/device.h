/* Private: a net in training on a device, with the same state as a net in training on the host
 * (src/mlp/host/trainer.h).
 */
#ifndef SHOAL_MLP_DEVICE_DEVICE_H
#define SHOAL_MLP_DEVICE_DEVICE_H

#include "dataset/prepare/prepared.h"
#include "mlp/host/trainer.h"
#include "workload/programs.h"

/* The kernels to use: those for the kind of device, or given ones on any device. */
enum mlp_device_text { MLP_DEVICE_AUTO, MLP_DEVICE_TILED, MLP_DEVICE_SERIAL };

/* All members must live as long as the object. The prepared rows are the training rows, then the validation
 * rows, then other rows, which can be predicted. */
struct mlp_device_setup {
    struct shoal_queue *queue;
    struct programs *programs; /* the list that owns the programs, with their variant */
    bool is_double;            /* true: double precision; false: single precision, and prepared_narrow has
                                * been called */
    enum mlp_device_text text;
    const struct net *net;
    const struct training *training;
    const struct prepared *prepared;
    size_t training_rows, validation_rows;
    uint64_t chunk_rows;    /* the rows of a chunk, whole batches; 0: all rows are on the device, or as many
                             * as fit */
    size_t nets, data_sets; /* nets and data sets that the device must have room for, this net and these rows
                             * included; 0: one */
    struct net_training *shares; /* a net with the same rows and batch, whose buffers are shared; NULL:
                                  * none */
};

/* SHOAL_INVALID: there is no training row, the training is not possible, or rows do not fit the net.
 * SHOAL_OUT_OF_DEVICE_MEMORY: not even two chunks of a batch fit; the message has the number of bytes. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_create(const struct mlp_device_setup *setup,
                                                     struct net_training **out, struct shoal_error *error);
void mlp_device_destroy(struct net_training **device);
size_t mlp_device_chunk_rows(struct net_training *device); /* 0: all rows are on the device */
/* A start with `parameters`, in the order of net.h: update 0. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_begin(struct net_training *device, const double *parameters,
                                                    struct shoal_error *error);
/* Enqueues up to `count` updates, not beyond the end of the epoch. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_update(struct net_training *device, uint64_t count,
                                                     struct shoal_error *error);
/* From now on rows are in buffers of the caller, which stay valid until others take their place: all rows
 * times inputs numbers of the device's precision, and all classes (uint32_t) or rows times outputs targets.
 * The prepared rows of the setup had that form. */
void mlp_device_borrow(struct net_training *device, struct shoal_buffer *inputs,
                       struct shoal_buffer *answers);
/* Waits for all updates. *updates: number of updates so far with finite losses, also set after a failure.
 * SHOAL_CHECK_FAILED: the loss of the next update is not finite; the message names the update. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_settle(struct net_training *device, uint64_t *updates,
                                                     struct shoal_error *error);
/* Judges an epoch after its last update was enqueued, and keeps the best parameters: by the validation rows,
 * or, where patience or the rate needs a loss, by the training rows; otherwise the current parameters.
 * SHOAL_CHECK_FAILED: a loss is not finite; the message names the update, and `best` stays. */
SHOAL_MUST_CHECK enum shoal_status
mlp_device_end_epoch(struct net_training *device, struct trainer_epoch *epoch, struct shoal_error *error);

/* net->parameters numbers: the last ones, or the best. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_parameters(struct net_training *device, bool best,
                                                         double *parameters, struct shoal_error *error);
/* Predictions of prepared rows by given parameters: count x outputs. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_predict(struct net_training *device, const double *parameters,
                                                      size_t first, size_t count, double *outputs,
                                                      struct shoal_error *error);
/* Mean loss and gradient of rows first .. first + count - 1, no more than a batch and a chunk, with the
 * penalty, without dropout; nothing moves. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_gradient(struct net_training *device, size_t first,
                                                       size_t count, double *loss, double *gradient,
                                                       struct shoal_error *error);

/* Write and read the state, device->state and arrays: parameters, best, s0, s1, s2, each with
 * net->parameters numbers. A run that is loaded continues with the same bits. SHOAL_CHECK_FAILED: see
 * mlp_device_end_epoch. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_save(struct net_training *device, double *arrays,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_device_load(struct net_training *device,
                                                   const struct trainer_state *state, const double *arrays,
                                                   struct shoal_error *error);

#endif
