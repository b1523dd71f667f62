/* Fields and potentials of targets: from the incoming values of their cell, from sources of near cells, and
 * from the moments of smaller cells that do not touch it. */
/* with TARGETS as many targets as a cell has at most, if cells with more than 64 points are divided */
#ifndef WG
#define WG 32
#endif
/* sources in local memory */
#ifndef TILE
#define TILE 64
#endif

#include "fmm/pairs.clh"

/* The strength is a factor of the charges in local memory, which saves a product for each pair, but for the
 * law whose repulsion is not a multiple of it. */
#if LAW == LAW_LOG_REPULSION
#define CHARGE_FACTOR           R(1.0)
#define PAIR_STRENGTH(strength) (strength)
#else
#define CHARGE_FACTOR           strength
#define PAIR_STRENGTH(strength) R(1.0)
#endif

#if SIMD > 1
#include "fmm/many_targets.clh"
#else
#include "fmm/split_targets.clh"
#endif

/* Buffers of the cells and their sources, as the arguments of fmm_targets. */
struct sources {
    __global const real *nodes, *square;
    __global const uint4 *cells, *ranges;
    __global const real *places, *fine, *charges, *moments;
    real from_x, from_y; /* places are counted from here: with FINE the middle of the targets' cell */
    real factor;         /* of the charges */
    uint fill;           /* sources in local memory */
};

/* Loads charges begin .. end - 1 into local memory, and lets them act whenever it is full: sources, or
 * charges at the nodes of the cell `other`. */
static INLINE void add_charges(struct targets *targets, struct sources *all, uint other, bool is_near,
                               uint begin, uint end, local WORD *tile, local uint *index, struct law law)
{
    while (begin < end) {
        const uint count = min(TILE - all->fill, end - begin);
        uint i;
        for (i = (uint)get_local_id(0); i < count; i += WG) {
            const uint to = all->fill + i;
            const ulong s = begin + i;
            real x, y, charge;
            if (is_near) {
#if FINE
                x = all->places[2 * s] - all->from_x + all->fine[2 * s];
                y = all->places[2 * s + 1] - all->from_y + all->fine[2 * s + 1];
#else
                x = all->places[2 * s];
                y = all->places[2 * s + 1];
#endif
                charge = all->charges[s];
            } else {
                const uint node = (uint)s;
                const uint4 cell = all->cells[2 * other];
                const real radius = all->square[SQUARE_HALF + cell.z];
                x = middle(all->square[SQUARE_LEFT], radius, cell.x) - all->from_x;
                y = middle(all->square[SQUARE_BOTTOM], radius, cell.y) - all->from_y;
                x = mad(radius, all->nodes[node % NODES], x);
                y = mad(radius, all->nodes[node / NODES], y);
                charge = node_charge(all->nodes, all->moments + (ulong)other * MOMENTS, node);
            }
            store_source(tile, to, x, y, charge * all->factor);
#if POTENTIAL
            index[to] = is_near ? (uint)s : NO_CELL;
#endif
        }
        begin += count;
        all->fill += count;
        if (all->fill == TILE) {
            barrier(CLK_LOCAL_MEM_FENCE);
            meet(targets, tile, index, TILE, law);
            barrier(CLK_LOCAL_MEM_FENCE);
            all->fill = 0;
        }
    }
}

/* Adds the action of the cell `first`, which touches `cell` of the targets, and of its descendants. */
static INLINE void add_near(struct targets *targets, struct sources *all, uint4 cell, uint first,
                            local WORD *tile, local uint *index, struct law law)
{
    const uint last = all->cells[2 * first + 1].z;
    uint other = first;
    while (other != last) {
        const uint4 there = all->cells[2 * other], links = all->cells[2 * other + 1],
                    range = all->ranges[other];
        const bool touches = there.z < cell.z ? touches_smaller(there, cell) : touches_smaller(cell, there);
        if (touches && links.y != 0) {
            other = links.x;
        } else {
            const bool is_near = touches || has_few(range, links.y);
            add_charges(targets, all, other, is_near, is_near ? range.x : 0, is_near ? range.y : CELL_NODES,
                        tile, index, law);
            other = links.z;
        }
    }
}

/* Where the sources that a cell meets are: of its near cells, and of those of its parent. */
#define SPANS (2 * NEAR)

/* Writes which sources act by their places: spans[2 n] .. spans[2 n + 1] - 1 of near cell n without children; then those
 * of larger cells that do not touch the cell, if it has few points. Of a near cell with children it writes the cell and
 * NO_CELL. */
static INLINE void list_spans(const struct sources *all, uint4 cell, __global const uint *near,
                              __global const uint *around, bool few, local uint *spans)
{
    uint i;
    for (i = (uint)get_local_id(0); i < SPANS; i += WG) {
        const uint n = i % NEAR, other = i < NEAR ? near[n] : around[n];
        const bool is_near = i < NEAR && is_first(near, n);
        const bool has_children = is_near && all->cells[2 * other + 1].y != 0;
        const bool acts = i < NEAR ? is_near : few && acts_by_sources(all->cells, around, n, cell);
        const uint4 range = all->ranges[acts ? other : 0];
        spans[2 * i] = has_children ? other : acts ? range.x : 0;
        spans[2 * i + 1] = has_children ? NO_CELL : acts ? range.y : 0;
    }
}

/* same: targets are the sources. A group takes a unit: a cell and up to WG TARGETS of its targets. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
fmm_targets(__global const real *nodes, __global const real *square, __global const uint4 *cells,
            __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
            __global const uint2 *units, __global const real *sources,
            __global const real *fine /* or NULL */, __global const real *charges,
            __global const real *moments, __global const real *incoming, __global const real *targets,
            __global const uint *order, __global real *field /* or NULL */,
            __global real *potential /* or NULL */, real softening2, real strength, real repulsion, uint same)
{
    __local WORD tile[WORDS * TILE];
    __local uint index[POTENTIAL ? TILE : 1], spans[2 * SPANS];
#if SIMD == 1
    __local real sums[CHANNELS * SUMS];
#endif
    const uint unit_count = counts[COUNT_UNITS];
    struct sources all;
    struct law law;
    uint u, n;
    law.softening2 = softening2;
    law.strength = PAIR_STRENGTH(strength);
    law.repulsion = repulsion;
    all.nodes = nodes;
    all.square = square;
    all.cells = cells;
    all.ranges = ranges;
    all.places = sources;
    all.fine = fine;
    all.charges = charges;
    all.moments = moments;
    all.factor = CHARGE_FACTOR;
    for (u = (uint)get_group_id(0); u < unit_count; u += (uint)get_num_groups(0)) {
        const uint2 unit = units[u];
        const uint c = unit.x;
        const uint4 cell = cells[2 * c];
        __global const uint *const around = near + NEAR * (cell.w == NO_CELL ? 0 : cell.w);
        const bool few = cell.w != NO_CELL && has_few(ranges[c], 0);
        const real radius = square[SQUARE_HALF + cell.z];
        struct targets own;
        own.first = unit.y;
        own.end = ranges[c].w;
        own.mx = middle(square[SQUARE_LEFT], radius, cell.x);
        own.my = middle(square[SQUARE_BOTTOM], radius, cell.y);
        own.inverse = R(1.0) / radius;
        all.from_x = FINE ? own.mx : R(0.0);
        all.from_y = FINE ? own.my : R(0.0);
        all.fill = 0;
        load_targets(&own, targets, fine, same);
        list_spans(&all, cell, near + NEAR * c, around, few, spans);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (n = 0; n < SPANS; n++) {
            const uint begin = spans[2 * n], end = spans[2 * n + 1];
            if (end == NO_CELL)
                add_near(&own, &all, cell, begin, tile, index, law);
            else
                add_charges(&own, &all, 0, true, begin, end, tile, index, law);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        meet(&own, tile, index, all.fill, law);
        barrier(CLK_LOCAL_MEM_FENCE);
#if SIMD == 1
        store_targets(&own, incoming + (ulong)c * CHANNELS * TERMS, targets, fine, order, field, potential, sums);
#else
        store_targets(&own, incoming + (ulong)c * CHANNELS * TERMS, order, field, potential);
#endif
    }
}
