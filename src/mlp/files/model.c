#include "mlp/files/model.h"

#include "base/error.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const model_losses[] = {"e", "squared", "absolute", "huber", "logistic", "cross-entropy", NULL};
_Static_assert(sizeof model_losses / sizeof *model_losses == MLP_LOSSES + 1, "a word for each");

int model_word(const char *const *words, const char *word)
{
    for (int i = 0; word && words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* Copies ------------------------------------------------------------------------------------------------- */

static enum shoal_status copy_net(const struct net *net, struct net **out, struct shoal_error *error)
{
    struct net_layer_choice *layers = calloc(net->layer_count, sizeof *layers);
    if (!layers)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < net->layer_count; i++)
        layers[i] = (struct net_layer_choice){net->layers[i].outputs, net->layers[i].activation,
                                              net->layers[i].slope, net->layers[i].dropout};
    const struct net_choice choice = {.inputs = net->inputs,
                                      .layer_count = net->layer_count,
                                      .layers = layers,
                                      .loss = net->loss,
                                      .huber = net->huber,
                                      .smoothing = net->smoothing};
    const enum shoal_status status = net_create(&choice, out, error);
    free(layers);
    return status;
}

static enum shoal_status copy_parameters(struct shoal_mlp_model *model, const double *parameters,
                                         struct shoal_error *error)
{
    const struct net *net = model->net;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        for (size_t k = layer->weights; k < layer->biases + layer->outputs; k++)
            if (!isfinite(parameters[k]))
                return fail(error, SHOAL_IO, "layer %u of the model has a %s that is no finite number", l + 1,
                            k < layer->biases ? "weight" : "bias");
    }
    model->parameters = malloc(net->parameters * sizeof *model->parameters);
    if (!model->parameters)
        return fail_host_memory(error);
    memcpy(model->parameters, parameters, net->parameters * sizeof *parameters);
    return SHOAL_OK;
}

/* Description -------------------------------------------------------------------------------------------- */

static void describe_columns(struct shoal_mlp_model *model)
{
    for (size_t i = 0; i < model->preparation->input_columns; i++) {
        const struct prepare_column *column = &model->preparation->inputs[i];
        model->columns[i] =
            (struct shoal_mlp_model_column){.size = sizeof *model->columns,
                                            .name = column->name,
                                            .kind = column->kind,
                                            .encoding = column->encoding,
                                            .may_miss = column->fill != NULL,
                                            .category_count = column->category_count,
                                            .categories = (const char *const *)column->categories};
    }
}

/* Names the outputs after the classes or the target columns. All outputs of an encoded target column have the
 * name of that column. */
static void name_outputs(struct shoal_mlp_model *model)
{
    const struct preparation *preparation = model->preparation;
    if (preparation->task == PREPARE_BINARY)
        model->output_names[0] = preparation->classes[1];
    for (size_t k = 0; k < preparation->class_count && preparation->task == PREPARE_CLASSES; k++)
        model->output_names[k] = preparation->classes[k];
    for (size_t t = 0; t < preparation->target_columns && preparation->task == PREPARE_NUMBERS; t++)
        for (size_t k = 0; k < preparation->targets[t].width; k++)
            model->output_names[preparation->targets[t].first + k] = preparation->targets[t].name;
}

static enum shoal_status describe(struct shoal_mlp_model *model, const struct model_parts *parts,
                                  struct shoal_error *error)
{
    const struct net *net = model->net;
    const struct preparation *preparation = model->preparation;
    model->widths = calloc(net->layer_count, sizeof *model->widths);
    model->activations = calloc(net->layer_count, sizeof *model->activations);
    model->slopes = calloc(net->layer_count, sizeof *model->slopes);
    model->columns = calloc(preparation->input_columns, sizeof *model->columns);
    model->output_names = calloc(net->outputs, sizeof *model->output_names);
    model->target_names = calloc(preparation->target_columns + 1, sizeof *model->target_names);
    if (!model->widths || !model->activations || !model->slopes || !model->columns || !model->output_names ||
        !model->target_names)
        return fail_host_memory(error);
    for (size_t t = 0; t < preparation->target_columns; t++)
        model->target_names[t] = preparation->targets[t].name;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        model->widths[l] = net->layers[l].outputs;
        model->activations[l] = net->layers[l].activation;
        model->slopes[l] = net->layers[l].slope;
    }
    describe_columns(model);
    name_outputs(model);
    model->info =
        (struct shoal_mlp_model_info){.size = sizeof model->info,
                                      .columns = preparation->input_columns,
                                      .inputs = net->inputs,
                                      .outputs = net->outputs,
                                      .layers = net->layer_count,
                                      .widths = model->widths,
                                      .activations = model->activations,
                                      .slopes = model->slopes,
                                      .parameters = net->parameters,
                                      .classes = preparation->class_count,
                                      .class_names = (const char *const *)preparation->classes,
                                      .output_names = model->output_names,
                                      .precision = parts->precision,
                                      .creator = model->creator,
                                      .notes = model->notes,
                                      .targets = parts->preparation ? preparation->target_columns : 0,
                                      .target_names = model->target_names};
    return SHOAL_OK;
}

enum shoal_status model_create(const struct model_parts *parts, struct shoal_mlp_model **out,
                               struct shoal_error *error)
{
    struct shoal_mlp_model *model = calloc(1, sizeof *model);
    *out = NULL;
    if (!model)
        return fail_host_memory(error);
    enum shoal_status status = copy_net(parts->net, &model->net, error);
    if (!status && parts->preparation)
        status = prepare_copy(parts->preparation, &model->preparation, error);
    else if (!status)
        status = model_plain_preparation(parts->net, &model->preparation, error);
    if (!status && (model->preparation->input_width != model->net->inputs ||
                    model->preparation->target_width != model->net->outputs))
        status = fail(error, SHOAL_INVALID,
                      "the net has %u inputs and %u outputs, its preparation of columns gives %zu and %zu",
                      model->net->inputs, model->net->outputs, model->preparation->input_width,
                      model->preparation->target_width);
    if (!status)
        status = copy_parameters(model, parts->parameters, error);
    if (!status) {
        model->creator = strdup(parts->creator ? parts->creator : "");
        model->notes = strdup(parts->notes ? parts->notes : "");
        status = model->creator && model->notes ? describe(model, parts, error) : fail_host_memory(error);
    }
    if (status)
        shoal_mlp_model_destroy(&model);
    *out = model;
    return status;
}

void shoal_mlp_model_destroy(struct shoal_mlp_model **pointer)
{
    struct shoal_mlp_model *model = pointer ? *pointer : NULL;
    if (!model)
        return;
    net_destroy(&model->net);
    prepare_destroy(&model->preparation);
    free(model->parameters);
    free(model->columns);
    free(model->creator);
    free(model->notes);
    free(model->widths);
    free(model->activations);
    free(model->slopes);
    free(model->output_names);
    free(model->target_names);
    free(model);
    *pointer = NULL;
}

const struct shoal_mlp_model_info *shoal_mlp_model_get_info(const struct shoal_mlp_model *model)
{
    return model ? &model->info : NULL;
}

const struct shoal_mlp_model_column *shoal_mlp_model_column_at(const struct shoal_mlp_model *model,
                                                               size_t index)
{
    return model && index < model->info.columns ? &model->columns[index] : NULL;
}

size_t shoal_mlp_model_class(const struct shoal_mlp_model *model, const double *outputs)
{
    if (!model || !outputs)
        return 0;
    size_t best = 0;
    if (model->preparation->task == PREPARE_NUMBERS)
        return 0;
    if (model->preparation->task == PREPARE_BINARY)
        return outputs[0] >
               (model->net->layers[model->net->layer_count - 1].activation == MLP_LINEAR ? 0 : 0.5);
    for (size_t k = 1; k < model->info.outputs; k++)
        if (outputs[k] > outputs[best])
            best = k;
    return best;
}
