/* Private: a device of another rank (process), on the side of rank 0.
 *
 * Each function of the backend makes a request. remote_begin begins a request, the caller fills it, and
 * remote_post or remote_call ends it; the thread holds the lock of the device from begin to end. Posted
 * requests are collected and sent together. remote_call sends its request at once and waits for the answer.
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

/* Largest number of pending reads. */
enum { REMOTE_MOST_READS = 16 };

/* device->native of a device of another rank. */
struct remote_device {
    struct channel channel;
    pthread_mutex_t lock; /* guards the members below, and the order of messages */
    struct text out;      /* posted requests that were not sent yet */
    struct text in;       /* the last answer */
    bool is_broken;       /* no message gets through any more */
    /* Pending reads. Their answers come in this order, before the answers of later requests. */
    struct remote_read reads[REMOTE_MOST_READS];
    size_t read_count;
    struct shoal_error read_failure; /* the first failure of a read, which is returned with the next answer */
    /* number of the queue whose last request is a read that is pending or was answered last, so that this
     * queue is finished when the reads have their answers; 0: there is none */
    uint64_t read_queue;
    /* Numbers of the objects that the rank has for this process: those below `next`, except the free ones. */
    uint64_t next, *free_numbers;
    size_t free_count, free_room;
};

static inline struct remote_device *remote_of(const struct shoal_device *device)
{
    return device->native;
}

/* Creates device->native for a device whose messages go through `channel`. */
SHOAL_MUST_CHECK enum shoal_status remote_create(struct channel channel, struct remote_device **out,
                                                 struct shoal_error *error);
void remote_destroy(struct remote_device *remote);

/* Begins a request. */
struct text *remote_begin(const struct shoal_device *device, enum device_request request);
/* Ends a request that has no answer. */
enum shoal_status remote_post(struct shoal_device *device, struct shoal_error *error);
/* Sends the posted requests. */
enum shoal_status remote_flush(struct shoal_device *device, struct shoal_error *error);
/* Ends a request that has an answer, and waits for the answer. reply: reads the answer, after its status. In
 * any case remote_end must be called after that. */
enum shoal_status remote_call(struct shoal_device *device, struct reader *reply, struct shoal_error *error);
/* Ends the reading of an answer. SHOAL_FAILED: more was read than the answer has. */
enum shoal_status remote_end(struct shoal_device *device, const struct reader *reply,
                             enum shoal_status status, struct shoal_error *error);
/* Ends a request whose answer is only a status, and waits for it. */
enum shoal_status remote_ask(struct shoal_device *device, struct shoal_error *error);

/* Begins a request about a queue, whose number comes first. */
struct text *remote_begin_on(const struct shoal_queue *queue, enum device_request request);
/* Waits until all requests of a queue are done. If the last one was a read, the arrival of its bytes shows
 * this, and nothing is sent. */
enum shoal_status remote_finish(const struct shoal_queue *queue, struct shoal_error *error);

/* Ends a request, and sends the `bytes` bytes that follow it. */
enum shoal_status remote_send_pieces(struct shoal_device *device, const void *data, size_t bytes,
                                     struct shoal_error *error);
/* Ends a request for a read on a queue. The bytes are at `data` when the queue is finished or, if `waits`,
 * when the function returns. */
enum shoal_status remote_end_read(const struct shoal_queue *queue, void *data, size_t bytes, bool waits,
                                  struct shoal_error *error);

/* Returns a number for a new object. To be called between remote_begin and the end of the request. */
uint64_t remote_number(const struct shoal_device *device);
/* Makes the rank destroy an object, whose number is then free. */
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
