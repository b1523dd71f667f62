#include "compute/opencl/opencl.h"

#include <stdlib.h>

enum shoal_status opencl_queue_adopt(struct shoal_queue *queue, cl_command_queue native,
                                     struct shoal_error *error)
{
    struct opencl_queue *state = calloc(1, sizeof *state);
    if (!state)
        return fail_host_memory(error);
    state->queue = native;
    queue->native = state;
    return SHOAL_OK;
}

enum shoal_status opencl_queue_create(struct shoal_queue *queue, struct shoal_error *error)
{
    struct opencl_device *device = opencl_device(queue->device);
    cl_command_queue_properties flags = queue->flags & SHOAL_QUEUE_PROFILING ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int code;
    cl_command_queue native = clCreateCommandQueue(device->context, device->id, flags, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clCreateCommandQueue", code, "making a queue");
    enum shoal_status status = opencl_queue_adopt(queue, native, error);
    if (status)
        clReleaseCommandQueue(native);
    return status;
}

static void release_span(struct opencl_queue *queue)
{
    if (queue->first)
        clReleaseEvent(queue->first);
    if (queue->last)
        clReleaseEvent(queue->last);
    queue->first = queue->last = NULL;
    queue->in_span = false;
}

void opencl_queue_destroy(struct shoal_queue *queue)
{
    struct opencl_queue *state = opencl_queue(queue);
    release_span(state);
    clReleaseCommandQueue(state->queue);
    free(state);
}

enum shoal_status opencl_queue_flush(struct shoal_queue *queue, struct shoal_error *error)
{
    cl_int code = clFlush(opencl_queue(queue)->queue);
    return code == CL_SUCCESS ? SHOAL_OK : opencl_fail_wait(queue->device, error, "clFlush", code);
}

enum shoal_status opencl_queue_finish(struct shoal_queue *queue, struct shoal_error *error)
{
    cl_int code = clFinish(opencl_queue(queue)->queue);
    return code == CL_SUCCESS ? SHOAL_OK : opencl_fail_wait(queue->device, error, "clFinish", code);
}

enum shoal_status opencl_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error)
{
    cl_event native = event->native;
    /* The queue that makes the event must have it under way, or both would wait for ever. */
    cl_int code = clFlush(opencl_queue(event->queue)->queue);
    if (code == CL_SUCCESS)
        code = clEnqueueBarrierWithWaitList(opencl_queue(queue)->queue, 1, &native, NULL);
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail(queue->device, error, "clEnqueueBarrierWithWaitList", code,
                                            "ordering two queues");
}

cl_event *opencl_span_slot(struct opencl_queue *queue, cl_event *event)
{
    *event = NULL;
    return queue->in_span ? event : NULL;
}

void opencl_span_take(struct opencl_queue *queue, cl_event event)
{
    if (!queue->in_span || !event)
        return;
    if (!queue->first) {
        clRetainEvent(event);
        queue->first = event;
    }
    if (queue->last)
        clReleaseEvent(queue->last);
    queue->last = event;
}

/* Every command inside takes an event: time stamps of markers are not to be had from every driver. */
enum shoal_status opencl_span_begin(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)error;
    release_span(opencl_queue(queue));
    opencl_queue(queue)->in_span = true;
    return SHOAL_OK;
}

static enum shoal_status stamp(struct shoal_device *device, cl_event event, cl_profiling_info which,
                               double *seconds, struct shoal_error *error)
{
    cl_ulong nanoseconds = 0;
    cl_int code = clGetEventProfilingInfo(event, which, sizeof nanoseconds, &nanoseconds, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(device, error, "clGetEventProfilingInfo", code, "reading a time stamp");
    *seconds = 1e-9 * (double)nanoseconds;
    return SHOAL_OK;
}

enum shoal_status opencl_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    enum shoal_status status = opencl_queue_finish(queue, error);
    *seconds = 0;
    if (!status && state->first) {
        /* Nanoseconds since the machine started pass the 53 bits of a double after 104 days: subtract first.
         */
        cl_ulong start = 0, end = 0;
        cl_int code =
            clGetEventProfilingInfo(state->first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        if (code == CL_SUCCESS)
            code = clGetEventProfilingInfo(state->last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        if (code != CL_SUCCESS)
            status =
                opencl_fail(queue->device, error, "clGetEventProfilingInfo", code, "reading a time stamp");
        else if (end > start)
            *seconds = 1e-9 * (double)(end - start);
    }
    release_span(state);
    return status;
}

enum shoal_status opencl_event_wait(struct shoal_event *event, struct shoal_error *error)
{
    cl_event native = event->native;
    cl_int code = clWaitForEvents(1, &native), state = CL_COMPLETE;
    if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
        clGetEventInfo(native, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS &&
        state < 0)
        code = state;
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail_wait(event->queue->device, error, "clWaitForEvents", code);
}

enum shoal_status opencl_event_times(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error)
{
    enum shoal_status status = opencl_event_wait(event, error);
    if (!status)
        status = stamp(event->queue->device, event->native, CL_PROFILING_COMMAND_START, start, error);
    if (!status)
        status = stamp(event->queue->device, event->native, CL_PROFILING_COMMAND_END, end, error);
    return status;
}

void opencl_event_destroy(struct shoal_event *event)
{
    clReleaseEvent(event->native);
}
