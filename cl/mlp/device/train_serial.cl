/* Training for CPUs. Work-items do not share work: each computes tiles of MR x NR numbers, which are in registers, with
 * the columns of a tile side by side in vectors.
 *
 * An update is two launches. In mlp_serial_rows a work-item takes BLOCK rows of the batch through the net and back;
 * the data that it reads and writes stay in the caches of a core. In mlp_serial_update a work-item has SPAN inputs of
 * a layer with all outputs of the layer: it sums the gradient of their weights over the rows of the batch, in the
 * order of the rows, and updates the weights at once. No sum depends on the number of cores. Where an update needs
 * the norm of the gradient or its penalty first, the gradient is stored, and mlp_serial_apply is a third launch.
 *
 * The parameters of a layer are a matrix with a row for each input, a last row for the biases, and a column for each
 * output, NR columns at a time: the forward product and the gradient read and write these rows in line. The backward
 * product needs a row for each output: `back` has the weights of all layers but the first in this form.
 */
#include "lib/gemm/lanes.clh"
#include "lib/prefetch.clh"
#include "mlp/device/rows.clh"
#include "mlp/device/update.clh"

#ifndef WG
#define WG 1
#endif
#ifndef MR
#define MR 8
#endif
#ifndef NR
#define NR 32
#endif
/* Number of rows of a batch that a work-item handles: a multiple of MR. */
#ifndef BLOCK
#define BLOCK 16
#endif
/* Number of inputs that a work-item handles in an update: a multiple of MR. */
#ifndef SPAN
#define SPAN 32
#endif
/* Number of rows that are summed at a time. */
#ifndef CHUNK
#define CHUNK 512
#endif
/* Bit k: at least one layer has activation k. */
#ifndef ACTIVATIONS
#define ACTIVATIONS 2047
#endif

/* Bits of a number, of which 0 has none. */
#if REAL == 64
#define BITS(number) (as_ulong(number) != 0)
#else
#define BITS(number) as_uint(number)
#endif
/* #pragma unroll within a macro. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif
#define INLINE inline __attribute__((always_inline))
/* Number of columns that a layer's last tile computes if it has no more: whole vectors. */
#if WIDE
#define NARROW LANES
#else
#define NARROW ((NR + 1) / 2)
#endif

#if BLOCK % MR != 0 || SPAN % MR != 0
#error "BLOCK and SPAN are multiples of MR"
#endif

/* Defines a function which computes tile[i][j], the sum over k of a[i * a_row + k * a_term] b[k * b_pitch + j], of `vectors`
 * vectors of columns; the other columns become 0. Multiplication and addition are a plain expression, because compilers
 * do not vectorise calls. Prefetches `share` bytes from `next` on for each k. */
#define DEFINE_MULTIPLY(name, vectors)                                                                            \
    static inline void name(__global const real *a, uint a_row, uint a_term, __global const real *b, uint b_pitch, \
                            uint terms, __global const uchar *next, uint share, real *tile)                       \
    {                                                                                                             \
        lanes sums[MR * (vectors)];                                                                               \
        uint k, i, j;                                                                                             \
        UNROLL                                                                                                    \
        for (i = 0; i < MR * (vectors); i++)                                                                      \
            sums[i] = R(0.0);                                                                                     \
        for (k = 0; k < terms; k++, a += a_term, b += b_pitch) {                                                  \
            if (share > 0u) {                                                                                     \
                PREFETCH(next);                                                                                   \
                next += share;                                                                                    \
            }                                                                                                     \
            UNROLL                                                                                                \
            for (i = 0; i < MR; i++) {                                                                            \
                UNROLL                                                                                            \
                for (j = 0; j < (vectors); j++)                                                                   \
                    sums[i * (vectors) + j] += a[i * a_row] * LOAD_LANES(j, b);                                   \
            }                                                                                                     \
        }                                                                                                         \
        UNROLL                                                                                                    \
        for (i = 0; i < MR * (vectors); i++)                                                                      \
            STORE_LANES(sums[i], i / (vectors) * VECTORS + i % (vectors), tile);                                  \
        for (i = 0; i < MR; i++)                                                                                  \
            for (j = (vectors) * LANES; j < NR; j++)                                                              \
                tile[i * NR + j] = R(0.0);                                                                        \
    }

DEFINE_MULTIPLY(multiply_tile_ahead, VECTORS)
DEFINE_MULTIPLY(multiply_narrow, NARROW / LANES)

static void multiply_tile(__global const real *a, uint a_row, uint a_term, __global const real *b, uint b_pitch,
                          uint terms, real *tile)
{
    multiply_tile_ahead(a, a_row, a_term, b, b_pitch, terms, 0, 0u, tile);
}

#define ACTIVATE(kind)                                                                                            \
    if ((ACTIVATIONS >> (kind) & 1) && layer.activation == (kind))                                                \
        for (i = 0; i < MR * NR; i++) {                                                                           \
            const real v = tile[i], y = mlp_activate(kind, slope, v);                                             \
            tile[i] = y;                                                                                          \
            if (trains)                                                                                           \
                slopes[i] = mlp_derivative(kind, slope, v, y);                                                    \
        }

/* Replaces the sums of a tile by values. trains: sets `slopes` to the derivatives of the values with respect to the
 * sums. */
static INLINE void activate_tile(struct mlp_layer layer, real slope, const int trains, real *tile, real *slopes)
{
    uint i;
    ACTIVATE(MLP_LOGISTIC)
    ACTIVATE(MLP_TANH)
    ACTIVATE(MLP_RELU)
    ACTIVATE(MLP_LEAKY_RELU)
    ACTIVATE(MLP_GELU)
    ACTIVATE(MLP_GELU_TANH)
    ACTIVATE(MLP_SILU)
    ACTIVATE(MLP_THRESHOLD)
    ACTIVATE(MLP_PIECEWISE_LINEAR)
    if (trains && layer.activation == MLP_LINEAR)
        for (i = 0; i < MR * NR; i++)
            slopes[i] = R(1.0);
}

/* Applies dropout to the values and slopes of a tile. unit: number in the net of the tile's first column. */
static void drop_tile(ulong seed, uint update, uint limit, real keep, uint row, uint unit, real *tile, real *slopes)
{
    uint i, j;
    for (i = 0; i < MR; i++)
        for (j = 0; j < NR; j++) {
            const uint at = i * NR + j;
            const int is_dropped = mlp_is_dropped(seed, update, row + i, unit + j, limit);
            tile[at] = is_dropped ? R(0.0) : tile[at] / keep;
            slopes[at] = is_dropped ? R(0.0) : slopes[at] / keep;
        }
}

/* Computes a layer's values of the rows at first .. end - 1 of `values`. trains, a constant: the derivatives of the values
 * are stored, too. next: the rows of the next block, which a layer's tiles prefetch together, each a part; NULL: nothing
 * is prefetched. */
static INLINE void forward(struct mlp_step step, struct mlp_layer layer, int is_raw, __global const real *fixed, uint number,
                           uint first, uint end, const int trains, __global const uchar *next,
                           __global const real *parameters, __global real *values, __global real *deltas)
{
    const real slope = fixed[MLP_FIXED_LAYERS + 2 * number], keep = fixed[MLP_FIXED_LAYERS + 2 * number + 1];
    const uint steps = (layer.outputs + NR - 1) / NR * (BLOCK / MR) * (layer.inputs + 1u);
    const uint share = (BLOCK * step.row_bytes + steps - 1u) / steps;
    const int is_plain = is_raw || layer.activation == MLP_SOFTMAX;
    real tile[MR * NR], slopes[MR * NR];
    uint column, row, i, j;
    for (column = 0; column < layer.outputs; column += NR)
        for (row = first; row < end; row += MR) {
            __global const real *from = values + layer.in + row * layer.in_pitch;
            __global const real *by = parameters + layer.weights + column;
            if (next != 0) {
                multiply_tile_ahead(from, layer.in_pitch, 1u, by, layer.weight_pitch, layer.inputs + 1u, next, share, tile);
                next += (ulong)share * (layer.inputs + 1u);
            } else if (layer.outputs - column <= NARROW) {
                multiply_narrow(from, layer.in_pitch, 1u, by, layer.weight_pitch, layer.inputs + 1u, 0, 0u,
                                tile);
            } else {
                multiply_tile(from, layer.in_pitch, 1u, by, layer.weight_pitch, layer.inputs + 1u, tile);
            }
            if (!is_plain)
                activate_tile(layer, slope, trains, tile, slopes);
            if (trains && layer.dropout_limit > 0u && (step.flags & MLP_STEP_TRAIN) && !(step.flags & MLP_STEP_PROBE))
                drop_tile(step.seed, step.update, layer.dropout_limit, keep, row, layer.first_unit + column, tile,
                          slopes);
            for (i = 0; i < MR; i++) {
                __global real *to = values + layer.out + (row + i) * layer.out_pitch + column;
                for (j = 0; j < NR; j++)
                    to[j] = tile[i * NR + j];
            }
            if (trains && !is_plain && (step.flags & MLP_STEP_TRAIN))
                for (i = 0; i < MR; i++) {
                    __global real *to = deltas + layer.delta + (row + i) * layer.delta_pitch + column;
                    for (j = 0; j < NR; j++)
                        to[j] = slopes[i * NR + j];
                }
        }
    for (row = first; row < end; row++)
        values[layer.out + row * layer.out_pitch + layer.outputs] = R(1.0);
}

/* Computes the deltas of a layer from the deltas of the next layer. The deltas replace the derivatives of the
 * layer's values. */
static void backward(struct mlp_layer layer, struct mlp_layer next, uint first, uint end, __global const real *back,
                     __global real *deltas)
{
    real tile[MR * NR];
    uint column, row, i, j;
    for (column = 0; column < layer.outputs; column += NR)
        for (row = first; row < end; row += MR) {
            multiply_tile(deltas + next.delta + row * next.delta_pitch, next.delta_pitch, 1u,
                          back + next.back + column, next.back_pitch, next.outputs, tile);
            for (i = 0; i < MR; i++) {
                __global real *to = deltas + layer.delta + (row + i) * layer.delta_pitch + column;
                const uint columns = min((uint)NR, layer.outputs - column);
                for (j = 0; j < columns; j++)
                    to[j] *= tile[i * NR + j];
                for (j = columns; j < NR; j++)
                    to[j] = R(0.0);
            }
        }
}

/* Copies the inputs of a row of the data, scaled, to `to`, and a 1 for the biases behind them. Returns not 0 if an input is
 * not finite: such a number minus itself is not 0. */
static INLINE uint gather_row(struct mlp_step step, __global const uchar *from, __global const real *scale,
                              __global real *to)
{
    uint wrong = 0u, i;
    for (i = 0; i < step.inputs; i++) {
        const real value = mlp_input(from, scale, step.inputs, i);
        wrong |= BITS(value - value);
        to[i] = value;
    }
    to[step.inputs] = R(1.0);
    return wrong;
}

/* Computes the losses of a block's rows, the sums of the losses, and the deltas of the last layer. */
static void lose(struct mlp_step step, struct mlp_layer last, uint block, uint first, uint end,
                 __global const real *fixed, __global const uint *classes, __global const real *targets,
                 __global const real *weights, __global const real *values, __global real *deltas, __global real *sums)
{
    real loss = R(0.0), total = R(0.0), score = R(0.0);
    __global real *to = sums + (ulong)(step.sums + block) * MLP_SUM_SIZE;
    uint place, o;
    for (place = first; place < end; place++) {
        const uint row = mlp_step_row(step, place);
        const real weight = step.flags & MLP_STEP_WEIGHTS ? weights[row] : R(1.0);
        __global const real *y = values + last.out + place * last.out_pitch;
        __global real *delta = deltas + last.delta + place * last.delta_pitch;
        score += weight * mlp_row_score(step, last, fixed, classes, targets, row, y, delta);
        loss += weight * mlp_row_loss(step, last, fixed, classes, targets, row, y, delta, weight);
        total += weight;
        for (o = last.outputs; o < last.delta_pitch; o++)
            delta[o] = R(0.0);
    }
    to[MLP_SUM_LOSS] = loss;
    to[MLP_SUM_WEIGHT] = total;
    to[MLP_SUM_SCORE] = score;
}

/* Writes the predictions of the rows at first .. end - 1 of `values`, of which the first is row `row` of the pass. */
static void show(struct mlp_step step, struct mlp_layer last, __global real *values, uint first, uint end, uint row,
                 __global real *outputs)
{
    uint place, o;
    for (place = first; place < end; place++, row++) {
        __global real *y = values + last.out + place * last.out_pitch;
        mlp_predict_row(last, y, last.outputs);
        for (o = 0; o < last.outputs; o++)
            outputs[(ulong)(step.slot + row) * step.outputs + o] = y[o];
    }
}

/* Takes the rows of the batch through the net and back; each work-item handles BLOCK rows. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_rows(__global const uchar *data, __global const real *scale, __global const uint *classes,
                     __global const real *targets, __global const real *weights, __global const struct mlp_layer *layers,
                     __global const real *fixed, __global const real *parameters, __global const real *back,
                     __global real *values, __global real *deltas, __global real *sums, __global real *outputs,
                     struct mlp_step step)
{
    const uint block = (uint)get_global_id(0), first = block * BLOCK;
    const uint end = min(first + BLOCK, step.count);
    const struct mlp_layer last = layers[step.layer_count - 1];
    /* Of rows in order it is known where those of the next block are, which this core takes next as a rule. */
    __global const uchar *next = (step.flags & MLP_STEP_IN_ORDER) && first + 2 * BLOCK <= step.count
                                     ? data + (ulong)(step.first + first + BLOCK) * step.row_bytes
                                     : 0;
    uint l, place;
    if (first < step.count) {
        for (place = first; place < end; place++)
            gather_row(step, data + (ulong)mlp_step_row(step, place) * step.row_bytes, scale,
                       values + place * layers[0].in_pitch);
        for (l = 0; l < step.layer_count; l++)
            forward(step, layers[l], (l + 1 == step.layer_count) & FROM_LOGITS, fixed, l, first, end, 1,
                    l == 0 ? next : 0, parameters, values, deltas);
        if (!FROM_LOGITS && last.activation == MLP_SOFTMAX)
            for (place = first; place < end; place++) {
                __global real *y = values + last.out + place * last.out_pitch;
                mlp_normalise(y, y, last.outputs);
            }
        if (step.flags & MLP_STEP_PREDICT)
            show(step, last, values, first, end, first, outputs);
        if (step.flags & MLP_STEP_SCORE)
            lose(step, last, block, first, end, fixed, classes, targets, weights, values, deltas, sums);
        if (step.flags & MLP_STEP_TRAIN)
            for (l = step.layer_count - 1; l > 0; l--)
                backward(layers[l - 1], layers[l], first, end, back, deltas);
    }
}

/* Predicts rows in order. A work-item takes step.block rows, BLOCK at a time; its values of all these rows have the
 * same place in memory, so that they stay in the caches of a core. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_predict(__global const uchar *data, __global const real *scale, __global const struct mlp_layer *layers,
                        __global const real *fixed, __global const real *parameters, __global real *values,
                        __global real *sums, __global real *outputs, struct mlp_step step)
{
    const uint item = (uint)get_global_id(0), first = item * BLOCK;
    const uint end = min((item + 1u) * step.block, step.count);
    const struct mlp_layer last = layers[step.layer_count - 1];
    uint row, l, i, wrong = 0u;
    for (row = item * step.block; row < end; row += BLOCK) {
        const uint rows = min((uint)BLOCK, end - row);
        __global const uchar *from = data + (ulong)(step.first + row) * step.row_bytes;
        __global const uchar *next = row + 2 * BLOCK <= step.count ? from + BLOCK * step.row_bytes : 0;
        for (i = 0; i < rows; i++)
            wrong |= gather_row(step, from + i * step.row_bytes, scale, values + (first + i) * layers[0].in_pitch);
        for (l = 0; l < step.layer_count; l++)
            forward(step, layers[l], (l + 1 == step.layer_count) & FROM_LOGITS, fixed, l, first, first + rows, 0,
                    l == 0 ? next : 0, parameters, values, 0);
        if (!FROM_LOGITS && last.activation == MLP_SOFTMAX)
            for (i = 0; i < rows; i++) {
                __global real *y = values + last.out + (first + i) * last.out_pitch;
                mlp_normalise(y, y, last.outputs);
            }
        show(step, last, values, first, first + rows, row, outputs);
    }
    if (wrong != 0u && (step.flags & MLP_STEP_CHECK))
        sums[0] = R(1.0);
}

/* Returns the layer of a work-item's span. *number: on entry the index of the span among the spans of all layers,
 * on return its index among the spans of that layer. */
static uint find_span(struct mlp_step step, __global const struct mlp_layer *layers, uint *number)
{
    uint l = 0;
    while (l < step.layer_count) {
        const uint spans = (layers[l].inputs + SPAN) / SPAN; /* the row of the biases counts as an input */
        if (*number < spans)
            break;
        *number -= spans;
        l++;
    }
    return l;
}

/* Returns the sum over all blocks of the batch of one kind of sum, such as MLP_SUM_LOSS. */
static real add_sums(struct mlp_step step, __global const real *sums, uint kind)
{
    const uint blocks = (step.count + BLOCK - 1) / BLOCK;
    real sum = R(0.0);
    uint block;
    for (block = 0; block < blocks; block++)
        sum += sums[(ulong)(step.sums + block) * MLP_SUM_SIZE + kind];
    return sum;
}

static void record(struct mlp_step step, __global const real *sums, __global real *records)
{
    uint kind;
    for (kind = 0; kind < MLP_SUM_SIZE; kind++)
        records[step.slot * MLP_SUM_SIZE + kind] = add_sums(step, sums, kind);
}

/* Updates `count` neighbouring parameters of a row, whose mean gradient is g. */
static void move_parameters(mlp_update set, const real *g, uint count, __global real *restrict w, __global real *restrict s0,
                            __global real *restrict s1, __global real *restrict s2)
{
    uint j;
    for (j = 0; j < count; j++) {
        real a = R(0.0), b = R(0.0), c = R(0.0);
        if (OPTIMISER != MLP_SGD)
            a = s0[j];
        if (OPTIMISER >= MLP_ADAM)
            b = s1[j];
        if (OPTIMISER == MLP_IRPROP_PLUS)
            c = s2[j];
        w[j] = mlp_apply(set, w[j], g[j], &a, &b, &c);
        if (OPTIMISER != MLP_SGD)
            s0[j] = a;
        if (OPTIMISER >= MLP_ADAM)
            s1[j] = b;
        if (OPTIMISER == MLP_IRPROP_PLUS)
            s2[j] = c;
    }
}

/* Copies the parameters of a row to the form for the backward product. */
static void copy_back(struct mlp_layer layer, uint input, uint column, uint columns, __global const real *w,
                      __global real *back)
{
    uint j;
    for (j = 0; j < columns; j++)
        back[layer.back + (column + j) * layer.back_pitch + input] = w[j];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_update(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *settings,
                       __global const real *values, __global const real *deltas, __global const real *sums,
                       __global real *parameters, __global real *s0, __global real *s1, __global real *s2,
                       __global real *back, __global real *gradient, __global real *records, __global real *norms,
                       struct mlp_step step)
{
    const uint item = step.first_item + (uint)get_global_id(0);
    uint span = item, chunk, column, input, i, j;
    const uint l = find_span(step, layers, &span);
    real tile[MR * NR], squares = R(0.0), penalty = R(0.0);
    if (l < step.layer_count) {
        const struct mlp_layer layer = layers[l];
        const uint end = min((span + 1) * SPAN, layer.inputs + 1);
        const real weight = add_sums(step, sums, MLP_SUM_WEIGHT);
        const real inverse = step.flags & MLP_STEP_SUM ? R(1.0) : weight > R(0.0) ? R(1.0) / weight : R(0.0);
        const mlp_update set = mlp_settings(fixed, settings, step.flags & MLP_STEP_SUM ? 0u : step.slot, 0);
        for (chunk = 0; chunk < step.count; chunk += CHUNK)
            for (column = 0; column < layer.outputs; column += NR)
                for (input = span * SPAN; input < end; input += MR) {
                    const uint terms = min((uint)CHUNK, step.count - chunk);
                    multiply_tile(values + layer.in + chunk * layer.in_pitch + input, 1u, layer.in_pitch,
                                  deltas + layer.delta + chunk * layer.delta_pitch + column, layer.delta_pitch, terms,
                                  tile);
                    for (i = 0; i < MR && input + i < end; i++) {
                        const uint place = layer.weights + (input + i) * layer.weight_pitch + column;
                        const int is_bias = input + i == layer.inputs;
                        real *g = tile + i * NR;
                        mlp_update own = set;
                        if (chunk > 0)
                            for (j = 0; j < NR; j++)
                                g[j] += gradient[place + j];
                        if (chunk + CHUNK < step.count) {
                            for (j = 0; j < NR; j++)
                                gradient[place + j] = g[j];
                            continue;
                        }
                        for (j = 0; j < NR; j++)
                            g[j] *= inverse;
                        if ((step.flags & MLP_STEP_PENALTY) && !is_bias)
                            for (j = 0; j < NR; j++) {
                                penalty += mlp_penalty_of(fixed, parameters[place + j]);
                                g[j] += mlp_penalty_slope(fixed, parameters[place + j]);
                            }
                        if (step.flags & MLP_STEP_GRADIENT) {
                            for (j = 0; j < NR; j++) {
                                gradient[place + j] = g[j];
                                squares += g[j] * g[j];
                            }
                            continue;
                        }
                        if (is_bias)
                            own.keep = R(1.0);
                        move_parameters(own, g, NR, parameters + place, s0 + place, s1 + place, s2 + place);
                        if (l > 0 && !is_bias)
                            copy_back(layer, input + i, column, min((uint)NR, layer.outputs - column), parameters + place,
                                      back);
                    }
                }
        norms[item * MLP_NORM_SIZE + MLP_NORM_SQUARES] = squares;
        norms[item * MLP_NORM_SIZE + MLP_NORM_PENALTY] = penalty;
        if (item == 0)
            record(step, sums, records);
    }
}

/* Whether the launch updates the group of NR parameters that begins at index `place`, a multiple of NR. */
static inline int is_updated(struct mlp_step step, uint place)
{
    return place / NR >= step.first_item && place / NR <= step.last_item;
}

/* Computes the mean gradient with its penalty from the sums over all shards of a batch, and for each work-item the
 * sum of the gradient's squares and the penalty. totals: the sums of the gradient, in the order of the parameters,
 * and at step.sums the sums of the losses, which are recorded. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_collect(__global const struct mlp_layer *layers, __global const real *fixed,
                        __global const real *totals, __global const real *parameters, __global real *gradient,
                        __global real *records, __global real *norms, struct mlp_step step)
{
    const uint item = (uint)get_global_id(0);
    uint span = item, column, input, j;
    const uint l = find_span(step, layers, &span);
    real squares = R(0.0), penalty = R(0.0);
    if (l < step.layer_count) {
        const struct mlp_layer layer = layers[l];
        __global const real *losses = totals + (ulong)step.sums * MLP_SUM_SIZE;
        const real weight = step.flags & MLP_STEP_WEIGHTS ? losses[MLP_SUM_WEIGHT] : (real)step.count;
        const real inverse = weight > R(0.0) ? R(1.0) / weight : R(0.0);
        for (input = span * SPAN; input < min((span + 1) * SPAN, layer.inputs + 1); input++)
            for (column = 0; column < layer.outputs; column += NR) {
                const uint place = layer.weights + input * layer.weight_pitch + column;
                if (!is_updated(step, place))
                    continue;
                for (j = 0; j < NR; j++) {
                    real g = totals[place + j] * inverse;
                    if ((step.flags & MLP_STEP_PENALTY) && input < layer.inputs) {
                        penalty += mlp_penalty_of(fixed, parameters[place + j]);
                        g += mlp_penalty_slope(fixed, parameters[place + j]);
                    }
                    gradient[place + j] = g;
                    squares += g * g;
                }
            }
        if (step.flags & MLP_STEP_GRADIENT) {
            norms[item * MLP_NORM_SIZE + MLP_NORM_SQUARES] = squares;
            norms[item * MLP_NORM_SIZE + MLP_NORM_PENALTY] = penalty;
        }
        if (item == 0)
            for (j = 0; j < MLP_SUM_SIZE; j++)
                records[step.slot * MLP_SUM_SIZE + j] = losses[j];
    }
}

/* Makes the update from a stored gradient, with its norm and with the loss with its penalty. losses: two numbers,
 * the losses with penalty of the previous update and of this update. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_apply(__global const struct mlp_layer *layers, __global const real *fixed, __global const real *settings,
                      __global const real *sums, __global const real *norms, __global const real *gradient,
                      __global real *parameters, __global real *s0, __global real *s1, __global real *s2,
                      __global real *back, __global real *losses, struct mlp_step step)
{
    const uint item = (uint)get_global_id(0);
    uint span = item, column, input, j;
    const uint l = find_span(step, layers, &span);
    if (l < step.layer_count) {
        const struct mlp_layer layer = layers[l];
        real factor = R(1.0), g[NR];
        int rose = 0;
        mlp_update set;
        if (step.flags & MLP_STEP_GRADIENT) {
            const real weight = add_sums(step, sums, MLP_SUM_WEIGHT), clip = fixed[MLP_FIXED_CLIP];
            real loss = weight > R(0.0) ? add_sums(step, sums, MLP_SUM_LOSS) / weight : R(0.0), squares = R(0.0), norm;
            for (j = 0; j < step.items; j++) {
                squares += norms[j * MLP_NORM_SIZE + MLP_NORM_SQUARES];
                loss += norms[j * MLP_NORM_SIZE + MLP_NORM_PENALTY];
            }
            norm = sqrt(squares);
            if (clip > R(0.0) && norm > clip)
                factor = clip / norm;
            rose = loss > losses[1u - step.turn];
            if (item == 0)
                losses[step.turn] = loss;
        }
        set = mlp_settings(fixed, settings, step.slot, rose);
        for (input = span * SPAN; input < min((span + 1) * SPAN, layer.inputs + 1); input++) {
            const int is_bias = input == layer.inputs;
            mlp_update own = set;
            if (is_bias)
                own.keep = R(1.0);
            for (column = 0; column < layer.outputs; column += NR) {
                const uint place = layer.weights + input * layer.weight_pitch + column;
                if (!is_updated(step, place))
                    continue;
                for (j = 0; j < NR; j++)
                    g[j] = factor * gradient[place + j];
                move_parameters(own, g, NR, parameters + place, s0 + place, s1 + place, s2 + place);
                if (l > 0 && !is_bias)
                    copy_back(layer, input, column, min((uint)NR, layer.outputs - column), parameters + place, back);
            }
        }
    }
}

/* Copies all weights for the backward product, after the parameters have been set from outside. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_serial_back(__global const struct mlp_layer *layers, __global const real *parameters, __global real *back,
                     struct mlp_step step)
{
    uint span = (uint)get_global_id(0), input;
    const uint l = find_span(step, layers, &span);
    if (l > 0 && l < step.layer_count) {
        const struct mlp_layer layer = layers[l];
        for (input = span * SPAN; input < min((span + 1) * SPAN, layer.inputs); input++)
            copy_back(layer, input, 0u, layer.outputs, parameters + layer.weights + input * layer.weight_pitch, back);
    }
}
