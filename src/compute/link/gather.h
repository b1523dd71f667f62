/* Private: copies of several short pieces in one launch, by a kernel that reads the memory of other devices.
 * The launch may also let devices wait for each other: cl/lib/link/gather.cl.
 */
#ifndef SHOAL_COMPUTE_GATHER_H
#define SHOAL_COMPUTE_GATHER_H

#include "compute/link/link.h"

#include <stdbool.h>
#include <stdint.h>

/* The kernel of the device to which the pieces are copied, and the mark of this device. */
struct gather;

/* Most devices that wait for each other. */
enum { GATHER_MOST_DEVICES = 8 };

struct gather_call {
    const struct link_piece *pieces;
    size_t count;
    /* Devices whose marks the launch waits for: no more than GATHER_MOST_DEVICES - 1. */
    struct gather *const *peers;
    size_t peer_count;
    uint32_t number;         /* number of the meeting, larger than all numbers before */
    struct link_piece early; /* a piece that is copied before the mark is set; bytes 0: none */
    /* The first `note_count` pieces are notes, which are not copied but merged into the source of the early
     * piece: word k by bit k of `largest` and `least`, as struct solver_merge says. */
    size_t note_count;
    uint32_t largest, least;
};

/* Builds the kernel. Without gather_open_mark, calls of gather_take must have no peers. */
SHOAL_MUST_CHECK enum shoal_status gather_create(struct shoal_device *to, struct gather **out,
                                                 struct shoal_error *error);
void gather_destroy(struct gather **gather); /* accepts NULL */

/* Creates the mark, and launches the kernel once on `queue`, so that no driver loads it while other devices
 * wait. */
SHOAL_MUST_CHECK enum shoal_status gather_open_mark(struct gather *gather, struct shoal_queue *queue,
                                                    struct shoal_error *error);

/* Enqueues the copies of the pieces. The device of the queue must reach the memory of the sources. With
 * peers, the launch first copies the early piece, sets the mark of its device to the number of the meeting,
 * and waits, on the device, until the marks of all peers have this number; then it copies the other pieces.
 * *takes: are these other pieces few and short enough, and whole words? If not, they are not copied, but the
 * early piece is, and the device waits; notes are not merged then. SHOAL_INVALID: the early piece does not
 * fit. */
SHOAL_MUST_CHECK enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                                               const struct gather_call *call, bool *takes,
                                               struct shoal_error *error);

/* Ends the waits of the device, beside the work of its queues, after a part of the run has failed: some peer
 * may never set its mark. Any thread may call this, but only one thread at a time calls gather_stop or
 * gather_set. */
void gather_stop(struct gather *gather);
/* Lets the device wait again after gather_stop, with `number` in its mark. No launch may be enqueued at this
 * time. */
SHOAL_MUST_CHECK enum shoal_status gather_set(struct gather *gather, uint32_t number,
                                              struct shoal_error *error);
bool gather_is_stopped(const struct gather *gather);

#endif
