/* Copies ranges of words between buffers, all in one launch. Sources may be memory of other devices. The launch takes
 * some microseconds whatever the number of ranges, while a copy engine takes as long for each range.
 *
 * A launch may also be a barrier between several devices, a meeting. Each device has a mark, a number that other
 * devices read. A device sets its mark to the number of the meeting when it has done all commands enqueued before, and
 * copies when the marks of all other devices have this number. Events take several times as long to pass from one
 * device to another. */
#include "lib/link/gather.clh"

#ifndef WG
#define WG 256
#endif

/* OpenCL devices do not read each other's marks; the CUDA prelude defines a fence for all devices. */
#ifndef SHOAL_FENCE_DEVICES
#define SHOAL_FENCE_DEVICES() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

static inline void gather_copy(__global const uint *source, __global uint *target, struct gather_range range, uint first,
                               uint stride)
{
    /* Loads from another device take long: a work-item starts all its loads before it stores. */
    __global const uint *from = source + range.source;
    __global uint *to = target + range.target;
    uint i = first;
    for (; i < range.words && range.words - i > 3u * stride; i += 4u * stride) {
        const uint a = from[i], b = from[i + stride], c = from[i + 2u * stride], d = from[i + 3u * stride];
        to[i] = a;
        to[i + stride] = b;
        to[i + 2u * stride] = c;
        to[i + 3u * stride] = d;
    }
    for (; i < range.words; i += stride)
        to[i] = from[i];
}

/* Waits until a mark has the number, or until the host stops the waits of this device because a part of the run has
 * failed. Marks grow from meeting to meeting and may wrap around. */
static inline void gather_wait(volatile __global const uint *mark, uint number, volatile __global const uint *stop)
{
    while ((int)(*mark - number) < 0 && !*stop)
        ;
}

/* Copies the ranges of `list`, in a meeting with the peers if there are any. mark: not NULL if there are peers;
 * mark[0]: the mark of this device; mark[1]: not 0 if this device must not wait.
 *
 * Work-group 0 copies the early ranges, sets the mark and waits until all other devices have set theirs; work-groups g
 * * groups + 1 to (g + 1) * groups copy range early + g after they have waited for the marks of the peers. Work-item k
 * of a group waits for peer k. Devices begin with work-group 0, which waits for nothing before it sets the mark, so
 * waiting groups may fill a device. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gather_words(__global const uint *source0 /* or NULL */, __global const uint *source1 /* or NULL */,
                  __global const uint *source2 /* or NULL */, __global const uint *source3 /* or NULL */,
                  __global const uint *source4 /* or NULL */, __global const uint *source5 /* or NULL */,
                  __global const uint *source6 /* or NULL */, __global const uint *source7 /* or NULL */,
                  __global const uint *source8 /* or NULL */, __global const uint *source9 /* or NULL */,
                  __global const uint *source10 /* or NULL */, __global const uint *source11 /* or NULL */,
                  __global uint *target0 /* or NULL */, __global uint *target1 /* or NULL */,
                  __global uint *target2 /* or NULL */, __global uint *target3 /* or NULL */,
                  __global uint *mark /* or NULL */, __global const uint *peer0 /* or NULL */,
                  __global const uint *peer1 /* or NULL */, __global const uint *peer2 /* or NULL */,
                  __global const uint *peer3 /* or NULL */, __global const uint *peer4 /* or NULL */,
                  __global const uint *peer5 /* or NULL */, __global const uint *peer6 /* or NULL */,
                  struct gather_list list)
{
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const bool sets_mark = group == 0u;
    const uint first = sets_mark ? 0u : list.early + (group - 1u) / list.groups;
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
    if (!sets_mark) {
        if (lid < list.peers)
            gather_wait(peer, list.number, mark + 1);
        barrier(CLK_GLOBAL_MEM_FENCE);
        SHOAL_FENCE_DEVICES();
    }
    for (k = first; k < end; k++) {
        const struct gather_range range = list.ranges[k];
        __global const uint *source = source0;
        __global uint *target = target0;
        source = range.from == 1u ? source1 : source;
        source = range.from == 2u ? source2 : source;
        source = range.from == 3u ? source3 : source;
        source = range.from == 4u ? source4 : source;
        source = range.from == 5u ? source5 : source;
        source = range.from == 6u ? source6 : source;
        source = range.from == 7u ? source7 : source;
        source = range.from == 8u ? source8 : source;
        source = range.from == 9u ? source9 : source;
        source = range.from == 10u ? source10 : source;
        source = range.from == 11u ? source11 : source;
        target = range.to == 1u ? target1 : target;
        target = range.to == 2u ? target2 : target;
        target = range.to == 3u ? target3 : target;
        gather_copy(source, target, range, start, stride);
    }
    if (sets_mark) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        SHOAL_FENCE_DEVICES();
        if (lid == 0u && list.peers > 0u)
            *(volatile __global uint *)mark = list.number;
        if (lid < list.peers)
            gather_wait(peer, list.number, mark + 1);
    }
}
