/* The second method of the thesis: a block takes Q rows at a time, and each thread computes one neuron of each layer in
 * turn, for all Q rows. A weight that is read serves Q rows, and the derivatives of Q rows are added before they go to
 * memory, where each block has its own sums, which update.cl adds later. If a layer has more neurons than the block has
 * threads, a thread computes several neurons. */
#ifndef WG
#define WG 64
#endif
#ifndef Q
#define Q 4
#endif
/* 1: values of neurons are in local memory; 0: in global memory. */
#ifndef SHARED
#define SHARED 1
#endif
/* Words of local memory. */
#ifndef ROOM
#define ROOM 1024
#endif

#if SHARED
#define VALUES local
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define VALUES __global
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#include "mlp/thesis/net.clh"

/* The values of a block: first the values of one layer for all Q rows, row after row, then the values of the next
 * layer. */
struct block {
    VALUES real *in, *hidden, *out, *back;
    VALUES real *sums; /* sums of hidden units, with KEEPS_SUMS */
};

/* Sums of unit `column` for Q rows; the last value of each row is 1, the factor of the bias. */
static INLINE void sum_up(const VALUES real *values, __global const real *weights, uint count, uint columns, uint column,
                          real *sum)
{
    uint i, q;
#pragma unroll
    for (q = 0u; q < Q; q++)
        sum[q] = R(0.0);
    for (i = 0u; i < count; i++) {
        const real weight = weights[(ulong)i * columns + column];
#pragma unroll
        for (q = 0u; q < Q; q++)
            sum[q] += values[q * count + i] * weight;
    }
}

static INLINE void load(struct block own, __global const real *inputs, uint first, uint rows, uint count)
{
    uint k, q;
    for (q = 0u; q < Q; q++)
        for (k = (uint)get_local_id(0); k <= count; k += WG)
            own.in[q * (count + 1u) + k] = k == count ? R(1.0) : q < rows ? inputs[(ulong)(first + q) * count + k] : R(0.0);
}

static INLINE void forward(struct block own, __global const real *parameters, struct thesis_step step, real hidden_slope,
                           real last_slope)
{
    real sum[Q];
    uint t, q;
    for (t = (uint)get_local_id(0); t <= step.hidden; t += WG) {
        if (t < step.hidden)
            sum_up(own.in, parameters, step.inputs + 1u, step.hidden, t, sum);
#pragma unroll
        for (q = 0u; q < Q; q++) {
            own.hidden[q * (step.hidden + 1u) + t] = t < step.hidden ? mlp_activate(HIDDEN, hidden_slope, sum[q]) : R(1.0);
            if (KEEPS_SUMS && t < step.hidden)
                own.sums[q * step.hidden + t] = sum[q];
        }
    }
    SYNC();
    for (t = (uint)get_local_id(0); t < step.outputs; t += WG) {
        sum_up(own.hidden, parameters + step.second, step.hidden + 1u, step.outputs, t, sum);
#pragma unroll
        for (q = 0u; q < Q; q++) {
            const real y = FROM_LOGITS ? sum[q] : mlp_activate(LAST, last_slope, sum[q]);
            own.out[q * step.outputs + t] = y;
            own.back[q * step.outputs + t] = mlp_derivative(LAST, last_slope, sum[q], y);
        }
    }
    SYNC();
}

/* For hidden unit t: computes its derivatives for Q rows, and the derivatives of all weights that lead to the
 * unit. */
static INLINE void add_first(struct block own, __global const real *parameters, __global real *deltas, ulong pitch,
                             int stores, struct thesis_step step, uint t, real slope)
{
    __global const real *weights = parameters + step.second + (ulong)t * step.outputs;
    real delta[Q];
    uint i, k, q;
#pragma unroll
    for (q = 0u; q < Q; q++)
        delta[q] = R(0.0);
    for (k = 0u; k < step.outputs; k++) {
#pragma unroll
        for (q = 0u; q < Q; q++)
            delta[q] += weights[k] * own.back[q * step.outputs + k];
    }
#pragma unroll
    for (q = 0u; q < Q; q++)
        delta[q] *= mlp_derivative(HIDDEN, slope, KEEPS_SUMS ? own.sums[q * step.hidden + t] : R(0.0),
                                   own.hidden[q * (step.hidden + 1u) + t]);
    for (i = 0u; i <= step.inputs; i++) {
        __global real *to = deltas + ((ulong)i * step.hidden + t) * pitch;
        real sum = R(0.0);
#pragma unroll
        for (q = 0u; q < Q; q++)
            sum += own.in[q * (step.inputs + 1u) + i] * delta[q];
        *to = stores ? sum : *to + sum;
    }
}

/* For output t: computes the derivatives of all weights that lead to the output. */
static INLINE void add_second(struct block own, __global real *deltas, ulong pitch, int stores, struct thesis_step step,
                              uint t)
{
    real delta[Q];
    uint j, q;
#pragma unroll
    for (q = 0u; q < Q; q++)
        delta[q] = own.back[q * step.outputs + t];
    for (j = 0u; j <= step.hidden; j++) {
        __global real *to = deltas + (step.second + (ulong)j * step.outputs + t) * pitch;
        real sum = R(0.0);
#pragma unroll
        for (q = 0u; q < Q; q++)
            sum += own.hidden[q * (step.hidden + 1u) + j] * delta[q];
        *to = stores ? sum : *to + sum;
    }
}

/* The second method: takes the rows of the step through the net and back. The work-groups share the rows; there is
 * at most one work-group for each Q rows. With THESIS_PREDICTS, `predictions` receives the outputs for the rows of
 * the step. `values` is used if SHARED is 0. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_v2(__global const real *inputs, __global const real *targets, __global const uint *classes /* or NULL */,
               __global const real *row_weights, __global const real *parameters, __global real *values /* or NULL */,
               __global real *deltas, __global real *predictions, real hidden_slope, real last_slope, real huber,
               struct thesis_step step)
{
#if SHARED
#if REAL == 64
    __local real room[ROOM / 2];
#else
    __local real room[ROOM];
#endif
#endif
    const uint lid = (uint)get_local_id(0), blocks = (uint)get_num_groups(0), block = (uint)get_group_id(0);
    const ulong pitch = step.flags & THESIS_DELTAS_A ? (ulong)1 : (ulong)blocks;
    int stores = 1;
    real loss = R(0.0), score = R(0.0);
    struct block own;
    uint place, t, q;
#if SHARED
    own.in = room;
    (void)values;
#else
    own.in = values + (ulong)block * step.items;
#endif
    own.hidden = own.in + Q * (step.inputs + 1u);
    own.out = own.hidden + Q * (step.hidden + 1u);
    own.back = own.out + Q * step.outputs;
    own.sums = own.back + Q * step.outputs;
    deltas += step.flags & THESIS_DELTAS_A ? (ulong)block * step.slab : (ulong)block;
    for (place = block * Q; place < step.rows; place += blocks * Q) {
        const uint row = step.first + place, rows = min((uint)Q, step.rows - place);
        load(own, inputs, row, rows, step.inputs);
        SYNC();
        forward(own, parameters, step, hidden_slope, last_slope);
        for (t = lid; t < step.outputs; t += WG)
            for (q = 0u; q < Q; q++) {
                const VALUES real *y = own.out + q * step.outputs;
                VALUES real *back = own.back + q * step.outputs + t;
                __global const real *truth = targets + (ulong)(row + (q < rows ? q : 0u)) * step.outputs;
                const real weight = q < rows ? row_weights[row + q] : R(0.0);
                struct thesis_level level;
                real lost = R(0.0);
                level.level = level.total = R(0.0);
                if (LOSS == MLP_LOSS_CROSS_ENTROPY)
                    level = thesis_level_of(y, (ulong)1, truth, step.outputs);
                *back = weight * thesis_delta(y[t], truth[t], *back, level, step.outputs, huber, &lost);
                loss += weight * lost;
                if ((step.flags & THESIS_PREDICTS) && q < rows)
                    predictions[(ulong)(place + q) * step.outputs + t] = thesis_shown(y[t], level.level);
                if (NUMBERS)
                    score += weight * ((t == 0u ? R(1.0) : R(0.0)) -
                                       thesis_missed(thesis_shown(y[t], level.level), truth[t], row_weights[step.factors + t]));
                else if (q < rows && t == (step.outputs == 1u ? 0u : classes[row + q]) &&
                         thesis_is_guess(y, (ulong)1, step.outputs, classes[row + q]))
                    score += weight;
            }
        SYNC();
        if (step.flags & THESIS_TRAINS) {
            for (t = lid; t < step.hidden; t += WG)
                add_first(own, parameters, deltas, pitch, stores, step, t, hidden_slope);
            for (t = lid; t < step.outputs; t += WG)
                add_second(own, deltas, pitch, stores, step, t);
        }
        stores = 0;
        SYNC();
    }
    /* The values are not used after this line, so their memory is reused. */
    own.in[lid] = loss;
    own.in[WG + lid] = score;
    SYNC();
    if (lid == 0u) {
        for (t = 1u; t < WG; t++) {
            loss += own.in[t];
            score += own.in[WG + t];
        }
        deltas[step.tail * pitch] = loss;
        deltas[(step.tail + 1u) * pitch] = score;
    }
}
