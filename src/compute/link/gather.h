/* Private: copies of several short pieces in one launch, by a kernel that reads the memory of other devices.
 * The launch may also let devices wait for each other: cl/lib/link/gather.cl.
 */
#ifndef SHOAL_COMPUTE_GATHER_H
#define SHOAL_COMPUTE_GATHER_H

#include "compute/link/link.h"

#include <stdbool.h>
#include <stdint.h>

/* The kernel of the device at which the pieces end, and the mark of this device. */
struct gather;

/* Most devices that wait for each other. */
enum { GATHER_MOST_DEVICES = 8 };

struct gather_call {
    const struct link_piece *pieces;
    size_t count;
    /* Devices whose marks the launch waits for: no more than GATHER_MOST_DEVICES - 1. */
    struct gather *const *peers;
    size_t peer_count;
    uint32_t number;         /* of the meeting, larger than those before */
    struct link_piece early; /* copied before the mark is set; bytes 0: nothing */
};

/* Builds the kernel. */
SHOAL_MUST_CHECK enum shoal_status gather_create(struct shoal_device *to, struct gather **out,
                                                 struct shoal_error *error);
void gather_destroy(struct gather **gather); /* accepts NULL */

/* Enqueues the copies of the pieces. The device of the queue must reach the memory of the sources. With
 * peers: when all work enqueued before is done, sets the mark of the device to the number of the meeting and
 * waits, on the device, until the marks of the peers have it; then come the copies. *takes: the pieces are
 * few and short enough, and whole words; otherwise none of them is copied. */
SHOAL_MUST_CHECK enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                                               const struct gather_call *call, bool *takes,
                                               struct shoal_error *error);

/* Ends the waits of the peers for this device, whose thread comes to no meeting any more, beside the work of
 * its queue. gather_reset must follow before the next meeting. */
void gather_release(struct gather *gather, uint32_t number);
/* Does nothing without a gather_release before. The peers must not wait for the device. */
SHOAL_MUST_CHECK enum shoal_status gather_reset(struct gather *gather, uint32_t number,
                                                struct shoal_error *error);

#endif
