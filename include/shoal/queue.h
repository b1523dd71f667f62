/* Queues, buffers, events.
 *
 * A queue runs its commands in order and asynchronously. If a command fails after its call has returned, the
 * queue keeps the error: the next shoal_queue_finish or shoal_buffer_read returns the error and names the
 * launches since the last finish without an error.
 *
 * Threads: a queue with its kernels, buffers and events may be used by one thread at a time.
 *
 * The host device has no queues and no buffers, since its solvers run as plain C: SHOAL_UNSUPPORTED.
 */
#ifndef SHOAL_QUEUE_H
#define SHOAL_QUEUE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* An in-order command queue of one device: an OpenCL command queue or a CUDA stream. */
struct shoal_queue;

/* Global memory of one device. Any queue of that device may use a buffer. */
struct shoal_buffer;

/* The end of one launch, and its times. */
struct shoal_event;

/* Flags of shoal_queue_create, to be or'ed. */
enum {
    SHOAL_QUEUE_PROFILING = 1 /* The queue measures device times, as spans and shoal_event_times need. */
};

/* Creates a queue on `device`. `flags`: SHOAL_QUEUE_PROFILING or 0. Destroy the queue with
 * shoal_queue_destroy.
 * Errors: SHOAL_INVALID: an unknown flag. SHOAL_UNSUPPORTED: the device is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_create(struct shoal_device *device, unsigned flags,
                                                                struct shoal_queue **out,
                                                                struct shoal_error *error);

/* Waits for the commands of the queue, destroys the queue and sets the pointer to NULL. Accepts NULL. Destroy
 * the events of the queue first. */
SHOAL_API void shoal_queue_destroy(struct shoal_queue **queue);

/* The device of the queue. */
SHOAL_API struct shoal_device *shoal_queue_device(const struct shoal_queue *queue);

/* Hands pending commands to the device without waiting.
 * Errors: SHOAL_FAILED and SHOAL_DEVICE_LOST of the driver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_flush(struct shoal_queue *queue,
                                                               struct shoal_error *error);

/* Waits until every command is done.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST: a command since the last finish failed; the message names the
 * launches since that finish. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_queue_finish(struct shoal_queue *queue,
                                                                struct shoal_error *error);

/* Later commands of `queue` start after `event`, which may come from another queue of the same device. Does
 * not wait on the host.
 * Errors: SHOAL_INVALID: the event belongs to another device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_queue_wait(struct shoal_queue *queue, struct shoal_event *event, struct shoal_error *error);

/* Begins to measure the device time of the following commands, a span. Spans do not nest.
 * Errors: SHOAL_INVALID: the queue was created without SHOAL_QUEUE_PROFILING, or a span is open already. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_span_begin(struct shoal_queue *queue,
                                                              struct shoal_error *error);

/* Ends the span and waits for the queue. `*seconds` receives the device time from the first start to the last
 * end of the commands since shoal_span_begin, in seconds; 0 for an empty span.
 * Errors: SHOAL_INVALID: no span is open. Errors of shoal_queue_finish. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_span_end(struct shoal_queue *queue, double *seconds,
                                                            struct shoal_error *error);

/* Creates a buffer of `bytes` bytes, at least 1, aligned for every type. Its content is undefined. Destroy
 * the buffer with shoal_buffer_destroy.
 * Errors: SHOAL_INVALID: 0 bytes. SHOAL_OUT_OF_DEVICE_MEMORY: more than info.max_allocation, or than the
 * device has left. SHOAL_UNSUPPORTED: the device is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_create(struct shoal_device *device, size_t bytes,
                                                                 struct shoal_buffer **out,
                                                                 struct shoal_error *error);

/* Destroys the buffer and sets the pointer to NULL. Accepts NULL. No command that uses the buffer may be
 * pending. */
SHOAL_API void shoal_buffer_destroy(struct shoal_buffer **buffer);

/* Bytes of the buffer. */
SHOAL_API size_t shoal_buffer_size(const struct shoal_buffer *buffer);

/* Enqueues a copy of `bytes` bytes of `data` to the buffer, from byte `offset` on. `data` may be reused as
 * soon as the call returns; `data` may be NULL where `bytes` is 0.
 * Errors: SHOAL_INVALID: the range passes the end of the buffer, or the buffer belongs to another device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_write(struct shoal_queue *queue,
                                                                struct shoal_buffer *buffer, size_t offset,
                                                                const void *data, size_t bytes,
                                                                struct shoal_error *error);

/* Waits for earlier commands, then copies `bytes` bytes of the buffer, from byte `offset` on, to `data`.
 * `data` may be NULL where `bytes` is 0; the call then only waits.
 * Errors: SHOAL_INVALID: the range passes the end of the buffer, or the buffer belongs to another device.
 * Errors of shoal_queue_finish. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_read(struct shoal_queue *queue,
                                                               struct shoal_buffer *buffer, size_t offset,
                                                               void *data, size_t bytes,
                                                               struct shoal_error *error);

/* Enqueues a copy of `bytes` bytes from one buffer to another, or within one buffer. Offsets are in bytes.
 * Errors: SHOAL_INVALID: a range passes the end of its buffer, the two ranges overlap in one buffer, or a
 * buffer belongs to another device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source, size_t source_offset,
                  struct shoal_buffer *target, size_t target_offset, size_t bytes, struct shoal_error *error);

/* Enqueues a fill of `bytes` bytes from byte `offset` on with a 32-bit word.
 * Errors: SHOAL_INVALID: `offset` or `bytes` is no multiple of 4, the range passes the end of the buffer, or
 * the buffer belongs to another device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_buffer_fill(struct shoal_queue *queue,
                                                               struct shoal_buffer *buffer, size_t offset,
                                                               size_t bytes, uint32_t word,
                                                               struct shoal_error *error);

/* Waits on the host until the launch of the event is done.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST: the launch failed. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_event_wait(struct shoal_event *event,
                                                              struct shoal_error *error);

/* Waits for the event. `*start` and `*end` receive the times of the launch, in seconds of the device's clock.
 * Errors: SHOAL_INVALID: the queue was created without SHOAL_QUEUE_PROFILING. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_event_times(struct shoal_event *event, double *start,
                                                               double *end, struct shoal_error *error);

/* Destroys the event and sets the pointer to NULL. Accepts NULL. Destroy an event before its queue. */
SHOAL_API void shoal_event_destroy(struct shoal_event **event);

SHOAL_END_DECLS

#endif
