/* Private: asynchronous errors of queues. */
#ifndef SHOAL_COMPUTE_QUEUE_H
#define SHOAL_COMPUTE_QUEUE_H

#include "compute/backend.h"
#include "compute/clock.h"

/* Checks a queue. SHOAL_INVALID: it is NULL. SHOAL_DEVICE_LOST: its device is lost. */
enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error);

/* For a call that enqueued a command and returned `status`: an earlier launch may have caused the loss of a
 * device, so the message names the launches since the last finish without an error. Returns `status`. */
enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error);

/* For a call that waited and returned `status`: an earlier launch may have caused any failure. Starts a new
 * history. Returns `status`. */
enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status,
                               struct shoal_error *error);

/* Work of several devices in an order, without a thread that waits: the event of a mark ends when all that
 * was enqueued on the queue so far is done; the caller destroys it. queue_follow lets a queue wait for a mark
 * of a device whose memory its device reads directly: link_may_be_direct. */
enum shoal_status queue_mark(struct shoal_queue *queue, struct shoal_event **mark, struct shoal_error *error);
enum shoal_status queue_follow(struct shoal_queue *queue, struct shoal_event *mark,
                               struct shoal_error *error);
/* Seconds from the end of a mark to the end of a later mark of the same queue, both of which have ended; 0
 * where the queue does not measure times. */
enum shoal_status queue_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                            struct shoal_error *error);

struct first_launch {
    double start;
    bool in_span;
};

/* Called before and after the first launch of a kernel on a queue that times first launches. After a failure
 * of either, or of the launch between them, no span is open. */
enum shoal_status queue_begin_first_launch(struct shoal_queue *queue, struct first_launch *launch,
                                           struct shoal_error *error);
enum shoal_status queue_end_first_launch(struct shoal_queue *queue, const struct first_launch *launch,
                                         struct shoal_event *event, struct shoal_error *error);

#endif
