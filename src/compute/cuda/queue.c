/* Streams and spans of the CUDA backend. */
#include "compute/cuda/objects.h"

#include <stdlib.h>

/* Destroys the stream, its span events and its staging blocks. The context must be current. */
static void release(struct shoal_queue *queue)
{
    struct cuda_queue *native = cuda_queue(queue);
    const struct cuda_driver *driver = cuda_driver(queue->device);
    cuda_staging_free(queue);
    if (native->span_first)
        driver->cuEventDestroy_v2(native->span_first);
    if (native->span_last)
        driver->cuEventDestroy_v2(native->span_last);
    if (native->owned)
        driver->cuStreamDestroy_v2(native->stream);
}

/* Creates the stream, unless the caller owns it, and the span events. The context must be current. */
static enum shoal_status set_up(struct shoal_queue *queue, struct shoal_error *error)
{
    struct cuda_queue *native = cuda_queue(queue);
    enum shoal_status status = SHOAL_OK;
    if (native->owned) {
        /* The stream does not wait for the legacy stream, which other libraries of the process may use. */
        status = CUDA_CALL(queue->device, error, cuStreamCreate, &native->stream, STREAM_NON_BLOCKING);
        native->owned = status == SHOAL_OK;
    }
    if (status || !(queue->flags & SHOAL_QUEUE_PROFILING))
        return status;
    status = CUDA_CALL(queue->device, error, cuEventCreate, &native->span_first, EVENT_DEFAULT);
    if (!status)
        status = CUDA_CALL(queue->device, error, cuEventCreate, &native->span_last, EVENT_DEFAULT);
    return status;
}

static enum shoal_status create(struct shoal_queue *queue, struct cuda_queue initial,
                                struct shoal_error *error)
{
    struct cuda_queue *native = malloc(sizeof *native);
    if (!native)
        return fail_host_memory(error);
    *native = initial;
    queue->native = native;
    bool pushed;
    enum shoal_status status = cuda_enter(queue->device, &pushed, error);
    if (!status) {
        status = set_up(queue, error);
        if (status)
            release(queue);
        cuda_leave(queue->device, pushed);
    }
    if (status) {
        free(native);
        queue->native = NULL;
    }
    return status;
}

enum shoal_status cuda_queue_create(struct shoal_queue *queue, struct shoal_error *error)
{
    return create(queue, (struct cuda_queue){.owned = true}, error);
}

enum shoal_status cuda_queue_adopt(struct shoal_queue *queue, cu_stream stream, struct shoal_error *error)
{
    return create(queue, (struct cuda_queue){.stream = stream}, error);
}

void cuda_queue_destroy(struct shoal_queue *queue)
{
    bool pushed;
    if (cuda_enter(queue->device, &pushed, NULL) == SHOAL_OK) {
        release(queue);
        cuda_leave(queue->device, pushed);
    }
    free(queue->native);
    queue->native = NULL;
}

/* Does nothing, since the driver submits commands at once. */
enum shoal_status cuda_queue_flush(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)queue;
    (void)error;
    return SHOAL_OK;
}

enum shoal_status cuda_queue_finish(struct shoal_queue *queue, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_enter(queue->device, &pushed, error);
    if (status)
        return status;
    status = cuda_span_mark(queue, error);
    if (!status)
        status = CUDA_CALL(queue->device, error, cuStreamSynchronize, cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                  struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_enter(queue->device, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuStreamWaitEvent, cuda_queue(queue)->stream,
                       cuda_event_done(event), 0);
    cuda_leave(queue->device, pushed);
    return status;
}

/* The first event of the span is recorded not here but before the first command, so that the span does not
 * count the time until the host enqueues this command. */
enum shoal_status cuda_span_begin(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)error;
    struct cuda_queue *native = cuda_queue(queue);
    native->span = SPAN_OPEN;
    native->span_end_stale = false;
    return SHOAL_OK;
}

enum shoal_status cuda_span_command(struct shoal_queue *queue, struct shoal_error *error)
{
    struct cuda_queue *native = cuda_queue(queue);
    if (native->span == SPAN_OPEN) {
        enum shoal_status status =
            CUDA_CALL(queue->device, error, cuEventRecord, native->span_first, native->stream);
        if (status)
            return status;
        native->span = SPAN_STARTED;
    }
    native->span_end_stale = true;
    return SHOAL_OK;
}

enum shoal_status cuda_span_mark(struct shoal_queue *queue, struct shoal_error *error)
{
    struct cuda_queue *native = cuda_queue(queue);
    if (native->span != SPAN_STARTED || !native->span_end_stale)
        return SHOAL_OK;
    native->span_end_stale = false;
    return CUDA_CALL(queue->device, error, cuEventRecord, native->span_last, native->stream);
}

enum shoal_status cuda_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    struct cuda_queue *native = cuda_queue(queue);
    bool pushed;
    enum shoal_status status = cuda_enter(queue->device, &pushed, error);
    if (status)
        return status;
    status = cuda_span_mark(queue, error);
    if (!status)
        status = CUDA_CALL(queue->device, error, cuStreamSynchronize, native->stream);
    float milliseconds = 0;
    if (!status && native->span == SPAN_STARTED)
        status = CUDA_CALL(queue->device, error, cuEventElapsedTime, &milliseconds, native->span_first,
                           native->span_last);
    native->span = SPAN_NONE;
    *seconds = 1e-3 * (double)milliseconds;
    cuda_leave(queue->device, pushed);
    return status;
}
