/* Private: a device of another rank, on the side of rank 0.
 *
 * Calls of the backend are requests. A request is begun by remote_begin, filled, and ended by remote_post or
 * remote_call; the thread holds the lock of the device from begin to end. Posted requests are sent together;
 * remote_call sends its request at once and waits for the answer.
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
    struct shoal_error read_failure; /* failure of the first read that has failed; given with the next
                                      * answer */
    uint64_t read_queue;             /* number of the queue whose last request is one of these reads, or was
                                      * answered last: the queue is finished when the answers have come; 0:
                                      * none */
    /* Numbers of the objects that the rank has for this process: all numbers below `next` that are not
     * free. */
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
/* Sends the posted requests. */
enum shoal_status remote_flush(struct shoal_device *device, struct shoal_error *error);
/* Ends a request with an answer, and waits for the answer. reply: reads the answer after its status. Call
 * remote_end in any case after reading. */
enum shoal_status remote_call(struct shoal_device *device, struct reader *reply, struct shoal_error *error);
/* Ends the use of an answer. SHOAL_FAILED: the answer was shorter than the data that were read from it. */
enum shoal_status remote_end(struct shoal_device *device, const struct reader *reply,
                             enum shoal_status status, struct shoal_error *error);
/* Makes a call whose answer is only a status. */
enum shoal_status remote_ask(struct shoal_device *device, struct shoal_error *error);

/* Begins a request that belongs to a queue: the queue's number comes first. */
struct text *remote_begin_on(const struct shoal_queue *queue, enum device_request request);
/* Waits for all requests of a queue. If the last request was a read, its bytes show that it is done, and
 * nothing is sent. */
enum shoal_status remote_finish(const struct shoal_queue *queue, struct shoal_error *error);

/* Ends a request and sends the `bytes` bytes that follow it. */
enum shoal_status remote_send_pieces(struct shoal_device *device, const void *data, size_t bytes,
                                     struct shoal_error *error);
/* Ends a request for a read on a queue. The bytes are at `data` once the queue is finished; `waits`: on
 * return. */
enum shoal_status remote_end_read(const struct shoal_queue *queue, void *data, size_t bytes, bool waits,
                                  struct shoal_error *error);

/* A number for a new object. Call it between remote_begin and the end of the request. */
uint64_t remote_number(const struct shoal_device *device);
/* Makes the rank destroy an object, whose number can then be used again. */
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
