/* Private state of queues: asynchronous errors. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"

/* SHOAL_INVALID for NULL, SHOAL_DEVICE_LOST when its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* For a call that put a command into the queue and returned `status`: a lost device may be the work of an
 * earlier launch, so the message names the launches since the last good finish. Returns `status`. */
enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error);

/* For a call that waited and returned `status`: every failure may be the work of an earlier launch. Begins a
 * new history. Returns `status`. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

#endif
