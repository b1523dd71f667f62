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

/* Enqueues the computation of the sums over a batch, the step->count rows of an epoch from its row `at` on.
 * In a share of a run, this device computes the sums of its own shards, and the call exchanges sums with the
 * other shares, for which it waits until the queue is empty. `*sums` is valid until the next call. */
SHOAL_MUST_CHECK enum shoal_status device_shards_sum(struct mlp_device *device, const struct rows_part *epoch,
                                                     size_t at, const struct mlp_step *step,
                                                     struct shoal_buffer **sums, struct shoal_error *error);

#endif
