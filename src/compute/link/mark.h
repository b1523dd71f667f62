/* Private: orders the work of several devices, without a thread that waits. */
#ifndef SHOAL_COMPUTE_MARK_H
#define SHOAL_COMPUTE_MARK_H

#include <shoal/queue.h>

/* A mark is an event of a queue. queue_mark creates one that ends when all commands enqueued so far on the
 * queue are done; the caller destroys it. queue_follow lets a queue wait for the mark of a device whose
 * memory its device reads directly (link_may_be_direct). */
SHOAL_MUST_CHECK enum shoal_status queue_mark(struct shoal_queue *queue, struct shoal_event **mark,
                                              struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status queue_follow(struct shoal_queue *queue, struct shoal_event *mark,
                                                struct shoal_error *error);
/* Seconds from the end of a mark to the end of a later mark of the same queue. Both must have ended. 0: the
 * queue does not measure times. */
SHOAL_MUST_CHECK enum shoal_status queue_gap(struct shoal_event *first, struct shoal_event *last,
                                             double *seconds, struct shoal_error *error);

#endif
