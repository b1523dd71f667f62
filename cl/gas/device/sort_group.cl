/* Sort of few particles by few cells, in one launch with one work-group: see gas/device/sort.clh. */
#ifndef WG
#define WG 1024
#endif

#include "gas/device/sort.clh"
#include "lib/group.clh"

/* Largest number of cells: GAS_SORT_GROUP_CELLS of the host. */
#define MAX_CELLS 4096

/* Sorts all particles. Launched with one work-group. entries, keys: scratch memory. holds: struct gas_sort_launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_sort_group(__global const real *settings, __global uint *starts, __global uint2 *keys,
                    __global uint4 *entries, __global uint *words, __global const PLACE *position,
                    __global const VECTOR *velocity, __global const uint *id, __global PLACE *position_out,
                    __global VECTOR *velocity_out, __global uint *id_out, __global PLACE *reference, struct gas_mesh cells,
                    uint n, uint holds)
{
    __local uint counts[MAX_CELLS + 1]; /* number of particles of each cell, later the index of its first particle */
    __local uint scratch[2 * WG];
    const uint lid = (uint)get_local_id(0), total = cells.x * cells.y * cells.z, share = (total - 1) / WG + 1;
    const uint last = min(total, (lid + 1) * share);
    uint sum = 0, i;
    if (lid == 0)
        sort_begin_list(words, holds);
    for (i = lid; i < total; i += WG)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < n; i += WG) {
        uint2 key;
        key.x = sort_cell(position, i, settings, cells);
        key.y = atomic_inc(&counts[key.x]);
        keys[i] = key;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid * share; i < last; i++)
        sum += counts[i];
    sum = group_scan(sum, scratch).before;
    for (i = lid * share; i < last; i++) {
        const uint count = counts[i];
        counts[i] = sum;
        starts[i] = sum;
        sum += count;
    }
    if (lid == 0) {
        counts[total] = n;
        starts[total] = n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < n; i += WG) {
        const uint2 key = keys[i];
        entries[counts[key.x] + key.y] = sort_entry(id[i], i, key.x);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = lid; i < n; i += WG) {
        const uint4 entry = entries[i];
        const uint to = sort_place(entries, entry.x, counts[entry.z], counts[entry.z + 1]);
        sort_move(entry.x, entry.y, to, position, velocity, position_out, velocity_out, id_out, reference);
    }
}
