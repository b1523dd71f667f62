/* The initial parameters of a net. */
#include "base/error.h"
#include "base/vectors/dot.h"
#include "mlp/model/net.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

/* Random words for the parameter with index `place` in the flat array: each parameter has a counter of its
 * own. */
static struct shoal_words draw(uint64_t seed, size_t place)
{
    return shoal_random_words(seed, SHOAL_STREAM_MLP_START, 0, (uint32_t)place,
                              (uint32_t)((uint64_t)place >> 32));
}

static double draw_uniform(uint64_t seed, size_t place, double range)
{
    const struct shoal_words words = draw(seed, place);
    return range * (2 * shoal_uniform_open_double(words.x, words.y) - 1);
}

static double draw_normal(uint64_t seed, size_t place)
{
    double first, second;
    shoal_normal_double(draw(seed, place), &first, &second);
    return first;
}

static enum shoal_status begin_orthogonal(const struct net_layer *layer, uint64_t seed, double *parameters,
                                          struct shoal_error *error)
{
    const size_t rows = layer->outputs, columns = layer->inputs;
    double *const weights = parameters + layer->weights;
    if (rows <= columns) {
        for (size_t k = 0; k < rows * columns; k++)
            weights[k] = draw_normal(seed, layer->weights + k);
        orthonormalise(weights, rows, columns);
        return SHOAL_OK;
    }
    double *const across = malloc(rows * columns * sizeof *across);
    if (!across)
        return fail_host_memory(error);
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            across[i * rows + o] = draw_normal(seed, layer->weights + o * columns + i);
    orthonormalise(across, columns, rows);
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            weights[o * columns + i] = across[i * rows + o];
    free(across);
    return SHOAL_OK;
}

static enum shoal_status begin_layer(const struct net_layer *layer, const struct net_start *start,
                                     double *parameters, struct shoal_error *error)
{
    for (size_t k = layer->biases; k < layer->biases + layer->outputs; k++)
        parameters[k] = start->rule == NET_UNIFORM ? draw_uniform(start->seed, k, start->range) : 0;
    if (start->rule == NET_ORTHOGONAL)
        return begin_orthogonal(layer, start->seed, parameters, error);
    const double range = start->rule == NET_XAVIER
                             ? sqrt(6.0 / ((double)layer->inputs + (double)layer->outputs))
                             : start->range;
    const double deviation = sqrt(2.0 / (double)layer->inputs);
    for (size_t k = layer->weights; k < layer->biases; k++)
        parameters[k] = start->rule == NET_HE ? deviation * draw_normal(start->seed, k)
                                              : draw_uniform(start->seed, k, range);
    return SHOAL_OK;
}

enum shoal_status net_begin(const struct net *net, const struct net_start *start, double *parameters,
                            struct shoal_error *error)
{
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const enum shoal_status status = begin_layer(&net->layers[l], start, parameters, error);
        if (status)
            return status;
    }
    const struct net_layer *const last = &net->layers[net->layer_count - 1];
    if (!isnan(start->output_bias))
        for (uint32_t o = 0; o < last->outputs; o++)
            parameters[last->biases + o] = start->output_bias;
    return SHOAL_OK;
}
