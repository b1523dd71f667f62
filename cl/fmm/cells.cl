/* Terms of cells. Moments stand for the charges in the cell: the moment (k, l) is the sum of charge T_k(x) T_l(y).
 * Incoming values are the terms of field and potential of far charges. */
#ifndef WG
#define WG 64
#endif

#include "fmm/nodes.clh"
#include "lib/group.clh"

/* Offsets of cells of a level that act on each other by their terms, up to turning and mirroring: (2, 0) (2, 1) (2, 2)
 * (3, 0) (3, 1) (3, 2) (3, 3). */
#define OFFSETS 7
/* All offsets dx, dy of -3 to 3, at 7 (dy + 3) + dx + 3; those of cells that touch are not used. */
#define IMAGES 49
/* No cells of levels 0 and 1 are far from each other. */
#define FIRST_LEVEL 2
#define FAR_LEVELS (DEPTH + 1 - FIRST_LEVEL)

/* An item computes a block of the incoming terms of a cell, whose sums it keeps in registers. */
#define BLOCKS ((TERMS + 23) / 24)
#define BLOCK_UNIT (SIMD > 4 ? SIMD : 4)
#define BLOCK (((TERMS + BLOCKS - 1) / BLOCKS + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT)
/* reals of a row of a table of laws: those beyond TERMS are 0 */
#define PADDED (BLOCKS * BLOCK)

/* The law's tables and moments are loaded as vectors, which a CPU also adds. SUMS of the type `block_sum` are
 * a block. */
#if SIMD > 1 /* on CPUs alone */
#define LANES SIMD
#if REAL == 64
typedef double8 lanes;
#else
typedef float8 lanes;
#endif
typedef lanes block_sum;
#define SUMS (BLOCK / LANES)
#else
#if REAL == 64
#define LANES 2
typedef double2 lanes;
#else
#define LANES 4
typedef float4 lanes;
#endif
typedef real block_sum;
#define SUMS BLOCK
#endif

/* Values at the nodes of a cell, and their terms along x: along[channel][j][k]. */
#define VALUES (CHANNELS * CELL_NODES)

static INLINE void set_along(local const real *value, local real *along, __global const real *nodes)
{
    uint item, i;
    for (item = (uint)get_local_id(0); item < VALUES; item += WG) {
        const uint row = item / NODES * NODES;
        __global const real *const factor = nodes + NODES_FACTOR + item % NODES * NODES;
        real sum = R(0.0);
        for (i = 0; i < NODES; i++)
            sum = mad(factor[i], value[row + i], sum);
        along[item] = sum;
    }
}

static INLINE real term_at(local const real *along, __global const real *nodes, uint channel, struct term term)
{
    __global const real *const factor = nodes + NODES_FACTOR + term.l * NODES;
    real sum = R(0.0);
    uint j;
    for (j = 0; j < NODES; j++)
        sum = mad(factor[j], along[channel * CELL_NODES + j * NODES + term.k], sum);
    return sum;
}

static INLINE void store_value(local real *value, uint node, struct action a)
{
    value[node] = a.x;
    value[CELL_NODES + node] = a.y;
#if POTENTIAL
    value[2 * CELL_NODES + node] = a.potential;
#endif
}

static INLINE struct law law_of(real softening2, real strength, real repulsion)
{
    struct law law;
    law.softening2 = softening2;
    law.strength = strength;
    law.repulsion = repulsion;
    return law;
}

/* Writes rows[level - FIRST_LEVEL][offset][target node][channel][source term]: the action of terms on nodes. A group
 * for a target node. Levels without cells are left out. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_law_rows(__global const real *nodes, __global const real *square, __global const uint *counts,
                  __global real *rows, real softening2, real strength, real repulsion, uint room)
{
    __local real value[VALUES], along[VALUES];
    const uint lid = (uint)get_local_id(0);
    const struct law law = law_of(softening2, strength, repulsion);
    uint group, item;
    for (group = (uint)get_group_id(0); group < FAR_LEVELS * OFFSETS * CELL_NODES; group += (uint)get_num_groups(0)) {
        const uint target = group % CELL_NODES, offset = group / CELL_NODES % OFFSETS;
        const uint level = FIRST_LEVEL + group / (CELL_NODES * OFFSETS);
        const struct span span = cells_of_level(counts, level, room);
        if (span.begin < span.end) {
            const real radius = square[SQUARE_HALF + level], far = offset < 3 ? R(4.0) : R(6.0);
            const real up = R(2.0) * (real)(offset < 3 ? offset : offset - 3);
            for (item = lid; item < CELL_NODES; item += WG)
                store_value(value, item,
                            add_charge(no_action(), radius * (far + nodes[target % NODES] - nodes[item % NODES]),
                                       radius * (up + nodes[target / NODES] - nodes[item / NODES]), R(1.0), law));
            barrier(CLK_LOCAL_MEM_FENCE);
            set_along(value, along, nodes);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (item = lid; item < CHANNELS * TERMS; item += WG)
                rows[(ulong)group * CHANNELS * TERMS + item] =
                    term_at(along, nodes, item / TERMS, term_of(item % TERMS));
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

static inline bool is_odd(uint n)
{
    return n & 1;
}

/* Writes an element of the tables of one offset, large sides to the right and small up, to those of all its images. */
static inline void store_images(__global real *tables, uint large, uint small, struct term source, struct term target,
                                uint channel, uint place, real value)
{
    uint image;
    for (image = 0; image < 8; image++) {
        const bool left = image & 1, down = image & 2, swap = image & 4;
        const int dx = (int)(swap ? small : large), dy = (int)(swap ? large : small);
        const uint sk = swap ? source.l : source.k, sl = swap ? source.k : source.l;
        const uint tk = swap ? target.l : target.k, tl = swap ? target.k : target.l;
        const uint to = channel < 2 && swap ? 1 - channel : channel;
        const bool negative = (left && is_odd(sk + tk + (to == 0))) != (down && is_odd(sl + tl + (to == 1)));
        const uint offset = (uint)(7 * ((down ? -dy : dy) + 3) + (left ? -dx : dx) + 3);
        if ((left && dx == 0) || (down && dy == 0) || (swap && large == small))
            continue;
        tables[(((ulong)offset * TERMS + index_of(sk, sl)) * CHANNELS + to) * PADDED +
               (place < TERMS ? index_of(tk, tl) : place)] = negative ? -value : value;
    }
}

/* Writes laws[level - FIRST_LEVEL][image][source term][channel][target term]: the action of terms on terms. A group for
 * a source term. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_laws(__global const real *nodes, __global const uint *counts, __global const real *rows, __global real *laws,
              uint room)
{
    __local real value[VALUES], along[VALUES];
    const uint lid = (uint)get_local_id(0);
    uint group, item;
    for (group = (uint)get_group_id(0); group < FAR_LEVELS * OFFSETS * TERMS; group += (uint)get_num_groups(0)) {
        const uint source = group % TERMS, table = group / TERMS, offset = table % OFFSETS, level = table / OFFSETS;
        const struct span span = cells_of_level(counts, FIRST_LEVEL + level, room);
        if (span.begin < span.end) {
            for (item = lid; item < VALUES; item += WG)
                value[item] = rows[(((ulong)table * CELL_NODES + item % CELL_NODES) * CHANNELS + item / CELL_NODES) *
                                       TERMS + source];
            barrier(CLK_LOCAL_MEM_FENCE);
            set_along(value, along, nodes);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (item = lid; item < CHANNELS * PADDED; item += WG) {
                const uint place = item % PADDED, channel = item / PADDED;
                const struct term target = term_of(min(place, (uint)TERMS - 1));
                store_images(laws + (ulong)level * IMAGES * TERMS * CHANNELS * PADDED, offset < 3 ? 2 : 3,
                             offset < 3 ? offset : offset - 3, term_of(source), target, channel, place,
                             place < TERMS ? term_at(along, nodes, channel, target) : R(0.0));
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* moments of a work-item, if a group takes those of a cell */
#define ROWS ((MOMENTS + WG - 1) / WG)

/* Moments of the cells without children, a group for a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_moments(__global const real *square, __global const uint4 *cells, __global const uint4 *ranges,
                 __global const uint *counts, __global const uint *leaves, __global const real *sources,
                 __global const real *fine /* or NULL */, __global const real *charges, __global real *moments)
{
    __local real tx[NODES * WG], ty[NODES * WG];
    const uint lid = (uint)get_local_id(0), leaf_count = counts[COUNT_LEAVES];
    uint leaf, first, k, s, row;
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
                real value[NODES], x = sources[2 * at] - mx, y = sources[2 * at + 1] - my;
#if FINE
                x += fine[2 * at];
                y += fine[2 * at + 1];
#endif
                polynomials(x * inverse, value);
                for (k = 0; k < NODES; k++)
                    tx[k * WG + lid] = value[k] * charges[at];
                polynomials(y * inverse, value);
                for (k = 0; k < NODES; k++)
                    ty[k * WG + lid] = value[k];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (row = 0; row < ROWS; row++) {
                const uint index = row * WG + lid;
                if (index < TERMS) {
                    const struct term term = term_of(index);
                    for (s = 0; s < count; s++)
                        sum[row] = mad(tx[term.k * WG + s], ty[term.l * WG + s], sum[row]);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (row = 0; row < ROWS; row++) {
            const uint index = row * WG + lid;
            if (index < MOMENTS)
                moments[(ulong)c * MOMENTS + index] = sum[row];
        }
    }
}

/* Moments of the cells of a level that have children, a work-item for a moment. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_up(__global const real *nodes, __global const uint4 *cells, __global const uint *counts,
            __global real *moments, uint level, uint room)
{
    const struct span span = cells_of_level(counts, level, room);
    const ulong end = (ulong)span.end * MOMENTS;
    ulong item;
    for (item = (ulong)span.begin * MOMENTS + get_global_id(0); item < end; item += get_global_size(0)) {
        const uint c = (uint)(item / MOMENTS), index = (uint)(item % MOMENTS);
        const struct term term = term_of(min(index, (uint)TERMS - 1));
        const uint4 links = cells[2 * c + 1];
        const uint child_end = links.x + popcount(links.y);
        real sum = R(0.0);
        uint child, k, l;
        if (links.y == 0)
            continue;
        for (child = links.x; child < child_end && index < TERMS; child++) {
            const uint q = quadrant_of(cells[2 * child]);
            __global const real *const from = moments + (ulong)child * MOMENTS;
            for (l = 0; l <= term.l; l++) {
                const real factor = shift_factor(nodes, q >> 1, term.l, l);
                for (k = 0; k <= term.k; k++)
                    sum = mad(factor * shift_factor(nodes, q & 1, term.k, k), from[index_of(k, l)], sum);
            }
        }
        moments[item] = sum;
    }
}

/* Sums of a block of terms. */
struct block {
    block_sum x[SUMS], y[SUMS];
#if POTENTIAL
    block_sum potential[SUMS];
#endif
};

/* Adds a row of a table times a moment to sums. */
static INLINE void add_row(block_sum *sum, __global const lanes *row, real moment)
{
    uint t;
#pragma unroll
    for (t = 0; t < BLOCK / LANES; t++) {
        const lanes law = row[t];
#if SIMD > 1
        sum[t] = mad(law, moment, sum[t]);
#else
        sum[LANES * t] = mad(law.x, moment, sum[LANES * t]);
        sum[LANES * t + 1] = mad(law.y, moment, sum[LANES * t + 1]);
#if LANES == 4
        sum[LANES * t + 2] = mad(law.z, moment, sum[LANES * t + 2]);
        sum[LANES * t + 3] = mad(law.w, moment, sum[LANES * t + 3]);
#endif
#endif
    }
}

/* row: of the first channel, at the block */
static INLINE void add_moment(struct block *sum, __global const lanes *row, real moment)
{
    add_row(sum->x, row, moment);
    add_row(sum->y, row + PADDED / LANES, moment);
#if POTENTIAL
    add_row(sum->potential, row + 2 * (PADDED / LANES), moment);
#endif
}

/* Adds the action of a cell by its moments. table: of the offset, at the block. */
#if SIMD > 1
static INLINE void add_cell(struct block *sum, __global const lanes *table, __global const real *moments)
{
    uint s;
    for (s = 0; s < TERMS; s++)
        add_moment(sum, table + s * (CHANNELS * PADDED / LANES), moments[s]);
}
#else
static INLINE void add_cell(struct block *sum, __global const lanes *table, __global const real *values)
{
    __global const lanes *const moments = (__global const lanes *)values;
    const uint row = CHANNELS * PADDED / LANES;
    uint s;
    for (s = 0; s < TERMS; s += LANES) {
        const lanes moment = moments[s / LANES];
        add_moment(sum, table + s * row, moment.x);
        if (s + 1 < TERMS)
            add_moment(sum, table + (s + 1) * row, moment.y);
#if LANES == 4
        if (s + 2 < TERMS)
            add_moment(sum, table + (s + 2) * row, moment.z);
        if (s + 3 < TERMS)
            add_moment(sum, table + (s + 3) * row, moment.w);
#endif
    }
}
#endif

static INLINE void store_block(__global real *incoming, const block_sum *sum, uint first)
{
    const real *const values = (const real *)sum;
    uint t;
#pragma unroll
    for (t = 0; t < BLOCK; t++)
        if (first + t < TERMS)
            incoming[first + t] = values[t];
}

/* Incoming values by far cells of the same level, a work-item for a block of terms of a cell. Neighbouring items take
 * children in the same quadrant of neighbouring cells, so that they read the same table at a time. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_across(__global const uint4 *cells, __global const uint *near, __global const uint *counts,
                __global const lanes *laws, __global const real *moments, __global real *incoming, uint room)
{
    const uint count = cell_count(counts, room);
    const ulong end = (ulong)count * (4 * BLOCKS);
    ulong item;
    for (item = get_global_id(0); item < end; item += get_global_size(0)) {
        const uint parent = (uint)item % count, part = (uint)item / count, q = part / BLOCKS, block = part % BLOCKS;
        const uint4 links = cells[2 * parent + 1];
        const uint level = cells[2 * parent].z + 1;
        __global const lanes *const tables =
            laws + ((ulong)(level - FIRST_LEVEL) * IMAGES * TERMS * CHANNELS * PADDED + block * BLOCK) / LANES;
        __global real *const to =
            incoming + (ulong)(links.x + popcount(links.y & ((1u << q) - 1))) * CHANNELS * TERMS;
        struct block sum;
        uint t, n, s;
        if (!(links.y >> q & 1))
            continue;
#pragma unroll
        for (t = 0; t < SUMS; t++) {
            sum.x[t] = sum.y[t] = R(0.0);
#if POTENTIAL
            sum.potential[t] = R(0.0);
#endif
        }
        for (n = 0; n < NEAR; n++) {
            const uint other = near[NEAR * parent + n];
            const uint bits = other == NO_CELL ? 0 : cells[2 * other + 1].y;
            const uint child = other == NO_CELL ? 0 : cells[2 * other + 1].x;
            for (s = 0; s < 4; s++) {
                const int dx = (int)(q & 1) - (2 * ((int)(n % 3) - 1) + (int)(s & 1));
                const int dy = (int)(q >> 1) - (2 * ((int)(n / 3) - 1) + (int)(s >> 1));
                if ((dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1) || !(bits >> s & 1))
                    continue;
                add_cell(&sum, tables + (ulong)(7 * (dy + 3) + dx + 3) * (TERMS * CHANNELS * PADDED / LANES),
                         moments + (ulong)(child + popcount(bits & ((1u << s) - 1))) * MOMENTS);
            }
        }
        store_block(to, sum.x, block * BLOCK);
        store_block(to + TERMS, sum.y, block * BLOCK);
#if POTENTIAL
        store_block(to + 2 * TERMS, sum.potential, block * BLOCK);
#endif
    }
}

/* Adds incoming values by sources of larger cells, a group for a cell. Those of the root are set to 0. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_inward(__global const real *nodes, __global const real *square, __global const uint4 *cells,
                __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
                __global const real *sources, __global const real *fine /* or NULL */, __global const real *charges,
                __global real *incoming, real softening2, real strength, real repulsion, uint room)
{
    __local real value[VALUES], along[VALUES];
    const uint lid = (uint)get_local_id(0), count = cell_count(counts, room);
    const struct law law = law_of(softening2, strength, repulsion);
    uint c, n, item;
    for (c = (uint)get_group_id(0); c < count; c += (uint)get_num_groups(0)) {
        const uint4 cell = cells[2 * c];
        __global const uint *const around = near + NEAR * (cell.w == NO_CELL ? 0 : cell.w);
        bool any = false;
        if (cell.w == NO_CELL)
            for (item = lid; item < CHANNELS * TERMS; item += WG)
                incoming[item] = R(0.0);
        else if (!has_few(ranges[c], cells[2 * c + 1].y))
            for (n = 0; n < NEAR; n++)
                any = any || acts_by_sources(cells, around, n, cell);
        if (any) {
            const real radius = square[SQUARE_HALF + cell.z];
            const real mx = middle(square[SQUARE_LEFT], radius, cell.x),
                       my = middle(square[SQUARE_BOTTOM], radius, cell.y);
            for (item = lid; item < CELL_NODES; item += WG) {
                /* the node, from the middle: far from 0 the sum of both would be rounded more than their distances */
                const real px = radius * nodes[item % NODES], py = radius * nodes[item / NODES];
                struct action a = no_action();
                for (n = 0; n < NEAR; n++) {
                    const uint4 range = ranges[around[n] == NO_CELL ? 0 : around[n]];
                    ulong s;
                    if (!acts_by_sources(cells, around, n, cell))
                        continue;
                    for (s = range.x; s < range.y; s++) {
                        real dx = mx - sources[2 * s] + px, dy = my - sources[2 * s + 1] + py;
#if FINE
                        dx -= fine[2 * s];
                        dy -= fine[2 * s + 1];
#endif
                        a = add_charge(a, dx, dy, charges[s], law);
                    }
                }
                store_value(value, item, a);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            set_along(value, along, nodes);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (item = lid; item < CHANNELS * TERMS; item += WG)
                incoming[(ulong)c * CHANNELS * TERMS + item] +=
                    term_at(along, nodes, item / TERMS, term_of(item % TERMS));
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* Adds the incoming values of their parents to the cells of a level, a work-item for a term. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_down(__global const real *nodes, __global const uint4 *cells, __global const uint *counts,
              __global real *incoming, uint level, uint room)
{
    const struct span span = cells_of_level(counts, level, room);
    const ulong end = (ulong)span.end * TERMS;
    ulong item;
    for (item = (ulong)span.begin * TERMS + get_global_id(0); item < end; item += get_global_size(0)) {
        const uint c = (uint)(item / TERMS), index = (uint)(item % TERMS);
        const struct term term = term_of(index);
        const uint4 cell = cells[2 * c];
        const uint q = quadrant_of(cell);
        __global const real *const from = incoming + (ulong)cell.w * CHANNELS * TERMS;
        __global real *const to = incoming + (ulong)c * CHANNELS * TERMS + index;
        real sum[CHANNELS];
        uint k, l, channel;
        for (channel = 0; channel < CHANNELS; channel++)
            sum[channel] = to[channel * TERMS];
        for (l = term.l; l < NODES; l++) {
            const real factor = shift_factor(nodes, q >> 1, l, term.l);
            for (k = term.k; (int)k < ROW((int)l); k++) {
                const real both = factor * shift_factor(nodes, q & 1, k, term.k);
                for (channel = 0; channel < CHANNELS; channel++)
                    sum[channel] = mad(both, from[channel * TERMS + index_of(k, l)], sum[channel]);
            }
        }
        for (channel = 0; channel < CHANNELS; channel++)
            to[channel * TERMS] = sum[channel];
    }
}
