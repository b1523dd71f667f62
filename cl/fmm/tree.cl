/* The tree of cells: points are sorted by the keys of their places, and cells are ranges of sorted points. */
#ifndef WG
#define WG 64
#endif

#include "fmm/tree.clh"
#include "lib/group.clh"

GROUP_REDUCE(group_least, real, fmin)
GROUP_REDUCE(group_most, real, fmax)

/* Writes the bounds of the points that this group takes: least x and y, most x and y. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_bounds(__global const real *points, __global real *bounds, uint n, uint first_bound)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
    real low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    ulong i;
    for (i = get_global_id(0); i < n; i += get_global_size(0)) {
        const real x = points[2 * i], y = points[2 * i + 1];
        low_x = fmin(low_x, x);
        low_y = fmin(low_y, y);
        high_x = fmax(high_x, x);
        high_y = fmax(high_y, y);
    }
    low_x = group_least(low_x, scratch);
    low_y = group_least(low_y, scratch);
    high_x = group_most(high_x, scratch);
    high_y = group_most(high_y, scratch);
    if (lid == 0) {
        __global real *const to = bounds + 4 * (first_bound + group);
        to[0] = low_x;
        to[1] = low_y;
        to[2] = high_x;
        to[3] = high_y;
    }
}

/* Where coordinates low .. high are counted from: 0 if they have both signs, or the whole unit nearest to them that is
 * between 0 and all of them. A coordinate minus the origin is not larger than the coordinate, so it is exact. The lower
 * corner as origin would round small coordinates on both sides of 0. */
static inline real origin_of(real low, real high, real unit)
{
    return trunc(clamp(R(0.0), low, high) / unit) * unit;
}

/* The root's square holds all points. Its side is at most 64 units, a unit a power of two and the lower left corner at
 * whole units, at most 64 from the origin. So a middle of a cell, counted from the origin, is a multiple of 2^-17 units
 * with at most 24 bits, and exact. A coordinate has at most 2^17 units, so that the origin is exact, too. The loops are
 * bounded for numbers that are not finite. */
static inline void set_square(real low_x, real low_y, real high_x, real high_y, __global real *square)
{
    const real extent = fmax(high_x - low_x, high_y - low_y);
    const real far = fmax(fmax(fabs(low_x), fabs(low_y)), fmax(fabs(high_x), fabs(high_y)));
    real unit = R(1.0), side, origin_x, origin_y;
    uint turn, level;
    for (turn = 0; turn < 2000 && (R(62.0) * unit < extent || unit * R(131072.0) < far); turn++)
        unit *= R(2.0);
    for (turn = 0; turn < 100 && R(31.0) * unit >= extent && unit * R(65536.0) >= far; turn++)
        unit *= R(0.5);
    side = (floor(extent / unit) + R(2.0)) * unit;
    origin_x = origin_of(low_x, high_x, unit);
    origin_y = origin_of(low_y, high_y, unit);
    square[SQUARE_ORIGIN_X] = origin_x;
    square[SQUARE_ORIGIN_Y] = origin_y;
    square[SQUARE_LEFT] = floor(low_x / unit) * unit - origin_x;
    square[SQUARE_BOTTOM] = floor(low_y / unit) * unit - origin_y;
    square[SQUARE_SCALE] = (real)(1 << DEPTH) / side;
    for (level = 0; level <= DEPTH; level++) {
        side *= R(0.5);
        square[SQUARE_HALF + level] = side;
    }
}

/* Makes the root from the bounds of all groups. One group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_root(__global const real *bounds, __global real *square, __global uint4 *cells, __global uint4 *ranges,
              __global uint *counts, uint bound_count, uint source_count, uint target_count)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0);
    real low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    uint i;
    for (i = lid; i < bound_count; i += WG) {
        low_x = fmin(low_x, bounds[4 * i]);
        low_y = fmin(low_y, bounds[4 * i + 1]);
        high_x = fmax(high_x, bounds[4 * i + 2]);
        high_y = fmax(high_y, bounds[4 * i + 3]);
    }
    low_x = group_least(low_x, scratch);
    low_y = group_least(low_y, scratch);
    high_x = group_most(high_x, scratch);
    high_y = group_most(high_y, scratch);
    for (i = lid; i < COUNTS; i += WG)
        counts[i] = i == 0 ? 1 : 0;
    if (lid == 0) {
        uint4 word;
        set_square(low_x, low_y, high_x, high_y, square);
        word.x = 0;
        word.y = 0;
        word.z = 0;
        word.w = NO_CELL;
        cells[0] = word;
        word.z = NO_CELL;
        word.w = 0;
        cells[1] = word;
        word.y = source_count;
        word.z = 0;
        word.w = target_count;
        ranges[0] = word;
    }
}

/* Spreads the 16 low bits to the even places. */
static inline uint spread(uint v)
{
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

static inline uint place_of(real offset, real scale)
{
    return convert_uint(clamp(offset * scale, R(0.0), (real)((1 << DEPTH) - 1))) & ((1u << DEPTH) - 1);
}

/* Writes the keys of points: the bits of their places at the finest level. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_keys(__global const real *points, __global const real *square, __global uint *keys, __global uint *order,
              uint n)
{
    const uint i = (uint)get_global_id(0);
    real x, y;
    if (i >= n)
        return;
    x = points[2 * (ulong)i] - square[SQUARE_ORIGIN_X];
    y = points[2 * (ulong)i + 1] - square[SQUARE_ORIGIN_Y];
    keys[i] = spread(place_of(x - square[SQUARE_LEFT], square[SQUARE_SCALE])) |
              spread(place_of(y - square[SQUARE_BOTTOM], square[SQUARE_SCALE])) << 1;
    order[i] = i;
}

/* Copies points, counted from the origin, and their charges and fine parts where there are any, to the order of the
 * keys. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_sorted(__global const real *points, __global const real *charges /* or NULL */,
                __global const real *fine /* or NULL */, __global const real *square, __global const uint *order,
                __global real *sorted, __global real *sorted_charges /* or NULL */,
                __global real *sorted_fine /* or NULL */, uint n)
{
    const uint i = (uint)get_global_id(0);
    ulong from;
    if (i >= n)
        return;
    from = order[i];
    sorted[2 * (ulong)i] = points[2 * from] - square[SQUARE_ORIGIN_X];
    sorted[2 * (ulong)i + 1] = points[2 * from + 1] - square[SQUARE_ORIGIN_Y];
    if (sorted_charges)
        sorted_charges[i] = charges ? charges[from] : R(1.0);
    if (sorted_fine) {
        sorted_fine[2 * (ulong)i] = fine[2 * from];
        sorted_fine[2 * (ulong)i + 1] = fine[2 * from + 1];
    }
}

/* The cell that is at the place x, y in the list of near cells of a cell, from the list of its parent. Outside of the root
 * the parent has no near cells. No branch, so that the loads of all places go on together. */
static inline uint near_at(__global const uint4 *cells, __global const uint *near, uint parent_cell, uint4 parent, int x,
                           int y)
{
    const uint above =
        near[NEAR * parent_cell + (uint)(3 * ((y >> 1) - (int)parent.y + 1) + (x >> 1) - (int)parent.x + 1)];
    const uint4 links = cells[2 * (above == NO_CELL ? 0 : above) + 1];
    const uint bit = 1u << (2 * (y & 1) + (x & 1));
    const uint child = links.y & bit ? links.x + popcount(links.y & (bit - 1)) : NO_CELL;
    return above == NO_CELL || links.y == 0 ? above : child;
}

/* Moves begin and end to the quarter, of the points begin .. end - 1, that the first key of at least `key` begins or
 * follows. last: the last point of the cell. No branch, so that the loads of several searches go on together. */
static inline void narrow(__global const uint *keys, uint *begin, uint *end, ulong key, uint last)
{
    const uint first = *begin, length = *end - first, quarter = length / 4;
    const uint low = first + quarter, centre = first + length / 2, high = *end - 1 - quarter;
    const bool is_above_low = keys[min(low, last)] < key, is_above_centre = keys[min(centre, last)] < key,
               is_above_high = keys[min(high, last)] < key;
    const uint from = is_above_high ? high + 1 : is_above_centre ? centre + 1 : is_above_low ? low + 1 : first;
    const uint to = !is_above_low ? low : !is_above_centre ? centre : !is_above_high ? high : *end;
    *begin = length == 0 ? first : from;
    *end = length == 0 ? first : to;
}

/* Bounds of the four quarters of a range of points: from[0] .. from[4]. The three searches advance together, and look at
 * three keys in each turn: a GPU waits long for a key, and as long for nine. */
static inline void quarters(__global const uint *keys, uint begin, uint end, ulong key, uint bits, uint *from)
{
    uint least[3] = {begin, begin, begin}, most[3] = {end, end, end}, q;
    while (least[0] < most[0] || least[1] < most[1] || least[2] < most[2])
#pragma unroll
        for (q = 0; q < 3; q++)
            narrow(keys, &least[q], &most[q], key + ((ulong)(q + 1) << bits), end - 1);
    from[0] = begin;
    for (q = 0; q < 3; q++)
        from[q + 1] = least[q];
    from[4] = end;
}

/* Finds the near cells of each cell of a level, and divides cells with more than `points` sources or targets. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_divide(__global const uint *source_keys, __global const uint *target_keys, __global uint4 *cells,
                __global uint4 *ranges, __global uint *near, __global uint *counts, uint level, uint points, uint room)
{
    const struct span span = cells_of_level(counts, level, room);
    ulong item;
    for (item = span.begin + get_global_id(0); item < span.end; item += get_global_size(0)) {
        const uint c = (uint)item;
        const uint4 cell = cells[2 * c], range = ranges[c];
        const uint parent = level == 0 ? 0 : cell.w;
        const uint4 above = cells[2 * parent];
        const uint bits = 2 * (DEPTH - 1 - level);
        const ulong key = (ulong)(spread(cell.x) | spread(cell.y) << 1) << (bits + 2);
        const bool same = source_keys == target_keys;
        uint sources[5], targets[5], n, bit, q, child, count;
        uint around[NEAR];
        uint4 links, word;
#pragma unroll
        for (n = 0; n < NEAR; n++)
            around[n] = level == 0 ? n == 4 ? c : NO_CELL
                                   : near_at(cells, near, parent, above, (int)(cell.x + n % 3) - 1,
                                             (int)(cell.y + n / 3) - 1);
        for (n = 0; n < NEAR; n++)
            near[NEAR * c + n] = around[n];
        if (level == DEPTH || (range.y - range.x <= points && range.w - range.z <= points))
            continue;
        quarters(source_keys, range.x, range.y, key, bits, sources);
        if (same)
            for (q = 0; q < 5; q++)
                targets[q] = sources[q];
        else
            quarters(target_keys, range.z, range.w, key, bits, targets);
        bit = 0;
        for (q = 0; q < 4; q++)
            if (sources[q + 1] > sources[q] || targets[q + 1] > targets[q])
                bit |= 1u << q;
        count = popcount(bit);
        child = span.end + atomic_add(&counts[level + 1], count);
        links = cells[2 * c + 1];
        links.x = child;
        links.y = bit;
        cells[2 * c + 1] = links;
        if (child + count > room)
            continue;
        for (q = 0; q < 4; q++) {
            if (!(bit >> q & 1))
                continue;
            count--;
            word.x = 2 * cell.x + (q & 1);
            word.y = 2 * cell.y + (q >> 1);
            word.z = level + 1;
            word.w = c;
            cells[2 * child] = word;
            word.x = 0;
            word.y = 0;
            word.z = count ? child + 1 : links.z;
            word.w = 0;
            cells[2 * child + 1] = word;
            word.x = sources[q];
            word.y = sources[q + 1];
            word.z = targets[q];
            word.w = targets[q + 1];
            ranges[child] = word;
            child++;
        }
    }
}

/* Lists the cells without children, and units of work: a cell and the first of up to `unit` of its targets. Cells whose
 * children have no room lose them. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void fmm_leaves(__global uint4 *cells, __global const uint4 *ranges, __global uint *counts, __global uint *leaves,
                __global uint2 *units, uint unit, uint room)
{
    const uint cell_end = cell_count(counts, room);
    ulong item;
    for (item = get_global_id(0); item < cell_end; item += get_global_size(0)) {
        const uint c = (uint)item;
        const uint4 range = ranges[c];
        uint4 links = cells[2 * c + 1];
        uint2 word;
        uint to;
        if (links.y != 0 && links.x >= cell_end) {
            links.y = 0;
            cells[2 * c + 1] = links;
        }
        if (links.y != 0)
            continue;
        leaves[atomic_inc(&counts[COUNT_LEAVES])] = c;
        to = atomic_add(&counts[COUNT_UNITS], (range.w - range.z + unit - 1) / unit);
        word.x = c;
        for (word.y = range.z; word.y < range.w; word.y += unit)
            units[to++] = word;
    }
}
