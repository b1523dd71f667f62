/* Private: asynchronous errors of queues. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"
#include "compute/clock.h"

/* Checks a queue. SHOAL_INVALID: it is NULL. SHOAL_DEVICE_LOST: its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* Called after a call that enqueues a command and has returned `status`. If the device is lost, an earlier
 * launch may be the cause, so the names of the launches since the last finish without an error are added to
 * the message. Returns `status`. */
enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error);

/* Called after a call that waits and has returned `status`. After any failure the names of the launches are
 * added to the message, since each may be the cause. The history of launches then begins anew. Returns
 * `status`. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

struct first_launch {
    double start;
    bool in_span;
};

/* Called before and after the first launch of a kernel, if the queue times first launches. If one of these
 * calls or the launch fails, no span is open after it. */
enum shoal_status queue_begin_first_launch(struct shoal_queue *queue, struct first_launch *launch,
                                           struct shoal_error *error);
enum shoal_status queue_end_first_launch(struct shoal_queue *queue, const struct first_launch *launch,
                                         struct shoal_event *event, struct shoal_error *error);

#endif
