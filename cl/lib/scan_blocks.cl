/* Exclusive scan of 32-bit words in three launches, for devices without 64-bit atomics: sums of the tiles, their
 * scan by one group, then every tile again with its prefix. Reads the input twice. */
#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 16
#endif

#include "lib/scan.clh"

GROUP_REDUCE(group_sum_uint, uint, ADD)

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_sums(__global const uint *input, __global uint *sums, ulong input_offset, uint n)
{
    __local uint scratch[WG];
    const uint lid = (uint)get_local_id(0), tile = (uint)get_group_id(0);
    uint item[ITEMS], sum = 0, k;
    tile_load(item, input + input_offset, tile * TILE, n, (input_offset & 3) == 0);
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        sum += item[k];
    sum = group_sum_uint(sum, scratch);
    if (lid == 0)
        sums[tile] = sum;
}

/* One group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_prefixes(__global uint *sums, uint count)
{
    __local uint rows[SPREAD(ROWS * WG)];
    __local uint scratch[2 * WG];
    uint item[ITEMS], prefix = 0, sum, first;
    for (first = 0; first < count; first += TILE) {
        tile_load(item, sums, first, count, 1);
        sum = tile_scan(item, rows, scratch);
        tile_store(item, prefix, sums, first, count, 1);
        prefix += sum;
        barrier(CLK_LOCAL_MEM_FENCE); /* needless but for PoCL 3.1, which fails to compile the loop for groups of 1 */
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_tiles(__global const uint *input, __global uint *output, __global const uint *prefixes,
                ulong input_offset, ulong output_offset, uint n)
{
    __local uint rows[SPREAD(ROWS * WG)];
    __local uint scratch[2 * WG];
    const uint tile = (uint)get_group_id(0);
    uint item[ITEMS];
    tile_load(item, input + input_offset, tile * TILE, n, (input_offset & 3) == 0);
    tile_scan(item, rows, scratch);
    tile_store(item, prefixes[tile], output + output_offset, tile * TILE, n, (output_offset & 3) == 0);
}
