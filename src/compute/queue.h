/* Private state of queues: asynchronous errors. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"

/* SHOAL_INVALID for NULL, SHOAL_DEVICE_LOST when its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* For a call that enqueued a command and returned `status`: an earlier launch may have caused the loss of a
 * device, so the message names the launches since the last finish without an error. Returns `status`. */
enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error);

/* For a call that waited and returned `status`: an earlier launch may have caused any failure. Starts a new
 * history. Returns `status`. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

#endif
