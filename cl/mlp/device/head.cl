/* The last layer of a net with few outputs, on GPUs: its values, the losses, the deltas of the layer before, the
 * gradient of the last layer's weights, and the gradients of the biases of both layers. A work-group goes over its rows
 * twice: along each row for the outputs, and then along columns, where a work-item has the weights and sums of a column
 * in registers.
 *
 * A work-group has step.block rows and a sum for each parameter; the sums of all groups are added in the order of the
 * groups.
 */
#include "mlp/device/unit.clh"
#include "lib/gemm/quad.clh"

#ifndef WG
#define WG 128
#endif
/* Number of inputs of the layer. */
#ifndef INPUTS
#define INPUTS 128
#endif
/* Activation of the layer before: enum mlp_activation. */
#ifndef HIDDEN
#define HIDDEN 2
#endif
/* 1: the derivatives of the values of the layer before are stored in place of its deltas; 0: they are computed from the
 * values. */
#ifndef SLOPES
#define SLOPES 0
#endif
/* 1: the weights, and each row of the weights, begin at a multiple of 4. */
#ifndef ALIGNED
#define ALIGNED 0
#endif
/* Number of rows that a group handles at a time. */
#ifndef ROWS
#define ROWS 4
#endif
/* Number of rows that a work-item handles at a time; for each of them the work-item has a sum of every output. */
#ifndef EACH
#define EACH 1
#endif
/* Words of local memory. */
#ifndef ROOM
#define ROOM 4096
#endif

#if OUTPUTS < 1
#error "the outputs of a row are in registers"
#endif

/* LANES: number of work-items that share a row; the order of the row's sums depends on this number. SETS: number of
 * sets of LANES work-items in a work-group. */
#define LANES (WG >= 32 ? 32 : WG)
#define SETS (WG / LANES)
/* PLACES: number of sums that a work-item has in local memory at a time. LANE_PITCH: distance, in reals, between
 * the rows that each hold one sum of all LANES work-items; one more than LANES, so that equal places of successive
 * rows are in different banks. OUTPUT_QUADS: number of quads for the outputs of a row. RESULT_PITCH: distance, in
 * reals, between the results of rows. */
#define PLACES 8
#define LANE_PITCH (LANES + 1)
#define OUTPUT_QUADS ((OUTPUTS + 3) / 4)
#define RESULT_PITCH (OUTPUT_QUADS * 4)
/* Distance between rows of the layer's inputs, and of the deltas of the layer before: rows are padded to whole
 * quads. */
#define PITCH ((INPUTS + 3) / 4 * 4)
/* Number of rows whose values are loaded while earlier rows are used. */
#define LOADED 8
/* COLUMNS: sums over rows, for the losses and the biases; SHARED_BY: work-items that share a sum. */
#define COLUMNS (MLP_SUM_SIZE + OUTPUTS)
#define SHARED_BY (WG / COLUMNS >= 32 ? 32 : WG / COLUMNS >= 8 ? 8 : 1)

/* Local memory: for each row its results and MLP_SUM_SIZE sums; the sums of lanes and the sums of rows use the same
 * memory. */
#define OF_LANES (SETS * PLACES * LANE_PITCH)
#if (ROWS * (RESULT_PITCH + 3) + (OF_LANES > OUTPUTS + 3 ? OF_LANES : OUTPUTS + 3)) * WORDS > ROOM
#error "ROOM is too small for the rows"
#endif

/* Loads the numbers k .. k + 3 of a row of INPUTS; numbers after its end are 0. */
static inline quad take_quad(__global const real *row, uint k, int aligned)
{
    __global const real *from = row + k;
    quad q;
#if INPUTS % 4 == 0
    if (aligned)
        return *(__global const quad *)from;
#endif
    q.x = from[0];
    q.y = k + 1u < INPUTS ? from[1] : R(0.0);
    q.z = k + 2u < INPUTS ? from[2] : R(0.0);
    q.w = k + 3u < INPUTS ? from[3] : R(0.0);
    return q;
}

/* Computes the sums of the last layer: results[row * RESULT_PITCH + output]. inputs: the inputs of the first row. */
static void multiply_out(struct mlp_layer last, uint rows, uint lid, __global const real *parameters,
                         __global const real *inputs, local real *room, local real *results)
{
    const uint set = lid / LANES, lane = lid % LANES;
    uint base, k, e, o, p, j;
    for (base = 0; base < rows; base += SETS * EACH) {
        const uint row = base + set * EACH;
        real sums[EACH * OUTPUTS];
#pragma unroll
        for (p = 0; p < EACH * OUTPUTS; p++)
            sums[p] = R(0.0);
#pragma unroll 4
        for (k = lane * 4u; k < INPUTS; k += LANES * 4u) {
            quad x[EACH];
#pragma unroll
            for (e = 0; e < EACH; e++)
                x[e] = take_quad(inputs + (ulong)min(row + e, rows - 1u) * PITCH, k, 1);
#pragma unroll
            for (o = 0; o < OUTPUTS; o++) {
                const quad w = take_quad(parameters + last.weights + o * INPUTS, k, ALIGNED);
#pragma unroll
                for (e = 0; e < EACH; e++)
                    sums[e * OUTPUTS + o] =
                        mad(x[e].w, w.w, mad(x[e].z, w.z, mad(x[e].y, w.y, mad(x[e].x, w.x, sums[e * OUTPUTS + o]))));
            }
        }
#pragma unroll
        for (p = 0; p < EACH * OUTPUTS; p += PLACES) {
#pragma unroll
            for (j = 0; j < PLACES; j++)
                if (p + j < EACH * OUTPUTS)
                    room[(set * PLACES + j) * LANE_PITCH + lane] = sums[p + j];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (j = lane; j < PLACES; j += LANES) {
                const uint own = row + (p + j) / OUTPUTS, output = (p + j) % OUTPUTS;
                if (p + j < EACH * OUTPUTS && own < rows) {
                    local const real *from = room + (set * PLACES + j) * LANE_PITCH;
                    real sum = R(0.0);
#pragma unroll
                    for (k = 0; k < LANES; k++)
                        sum += from[k];
                    results[own * RESULT_PITCH + output] = sum + parameters[last.biases + output];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* Computes outputs and loss of a row, by one work-item. place: index of the row in the batch; row: its number in the
 * data; result: the sums of the row, which the deltas of the row replace. */
static void lose_result(struct mlp_step step, struct mlp_layer last, uint place, uint row, __global const uint *classes,
                        __global const real *targets, __global const real *weights, __global const real *fixed,
                        local real *result, local real *row_sums, __global real *outputs)
{
    const real slope = fixed[MLP_FIXED_LAYERS + 2u * (step.layer_count - 1u)];
    real y[OUTPUTS], delta[OUTPUTS], own[MLP_SUM_SIZE];
    uint o;
    for (o = 0; o < OUTPUTS; o++) {
        const real v = result[o];
        y[o] = FROM_LOGITS ? v : mlp_activate(last.activation, slope, v);
        delta[o] = FROM_LOGITS ? R(0.0) : mlp_derivative(last.activation, slope, v, y[o]);
    }
    if ((last.activation == MLP_SOFTMAX) & !FROM_LOGITS)
        mlp_normalise(y, y, OUTPUTS);
    if (step.flags & MLP_STEP_SCORE) {
        lose_row(step, last, row, classes, targets, weights, fixed, y, delta, own);
        for (o = 0; o < MLP_SUM_SIZE; o++)
            row_sums[o] = own[o];
    }
    for (o = 0; o < OUTPUTS; o++)
        result[o] = delta[o];
    if (step.flags & MLP_STEP_PREDICT) {
        mlp_predict_row(last, y, OUTPUTS);
        for (o = 0; o < OUTPUTS; o++)
            outputs[(ulong)(step.slot + place) * OUTPUTS + o] = y[o];
    }
}

/* Loads one column of LOADED rows, from row r on; for rows after the last one, any numbers. */
static inline void load_rows(real *numbers, __global const real *from, uint r, uint rows)
{
    uint i;
    if (r + LOADED <= rows) {
#pragma unroll
        for (i = 0; i < LOADED; i++)
            numbers[i] = from[(r + i) * PITCH];
    } else {
#pragma unroll
        for (i = 0; i < LOADED; i++)
            numbers[i] = from[min(r + i, rows - 1u) * PITCH];
    }
}

/* Returns the derivative of the loss with respect to a value of the layer before, and adds to the gradients of the
 * weights. results: deltas of the rows; y: the value; w, sums: weights of the value's column, and their gradients. */
static inline real back_row(local const real *results, uint row, real y, const real *w, real *sums)
{
    local const quad *result = (local const quad *)(results + row * RESULT_PITCH);
    real back = R(0.0);
    uint o;
#pragma unroll
    for (o = 0; o < OUTPUTS; o += 4) {
        const quad d = result[o / 4];
        back = mad(w[o], d.x, back);
        sums[o] = mad(y, d.x, sums[o]);
        if (o + 1 < OUTPUTS) {
            back = mad(w[o + 1], d.y, back);
            sums[o + 1] = mad(y, d.y, sums[o + 1]);
        }
        if (o + 2 < OUTPUTS) {
            back = mad(w[o + 2], d.z, back);
            sums[o + 2] = mad(y, d.z, sums[o + 2]);
        }
        if (o + 3 < OUTPUTS) {
            back = mad(w[o + 3], d.w, back);
            sums[o + 3] = mad(y, d.w, sums[o + 3]);
        }
    }
    return back;
}

/* Computes the deltas of unit k of the layer before for `rows` rows, and adds the parts of these rows to two
 * gradients: of the last layer's weights from this unit, and of the unit's bias. Without a layer before, only the
 * gradient of the weights is stored. gradient: gradients of the work-group; is_first: these gradients start at 0.
 * place: index of the first row in the batch. */
static void go_back(struct mlp_step step, struct mlp_layer before, struct mlp_layer last, uint place, uint rows, uint k,
                    int is_first, __global const real *fixed, __global const real *parameters,
                    __global const real *values, __global real *deltas, local const real *results,
                    __global real *gradient)
{
    const uint has_before = step.layer_count > 1u;
    const real slope = has_before ? fixed[MLP_FIXED_LAYERS + 2u * (step.layer_count - 2u)] : R(0.0);
    __global real *own = gradient + (has_before ? INPUTS : 0u) + k;
    __global const real *from = values + last.in + (ulong)place * PITCH + k;
    __global real *to = deltas + (has_before ? before.delta + (ulong)place * PITCH + k : 0u);
    real w[OUTPUTS], sums[OUTPUTS], y[LOADED], next[LOADED], steep[LOADED], bias = is_first ? R(0.0) : gradient[k];
    uint o, r, i;
#pragma unroll
    for (o = 0; o < OUTPUTS; o++) {
        w[o] = parameters[last.weights + o * INPUTS + k];
        sums[o] = is_first ? R(0.0) : own[o * INPUTS];
    }
    load_rows(y, from, 0u, rows);
    for (r = 0; r < rows; r += LOADED) {
        load_rows(next, from, r + LOADED, rows);
#if SLOPES
        load_rows(steep, to, r, rows);
#else
#pragma unroll
        for (i = 0; i < LOADED; i++)
            steep[i] = mlp_derivative(HIDDEN, slope, y[i], y[i]);
#endif
        if (has_before && r + LOADED <= rows) {
#pragma unroll
            for (i = 0; i < LOADED; i++) {
                const real back = steep[i] * back_row(results, r + i, y[i], w, sums);
                bias += back;
                to[(r + i) * PITCH] = back;
            }
        } else {
#pragma unroll
            for (i = 0; i < LOADED; i++)
                if (r + i < rows) {
                    const real back = steep[i] * back_row(results, r + i, y[i], w, sums);
                    bias += back;
                    if (has_before)
                        to[(r + i) * PITCH] = back;
                }
        }
#pragma unroll
        for (i = 0; i < LOADED; i++)
            y[i] = next[i];
    }
    if (has_before)
        gradient[k] = bias;
#pragma unroll
    for (o = 0; o < OUTPUTS; o++)
        own[o * INPUTS] = sums[o];
}

/* Sums losses and deltas of the last layer over the rows, and adds them to the sums of earlier rows. */
static void add_rows(struct mlp_step step, uint rows, uint lid, int is_first, local const real *results,
                     local const real *row_sums, local real *room, __global real *sums, __global real *gradient)
{
    uint column, part, k;
    for (column = lid / SHARED_BY; column < COLUMNS; column += WG / SHARED_BY) {
        const uint is_loss = column < MLP_SUM_SIZE;
        local const real *from = is_loss ? row_sums + column : results + column - MLP_SUM_SIZE;
        real sum = R(0.0);
        for (k = lid % SHARED_BY; k < rows; k += SHARED_BY)
            sum += from[k * (is_loss ? MLP_SUM_SIZE : RESULT_PITCH)];
        room[column * SHARED_BY + lid % SHARED_BY] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (column = lid; column < COLUMNS; column += WG) {
        __global real *to = column < MLP_SUM_SIZE ? sums + column : gradient + column - MLP_SUM_SIZE;
        if (step.flags & (column < MLP_SUM_SIZE ? MLP_STEP_SCORE : MLP_STEP_TRAIN)) {
            real sum = is_first ? R(0.0) : *to;
            for (part = 0; part < SHARED_BY; part++)
                sum += room[column * SHARED_BY + part];
            *to = sum;
        }
    }
}

/* Computes the last layer. gradients: for each work-group the gradients of the biases of the layer before, of the
 * weights of the last layer, and of its biases. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_head(__global const uint *classes, __global const real *targets, __global const real *weights,
              __global const struct mlp_layer *layers, __global const real *fixed, __global const real *parameters,
              __global const real *planes, __global const uint *order, __global real *values,
              __global real *deltas, __global real *sums, __global real *gradients, __global real *outputs,
              struct mlp_step step)
{
    __local quad space[(ROOM + 4 * WORDS - 1) / (4 * WORDS)];
    local real *results = (local real *)space, *row_sums = results + ROWS * RESULT_PITCH;
    local real *room = row_sums + ROWS * MLP_SUM_SIZE;
    __local uint row_of[ROWS];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), number = step.layer_count - 1u;
    const uint begin = group * step.block, end = min(begin + step.block, step.count);
    const struct mlp_layer last = layers[number], before = layers[number > 0u ? number - 1u : 0u];
    __global real *gradient = gradients + (ulong)group * ((number > 0u ? INPUTS : 0u) + INPUTS * OUTPUTS + OUTPUTS);
    uint first, k, r;
    for (first = begin; first < end; first += ROWS) {
        const uint rows = min((uint)ROWS, end - first);
        if (number > 0u && before.split > 0u)
            for (k = lid; k < rows * INPUTS; k += WG)
                finish_unit(step, before, number - 1u, first + k / INPUTS, k % INPUTS, fixed, parameters, planes, values,
                            deltas);
        /* Finds the index in the data of each row. */
        for (r = lid; r < rows; r += WG)
            row_of[r] = step.flags & MLP_STEP_IN_ORDER ? step.first + first + r : order[first + r];
        /* Waits until other work-items have stored the values that multiply_out reads. No work-item reads old
         * results after this barrier. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        multiply_out(last, rows, lid, parameters, values + last.in + (ulong)first * PITCH, room, results);
        for (r = lid; r < rows; r += WG)
            lose_result(step, last, first + r, row_of[r], classes, targets, weights, fixed, results + r * RESULT_PITCH,
                        row_sums + r * MLP_SUM_SIZE, outputs);
        barrier(CLK_LOCAL_MEM_FENCE);
        add_rows(step, rows, lid, first == begin, results, row_sums, room,
                 sums + (ulong)(step.sums + group) * MLP_SUM_SIZE,
                 gradient + (number > 0u ? INPUTS : 0u) + INPUTS * OUTPUTS);
        if (step.flags & MLP_STEP_TRAIN)
            for (k = lid; k < INPUTS; k += WG)
                go_back(step, before, last, first, rows, k, first == begin, fixed, parameters, values, deltas, results,
                        gradient);
    }
}
