/* The threads of the parts, which sleep until they get a task. */
#include "split/split.h"

#include "base/clock.h"
#include "base/error.h"
#include "compute/device.h"

/* The value of split->presence: number of parts that wait in a meeting, and number of parts that have not
 * ended the task. */
struct presence {
    uint32_t here, at_work;
};

static struct presence presence_of(uint_fast64_t word)
{
    return (struct presence){(uint32_t)(word >> 32), (uint32_t)word};
}

static uint_fast64_t word_of(struct presence now)
{
    return (uint_fast64_t)now.here << 32 | now.at_work;
}

/* Ends a meeting and wakes threads that sleep. A thread counts itself among the sleepers before it reads
 * split->meetings, under the lock, so no thread misses the end. */
static void end_meeting(struct split *split)
{
    atomic_fetch_add(&split->meetings, 1);
    if (!atomic_load(&split->sleepers))
        return;
    pthread_mutex_lock(&split->lock);
    pthread_cond_broadcast(&split->has_met);
    pthread_mutex_unlock(&split->lock);
}

/* Counts a part that comes to the meeting or, if `comes` is false, leaves the task: the parts in a meeting
 * then do not wait for it, and if any part has failed they stop waiting. No lock is taken, which would cost
 * microseconds when threads contend for it. */
static void change_presence(struct split *split, bool comes)
{
    uint_fast64_t word = atomic_load(&split->presence);
    bool ends;
    struct presence now;
    do {
        now = presence_of(word);
        now.here += comes;
        now.at_work -= !comes;
        ends = (now.here && now.here == now.at_work) || (!comes && atomic_load(&split->failed));
        now.here = ends ? 0 : now.here;
    } while (!atomic_compare_exchange_weak(&split->presence, &word, word_of(now)));
    if (ends)
        end_meeting(split);
}

/* Seconds for which a thread polls before it sleeps: about the time in which a system wakes a thread, and
 * several times the time between two meetings of small steps. */
static const double look_seconds = 50e-6;

static bool has_met(struct split *split, uint64_t number)
{
    return atomic_load(&split->meetings) != number || atomic_load(&split->failed);
}

/* Polls for the end of the meeting. The thread of a CPU device does not poll, since other threads may need
 * its core. */
static void look_for_others(const struct part *part, uint64_t number, double start)
{
    enum { LOOKS = 64 };
    if (is_plain_cpu(part->device))
        return;
    while (clock_seconds() - start < look_seconds)
        for (int i = 0; i < LOOKS; i++)
            if (has_met(part->split, number))
                return;
}

bool team_meet(struct part *part)
{
    struct split *split = part->split;
    const double start = clock_seconds();
    atomic_store(&part->is_at_work, false);
    /* the meeting does not end before this part has come */
    const uint64_t number = atomic_load(&split->meetings);
    change_presence(split, true);
    look_for_others(part, number, start);
    if (!has_met(split, number)) {
        pthread_mutex_lock(&split->lock);
        atomic_fetch_add(&split->sleepers, 1);
        while (!has_met(split, number))
            pthread_cond_wait(&split->has_met, &split->lock);
        atomic_fetch_sub(&split->sleepers, 1);
        pthread_mutex_unlock(&split->lock);
    }
    atomic_store(&part->is_at_work, true);
    const double waited = clock_seconds() - start;
    if (split->is_timed && !part->is_direct) {
        part->idle_s += waited;
        part->busy_s -= waited;
    }
    return !atomic_load(&split->failed);
}

uint64_t team_next_meeting(struct split *split)
{
    return atomic_load(&split->meetings) + 1;
}

static void work(struct part *part, part_task task)
{
    const double start = clock_seconds();
    task(part);
    atomic_store(&part->is_at_work, false);
    if (atomic_load(&part->split->failed) == (size_t)(part - part->split->parts) + 1)
        part_release(part);
    change_presence(part->split, false);
    part->ended = clock_seconds();
    if (part->split->is_timed)
        part->busy_s += part->ended - start;
}

static void *serve(void *data)
{
    struct part *part = data;
    struct split *split = part->split;
    pthread_mutex_lock(&split->lock);
    for (;;) {
        while (!split->ends && part->tasks == split->tasks)
            pthread_cond_wait(&split->has_task, &split->lock);
        if (split->ends)
            break;
        const part_task task = split->task;
        pthread_mutex_unlock(&split->lock);
        work(part, task);
        pthread_mutex_lock(&split->lock);
        part->tasks++;
        if (--split->waiting == 0)
            pthread_cond_signal(&split->is_done);
    }
    pthread_mutex_unlock(&split->lock);
    return NULL;
}

void team_init(struct split *split)
{
    pthread_mutex_init(&split->asking, NULL);
    pthread_mutex_init(&split->lock, NULL);
    pthread_cond_init(&split->has_task, NULL);
    pthread_cond_init(&split->is_done, NULL);
    pthread_cond_init(&split->has_met, NULL);
}

enum shoal_status team_start(struct split *split, struct shoal_error *error)
{
    for (size_t k = 1; k < split->count; k++) {
        struct part *part = &split->parts[k];
        if (pthread_create(&part->thread, NULL, serve, part))
            return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "the host has no thread for part %zu of %zu", k + 1,
                        split->count);
        part->has_thread = true;
    }
    return SHOAL_OK;
}

void team_do(struct split *split, part_task task)
{
    pthread_mutex_lock(&split->lock);
    split->task = task;
    split->tasks++;
    split->waiting = split->count - 1;
    atomic_store(&split->presence, word_of((struct presence){.at_work = (uint32_t)split->count}));
    for (size_t k = 0; k < split->count; k++)
        atomic_store(&split->parts[k].is_at_work, true);
    pthread_cond_broadcast(&split->has_task);
    pthread_mutex_unlock(&split->lock);
    work(&split->parts[0], task);
    pthread_mutex_lock(&split->lock);
    while (split->waiting)
        pthread_cond_wait(&split->is_done, &split->lock);
    pthread_mutex_unlock(&split->lock);
    const double now = clock_seconds();
    for (size_t k = 0; k < split->count; k++)
        if (split->is_timed && split->parts[k].share.count)
            split->parts[k].idle_s += now - split->parts[k].ended;
}

void team_end(struct split *split)
{
    pthread_mutex_lock(&split->lock);
    split->ends = true;
    pthread_cond_broadcast(&split->has_task);
    pthread_mutex_unlock(&split->lock);
    for (size_t k = 1; k < split->count; k++)
        if (split->parts[k].has_thread)
            pthread_join(split->parts[k].thread, NULL);
    pthread_cond_destroy(&split->has_met);
    pthread_cond_destroy(&split->is_done);
    pthread_cond_destroy(&split->has_task);
    pthread_mutex_destroy(&split->lock);
    pthread_mutex_destroy(&split->asking);
}
