/* From the tours of a step to the next source, where ants that are compatible are merged; a group for each colony.
 * faco_rebuild and faco_renew of faco_source.cl follow. */
#ifndef WG
#define WG 64
#endif
/* Random numbers are drawn only as integers. */
#ifndef REAL
#define REAL 32
#endif
#define FACO_MERGE_LANES WG

#include "tsp/faco/merge.clh"
#include "tsp/faco/settle.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_merge(__global const long *changes, __global const struct faco_piece *pieces, __global const uint *counts,
           __global struct faco_colony *colonies, __global struct faco_piece *merged, __global uint *merged_counts,
           __global uint *starts, struct faco_settings settings, uint step)
{
    __local struct faco_merge merge[1];
    const uint colony = (uint)get_group_id(0), first = colony * settings.ants;
    const ulong begin = (ulong)colony * FACO_MERGED;
    const uint winner = first + faco_take_all(merge, changes + first, pieces + (ulong)first * FACO_SEGMENTS,
                                              counts + first, settings.ants, settings.n);
    faco_sort_cuts(merge, settings.n);
    if (get_local_id(0) == 0) {
        faco_settle(settings.seed, settings.share, settings.lead + colony, settings.lead * settings.ants + winner,
                    merge->taken ? merge->change : changes[winner], step, colonies + colony);
        const uint count = faco_list_merged(merge, settings.n, merged + begin);
        uint start = 0u;
        for (uint r = 0u; r < count; r++) {
            starts[begin + r] = start;
            start += faco_high(merged[begin + r]) - faco_low(merged[begin + r]) + 1u;
        }
        merged_counts[colony] = count;
    }
}
