/* Matrix products on GPUs, C = f(alpha op(A) op(B) + beta C + bias). A work-group computes a tile of C: see
 * tile.clh. */
#include "lib/gemm/output.clh"
#include "lib/gemm/tile.clh"

/* Returns the number at `column` of a row, which begins at numbers[row] and has `columns` numbers, and the three
 * numbers after it; beyond the last column the last number is repeated. is_quad: with ALIGNED 1, the row begins at a
 * multiple of 4. */
static quad load_quad(__global const real *numbers, ulong row, uint column, uint columns, int is_quad)
{
    __global const real *from = numbers + row + column;
    const uint last = columns - 1u - column;
    quad q;
#if ALIGNED
    if (is_quad && column + 3 < columns)
        return *(__global const quad *)from;
#endif
    q.x = from[0];
    q.y = from[min(last, 1u)];
    q.z = from[min(last, 2u)];
    q.w = from[min(last, 3u)];
    return q;
}

/* Computes the product. If the sums over k are split, `c` receives the sum of each part, from which gemm_sum computes
 * the result. bias_place: index of the first number of the bias. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_tiles(__global const real *a, __global const real *b, __global real *c, __global const real *bias /* or NULL */,
                struct gemm_shape shape, ulong bias_place, real alpha, real beta, real slope)
{
    __local quad slices[ROOM / (4 * WORDS)];
    quad sums[ROWS * COLUMNS * 4];
    uint i, r, q;
    const struct gemm_place at = sum_tile(a, b, shape, slices, sums, 0, (uint)get_local_id(0), (uint)get_group_id(0));
    const int is_whole = shape.parts == 1u;
#pragma unroll
    for (q = 0; q < COLUMNS; q++) {
        const uint column = at.column + (q * GN + at.gn) * 4;
        quad shift, before;
        shift.x = shift.y = shift.z = shift.w = R(0.0);
        before = shift;
        if (bias != 0 && is_whole && column < shape.n)
            shift = load_quad(bias, bias_place, column, shape.n, 0);
#pragma unroll
        for (r = 0; r < ROWS; r++) {
#pragma unroll
            for (i = 0; i < 4; i++) {
                const uint m = at.row + (r * GM + at.gm) * 4 + i;
                quad sum = sums[(r * COLUMNS + q) * 4 + i];
                if (m < shape.m && column < shape.n) {
                    const ulong row = shape.c + at.part * shape.plane + (ulong)m * shape.c_pitch;
                    if (is_whole) {
                        if (beta != R(0.0))
                            before = load_quad(c, row, column, shape.n, 1);
                        sum.x = finish(sum.x, before.x, shift.x, alpha, beta, slope);
                        sum.y = finish(sum.y, before.y, shift.y, alpha, beta, slope);
                        sum.z = finish(sum.z, before.z, shift.z, alpha, beta, slope);
                        sum.w = finish(sum.w, before.w, shift.w, alpha, beta, slope);
                    }
                    store_quad(c, row, column, shape.n, 0, sum);
                }
            }
        }
    }
}

/* Adds the parts of each sum in the order of k, and computes C from the sums. Successive work-items compute
 * successive numbers of a row of C. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_sum(__global const real *parts, __global real *c, __global const real *bias /* or NULL */,
              struct gemm_shape shape, ulong bias_place, real alpha, real beta, real slope)
{
    const ulong index = get_global_id(0);
    const uint row = (uint)(index / shape.n), column = (uint)(index % shape.n);
    uint part;
    if (row < shape.m) {
        __global real *to = c + shape.c + (ulong)row * shape.c_pitch + column;
        real sum = R(0.0);
        for (part = 0; part < shape.parts; part++)
            sum += parts[part * shape.plane + (ulong)row * shape.part_pitch + column];
        *to = finish(sum, beta != R(0.0) ? *to : R(0.0), bias != 0 ? bias[bias_place + column] : R(0.0), alpha, beta,
                     slope);
    }
}
