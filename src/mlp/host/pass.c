#include "mlp/host/pass.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors/processor.h"
#include "mlp/host/products.h"

#include <stdlib.h>

#include "mlp/host/texts.h"

enum { BLOCK = PASS_BLOCK, LANES = PASS_LANES };

struct pass {
    const struct net *net;
    size_t rows, blocks, block_size;
    struct thread_choice threads;
    /* For each block: the inputs; for each layer the values of its units, then the sums of its units, which
     * the derivatives of the loss with respect to the sums later replace; at the end the derivatives with
     * respect to the outputs. Each input and each unit has BLOCK numbers, one for each row. */
    double *data;
    /* for each row of a batch: its loss times its weight, its weight, its score times its weight */
    double *loss, *weight, *score;
};

enum shoal_status pass_create(const struct net *net, size_t rows, struct pass **out,
                              struct shoal_error *error)
{
    *out = NULL;
    const size_t blocks = (rows + BLOCK - 1) / BLOCK;
    const double size = ((double)net->inputs + 2.0 * net->units + net->outputs) * BLOCK;
    const enum shoal_status status =
        check_host_memory((double)blocks * (size * sizeof(double) + 3.0 * BLOCK * sizeof(double)) +
                              (double)net->parameters * sizeof(double),
                          "the net with a batch of its rows", "lower the batch or the widths", error);
    if (status)
        return status;
    struct pass *const pass = calloc(1, sizeof *pass);
    if (!pass)
        return fail_host_memory(error);
    *pass = (struct pass){
        .net = net, .rows = rows, .blocks = blocks, .block_size = (size_t)size, .threads = {.most = 1}};
    pass->data = calloc(blocks * pass->block_size + 1, sizeof *pass->data);
    pass->loss = calloc(3 * blocks * BLOCK + 1, sizeof *pass->loss);
    if (!pass->data || !pass->loss) {
        free(pass->data);
        free(pass->loss);
        free(pass);
        return fail_host_memory(error);
    }
    pass->weight = pass->loss + blocks * BLOCK;
    pass->score = pass->weight + blocks * BLOCK;
    *out = pass;
    return SHOAL_OK;
}

void pass_destroy(struct pass **pointer)
{
    if (!pointer || !*pointer)
        return;
    free((*pointer)->data);
    free((*pointer)->loss);
    free(*pointer);
    *pointer = NULL;
}

void pass_factors(const double *targets, const double *weights, size_t first, size_t rows, uint32_t outputs,
                  double *factors)
{
    uint32_t varying = 0;
    for (uint32_t o = 0; o < outputs; o++) {
        double total = 0, mean = 0, spread = 0, low = INFINITY, high = -INFINITY;
        for (size_t row = first; row < first + rows; row++) {
            const double weight = weights ? weights[row] : 1, target = targets[row * outputs + o];
            total += weight;
            mean += weight * target;
            low = weight > 0 ? fmin(low, target) : low;
            high = weight > 0 ? fmax(high, target) : high;
        }
        mean /= total;
        for (size_t row = first; row < first + rows; row++) {
            const double gap = targets[row * outputs + o] - mean;
            spread += (weights ? weights[row] : 1) * gap * gap;
        }
        /* A constant target is recognised by its least and greatest value: because its mean is rounded, its
         * computed spread need not be 0. */
        factors[o] = high > low && spread > 0 ? total / spread : 0;
        varying += factors[o] > 0;
    }
    for (uint32_t o = 0; o < outputs; o++)
        factors[o] = varying ? factors[o] / varying : NAN;
}

void pass_set_threads(struct pass *pass, int threads)
{
    pass->threads = (struct thread_choice){.most = threads > 1 ? threads : 1};
}

/* Returns the values of the units of a layer in a block; their sums follow in memory. Layer 0 is the inputs.
 */
static double *values(const struct pass *pass, size_t block, uint32_t layer)
{
    double *const begin = pass->data + block * pass->block_size;
    return layer == 0
               ? begin
               : begin + ((size_t)pass->net->inputs + 2 * (size_t)pass->net->layers[layer - 1].first_unit) *
                             BLOCK;
}

static double *sums(const struct pass *pass, size_t block, uint32_t layer)
{
    return values(pass, block, layer) + (size_t)pass->net->layers[layer - 1].outputs * BLOCK;
}

static size_t row_of(const struct pass_batch *batch, size_t position)
{
    return batch->row ? batch->row[position] : batch->first + position;
}

static size_t rows_of(const struct pass_batch *batch, size_t block)
{
    return batch->count - block * BLOCK < BLOCK ? batch->count - block * BLOCK : BLOCK;
}

/* Number of rows of a block over which loops run: the rows of the batch, rounded up to a multiple of LANES.
 * Inputs of the rows beyond the batch are 0. */
static size_t lanes_of(const struct pass_batch *batch, size_t block)
{
    return (rows_of(batch, block) + LANES - 1) / LANES * LANES;
}

static void gather(const struct pass *pass, const struct pass_batch *batch, size_t block)
{
    const uint32_t inputs = pass->net->inputs;
    const size_t rows = rows_of(batch, block), lanes = lanes_of(batch, block);
    double *const out = values(pass, block, 0);
    /* LANES rows at a time, whose numbers of an input share a line of the cache. */
    for (size_t begin = 0; begin < lanes; begin += LANES) {
        const double *in[LANES];
        const size_t count = rows - begin < LANES ? rows - begin : LANES;
        for (size_t k = 0; k < count; k++)
            in[k] = batch->data->inputs + row_of(batch, block * BLOCK + begin + k) * inputs;
        for (uint32_t i = 0; i < inputs; i++) {
            double *const to = out + i * (size_t)BLOCK + begin;
            for (size_t k = 0; k < LANES; k++)
                to[k] = k < count ? in[k][i] : 0;
        }
    }
}

static void multiply(const struct pass_product *product)
{
    if (processor_has_avx512())
        pass_multiply_avx512(product);
    else if (processor_has_avx2())
        pass_multiply_avx2(product);
    else
        pass_multiply(product);
}

static uint32_t dropout_limit(const struct net_layer *layer)
{
    return (uint32_t)(layer->dropout * 4294967296.0);
}

static bool drops(const struct pass_batch *batch, const struct net_layer *layer, size_t position, uint32_t o)
{
    return mlp_is_dropped(batch->dropout->seed, batch->dropout->update, (uint32_t)position,
                          layer->first_unit + o, dropout_limit(layer));
}

static void forward_layer(const struct pass *pass, const struct pass_batch *batch, size_t block, uint32_t l,
                          const double *parameters)
{
    const struct net *const net = pass->net;
    const struct net_layer *const layer = &net->layers[l];
    const bool is_raw = l + 1 == net->layer_count && net_is_from_logits(net);
    const bool has_dropout = batch->dropout && layer->dropout > 0;
    const size_t lanes = lanes_of(batch, block);
    multiply(&(struct pass_product){.out = sums(pass, block, l + 1),
                                    .biases = parameters + layer->biases,
                                    .factors = parameters + layer->weights,
                                    .to_output = layer->inputs,
                                    .to_input = 1,
                                    .in = values(pass, block, l),
                                    .inputs = layer->inputs,
                                    .outputs = layer->outputs,
                                    .lanes = lanes});
    for (uint32_t o = 0; o < layer->outputs; o++) {
        double *const y = values(pass, block, l + 1) + o * (size_t)BLOCK;
        const double *const v = sums(pass, block, l + 1) + o * (size_t)BLOCK;
        for (size_t r = 0; r < lanes; r++)
            y[r] = is_raw ? v[r] : mlp_activate(layer->activation, layer->slope, v[r]);
        for (size_t r = 0; has_dropout && r < lanes; r++)
            y[r] = drops(batch, layer, block * BLOCK + r, o) ? 0 : y[r] / (1 - layer->dropout);
    }
}

/* Softmax over the outputs of a row, which lie BLOCK numbers apart. Returns the logarithm of the sum of
 * exp(input). */
static double normalise(const double *in, double *out, uint32_t count)
{
    double most = in[0], sum = 0;
    for (uint32_t o = 1; o < count; o++)
        most = in[o * (size_t)BLOCK] > most ? in[o * (size_t)BLOCK] : most;
    for (uint32_t o = 0; o < count; o++)
        sum += out[o * (size_t)BLOCK] = exp(in[o * (size_t)BLOCK] - most);
    for (uint32_t o = 0; o < count; o++)
        out[o * (size_t)BLOCK] /= sum;
    return most + log(sum);
}

static double target_of(const struct net *net, const struct pass_data *data, size_t row, uint32_t o)
{
    if (!data->classes)
        return data->targets[row * net->outputs + o];
    const double truth = net->outputs == 1 ? data->classes[row] : data->classes[row] == o;
    const double classes = net->outputs == 1 ? 2 : net->outputs;
    return net->smoothing == 0 ? truth : truth * (1 - net->smoothing) + net->smoothing / classes;
}

/* Returns the loss of a row. `slope` receives the derivatives of the loss with respect to the outputs, or
 * with respect to the logits where the loss is computed from these. y: outputs or logits. The numbers of
 * `slope` and y lie BLOCK apart. */
static double row_loss(const struct net *net, const struct pass_data *data, size_t row, const double *y,
                       double *slope)
{
    const uint32_t count = net->outputs;
    double loss = 0;
    if (net->loss == MLP_LOSS_CROSS_ENTROPY) {
        /* The loss is the sum of t * (level - z) over the outputs, with target t and logit z. The terms are
         * small where the logits are right, however large the logits are. */
        const double level = normalise(y, slope, count);
        double total = 0;
        for (uint32_t o = 0; o < count; o++)
            total += target_of(net, data, row, o);
        for (uint32_t o = 0; o < count; o++) {
            const double target = target_of(net, data, row, o);
            loss += target == 0 ? 0 : target * (level - y[o * (size_t)BLOCK]);
            slope[o * (size_t)BLOCK] = total * slope[o * (size_t)BLOCK] - target;
        }
        return loss;
    }
    const double share = net->loss == MLP_LOSS_E ? 1 : 1.0 / count;
    for (uint32_t o = 0; o < count; o++) {
        const double target = target_of(net, data, row, o), value = y[o * (size_t)BLOCK];
        loss += mlp_output_loss(net->loss, net->huber, value, target);
        slope[o * (size_t)BLOCK] = share * mlp_output_slope(net->loss, net->huber, value, target);
    }
    return share * loss;
}

/* Returns output o of a row as predictions show it. If y has logits of softmax, the call for o = 0 computes
 * softmax into `shares`, and calls for later outputs read `shares`. */
static double shown(const struct net *net, const double *y, double *shares, uint32_t o)
{
    const int activation = net->layers[net->layer_count - 1].activation;
    const size_t at = o * (size_t)BLOCK;
    if (!net_is_from_logits(net) || activation == MLP_LINEAR)
        return y[at];
    if (activation == MLP_LOGISTIC)
        return activation_logistic(y[at]);
    if (o == 0)
        normalise(y, shares, net->outputs);
    return shares[at];
}

static bool is_hit(const struct net *net, const struct pass_data *data, size_t row, const double *y)
{
    if (net->outputs == 1)
        return (y[0] > (net->loss == MLP_LOSS_LOGISTIC ? 0 : 0.5)) == (data->classes[row] == 1);
    uint32_t guess = 0;
    for (uint32_t o = 1; o < net->outputs; o++)
        if (y[o * (size_t)BLOCK] > y[guess * (size_t)BLOCK])
            guess = o;
    return guess == data->classes[row];
}

/* Returns the score of a row. `slope` is memory for the outputs of softmax; the call overwrites it. */
static double row_score(const struct net *net, const struct pass_data *data, size_t row, const double *y,
                        double *slope)
{
    if (data->classes)
        return is_hit(net, data, row, y);
    double score = data->factors ? 1 : NAN;
    for (uint32_t o = 0; data->factors && o < net->outputs; o++) {
        const double d = shown(net, y, slope, o) - data->targets[row * net->outputs + o];
        score -= data->factors[o] * d * d;
    }
    return score;
}

/* Replaces v, the sums of the last layer, by the derivatives of the loss with respect to these sums. slope:
 * the derivatives of the loss with respect to the outputs. */
static void pass_through(const struct net *net, const double *y, const double *slope, double weight,
                         double *v)
{
    const struct net_layer *const last = &net->layers[net->layer_count - 1];
    double mixed = 0;
    if (!net_is_from_logits(net) && last->activation == MLP_SOFTMAX)
        for (uint32_t o = 0; o < net->outputs; o++)
            mixed += y[o * (size_t)BLOCK] * slope[o * (size_t)BLOCK];
    for (uint32_t o = 0; o < net->outputs; o++) {
        const size_t at = o * (size_t)BLOCK;
        if (net_is_from_logits(net))
            v[at] = weight * slope[at];
        else if (last->activation == MLP_SOFTMAX)
            v[at] = weight * y[at] * (slope[at] - mixed);
        else
            v[at] = weight * slope[at] * mlp_derivative(last->activation, last->slope, v[at], y[at]);
    }
}

/* Computes the losses of a block. Replaces the sums of the last layer by the derivatives of the loss with
 * respect to these sums, times the weights of the rows. */
static void lose(struct pass *pass, const struct pass_batch *batch, size_t block)
{
    const struct net *const net = pass->net;
    double *const y = values(pass, block, net->layer_count), *const v = sums(pass, block, net->layer_count);
    /* memory for the derivatives with respect to the outputs, after the sums of the last layer */
    double *const slope = v + (size_t)net->outputs * BLOCK;
    const size_t rows = rows_of(batch, block), lanes = lanes_of(batch, block);
    for (size_t r = 0; r < rows; r++) {
        const size_t position = block * BLOCK + r, row = row_of(batch, position);
        const double weight = batch->data->weights ? batch->data->weights[row] : 1;
        pass->weight[position] = weight;
        pass->score[position] = weight * row_score(net, batch->data, row, y + r, slope + r);
        pass->loss[position] = weight * row_loss(net, batch->data, row, y + r, slope + r);
        pass_through(net, y + r, slope + r, weight, v + r);
    }
    for (size_t r = rows; r < lanes; r++)
        for (uint32_t o = 0; o < net->outputs; o++)
            v[o * (size_t)BLOCK + r] = 0;
}

/* Computes the derivatives of the loss with respect to the sums of layer l from its derivatives with respect
 * to the sums of layer l + 1. */
static void backward_layer(const struct pass *pass, const struct pass_batch *batch, size_t block, uint32_t l,
                           const double *parameters)
{
    const struct net_layer *const layer = &pass->net->layers[l], *const next = layer + 1;
    const double *const after = sums(pass, block, l + 2);
    const size_t lanes = lanes_of(batch, block);
    const bool has_dropout = batch->dropout && layer->dropout > 0;
    const double keep = 1 - layer->dropout;
    double all[PASS_UNITS * BLOCK]; /* derivatives with respect to the values of some units */
    for (uint32_t o = 0; o < layer->outputs; o++) {
        const double *const y = values(pass, block, l + 1) + o * (size_t)BLOCK;
        double *const v = sums(pass, block, l + 1) + o * (size_t)BLOCK;
        const double *const back = all + o % PASS_UNITS * BLOCK;
        if (o % PASS_UNITS == 0)
            multiply(&(struct pass_product){.out = all,
                                            .factors = parameters + next->weights + o,
                                            .to_output = 1,
                                            .to_input = next->inputs,
                                            .in = after,
                                            .inputs = next->outputs,
                                            .outputs = layer->outputs - o < PASS_UNITS ? layer->outputs - o
                                                                                       : PASS_UNITS,
                                            .lanes = lanes});
        if (!has_dropout)
            for (size_t r = 0; r < lanes; r++)
                v[r] = back[r] * mlp_derivative(layer->activation, layer->slope, v[r], y[r]);
        else
            for (size_t r = 0; r < lanes; r++)
                v[r] =
                    drops(batch, layer, block * BLOCK + r, o)
                        ? 0
                        : back[r] / keep * mlp_derivative(layer->activation, layer->slope, v[r], y[r] * keep);
    }
}

static double add_lanes(const double *sum)
{
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Adds up, over all rows of the batch in their order, the derivatives with respect to the weights and the
 * bias of output o of layer l. */
static void gather_gradient(const struct pass *pass, const struct pass_batch *batch, uint32_t l, uint32_t o,
                            double *gradient)
{
    const struct net_layer *const layer = &pass->net->layers[l];
    double *const out = gradient + layer->weights + (size_t)o * layer->inputs;
    double *const bias = gradient + layer->biases + o;
    for (uint32_t i = 0; i < layer->inputs; i++)
        out[i] = 0;
    *bias = 0;
    for (size_t block = 0; block * BLOCK < batch->count; block++) {
        const double *const delta = sums(pass, block, l + 1) + o * (size_t)BLOCK;
        const double *const in = values(pass, block, l);
        const size_t lanes = lanes_of(batch, block);
        double total[LANES] = {0};
        for (uint32_t i = 0; i < layer->inputs; i++) {
            double sum[LANES] = {0};
            for (size_t r = 0; r < lanes; r += LANES)
                for (size_t k = 0; k < LANES; k++)
                    sum[k] += delta[r + k] * in[i * (size_t)BLOCK + r + k];
            out[i] += add_lanes(sum);
        }
        for (size_t r = 0; r < lanes; r += LANES)
            for (size_t k = 0; k < LANES; k++)
                total[k] += delta[r + k];
        *bias += add_lanes(total);
    }
}

static void predict(const struct pass *pass, const struct pass_batch *batch, size_t block, double *outputs)
{
    const struct net *const net = pass->net;
    const double *const y = values(pass, block, net->layer_count);
    double *const shares = sums(pass, block, net->layer_count) + (size_t)net->outputs * BLOCK;
    for (size_t r = 0; r < rows_of(batch, block); r++)
        for (uint32_t o = 0; o < net->outputs; o++)
            outputs[(block * BLOCK + r) * net->outputs + o] = shown(net, y + r, shares + r, o);
}

struct work {
    const double *parameters;
    bool is_scored, has_gradient;
    double *outputs;
};

static void run_block(struct pass *pass, const struct pass_batch *batch, size_t block,
                      const struct work *work)
{
    const struct net *const net = pass->net;
    gather(pass, batch, block);
    for (uint32_t l = 0; l < net->layer_count; l++)
        forward_layer(pass, batch, block, l, work->parameters);
    if (net->layers[net->layer_count - 1].activation == MLP_SOFTMAX && !net_is_from_logits(net))
        for (size_t r = 0; r < lanes_of(batch, block); r++)
            normalise(sums(pass, block, net->layer_count) + r, values(pass, block, net->layer_count) + r,
                      net->outputs);
    if (work->outputs)
        predict(pass, batch, block, work->outputs);
    if (!work->is_scored)
        return;
    lose(pass, batch, block);
    for (uint32_t l = work->has_gradient ? net->layer_count - 1 : 0; l-- > 0;)
        backward_layer(pass, batch, block, l, work->parameters);
}

/* Runs `work` on all blocks. A single block needs no further thread. The choice of the number of threads
 * measures a whole pass as one step. */
static void run_blocks(struct pass *pass, const struct pass_batch *batch, size_t blocks,
                       const struct work *work, int threads)
{
#pragma omp parallel num_threads(threads) if (blocks > 1)
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t block = 0; block < blocks; block++)
            run_block(pass, batch, block, work);
        thread_choice_work(&pass->threads, start);
    }
}

static void gather_gradients(struct pass *pass, const struct pass_batch *batch, double *gradient, int threads)
{
    const struct net *const net = pass->net;
#pragma omp parallel num_threads(threads)
    {
        const double start = clock_thread_seconds();
        for (uint32_t l = 0; l < net->layer_count; l++) {
#pragma omp for schedule(static) nowait
            for (uint32_t o = 0; o < net->layers[l].outputs; o++)
                gather_gradient(pass, batch, l, o, gradient);
        }
        thread_choice_work(&pass->threads, start);
    }
}

void pass_take_mean(const struct net *net, double weight, double *gradient)
{
    for (size_t k = 0; k < net->parameters; k++)
        gradient[k] = weight > 0 ? gradient[k] / weight : 0;
}

struct pass_sums pass_run(struct pass *pass, const struct pass_batch *batch, const double *parameters,
                          double *gradient, double *outputs)
{
    const struct net *const net = pass->net;
    const size_t blocks = (batch->count + BLOCK - 1) / BLOCK;
    const bool is_scored = !outputs || gradient;
    const struct work work = {parameters, is_scored, gradient != NULL, outputs};
    const int threads = thread_choice_threads(&pass->threads);
    thread_choice_begin(&pass->threads);
    run_blocks(pass, batch, blocks, &work, threads);
    struct pass_sums sum = {0};
    for (size_t position = 0; is_scored && position < batch->count; position++) {
        sum.loss += pass->loss[position];
        sum.weight += pass->weight[position];
        sum.score += pass->score[position];
    }
    if (gradient) {
        gather_gradients(pass, batch, gradient, threads);
        if (!batch->is_part)
            pass_take_mean(net, sum.weight, gradient);
    }
    thread_choice_end(&pass->threads);
    return sum;
}
