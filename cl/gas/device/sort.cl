/* Sort of particles by cells on GPUs: see gas/device/sort.clh. */
#ifndef WG
#define WG 256
#endif

#include "gas/device/sort_count.clh"
#include "lib/group.clh"

/* Number of particles of the largest cell in which each particle counts the lower numbers of its cell to find its
 * index; larger cells are sorted by a work-group. SMALL_CELL is at least WG, so that at most one larger cell begins
 * among the indices of a work-group. */
#define SMALL_CELL 1024

/* Bitonic sort of pairs[0 .. n - 1] by x. All work-items of the group call this function. All comparisons have the
 * same direction, so n need not be a power of two: elements beyond n would be larger than all others and never move.
 */
static INLINE void sort_large_cell(__global uint2 *pairs, uint n)
{
    const uint lid = (uint)get_local_id(0);
    uint span, step, pair;
    for (span = 2; span / 2 < n; span *= 2)
        for (step = span / 2; step > 0; step /= 2) {
            barrier(CLK_GLOBAL_MEM_FENCE);
            for (pair = lid; pair < (n + 1) / 2 + step; pair += WG) {
                const uint block = pair / step, within = pair % step, low = block * 2 * step + within;
                /* the first step of a span compares mirrored indices */
                const uint high = step == span / 2 ? (block + 1) * 2 * step - 1 - within : low + step;
                if (high < n) {
                    const uint2 a = pairs[low], b = pairs[high];
                    if (a.x > b.x) {
                        pairs[low] = b;
                        pairs[high] = a;
                    }
                }
            }
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* Sorts the particles of each cell by their numbers, and copies their data to the new indices. keys: scratch memory
 * for large cells. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_sort_order(__global uint4 *entries, __global const uint *starts, __global uint2 *keys,
                    __global const PLACE *position, __global const VECTOR *velocity, __global PLACE *position_out,
                    __global VECTOR *velocity_out, __global uint *id_out, __global PLACE *reference,
                    struct gas_sort_launch launch)
{
    /* first and end index of a large cell that begins among the indices of the work-group */
    __local uint large_cell[2];
#if RANGED
    const uint begin = starts[launch.first_cell], further = starts[launch.further_cell];
    const uint first_end = starts[launch.end_cell], further_end = starts[launch.end_further];
    const uint k = (uint)get_global_id(0), is_further = k >= first_end - begin;
    const uint place = is_further ? further + k - (first_end - begin) : begin + k;
    const uint places = is_further ? further_end : first_end;
#else
    const uint place = (uint)get_global_id(0), places = launch.count;
#endif
    const uint lid = (uint)get_local_id(0);
    uint n;
    if (lid == 0)
        large_cell[0] = large_cell[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place < places) {
        const uint4 entry = entries[place];
        const uint first = starts[entry.z], end = starts[entry.z + 1];
        if (end - first <= SMALL_CELL) {
            const uint to = sort_place(entries, entry.x, first, end);
            sort_move(entry.x, entry.y, to, position, velocity, position_out, velocity_out, id_out, reference);
        } else if (first == place) {
            large_cell[0] = first;
            large_cell[1] = end;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = large_cell[0], count = large_cell[1] - first;
    if (count > 0) {
        for (n = lid; n < count; n += WG) {
            const uint4 entry = entries[first + n];
            uint2 pair;
            pair.x = entry.x;
            pair.y = entry.y;
            keys[first + n] = pair;
        }
        sort_large_cell(keys + first, count);
        for (n = lid; n < count; n += WG) {
            const uint2 pair = keys[first + n];
            sort_move(pair.x, pair.y, first + n, position, velocity, position_out, velocity_out, id_out, reference);
        }
    }
}
