/* Terms of cells. Moments stand for the charges in the cell: the moment (k, l) is the sum of charge T_k(x) T_l(y).
 * Incoming values are the terms of field and potential of far charges. */
#ifndef WG
#define WG 64
#endif

#include "fmm/across.clh"

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

/* 1: few terms on a GPU: loops over terms have a constant length, so that all loads go on together. What they add to the
 * sums beyond the terms of a shift has a factor of 0. */
#define WHOLE_LOOPS (SIMD == 1 && TERMS <= 36)
/* The first k or l of the parent's terms that a term of a child gets something from, and one past the last that gives
 * something to a term of the parent. */
#define FIRST_OF(term) (WHOLE_LOOPS ? 0u : (term))
#define END_OF(term)   (WHOLE_LOOPS ? (uint)NODES : (term) + 1u)

/* CUDA: kernels of many short steps, whose groups wait for one load after the other, are to have so many groups on a
 * multiprocessor: with few terms in single precision they need 48 registers, but would take 90. */
#define MANY_GROUPS (WHOLE_LOOPS && REAL == 32 ? 20 : 1)

#if WHOLE_LOOPS
#define ALL_TOGETHER _Pragma("unroll")
#else
#define ALL_TOGETHER
#endif
/* Adds to `sum`, a moment of a cell, what it gets from the moments `from` of its child in a quadrant. A macro, since these
 * are in global or in local memory. */
#define ADD_CHILD(sum, from, nodes, quadrant, term)                                                          \
    {                                                                                                        \
        uint k, l;                                                                                           \
        ALL_TOGETHER                                                                                         \
        for (l = 0; l < END_OF((term).l); l++) {                                                             \
            const real factor = shift_factor(nodes, (quadrant) >> 1, (term).l, l);                           \
            ALL_TOGETHER                                                                                     \
            for (k = 0; k < min(END_OF((term).k), (uint)ROW((int)l)); k++)                                   \
                sum = mad(factor * shift_factor(nodes, (quadrant) & 1, (term).k, k), (from)[index_of(k, l)], sum); \
        }                                                                                                    \
    }

/* 1: fmm_moments also makes the moments of the cells above, in place of launches of fmm_up. A group that has made those of
 * the last child of a cell goes on with this cell, so that no group waits for another. The moments of the other children
 * come from other groups: fences and volatile loads must make them seen, as they do with CUDA. */
#ifndef CLIMBS
#define CLIMBS 0
#endif

#if CLIMBS
/* Whether the group, which has stored the moments of a child of a cell, is the last to come there. Above level 2 there is
 * nothing to do: those cells act on no other by their nodes. came: local memory. */
static INLINE uint comes_last(__global uint4 *cells, uint cell, local uint *came)
{
    uint last;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *came = cell != NO_CELL && cells[2 * cell].z >= 2 &&
                atomic_inc((__global uint *)(cells + 2 * cell + 1) + 3) + 1 == popcount(cells[2 * cell + 1].y);
    barrier(CLK_LOCAL_MEM_FENCE);
    last = *came;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return last;
}

/* Makes the moments of the cells above cell c of which this group is the last to come there. below: [4][MOMENTS]. */
static INLINE void climb(__global const real *nodes, __global uint4 *cells, __global real *moments, uint c,
                         local real *below, local uint *came)
{
    const uint lid = (uint)get_local_id(0);
    uint cell = cells[2 * c].w, goes_on = comes_last(cells, cell, came);
    while (goes_on) {
        const uint4 links = cells[2 * cell + 1];
        uint item, q;
        for (item = lid; item < popcount(links.y) * MOMENTS; item += WG)
            below[item] = ((volatile __global const real *)moments)[(ulong)links.x * MOMENTS + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (item = lid; item < MOMENTS; item += WG) {
            const struct term term = term_of(min(item, (uint)TERMS - 1));
            real sum = R(0.0);
#pragma unroll 1
            for (q = 0; q < 4; q++)
                if ((links.y >> q & 1) && item < TERMS) {
                    local const real *const from = below + popcount(links.y & ((1u << q) - 1)) * MOMENTS;
                    ADD_CHILD(sum, from, nodes, q, term)
                }
            moments[(ulong)cell * MOMENTS + item] = sum;
        }
        cell = cells[2 * cell].w;
        goes_on = comes_last(cells, cell, came);
    }
}
#endif

/* moments of a work-item, if a group takes those of a cell */
#define ROWS ((MOMENTS + WG - 1) / WG)
/* distance of the values of two polynomials in local memory: odd, so that items read different banks */
#define ALONG_STRIDE (WG + 1)

#undef MIN_GROUPS
#define MIN_GROUPS (CLIMBS ? MANY_GROUPS : 1)
/* Moments of the cells without children, a group for a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_moments(__global const real *nodes, __global const real *square, __global uint4 *cells,
                 __global const uint4 *ranges, __global const uint *counts, __global const uint *leaves, __global const real *sources,
                 __global const real *fine /* or NULL */, __global const real *charges, __global real *moments)
{
    __local real tx[NODES * ALONG_STRIDE], ty[NODES * ALONG_STRIDE];
#if CLIMBS
    __local real below[4 * MOMENTS];
    __local uint came;
#endif
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
                    tx[k * ALONG_STRIDE + lid] = value[k] * charges[at];
                polynomials(y * inverse, value);
                for (k = 0; k < NODES; k++)
                    ty[k * ALONG_STRIDE + lid] = value[k];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (row = 0; row < ROWS; row++) {
                const uint index = row * WG + lid;
                if (index < TERMS) {
                    const struct term term = term_of(index);
#pragma unroll 4
                    for (s = 0; s < count; s++)
                        sum[row] = mad(tx[term.k * ALONG_STRIDE + s], ty[term.l * ALONG_STRIDE + s], sum[row]);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (row = 0; row < ROWS; row++) {
            const uint index = row * WG + lid;
            if (index < MOMENTS)
                moments[(ulong)c * MOMENTS + index] = sum[row];
        }
#if CLIMBS
        climb(nodes, cells, moments, c, below, &came);
#endif
    }
}

#undef MIN_GROUPS
#define MIN_GROUPS 1

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
        real sum = R(0.0);
        uint q;
        if (links.y == 0)
            continue;
        ALL_TOGETHER
        for (q = 0; q < 4; q++) {
            __global const real *const from =
                moments + (ulong)(links.x + popcount(links.y & ((1u << q) - 1))) * MOMENTS;
            if (!(links.y >> q & 1) || index >= TERMS)
                continue;
            ADD_CHILD(sum, from, nodes, q, term)
        }
        moments[item] = sum;
    }
}

#if SIMD > 1
#include "fmm/across_lanes.clh"
#else
#include "fmm/across_tile.clh"
#endif

/* Incoming values by far cells of the same level. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_across(__global const uint4 *cells, __global const uint *near, __global const uint *counts,
                __global const lanes *laws, __global const real *moments, __global real *incoming, uint room)
{
#if SIMD > 1
    add_across(cells, near, counts, laws, moments, incoming, room);
#else
    __local lanes rows[TILE_TERMS * ROW_VECTORS];
    __local real columns[TILE_TERMS * TERM_STRIDE];
    __local uint far[TILE_CELLS];
    add_across(cells, near, counts, laws, moments, incoming, room, rows, columns, far);
#endif
}

/* Whether sources of larger cells act on the nodes of a cell. No branch, so that all loads go on together. */
static INLINE bool has_inward(__global const uint4 *cells, __global const uint4 *ranges, __global const uint *near, uint c)
{
    const uint4 cell = cells[2 * c];
    const bool has_parent = cell.w != NO_CELL;
    bool any = false;
    uint n;
#pragma unroll
    for (n = 0; n < NEAR; n++) {
        const uint other = near[NEAR * (has_parent ? cell.w : 0) + n];
        const bool acts = is_larger_far(cells, other == NO_CELL ? 0 : other, cell);
        any |= other != NO_CELL && acts;
    }
    return any && has_parent && !has_few(ranges[c], cells[2 * c + 1].y);
}

/* Cells of a block: few, since one group takes all cells of a block, and neighbouring cells have such sources together.
 * Fewer where cells are few for a GPU: 850 groups took the 13,600 cells of 262,144 points, one cell after the other, in
 * 28 us on an H200. */
#define MOST_INWARD  (SIMD > 1 || ACROSS > 1 ? 16 : 4)
#define INWARD_BLOCK (WG < MOST_INWARD ? WG : MOST_INWARD)

/* A cell whose nodes sources act on, and the larger cells of these sources. */
struct inward {
    real radius, mx, my;
    uint4 cell;
    __global const uint *near; /* of the parent */
};

/* Writes the ranges of the sources that act: ends[2 n] .. ends[2 n + 1] - 1 of the n-th near cell of the parent. */
static INLINE void list_sources(const struct inward *own, __global const uint4 *cells, __global const uint4 *ranges,
                                local uint *ends)
{
    uint n;
    for (n = (uint)get_local_id(0); n < NEAR; n += WG) {
        const bool acts = acts_by_sources(cells, own->near, n, own->cell);
        ends[2 * n] = acts ? ranges[own->near[n]].x : 0;
        ends[2 * n + 1] = acts ? ranges[own->near[n]].y : 0;
    }
}

/* Sources that are in local memory at a time: the offset of the cell's middle, what rounding has left out, and the charge. */
#define INWARD_WORDS (3 + 2 * FINE)

/* Adds the action of the sources begin .. end - 1 on the work-item's node of the cell, which is px, py from its middle. */
static INLINE struct action add_inward(struct action a, const struct inward *own, real px, real py, uint begin, uint end,
                                       __global const real *sources, __global const real *fine,
                                       __global const real *charges, local real *staged, struct law law)
{
    const uint lid = (uint)get_local_id(0);
    uint first, s;
    for (first = begin; first < end; first += WG) {
        const uint count = min((uint)WG, end - first);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < count) {
            const ulong at = first + lid;
            staged[INWARD_WORDS * lid] = own->mx - sources[2 * at];
            staged[INWARD_WORDS * lid + 1] = own->my - sources[2 * at + 1];
            staged[INWARD_WORDS * lid + 2] = charges[at];
#if FINE
            staged[INWARD_WORDS * lid + 3] = fine[2 * at];
            staged[INWARD_WORDS * lid + 4] = fine[2 * at + 1];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (s = 0; s < count; s++) {
            local const real *const source = staged + INWARD_WORDS * s;
            real dx = source[0] + px, dy = source[1] + py;
#if FINE
            dx -= source[3];
            dy -= source[4];
#endif
            a = add_charge(a, dx, dy, source[2], law);
        }
    }
    return a;
}

/* Adds incoming values by sources of larger cells. A group looks at a block of cells, an item for a cell, and takes
 * those that have such values one by one. The incoming values of the root are set to 0. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_inward(__global const real *nodes, __global const real *square, __global const uint4 *cells,
                __global const uint4 *ranges, __global const uint *near, __global const uint *counts,
                __global const real *sources, __global const real *fine /* or NULL */, __global const real *charges,
                __global real *incoming, real softening2, real strength, real repulsion, uint room)
{
    __local real value[VALUES], along[VALUES], staged[INWARD_WORDS * WG];
    __local uint acts[INWARD_BLOCK], ends[2 * NEAR];
    const uint lid = (uint)get_local_id(0), count = cell_count(counts, room);
    const struct law law = law_of(softening2, strength, repulsion);
    uint first, i, n, item;
    if (get_group_id(0) == 0)
        for (item = lid; item < CHANNELS * TERMS; item += WG)
            incoming[item] = R(0.0);
    for (first = (uint)get_group_id(0) * INWARD_BLOCK; first < count; first += (uint)get_num_groups(0) * INWARD_BLOCK) {
        if (lid < INWARD_BLOCK)
            acts[lid] = first + lid < count && has_inward(cells, ranges, near, first + lid);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i = 0; i < INWARD_BLOCK; i++) {
            const uint c = first + i;
            struct inward own;
            if (!acts[i])
                continue;
            own.cell = cells[2 * c];
            own.near = near + NEAR * own.cell.w;
            own.radius = square[SQUARE_HALF + own.cell.z];
            own.mx = middle(square[SQUARE_LEFT], own.radius, own.cell.x);
            own.my = middle(square[SQUARE_BOTTOM], own.radius, own.cell.y);
            list_sources(&own, cells, ranges, ends);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (item = 0; item < CELL_NODES; item += WG) {
                /* the node, from the middle: far from 0 the sum of both would be rounded more than their distances */
                const uint node = min(item + lid, (uint)CELL_NODES - 1);
                const real px = own.radius * nodes[node % NODES], py = own.radius * nodes[node / NODES];
                struct action a = no_action();
                for (n = 0; n < NEAR; n++)
                    a = add_inward(a, &own, px, py, ends[2 * n], ends[2 * n + 1], sources, fine, charges, staged, law);
                if (item + lid < CELL_NODES)
                    store_value(value, node, a);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            set_along(value, along, nodes);
            barrier(CLK_LOCAL_MEM_FENCE);
            for (item = lid; item < CHANNELS * TERMS; item += WG)
                incoming[(ulong)c * CHANNELS * TERMS + item] +=
                    term_at(along, nodes, item / TERMS, term_of(item % TERMS));
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
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
#if WHOLE_LOOPS
#pragma unroll
#endif
        for (l = FIRST_OF(term.l); l < NODES; l++) {
            const real factor = shift_factor(nodes, q >> 1, l, term.l);
#if WHOLE_LOOPS
#pragma unroll
#endif
            for (k = FIRST_OF(term.k); (int)k < ROW((int)l); k++) {
                const real both = factor * shift_factor(nodes, q & 1, k, term.k);
                for (channel = 0; channel < CHANNELS; channel++)
                    sum[channel] = mad(both, from[channel * TERMS + index_of(k, l)], sum[channel]);
            }
        }
        for (channel = 0; channel < CHANNELS; channel++)
            to[channel * TERMS] = sum[channel];
    }
}

/* What a cell gets from the incoming values `from` of its parent, added to its own value `sum` of a channel's term. */
static INLINE real inherited(real sum, local const real *from, __global const real *nodes, uint quadrant, struct term term)
{
    uint k, l;
#if WHOLE_LOOPS
#pragma unroll
#endif
    for (l = FIRST_OF(term.l); l < NODES; l++) {
        const real factor = shift_factor(nodes, quadrant >> 1, l, term.l);
#if WHOLE_LOOPS
#pragma unroll
#endif
        for (k = FIRST_OF(term.k); (int)k < ROW((int)l); k++)
            sum = mad(factor * shift_factor(nodes, quadrant & 1, k, term.k), from[index_of(k, l)], sum);
    }
    return sum;
}

/* incoming values of a cell */
#define INCOMING (CHANNELS * TERMS)

/* Adds to the incoming values of the children `leaves` of cell c those of the cells above, c included, whose own are in
 * `incoming`. values: two arrays of a cell's, used in turn. path: the cells from c up to level 2. */
static INLINE void go_down(uint c, uint leaves, __global const uint4 *cells, __global const real *nodes,
                           __global real *incoming, local real *values, local uint *path)
{
    const uint lid = (uint)get_local_id(0), level = cells[2 * c].z;
    const uint4 links = cells[2 * c + 1];
    uint item, at, turn = 0;
    if (lid == 0)
        for (at = level, path[level] = c; at > 2; at--)
            path[at - 1] = cells[2 * path[at]].w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (item = lid; item < INCOMING; item += WG)
        values[item] = incoming[(ulong)path[2] * INCOMING + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (at = 3; at <= level + 1; at++) {
        const bool is_end = at > level;
        const uint first = is_end ? links.x : path[at], count = is_end ? popcount(links.y) : 1u;
        for (item = lid; item < count * INCOMING; item += WG) {
            const uint cell = first + item / INCOMING, value = item % INCOMING;
            const real sum = inherited(incoming[(ulong)cell * INCOMING + value],
                                       values + turn * INCOMING + value / TERMS * TERMS, nodes,
                                       quadrant_of(cells[2 * cell]), term_of(value % TERMS));
            if (!is_end)
                values[(turn ^ 1) * INCOMING + value] = sum;
            else if (leaves >> item / INCOMING & 1)
                incoming[(ulong)cell * INCOMING + value] = sum;
        }
        turn ^= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#undef MIN_GROUPS
#define MIN_GROUPS MANY_GROUPS
/* Adds to the incoming values of the cells without children those of the cells above them, in one launch in place of
 * those of fmm_down. A group takes the children of a cell, and computes what that cell gets by itself: the incoming values
 * of cells with children stay as they are, so that no group waits for another. No far cell acts on the cells of levels 0
 * and 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_down_leaves(__global const real *nodes, __global const uint4 *cells, __global const uint *counts,
              __global real *incoming, uint room)
{
    __local real values[2 * INCOMING];
    __local uint path[DEPTH + 1];
    const uint count = cell_count(counts, room);
    uint c, q;
    for (c = (uint)get_group_id(0); c < count; c += (uint)get_num_groups(0)) {
        const uint4 links = cells[2 * c + 1];
        const uint children = popcount(links.y);
        uint leaves = 0;
        for (q = 0; q < children; q++)
            leaves |= (uint)(cells[2 * (links.x + q) + 1].y == 0) << q;
        if (leaves != 0 && cells[2 * c].z >= 2)
            go_down(c, leaves, cells, nodes, incoming, values, path);
    }
}
