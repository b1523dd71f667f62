/* Private: copies from buffers of one device to buffers of another.
 *
 * Devices that share a run work in phases. Each phase ends like this:
 * 1. The thread of each device calls link_give for the links that begin at its device.
 * 2. All threads wait for each other.
 * 3. The thread of each device calls link_take for the links that end at its device. The copies are enqueued
 *    on the queue of this device, so commands that are enqueued later on this queue see the copied bytes.
 * 4. Before the source buffers are changed or link_give is called again, the queues of the targets are
 *    finished and all threads wait for each other once more.
 * If links are direct, step 1 may be left out, and queues that wait for marks (queue_mark, queue_follow) take
 * the place of finished queues. If bytes are given (link_is_given), source buffers may change as soon as
 * link_give has returned; if link_is_free, the host memory of the link may be filled again as soon as
 * link_take has returned.
 *
 * Threads: link_give and link_take use a queue and belong to the thread of that queue; the waits of the
 * threads between these calls order them. The caller makes these waits.
 */
#ifndef SHOAL_COMPUTE_LINK_H
#define SHOAL_COMPUTE_LINK_H

#include <shoal/device.h>
#include <shoal/queue.h>

/* Copies from one device to another device, or within one device. */
struct link;

/* One of the ranges that are copied in a phase. */
struct link_piece {
    /* buffer of the device at which the link begins; link_take ignores it if bytes were given
     * (link_is_given) */
    struct shoal_buffer *source;
    size_t source_offset;        /* bytes */
    struct shoal_buffer *target; /* buffer of the device at which the link ends; link_give ignores it */
    size_t target_offset;        /* bytes */
    size_t bytes;                /* may be 0 */
};

/* Creates a link with the fastest path between the devices. bytes: most bytes of all pieces of one phase
 * together; host memory for so many bytes is allocated if the path needs it. One of the two devices may be
 * the host, whose bytes are in link_memory, one piece after another, instead of in buffers. link_give does
 * nothing if the link begins at the host, link_take if it ends there. Errors: SHOAL_OUT_OF_HOST_MEMORY;
 * SHOAL_DEVICE_LOST. */
SHOAL_MUST_CHECK enum shoal_status link_create(struct shoal_device *from, struct shoal_device *to,
                                               size_t bytes, struct link **out, struct shoal_error *error);
/* The queues that used the link must be finished. Accepts NULL. */
void link_destroy(struct link **link);
enum shoal_link_path link_path(const struct link *link);
/* Can copies between two devices avoid memory of the host? Queues of one device then wait for marks of the
 * other. Whether the copies do avoid it is only known when there is a link. */
bool link_may_be_direct(const struct shoal_device *from, const struct shoal_device *to);
/* Do kernels of the device at which the link ends read the memory of the other device? */
bool link_reads_by_kernels(const struct link *link);
/* Lets the link copy up to `bytes` bytes in a phase, if this needs no further memory. False: it does. */
bool link_grow(struct link *link, size_t bytes);
/* Can the link's memory of the host be used again as soon as link_take has returned? Otherwise it can be used
 * once the queue is finished. */
bool link_is_free(const struct link *link);
/* Does link_give take the bytes away from the device at which the link begins? Otherwise link_take reads them
 * there. */
bool link_is_given(const struct link *link);
/* Bytes to allocate for a link whose bytes grow from `before` to `bytes`: more than needed, so that a growing
 * link is not created anew each time.
 */
size_t link_room(size_t before, size_t bytes);
/* Memory of the host through which the bytes go; NULL: they do not go through it. The link owns it. */
unsigned char *link_memory(const struct link *link);

/* Waits for the work of `queue`, which belongs to the device at which the link begins, and copies the pieces
 * to memory of the host if the path goes through it. */
SHOAL_MUST_CHECK enum shoal_status link_give(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);
/* Enqueues the copies on `queue`, which belongs to the device at which the link ends. The pieces are those of
 * link_give, in the same order. */
SHOAL_MUST_CHECK enum shoal_status link_take(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);

#endif
