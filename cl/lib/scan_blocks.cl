/* Exclusive scan of 32-bit words without 64-bit atomics, in three launches: scan_sums computes the sum of each chunk,
 * scan_chunks with one work-group scans these sums, and scan_chunks scans each chunk, with its prefix. The input is
 * read twice. A chunk is a whole number of tiles; one work-group processes it tile by tile. */
#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 16
#endif

#include "lib/scan.clh"

GROUP_REDUCE(group_sum_uint, uint, ADD)

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_sums(__global const uint *input, __global uint *sums, ulong input_offset, uint n, uint chunk)
{
    __local uint scratch[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), end = min(n, (group + 1) * chunk);
    uint item[ITEMS], sum = 0, tile, k;
    for (tile = group * chunk; tile < end; tile += TILE) {
        tile_load(item, input + input_offset, tile, end, (input_offset & 3) == 0);
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            sum += item[k];
    }
    sum = group_sum_uint(sum, scratch);
    if (lid == 0)
        sums[group] = sum;
}

/* prefixes: sum of all elements before each chunk; NULL in the launch that scans the sums of chunks. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_chunks(__global const uint *input, __global uint *output, __global const uint *prefixes /* or NULL */,
                 ulong input_offset, ulong output_offset, uint n, uint chunk)
{
    __local uint rows[SPREAD(ROWS * WG)];
    __local uint scratch[2 * WG];
    const uint group = (uint)get_group_id(0), end = min(n, (group + 1) * chunk);
    uint item[ITEMS], prefix = prefixes ? prefixes[group] : 0, sum, tile;
    for (tile = group * chunk; tile < end; tile += TILE) {
        tile_load(item, input + input_offset, tile, end, (input_offset & 3) == 0);
        sum = tile_scan(item, rows, scratch);
        tile_store(item, prefix, output + output_offset, tile, end, (output_offset & 3) == 0);
        prefix += sum;
        /* not needed for the result, but without this barrier PoCL 3.1 does not compile the loop for work-groups
         * of 1 */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
