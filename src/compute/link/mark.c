#include "compute/link/mark.h"

#include "compute/queue.h"

#include <stdlib.h>

enum shoal_status queue_mark(struct shoal_queue *queue, struct shoal_event **mark, struct shoal_error *error)
{
    *mark = NULL;
    enum shoal_status status = queue_usable(queue, "queue_mark", error);
    if (status)
        return status;
    struct shoal_event *event = calloc(1, sizeof *event);
    if (!event)
        return fail_host_memory(error);
    event->queue = queue;
    status = queue_blame(queue, queue->device->backend->queue_mark(queue, event, error), error);
    if (status)
        free(event);
    else
        *mark = event;
    return status;
}

enum shoal_status queue_follow(struct shoal_queue *queue, struct shoal_event *mark, struct shoal_error *error)
{
    const enum shoal_status status = queue_usable(queue, "queue_follow", error);
    return status ? status
                  : queue_blame(queue, queue->device->backend->queue_wait(queue, mark, error), error);
}

enum shoal_status queue_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                            struct shoal_error *error)
{
    *seconds = 0;
    return queue_is_profiling(first->queue)
               ? first->queue->device->backend->event_gap(first, last, seconds, error)
               : SHOAL_OK;
}
