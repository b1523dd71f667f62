/* Matrix products for GPUs, C = op(A) op(B): a work-group for each tile, see gemm_tile.clh. */
#include "mlp/methods/gemm_tile.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_tiles(__global const real *a, __global const real *b, __global real *c, struct gemm_shape shape)
{
    __local quad slices[ROOM / (4 * WORDS)];
    quad sums[ROWS * COLUMNS * 4];
    uint i, r, q;
    const struct gemm_place at = sum_tile(a, b, shape, slices, sums, 0, (uint)get_local_id(0),
                                          (uint)get_group_id(0));
#pragma unroll
    for (r = 0; r < ROWS; r++) {
#pragma unroll
        for (q = 0; q < COLUMNS; q++) {
#pragma unroll
            for (i = 0; i < 4; i++) {
                const uint m = at.row + (r * GM + at.gm) * 4 + i;
                if (m < shape.m)
                    store_row(c, shape.c + at.part * shape.plane + (ulong)m * shape.c_pitch,
                              at.column + (q * GN + at.gn) * 4,
                              shape.n, sums[(r * COLUMNS + q) * 4 + i]);
            }
        }
    }
}

/* Adds the parts in their order, each row of C by neighbouring work-items. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_sum(__global const real *parts, __global real *c, struct gemm_shape shape)
{
    const ulong index = get_global_id(0);
    const uint row = (uint)(index / shape.n), column = (uint)(index % shape.n);
    uint part;
    if (row < shape.m) {
        real sum = R(0.0);
        for (part = 0; part < shape.parts; part++)
            sum += parts[part * shape.plane + (ulong)row * shape.part_pitch + column];
        c[shape.c + (ulong)row * shape.c_pitch + column] = sum;
    }
}
