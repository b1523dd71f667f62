/* Values of an objective of the shape DATA_ROWS at many points, the table read once for all the points of a group.
 *
 * A group has POINTS * LANES points: work-item = slice * LANES + lane, and lane l holds the coordinates of points
 * l, l + LANES, ... in registers. The group streams through a run of whole tiles of rows (objective/rows.clh), STAGE
 * of them at a time in local memory while the next ones are on their way; slices share the rows, so that a few points
 * fill a group too, and each number of a row is loaded once for POINTS points. At the end the slices are added in a
 * fixed order. Work-group number = split * point_groups + group of points: split s of S takes tiles T s / S on, so
 * that a few points fill the device too.
 *
 * out[split * stride + out_first + i] is the sum for point first + i, 0 <= i < count; with `accumulate` it is added to
 * what is there. rows_sum puts the splits together, again in a fixed order.
 *
 * On a CPU a group is one work-item with a vector loop over its points; STAGE 0 reads the rows where they are. */
#ifndef WG
#define WG 128
#endif
/* Points of a work-item. */
#ifndef POINTS
#define POINTS 8
#endif
/* Work-items of a slice, a power of two. */
#ifndef LANES
#define LANES 8
#endif
/* Tiles of rows in local memory at a time; 0: none. */
#ifndef STAGE
#define STAGE 8
#endif
/* For the native version: the residual is b - sum a[d] x[d] (1), or with a[d] x[d]^2 (2), of rows a, b; 0: any. */
#ifndef LINEAR
#define LINEAR 0
#endif

#include "lib/real.clh"
#include "lib/group.clh"
#include "objective/rows.clh"

/* A device may allow only smaller groups. */
#if LANES < WG
#define SLICE LANES
#else
#define SLICE WG
#endif
#define SLICES (WG / SLICE)
#define GROUP_POINTS (POINTS * SLICE)

/* Registers take a loop that is unrolled; vectors one that is not. */
#if WG == 1
#define POINTS_UNROLLED 1
#else
#define POINTS_UNROLLED POINTS
#endif

#define STAGE_WIDES (STAGE * COLUMNS * TILE_WIDES)
#define FETCHES ((STAGE_WIDES + WG - 1) / WG)
/* Two stages, later the sums of the work-items. */
#if 2 * STAGE_WIDES * VECTOR > WG * POINTS
#define LOCAL_WIDES (2 * STAGE_WIDES)
#else
#define LOCAL_WIDES ((WG * POINTS + VECTOR - 1) / VECTOR)
#endif

/* Adds a row to the sums of the work-item's points: coordinate d of point p at x[d * POINTS + p]. */
static INLINE void add_rows(real *sum, const real *x, real row[VECTOR][COLUMNS], int count)
{
    int p;
#pragma unroll POINTS_UNROLLED
    for (p = 0; p < POINTS; p++) {
        real position[DIM];
        int d, e;
#pragma unroll DIM_UNROLLED
        for (d = 0; d < DIM; d++)
            position[d] = x[d * POINTS + p];
#pragma unroll
        for (e = 0; e < count; e++)
            sum[p] += row_value(position, row[e]);
    }
}

/* Number c of VECTOR neighbouring rows. */
static inline void spread(real row[VECTOR][COLUMNS], int c, wide four)
{
    row[0][c] = four.x;
    row[1][c] = four.y;
#if VECTOR == 4
    row[2][c] = four.z;
    row[3][c] = four.w;
#endif
}

#if STAGE
#define ROWS_SPACE local
#else
#define ROWS_SPACE __global
#endif

/* Adds the work-item's share of `tiles` whole tiles. */
static INLINE void add_tiles(real *sum, const real *x, ROWS_SPACE const wide *rows, uint tiles)
{
    uint b;
    for (b = (uint)get_local_id(0) / SLICE; b < tiles * TILE_WIDES; b += SLICES) {
        ROWS_SPACE const wide *from = rows + b / TILE_WIDES * (COLUMNS * TILE_WIDES) + b % TILE_WIDES;
        real row[VECTOR][COLUMNS];
        int c;
#pragma unroll COLUMNS_UNROLLED
        for (c = 0; c < COLUMNS; c++)
            spread(row, c, from[c * TILE_WIDES]);
        add_rows(sum, x, row, VECTOR);
    }
}

/* Adds tiles begin .. end - 1. stage: LOCAL_WIDES. */
static INLINE void add_run(real *sum, const real *x, __global const real *rows, uint begin, uint end, local wide *stage)
{
    __global const wide *from = (__global const wide *)rows + (ulong)begin * (COLUMNS * TILE_WIDES);
#if STAGE
    const uint lid = (uint)get_local_id(0);
    wide fetched[FETCHES];
    uint tiles = min(end - begin, (uint)STAGE), left = end - begin, wides = tiles * COLUMNS * TILE_WIDES, now = 0u, k;
#pragma unroll
    for (k = 0; k < FETCHES; k++)
        if (k * WG + lid < wides)
            stage[k * WG + lid] = from[k * WG + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left > 0u) {
        const uint next = min(left - tiles, (uint)STAGE);
        from += wides;
        wides = next * COLUMNS * TILE_WIDES;
#pragma unroll
        for (k = 0; k < FETCHES; k++)
            if (k * WG + lid < wides)
                fetched[k] = from[k * WG + lid];
        add_tiles(sum, x, stage + now, tiles);
        now = STAGE_WIDES - now;
#pragma unroll
        for (k = 0; k < FETCHES; k++)
            if (k * WG + lid < wides)
                stage[now + k * WG + lid] = fetched[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        left -= tiles;
        tiles = next;
    }
#else
    (void)stage;
    add_tiles(sum, x, from, end - begin);
#endif
}

/* Adds rows begin .. end - 1, fewer than a tile. */
static INLINE void add_rest(real *sum, const real *x, __global const real *rows, uint begin, uint end)
{
    uint j;
    for (j = begin + (uint)get_local_id(0) / SLICE; j < end; j += SLICES) {
        real row[VECTOR][COLUMNS];
        load_row(row[0], rows, j);
        add_rows(sum, x, row, 1);
    }
}

/* Adds the slices and writes the sums. scratch: WG * POINTS. */
static INLINE void write_sums(const real *sum, __global real *out, uint points, uint accumulate, local real *scratch)
{
    const uint lid = (uint)get_local_id(0), slice = lid / SLICE, lane = lid % SLICE;
    uint i, k;
    int p;
#pragma unroll POINTS_UNROLLED
    for (p = 0; p < POINTS; p++)
        scratch[slice * GROUP_POINTS + (uint)p * SLICE + lane] = sum[p];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < GROUP_POINTS; i += WG) {
        real total = scratch[i];
#pragma unroll
        for (k = 1; k < SLICES; k++)
            total += scratch[k * GROUP_POINTS + i];
        if (i < points)
            out[i] = accumulate ? out[i] + total : total;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_tiles(__global const real *restrict x, __global const real *restrict shift, __global const real *restrict rows,
                __global real *restrict out, uint first, uint count, uint tile, uint row_count, uint point_groups,
                uint out_first, uint stride, uint accumulate)
{
    __local wide stage[LOCAL_WIDES];
    const uint group = (uint)get_group_id(0), split = group / point_groups;
    const uint splits = (uint)get_num_groups(0) / point_groups, tiles = row_count / ROW_TILE;
    const uint begin = (uint)((ulong)tiles * split / splits), end = (uint)((ulong)tiles * (split + 1u) / splits);
    const uint base = group % point_groups * GROUP_POINTS, lane = (uint)get_local_id(0) % SLICE;
    real position[DIM * POINTS], sum[POINTS];
    int p;
#pragma unroll POINTS_UNROLLED
    for (p = 0; p < POINTS; p++) {
        /* Behind the last point: that one again. */
        load_point(position + p, POINTS, x, shift, first + min(base + (uint)p * SLICE + lane, count - 1u), tile);
        sum[p] = R(0.0);
    }
    add_run(sum, position, rows, begin, end, stage);
    if (split + 1u == splits)
        add_rest(sum, position, rows, tiles * ROW_TILE, row_count);
    write_sums(sum, out + (ulong)split * stride + out_first + base, count - base, accumulate, (local real *)stage);
}

/* y[first + i] = sum over the splits of partials[split * stride + i], 0 <= i < count; `lanes` points side by side, a
 * power of two. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_sum(__global const real *restrict partials, __global real *restrict y, uint first, uint count, uint stride,
              uint splits, uint lanes)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), slice = lid / lanes, slices = WG / lanes;
    const uint point = (uint)get_group_id(0) * lanes + lid % lanes;
    real sum = R(0.0);
    uint k, span;
    if (point < count)
        for (k = slice; k < splits; k += slices)
            sum += partials[(ulong)k * stride + point];
    scratch[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (span = slices / 2u; span > 0u; span /= 2u) {
        if (slice < span)
            scratch[lid] += scratch[lid + span * lanes];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (slice == 0u && point < count)
        y[first + point] = scratch[lid];
}
