#include "mlp/model/net.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

static enum shoal_status check_layer(const struct net_choice *choice, uint32_t index,
                                     struct shoal_error *error)
{
    const struct net_layer_choice *const layer = &choice->layers[index];
    const bool is_last = index + 1 == choice->layer_count;
    if (layer->outputs == 0)
        return fail(error, SHOAL_INVALID, "layer %u has no units; give it at least one", index + 1);
    if (layer->activation < 0 || layer->activation >= MLP_ACTIVATIONS)
        return fail(error, SHOAL_INVALID, "layer %u: there is no activation %d", index + 1,
                    (int)layer->activation);
    if (layer->activation == MLP_SOFTMAX && !is_last)
        return fail(error, SHOAL_INVALID, "layer %u: softmax is for the last layer", index + 1);
    if (!isfinite(layer->slope))
        return fail(error, SHOAL_INVALID, "layer %u: the slope is no finite number", index + 1);
    if (!(layer->dropout >= 0 && layer->dropout < 1))
        return fail(error, SHOAL_INVALID, "layer %u: dropout is a share from 0 to less than 1, not %g",
                    index + 1, layer->dropout);
    if (is_last && layer->dropout != 0)
        return fail(error, SHOAL_INVALID, "layer %u has the outputs, of which none can be dropped",
                    index + 1);
    return SHOAL_OK;
}

static enum shoal_status check_loss(const struct net_choice *choice, struct shoal_error *error)
{
    const struct net_layer_choice *const last = &choice->layers[choice->layer_count - 1];
    if (choice->loss < 0 || choice->loss >= MLP_LOSSES)
        return fail(error, SHOAL_INVALID, "there is no loss %d", (int)choice->loss);
    if (choice->loss == MLP_LOSS_HUBER && !(choice->huber > 0 && isfinite(choice->huber)))
        return fail(error, SHOAL_INVALID, "the limit of Huber's loss is above 0, not %g", choice->huber);
    if (!(choice->smoothing >= 0 && choice->smoothing < 1))
        return fail(error, SHOAL_INVALID, "label smoothing is a share from 0 to less than 1, not %g",
                    choice->smoothing);
    if (choice->loss == MLP_LOSS_CROSS_ENTROPY) {
        if (last->activation != MLP_SOFTMAX && last->activation != MLP_LINEAR)
            return fail(error, SHOAL_INVALID,
                        "output: cross-entropy needs outputs by softmax, or linear ones that are logits");
        if (last->outputs < 2)
            return fail(
                error, SHOAL_INVALID,
                "loss: cross-entropy needs an output for each class, at least two; for one output take "
                "the logistic loss");
    }
    if (choice->loss == MLP_LOSS_LOGISTIC && last->activation != MLP_LINEAR &&
        !(last->activation == MLP_LOGISTIC && last->slope == 1))
        return fail(
            error, SHOAL_INVALID,
            "output: the logistic loss needs logistic outputs of slope 1, or linear ones that are logits");
    return SHOAL_OK;
}

static enum shoal_status check(const struct net_choice *choice, struct shoal_error *error)
{
    if (choice->inputs == 0)
        return fail(error, SHOAL_INVALID, "a net has at least one input");
    if (choice->layer_count == 0)
        return fail(error, SHOAL_INVALID, "a net has at least one layer, that of its outputs");
    for (uint32_t i = 0; i < choice->layer_count; i++) {
        const enum shoal_status status = check_layer(choice, i, error);
        if (status)
            return status;
    }
    return check_loss(choice, error);
}

enum shoal_status net_create(const struct net_choice *choice, struct net **out, struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = check(choice, error);
    if (status)
        return status;
    struct net *net = calloc(1, sizeof *net);
    struct net_layer *layers = calloc(choice->layer_count, sizeof *layers);
    uint64_t units = 0;
    if (!net || !layers) {
        status = fail_host_memory(error);
        goto fail;
    }
    *net = (struct net){.layers = layers,
                        .layer_count = choice->layer_count,
                        .inputs = choice->inputs,
                        .outputs = choice->layers[choice->layer_count - 1].outputs,
                        .loss = choice->loss,
                        .huber = choice->huber,
                        .smoothing = choice->smoothing};
    for (uint32_t i = 0; i < choice->layer_count; i++) {
        const struct net_layer_choice *const from = &choice->layers[i];
        const uint64_t weights = (uint64_t)(i ? layers[i - 1].outputs : choice->inputs) * from->outputs;
        /* The arrays of an update, with 8 bytes for each number, must be addressable, too. */
        if (weights > SIZE_MAX / 64 - net->parameters - from->outputs || units + from->outputs > UINT32_MAX) {
            status = fail(error, SHOAL_INVALID, "layer %u: the net is too large to be addressed", i + 1);
            goto fail;
        }
        layers[i] = (struct net_layer){.inputs = i ? layers[i - 1].outputs : choice->inputs,
                                       .outputs = from->outputs,
                                       .activation = from->activation,
                                       .slope = from->slope,
                                       .dropout = from->dropout,
                                       .first_unit = (uint32_t)units,
                                       .weights = net->parameters,
                                       .biases = net->parameters + (size_t)weights};
        net->parameters = layers[i].biases + from->outputs;
        units += from->outputs;
    }
    net->units = (uint32_t)units;
    *out = net;
    return SHOAL_OK;
fail:
    free(layers);
    free(net);
    return status;
}

void net_destroy(struct net **pointer)
{
    if (!pointer || !*pointer)
        return;
    free((*pointer)->layers);
    free(*pointer);
    *pointer = NULL;
}
