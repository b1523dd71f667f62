/* Private: the products of a net's layers on GPUs. */
#ifndef SHOAL_MLP_DEVICE_PRODUCTS_H
#define SHOAL_MLP_DEVICE_PRODUCTS_H

#include "mlp/device/form.h"

struct products;

/* Chooses tiles and builds programs for the first `layers` layers; all places in device->layers must be set.
 * has_head: another kernel makes the gradient of the biases of the last of these layers. */
SHOAL_MUST_CHECK enum shoal_status products_create(struct mlp_device *device, uint32_t layers, bool has_head,
                                                   struct products **out, struct shoal_error *error);
void products_destroy(struct products **products); /* accepts NULL */
/* Number of parts in which the gradient of layer `l` is summed; it depends only on the net and the batch. */
uint32_t products_parts(const struct products *products, uint32_t l);

/* Number of parts in which the sums of the values of layer l are computed where the batch has few tiles; 0:
 * the sums are not split. */
uint32_t products_split(const struct products *products, uint32_t l);

/* Enqueues the values of layer l, with activation and dropout. Where the layer is split, enqueues the parts
 * of its sums, planes[part][row of the batch], with the pitch of the values. */
SHOAL_MUST_CHECK enum shoal_status products_forward(struct products *products, uint32_t l,
                                                    struct shoal_buffer *parameters,
                                                    struct shoal_buffer *planes, const struct mlp_step *step,
                                                    struct shoal_error *error);
/* Computes the deltas of layer l - 1 from the deltas of layer l. */
SHOAL_MUST_CHECK enum shoal_status products_backward(struct products *products, uint32_t l,
                                                     const struct mlp_step *step, struct shoal_error *error);
/* Computes sums over the rows of the batch for the weights and biases of layer l: parts[part][parameter],
 * where a part is as long as the number of parameters rounded up to 4. */
SHOAL_MUST_CHECK enum shoal_status products_gradient(struct products *products, uint32_t l,
                                                     struct shoal_buffer *parts, const struct mlp_step *step,
                                                     struct shoal_error *error);

#endif
