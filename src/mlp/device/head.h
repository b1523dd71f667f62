/* Private: mlp_head (cl/mlp/device/head.cl), the kernel for the last layer of a net with few outputs. */
#ifndef SHOAL_MLP_DEVICE_HEAD_H
#define SHOAL_MLP_DEVICE_HEAD_H

#include "mlp/device/form.h"

/* Whether the last layer of the net is small enough for mlp_head. */
bool head_suits(const struct net *net);
/* Number of rows of a work-group for a batch of `batch` rows. */
size_t head_block(size_t batch);
/* Number of parameters whose gradient the kernel computes: the weights and biases of the last layer, and the
 * biases of the layer before. */
size_t head_length(const struct net *net);

/* Builds the kernel; all members of device->layers must be set. The kernel is destroyed with the programs of
 * the device. */
SHOAL_MUST_CHECK enum shoal_status head_build(struct mlp_device *device, struct shoal_kernel **kernel,
                                              struct shoal_error *error);
struct head_buffers {
    /* sums of the layer before the last one, in parts, if the product of that layer is split */
    struct shoal_buffer *planes;
    struct shoal_buffer *order; /* numbers of the rows of the batch, for batches that are shuffled */
    struct shoal_buffer
        *gradients; /* with MLP_STEP_TRAIN, receives head_length numbers for each block of rows */
};
/* Enqueues the kernel for a batch whose values before the last layer are computed. `*read` receives the event
 * of the launch, after which the buffers of rows are no longer read; `read` may be NULL. */
SHOAL_MUST_CHECK enum shoal_status head_run(struct mlp_device *device, struct shoal_kernel *kernel,
                                            struct shoal_buffer *parameters, const struct head_buffers *with,
                                            const struct mlp_step *step, struct shoal_event **read,
                                            struct shoal_error *error);

#endif
