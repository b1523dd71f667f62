/* Fields and potentials of targets: from the incoming values of their cell, from sources of near cells, and from moments
 * values of smaller cells that do not touch it. */
/* about as many targets as a cell has, if cells with more than 64 points are divided */
#ifndef WG
#define WG 32
#endif

#include "fmm/nodes.clh"
#include "lib/group.clh"

/* Adds `count` charges in local memory to an item's target. */
static INLINE struct action add_tile(struct action a, real x, real y, local const real *tile, uint count,
                                     struct law law)
{
    uint s;
    for (s = 0; s < count; s++)
        a = add_charge(a, x - tile[s], y - tile[WG + s], tile[2 * WG + s], law);
    return a;
}

/* As add_tile, for charges of the target's own cell: the target itself, at the place `own` of the tile, and without
 * softening charges at its place add nothing. */
static INLINE struct action add_own_tile(struct action a, real x, real y, local const real *tile, uint count, uint own,
                                         struct law law)
{
    uint s;
    for (s = 0; s < count; s++) {
        const real dx = x - tile[s], dy = y - tile[WG + s];
        if (s != own && mad(dx, dx, dy * dy) + law.softening2 > R(0.0))
            a = add_charge(a, dx, dy, tile[2 * WG + s], law);
    }
    return a;
}

/* same: targets are the sources. A group takes a unit: a cell and up to WG of its targets. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_targets(__global const real *nodes, __global const real *square, __global const uint4 *cells,
                 __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
                 __global const uint2 *units, __global const real *sources, __global const real *charges,
                 __global const real *moments, __global const real *incoming, __global const real *targets,
                 __global const uint *order, __global real *field /* or NULL */,
                 __global real *potential /* or NULL */, real softening2, real strength, real repulsion, uint same)
{
    __local real tile[3 * WG];
    const uint lid = (uint)get_local_id(0), unit_count = counts[COUNT_UNITS];
    struct law law;
    uint u;
    law.softening2 = softening2;
    law.strength = strength;
    law.repulsion = repulsion;
    for (u = (uint)get_group_id(0); u < unit_count; u += (uint)get_num_groups(0)) {
        const uint2 unit = units[u];
        const uint c = unit.x, target = unit.y + lid;
        const uint4 cell = cells[2 * c];
        const bool is_target = target < ranges[c].w;
        const real radius = square[SQUARE_HALF + cell.z], inverse = R(1.0) / radius;
        const real mx = middle(square[SQUARE_LEFT], radius, cell.x), my = middle(square[SQUARE_BOTTOM], radius, cell.y);
        const real x = is_target ? targets[2 * (ulong)target] : mx, y = is_target ? targets[2 * (ulong)target + 1] : my;
        __global const real *const in = incoming + (ulong)c * CHANNELS * CELL_NODES;
        struct action a;
        uint n, i, j;
        a.x = R(0.0);
        a.y = R(0.0);
        a.potential = R(0.0);
        for (n = 0; n < NEAR; n++) {
            const uint first = near[NEAR * c + n];
            uint other = first, other_end;
            if (!is_first(near + NEAR * c, n))
                continue;
            other_end = cells[2 * first + 1].z;
            while (other != other_end) {
                const uint4 there = cells[2 * other], links = cells[2 * other + 1], range = ranges[other];
                const bool is_near = there.z < cell.z ? touches_smaller(there, cell) : touches_smaller(cell, there);
                const uint begin = is_near ? range.x : 0, end = is_near ? range.y : CELL_NODES;
                const real there_radius = square[SQUARE_HALF + there.z];
                uint from;
                if (is_near && links.y != 0) {
                    other = links.x;
                    continue;
                }
                for (from = begin; from < end; from += WG) {
                    const ulong s = from + lid;
                    const uint count = min((uint)WG, end - from);
                    if (lid < count && is_near) {
                        tile[lid] = sources[2 * s];
                        tile[WG + lid] = sources[2 * s + 1];
                        tile[2 * WG + lid] = charges[s];
                    } else if (lid < count) {
                        const uint node = (uint)s;
                        tile[lid] = mad(there_radius, nodes[node % NODES], middle(square[SQUARE_LEFT], there_radius, there.x));
                        tile[WG + lid] =
                            mad(there_radius, nodes[node / NODES], middle(square[SQUARE_BOTTOM], there_radius, there.y));
                        tile[2 * WG + lid] = moments[(ulong)other * CELL_NODES + node];
                    }
                    barrier(CLK_LOCAL_MEM_FENCE);
                    if (other == c)
                        a = add_own_tile(a, x, y, tile, count, same ? target - from : NO_CELL, law);
                    else
                        a = add_tile(a, x, y, tile, count, law);
                    barrier(CLK_LOCAL_MEM_FENCE);
                }
                other = links.z;
            }
        }
        if (is_target) {
            const ulong to = order[target];
            real wx[NODES], wy[NODES];
            node_weights(nodes, (x - mx) * inverse, wx);
            node_weights(nodes, (y - my) * inverse, wy);
            for (j = 0; j < NODES; j++) {
                for (i = 0; i < NODES; i++) {
                    const real weight = wx[i] * wy[j];
                    a.x = mad(weight, in[j * NODES + i], a.x);
                    a.y = mad(weight, in[CELL_NODES + j * NODES + i], a.y);
#if POTENTIAL
                    a.potential = mad(weight, in[2 * CELL_NODES + j * NODES + i], a.potential);
#endif
                }
            }
            if (field) {
                field[2 * to] = a.x;
                field[2 * to + 1] = a.y;
            }
            if (potential)
                potential[to] = a.potential;
        }
    }
}
