/* Private: copies several short pieces in one launch, by a kernel that reads the memory of other devices. The
 * launch may also make devices wait for each other: cl/lib/link/gather.cl. */
#ifndef SHOAL_COMPUTE_GATHER_H
#define SHOAL_COMPUTE_GATHER_H

#include "compute/link/piece.h"

#include <shoal/device.h>
#include <shoal/program.h>
#include <shoal/queue.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"

/* The kernel of the device to which pieces are copied, and the mark of this device: a buffer of
 * MARK_WORDS words, by which other devices see which meetings it has reached. */
struct gather;

/* Largest number of devices that wait for each other. */
enum { GATHER_MOST_DEVICES = 8 };

struct gather_call {
    const struct link_piece *pieces;
    size_t count;
    /* The devices for whose marks the launch waits: at most GATHER_MOST_DEVICES - 1. */
    struct gather *const *peers;
    size_t peer_count;
    uint32_t number;         /* number of this meeting, larger than that of every meeting before */
    struct link_piece early; /* a piece that is copied before the mark is set; bytes 0: there is none */
    /* The first `note_count` pieces are notes of other devices. They are not copied but merged into the
     * source of the early piece: word k by bit k of `largest` and of `least`, as in struct solver_merge. */
    size_t note_count;
    uint32_t largest, least;
};

/* The buffers of a launch that copies, and what it does with them. */
struct gather_job {
    struct shoal_buffer *sources[GATHER_SOURCES], *targets[GATHER_TARGETS], *mark, *peers[GATHER_PEERS];
    struct gather_list list;
};

/* Number of work-groups that copy or meet. */
static inline size_t gather_groups(const struct gather_job *job)
{
    return 1 + (size_t)job->list.copies * job->list.groups;
}

/* The arguments of a kernel that meets beside other work, those of struct meet_buffers. */
#define MEET_ARGS(job)                                                                                       \
    .source0 = (job)->sources[0], .source1 = (job)->sources[1], .source2 = (job)->sources[2],                \
    .source3 = (job)->sources[3], .source4 = (job)->sources[4], .source5 = (job)->sources[5],                \
    .source6 = (job)->sources[6], .target = (job)->targets[0], .mark = (job)->mark,                          \
    .peer0 = (job)->peers[0], .peer1 = (job)->peers[1], .peer2 = (job)->peers[2], .peer3 = (job)->peers[3],  \
    .peer4 = (job)->peers[4], .peer5 = (job)->peers[5], .peer6 = (job)->peers[6]

/* Builds the kernel. Calls of gather_take with peers need gather_open_mark before. */
SHOAL_MUST_CHECK enum shoal_status gather_create(struct shoal_device *to, struct gather **out,
                                                 struct shoal_error *error);
void gather_destroy(struct gather **gather); /* accepts NULL */

/* Creates the mark, and launches the kernel once on `queue`, so that drivers load it before other devices
 * wait. */
SHOAL_MUST_CHECK enum shoal_status gather_open_mark(struct gather *gather, struct shoal_queue *queue,
                                                    struct shoal_error *error);

/* Enqueues the copies of the pieces. The device of the queue must be able to read the memory of the sources.
 * With peers, the launch first copies the early piece, sets the mark of its device to `number`, and waits, on
 * the device, until the marks of all peers have this number; then it copies the other pieces. *takes: false
 * if these other pieces are too many, too long, or no whole words. They are then not copied and notes are not
 * merged, but the early piece is copied and the device waits. SHOAL_INVALID: the early piece does not fit
 * into the launch. */
SHOAL_MUST_CHECK enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                                               const struct gather_call *call, bool *takes,
                                               struct shoal_error *error);

/* Whether gather_prepare takes pieces of so many bytes, not from one buffer of each device to one buffer. */
bool gather_can_prepare(size_t count, size_t bytes);
/* Prepares a meeting for a launch of `kernel`, which the caller makes next: *job has its arguments, and its
 * first gather_groups(job) work-groups meet and copy the pieces, beside other work (lib/link/meet.clh). The
 * call has no early piece and no notes. SHOAL_INVALID: the pieces do not fit into the launch. */
SHOAL_MUST_CHECK enum shoal_status gather_prepare(struct gather *gather, const struct gather_call *call,
                                                  struct shoal_kernel *kernel, struct gather_job *job,
                                                  struct shoal_error *error);

/* Ends the waits of the device at once, for use after a share of the run has failed: the mark of its peer
 * might never come. Any thread may call it, but only one thread at a time may be in gather_stop or
 * gather_set. */
void gather_stop(struct gather *gather);
/* Lets the device wait again after gather_stop, and sets its mark to `number`. No launch may be enqueued at
 * that time. */
SHOAL_MUST_CHECK enum shoal_status gather_set(struct gather *gather, uint32_t number,
                                              struct shoal_error *error);
bool gather_is_stopped(const struct gather *gather);

#endif
