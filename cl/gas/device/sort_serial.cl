/* Sorts particles by cells on CPUs; a work-item handles many particles or cells: see gas/device/sort.clh. */
#ifndef WG
#define WG 1
#endif

#include "gas/device/sort_count.clh"

/* Largest number of entries that are sorted by insertion; more are sorted by a heap. */
#define FEW 24

static inline void sort_insert(__global uint4 *entries, uint n)
{
    uint i, k;
    for (i = 1; i < n; i++) {
        const uint4 entry = entries[i];
        for (k = i; k > 0 && entries[k - 1].x > entry.x; k--)
            entries[k] = entries[k - 1];
        entries[k] = entry;
    }
}

/* Makes entries[0 .. n - 1] a heap, with the largest entry first. Before, only entry `root` may be smaller than its
 * children. */
static inline void sort_sift(__global uint4 *entries, uint root, uint n)
{
    const uint4 entry = entries[root];
    uint child = 2 * root + 1;
    while (child < n) {
        if (child + 1 < n && entries[child + 1].x > entries[child].x)
            child++;
        if (entries[child].x <= entry.x)
            break;
        entries[root] = entries[child];
        root = child;
        child = 2 * root + 1;
    }
    entries[root] = entry;
}

static inline void sort_heap(__global uint4 *entries, uint n)
{
    uint i;
    for (i = n / 2; i > 0; i--)
        sort_sift(entries, i - 1, n);
    for (i = n - 1; i > 0; i--) {
        const uint4 largest = entries[0];
        entries[0] = entries[i];
        entries[i] = largest;
        sort_sift(entries, 0, i);
    }
}

/* Sorts the particles of each cell by their numbers, and copies their data to the new indices. A work-item handles
 * launch.cell_items cells. keys: not used. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_sort_order(__global uint4 *entries, __global const uint *starts, __global uint2 *keys,
                    __global const PLACE *position, __global const VECTOR *velocity, __global PLACE *position_out,
                    __global VECTOR *velocity_out, __global uint *id_out, __global PLACE *reference,
                    struct gas_sort_launch launch)
{
    const uint index = (uint)get_global_id(0);
    const uint cells = launch.end_cell - launch.first_cell + launch.end_further - launch.further_cell;
    const uint last = min(cells, (index + 1) * launch.cell_items);
    uint n, k;
    for (n = index * launch.cell_items; n < last; n++) {
        const uint is_further = n >= launch.end_cell - launch.first_cell;
        const uint c = n + (is_further ? launch.further_cell + launch.first_cell - launch.end_cell : launch.first_cell);
        const uint first = starts[c], end = starts[c + 1];
        if (end - first <= FEW)
            sort_insert(entries + first, end - first);
        else
            sort_heap(entries + first, end - first);
        for (k = first; k < end; k++)
            sort_move(entries[k].x, entries[k].y, k, position, velocity, position_out, velocity_out, id_out,
                      reference);
    }
}
