/* Private: asynchronous errors of queues. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"
#include "compute/clock.h"

/* Checks a queue. SHOAL_INVALID: it is NULL. SHOAL_DEVICE_LOST: its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* Called after a call that enqueued a command and returned `status`. An earlier launch may have caused the
 * loss of the device, so the message then names the launches since the last finish without an error. Returns
 * `status`. */
enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error);

/* Called after a call that waited and returned `status`. An earlier launch may have caused any failure, so
 * the message names the launches. The history of launches begins anew. Returns `status`. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

struct first_launch {
    double start;
    bool in_span;
};

/* Called before and after the first launch of a kernel on a queue that times first launches. After a failure
 * of one of these calls, or of the launch between them, no span is open. */
enum shoal_status queue_begin_first_launch(struct shoal_queue *queue, struct first_launch *launch,
                                           struct shoal_error *error);
enum shoal_status queue_end_first_launch(struct shoal_queue *queue, const struct first_launch *launch,
                                         struct shoal_event *event, struct shoal_error *error);

#endif
