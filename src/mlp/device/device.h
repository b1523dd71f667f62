/* Private: a net in training on a device, with the same state as a net in training on the host
 * (src/mlp/host/trainer.h).
 */
#ifndef SHOAL_MLP_DEVICE_DEVICE_H
#define SHOAL_MLP_DEVICE_DEVICE_H

#include "dataset/prepare/prepared.h"
#include "mlp/host/trainer.h"
#include "workload/programs.h"

/* Which kernels to use: AUTO takes the kernels for the kind of device, other values take given kernels on any
 * device. */
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
    uint64_t chunk_rows; /* the rows of a chunk, whole batches; 0: all rows are on the device, or as many
                          * as fit */
    /* number of nets and of data sets that the device must have room for, this net and its rows included; 0:
     * one */
    size_t nets, data_sets;
    /* a net with equal rows and batch, whose buffers this net uses, too; NULL: none */
    struct net_training *shares;
    /* the solver of a share, which computes some shards of each batch and meets the other shares; NULL: this
     * device computes all shards */
    const struct shoal_solver *solver;
};

/* Creates a net in training. SHOAL_INVALID: there is no training row, the training is not possible, or rows
 * do not fit the net. SHOAL_OUT_OF_DEVICE_MEMORY: not even two chunks of a batch fit; the message has the
 * number of bytes. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_create(const struct mlp_device_setup *setup,
                                                     struct net_training **out, struct shoal_error *error);
void mlp_device_destroy(struct net_training **device);
/* Do the devices keep the parameters of a net in the same places? */
bool mlp_device_fits(struct net_training *one, struct net_training *other);
/* rows of a chunk; 0: all rows are on the device */
size_t mlp_device_chunk_rows(struct net_training *device);
/* Begins training at update 0 with `parameters`, in the order of net.h. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_begin(struct net_training *device, const double *parameters,
                                                    struct shoal_error *error);
/* Enqueues up to `count` updates, but none beyond the end of the epoch. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_update(struct net_training *device, uint64_t count,
                                                     struct shoal_error *error);
/* Takes rows from buffers of the caller from now on, which must stay valid until other buffers take their
 * place: [rows][inputs] numbers in the precision of the device, and the classes, [rows] of uint32_t, or the
 * targets, [rows][outputs]. The prepared rows of the setup had that form. */
void mlp_device_borrow(struct net_training *device, struct shoal_buffer *inputs,
                       struct shoal_buffer *answers);
/* Waits for all updates. *updates: number of updates so far with finite losses, also set after a failure.
 * SHOAL_CHECK_FAILED: the loss of the next update is not finite; the message names the update. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_settle(struct net_training *device, uint64_t *updates,
                                                     struct shoal_error *error);
/* Judges an epoch after its last update was enqueued, and keeps the best parameters. An epoch is judged by
 * the validation rows, or, where patience or the rate needs a loss, by the training rows; otherwise the
 * current parameters are kept. SHOAL_CHECK_FAILED: a loss is not finite; the message names the update, and
 * `best` stays. */
SHOAL_MUST_CHECK enum shoal_status
mlp_device_end_epoch(struct net_training *device, struct trainer_epoch *epoch, struct shoal_error *error);

/* Copies net->parameters numbers: the last parameters, or the best. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_parameters(struct net_training *device, bool best,
                                                         double *parameters, struct shoal_error *error);
/* Computes predictions of prepared rows by given parameters: [count][outputs]. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_predict(struct net_training *device, const double *parameters,
                                                      size_t first, size_t count, double *outputs,
                                                      struct shoal_error *error);
/* Computes mean loss and gradient of rows first .. first + count - 1, no more than a batch and a chunk, with
 * the penalty, without dropout. The parameters stay as they are. */
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
