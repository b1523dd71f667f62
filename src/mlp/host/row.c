/* Outputs of a single row. Each sum has the order of pass.c: the bias, then the products in the order of the
 * inputs. Eight outputs are summed at the same time, since an addition has to wait for the addition before
 * it. */
#include "mlp/host/row.h"

#include "mlp/host/texts.h"

enum { SIDE = 8 };

size_t row_scratch(const struct net *net)
{
    size_t widest = 0;
    for (uint32_t l = 0; l < net->layer_count; l++)
        widest = net->layers[l].outputs > widest ? net->layers[l].outputs : widest;
    return 2 * widest;
}

static void add_up(const struct net_layer *layer, const double *parameters, const double *in, double *out)
{
    const size_t inputs = layer->inputs, outputs = layer->outputs;
    const double *weights = parameters + layer->weights, *const biases = parameters + layer->biases;
    size_t o = 0;
    for (; o + SIDE <= outputs; o += SIDE, weights += SIDE * inputs) {
        double sum[SIDE];
        for (size_t k = 0; k < SIDE; k++)
            sum[k] = biases[o + k];
        for (size_t i = 0; i < inputs; i++)
            for (size_t k = 0; k < SIDE; k++)
                sum[k] += weights[k * inputs + i] * in[i];
        for (size_t k = 0; k < SIDE; k++)
            out[o + k] = sum[k];
    }
    for (; o < outputs; o++, weights += inputs) {
        double sum = biases[o];
        for (size_t i = 0; i < inputs; i++)
            sum += weights[i] * in[i];
        out[o] = sum;
    }
}

static void normalise(double *values, uint32_t count)
{
    double most = values[0], sum = 0;
    for (uint32_t o = 1; o < count; o++)
        most = values[o] > most ? values[o] : most;
    for (uint32_t o = 0; o < count; o++)
        sum += values[o] = exp(values[o] - most);
    for (uint32_t o = 0; o < count; o++)
        values[o] /= sum;
}

/* With a loss from logits, the logistic function of the last layer has slope 1: see net_create. */
void row_predict(const struct net *net, const double *parameters, const double *inputs, double *scratch,
                 double *outputs)
{
    const size_t half = row_scratch(net) / 2;
    const double *in = inputs;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        double *const out = l + 1 == net->layer_count ? outputs : scratch + l % 2 * half;
        add_up(layer, parameters, in, out);
        if (layer->activation == MLP_SOFTMAX)
            normalise(out, layer->outputs);
        else
            for (uint32_t o = 0; o < layer->outputs; o++)
                out[o] = mlp_activate(layer->activation, layer->slope, out[o]);
        in = out;
    }
}
