/* Private: the matrix products of a net's layers on GPUs: values, deltas and gradients. */
#ifndef SHOAL_MLP_DEVICE_PRODUCTS_H
#define SHOAL_MLP_DEVICE_PRODUCTS_H

#include "mlp/device/form.h"

struct products;

/* Chooses tiles and builds programs for the first `layers` layers; all members of device->layers must be set.
 * has_head: mlp_head computes the gradient of the biases of the last of these layers. */
SHOAL_MUST_CHECK enum shoal_status products_create(struct mlp_device *device, uint32_t layers, bool has_head,
                                                   struct products **out, struct shoal_error *error);
void products_destroy(struct products **products); /* accepts NULL */
/* Number of parts in which the gradient of layer l is summed, each over some rows of the batch. The number
 * depends only on the net and the batch. */
uint32_t products_parts(const struct products *products, uint32_t l);

/* Number of parts in which the sums of layer l are computed, each over some inputs, because the batch has too
 * few tiles to keep the device busy; 0: the sums are not split. */
uint32_t products_split(const struct products *products, uint32_t l);

/* Enqueues the computation of the values of layer l, with activation and dropout. If the sums of the layer
 * are split, computes only their parts instead: planes[part][row of the batch], with the pitch of the values.
 */
SHOAL_MUST_CHECK enum shoal_status products_forward(struct products *products, uint32_t l,
                                                    struct shoal_buffer *parameters,
                                                    struct shoal_buffer *planes, const struct mlp_step *step,
                                                    struct shoal_error *error);
/* Enqueues the computation of the deltas of layer l - 1 from the deltas of layer l. */
SHOAL_MUST_CHECK enum shoal_status products_backward(struct products *products, uint32_t l,
                                                     const struct mlp_step *step, struct shoal_error *error);
/* Enqueues the gradient of the weights and biases of layer l, as sums over the rows of the batch:
 * parts[part][parameter]. A part is as long as the layer's number of parameters, rounded up to a multiple of
 * 4. */
SHOAL_MUST_CHECK enum shoal_status products_gradient(struct products *products, uint32_t l,
                                                     struct shoal_buffer *parts, const struct mlp_step *step,
                                                     struct shoal_error *error);

#endif
