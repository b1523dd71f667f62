/* Training for GPUs, beside the products of layer.cl: what is not a product.
 *
 * Sums over rows are made in parts, each in its order, and the parts are added in theirs, so that an update is the same
 * bits in each run.
 */
#include "lib/real.clh"

/* Outputs of the net, which a row has in private memory; 0: too many for that. */
#ifndef OUTPUTS
#define OUTPUTS 10
#endif
#if OUTPUTS > 0
#define ROW_SPACE
#define ROW_COUNT(outputs) OUTPUTS
#endif
#include "mlp/device/rows.clh"
#include "mlp/device/update.clh"

#ifndef WG
#define WG 128
#endif
/* Rows that a work-group gathers. */
#ifndef GATHERED
#define GATHERED 4
#endif

/* 1: mlp_head does the last layer, whose outputs are few, and what is before and behind it. */
#ifndef HEAD
#define HEAD 1
#endif
/* Rows of a work-group there, and numbers of local memory for their inputs. */
#ifndef HEAD_ROWS
#define HEAD_ROWS 4
#endif
#ifndef HEAD_ROOM
#define HEAD_ROOM 2048
#endif
/* Work-items that share an output. */
#define LANES_OF (WG >= 8 ? 8 : WG)
/* Units of the biases that neighbours have; the other work-items have other rows. */
#define BIAS_UNITS (WG >= 32 ? 32 : WG)

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

/* Value of a unit whose sum lies in parts: bias, activation, dropout. Stores it, and its derivative. */
static real finish_unit(struct mlp_step step, struct mlp_layer layer, uint l, uint place, uint unit,
                        __global const real *fixed, __global const real *parameters, __global const real *planes,
                        __global real *values, __global real *deltas)
{
    const real slope = fixed[MLP_FIXED_LAYERS + 2u * l], keep = fixed[MLP_FIXED_LAYERS + 2u * l + 1u];
    const int is_raw = (l + 1u == step.layer_count) & FROM_LOGITS;
    const ulong at = (ulong)place * layer.out_pitch + unit, plane = (ulong)step.count * layer.out_pitch;
    real v = parameters[layer.biases + unit], y, steep;
    uint part;
    for (part = 0; part < layer.split; part++)
        v += planes[part * plane + at];
    y = is_raw ? v : mlp_activate(layer.activation, slope, v);
    if (mlp_stores_slopes(layer) && (step.flags & MLP_STEP_TRAIN)) {
        steep = is_raw ? R(1.0) : mlp_derivative(layer.activation, slope, v, y);
        if (layer.dropout_limit > 0u && !(step.flags & MLP_STEP_PROBE)) {
            const int is_dropped = mlp_is_dropped(step.seed, step.update, place, layer.first_unit + unit,
                                                  layer.dropout_limit);
            y = is_dropped ? R(0.0) : y / keep;
            steep = is_dropped ? R(0.0) : steep / keep;
        }
        deltas[layer.delta + (ulong)place * layer.delta_pitch + unit] = steep;
    }
    values[layer.out + at] = y;
    return y;
}

/* The same of all units of layer step.slot of a batch. */
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

/* Loss of the row at a place of the batch: three sums of it. y: its outputs, delta: the derivatives of them by the sums,
 * where they are stored, then those of the loss. */
static void lose_row(struct mlp_step step, struct mlp_layer last, uint place, __global const uint *classes,
                     __global const real *targets, __global const real *weights, __global const real *fixed,
                     ROW_SPACE const real *y, ROW_SPACE real *delta, real *sums)
{
    const uint row = mlp_step_row(step, place);
    const real weight = step.flags & MLP_STEP_WEIGHTS ? weights[row] : R(1.0);
    uint o;
    if (!FROM_LOGITS & !mlp_stores_slopes(last))
        for (o = 0; o < ROW_COUNT(last.outputs); o++)
            delta[o] = mlp_derivative(last.activation, fixed[MLP_FIXED_LAYERS + 2u * (step.layer_count - 1u)], y[o], y[o]);
    sums[MLP_SUM_HITS] = mlp_is_hit(step, classes, row, y) ? weight : R(0.0);
    sums[MLP_SUM_LOSS] = weight * mlp_row_loss(step, last, fixed, classes, targets, row, y, delta, weight);
    sums[MLP_SUM_WEIGHT] = weight;
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
    real own[MLP_SUM_SIZE];
    uint o;
    for (o = 0; o < MLP_SUM_SIZE; o++)
        own[o] = R(0.0);
    if (place < step.count) {
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
            lose_row(step, last, place, classes, targets, weights, fixed, y, delta, own);
        if (step.flags & MLP_STEP_PREDICT) {
            mlp_predict_row(last, y, last.outputs);
            for (o = 0; o < ROW_COUNT(last.outputs); o++)
                outputs[(ulong)place * step.outputs + o] = y[o];
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

#if HEAD
/* Sums of the last layer, each by LANES_OF work-items. */
static void multiply_out(struct mlp_layer last, uint rows, uint lid, __global const real *parameters,
                         local const real *inputs, local real *parts, local real *results)
{
    uint begin, k;
    for (begin = 0; begin < HEAD_ROWS * OUTPUTS; begin += WG / LANES_OF) {
        const uint pair = begin + lid / LANES_OF, row = pair / OUTPUTS, output = pair % OUTPUTS, lane = lid % LANES_OF;
        real sum = R(0.0);
        if (row < rows)
            for (k = lane; k < last.inputs; k += LANES_OF)
                sum += inputs[row * last.inputs + k] * parameters[last.weights + (ulong)output * last.inputs + k];
        parts[lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0 && row < rows) {
            for (k = 1; k < LANES_OF; k++)
                sum += parts[lid + k];
            results[pair] = sum + parameters[last.biases + output];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Deltas of the layer before the last one. inputs, results: its values, and the deltas of the last layer. */
static void go_back(struct mlp_layer layer, struct mlp_layer last, real slope, uint first, uint rows, uint lid,
                    __global const real *parameters, local const real *inputs, local const real *results,
                    __global real *deltas)
{
    uint k, o, r;
    for (k = lid; k < last.inputs; k += WG) {
        real back[HEAD_ROWS];
        for (r = 0; r < HEAD_ROWS; r++)
            back[r] = R(0.0);
        for (o = 0; o < OUTPUTS; o++) {
            const real w = parameters[last.weights + (ulong)o * last.inputs + k];
            for (r = 0; r < HEAD_ROWS; r++)
                if (r < rows)
                    back[r] += w * results[r * OUTPUTS + o];
        }
        for (r = 0; r < HEAD_ROWS; r++)
            if (r < rows) {
                __global real *to = deltas + layer.delta + (ulong)(first + r) * layer.delta_pitch + k;
                const real y = inputs[r * last.inputs + k];
                *to = back[r] * (mlp_stores_slopes(layer) ? *to : mlp_derivative(layer.activation, slope, y, y));
            }
    }
}
#endif

/* The last layer of HEAD_ROWS rows: values of the layer before it where they lie in parts, outputs, losses, deltas of the
 * last layer and of the one before it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_head(__global const uint *classes, __global const real *targets, __global const real *weights,
              __global const struct mlp_layer *layers, __global const real *fixed, __global const real *parameters,
              __global const real *planes, __global real *values, __global real *deltas, __global real *sums,
              __global real *outputs, struct mlp_step step)
{
#if HEAD
    __local real inputs[HEAD_ROOM];
    __local real parts[WG];
    __local real results[HEAD_ROWS * OUTPUTS];
    __local real row_sums[HEAD_ROWS * MLP_SUM_SIZE];
    const uint lid = (uint)get_local_id(0), first = (uint)get_group_id(0) * HEAD_ROWS;
    const uint rows = first < step.count ? min((uint)HEAD_ROWS, step.count - first) : 0u;
    const uint number = step.layer_count - 1u;
    const struct mlp_layer last = layers[number], before = layers[number > 0u ? number - 1u : 0u];
    uint k, o;
    for (k = lid; k < rows * last.inputs; k += WG) {
        const uint place = first + k / last.inputs, unit = k % last.inputs;
        inputs[k] = number > 0u && before.split > 0u
                        ? finish_unit(step, before, number - 1u, place, unit, fixed, parameters, planes, values, deltas)
                        : values[last.in + (ulong)place * last.in_pitch + unit];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    multiply_out(last, rows, lid, parameters, inputs, parts, results);
    for (k = lid; k < HEAD_ROWS * MLP_SUM_SIZE; k += WG)
        row_sums[k] = R(0.0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < rows) {
        const real slope = fixed[MLP_FIXED_LAYERS + 2u * number];
        real y[OUTPUTS], delta[OUTPUTS], own[MLP_SUM_SIZE];
        for (o = 0; o < OUTPUTS; o++) {
            const real v = results[lid * OUTPUTS + o];
            y[o] = FROM_LOGITS ? v : mlp_activate(last.activation, slope, v);
            delta[o] = FROM_LOGITS ? R(0.0) : mlp_derivative(last.activation, slope, v, y[o]);
        }
        if ((last.activation == MLP_SOFTMAX) & !FROM_LOGITS)
            mlp_normalise(y, y, OUTPUTS);
        if (step.flags & MLP_STEP_SCORE) {
            lose_row(step, last, first + lid, classes, targets, weights, fixed, y, delta, own);
            for (k = 0; k < MLP_SUM_SIZE; k++)
                row_sums[lid * MLP_SUM_SIZE + k] = own[k];
        }
        for (o = 0; o < OUTPUTS; o++) {
            results[lid * OUTPUTS + o] = delta[o];
            if (step.flags & MLP_STEP_TRAIN)
                deltas[last.delta + (ulong)(first + lid) * last.delta_pitch + o] = delta[o];
        }
        if (step.flags & MLP_STEP_PREDICT) {
            mlp_predict_row(last, y, OUTPUTS);
            for (o = 0; o < OUTPUTS; o++)
                outputs[(ulong)(first + lid) * OUTPUTS + o] = y[o];
        }
    }
    /* The derivatives of the layer before it were stored by other work-items. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (o = lid; o < MLP_SUM_SIZE && (step.flags & MLP_STEP_SCORE); o += WG) {
        real sum = R(0.0);
        for (k = o; k < HEAD_ROWS * MLP_SUM_SIZE; k += MLP_SUM_SIZE)
            sum += row_sums[k];
        sums[(ulong)(step.sums + first / HEAD_ROWS) * MLP_SUM_SIZE + o] = sum;
    }
    if (number > 0u && (step.flags & MLP_STEP_TRAIN))
        go_back(before, last, fixed[MLP_FIXED_LAYERS + 2u * (number - 1u)], first, rows, lid, parameters, inputs, results,
                deltas);
#endif
}

/* Gradients of biases, in parts: parts[part][unit]. A work-group has BIAS_UNITS neighbours of the net's units. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_bias_parts(__global const struct mlp_layer *layers, __global const real *deltas, __global real *parts,
                    struct mlp_step step)
{
    __local real room[WG];
    const struct mlp_layer last = layers[step.layer_count - 1];
    const uint lid = (uint)get_local_id(0), units = last.first_unit + last.outputs, count = last.back_pitch;
    const uint blocks = (units + BIAS_UNITS - 1) / BIAS_UNITS, group = (uint)get_group_id(0), part = group / blocks;
    const uint unit = group % blocks * BIAS_UNITS + lid % BIAS_UNITS, lane = lid / BIAS_UNITS;
    const uint rows = (step.count + count - 1) / count, end = min((part + 1u) * rows, step.count);
    uint l = 0, place, k;
    real sum = R(0.0);
    if (unit < units) {
        __global const real *from;
        while (unit >= layers[l].first_unit + layers[l].outputs)
            l++;
        from = deltas + layers[l].delta + unit - layers[l].first_unit;
        for (place = part * rows + lane; place < end; place += WG / BIAS_UNITS)
            sum += from[(ulong)place * layers[l].delta_pitch];
    }
    room[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && unit < units) {
        for (k = 1; k < WG / BIAS_UNITS; k++)
            sum += room[lid + k * BIAS_UNITS];
        parts[part * units + unit] = sum;
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
