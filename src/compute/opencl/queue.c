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
    else if (device->is_pocl)
        opencl_loading_add(opencl_queue(queue));
    return status;
}

static void release_span(struct opencl_queue *queue)
{
    if (queue->first)
        clReleaseEvent(queue->first);
    queue->first = NULL;
    queue->in_span = false;
}

static void look_at_watched(struct opencl_queue *queue)
{
    cl_int state = CL_COMPLETE;
    if (queue->watched &&
        clGetEventInfo(queue->watched, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) ==
            CL_SUCCESS &&
        state < 0 && queue->broken == CL_SUCCESS)
        queue->broken = state;
}

static void release_watched(struct opencl_queue *queue)
{
    if (queue->watched)
        clReleaseEvent(queue->watched);
    queue->watched = NULL;
}

/* Stops watching the launch before, even if it is still running: its failure would make the new launch fail,
 * too. */
void opencl_queue_watch(struct opencl_queue *queue, cl_event launch)
{
    look_at_watched(queue);
    release_watched(queue);
    clRetainEvent(launch);
    queue->watched = launch;
}

enum shoal_status opencl_queue_check(struct shoal_queue *queue, const char *call, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    look_at_watched(state);
    release_watched(state);
    const cl_int code = state->broken;
    state->broken = CL_SUCCESS;
    if (code == CL_SUCCESS)
        return SHOAL_OK;
    return fail_call(error, SHOAL_FAILED, call, code,
                     "%s (%s): a launch ended with error %d, so that nothing was computed: run it again; the "
                     "driver may tell more (PoCL: POCL_DEBUG=err)",
                     queue->device->info.id, queue->device->info.name, code);
}

void opencl_queue_destroy(struct shoal_queue *queue)
{
    struct opencl_queue *state = opencl_queue(queue);
    opencl_loading_remove(state);
    release_span(state);
    release_watched(state);
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
    return code == CL_SUCCESS ? opencl_queue_check(queue, "clFinish", error)
                              : opencl_fail_wait(queue->device, error, "clFinish", code);
}

enum shoal_status opencl_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error)
{
    cl_event native = event->native;
    /* The queue of the event must submit its commands first; otherwise both queues would wait forever. */
    enum shoal_status status = opencl_queue_flush(event->queue, error);
    if (status)
        return status;
    cl_int code = clEnqueueBarrierWithWaitList(opencl_queue(queue)->queue, 1, &native, NULL);
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail(queue->device, error, "clEnqueueBarrierWithWaitList", code,
                                            "ordering two queues");
}

/* The commands before the mark are submitted now, since another queue may wait for the mark. */
enum shoal_status opencl_queue_mark(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error)
{
    cl_event native = NULL;
    const cl_int code = clEnqueueMarkerWithWaitList(opencl_queue(queue)->queue, 0, NULL, &native);
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clEnqueueMarkerWithWaitList", code, "marking a queue");
    const enum shoal_status status = opencl_queue_flush(queue, error);
    if (status)
        clReleaseEvent(native);
    else
        event->native = native;
    return status;
}

cl_event *opencl_span_slot(struct opencl_queue *queue)
{
    return queue->in_span && !queue->first ? &queue->first : NULL;
}

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

/* Seconds from the start or end (`which`) of event `first` to the end of event `last`. Nanoseconds since the
 * start of the machine exceed the 53 bits of a double after 104 days, so they are subtracted before they are
 * converted. */
static enum shoal_status elapsed(struct shoal_device *device, cl_event first, cl_profiling_info which,
                                 cl_event last, double *seconds, struct shoal_error *error)
{
    cl_ulong start = 0, end = 0;
    cl_int code = clGetEventProfilingInfo(first, which, sizeof start, &start, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(device, error, "clGetEventProfilingInfo", code, "reading a time stamp");
    *seconds = end > start ? 1e-9 * (double)(end - start) : 0;
    return SHOAL_OK;
}

/* Only the first command of a span and a marker after its last command have events: with NVIDIA's driver an
 * event for each command more than doubles the time of short kernels. */
enum shoal_status opencl_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    cl_event last = NULL;
    *seconds = 0;
    enum shoal_status status = SHOAL_OK;
    cl_int code = state->first ? clEnqueueMarkerWithWaitList(state->queue, 0, NULL, &last) : CL_SUCCESS;
    if (code != CL_SUCCESS)
        status = opencl_fail(queue->device, error, "clEnqueueMarkerWithWaitList", code, "ending a span");
    if (!status)
        status = opencl_queue_finish(queue, error);
    if (!status && last)
        status = elapsed(queue->device, state->first, CL_PROFILING_COMMAND_START, last, seconds, error);
    if (last)
        clReleaseEvent(last);
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

enum shoal_status opencl_event_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                   struct shoal_error *error)
{
    return elapsed(first->queue->device, first->native, CL_PROFILING_COMMAND_END, last->native, seconds,
                   error);
}

void opencl_event_destroy(struct shoal_event *event)
{
    clReleaseEvent(event->native);
}
