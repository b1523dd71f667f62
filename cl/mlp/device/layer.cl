/* Products of a net's layers, for GPUs: what follows a sum is done where it is, in registers.
 *
 *     0  a part of the sum over k, or a product that a later kernel completes
 *     1  forward: bias, activation, dropout
 *     2  backward: times the derivative of the activation
 */
#include "mlp/methods/gemm_tile.clh"

#include "mlp/device/layout.clh"
#include "mlp/model/activation.clh"
#include "mlp/model/order.clh"

#ifndef EPILOGUE
#define EPILOGUE 0
#endif
/* enum mlp_activation of the layer; MLP_ACTIVATIONS: none is applied. */
#ifndef ACTIVATION
#define ACTIVATION 9
#endif
/* 1: derivatives are stored in the place of the deltas; 0: they follow from the values. */
#ifndef SLOPES
#define SLOPES 0
#endif

#if EPILOGUE == 1
static real finish(real sum, uint m, uint column, __global const real *parameters, __global const real *fixed,
                   __global real *deltas, struct mlp_product product)
{
    const real slope = fixed[MLP_FIXED_LAYERS + 2u * product.number];
    const real v = sum + parameters[product.biases + min(column, product.columns - 1u)];
    real y = ACTIVATION == MLP_ACTIVATIONS ? v : mlp_activate(ACTIVATION, slope, v);
#if SLOPES
    real steep = ACTIVATION == MLP_ACTIVATIONS ? R(1.0) : mlp_derivative(ACTIVATION, slope, v, y);
    if (product.dropout_limit > 0u) {
        const real keep = fixed[MLP_FIXED_LAYERS + 2u * product.number + 1u];
        const int is_dropped = mlp_is_dropped(product.seed, product.update, m, product.first_unit + column,
                                              product.dropout_limit);
        y = is_dropped ? R(0.0) : y / keep;
        steep = is_dropped ? R(0.0) : steep / keep;
    }
    if (column < product.columns && product.trains)
        deltas[product.deltas + (ulong)m * product.delta_pitch + column] = steep;
#endif
    return y;
}
#endif

#if EPILOGUE == 2
static real finish(real sum, uint m, uint column, __global const real *values, __global const real *fixed,
                   __global real *deltas, struct mlp_product product)
{
    const uint own = min(column, product.columns - 1u);
#if SLOPES
    return sum * deltas[product.deltas + (ulong)m * product.delta_pitch + own];
#else
    const real y = values[product.values + (ulong)m * product.value_pitch + own];
    return sum * mlp_derivative(ACTIVATION, fixed[MLP_FIXED_LAYERS + 2u * product.number], y, y);
#endif
}
#endif

/* own: forward the parameters, of which are the biases; backward the layer's values. c: forward the values, backward the
 * deltas. Of the last two only one is written, except where derivatives are stored. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_layer(__global const real *a, __global const real *b, __global real *c, __global const real *own,
               __global const real *fixed, __global real *deltas, struct gemm_shape shape, struct mlp_product product)
{
    __local quad slices[ROOM / (4 * WORDS)];
    quad sums[ROWS * COLUMNS * 4];
    uint i, r, q;
    const struct gemm_place at = sum_tile(a, b, shape, slices, sums, (uint)get_local_id(0), (uint)get_group_id(0));
#pragma unroll
    for (r = 0; r < ROWS; r++) {
#pragma unroll
        for (q = 0; q < COLUMNS; q++) {
#pragma unroll
            for (i = 0; i < 4; i++) {
                const uint m = at.row + (r * GM + at.gm) * 4 + i, column = at.column + (q * GN + at.gn) * 4;
                quad sum = sums[(r * COLUMNS + q) * 4 + i];
                if (m < shape.m && column < shape.n) {
#if EPILOGUE != 0
                    sum.x = finish(sum.x, m, column, own, fixed, deltas, product);
                    sum.y = finish(sum.y, m, column + 1u, own, fixed, deltas, product);
                    sum.z = finish(sum.z, m, column + 2u, own, fixed, deltas, product);
                    sum.w = finish(sum.w, m, column + 3u, own, fixed, deltas, product);
#endif
                    store_row(c, shape.c + at.part * shape.plane + (ulong)m * shape.c_pitch, column, shape.n, sum);
                }
            }
        }
    }
}
