/* Products of a net's layers, for GPUs. The operations that follow a sum are done at once, while the sum is in
 * registers. The kinds of sums are the values of EPILOGUE:
 *
 *     0  a part of the sum over k, or a product that a later kernel completes
 *     1  forward: bias, activation, dropout
 *     2  backward: times the derivative of the activation
 *     3  a part of the gradient, the biases' too: the sums of the deltas over the rows of the batch
 */
#ifndef EPILOGUE
#define EPILOGUE 0
#endif
#if EPILOGUE == 3
#define ROW_SUMS 1
#endif
#include "lib/gemm/tile.clh"

#include "mlp/device/layout.clh"
#include "mlp/model/activation.clh"
#include "mlp/model/order.clh"

/* Activation of the layer: enum mlp_activation; MLP_ACTIVATIONS: none is applied. */
#ifndef ACTIVATION
#define ACTIVATION 11
#endif
/* 1: derivatives of the values are stored in place of the deltas; 0: they are computed from the values. */
#ifndef SLOPES
#define SLOPES 0
#endif

#if EPILOGUE == 1
/* Biases of four columns. */
static quad take_biases(uint column, __global const real *parameters, struct mlp_product product)
{
    __global const real *from = parameters + product.biases;
    const uint last = product.columns - 1u;
    quad q;
    q.x = from[min(column, last)];
    q.y = from[min(column + 1u, last)];
    q.z = from[min(column + 2u, last)];
    q.w = from[min(column + 3u, last)];
    return q;
}

static real finish(real sum, real bias, uint m, uint column, __global const real *fixed, __global real *deltas,
                   struct mlp_product product)
{
    const real slope = fixed[MLP_FIXED_LAYERS + 2u * product.number];
    const real v = sum + bias;
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
/* BEFORE: the numbers by which backward sums are multiplied: the derivatives of the values of the layer before, if
 * these are stored, otherwise the values, from which the derivatives are computed. Rows are padded to whole
 * quads. */
#if SLOPES
#define BEFORE (deltas + product.deltas)
#define BEFORE_PITCH product.delta_pitch
#else
#define BEFORE (own + product.values)
#define BEFORE_PITCH product.value_pitch
#endif

/* Loads the numbers of BEFORE for step t of the quads of a work-item. */
static void load_before(quad *before, struct gemm_place at, uint t, __global const real *own,
                        __global const real *deltas, struct gemm_shape shape, struct mlp_product product)
{
    const uint row = at.row + (t % ROWS * GM + at.gm) * 4, column = at.column + (t / ROWS * GN + at.gn) * 4;
    __global const real *from = BEFORE + (ulong)row * BEFORE_PITCH + column;
    uint i;
#pragma unroll
    for (i = 0; i < 4; i++)
        if (row + i < shape.m && column < shape.n)
            before[i] = *(__global const quad *)(from + i * BEFORE_PITCH);
}

static real finish(real sum, real before, __global const real *fixed, struct mlp_product product)
{
#if SLOPES
    return sum * before;
#else
    return sum * mlp_derivative(ACTIVATION, fixed[MLP_FIXED_LAYERS + 2u * product.number], before, before);
#endif
}
#endif

/* Computes a product. own: forward, the parameters, which include the biases; backward, the layer's values. c: forward,
 * receives the values; backward, the deltas. Only one of c and `deltas` is written, except where derivatives are
 * stored. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_layer(__global const real *a, __global const real *b, __global real *c, __global const real *own,
               __global const real *fixed, __global real *deltas, struct gemm_shape shape, struct mlp_product product)
{
    __local quad slices[ROOM / (4 * WORDS)];
    quad sums[ROWS * COLUMNS * 4];
    real row_sums[OWN_ROWS];
    const uint lid = (uint)get_local_id(0);
    uint i, t;
    const struct gemm_place at = sum_tile(a, b, shape, slices, sums, row_sums, lid, (uint)get_group_id(0));
    /* Handles one quad in each of four rows at a time. The numbers that the next sums need are loaded while
     * the current sums are stored. */
#if EPILOGUE == 1
    quad biases = take_biases(at.column + at.gn * 4, own, product);
#elif EPILOGUE == 3
    if (at.column == 0)
        for (i = 0; i < OWN_ROWS; i++)
            if (lid + i * WG < BM && at.row + lid + i * WG < shape.m)
                c[product.biases + at.part * shape.plane + at.row + lid + i * WG] = row_sums[i];
#elif EPILOGUE == 2
    quad before[2][4];
    load_before(before[0], at, 0, own, deltas, shape, product);
#endif
#pragma unroll
    for (t = 0; t < ROWS * COLUMNS; t++) {
        const uint r = t % ROWS, q = t / ROWS, column = at.column + (q * GN + at.gn) * 4;
#if EPILOGUE == 1
        if (r == 0 && q > 0)
            biases = take_biases(column, own, product);
#elif EPILOGUE == 2
        if (t + 1 < ROWS * COLUMNS)
            load_before(before[(t + 1) % 2], at, t + 1, own, deltas, shape, product);
#endif
#pragma unroll
        for (i = 0; i < 4; i++) {
            const uint m = at.row + (r * GM + at.gm) * 4 + i;
            quad sum = sums[(r * COLUMNS + q) * 4 + i];
            if (m < shape.m && column < shape.n) {
#if EPILOGUE == 1
                sum.x = finish(sum.x, biases.x, m, column, fixed, deltas, product);
                sum.y = finish(sum.y, biases.y, m, column + 1u, fixed, deltas, product);
                sum.z = finish(sum.z, biases.z, m, column + 2u, fixed, deltas, product);
                sum.w = finish(sum.w, biases.w, m, column + 3u, fixed, deltas, product);
#elif EPILOGUE == 2
                sum.x = finish(sum.x, before[t % 2][i].x, fixed, product);
                sum.y = finish(sum.y, before[t % 2][i].y, fixed, product);
                sum.z = finish(sum.z, before[t % 2][i].z, fixed, product);
                sum.w = finish(sum.w, before[t % 2][i].w, fixed, product);
#endif
                store_quad(c, shape.c + at.part * shape.plane + (ulong)m * shape.c_pitch, column, shape.n, 1, sum);
            }
        }
    }
}
