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

/* A read whose bytes have not arrived yet. */
struct remote_read {
    void *data;
    size_t bytes;
};

/* Most reads without an answer at a time. */
enum { REMOTE_MOST_READS = 16 };

/* device->native of a device of another rank. */
struct remote_device {
    struct channel channel;
    pthread_mutex_t lock; /* guards the members below, and the order of messages */
    struct text out;      /* requests that were not sent yet */
    struct text in;       /* the last answer */
    bool is_broken;       /* no message gets through any more */
    /* Reads without an answer; the answers come, in this order, before those of later requests. */
    struct remote_read reads[REMOTE_MOST_READS];
    size_t read_count;
    struct shoal_error read_failure; /* of the first read that has failed; given with the next answer */
    uint64_t read_queue;             /* number of the queue of which no request follows these reads or
                                      * the last answer, so that it is finished when these have come; 0: none */
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

/* Requests that belong to a queue begin with its number. */
struct text *remote_begin_on(const struct shoal_queue *queue, enum device_request request);
/* Waits for all requests of a queue. Where the last of them was a read, its bytes show that, and nothing is
 * sent. */
enum shoal_status remote_finish(const struct shoal_queue *queue, struct shoal_error *error);

/* Ends a request that `bytes` bytes follow. */
enum shoal_status remote_send_pieces(struct shoal_device *device, const void *data, size_t bytes,
                                     struct shoal_error *error);
/* Ends a read of a queue. Its bytes are at `data` once the queue is finished, with `waits` at once. */
enum shoal_status remote_end_read(const struct shoal_queue *queue, void *data, size_t bytes, bool waits,
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
