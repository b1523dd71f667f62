/* Marks: queues of parts that copy rows directly wait on their devices for each other's marks. So the threads
 * need not wait, and enqueue launches of later steps while a device works. */
#include "split/split.h"

#include "base/clock.h"
#include "base/error.h"
#include "compute/link/link.h"
#include "compute/link/mark.h"

#include <math.h>

static void clear(struct part_mark *mark)
{
    atomic_store(&mark->meeting, 0);
    shoal_event_destroy(&mark->before);
    shoal_event_destroy(&mark->after);
}

/* Waits until the device has passed the mark, and counts as idle the time for which it waited there for other
 * parts. */
static enum shoal_status settle(struct part *part, struct part_mark *mark, struct shoal_error *error)
{
    double waited = 0;
    if (!mark->after || mark->is_settled)
        return SHOAL_OK;
    mark->is_settled = true;
    enum shoal_status status = shoal_event_wait(mark->before, error);
    if (status)
        return status;
    atomic_store(&part->is_at_work, false);
    status = shoal_event_wait(mark->after, error);
    atomic_store(&part->is_at_work, true);
    if (!status && mark->is_timed)
        status = queue_gap(mark->before, mark->after, &waited, error);
    /* The other waits are taken to be no longer than the wait at the mark before, so that a single long wait,
     * as after a stop of the host, is not multiplied. */
    const double now = clock_seconds(), others = (double)mark->others * fmin(waited, part->last_wait);
    const double idle = fmin(waited + others, now - part->settled);
    part->settled = now;
    part->last_wait = waited;
    part->idle_s += idle;
    part->busy_s -= idle;
    return status;
}

enum shoal_status part_mark(struct part *part, struct shoal_queue *queue, struct shoal_error *error)
{
    struct part_mark *mark = &part->marks[part->mark = (part->mark + 1) % PART_MARKS];
    const enum shoal_status status = settle(part, mark, error);
    clear(mark);
    if (status)
        return status;
    mark->is_settled = false;
    mark->is_timed = part->split->is_timed;
    const enum shoal_status marked = queue_mark(queue, &mark->before, error);
    if (!marked)
        atomic_store(&mark->meeting, team_next_meeting(part->split));
    return marked;
}

static struct part_mark *mark_of(struct part *part, uint64_t meeting)
{
    for (size_t i = 0; i < PART_MARKS; i++)
        if (atomic_load(&part->marks[i].meeting) == meeting)
            return &part->marks[i];
    return NULL;
}

enum shoal_status part_mark_met(struct part *part, struct shoal_queue *queue, struct shoal_error *error)
{
    struct part_mark *mark = &part->marks[part->mark];
    mark->others = part->unmarked + part->unmarked_later;
    part->unmarked = part->unmarked_later = 0;
    return queue_mark(queue, &mark->after, error);
}

enum shoal_status part_follow(struct part *part, struct shoal_queue *queue, struct shoal_error *error)
{
    const bool is_beside = queue != part->queue;
    struct split *split = part->split;
    struct part_mark *own = &part->marks[part->mark];
    const uint64_t meeting = atomic_load(&own->meeting);
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < split->count && !status; k++) {
        struct part *other = &split->parts[k];
        struct part_mark *mark = mark_of(other, meeting);
        const bool is_followed = other == part ? is_beside : link_may_be_direct(other->device, part->device);
        if (mark && is_followed)
            status = queue_follow(queue, mark->before, error);
    }
    return status || is_beside ? status : part_mark_met(part, queue, error);
}

enum shoal_status part_join(struct part *part, struct shoal_error *error)
{
    struct shoal_event *copied;
    if (!part->has_beside)
        return SHOAL_OK;
    part->has_beside = false;
    enum shoal_status status = queue_mark(part->beside, &copied, error);
    if (!status)
        status = queue_follow(part->queue, copied, error);
    shoal_event_destroy(&copied);
    return status;
}

enum shoal_status part_join_early(void *data, struct shoal_error *error)
{
    struct part *const part = data;
    part->unmarked += part->has_beside;
    return part_join(part, error);
}

enum shoal_status part_settle(struct part *part, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 1; i <= PART_MARKS && !status; i++)
        status = settle(part, &part->marks[(part->mark + i) % PART_MARKS], error);
    return status;
}

void part_clear_marks(struct part *part)
{
    for (size_t i = 0; i < PART_MARKS; i++)
        clear(&part->marks[i]);
}
