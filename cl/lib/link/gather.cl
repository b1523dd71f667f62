/* Copies ranges of words between buffers, all in one launch. Sources may be in the memory of other devices. A launch
 * takes some microseconds for any number of ranges, while a copy engine takes that long for each range.
 *
 * A launch may also be a meeting: a barrier between several devices. Each device has a mark, a number that the other
 * devices read. When a device has done all commands enqueued before, it sets its mark to the number of the meeting,
 * waits until the marks of all other devices have this number, and then copies. Events take several times as long to
 * pass from one device to another. In a meeting a device may also merge notes of the other devices into its own note,
 * which would otherwise take another launch. */
#include "lib/link/merge.clh"
#include "lib/link/peers.clh"

#ifndef WG
#define WG 256
#endif

/* Merges one word of the notes of other devices into the note of this device, at `own`. seen: the notes, `words`
 * words in all, from this word of the first note on. */
static inline void gather_merge(__global uint *own, local const uint *seen, uint words, uint is_largest, uint is_least)
{
    struct merge_pair pair;
    uint k;
    pair.word = own[0];
    pair.next = is_least ? own[1] : 0u;
    for (k = 0; k < words; k += MERGE_WORDS) {
        struct merge_pair other;
        other.word = seen[k];
        other.next = is_least ? seen[k + 1u] : 0u;
        pair = merge_pairs(pair, other, is_largest, is_least);
    }
    own[0] = pair.word;
    if (is_least)
        own[1] = pair.next;
}

/* Source buffer number n, and target buffer number n, of the kernel's arguments. */
#define GATHER_SOURCE(n)                                                                                        \
    ((n) == 0u    ? source0                                                                                     \
     : (n) == 1u  ? source1                                                                                     \
     : (n) == 2u  ? source2                                                                                     \
     : (n) == 3u  ? source3                                                                                     \
     : (n) == 4u  ? source4                                                                                     \
     : (n) == 5u  ? source5                                                                                     \
     : (n) == 6u  ? source6                                                                                     \
     : (n) == 7u  ? source7                                                                                     \
     : (n) == 8u  ? source8                                                                                     \
     : (n) == 9u  ? source9                                                                                     \
     : (n) == 10u ? source10                                                                                    \
     : (n) == 11u ? source11                                                                                    \
     : (n) == 12u ? source12                                                                                    \
     : (n) == 13u ? source13                                                                                    \
     : (n) == 14u ? source14                                                                                    \
                  : source15)
#define GATHER_TARGET(n) \
    ((n) == 0u ? target0 : (n) == 1u ? target1 : (n) == 2u ? target2 : (n) == 3u ? target3 : target4)

/* Copies the ranges of `list`, in a meeting if list.peers is above 0. mark: may be NULL if there are no peers.
 *
 * Work-group 0 copies the early ranges, sets the mark, waits until all other devices have set theirs, and merges the
 * notes. Work-groups g * groups + 1 to (g + 1) * groups wait for the marks of the peers and then copy range early +
 * notes + g. Work-item k of a work-group waits for peer k. Work-groups that wait may fill a device, since devices
 * start work-group 0 first, which sets the mark before it waits. Barriers are outside of branches, since PoCL 3.1
 * needs this here. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gather_words(__global const uint *source0 /* or NULL */, __global const uint *source1 /* or NULL */,
                  __global const uint *source2 /* or NULL */, __global const uint *source3 /* or NULL */,
                  __global const uint *source4 /* or NULL */, __global const uint *source5 /* or NULL */,
                  __global const uint *source6 /* or NULL */, __global const uint *source7 /* or NULL */,
                  __global const uint *source8 /* or NULL */, __global const uint *source9 /* or NULL */,
                  __global const uint *source10 /* or NULL */, __global const uint *source11 /* or NULL */,
                  __global const uint *source12 /* or NULL */, __global const uint *source13 /* or NULL */,
                  __global const uint *source14 /* or NULL */, __global const uint *source15 /* or NULL */,
                  __global uint *target0 /* or NULL */, __global uint *target1 /* or NULL */,
                  __global uint *target2 /* or NULL */, __global uint *target3 /* or NULL */,
                  __global uint *target4 /* or NULL */,
                  __global uint *mark /* or NULL */, __global const uint *peer0 /* or NULL */,
                  __global const uint *peer1 /* or NULL */, __global const uint *peer2 /* or NULL */,
                  __global const uint *peer3 /* or NULL */, __global const uint *peer4 /* or NULL */,
                  __global const uint *peer5 /* or NULL */, __global const uint *peer6 /* or NULL */,
                  struct gather_list list)
{
    __local uint seen[GATHER_PEERS * MERGE_WORDS];
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0), words = group == 0u ? list.notes * MERGE_WORDS : 0u;
    const bool sets_mark = group == 0u;
    const uint first = sets_mark ? 0u : list.early + list.notes + (group - 1u) / list.groups;
    const uint end = sets_mark ? list.early : first + 1u, stride = sets_mark ? WG : WG * list.groups;
    const uint start = sets_mark ? lid : (group - 1u) % list.groups * WG + lid;
    __global const uint *peer = peer0;
    uint k;
    peer = lid == 1u ? peer1 : peer;
    peer = lid == 2u ? peer2 : peer;
    peer = lid == 3u ? peer3 : peer;
    peer = lid == 4u ? peer4 : peer;
    peer = lid == 5u ? peer5 : peer;
    peer = lid == 6u ? peer6 : peer;
    if (!sets_mark && lid < list.peers)
        mark_acquire(peer + MARK_NUMBER, list.number, mark + MARK_STOP);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (k = first; k < end; k++) {
        const struct gather_range range = list.ranges[k];
        gather_copy(GATHER_SOURCE(range.from), GATHER_TARGET(range.to), range, start, stride);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (sets_mark && lid == 0u && list.peers > 0u)
        mark_release(mark + MARK_NUMBER, list.number);
    if (sets_mark && lid < list.peers)
        mark_acquire(peer + MARK_NUMBER, list.number, mark + MARK_STOP);
    barrier(CLK_GLOBAL_MEM_FENCE);
    /* the notes are loaded together, before any is merged */
    for (k = lid; k < words; k += WG) {
        const uint note = list.early + k / MERGE_WORDS, word = k % MERGE_WORDS, from = list.ranges[note].from;
        seen[k] = word < list.ranges[note].words ? GATHER_SOURCE(from)[list.ranges[note].source + word] : 0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = lid; k < min(words, (uint)MERGE_WORDS); k += WG)
        if ((list.largest | list.least) >> k & 1u)
            gather_merge(GATHER_TARGET(list.into) + k, seen + k, words, list.largest >> k & 1u, list.least >> k & 1u);
}
