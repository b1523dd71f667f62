/* Values of an objective of the shape PER_DIMENSION at many points, by the mappings of the thesis.
 *
 * Points are in tiles: coordinate d of point i is at (i / tile * stride + d) * tile + i % tile in x. One tile of all
 * points is a structure of arrays; tiles of one point are an array of structures. Each kernel writes y[i] = f(x_i -
 * shift) for first <= i < first + count.
 *
 *     eval_thread   a work-item for each point (with ITEMS, several neighbours in vectorisable loops: for CPUs)
 *     eval_lanes    LANES neighbouring work-items for each point; each takes every LANES-th dimension
 *     eval_block    a work-group for each point; each work-item takes every WG-th dimension
 *     eval_mod      32 points for each work-group: work-item row * 32 + lane takes a run of dimensions of point `lane`
 *
 * Which dimensions an accumulator joins changes the result by rounding only: every kind of accumulator commutes. */
#ifndef WG
#define WG 128
#endif
/* Number of neighbouring points of a work-item of eval_thread. The tile, and the index of the work-item's first point,
 * are multiples of ITEMS. */
#ifndef ITEMS
#define ITEMS 1
#endif
/* Number of work-items that share a point in eval_lanes; a power of two. */
#ifndef LANES
#define LANES 8
#endif
/* Number of loads that a work-item keeps in flight. */
#ifndef UNROLL
#define UNROLL 8
#endif
/* Count of numbers for each point in a tile: coordinates and further words; 0: dim. */
#ifndef STRIDE
#define STRIDE 0
#endif
/* 1: the function is evaluated at x - shift; 0: the argument `shift` is not read. */
#ifndef SHIFTED
#define SHIFTED 0
#endif

#include "lib/real.clh"
#include "lib/group.clh"
#include "objective/objective.clh"

#if SHAPE != PER_DIMENSION
#error "this file evaluates objectives whose SHAPE is PER_DIMENSION"
#endif

/* A device may allow only work-groups of less than LANES work-items. */
#if LANES < WG
#define SHARERS LANES
#else
#define SHARERS WG
#endif
#if WG < 32
#define MOD_LANES WG
#else
#define MOD_LANES 32
#endif

/* Returns the index of coordinate 0 of a point. */
static ulong base_of(uint point, uint tile, uint dim)
{
    return (ulong)(point / tile) * (STRIDE ? STRIDE : dim) * tile + point % tile;
}

static real coordinate(__global const real *x, __global const real *shift, ulong at, uint d)
{
    (void)shift;
    (void)d;
#if SHIFTED
    return x[at] - shift[d];
#else
    return x[at];
#endif
}

/* Returns the number of dimensions that have a term. */
static uint term_count(uint dim)
{
#if COUPLED
    return dim - 1u;
#else
    return dim;
#endif
}

/* Returns the joined terms d = begin, begin + step, ... < end of a point. */
static terms strided_terms(__global const real *x, __global const real *shift, ulong base, uint tile, uint begin,
                           uint step, uint end, uint dim)
{
    terms sum = terms_none();
    uint d = begin, u;
    int j;
    real here[UNROLL], next[UNROLL];
    for (j = 0; j < SINGLES; j++) {
        const uint k = single_dimension(j, dim);
        sum.a[TERMS + j] = coordinate(x, shift, base + (ulong)k * tile, k);
    }
    for (; d < end && end - d > (UNROLL - 1u) * step; d += UNROLL * step) {
#pragma unroll
        for (u = 0; u < UNROLL; u++) {
            const uint k = d + u * step;
            here[u] = coordinate(x, shift, base + (ulong)k * tile, k);
#if COUPLED
            next[u] = coordinate(x, shift, base + (ulong)(k + 1u) * tile, k + 1u);
#else
            next[u] = here[u];
#endif
        }
#pragma unroll
        for (u = 0; u < UNROLL; u++)
            sum = terms_add(sum, here[u], next[u], d + u * step, dim);
    }
    for (; d < end; d += step) {
        here[0] = coordinate(x, shift, base + (ulong)d * tile, d);
#if COUPLED
        next[0] = coordinate(x, shift, base + (ulong)(d + 1u) * tile, d + 1u);
#else
        next[0] = here[0];
#endif
        sum = terms_add(sum, here[0], next[0], d, dim);
    }
    return sum;
}

/* Adds the terms of dimensions d .. d + count - 1 of ITEMS neighbouring points. base: index of dimension 0 of the first
 * point. here[0]: with COUPLED, coordinate d on entry, and coordinate d + count on return. */
static INLINE void add_terms(real sums[TERMS + SINGLES][ITEMS], real here[UNROLL + 1][ITEMS], __global const real *x,
                             __global const real *shift, ulong base, uint tile, uint d, uint count, uint dim)
{
    uint u, k;
    int t;
#pragma unroll
    for (u = 0; u < count; u++)
        for (k = 0; k < ITEMS; k++)
            here[u + COUPLED][k] =
                coordinate(x, shift, base + (ulong)(d + u + COUPLED) * tile + k, d + u + COUPLED);
#pragma unroll
    for (u = 0; u < count; u++)
        for (k = 0; k < ITEMS; k++) {
            terms sum;
            for (t = 0; t < TERMS + SINGLES; t++)
                sum.a[t] = sums[t][k];
            sum = terms_add(sum, here[u][k], here[u + COUPLED][k], d + u, dim);
            for (t = 0; t < TERMS; t++)
                sums[t][k] = sum.a[t];
        }
#if COUPLED
    for (k = 0; k < ITEMS; k++)
        here[0][k] = here[count][k];
#endif
}

/* Adds the terms of dimensions begin .. end - 1 of ITEMS neighbouring points. Each coordinate is loaded once, even if
 * two terms need it. */
static INLINE void run_terms(real sums[TERMS + SINGLES][ITEMS], __global const real *x, __global const real *shift, ulong base,
                             uint tile, uint begin, uint end, uint dim)
{
    real here[UNROLL + 1][ITEMS];
    uint d = begin, k;
    int t;
    for (k = 0; k < ITEMS; k++) {
        const terms none = terms_none();
        for (t = 0; t < TERMS; t++)
            sums[t][k] = none.a[t];
    }
    for (t = 0; t < SINGLES; t++) {
        const uint single = single_dimension(t, dim);
        for (k = 0; k < ITEMS; k++)
            sums[TERMS + t][k] = coordinate(x, shift, base + (ulong)single * tile + k, single);
    }
#if COUPLED
    for (k = 0; k < ITEMS && begin < end; k++)
        here[0][k] = coordinate(x, shift, base + (ulong)begin * tile + k, begin);
#endif
    for (; d < end && end - d >= UNROLL; d += UNROLL)
        add_terms(sums, here, x, shift, base, tile, d, UNROLL, dim);
    for (; d < end; d++)
        add_terms(sums, here, x, shift, base, tile, d, 1u, dim);
}

/* Joins the terms of `count` work-items whose numbers are `distance` apart; `count` is a power of two. The work-item
 * with `part` 0 gets the result. part: number of the work-item among these work-items; scratch: [TERMS * WG]. */
static INLINE terms joined(terms sum, uint part, uint count, uint distance, local real *scratch)
{
    const uint lid = (uint)get_local_id(0);
    uint stride;
    int t;
    for (t = 0; t < TERMS; t++)
        scratch[t * WG + lid] = sum.a[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (stride = count / 2u; stride > 0u; stride /= 2u) {
        if (part < stride) {
            terms other;
            for (t = 0; t < TERMS; t++)
                other.a[t] = scratch[t * WG + lid + stride * distance];
            sum = terms_join(sum, other);
            for (t = 0; t < TERMS; t++)
                scratch[t * WG + lid] = sum.a[t];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_thread(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                 __global real *restrict y, uint first, uint count, uint dim, uint tile)
{
    const ulong begin = (ulong)(first / ITEMS) * ITEMS + (ulong)get_global_id(0) * ITEMS;
    real sums[TERMS + SINGLES][ITEMS];
    uint k;
    int t;
    if (begin >= (ulong)first + count)
        return;
    run_terms(sums, x, shift, base_of((uint)begin, tile, dim), tile, 0u, term_count(dim), dim);
    for (k = 0; k < ITEMS; k++) {
        terms sum;
        for (t = 0; t < TERMS + SINGLES; t++)
            sum.a[t] = sums[t][k];
        if (begin + k >= first && begin + k - first < count)
            y[begin + k] = terms_value(sum, dim);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_lanes(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global real *restrict y, uint first, uint count, uint dim, uint tile)
{
    __local real scratch[TERMS * WG];
    const uint lane = (uint)get_local_id(0) % SHARERS;
    const uint point = (uint)get_group_id(0) * (WG / SHARERS) + (uint)get_local_id(0) / SHARERS;
    terms sum = terms_none();
    if (point < count)
        sum = strided_terms(x, shift, base_of(first + point, tile, dim), tile, lane, SHARERS, term_count(dim), dim);
    sum = joined(sum, lane, SHARERS, 1u, scratch);
    if (lane == 0u && point < count)
        y[first + point] = terms_value(sum, dim);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_block(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global real *restrict y, uint first, uint count, uint dim, uint tile)
{
    __local real scratch[TERMS * WG];
    const uint lid = (uint)get_local_id(0), point = (uint)get_group_id(0);
    terms sum = terms_none();
    if (point < count)
        sum = strided_terms(x, shift, base_of(first + point, tile, dim), tile, lid, WG, term_count(dim), dim);
    sum = joined(sum, lid, WG, 1u, scratch);
    if (lid == 0u && point < count)
        y[first + point] = terms_value(sum, dim);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_mod(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
              __global real *restrict y, uint first, uint count, uint dim, uint tile)
{
    __local real scratch[TERMS * WG];
    const uint lane = (uint)get_local_id(0) % MOD_LANES, row = (uint)get_local_id(0) / MOD_LANES;
    const uint rows = WG / MOD_LANES, terms_all = term_count(dim), each = (terms_all + rows - 1u) / rows;
    const uint point = (uint)get_group_id(0) * MOD_LANES + lane;
    const uint begin = min(row * each, terms_all), end = min(begin + each, terms_all);
    terms sum = terms_none();
    if (point < count)
        sum = strided_terms(x, shift, base_of(first + point, tile, dim), tile, begin, 1u, end, dim);
    sum = joined(sum, row, rows, MOD_LANES, scratch);
    if (row == 0u && point < count)
        y[first + point] = terms_value(sum, dim);
}
