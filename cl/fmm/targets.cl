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

/* Buffers of the cells and their sources, as the arguments of fmm_targets. */
struct sources {
    __global const real *nodes, *square;
    __global const uint4 *cells, *ranges;
    __global const real *places, *fine, *charges, *moments;
    real from_x, from_y; /* places are counted from here: with FINE the middle of the targets' cell */
};

/* Loads up to WG charges from the place `from` on: sources, or moments at the nodes of the cell `other`. */
static INLINE void load_tile(struct sources all, uint other, bool is_near, uint from, uint count, local real *tile)
{
    const uint lid = (uint)get_local_id(0);
    const ulong s = from + lid;
    if (lid >= count)
        return;
    if (is_near) {
#if FINE
        tile[lid] = all.places[2 * s] - all.from_x + all.fine[2 * s];
        tile[WG + lid] = all.places[2 * s + 1] - all.from_y + all.fine[2 * s + 1];
#else
        tile[lid] = all.places[2 * s];
        tile[WG + lid] = all.places[2 * s + 1];
#endif
        tile[2 * WG + lid] = all.charges[s];
    } else {
        const uint node = (uint)s;
        const uint4 cell = all.cells[2 * other];
        const real radius = all.square[SQUARE_HALF + cell.z];
        tile[lid] = mad(radius, all.nodes[node % NODES], middle(all.square[SQUARE_LEFT], radius, cell.x) - all.from_x);
        tile[WG + lid] =
            mad(radius, all.nodes[node / NODES], middle(all.square[SQUARE_BOTTOM], radius, cell.y) - all.from_y);
        tile[2 * WG + lid] = all.moments[(ulong)other * CELL_NODES + node];
    }
}

/* Adds the action of the cell `first`, which touches the cell c of the target x, y, and of its descendants. own: place
 * of the target among the sources. */
static INLINE struct action add_near(struct action a, real x, real y, struct sources all, uint c, uint first, uint own,
                                     struct law law, local real *tile)
{
    const uint4 cell = all.cells[2 * c];
    const uint last = all.cells[2 * first + 1].z;
    uint other = first;
    while (other != last) {
        const uint4 there = all.cells[2 * other], links = all.cells[2 * other + 1], range = all.ranges[other];
        const bool is_near = there.z < cell.z ? touches_smaller(there, cell) : touches_smaller(cell, there);
        const uint begin = is_near ? range.x : 0, end = is_near ? range.y : CELL_NODES;
        uint from;
        if (is_near && links.y != 0) {
            other = links.x;
            continue;
        }
        for (from = begin; from < end; from += WG) {
            const uint count = min((uint)WG, end - from);
            load_tile(all, other, is_near, from, count, tile);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (other == c)
                a = add_own_tile(a, x, y, tile, count, own - from, law);
            else
                a = add_tile(a, x, y, tile, count, law);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        other = links.z;
    }
    return a;
}

/* Adds the incoming values of a cell at a place; place_x, place_y: in the cell. */
static inline struct action add_incoming(struct action a, __global const real *nodes, __global const real *incoming,
                                         real place_x, real place_y)
{
    real wx[NODES], wy[NODES];
    uint i, j;
    node_weights(nodes, place_x, wx);
    node_weights(nodes, place_y, wy);
    for (j = 0; j < NODES; j++) {
        for (i = 0; i < NODES; i++) {
            const real weight = wx[i] * wy[j];
            a.x = mad(weight, incoming[j * NODES + i], a.x);
            a.y = mad(weight, incoming[CELL_NODES + j * NODES + i], a.y);
#if POTENTIAL
            a.potential = mad(weight, incoming[2 * CELL_NODES + j * NODES + i], a.potential);
#endif
        }
    }
    return a;
}

/* same: targets are the sources. A group takes a unit: a cell and up to WG of its targets. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_targets(__global const real *nodes, __global const real *square, __global const uint4 *cells,
                 __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
                 __global const uint2 *units, __global const real *sources, __global const real *fine /* or NULL */,
                 __global const real *charges, __global const real *moments, __global const real *incoming, __global const real *targets,
                 __global const uint *order, __global real *field /* or NULL */,
                 __global real *potential /* or NULL */, real softening2, real strength, real repulsion, uint same)
{
    __local real tile[3 * WG];
    const uint lid = (uint)get_local_id(0), unit_count = counts[COUNT_UNITS];
    struct sources all;
    struct law law;
    uint u, n;
    law.softening2 = softening2;
    law.strength = strength;
    law.repulsion = repulsion;
    all.nodes = nodes;
    all.square = square;
    all.cells = cells;
    all.ranges = ranges;
    all.places = sources;
    all.fine = fine;
    all.charges = charges;
    all.moments = moments;
    for (u = (uint)get_group_id(0); u < unit_count; u += (uint)get_num_groups(0)) {
        const uint2 unit = units[u];
        const uint c = unit.x, target = unit.y + lid;
        const uint4 cell = cells[2 * c];
        const bool is_target = target < ranges[c].w;
        const real radius = square[SQUARE_HALF + cell.z], inverse = R(1.0) / radius;
        const real mx = middle(square[SQUARE_LEFT], radius, cell.x), my = middle(square[SQUARE_BOTTOM], radius, cell.y);
        real x = is_target ? targets[2 * (ulong)target] : mx, y = is_target ? targets[2 * (ulong)target + 1] : my;
        struct action a;
#if FINE
        x -= mx;
        y -= my;
        if (is_target) {
            x += fine[2 * (ulong)target];
            y += fine[2 * (ulong)target + 1];
        }
#endif
        all.from_x = FINE ? mx : R(0.0);
        all.from_y = FINE ? my : R(0.0);
        a.x = R(0.0);
        a.y = R(0.0);
        a.potential = R(0.0);
        for (n = 0; n < NEAR; n++)
            if (is_first(near + NEAR * c, n))
                a = add_near(a, x, y, all, c, near[NEAR * c + n], same ? target : NO_CELL, law, tile);
        if (is_target) {
            const ulong to = order[target];
            a = add_incoming(a, nodes, incoming + (ulong)c * CHANNELS * CELL_NODES,
                             (FINE ? x : x - mx) * inverse, (FINE ? y : y - my) * inverse);
            if (field) {
                field[2 * to] = a.x;
                field[2 * to + 1] = a.y;
            }
            if (potential)
                potential[to] = a.potential;
        }
    }
}
