/* Clusters of a gas: particles that are connected by distances below a range, and the sizes of the clusters. */
#include "gas/model/exchange.clh"
#include "gas/device/forest.clh"
#include "gas/device/near.clh"
#include "gas/device/tables.clh"

#ifndef WG
#define WG 64
#endif
#include "lib/group.clh"

GROUP_REDUCE(group_joined, EXCHANGE, exchange_joined)
GROUP_REDUCE(group_largest, uint, max)

/* Makes each particle a cluster, of no size so far, and clears `counts`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_clusters_begin(__global uint *parents, __global uint *sizes, __global uint *counts, uint count, uint n)
{
    uint i;
    for (i = (uint)get_global_id(0); i < n || i < count; i += (uint)get_global_size(0)) {
        if (i < n) {
            parents[i] = i;
            sizes[i] = 0;
        }
        if (i < count)
            counts[i] = 0;
    }
}

/* Joins the clusters of the particles that are closer to each other than `range`. The particles are sorted by the cells
 * of a mesh, with the numbers `ids`. starts: index of the first particle of each cell, then n; with a single cell {0, n}. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_clusters_join(__global const PLACE *position, __global const uint *starts, __global const uint *ids,
                  __global uint *parents, __global const real *settings, struct gas_mesh cells, real range, uint n)
{
    const struct metric metric = load_metric(settings);
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct place target = load_place(position, i);
        const struct gas_mesh at = mesh_find(target, settings, cells);
        const uint number = ids[i];
        uint kx, ky, kz, j;
        for (kz = 0; kz < around(cells.z); kz++)
            for (ky = 0; ky < around(cells.y); ky++)
                for (kx = 0; kx < around(cells.x); kx++) {
                    const uint cell = near_cell(at, kx, ky, kz, cells);
                    if (cell == NO_CELL)
                        continue;
                    for (j = starts[cell]; j < starts[cell + 1u]; j++)
                        if (squared(difference(target, load_place(position, j), metric)) < range * range && ids[j] < number)
                            join(parents, number, ids[j]);
                }
    }
}

/* Counts the particles of each cluster, in the entry of its root. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_clusters_count(__global const uint *parents, __global uint *sizes, uint n)
{
    uint i = (uint)get_global_id(0);
    if (i < n) {
        while (parents[i] != i)
            i = parents[i];
        atomic_inc(sizes + i);
    }
}

/* Adds the clusters, and their particles, to two counts for each bin of sizes. The last count becomes the size of the
 * largest cluster. squares: the sum of the squares of the sizes for each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_clusters_sizes(__global const uint *sizes, __global uint *counts, __global EXCHANGE *squares, uint n)
{
    __local EXCHANGE scratch[WG];
    __local uint greatest[WG];
    __local uint own[2 * CLUSTER_BINS];
    EXCHANGE sum = exchange_of(0);
    uint i, largest = 0;
    for (i = (uint)get_local_id(0); i < 2 * CLUSTER_BINS; i += WG)
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const uint size = sizes[i];
        if (size > 0u) {
            const uint bin = cluster_bin(size);
            atomic_inc(own + 2u * bin);
            atomic_add(own + 2u * bin + 1u, size);
            sum = exchange_added(sum, (wide)size * (wide)size);
            largest = max(largest, size);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = (uint)get_local_id(0); i < 2 * CLUSTER_BINS; i += WG)
        if (own[i] > 0u)
            atomic_add(counts + i, own[i]);
    sum = group_joined(sum, scratch);
    largest = group_largest(largest, greatest);
    if (get_local_id(0) == 0) {
        squares[get_group_id(0)] = sum;
        atomic_max(counts + 2 * CLUSTER_BINS, largest);
    }
}
