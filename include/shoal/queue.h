/* Queues, buffers, events.
 *
 * A queue runs its commands in order and asynchronously. An error of a command that was already accepted is
 * kept by the queue and returned by the next shoal_queue_finish or shoal_buffer_read, naming the launches
 * since the last finish without an error.
 *
 * Threads: a queue with its kernels and buffers may be used by one thread at a time.
 * The host device has no queues: its solvers run as plain C (SHOAL_UNSUPPORTED here).
 */
#ifndef SHOAL_QUEUE_H
#define SHOAL_QUEUE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

struct shoal_queue;
struct shoal_buffer;
struct shoal_event;

enum { SHOAL_QUEUE_PROFILING = 1 }; /* device time stamps: needed by spans and shoal_event_times */

SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_create(struct shoal_device *device, unsigned flags,
                                                                struct shoal_queue **out,
                                                                struct shoal_error *error);
/* Waits for what is in the queue. Destructors accept NULL and set the pointer to NULL. */
SHOAL_API void shoal_queue_destroy(struct shoal_queue **queue);
SHOAL_API struct shoal_device *shoal_queue_device(const struct shoal_queue *queue);

/* Hands pending commands to the device without waiting. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_flush(struct shoal_queue *queue,
                                                               struct shoal_error *error);
/* Waits until every command is done. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_finish(struct shoal_queue *queue,
                                                                struct shoal_error *error);
/* Later commands of `queue` start after `event`, which may come from another queue of the same device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_queue_wait(struct shoal_queue *queue, struct shoal_event *event, struct shoal_error *error);

/* Device time of a span: seconds from the first start to the last end of the commands enqueued between the
 * two calls. shoal_span_end waits for the queue. The queue needs SHOAL_QUEUE_PROFILING; spans do not nest.
 * An empty span takes 0 seconds. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_span_begin(struct shoal_queue *queue,
                                                              struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_span_end(struct shoal_queue *queue, double *seconds,
                                                            struct shoal_error *error);

/* `bytes` of device memory, at least 1, aligned for every type, content undefined. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_create(struct shoal_device *device, size_t bytes,
                                                                 struct shoal_buffer **out,
                                                                 struct shoal_error *error);
/* No command that uses the buffer may be pending. */
SHOAL_API void shoal_buffer_destroy(struct shoal_buffer **buffer);
SHOAL_API size_t shoal_buffer_size(const struct shoal_buffer *buffer);

/* Offsets and sizes in bytes. `data` may be reused as soon as the call returns. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_write(struct shoal_queue *queue,
                                                                struct shoal_buffer *buffer, size_t offset,
                                                                const void *data, size_t bytes,
                                                                struct shoal_error *error);
/* Waits for earlier commands and for the data. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_read(struct shoal_queue *queue,
                                                               struct shoal_buffer *buffer, size_t offset,
                                                               void *data, size_t bytes,
                                                               struct shoal_error *error);
/* The ranges must not overlap when both buffers are the same. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source, size_t source_offset,
                  struct shoal_buffer *target, size_t target_offset, size_t bytes, struct shoal_error *error);
/* Fills with a 32-bit word; offset and bytes are multiples of 4. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_fill(struct shoal_queue *queue,
                                                               struct shoal_buffer *buffer, size_t offset,
                                                               size_t bytes, uint32_t word,
                                                               struct shoal_error *error);

/* Events come from shoal_launch; they must be destroyed before their queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_event_wait(struct shoal_event *event,
                                                              struct shoal_error *error);
/* Start and end in seconds of the device's clock; waits for the event. The queue needs
 * SHOAL_QUEUE_PROFILING. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_event_times(struct shoal_event *event, double *start,
                                                               double *end, struct shoal_error *error);
SHOAL_API void shoal_event_destroy(struct shoal_event **event);

SHOAL_END_DECLS

#endif
