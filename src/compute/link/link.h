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

#include "compute/link/piece.h"

#include <shoal/device.h>
#include <shoal/queue.h>

/* A link: copies from one device to another, or within a device. */
struct link;

/* Creates a link with the fastest path between the devices. bytes: most bytes of all pieces of a phase; as
 * much host memory is allocated if the path needs it. One of the two devices may be the host device: its
 * bytes are in link_memory, one piece after the other, instead of in buffers. link_give does nothing if the
 * link begins at the host device; link_take does nothing if it ends there. Errors: SHOAL_OUT_OF_HOST_MEMORY;
 * SHOAL_DEVICE_LOST. */
SHOAL_MUST_CHECK enum shoal_status link_create(struct shoal_device *from, struct shoal_device *to,
                                               size_t bytes, struct link **out, struct shoal_error *error);
/* The queues that have used the link must be finished. Accepts NULL. */
void link_destroy(struct link **link);
enum shoal_link_path link_path(const struct link *link);
/* Whether copies between two devices may be direct, without host memory. Queues of one device can then wait
 * for marks of the other device. Whether copies really are direct is known only when there is a link. */
bool link_may_be_direct(const struct shoal_device *from, const struct shoal_device *to);
/* Whether kernels of the device at which the link ends can read the memory of the device at which it begins.
 */
bool link_reads_by_kernels(const struct link *link);
/* Allows the link to copy up to `bytes` bytes in a phase. False: this would need more memory than the link
 * has. */
bool link_grow(struct link *link, size_t bytes);
/* Whether the host memory of the link can be filled again as soon as link_take has returned. If not, the
 * queue must be finished first. */
bool link_is_free(const struct link *link);
/* Whether link_give copies the bytes from the device at which the link begins. If not, link_take reads them
 * there. */
bool link_is_given(const struct link *link);
/* Bytes to allocate for a link that has `before` bytes and needs `bytes` bytes: more than needed, so that a
 * growing link is not created anew each time. */
size_t link_room(size_t before, size_t bytes);
/* Host memory through which the link copies, owned by the link; NULL: it copies without host memory. */
unsigned char *link_memory(const struct link *link);

/* Waits for the work of `queue`, a queue of the device at which the link begins, and copies the pieces to
 * host memory if the path goes through it. */
SHOAL_MUST_CHECK enum shoal_status link_give(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);
/* Enqueues the copies of the pieces on `queue`, a queue of the device at which the link ends. The pieces must
 * be those of link_give, in the same order. */
SHOAL_MUST_CHECK enum shoal_status link_take(struct link *link, struct shoal_queue *queue,
                                             const struct link_piece *pieces, size_t count,
                                             struct shoal_error *error);

#endif
