/* Private: the last layer of a net with few outputs, by cl/mlp/device/head.cl. */
#ifndef SHOAL_MLP_DEVICE_HEAD_H
#define SHOAL_MLP_DEVICE_HEAD_H

#include "mlp/device/form.h"

/* Whether the net has few enough outputs. */
bool head_suits(const struct net *net);
/* Rows of a work-group, which follow from the batch. */
size_t head_block(size_t batch);
/* Number of the last parameters, whose gradient the kernel makes: weights and biases of the last layer, and
 * biases of the layer before. */
size_t head_length(const struct net *net);

/* Builds the kernel, after all places in device->layers were set. The kernel is destroyed with the programs
 * of the device. */
SHOAL_MUST_CHECK enum shoal_status head_build(struct mlp_device *device, struct shoal_kernel **kernel,
                                              struct shoal_error *error);
struct head_buffers {
    /* parts of the sums of the preceding layer, if the product of that layer is split */
    struct shoal_buffer *planes;
    struct shoal_buffer *order; /* the rows of the batch, where these are not in order */
    struct shoal_buffer
        *gradients; /* receives head_length numbers of each block of rows, where the step trains */
};
/* Takes the batch through the last layer. `*read` receives an event that ends once the rows are read; `read`
 * may be NULL. */
SHOAL_MUST_CHECK enum shoal_status head_run(struct mlp_device *device, struct shoal_kernel *kernel,
                                            struct shoal_buffer *parameters, const struct head_buffers *with,
                                            const struct mlp_step *step, struct shoal_event **read,
                                            struct shoal_error *error);

#endif
