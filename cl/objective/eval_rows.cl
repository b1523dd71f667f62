/* Values of an objective of the shape DATA_ROWS at many points. The table is read once for all points of a group.
 *
 * A group has POINTS * LANES points. A work-item has the number slice * LANES + lane, and holds the coordinates of the
 * points lane, lane + LANES, ... in registers. The group reads a range of whole tiles of rows (objective/rows.clh):
 * STAGE tiles at a time are in local memory, while the next tiles are loaded. The slices divide the rows of a stage
 * among themselves, so that a few points also fill a group. A number of a row, once a work-item has loaded it, serves
 * POINTS points. At the end the sums of the slices are added in a fixed order.
 *
 * The rows are divided into splits, so that a few points also fill the device. The number of a work-group is split *
 * point_groups + group of points. Of T tiles, split s of S splits has the tiles from T s / S on. If several devices
 * divide the rows, each device has some neighbouring blocks of `run` splits, and only the tiles of these splits.
 * Devices exchange only the sums of blocks.
 *
 * out[split * count + out_first + i] is the sum for point first + i, 0 <= i < count. With `accumulate`, the sum is
 * added to the sum that is already there. rows_sum adds the splits of each block, and then the blocks, in a fixed
 * order. If devices divide the rows, rows_join first adds the splits of the device's own blocks.
 *
 * On a CPU a group is one work-item with a vector loop over its points. With STAGE 0, rows are read from global memory.
 */
#include "objective/rows_group.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_tiles(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global const real *restrict rows, __global real *restrict out, struct rows_launch launch)
{
    __local wide stage[LOCAL_WIDES];
    add_group(x, shift, rows, out, launch, stage);
}

/* Adds the `run` splits of a block in their order: out[block * count + point] is the sum of partials[split * count +
 * point]. Computes the elements first .. first + total - 1 of out. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_join(__global const real *restrict partials, __global real *restrict out, uint first, uint total, uint count,
               uint run)
{
    join_splits(partials, out, first, total, count, run);
}

/* y[first + i] is the sum over all blocks for point i, 0 <= i < count. With `run` 1, partials has a sum for each block,
 * from rows_join. A work-group has `lanes` neighbouring points; `lanes` is a power of two. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_sum(__global const real *restrict partials, __global real *restrict y, uint first, uint count, uint blocks,
              uint run, uint lanes)
{
    __local real scratch[WG];
    sum_blocks(partials, y, first, count, blocks, run, lanes, scratch);
}
