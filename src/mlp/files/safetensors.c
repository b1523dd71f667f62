/* Nets in safetensors, with the keys and shapes of torch.nn.Sequential: each layer is a Linear and the module
 * of its activation, so that layer l, from 0, is "2l.weight", outputs x inputs, and "2l.bias". The rest of a
 * model is in the metadata: shoal.net and shoal.preparation, both JSON, shoal.creator and shoal.notes.
 *
 * In files of other programs the key of a matrix is the name of its layer, then ".weight". Layers are in the
 * order of the numbers in their names, or, without numbers, in the order of the file; a layer must have as
 * many inputs as the layer before has outputs.
 */
#include "mlp/files/model.h"
#include "mlp/mlp.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "io/decimal.h"
#include "io/tensors/safetensors.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 32, LAYERS_MOST = 1 << 16 };

/* Writing ------------------------------------------------------------------------------------------------ */

static void add_real(struct text *text, const char *key, double value)
{
    char digits[DECIMAL_MOST + 1];
    digits[decimal_write(digits, value, false)] = '\0';
    text_printf(text, ",\"%s\":%s", key, digits);
}

static void describe_net(const struct net *net, struct text *text)
{
    text_printf(text, "{\"inputs\":%u,\"layers\":[", net->inputs);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        text_printf(text, "%s{\"outputs\":%u,\"activation\":\"%s\"", l ? "," : "", layer->outputs,
                    mlp_activation_names[layer->activation]);
        add_real(text, "slope", layer->slope);
        add_real(text, "dropout", layer->dropout);
        text_add(text, "}");
    }
    text_printf(text, "],\"loss\":\"%s\"", model_losses[net->loss]);
    add_real(text, "huber", net->huber);
    add_real(text, "smoothing", net->smoothing);
    text_add(text, "}");
}

static void list_tensors(const struct shoal_mlp_model *model, struct tensor *tensors, const double **values,
                         char (*names)[NAME_MOST])
{
    for (uint32_t l = 0; l < model->net->layer_count; l++) {
        const struct net_layer *layer = &model->net->layers[l];
        const enum tensor_type type = model->info.precision == SHOAL_FP64 ? TENSOR_F64 : TENSOR_F32;
        snprintf(names[2 * l], NAME_MOST, "%u.weight", 2 * l);
        snprintf(names[2 * l + 1], NAME_MOST, "%u.bias", 2 * l);
        tensors[2 * l] = (struct tensor){.name = names[2 * l],
                                         .type = type,
                                         .dimensions = 2,
                                         .shape = {layer->outputs, layer->inputs},
                                         .count = (size_t)layer->outputs * layer->inputs};
        tensors[2 * l + 1] = (struct tensor){.name = names[2 * l + 1],
                                             .type = type,
                                             .dimensions = 1,
                                             .shape = {layer->outputs},
                                             .count = layer->outputs};
        values[2 * l] = model->parameters + layer->weights;
        values[2 * l + 1] = model->parameters + layer->biases;
    }
}

enum shoal_status model_write_safetensors(const struct shoal_mlp_model *model, const char *path,
                                          struct shoal_error *error)
{
    const size_t count = 2 * (size_t)model->net->layer_count;
    struct tensor *tensors = calloc(count, sizeof *tensors);
    const double **values = calloc(count, sizeof *values);
    char(*names)[NAME_MOST] = calloc(count, sizeof *names);
    char *preparation = prepare_to_json(model->preparation);
    struct text net = {.data = NULL};
    describe_net(model->net, &net);
    enum shoal_status status = SHOAL_OK;
    if (!tensors || !values || !names || !preparation || net.failed) {
        status = fail_host_memory(error);
    } else {
        struct safetensors_text texts[] = {{(char[]){"format"}, (char[]){"pt"}},
                                           {(char[]){"shoal.net"}, net.data},
                                           {(char[]){"shoal.preparation"}, preparation},
                                           {(char[]){"shoal.creator"}, model->creator},
                                           {(char[]){"shoal.notes"}, model->notes}};
        const struct safetensors file = {tensors, count, texts, sizeof texts / sizeof *texts};
        list_tensors(model, tensors, values, names);
        status = safetensors_write(path, &file, values, error);
    }
    text_free(&net);
    free(preparation);
    free(names);
    free(values);
    free(tensors);
    return status;
}

/* Layers of a file --------------------------------------------------------------------------------------- */

struct place {
    const struct tensor *weight, *bias; /* bias NULL: the layer has no biases */
};
struct chain {
    const char *path;
    const struct safetensors *file;
    struct place *places;
    uint32_t *widths; /* [count + 1]: number of inputs, then outputs of each layer */
    uint32_t count;
    bool are_numbered; /* the names of all layers end in numbers */
};

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), least = strlen(end);
    return length >= least && strcmp(name + length - least, end) == 0;
}

/* Compares names. Numbers in them count by their value: "10.weight" follows "2.weight". */
static int compare_names(const char *a, const char *b)
{
    for (;; a++, b++) {
        const size_t digits_a = strspn(a, "0123456789"), digits_b = strspn(b, "0123456789");
        if (digits_a && digits_b) {
            if (digits_a != digits_b)
                return digits_a < digits_b ? -1 : 1;
            const int order = strncmp(a, b, digits_a);
            if (order)
                return order;
            a += digits_a;
            b += digits_b;
        }
        if (*a != *b || !*a)
            return (int)(unsigned char)*a - (int)(unsigned char)*b;
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    return compare_names(first->weight->name, second->weight->name);
}

static enum shoal_status refuse(const struct chain *chain, const struct tensor *tensor, const char *reason,
                                struct shoal_error *error)
{
    char name[60];
    snprintf(name, sizeof name, "%s", tensor->name);
    text_clean(name, "");
    return fail(error, SHOAL_IO, "%s: is no chain of layers: tensor '%s' %s", chain->path, name, reason);
}

static const struct tensor *find_bias(const struct chain *chain, const struct tensor *weight)
{
    const size_t stem = strlen(weight->name) - strlen("weight");
    for (size_t i = 0; i < chain->file->count; i++) {
        const char *name = chain->file->tensors[i].name;
        if (strncmp(name, weight->name, stem) == 0 && strcmp(name + stem, "bias") == 0)
            return &chain->file->tensors[i];
    }
    return NULL;
}

static enum shoal_status find_layers(struct chain *chain, struct shoal_error *error)
{
    size_t biases = 0, all_biases = 0;
    chain->are_numbered = true;
    for (size_t i = 0; i < chain->file->count; i++) {
        const struct tensor *tensor = &chain->file->tensors[i];
        if (ends_with(tensor->name, ".bias")) {
            all_biases++;
            continue;
        }
        if (!ends_with(tensor->name, ".weight") || tensor->dimensions != 2)
            return refuse(chain, tensor, "is neither a matrix N.weight nor N.bias", error);
        if (!tensor->count || tensor->shape[0] >= UINT32_MAX || tensor->shape[1] >= UINT32_MAX)
            return refuse(chain, tensor, "is empty or too large", error);
        struct place *place = &chain->places[chain->count];
        *place = (struct place){tensor, find_bias(chain, tensor)};
        chain->count++;
        chain->are_numbered = chain->are_numbered && strpbrk(tensor->name, "0123456789");
        if (place->bias && (place->bias->dimensions != 1 || place->bias->count != tensor->shape[0]))
            return refuse(chain, place->bias, "has another length than its weights have rows", error);
        biases += place->bias != NULL;
    }
    if (!chain->count)
        return fail(error, SHOAL_IO, "%s: has no weights of a net", chain->path);
    if (biases != all_biases)
        return fail(error, SHOAL_IO, "%s: is no chain of layers: a bias has no weights", chain->path);
    return SHOAL_OK;
}

static enum shoal_status chain_layers(struct chain *chain, struct shoal_error *error)
{
    chain->places = calloc(chain->file->count + 1, sizeof *chain->places);
    if (!chain->places)
        return fail_host_memory(error);
    if (chain->file->count > LAYERS_MOST)
        return fail(error, SHOAL_IO, "%s: has %zu tensors, too many for a net", chain->path,
                    chain->file->count);
    enum shoal_status status = find_layers(chain, error);
    if (status)
        return status;
    if (chain->are_numbered)
        qsort(chain->places, chain->count, sizeof *chain->places, compare_places);
    chain->widths = calloc(chain->count + 1, sizeof *chain->widths);
    if (!chain->widths)
        return fail_host_memory(error);
    chain->widths[0] = (uint32_t)chain->places[0].weight->shape[1];
    for (uint32_t l = 0; l < chain->count; l++) {
        const struct tensor *weight = chain->places[l].weight;
        char reason[80];
        if (weight->shape[1] != chain->widths[l]) {
            snprintf(reason, sizeof reason, "takes %zu numbers, the layer before it gives %u",
                     weight->shape[1], chain->widths[l]);
            return refuse(chain, weight, reason, error);
        }
        chain->widths[l + 1] = (uint32_t)weight->shape[0];
    }
    return SHOAL_OK;
}

/* Description -------------------------------------------------------------------------------------------- */

static const cJSON *item(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double real_of(const cJSON *object, const char *key)
{
    const cJSON *number = item(object, key);
    return cJSON_IsNumber(number) ? number->valuedouble : NAN;
}

static enum shoal_status read_layers(const struct chain *chain, const cJSON *json,
                                     struct net_layer_choice *choices, struct shoal_error *error)
{
    const cJSON *layers = item(json, "layers"), *layer;
    uint32_t l = 0;
    if (!cJSON_IsArray(layers) || cJSON_GetArraySize(layers) != (int)chain->count ||
        real_of(json, "inputs") != chain->widths[0])
        return fail(error, SHOAL_IO,
                    "%s: its description (shoal.net) is of another net than its weights, which have %s "
                    "and %s",
                    chain->path, counted(chain->widths[0], "input").s, counted(chain->count, "layer").s);
    cJSON_ArrayForEach(layer, layers)
    {
        if (real_of(layer, "outputs") != chain->widths[l + 1])
            return fail(error, SHOAL_IO,
                        "%s: layer %u has %s by its weights, and others by its description (shoal.net)",
                        chain->path, l + 1, counted(chain->widths[l + 1], "output").s);
        choices[l] = (struct net_layer_choice){
            .outputs = chain->widths[l + 1],
            .activation = model_word(mlp_activation_names, cJSON_GetStringValue(item(layer, "activation"))),
            .slope = real_of(layer, "slope"),
            .dropout = real_of(layer, "dropout")};
        l++;
    }
    return SHOAL_OK;
}

static enum shoal_status read_described(const struct chain *chain, const cJSON *json, struct net **out,
                                        struct shoal_error *error)
{
    struct net_layer_choice *choices = calloc(chain->count, sizeof *choices);
    enum shoal_status status = choices ? read_layers(chain, json, choices, error) : fail_host_memory(error);
    if (!status) {
        const struct net_choice choice = {
            .inputs = chain->widths[0],
            .layer_count = chain->count,
            .layers = choices,
            .loss = model_word(model_losses, cJSON_GetStringValue(item(json, "loss"))),
            .huber = real_of(json, "huber"),
            .smoothing = real_of(json, "smoothing")};
        status = net_create(&choice, out, error);
        if (status) {
            error_prefix(error, "%s: its description (shoal.net): ", chain->path);
            status = fail_in_file(error, status);
        }
    }
    free(choices);
    return status;
}

static enum shoal_status read_net(const struct shoal_mlp_model_file *file, const struct chain *chain,
                                  struct net **out, struct shoal_error *error)
{
    const char *text = safetensors_text(chain->file, "shoal.net");
    if (!text)
        return model_net_of(file, chain->widths, chain->count, out, error);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
    const enum shoal_status status =
        cJSON_IsObject(json)
            ? read_described(chain, json, out, error)
            : fail(error, SHOAL_IO, "%s: its description (shoal.net) is no JSON", chain->path);
    cJSON_Delete(json);
    return status;
}

static enum shoal_status read_parameters(const struct chain *chain, const struct net *net, double **out,
                                         struct shoal_error *error)
{
    double *parameters = *out = calloc(net->parameters, sizeof *parameters);
    if (!parameters)
        return fail_host_memory(error);
    for (uint32_t l = 0; l < chain->count; l++) {
        tensor_values(chain->places[l].weight, parameters + net->layers[l].weights);
        if (chain->places[l].bias)
            tensor_values(chain->places[l].bias, parameters + net->layers[l].biases);
    }
    return SHOAL_OK;
}

static enum shoal_status assemble(const struct shoal_mlp_model_file *file, struct chain *chain,
                                  struct shoal_mlp_model **out, struct shoal_error *error)
{
    struct net *net = NULL;
    struct preparation *preparation = NULL;
    double *parameters = NULL;
    const char *text = safetensors_text(chain->file, "shoal.preparation");
    enum shoal_status status = chain_layers(chain, error);
    if (!status)
        status = read_net(file, chain, &net, error);
    if (!status && text)
        status = prepare_from_json(text, file->path, &preparation, error);
    if (!status)
        status = read_parameters(chain, net, &parameters, error);
    if (!status) {
        const struct model_parts parts = {
            .net = net,
            .parameters = parameters,
            .preparation = preparation,
            .precision = chain->places[0].weight->type == TENSOR_F64 ? SHOAL_FP64 : SHOAL_FP32,
            .creator = safetensors_text(chain->file, "shoal.creator"),
            .notes = safetensors_text(chain->file, "shoal.notes")};
        status = model_create(&parts, out, error);
        if (status) {
            error_prefix(error, "%s: ", file->path);
            status = fail_in_file(error, status);
        }
    }
    net_destroy(&net);
    prepare_destroy(&preparation);
    free(parameters);
    return status;
}

enum shoal_status model_read_safetensors(const struct shoal_mlp_model_file *file, const char *content,
                                         size_t bytes, struct shoal_mlp_model **out,
                                         struct shoal_error *error)
{
    struct safetensors *tensors = NULL;
    struct chain chain = {.path = file->path};
    *out = NULL;
    enum shoal_status status = safetensors_parse(content, bytes, file->path, &tensors, error);
    chain.file = tensors;
    if (!status)
        status = assemble(file, &chain, out, error);
    free(chain.places);
    free(chain.widths);
    safetensors_destroy(&tensors);
    return status;
}
