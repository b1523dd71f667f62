/* Private: the side of rank 0 of a device of another rank.
 *
 * Calls of the backend are requests. A request is begun, filled and ended by post or call, which between them
 * hold the lock of the device. Requests of post are sent together; those of call are sent at once and wait
 * for the answer.
 */
#ifndef SHOAL_COMPUTE_REMOTE_CLIENT_H
#define SHOAL_COMPUTE_REMOTE_CLIENT_H

#include "compute/backend.h"
#include "compute/remote/wire.h"

/* device->native of a device of another rank. */
struct remote_device {
    struct channel channel;
    pthread_mutex_t lock; /* guards the members below, and the order of messages */
    struct text out;      /* requests that were not sent yet */
    struct text in;       /* the last answer */
    bool is_broken;       /* no message gets through any more */
    /* Numbers of the objects that the rank has for this process: those below `next` that are not free. */
    uint64_t next, *free_numbers;
    size_t free_count, free_room;
};

static inline struct remote_device *remote_of(const struct shoal_device *device)
{
    return device->native;
}

/* Creates device->native. */
SHOAL_MUST_CHECK enum shoal_status remote_create(struct channel channel, struct remote_device **out,
                                                 struct shoal_error *error);
void remote_destroy(struct remote_device *remote);

/* Begins a request. */
struct text *remote_begin(const struct shoal_device *device, enum device_request request);
/* Ends a request without an answer. */
enum shoal_status remote_post(struct shoal_device *device, struct shoal_error *error);
/* Sends what was posted. */
enum shoal_status remote_flush(struct shoal_device *device, struct shoal_error *error);
/* Ends a request with an answer, and waits for it. `reply` reads the answer behind its status. Call
 * remote_end in any case when it is read. */
enum shoal_status remote_call(struct shoal_device *device, struct reader *reply, struct shoal_error *error);
/* Ends the use of an answer. SHOAL_FAILED: the answer was shorter than what was read. */
enum shoal_status remote_end(struct shoal_device *device, const struct reader *reply,
                             enum shoal_status status, struct shoal_error *error);
/* A call whose answer is a status alone. */
enum shoal_status remote_ask(struct shoal_device *device, struct shoal_error *error);

/* Ends a request that `bytes` bytes follow. */
enum shoal_status remote_send_pieces(struct shoal_device *device, const void *data, size_t bytes,
                                     struct shoal_error *error);
/* Ends a request whose answer is `bytes` bytes. */
enum shoal_status remote_take_pieces(struct shoal_device *device, void *data, size_t bytes,
                                     struct shoal_error *error);

/* Numbers of objects; between remote_begin and the end of the request. */
uint64_t remote_number(const struct shoal_device *device);
/* Makes the rank destroy an object, whose number is free from then on. */
void remote_drop(struct shoal_device *device, void *object);

static inline void *remote_object(uint64_t number)
{
    return (void *)(uintptr_t)number;
}

static inline uint64_t number_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

extern const struct backend remote_backend;

#endif
