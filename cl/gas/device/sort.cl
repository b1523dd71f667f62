/* Sort of particles by cells on GPUs: see gas/device/sort.clh. */
#ifndef WG
#define WG 256
#endif

#include "gas/device/sort_count.clh"
#include "lib/group.clh"

/* Particles of a cell up to which each of them counts those of lower numbers. One of more is sorted by a work-group.
 * At least WG, so that no two cells of more begin among the places of one group. */
#define CROWD 1024

/* Bitonic sort of crowd[0 .. n) by x in the form whose comparisons all point the same way, so that n need not be a
 * power of two: what is missing would be larger than everything. All work-items of the group take part. */
static INLINE void sort_crowd(__global uint2 *crowd, uint n)
{
    const uint lid = (uint)get_local_id(0);
    uint span, step, pair;
    for (span = 2; span / 2 < n; span *= 2)
        for (step = span / 2; step > 0; step /= 2) {
            barrier(CLK_GLOBAL_MEM_FENCE);
            for (pair = lid; pair < (n + 1) / 2 + step; pair += WG) {
                const uint block = pair / step, within = pair % step, low = block * 2 * step + within;
                /* The first comparisons of a span are mirrored. */
                const uint high = step == span / 2 ? (block + 1) * 2 * step - 1 - within : low + step;
                if (high < n) {
                    const uint2 a = crowd[low], b = crowd[high];
                    if (a.x > b.x) {
                        crowd[low] = b;
                        crowd[high] = a;
                    }
                }
            }
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* `keys` are used as memory for crowded cells. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_sort_order(__global uint4 *entries, __global const uint *starts, __global uint2 *keys,
                    __global const PLACE *position, __global const VECTOR *velocity, __global PLACE *position_out,
                    __global VECTOR *velocity_out, __global uint *id_out, __global PLACE *reference, uint cells,
                    uint n, uint items)
{
    __local uint crowd[2]; /* where the crowded cell that begins in this group begins and ends */
    const uint place = (uint)get_global_id(0), lid = (uint)get_local_id(0);
    uint k;
    if (lid == 0)
        crowd[0] = crowd[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place < n) {
        const uint4 entry = entries[place];
        const uint first = starts[entry.z], end = starts[entry.z + 1];
        if (end - first <= CROWD) {
            const uint to = sort_place(entries, entry.x, first, end);
            sort_move(entry.x, entry.y, to, position, velocity, position_out, velocity_out, id_out, reference);
        } else if (first == place) {
            crowd[0] = first;
            crowd[1] = end;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = crowd[0], count = crowd[1] - first;
    if (count > 0) {
        for (k = lid; k < count; k += WG) {
            const uint4 entry = entries[first + k];
            uint2 pair;
            pair.x = entry.x;
            pair.y = entry.y;
            keys[first + k] = pair;
        }
        sort_crowd(keys + first, count);
        for (k = lid; k < count; k += WG) {
            const uint2 pair = keys[first + k];
            sort_move(pair.x, pair.y, first + k, position, velocity, position_out, velocity_out, id_out, reference);
        }
    }
}
