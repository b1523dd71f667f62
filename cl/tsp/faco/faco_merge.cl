/* Kernels that make the next source from the tours of a step, if compatible ants are merged: faco_merge, with a group
 * for each piece of a source, then faco_total, with a group for each colony, then faco_rebuild and faco_renew of
 * faco_source.cl. */
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

/* Merges the ants of a piece of settings.own_pieces. merged, starts, results: with a row for each piece of all
 * colonies. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_merge(__global const long *changes, __global const struct faco_piece *pieces, __global const uint *counts,
           __global struct faco_piece *merged, __global uint *starts, __global struct faco_result *results,
           struct faco_settings settings)
{
    __local struct faco_merge merge[1];
    const uint piece = settings.first_piece + (uint)get_group_id(0), ants = settings.ants / settings.pieces;
    const struct faco_range range = faco_piece_range(piece % settings.pieces, settings.pieces, settings.n);
    const ulong begin = (ulong)piece * FACO_MERGED;
    faco_merge_piece(merge, changes, pieces, counts, ants, piece * ants, settings.n, range, merged + begin,
                     results + piece);
    if (get_local_id(0) == 0) {
        const uint count = results[piece].count;
        uint start = range.low;
        for (uint r = 0u; r < count; r++) {
            starts[begin + r] = start;
            start += faco_high(merged[begin + r]) - faco_low(merged[begin + r]) + 1u;
        }
    }
}

/* Decides the next source of a colony from the results of its pieces. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_total(__global const struct faco_result *results, __global struct faco_colony *colonies,
           __global uint *merged_counts, struct faco_settings settings, uint step)
{
    __local long sums[WG];
    const uint lid = (uint)get_local_id(0) % WG, colony = (uint)get_group_id(0), first = colony * settings.pieces;
    long sum = 0l;
    for (uint i = lid; i < settings.pieces; i += WG) {
        sum += results[first + i].change;
        merged_counts[first + i] = results[first + i].count;
    }
    sums[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0u) {
        for (uint i = 1u; i < WG; i++)
            sum += sums[i];
        faco_settle(settings.seed, settings.share, settings.lead + colony,
                    settings.lead * settings.ants + results[first].winner, sum, step, colonies + colony);
    }
}
