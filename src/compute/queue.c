#include "compute/queue.h"
#include "base/clock.h"
#include "base/params.h"
#include "compute/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status queue_new(struct shoal_device *device, unsigned flags, void *native,
                            struct shoal_queue **out, struct shoal_error *error)
{
    struct shoal_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return fail_host_memory(error);
    queue->device = device;
    queue->flags = flags;
    queue->native = native;
    *out = queue;
    return SHOAL_OK;
}

enum shoal_status shoal_queue_create(struct shoal_device *device, unsigned flags, struct shoal_queue **out,
                                     struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (flags & ~(unsigned)SHOAL_QUEUE_PROFILING)
        return fail(error, SHOAL_INVALID, "shoal_queue_create: unknown flags 0x%x", flags);
    enum shoal_status status = device_ready(device, error);
    if (status)
        return status;
    struct shoal_queue *queue = NULL;
    status = queue_new(device, flags, NULL, &queue, error);
    if (status)
        return status;
    status = device->backend->queue_create(queue, error);
    if (status) {
        free(queue);
        return status;
    }
    *out = queue;
    return SHOAL_OK;
}

void shoal_queue_destroy(struct shoal_queue **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_queue *queue = *pointer;
    *pointer = NULL;
    const enum shoal_status status =
        atomic_load(&queue->device->lost) ? SHOAL_OK : queue->device->backend->queue_finish(queue, NULL);
    /* If only another device is lost, for which this device waits, this device has not failed. */
    if (status && (status != SHOAL_DEVICE_LOST || atomic_load(&queue->device->lost)))
        shoal_log(queue->device->shoal, SHOAL_LOG_WARNING, "%s: the last commands of a queue failed",
                  queue->device->info.id);
    queue->device->backend->queue_destroy(queue);
    free(queue);
}

struct shoal_device *shoal_queue_device(const struct shoal_queue *queue)
{
    return queue ? queue->device : NULL;
}

enum shoal_status queue_usable(const struct shoal_queue *queue, const char *call, struct shoal_error *error)
{
    if (!NEED_OF(error, call, queue))
        return SHOAL_INVALID;
    if (atomic_load_explicit(&queue->device->lost, memory_order_relaxed))
        return device_ready(queue->device, error);
    return SHOAL_OK;
}

/* Adds to the message the names of the launches that may have caused an asynchronous error. */
static void name_launches(const struct shoal_queue *queue, struct shoal_error *error)
{
    if (!error || queue->launch_count == 0)
        return;
    struct text names = {0};
    uint64_t shown = queue->launch_count < LAUNCH_HISTORY ? queue->launch_count : LAUNCH_HISTORY;
    for (uint64_t i = queue->launch_count - shown; i < queue->launch_count; i++)
        text_printf(&names, "%s%s", names.length ? ", " : "", queue->launches[i % LAUNCH_HISTORY]);
    size_t used = strlen(error->message);
    if (!names.failed)
        snprintf(error->message + used, sizeof error->message - used,
                 "; launches since the last good finish: %llu, latest %s%s",
                 (unsigned long long)queue->launch_count, names.data,
                 queue->device->shoal->sync ? "" : " (--sync names the one)");
    text_free(&names);
}

enum shoal_status queue_blame(const struct shoal_queue *queue, enum shoal_status status,
                              struct shoal_error *error)
{
    if (status == SHOAL_DEVICE_LOST)
        name_launches(queue, error);
    return status;
}

enum shoal_status queue_settle(struct shoal_queue *queue, enum shoal_status status, struct shoal_error *error)
{
    if (status)
        name_launches(queue, error);
    queue->launch_count = 0;
    return status;
}

enum shoal_status shoal_queue_flush(struct shoal_queue *queue, struct shoal_error *error)
{
    enum shoal_status status = queue_usable(queue, "shoal_queue_flush", error);
    return status ? status : queue_blame(queue, queue->device->backend->queue_flush(queue, error), error);
}

enum shoal_status shoal_queue_finish(struct shoal_queue *queue, struct shoal_error *error)
{
    enum shoal_status status = queue_usable(queue, "shoal_queue_finish", error);
    if (status)
        return status;
    return queue_settle(queue, queue->device->backend->queue_finish(queue, error), error);
}

enum shoal_status shoal_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                   struct shoal_error *error)
{
    if (!NEED(error, queue, event))
        return SHOAL_INVALID;
    enum shoal_status status = queue_usable(queue, "shoal_queue_wait", error);
    if (status)
        return status;
    if (event->queue->device != queue->device)
        return fail(error, SHOAL_INVALID, "shoal_queue_wait: the event belongs to %s, the queue to %s",
                    event->queue->device->info.id, queue->device->info.id);
    return queue_blame(queue, queue->device->backend->queue_wait(queue, event, error), error);
}

static enum shoal_status need_profiling(const struct shoal_queue *queue, const char *call,
                                        struct shoal_error *error)
{
    return queue->flags & SHOAL_QUEUE_PROFILING
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID, "%s: the queue was made without SHOAL_QUEUE_PROFILING", call);
}

enum shoal_status shoal_span_begin(struct shoal_queue *queue, struct shoal_error *error)
{
    enum shoal_status status = queue_usable(queue, "shoal_span_begin", error);
    if (!status)
        status = need_profiling(queue, "shoal_span_begin", error);
    if (status)
        return status;
    if (queue->span_open)
        return fail(error, SHOAL_INVALID, "shoal_span_begin: a span is open already");
    status = queue->device->backend->span_begin(queue, error);
    queue->span_open = status == SHOAL_OK;
    queue->span_s = 0;
    return status;
}

enum shoal_status shoal_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    if (!NEED(error, queue, seconds))
        return SHOAL_INVALID;
    enum shoal_status status = queue_usable(queue, "shoal_span_end", error);
    if (status)
        return status;
    *seconds = 0;
    if (!queue->span_open)
        return fail(error, SHOAL_INVALID, "shoal_span_end: no span is open");
    queue->span_open = false;
    status = queue_settle(queue, queue->device->backend->span_end(queue, seconds, error), error);
    if (!status)
        *seconds += queue->span_s;
    return status;
}

enum shoal_status queue_begin_first_launch(struct shoal_queue *queue, struct first_launch *launch,
                                           struct shoal_error *error)
{
    const struct backend *backend = queue->device->backend;
    double seconds = 0;
    launch->in_span = queue->span_open;
    queue->span_open = false;
    enum shoal_status status =
        launch->in_span ? backend->span_end(queue, &seconds, error) : backend->queue_finish(queue, error);
    queue->span_s += seconds;
    launch->start = clock_seconds();
    return queue_settle(queue, status, error);
}

enum shoal_status queue_end_first_launch(struct shoal_queue *queue, const struct first_launch *launch,
                                         struct shoal_event *event, struct shoal_error *error)
{
    const struct backend *backend = queue->device->backend;
    double begin = 0, end = 0;
    enum shoal_status status = queue_settle(queue, backend->queue_finish(queue, error), error);
    const double seconds = clock_seconds() - launch->start;
    if (!status)
        status = backend->event_times(event, &begin, &end, error);
    if (!status && seconds > end - begin)
        atomic_store(&queue->first_launch_s, atomic_load(&queue->first_launch_s) + seconds - (end - begin));
    queue->span_s += end - begin;
    if (!status && launch->in_span)
        status = backend->span_begin(queue, error);
    queue->span_open = launch->in_span && !status;
    return status;
}

double queue_clock(const struct shoal_queue *queue)
{
    return clock_seconds() - (queue ? queue_first_launch_seconds(queue) : 0);
}

void queue_time_first_launches(struct shoal_queue *queue, bool is_wanted)
{
    queue->times_first_launches = is_wanted;
}

double queue_first_launch_seconds(const struct shoal_queue *queue)
{
    return atomic_load(&queue->first_launch_s);
}

bool queue_is_profiling(const struct shoal_queue *queue)
{
    return queue->flags & SHOAL_QUEUE_PROFILING;
}

enum shoal_status shoal_event_wait(struct shoal_event *event, struct shoal_error *error)
{
    if (!NEED(error, event))
        return SHOAL_INVALID;
    enum shoal_status status = queue_usable(event->queue, "shoal_event_wait", error);
    if (status)
        return status;
    return queue_blame(event->queue, event->queue->device->backend->event_wait(event, error), error);
}

enum shoal_status shoal_event_times(struct shoal_event *event, double *start, double *end,
                                    struct shoal_error *error)
{
    if (!NEED(error, event, start, end))
        return SHOAL_INVALID;
    enum shoal_status status = queue_usable(event->queue, "shoal_event_times", error);
    if (!status)
        status = need_profiling(event->queue, "shoal_event_times", error);
    if (!status && event->is_untimed)
        status = fail(error, SHOAL_INVALID, "shoal_event_times: the event's kernel omits times");
    return status ? status : event->queue->device->backend->event_times(event, start, end, error);
}

void shoal_event_destroy(struct shoal_event **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_event *event = *pointer;
    *pointer = NULL;
    event->queue->device->backend->event_destroy(event);
    free(event);
}
