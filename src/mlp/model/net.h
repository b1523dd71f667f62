/* Private: the shape of a net, and its initial parameters.
 *
 * The parameters of a net are one flat array: layer after layer, first the weights of a layer, then its
 * biases. Weights are stored row after row as in torch.nn.Linear: row o has the weights of output o. Files,
 * checkpoints and public calls use this order.
 *
 * Threads: a net is constant once created.
 */
#ifndef SHOAL_MLP_MODEL_NET_H
#define SHOAL_MLP_MODEL_NET_H

#include "mlp/layout.clh"

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_layer {
    uint32_t inputs, outputs;
    int32_t activation;  /* activation of the layer, enum mlp_activation */
    double slope;        /* slope of the logistic function, or of leaky ReLU below 0 */
    double dropout;      /* share of the outputs that an update leaves out, 0 to less than 1 */
    uint32_t first_unit; /* index of the first output among the outputs of all layers */
    /* weights, biases: indices in the flat array; the weight from input i to output o is at weights + o *
     * inputs + i */
    size_t weights, biases;
};

struct net {
    struct net_layer *layers; /* the last layer has the outputs of the net */
    uint32_t layer_count, inputs, outputs;
    uint32_t units; /* outputs of all layers */
    size_t parameters;
    int32_t loss;     /* loss of the net, enum mlp_loss */
    double huber;     /* error from which the Huber loss is linear */
    double smoothing; /* share of a class's target that is spread over all classes: 0 or more, and less
                       * than 1 */
};

/* The choices of a caller for a layer. */
struct net_layer_choice {
    uint32_t outputs;
    int32_t activation;
    double slope, dropout;
};
struct net_choice {
    uint32_t inputs, layer_count;
    const struct net_layer_choice *layers;
    int32_t loss;
    double huber, smoothing;
};

/* Creates a net. SHOAL_INVALID: the choices do not fit; the message names the layer, from 1. */
SHOAL_MUST_CHECK enum shoal_status net_create(const struct net_choice *choice, struct net **out,
                                              struct shoal_error *error);
void net_destroy(struct net **net); /* accepts NULL, sets the pointer to NULL */

/* Whether a layer has this activation, of enum mlp_activation. */
static inline bool net_has_activation(const struct net *net, int activation)
{
    for (uint32_t l = 0; l < net->layer_count; l++)
        if (net->layers[l].activation == activation)
            return true;
    return false;
}

/* Whether the loss is computed from logits: such losses train on the sums of the last layer, whose activation
 * is for predictions alone. */
static inline bool net_is_from_logits(const struct net *net)
{
    return net->loss == MLP_LOSS_LOGISTIC || net->loss == MLP_LOSS_CROSS_ENTROPY;
}

enum net_start_rule { NET_UNIFORM, NET_XAVIER, NET_HE, NET_ORTHOGONAL };

struct net_start {
    enum net_start_rule rule;
    double range; /* range of NET_UNIFORM, which also draws biases; with other rules biases begin as 0 */
    /* initial bias of the outputs; NaN: as for other biases */
    double output_bias;
    uint64_t seed;
};

/* Fills parameters[net->parameters] with initial values. SHOAL_OUT_OF_HOST_MEMORY: there is no memory for an
 * orthogonal matrix. */
SHOAL_MUST_CHECK enum shoal_status net_begin(const struct net *net, const struct net_start *start,
                                             double *parameters, struct shoal_error *error);

#endif
