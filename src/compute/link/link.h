/* Private: copies from buffers of one device to buffers of another.
 *
 * Devices that share a run work in phases. Each phase ends like this:
 * 1. The thread of each device calls link_give for the links that begin at its device.
 * 2. All threads wait for each other.
 * 3. The thread of each device calls link_take for the links that end at its device. The copies are enqueued
 *    on that device's queue, so that what is enqueued later on the queue sees the copied bytes.
 * 4. Before the source buffers are changed or link_give is called again, the queues of the targets are
 *    finished and all threads wait for each other once more.
 * Where links are direct, 1 may be left out, and queues that wait for marks (queue_mark, queue_follow) take
 * the place of finished queues. Where bytes are given (link_is_given), source buffers may change as soon
 * as link_give has returned, and with link_is_free the memory may be filled anew.
 *
 * Threads: link_give and link_take use a queue and belong to the thread of that queue; the two wait between
 * the phases orders them. Waiting is left to the caller.
 */
#ifndef SHOAL_COMPUTE_LINK_H
#define SHOAL_COMPUTE_LINK_H

#include <shoal/device.h>
#include <shoal/queue.h>

/* Copies from one device to another one, or to itself. */
struct link;

/* One of the ranges that are copied in a phase. */
struct link_piece {
    /* of the device at which the link begins; link_take ignores it where bytes were given: link_is_given */
    struct shoal_buffer *source;
    size_t source_offset;        /* bytes */
    struct shoal_buffer *target; /* of the device at which the link ends; link_give ignores it */
    size_t target_offset;        /* bytes */
    size_t bytes;                /* may be 0 */
};

/* Chooses the fastest path from a device to another one. `bytes`: most bytes of all pieces of one phase
 * together, for which host memory is allocated where the path needs it.
 * One of the two devices may be the host, whose bytes are in link_memory, piece behind piece, in place of
 * buffers. link_give of a link that begins at the host, and link_take of one that ends there, do nothing.
 * Errors: SHOAL_OUT_OF_HOST_MEMORY; SHOAL_DEVICE_LOST. */
SHOAL_MUST_CHECK enum shoal_status link_create(struct shoal_device *from, struct shoal_device *to,
                                               size_t bytes, struct link **out, struct shoal_error *error);
/* The queues that used the link must be finished. Accepts NULL. */
void link_destroy(struct link **link);
enum shoal_link_path link_path(const struct link *link);
/* May copies between two devices go without memory of the host? Then queues of one follow marks of the
 * other. Whether they do is known when there is a link. */
bool link_may_be_direct(const struct shoal_device *from, const struct shoal_device *to);
/* Do kernels of the device at which the link ends read the memory of the other device? */
bool link_reads_by_kernels(const struct link *link);
/* Lets the link copy up to `bytes` bytes in a phase, if it needs no memory for them. false: it needs some. */
bool link_grow(struct link *link, size_t bytes);
/* Is the link's memory of the host free as soon as link_take has returned? Otherwise once the queue is
 * finished. */
bool link_is_free(const struct link *link);
/* Do bytes leave the device at which the link begins in link_give? Otherwise link_take reads them there. */
bool link_is_given(const struct link *link);
/* Room for links whose bytes grow from `before` to `bytes`: links that grow need not be made anew each time.
 */
size_t link_room(size_t before, size_t bytes);
/* Memory of the host through which the bytes go; NULL where they do not. Belongs to the link. */
unsigned char *link_memory(const struct link *link);

/* Ends the work of `queue`, which belongs to the device at which the link begins, and reads the pieces into
 * host memory where the path goes through it. */
SHOAL_MUST_CHECK enum shoal_status link_give(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);
/* Enqueues the copies on `queue`, which belongs to the device at which the link ends. The pieces are those of
 * link_give, in the same order. */
SHOAL_MUST_CHECK enum shoal_status link_take(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);

#endif
