/* Private: the sums of a batch on a device where batches are divided into shards (mlp/training/shards.h). */
#ifndef SHOAL_MLP_DEVICE_SHARDS_H
#define SHOAL_MLP_DEVICE_SHARDS_H

#include "mlp/device/form.h"
#include "mlp/training/shards.h"

struct device_shards;

/* Creates the sums and sets device->shards, loss_place and sum_count, after the form was created. */
SHOAL_MUST_CHECK enum shoal_status device_shards_create(struct mlp_device *device, struct shoal_error *error);
void device_shards_destroy(struct device_shards **shards); /* accepts NULL */

/* Enqueues the sums over a batch, the step->count rows at place `at` of an epoch: those of the shards of this
 * device, and in a share of a run the exchange with the other shares, which ends the work of the queue.
 * `*sums` is valid until the next call. */
SHOAL_MUST_CHECK enum shoal_status device_shards_sum(struct mlp_device *device, const struct rows_part *epoch,
                                                     size_t at, const struct mlp_step *step,
                                                     struct shoal_buffer **sums, struct shoal_error *error);

#endif
