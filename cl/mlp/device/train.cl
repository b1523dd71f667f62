/* Training on GPUs, except the products of layer.cl.
 *
 * Sums over rows are made in parts, each in a fixed order, and the parts are added in a fixed order, so that an update
 * has the same bits in each run.
 */
#include "mlp/device/unit.clh"
#include "mlp/device/update.clh"
#include "lib/gemm/quad.clh"

#ifndef WG
#define WG 128
#endif
/* GATHERED: rows that a work-group gathers; AT_ONCE: numbers (or quads) that a work-item loads before it stores the
 * first. */
#ifndef GATHERED
#define GATHERED 4
#endif
#define AT_ONCE (GATHERED < 4 ? 2 : 4)
/* 1: the number of inputs is a multiple of 4, so four inputs of a row are read and written at once. */
#ifndef QUADS
#define QUADS 0
#endif

/* 1: mlp_head of head.cl has computed the gradient of the last layer and of the biases of the layer before. */
#ifndef HEAD
#define HEAD 1
#endif

/* Returns to all work-items of a work-group the sum of their values. */
static real add_up(real value, local real *room, uint lid)
{
    uint width;
    real sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    room[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (width = WG / 2; width > 0; width /= 2) {
        if (lid < width)
            room[lid] += room[lid + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = room[0];
    return sum;
}

#if QUADS
#define GATHER quad
#define GATHER_WIDTH 4
/* Four inputs of a row in the form in which they are stored. */
#if STORAGE <= 1
typedef uchar4 stored;
#elif STORAGE == 2
typedef float4 stored;
#else
typedef struct {
    double x, y, z, w;
} stored;
#endif

static inline quad take_inputs(__global const uchar *row, __global const real *scale, uint inputs, uint i)
{
    quad q;
#if STORAGE == 0
    const uint bits = row[i >> 3] >> (i & 4u);
    stored v;
    v.x = bits & 1u;
    v.y = bits >> 1 & 1u;
    v.z = bits >> 2 & 1u;
    v.w = bits >> 3 & 1u;
#else
    const stored v = ((__global const stored *)row)[i / 4u];
#endif
    q.x = mlp_scale_input((real)v.x, scale, inputs, i);
    q.y = mlp_scale_input((real)v.y, scale, inputs, i + 1u);
    q.z = mlp_scale_input((real)v.z, scale, inputs, i + 2u);
    q.w = mlp_scale_input((real)v.w, scale, inputs, i + 3u);
    return q;
}
#else
#define GATHER real
#define GATHER_WIDTH 1
#define take_inputs mlp_input
#endif

/* Gathers the inputs of the batch and, unless rows are in order, the row numbers. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_gather(__global const uchar *data, __global const real *scale, __global const struct mlp_layer *layers,
                __global real *values, __global uint *order, struct mlp_step step)
{
    __local uint rows[GATHERED];
    const uint lid = (uint)get_local_id(0), first = (uint)get_group_id(0) * GATHERED, pitch = layers[0].in_pitch;
    const uint width = step.inputs / GATHER_WIDTH, count = min((uint)GATHERED, step.count - first) * width;
    uint i, index;
    for (i = lid; i < GATHERED; i += WG) {
        rows[i] = mlp_step_row(step, min(first + i, step.count - 1u));
        if (first + i < step.count)
            order[first + i] = rows[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (index = lid; index < count; index += WG * AT_ONCE) {
        GATHER numbers[AT_ONCE];
#pragma unroll
        for (i = 0; i < AT_ONCE; i++) {
            const uint at = min(index + i * WG, count - 1u);
            numbers[i] = take_inputs(data + (ulong)rows[at / width] * step.row_bytes, scale, step.inputs,
                                     at % width * GATHER_WIDTH);
        }
#pragma unroll
        for (i = 0; i < AT_ONCE; i++) {
            const uint at = index + i * WG;
            if (at < count)
                *(__global GATHER *)(values + (ulong)(first + at / width) * pitch + at % width * GATHER_WIDTH) = numbers[i];
        }
    }
}

/* Computes the values of layer number step.slot for a batch whose sums are in parts. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_finish(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *parameters,
                __global const real *planes, __global real *values, __global real *deltas, struct mlp_step step)
{
    const struct mlp_layer layer = layers[step.slot];
    const ulong index = get_global_id(0);
    const uint place = (uint)(index / layer.outputs);
    if (place < step.count)
        finish_unit(step, layer, step.slot, place, (uint)(index % layer.outputs), fixed, parameters, planes, values,
                    deltas);
}

/* Computes losses of rows, a row for each work-item; their sums for each work-group; and the deltas of the last
 * layer. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_lose(__global const uint *classes, __global const real *targets, __global const real *weights,
              __global const struct mlp_layer *layers, __global const real *fixed, __global real *values,
              __global real *deltas, __global real *sums, __global real *outputs, struct mlp_step step)
{
    __local real room[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), place = group * WG + lid;
    const struct mlp_layer last = layers[step.layer_count - 1];
    real own[MLP_SUM_SIZE];
    uint o;
    for (o = 0; o < MLP_SUM_SIZE; o++)
        own[o] = R(0.0);
    if (!HEAD && place < step.count) {
        __global real *global_y = values + last.out + (ulong)place * last.out_pitch;
        __global real *global_delta = deltas + last.delta + (ulong)place * last.delta_pitch;
#if OUTPUTS > 0
        real y[OUTPUTS], delta[OUTPUTS];
        for (o = 0; o < OUTPUTS; o++) {
            y[o] = global_y[o];
            delta[o] = mlp_stores_slopes(last) ? global_delta[o] : R(0.0);
        }
#else
        __global real *y = global_y;
        __global real *delta = global_delta;
#endif
        if ((last.activation == MLP_SOFTMAX) & !FROM_LOGITS)
            mlp_normalise(y, y, last.outputs);
        if (step.flags & MLP_STEP_SCORE)
            lose_row(step, last, mlp_step_row(step, place), classes, targets, weights, fixed, y, delta, own);
        if (step.flags & MLP_STEP_PREDICT) {
            mlp_predict_row(last, y, last.outputs);
            for (o = 0; o < ROW_COUNT(last.outputs); o++)
                outputs[(ulong)(step.slot + place) * step.outputs + o] = y[o];
        }
#if OUTPUTS > 0
        for (o = 0; o < OUTPUTS; o++)
            global_delta[o] = delta[o];
#endif
    }
    if (step.flags & MLP_STEP_SCORE)
        for (o = 0; o < MLP_SUM_SIZE; o++) {
            const real sum = add_up(own[o], room, lid);
            if (lid == 0)
                sums[(ulong)(step.sums + group) * MLP_SUM_SIZE + o] = sum;
        }
}

/* The part of the gradient that mlp_head has computed: `length` parameters from `first` on, with a sum from each of its
 * work-groups. */
struct head_part {
    uint first, length;
};

static struct head_part find_head(struct mlp_step step, __global const struct mlp_layer *layers)
{
    const struct mlp_layer last = layers[step.layer_count - 1];
    struct head_part part;
    const uint end = last.biases + last.outputs;
    part.first = end;
    if (HEAD)
        part.first = step.layer_count > 1u ? layers[step.layer_count - 2u].biases : last.weights;
    part.length = end - part.first;
    return part;
}

/* Number of numbers that are read at a time. */
#define AT_A_TIME 8

/* The sum of `count` numbers that are `step` apart in memory, added as AT_A_TIME sums, each over every AT_A_TIME-th
 * number. */
static real add_apart(__global const real *from, ulong step, uint count)
{
    real sums[AT_A_TIME];
    uint k, i;
#pragma unroll
    for (i = 0; i < AT_A_TIME; i++)
        sums[i] = i < count ? from[i * step] : R(0.0);
    for (k = AT_A_TIME; k + AT_A_TIME <= count; k += AT_A_TIME) {
#pragma unroll
        for (i = 0; i < AT_A_TIME; i++)
            sums[i] += from[(k + i) * step];
    }
#pragma unroll
    for (i = 0; i < AT_A_TIME; i++)
        if (k + i < count)
            sums[i] += from[(k + i) * step];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/* Adds the losses of all blocks and records the sums in the slot of the update. All work-items of one work-group
 * call this. */
static void record(struct mlp_step step, __global const real *sums, __global real *records, local real *room, uint lid)
{
    uint kind, block;
    for (kind = 0; kind < MLP_SUM_SIZE; kind++) {
        real sum = R(0.0);
        for (block = lid; block < step.items; block += WG)
            sum += sums[(ulong)(step.sums + block) * MLP_SUM_SIZE + kind];
        sum = add_up(sum, room, lid);
        if (lid == 0)
            records[step.slot * MLP_SUM_SIZE + kind] = sum;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_total(__global const real *sums, __global real *records, struct mlp_step step)
{
    __local real room[WG];
    record(step, sums, records, room, (uint)get_local_id(0));
}

/* Number of the layer of parameter `index`. */
static uint find_layer(struct mlp_step step, __global const struct mlp_layer *layers, uint index)
{
    uint l = 0;
    while (l + 1 < step.layer_count && index >= layers[l].biases + layers[l].outputs)
        l++;
    return l;
}

/* The sum of the parts of a parameter's gradient. */
static real add_parts(struct mlp_step step, __global const struct mlp_layer *layers, uint l, uint count, uint index,
                      __global const real *parts, __global const real *head_parts)
{
    const struct head_part head = find_head(step, layers);
    if (index >= head.first)
        return add_apart(head_parts + index - head.first, head.length, step.items);
    return add_apart(parts + index, (count + 3u) / 4u * 4u, layers[l].back);
}

/* Weight of the batch. If rows have weights, an earlier launch of mlp_total has computed the weight. */
static real weight_of(struct mlp_step step, __global const real *records)
{
    return step.flags & MLP_STEP_WEIGHTS ? records[step.slot * MLP_SUM_SIZE + MLP_SUM_WEIGHT] : (real)step.count;
}

/* Computes the gradient with its penalty, and for each work-group the sum of the gradient's squares and the penalty. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_collect(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *records,
                 __global const real *parts, __global const real *head_parts, __global const real *parameters,
                 __global real *gradient, __global real *norms, struct mlp_step step)
{
    __local real room[WG];
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint group = step.first_item + (uint)get_group_id(0), lid = (uint)get_local_id(0), index = group * WG + lid;
    const uint count = last.biases + last.outputs;
    real g = R(0.0), penalty = R(0.0);
    if (index < count) {
        const uint l = find_layer(step, layers, index);
        const real weight = weight_of(step, records);
        g = add_parts(step, layers, l, count, index, parts, head_parts) *
            (weight > R(0.0) ? R(1.0) / weight : R(0.0));
        if ((step.flags & MLP_STEP_PENALTY) && index < layers[l].biases) {
            g += mlp_penalty_slope(fixed, parameters[index]);
            penalty = mlp_penalty_of(fixed, parameters[index]);
        }
        gradient[index] = g;
    }
    g = add_up(g * g, room, lid);
    penalty = add_up(penalty, room, lid);
    if (lid == 0) {
        norms[group * MLP_NORM_SIZE + MLP_NORM_SQUARES] = g;
        norms[group * MLP_NORM_SIZE + MLP_NORM_PENALTY] = penalty;
    }
}

/* Makes the update from the parts of the gradient, or from the gradient that mlp_collect has stored. The first
 * work-group records the losses, unless mlp_total has recorded them. losses: two numbers, the losses with penalty
 * of the previous update and of this update. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_move(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *settings,
              __global const real *sums, __global real *records, __global const real *parts,
              __global const real *head_parts, __global const real *gradient, __global const real *norms,
              __global real *losses, __global real *parameters, __global real *s0, __global real *s1,
              __global real *s2, struct mlp_step step)
{
    __local real room[WG];
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint count = last.biases + last.outputs, groups = (count + WG - 1) / WG, lid = (uint)get_local_id(0);
    /* The first work-groups update the last parameters, since these have the most parts. */
    const uint group = step.last_item - (uint)get_group_id(0), index = group * WG + lid;
    const uint is_stored = step.flags & MLP_STEP_GRADIENT;
    real factor = R(1.0);
    uint rose = 0, k;
    if (is_stored) {
        const real weight = weight_of(step, records), clip = fixed[MLP_FIXED_CLIP];
        real squares = R(0.0), loss = R(0.0);
        for (k = lid; k < groups; k += WG) {
            squares += norms[k * MLP_NORM_SIZE + MLP_NORM_SQUARES];
            loss += norms[k * MLP_NORM_SIZE + MLP_NORM_PENALTY];
        }
        squares = sqrt(add_up(squares, room, lid));
        loss = add_up(loss, room, lid);
        if (weight > R(0.0))
            loss += records[step.slot * MLP_SUM_SIZE + MLP_SUM_LOSS] / weight;
        if (clip > R(0.0) && squares > clip)
            factor = clip / squares;
        rose = loss > losses[1u - step.turn];
        if (group == 0 && lid == 0)
            losses[step.turn] = loss;
    }
    if (group == groups && !is_stored && !(step.flags & MLP_STEP_WEIGHTS))
        record(step, sums, records, room, lid);
    if (index < count) {
        const uint l = find_layer(step, layers, index), is_bias = index >= layers[l].biases;
        mlp_update set = mlp_settings(fixed, settings, step.slot, (int)rose);
        const real w = parameters[index];
        real g, a = R(0.0), b = R(0.0), c = R(0.0);
        if (OPTIMISER != MLP_SGD)
            a = s0[index];
        if (OPTIMISER >= MLP_ADAM)
            b = s1[index];
        if (OPTIMISER == MLP_IRPROP_PLUS)
            c = s2[index];
        if (is_stored) {
            g = factor * gradient[index];
        } else {
            const real weight = weight_of(step, records);
            g = add_parts(step, layers, l, count, index, parts, head_parts) *
                (weight > R(0.0) ? R(1.0) / weight : R(0.0));
            if ((step.flags & MLP_STEP_PENALTY) && !is_bias)
                g += mlp_penalty_slope(fixed, w);
        }
        if (is_bias)
            set.keep = R(1.0);
        parameters[index] = mlp_apply(set, w, g, &a, &b, &c);
        if (OPTIMISER != MLP_SGD)
            s0[index] = a;
        if (OPTIMISER >= MLP_ADAM)
            s1[index] = b;
        if (OPTIMISER == MLP_IRPROP_PLUS)
            s2[index] = c;
    }
}
