/* The first method of the thesis: a thread takes whole rows, one after another, through the net and back, and has its
 * own sums of all derivatives, which update.cl adds later. Values of neurons and the sums are in global memory. */
#ifndef WG
#define WG 64
#endif

#include "mlp/thesis/net.clh"

/* The values of a thread, which are `pitch` apart in memory. */
struct thread {
    __global real *in, *hidden, *out, *back;
    __global real *sums; /* sums of hidden units, with KEEPS_SUMS */
    ulong pitch;
};

static INLINE struct thread thread_of(__global real *values, struct thesis_step step)
{
    const int by_block = (step.flags & THESIS_VALUES_A) != 0;
    struct thread own;
    own.pitch = by_block ? (ulong)WG : (ulong)get_global_size(0);
    own.in = values + (by_block ? (ulong)get_group_id(0) * WG * step.items + (ulong)get_local_id(0) : (ulong)get_global_id(0));
    own.hidden = own.in + (step.inputs + 1u) * own.pitch;
    own.out = own.hidden + (step.hidden + 1u) * own.pitch;
    own.back = own.out + step.outputs * own.pitch;
    own.sums = own.back + step.outputs * own.pitch;
    return own;
}

/* delta_pitch: distance between the sums of derivatives of a thread; delta_place: index of the first of these sums. */
static INLINE ulong delta_pitch(struct thesis_step step)
{
    return step.flags & THESIS_DELTAS_A ? (ulong)WG : (ulong)get_global_size(0);
}

static INLINE ulong delta_place(struct thesis_step step)
{
    return step.flags & THESIS_DELTAS_A ? (ulong)get_group_id(0) * WG * step.slab + (ulong)get_local_id(0)
                                        : (ulong)get_global_id(0);
}

/* The sum of unit `column`. values: `count` values; the last one is 1, the factor of the bias. */
static real sum_of(__global const real *values, ulong pitch, __global const real *weights, uint count, uint columns, uint column)
{
    real sum = R(0.0);
    uint i;
    for (i = 0u; i < count; i++)
        sum += values[i * pitch] * weights[(ulong)i * columns + column];
    return sum;
}

static void forward(struct thread own, __global const real *row, __global const real *parameters, struct thesis_step step,
                    real hidden_slope, real last_slope)
{
    uint k;
    for (k = 0u; k < step.inputs; k++)
        own.in[k * own.pitch] = row[k];
    own.in[step.inputs * own.pitch] = R(1.0);
    for (k = 0u; k < step.hidden; k++) {
        const real sum = sum_of(own.in, own.pitch, parameters, step.inputs + 1u, step.hidden, k);
        own.hidden[k * own.pitch] = mlp_activate(HIDDEN, hidden_slope, sum);
        if (KEEPS_SUMS)
            own.sums[k * own.pitch] = sum;
    }
    own.hidden[step.hidden * own.pitch] = R(1.0);
    for (k = 0u; k < step.outputs; k++) {
        const real sum = sum_of(own.hidden, own.pitch, parameters + step.second, step.hidden + 1u, step.outputs, k);
        const real y = FROM_LOGITS ? sum : mlp_activate(LAST, last_slope, sum);
        own.out[k * own.pitch] = y;
        own.back[k * own.pitch] = mlp_derivative(LAST, last_slope, sum, y);
    }
}

static void add(__global real *to, real value, int stores)
{
    *to = stores ? value : *to + value;
}

static void backward(struct thread own, __global const real *parameters, __global real *deltas, ulong pitch, int stores,
                     struct thesis_step step, real hidden_slope)
{
    uint i, j, k;
    for (j = 0u; j <= step.hidden; j++)
        for (k = 0u; k < step.outputs; k++)
            add(deltas + (step.second + (ulong)j * step.outputs + k) * pitch,
                own.hidden[j * own.pitch] * own.back[k * own.pitch], stores);
    for (j = 0u; j < step.hidden; j++) {
        __global const real *weights = parameters + step.second + (ulong)j * step.outputs;
        const real y = own.hidden[j * own.pitch], sum = KEEPS_SUMS ? own.sums[j * own.pitch] : R(0.0);
        real delta = R(0.0);
        for (k = 0u; k < step.outputs; k++)
            delta += weights[k] * own.back[k * own.pitch];
        delta *= mlp_derivative(HIDDEN, hidden_slope, sum, y);
        for (i = 0u; i <= step.inputs; i++)
            add(deltas + ((ulong)i * step.hidden + j) * pitch, own.in[i * own.pitch] * delta, stores);
    }
}

/* The first method: takes the rows of the step through the net and back. All work-items of all work-groups share
 * the rows. With THESIS_PREDICTS, `predictions` receives the outputs for the rows of the step. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_v1(__global const real *inputs, __global const real *targets, __global const uint *classes /* or NULL */,
               __global const real *row_weights, __global const real *parameters, __global real *values,
               __global real *deltas, __global real *predictions, real hidden_slope, real last_slope, real huber,
               struct thesis_step step)
{
    const struct thread own = thread_of(values, step);
    const ulong pitch = delta_pitch(step);
    const uint threads = (uint)get_global_size(0);
    int stores = (step.flags & THESIS_STORES) != 0;
    real loss = R(0.0), score = R(0.0);
    uint place, o;
    deltas += delta_place(step);
    for (place = (uint)get_global_id(0); place < step.rows; place += threads) {
        const uint row = step.first + place;
        __global const real *truth = targets + (ulong)row * step.outputs;
        const real weight = row_weights[row];
        struct thesis_level level;
        real lost = R(0.0), missed = R(0.0);
        level.level = level.total = R(0.0);
        forward(own, inputs + (ulong)row * step.inputs, parameters, step, hidden_slope, last_slope);
        if (LOSS == MLP_LOSS_CROSS_ENTROPY)
            level = thesis_level_of(own.out, own.pitch, truth, step.outputs);
        for (o = 0u; o < step.outputs; o++) {
            const real y = own.out[o * own.pitch];
            __global real *back = own.back + o * own.pitch;
            *back = weight * thesis_delta(y, truth[o], *back, level, step.outputs, huber, &lost);
            if (NUMBERS)
                missed += thesis_missed(thesis_shown(y, level.level), truth[o], row_weights[step.factors + o]);
            if (step.flags & THESIS_PREDICTS)
                predictions[(ulong)place * step.outputs + o] = thesis_shown(y, level.level);
        }
        loss += weight * lost;
        if (!NUMBERS)
            score += thesis_is_guess(own.out, own.pitch, step.outputs, classes[row]) ? weight : R(0.0);
        else
            score += weight * (R(1.0) - missed);
        if (step.flags & THESIS_TRAINS)
            backward(own, parameters, deltas, pitch, stores, step, hidden_slope);
        stores = 0;
    }
    deltas[step.tail * pitch] = loss;
    deltas[(step.tail + 1u) * pitch] = score;
}

/* Clears the sums; each thread clears its own. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_clear(__global real *deltas, struct thesis_step step)
{
    const ulong pitch = delta_pitch(step);
    uint k;
    deltas += delta_place(step);
    for (k = 0u; k < step.slab; k++)
        deltas[k * pitch] = R(0.0);
}
