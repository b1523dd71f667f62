/* Copies ranges of words between buffers, all in one launch. Sources may be memory of other devices: a launch takes some
 * microseconds whatever the number of ranges, where an engine for copies takes as long for each of them. */
#include "lib/link/gather.clh"

#ifndef WG
#define WG 256
#endif

/* Work-groups g * groups to (g + 1) * groups - 1 copy range g. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gather_words(__global const uint *source0, __global const uint *source1 /* or NULL */,
                  __global const uint *source2 /* or NULL */, __global const uint *source3 /* or NULL */,
                  __global uint *target0, __global uint *target1 /* or NULL */, __global uint *target2 /* or NULL */,
                  __global uint *target3 /* or NULL */, struct gather_list list, uint groups)
{
    const uint number = (uint)get_group_id(0) / groups, first = (uint)get_group_id(0) % groups * WG + (uint)get_local_id(0);
    const struct gather_range range = list.ranges[number];
    __global const uint *source = source0;
    __global uint *target = target0;
    uint i;
    if (range.table == 1u) {
        source = source1;
        target = target1;
    } else if (range.table == 2u) {
        source = source2;
        target = target2;
    } else if (range.table == 3u) {
        source = source3;
        target = target3;
    }
    for (i = first; i < range.words; i += groups * WG)
        target[range.target + i] = source[range.source + i];
}
