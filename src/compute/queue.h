/* Private state of queues: asynchronous errors. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"

/* SHOAL_INVALID for NULL, SHOAL_DEVICE_LOST when its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* Keeps an asynchronous error for the next finish or read; returns `status`. */
enum shoal_status queue_keep(struct shoal_queue *queue, enum shoal_status status,
                             const struct shoal_error *error);

/* Called after a finish or read that returned `status`: adds the launches to its message, or brings up the
 * error that was kept, and begins a new history. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

#endif
