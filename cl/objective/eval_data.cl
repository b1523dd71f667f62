/* Values of an objective of the shape DATA_ROWS, by the mappings of the thesis. Each point is evaluated separately, so
 * the whole table is read for every point; objective/eval_rows.cl reads the table once for many points. */
#ifndef WG
#define WG 128
#endif
#ifndef READ_ONLY
#define READ_ONLY 1
#endif

#include "lib/real.clh"
#include "lib/group.clh"
#include "objective/rows.clh"

#if READ_ONLY
#define APART restrict
#else
#define APART
#endif

/* A device may allow only work-groups of less than 32 work-items. */
#if WG < 32
#define WARP WG
#else
#define WARP 32
#endif

static real rows_sum_of(const real *position, __global const real *rows, uint begin, uint step, uint end)
{
    real sum = R(0.0), row[COLUMNS];
    uint j;
    for (j = begin; j < end; j += step) {
        load_row(row, rows, j);
        sum += row_value(position, row);
    }
    return sum;
}

/* Sums `sum` over `count` neighbouring work-items; `count` is a power of two. The work-item with `part` 0 gets the
 * result. part: number of the work-item among these work-items; scratch: [WG]. */
static INLINE real joined(real sum, uint part, uint count, local real *scratch)
{
    const uint lid = (uint)get_local_id(0);
    uint stride;
    scratch[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (stride = count / 2u; stride > 0u; stride /= 2u) {
        if (part < stride)
            scratch[lid] += scratch[lid + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[lid];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void data_thread(__global const real *APART x, __global const real *APART shift /* or NULL */, __global real *APART y,
                 __global const real *APART rows, uint first, uint count, uint tile, uint row_count, uint accumulate)
{
    const uint point = (uint)get_global_id(0);
    real position[DIM];
    if (point < count) {
        real sum;
        load_point(position, 1u, x, shift, first + point, tile);
        sum = rows_sum_of(position, rows, 0u, 1u, row_count);
        y[first + point] = accumulate ? y[first + point] + sum : sum;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void data_warp2(__global const real *APART x, __global const real *APART shift /* or NULL */, __global real *APART y,
                __global const real *APART rows, uint first, uint count, uint tile, uint row_count, uint accumulate)
{
    __local real scratch[WG];
    const uint lane = (uint)get_local_id(0) % WARP;
    const uint point = (uint)get_group_id(0) * (WG / WARP) + (uint)get_local_id(0) / WARP;
    real position[DIM], sum = R(0.0);
    if (point < count) {
        load_point(position, 1u, x, shift, first + point, tile);
        sum = rows_sum_of(position, rows, lane, WARP, row_count);
    }
    sum = joined(sum, lane, WARP, scratch);
    if (lane == 0u && point < count)
        y[first + point] = accumulate ? y[first + point] + sum : sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void data_block2(__global const real *APART x, __global const real *APART shift /* or NULL */, __global real *APART y,
                 __global const real *APART rows, uint first, uint count, uint tile, uint row_count, uint accumulate)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), point = (uint)get_group_id(0);
    real position[DIM], sum = R(0.0);
    if (point < count) {
        load_point(position, 1u, x, shift, first + point, tile);
        sum = rows_sum_of(position, rows, lid, WG, row_count);
    }
    sum = joined(sum, lid, WG, scratch);
    if (lid == 0u && point < count)
        y[first + point] = accumulate ? y[first + point] + sum : sum;
}
