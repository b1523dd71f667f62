/* Private: gradient and losses of a batch, summed over its shards (mlp/training/shards.h) on a device. */
#ifndef SHOAL_MLP_DEVICE_SHARDS_H
#define SHOAL_MLP_DEVICE_SHARDS_H

#include "mlp/device/form.h"
#include "mlp/training/shards.h"

struct device_shards;

/* Creates the buffers of the sums, and sets device->shards, loss_place and sum_count; the form must be
 * created. */
SHOAL_MUST_CHECK enum shoal_status device_shards_create(struct mlp_device *device, struct shoal_error *error);
void device_shards_destroy(struct device_shards **shards); /* accepts NULL */

/* Enqueues the update from a batch, the step->count rows from row `at` of the epoch on: computes the sums
 * over the shards of this device, exchanges them with the other shares if this device is a share of a run,
 * and computes the new parameters. */
SHOAL_MUST_CHECK enum shoal_status device_shards_update(struct mlp_device *device,
                                                        const struct rows_part *epoch, size_t at,
                                                        const struct mlp_step *step,
                                                        struct shoal_error *error);

/* Lets the queue of the device wait until all parameters of layer `layer` are computed. A call for a layer
 * from device->late on waits for all layers; layer: at most the number of layers. */
SHOAL_MUST_CHECK enum shoal_status device_shards_wait(struct mlp_device *device, uint32_t layer,
                                                      struct shoal_error *error);

/* For a share that computes shards of batches: if each share updates a part of the parameters, takes from the
 * other shares the state of the optimiser for their parts. All shares must make this call. */
SHOAL_MUST_CHECK enum shoal_status mlp_device_gather(struct net_training *device, struct shoal_error *error);

#endif
