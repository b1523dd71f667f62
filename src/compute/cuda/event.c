/* Events of launches: a CUDA event after the launch and, on profiling queues unless the launch is untimed,
 * one before it. */
#include "compute/cuda/objects.h"

#include <stdlib.h>

struct cuda_event {
    cu_event start; /* NULL: the event has no times */
    cu_event end;
};

static struct cuda_event *cuda_event(const struct shoal_event *event)
{
    return event->native;
}

void cuda_event_cancel(struct shoal_event *event)
{
    struct cuda_event *native = cuda_event(event);
    const struct cuda_driver *driver = cuda_driver(event->queue->device);
    if (native->start)
        driver->cuEventDestroy_v2(native->start);
    if (native->end)
        driver->cuEventDestroy_v2(native->end);
    free(native);
    event->native = NULL;
}

bool cuda_event_is_timed(const struct shoal_event *event)
{
    return event->queue->flags & SHOAL_QUEUE_PROFILING && !event->is_untimed;
}

enum shoal_status cuda_event_begin(struct shoal_event *event, struct shoal_error *error)
{
    struct shoal_device *device = event->queue->device;
    struct cuda_event *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    event->native = native;
    const bool timed = cuda_event_is_timed(event);
    enum shoal_status status =
        CUDA_CALL(device, error, cuEventCreate, &native->end, timed ? EVENT_DEFAULT : EVENT_DISABLE_TIMING);
    if (!status && timed)
        status = CUDA_CALL(device, error, cuEventCreate, &native->start, EVENT_DEFAULT);
    if (!status && timed)
        status = CUDA_CALL(device, error, cuEventRecord, native->start, cuda_queue(event->queue)->stream);
    if (status)
        cuda_event_cancel(event);
    return status;
}

enum shoal_status cuda_event_end(struct shoal_event *event, struct shoal_error *error)
{
    return CUDA_CALL(event->queue->device, error, cuEventRecord, cuda_event(event)->end,
                     cuda_queue(event->queue)->stream);
}

enum shoal_status cuda_queue_mark(struct shoal_queue *queue, struct shoal_event *event,
                                  struct shoal_error *error)
{
    struct shoal_device *device = queue->device;
    const bool timed = queue->flags & SHOAL_QUEUE_PROFILING;
    struct cuda_event *native = calloc(1, sizeof *native);
    bool pushed;
    if (!native)
        return fail_host_memory(error);
    event->native = native;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status) {
        free(native);
        return status;
    }
    status =
        CUDA_CALL(device, error, cuEventCreate, &native->end, timed ? EVENT_DEFAULT : EVENT_DISABLE_TIMING);
    if (!status)
        status = cuda_event_end(event, error);
    if (status)
        cuda_event_cancel(event);
    cuda_leave(device, pushed);
    return status;
}

cu_event cuda_event_done(const struct shoal_event *event)
{
    return cuda_event(event)->end;
}

enum shoal_status cuda_event_wait(struct shoal_event *event, struct shoal_error *error)
{
    struct shoal_device *device = event->queue->device;
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(device, error, cuEventSynchronize, cuda_event(event)->end);
    cuda_leave(device, pushed);
    return status;
}

/* CUDA gives the time between two events in milliseconds as float. So the start, counted from the epoch of
 * the device, loses digits as time passes, while the duration keeps all its digits. */
enum shoal_status cuda_event_times(struct shoal_event *event, double *start, double *end,
                                   struct shoal_error *error)
{
    struct shoal_device *device = event->queue->device;
    const struct cuda_event *native = cuda_event(event);
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    float before = 0, duration = 0;
    status = CUDA_CALL(device, error, cuEventSynchronize, native->end);
    if (!status)
        status =
            CUDA_CALL(device, error, cuEventElapsedTime, &before, cuda_device(device)->epoch, native->start);
    if (!status)
        status = CUDA_CALL(device, error, cuEventElapsedTime, &duration, native->start, native->end);
    cuda_leave(device, pushed);
    *start = 1e-3 * (double)before;
    *end = *start + 1e-3 * (double)duration;
    return status;
}

enum shoal_status cuda_event_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                 struct shoal_error *error)
{
    struct shoal_device *device = first->queue->device;
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    float milliseconds = 0;
    status = CUDA_CALL(device, error, cuEventElapsedTime, &milliseconds, cuda_event(first)->end,
                       cuda_event(last)->end);
    cuda_leave(device, pushed);
    *seconds = 1e-3 * (double)milliseconds;
    return status;
}

void cuda_event_destroy(struct shoal_event *event)
{
    bool pushed;
    if (cuda_enter(event->queue->device, &pushed, NULL) == SHOAL_OK) {
        cuda_event_cancel(event);
        cuda_leave(event->queue->device, pushed);
    } else {
        free(event->native);
        event->native = NULL;
    }
}
