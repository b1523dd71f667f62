/* Values of an objective of the shape DATA_ROWS at many points, where the table is read once for all points of a group.
 *
 * A group has POINTS * LANES points: work-item = slice * LANES + lane, and lane l holds the coordinates of points l, l
 * + LANES, ... in registers. The group streams through a run of whole tiles of rows (objective/rows.clh), with STAGE
 * tiles at a time in local memory while the next tiles are loaded. The slices divide the rows of a stage among
 * themselves, so that a few points fill a group, too, and a number of a row that a work-item loads serves POINTS
 * points. At the end the sums of the slices are added in a fixed order. Work-group number = split * point_groups +
 * group of points: of T tiles and S splits, split s begins with tile T s / S, so that a few points fill the device,
 * too. Where several devices divide the rows, each device has some neighbouring blocks of `run` splits and the tiles of
 * these splits, and only the sums of blocks travel.
 *
 * out[split * count + out_first + i] is the sum for point first + i, 0 <= i < count; with `accumulate` the sum is added
 * to the sum that is there. rows_sum adds the splits of each block and then the blocks, in a fixed order. Where devices
 * divide the rows, rows_join adds the splits of the device's own blocks before.
 *
 * On a CPU a group is one work-item with a vector loop over its points; with STAGE 0 rows are read from global
 * memory. */
#include "objective/rows_group.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_tiles(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global const real *restrict rows, __global real *restrict out, struct rows_launch launch)
{
    __local wide stage[LOCAL_WIDES];
    add_group(x, shift, rows, out, launch, stage);
}

/* out[block * count + point] = sum over the `run` splits of a block of partials[split * count + point], in their order:
 * `total` of these numbers from number `first` on. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_join(__global const real *restrict partials, __global real *restrict out, uint first, uint total, uint count,
               uint run)
{
    join_splits(partials, out, first, total, count, run);
}

/* y[first + i] = sum over the blocks of the sums of rows_join for point i, 0 <= i < count; with `run` 1, partials are
 * these sums. A work-group has `lanes` neighbouring points, a power of two. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_sum(__global const real *restrict partials, __global real *restrict y, uint first, uint count, uint blocks,
              uint run, uint lanes)
{
    __local real scratch[WG];
    sum_blocks(partials, y, first, count, blocks, run, lanes, scratch);
}
