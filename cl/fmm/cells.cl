/* Values at the nodes of cells. Moments are charges that stand for those in the cell; incoming values are field and
 * potential of far charges. */
#ifndef WG
#define WG 64
#endif

#include "fmm/nodes.clh"
#include "lib/group.clh"

/* Number of pairs of cells of a level up to turning and mirroring: offsets (2, 0) (2, 1) (2, 2) (3, 0) (3, 1) (3, 2)
 * (3, 3). */
#define OFFSETS 7

/* Writes laws[level][offset][channel][source node][target node]: the action of nodes on nodes at each offset. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_laws(__global const real *nodes, __global const real *square, __global real *laws, real softening2,
              real strength, real repulsion)
{
    const uint pairs = CELL_NODES * CELL_NODES, all = (DEPTH + 1) * OFFSETS * pairs;
    struct law law;
    ulong item;
    law.softening2 = softening2;
    law.strength = strength;
    law.repulsion = repulsion;
    for (item = get_global_id(0); item < all; item += get_global_size(0)) {
        const uint pair = (uint)item % pairs, table = (uint)item / pairs, level = table / OFFSETS, offset = table % OFFSETS;
        const uint s = pair / CELL_NODES, t = pair % CELL_NODES;
        const real radius = square[SQUARE_HALF + level], far = offset < 3 ? R(4.0) : R(6.0);
        const real up = R(2.0) * (real)(offset < 3 ? offset : offset - 3);
        __global real *const to = laws + (ulong)table * CHANNELS * pairs + pair;
        struct action a;
        a.x = R(0.0);
        a.y = R(0.0);
        a.potential = R(0.0);
        a = add_charge(a, radius * (far + nodes[t % NODES] - nodes[s % NODES]),
                       radius * (up + nodes[t / NODES] - nodes[s / NODES]), R(1.0), law);
        to[0] = a.x;
        to[pairs] = a.y;
#if POTENTIAL
        to[2 * pairs] = a.potential;
#endif
    }
}

/* nodes of a work-item, if a group takes the nodes of a cell */
#define ROWS ((CELL_NODES + WG - 1) / WG)

/* Moments of the cells without children, a group for a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_moments(__global const real *nodes, __global const real *square, __global const uint4 *cells,
               __global const uint4 *ranges, __global const uint *counts, __global const uint *leaves,
               __global const real *sources, __global const real *fine /* or NULL */, __global const real *charges,
               __global real *moments)
{
    __local real wx[NODES * WG], wy[NODES * WG];
    const uint lid = (uint)get_local_id(0), leaf_count = counts[COUNT_LEAVES];
    uint leaf, first, i, s, row;
    for (leaf = (uint)get_group_id(0); leaf < leaf_count; leaf += (uint)get_num_groups(0)) {
        const uint c = leaves[leaf];
        const uint4 cell = cells[2 * c], range = ranges[c];
        const real radius = square[SQUARE_HALF + cell.z], inverse = R(1.0) / radius;
        const real mx = middle(square[SQUARE_LEFT], radius, cell.x), my = middle(square[SQUARE_BOTTOM], radius, cell.y);
        real sum[ROWS];
        for (row = 0; row < ROWS; row++)
            sum[row] = R(0.0);
        for (first = range.x; first < range.y; first += WG) {
            const uint count = min((uint)WG, range.y - first);
            if (lid < count) {
                const ulong at = first + lid;
                real weight[NODES], x = sources[2 * at] - mx, y = sources[2 * at + 1] - my;
#if FINE
                x += fine[2 * at];
                y += fine[2 * at + 1];
#endif
                node_weights(nodes, x * inverse, weight);
                for (i = 0; i < NODES; i++)
                    wx[i * WG + lid] = weight[i] * charges[at];
                node_weights(nodes, y * inverse, weight);
                for (i = 0; i < NODES; i++)
                    wy[i * WG + lid] = weight[i];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (row = 0; row < ROWS; row++) {
                const uint node = row * WG + lid;
                if (node < CELL_NODES)
                    for (s = 0; s < count; s++)
                        sum[row] = mad(wx[node % NODES * WG + s], wy[node / NODES * WG + s], sum[row]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (row = 0; row < ROWS; row++) {
            const uint node = row * WG + lid;
            if (node < CELL_NODES)
                moments[(ulong)c * CELL_NODES + node] = sum[row];
        }
    }
}

/* Moments of the cells of a level that have children, a work-item for a node. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_up(__global const real *nodes, __global const uint4 *cells, __global const uint *counts, __global real *moments,
            uint level, uint room)
{
    const struct span span = cells_of_level(counts, level, room);
    const ulong end = (ulong)span.end * CELL_NODES;
    ulong item;
    for (item = (ulong)span.begin * CELL_NODES + get_global_id(0); item < end; item += get_global_size(0)) {
        const uint c = (uint)(item / CELL_NODES), node = (uint)(item % CELL_NODES);
        const uint4 links = cells[2 * c + 1];
        const uint child_end = links.x + popcount(links.y);
        real sum = R(0.0);
        uint child, below;
        if (links.y == 0)
            continue;
        for (child = links.x; child < child_end; child++) {
            const uint q = quadrant_of(cells[2 * child]);
            for (below = 0; below < CELL_NODES; below++)
                sum = mad(shift_weight(nodes, q, below, node), moments[(ulong)child * CELL_NODES + below], sum);
        }
        moments[item] = sum;
    }
}

/* Adds to a node of the cell `target` the action of the nodes of the cell `source` of its level. The offset of the
 * cells is mirrored and turned into one with x >= y >= 0. laws: of the level. */
static inline struct action add_cell(struct action a, __global const real *laws, __global const real *moments,
                                     uint4 target, uint4 source, uint node)
{
    const uint pairs = CELL_NODES * CELL_NODES;
    const int dx = (int)(target.x - source.x), dy = (int)(target.y - source.y);
    const uint ax = (uint)(dx < 0 ? -dx : dx), ay = (uint)(dy < 0 ? -dy : dy), large = max(ax, ay), small = min(ax, ay);
    const bool swapped = ay > ax;
    const uint tx = dx < 0 ? NODES - 1 - node % NODES : node % NODES, ty = dy < 0 ? NODES - 1 - node / NODES : node / NODES;
    __global const real *const law = laws + (ulong)(large == 2 ? small : 3 + small) * CHANNELS * pairs +
                                     (swapped ? tx * NODES + ty : ty * NODES + tx);
    /* steps of a table of laws along the rows and columns of the source's nodes */
    const int step_x = (int)(swapped ? NODES * CELL_NODES : CELL_NODES),
              step_y = (int)(swapped ? CELL_NODES : NODES * CELL_NODES);
    const int along_x = dx < 0 ? -step_x : step_x, along_y = dy < 0 ? -step_y : step_y;
    int from_y = (dx < 0 ? (NODES - 1) * step_x : 0) + (dy < 0 ? (NODES - 1) * step_y : 0);
    real x = R(0.0), y = R(0.0), potential = R(0.0);
    uint i, j;
    for (j = 0; j < NODES; j++) {
        int from = from_y;
        for (i = 0; i < NODES; i++) {
            const real charge = moments[j * NODES + i];
            x = mad(law[from], charge, x);
            y = mad(law[from + (int)pairs], charge, y);
#if POTENTIAL
            potential = mad(law[from + 2 * (int)pairs], charge, potential);
#endif
            from += along_x;
        }
        from_y += along_y;
    }
    if (swapped) {
        const real other = x;
        x = y;
        y = other;
    }
    a.x += dx < 0 ? -x : x;
    a.y += dy < 0 ? -y : y;
    a.potential += potential;
    return a;
}

/* Incoming values by far cells of the same level and by sources of larger cells, a work-item for a node of any cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_across(__global const real *nodes, __global const real *square, __global const uint4 *cells,
                __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
                __global const real *laws, __global const real *sources, __global const real *fine /* or NULL */,
                __global const real *charges, __global const real *moments, __global real *incoming, real softening2,
                real strength, real repulsion, uint room)
{
    const ulong end = (ulong)cell_count(counts, room) * CELL_NODES;
    struct law law;
    ulong item;
    law.softening2 = softening2;
    law.strength = strength;
    law.repulsion = repulsion;
    for (item = get_global_id(0); item < end; item += get_global_size(0)) {
        const uint c = (uint)(item / CELL_NODES), node = (uint)(item % CELL_NODES);
        const uint4 cell = cells[2 * c];
        const real radius = square[SQUARE_HALF + cell.z];
        const real mx = middle(square[SQUARE_LEFT], radius, cell.x), my = middle(square[SQUARE_BOTTOM], radius, cell.y);
        /* the node, from the middle: far from 0 the sum of both would be rounded more than their distances */
        const real px = radius * nodes[node % NODES], py = radius * nodes[node / NODES];
        __global const real *const level_laws = laws + (ulong)cell.z * OFFSETS * CHANNELS * CELL_NODES * CELL_NODES;
        __global real *const to = incoming + (ulong)c * CHANNELS * CELL_NODES + node;
        struct action a;
        uint n;
        a.x = R(0.0);
        a.y = R(0.0);
        a.potential = R(0.0);
        for (n = 0; n < NEAR && cell.w != NO_CELL; n++) {
            uint other, child, child_end;
            uint4 links;
            if (!is_first(near + NEAR * cell.w, n))
                continue;
            other = near[NEAR * cell.w + n];
            links = cells[2 * other + 1];
            child_end = links.x + popcount(links.y);
            if (links.y == 0) {
                if (!touches_smaller(cells[2 * other], cell)) {
                    const uint4 range = ranges[other];
                    ulong s;
                    for (s = range.x; s < range.y; s++) {
                        real dx = mx - sources[2 * s] + px, dy = my - sources[2 * s + 1] + py;
#if FINE
                        dx -= fine[2 * s];
                        dy -= fine[2 * s + 1];
#endif
                        a = add_charge(a, dx, dy, charges[s], law);
                    }
                }
                continue;
            }
            for (child = links.x; child < child_end; child++)
                if (!touches_smaller(cells[2 * child], cell))
                    a = add_cell(a, level_laws, moments + (ulong)child * CELL_NODES, cell, cells[2 * child], node);
        }
        to[0] = a.x;
        to[CELL_NODES] = a.y;
#if POTENTIAL
        to[2 * CELL_NODES] = a.potential;
#endif
    }
}

/* Adds the incoming values of their parents to the cells of a level, a work-item for a node. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_down(__global const real *nodes, __global const uint4 *cells, __global const uint *counts,
              __global real *incoming, uint level, uint room)
{
    const struct span span = cells_of_level(counts, level, room);
    const ulong end = (ulong)span.end * CELL_NODES;
    ulong item;
    for (item = (ulong)span.begin * CELL_NODES + get_global_id(0); item < end; item += get_global_size(0)) {
        const uint c = (uint)(item / CELL_NODES), node = (uint)(item % CELL_NODES);
        const uint4 cell = cells[2 * c];
        const uint q = quadrant_of(cell);
        __global const real *const from = incoming + (ulong)cell.w * CHANNELS * CELL_NODES;
        __global real *const to = incoming + (ulong)c * CHANNELS * CELL_NODES + node;
        real sum[CHANNELS];
        uint above, channel;
        for (channel = 0; channel < CHANNELS; channel++)
            sum[channel] = to[channel * CELL_NODES];
        for (above = 0; above < CELL_NODES; above++) {
            const real weight = shift_weight(nodes, q, node, above);
            for (channel = 0; channel < CHANNELS; channel++)
                sum[channel] = mad(weight, from[channel * CELL_NODES + above], sum[channel]);
        }
        for (channel = 0; channel < CHANNELS; channel++)
            to[channel * CELL_NODES] = sum[channel];
    }
}
