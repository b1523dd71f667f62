/* Which commands of other devices are done before a command begins. Commands of the fake run at once; those
 * of devices run later, so the fake counts them and requires of the core what real devices need. */
#include "fake.h"
#include "natives.h"
#include "state.h"

#include <pthread.h>

/* Are the first `commands` commands of a device done before what the queue enqueues next? */
static bool is_done(const struct shoal_queue *queue, struct native_device *device, unsigned long commands)
{
    const struct native_queue *native = queue->native;
    for (size_t i = 0; i < FAKE_MAX_FOLLOWED; i++)
        if (native->followed[i].device == device && native->followed[i].commands >= commands)
            return true;
    return atomic_load(&device->done) >= commands;
}

/* Several devices may copy from a buffer at a time. */
static pthread_mutex_t readers_lock = PTHREAD_MUTEX_INITIALIZER;

/* Keeps the number of commands of a device that another object waits for. Of one device the last number is
 * the largest. */
static void keep(struct fake_followed *list, struct native_device *device, unsigned long commands)
{
    size_t i = 0;
    while (i < FAKE_MAX_FOLLOWED && list[i].device && list[i].device != device)
        i++;
    fake_require(i < FAKE_MAX_FOLLOWED, "more than %d devices meet", FAKE_MAX_FOLLOWED);
    if (i < FAKE_MAX_FOLLOWED)
        list[i] = (struct fake_followed){device, commands};
}

void fake_follow(struct shoal_queue *queue, struct native_device *device, unsigned long commands)
{
    struct native_queue *native = queue->native;
    keep(native->followed, device, commands);
}

void fake_all_done(struct shoal_device *of)
{
    struct native_device *device = of->native;
    const unsigned long commands = atomic_load(&device->commands);
    unsigned long done = atomic_load(&device->done); /* other threads finish queues of the device, too */
    while (done < commands && !atomic_compare_exchange_weak(&device->done, &done, commands))
        ;
}

void fake_write(struct shoal_queue *queue, struct shoal_buffer *buffer)
{
    struct native_device *device = queue->device->native;
    struct native_buffer *native = buffer->native;
    pthread_mutex_lock(&readers_lock);
    for (size_t i = 0; i < FAKE_MAX_FOLLOWED && native->readers[i].device; i++) {
        const struct fake_followed *reader = &native->readers[i];
        fake_require(reader->device == device || is_done(queue, reader->device, reader->commands),
                     "%s writes a buffer that another device may still copy", queue->device->info.id);
    }
    pthread_mutex_unlock(&readers_lock);
    atomic_store(&native->written, atomic_fetch_add(&device->commands, 1) + 1);
}

void fake_read_of_another(struct shoal_queue *queue, struct shoal_buffer *source)
{
    struct native_device *device = queue->device->native;
    struct native_buffer *native = source->native;
    fake_require(is_done(queue, source->device->native, atomic_load(&native->written)),
                 "%s copies a buffer of %s that may not be written yet", queue->device->info.id,
                 source->device->info.id);
    pthread_mutex_lock(&readers_lock);
    keep(native->readers, device, atomic_fetch_add(&device->commands, 1) + 1);
    pthread_mutex_unlock(&readers_lock);
}
