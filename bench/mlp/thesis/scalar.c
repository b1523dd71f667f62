/* The scalar twin. */
#include "bench/mlp/thesis/cpu.h"
#include "thesis_build.h"

#include <math.h>

static size_t room(const struct thesis_mlp_net *net)
{
    return net->inputs + 1 + 2 * (net->hidden + 1) + 2 * net->outputs;
}

static float logistic(float v)
{
    return 1 / (1 + expf(-v));
}

/* Computes the values of a row's neurons. */
struct row {
    float *in, *hidden, *out, *out_delta, *hidden_delta;
};

static void forward(const struct thesis_mlp_net *net, const float *first, const float *second,
                    const struct row *row)
{
    for (size_t j = 0; j < net->hidden; j++) {
        float sum = 0;
        for (size_t i = 0; i <= net->inputs; i++)
            sum += first[i * net->hidden + j] * row->in[i];
        row->hidden[j] = logistic(sum);
    }
    row->hidden[net->hidden] = 1;
    for (size_t k = 0; k < net->outputs; k++) {
        float sum = 0;
        for (size_t j = 0; j <= net->hidden; j++)
            sum += second[j * net->outputs + k] * row->hidden[j];
        row->out[k] = logistic(sum);
    }
}

static void backward(const struct thesis_mlp_net *net, const float *second, const float *targets,
                     const struct row *row)
{
    for (size_t k = 0; k < net->outputs; k++)
        row->out_delta[k] = (targets[k] - row->out[k]) * row->out[k] * (1 - row->out[k]);
    for (size_t j = 0; j < net->hidden; j++) {
        float sum = 0;
        for (size_t k = 0; k < net->outputs; k++)
            sum += second[j * net->outputs + k] * row->out_delta[k];
        row->hidden_delta[j] = sum * row->hidden[j] * (1 - row->hidden[j]);
    }
}

static void add(const struct thesis_mlp_net *net, const float *weights, const float *inputs,
                const float *targets, size_t rows, float *work, float *gradient)
{
    const float *const second = weights + (net->inputs + 1) * net->hidden;
    float *const second_gradient = gradient + (net->inputs + 1) * net->hidden;
    struct row row = {.in = work};
    row.hidden = row.in + net->inputs + 1;
    row.out = row.hidden + net->hidden + 1;
    row.out_delta = row.out + net->outputs;
    row.hidden_delta = row.out_delta + net->outputs;
    for (size_t n = 0; n < rows; n++) {
        for (size_t i = 0; i < net->inputs; i++)
            row.in[i] = inputs[n * net->inputs + i];
        row.in[net->inputs] = 1;
        forward(net, weights, second, &row);
        backward(net, second, targets + n * net->outputs, &row);
        for (size_t j = 0; j <= net->hidden; j++)
            for (size_t k = 0; k < net->outputs; k++)
                second_gradient[j * net->outputs + k] += row.hidden[j] * row.out_delta[k];
        for (size_t i = 0; i <= net->inputs; i++)
            for (size_t j = 0; j < net->hidden; j++)
                gradient[i * net->hidden + j] += row.in[i] * row.hidden_delta[j];
    }
}

const struct thesis_mlp_twin thesis_mlp_scalar = {THESIS_COMPILER, room, add};
