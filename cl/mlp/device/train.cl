/* Training for GPUs, beside the products of layer.cl: what is not a product.
 *
 * Sums over rows are made in parts, each in its order, and the parts are added in theirs, so that an update is the same
 * bits in each run.
 */
#include "lib/real.clh"
#include "mlp/device/rows.clh"
#include "mlp/device/update.clh"

#ifndef WG
#define WG 128
#endif
/* Rows that a work-group gathers. */
#ifndef GATHERED
#define GATHERED 4
#endif

/* Are derivatives by the sums of a layer stored, or do they follow from its values? */
static inline int mlp_stores_slopes(struct mlp_layer layer)
{
    return layer.activation == MLP_GELU || layer.activation == MLP_GELU_TANH || layer.activation == MLP_SILU ||
           layer.dropout_limit > 0u;
}

/* Sum over a work-group, which all of its work-items get. */
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

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_gather(__global const uchar *data, __global const real *scale, __global const struct mlp_layer *layers,
                __global real *values, struct mlp_step step)
{
    __local uint rows[GATHERED];
    const uint lid = (uint)get_local_id(0), first = (uint)get_group_id(0) * GATHERED, pitch = layers[0].in_pitch;
    uint k, index;
    for (k = lid; k < GATHERED; k += WG)
        rows[k] = first + k < step.count ? mlp_step_row(step, first + k) : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = 0; k < GATHERED; k++)
        if (first + k < step.count) {
            __global const uchar *from = data + (ulong)rows[k] * step.row_bytes;
            __global real *to = values + (ulong)(first + k) * pitch;
            for (index = lid; index < step.inputs; index += WG)
                to[index] = mlp_input(from, scale, step.inputs, index);
        }
}

/* Losses of rows, a row for each work-item, their sums for each work-group, and the deltas of the last layer. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_lose(__global const uint *classes, __global const real *targets, __global const real *weights,
              __global const struct mlp_layer *layers, __global const real *fixed, __global real *values,
              __global real *deltas, __global real *sums, __global real *outputs, struct mlp_step step)
{
    __local real room[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), place = group * WG + lid;
    const struct mlp_layer last = layers[step.layer_count - 1];
    real loss = R(0.0), total = R(0.0), hits = R(0.0);
    uint o;
    if (place < step.count) {
        __global real *y = values + last.out + (ulong)place * last.out_pitch;
        __global real *delta = deltas + last.delta + (ulong)place * last.delta_pitch;
        if ((last.activation == MLP_SOFTMAX) & !FROM_LOGITS)
            mlp_normalise(y, y, last.outputs);
        if (step.flags & MLP_STEP_PREDICT)
            mlp_predict_row(last, y, outputs + (ulong)place * step.outputs, step.outputs);
        if (step.flags & MLP_STEP_SCORE) {
            const uint row = mlp_step_row(step, place);
            total = step.flags & MLP_STEP_WEIGHTS ? weights[row] : R(1.0);
            if (!FROM_LOGITS & !mlp_stores_slopes(last))
                for (o = 0; o < last.outputs; o++)
                    delta[o] = mlp_derivative(last.activation, fixed[MLP_FIXED_LAYERS + 2u * (step.layer_count - 1u)],
                                              y[o], y[o]);
            hits = mlp_is_hit(step, classes, row, y) ? total : R(0.0);
            loss = total * mlp_row_loss(step, last, fixed, classes, targets, row, y, delta, total);
        }
    }
    if (step.flags & MLP_STEP_SCORE) {
        __global real *to = sums + (ulong)(step.sums + group) * MLP_SUM_SIZE;
        loss = add_up(loss, room, lid);
        total = add_up(total, room, lid);
        hits = add_up(hits, room, lid);
        if (lid == 0) {
            to[MLP_SUM_LOSS] = loss;
            to[MLP_SUM_WEIGHT] = total;
            to[MLP_SUM_HITS] = hits;
        }
    }
}

/* Gradients of biases: part `index / units` of unit `index % units` of the net. parts[part][unit]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_bias_parts(__global const struct mlp_layer *layers, __global const real *deltas, __global real *parts,
                    struct mlp_step step)
{
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint units = last.first_unit + last.outputs, index = (uint)get_global_id(0);
    const uint unit = index % units, part = index / units, count = last.back_pitch;
    const uint rows = (step.count + count - 1) / count;
    const uint first = part * rows, end = min(first + rows, step.count);
    uint l = 0, place;
    if (part < count) {
        real sum = R(0.0);
        while (unit >= layers[l].first_unit + layers[l].outputs)
            l++;
        for (place = first; place < end; place++)
            sum += deltas[layers[l].delta + (ulong)place * layers[l].delta_pitch + unit - layers[l].first_unit];
        parts[index] = sum;
    }
}

/* The losses of an update, by one work-group. */
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

/* Layer of a parameter. `*unit` becomes that of a bias, and is left where it is a weight. */
static uint find_layer(struct mlp_step step, __global const struct mlp_layer *layers, uint index, uint *unit)
{
    uint l = 0;
    while (l + 1 < step.layer_count && index >= layers[l].biases + layers[l].outputs)
        l++;
    if (index >= layers[l].biases)
        *unit = layers[l].first_unit + index - layers[l].biases;
    return l;
}

#define NO_UNIT 0xFFFFFFFFu

/* The sum of a parameter's parts. */
static real add_parts(struct mlp_layer layer, uint units, uint count, uint index, uint unit,
                      __global const real *parts, __global const real *bias_parts)
{
    const uint plane = (count + 3u) / 4u * 4u;
    real sum = R(0.0);
    uint part;
    if (unit != NO_UNIT)
        for (part = 0; part < layer.back_pitch; part++)
            sum += bias_parts[part * units + unit];
    else
        for (part = 0; part < layer.back; part++)
            sum += parts[(ulong)part * plane + index];
    return sum;
}

/* Weight of the batch: known where rows have none, else mlp_total came before. */
static real weight_of(struct mlp_step step, __global const real *records)
{
    return step.flags & MLP_STEP_WEIGHTS ? records[step.slot * MLP_SUM_SIZE + MLP_SUM_WEIGHT] : (real)step.count;
}

/* The gradient with its penalty, and for each work-group the sum of its squares and the penalty. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_collect(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *records,
                 __global const real *parts, __global const real *bias_parts, __global const real *parameters,
                 __global real *gradient, __global real *norms, struct mlp_step step)
{
    __local real room[WG];
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint index = (uint)get_global_id(0), group = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint count = last.biases + last.outputs, units = last.first_unit + last.outputs;
    real g = R(0.0), penalty = R(0.0);
    if (index < count) {
        uint unit = NO_UNIT;
        const uint l = find_layer(step, layers, index, &unit);
        const real weight = weight_of(step, records);
        g = add_parts(layers[l], units, count, index, unit, parts, bias_parts) * (weight > R(0.0) ? R(1.0) / weight : R(0.0));
        if ((step.flags & MLP_STEP_PENALTY) && unit == NO_UNIT) {
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

/* The update, from the parts of the gradient, or from that of mlp_collect. The last work-group records the losses, where
 * mlp_total has not. losses: of the last update and of this one. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_move(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *settings,
              __global const real *sums, __global real *records, __global const real *parts,
              __global const real *bias_parts, __global const real *gradient, __global const real *norms,
              __global real *losses, __global real *parameters, __global real *s0, __global real *s1, __global real *s2,
              struct mlp_step step)
{
    __local real room[WG];
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint index = (uint)get_global_id(0), group = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint count = last.biases + last.outputs, units = last.first_unit + last.outputs;
    const uint groups = (count + WG - 1) / WG, is_stored = step.flags & MLP_STEP_GRADIENT;
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
        uint unit = NO_UNIT;
        const uint l = find_layer(step, layers, index, &unit);
        mlp_update set = mlp_settings(fixed, settings, step.slot, (int)rose);
        real g, a = R(0.0), b = R(0.0), c = R(0.0);
        if (is_stored) {
            g = factor * gradient[index];
        } else {
            const real weight = weight_of(step, records);
            g = add_parts(layers[l], units, count, index, unit, parts, bias_parts) *
                (weight > R(0.0) ? R(1.0) / weight : R(0.0));
            if ((step.flags & MLP_STEP_PENALTY) && unit == NO_UNIT)
                g += mlp_penalty_slope(fixed, parameters[index]);
        }
        if (unit != NO_UNIT)
            set.keep = R(1.0);
        if (OPTIMISER != MLP_SGD)
            a = s0[index];
        if (OPTIMISER >= MLP_ADAM)
            b = s1[index];
        if (OPTIMISER == MLP_IRPROP_PLUS)
            c = s2[index];
        parameters[index] = mlp_apply(set, parameters[index], g, &a, &b, &c);
        if (OPTIMISER != MLP_SGD)
            s0[index] = a;
        if (OPTIMISER >= MLP_ADAM)
            s1[index] = b;
        if (OPTIMISER == MLP_IRPROP_PLUS)
            s2[index] = c;
    }
}
