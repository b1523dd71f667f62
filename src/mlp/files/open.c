/* Opens and saves model files by their extension. For files that do not describe their net, the caller gives
 * the description. */
#include "mlp/files/model.h"
#include "mlp/mlp.h"

#include "base/error.h"
#include "base/input.h"
#include "base/integer.h"
#include "base/params.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct format {
    const char *extension;
    model_reader *read;     /* NULL: such files cannot be opened, or are not read as a whole */
    model_writer *write;    /* NULL: such files cannot be saved */
    const char *form;       /* the form in which the format is written; NULL: the format has one form */
    bool is_single;         /* numbers are in single precision, whatever the precision of the model is */
    model_net_check *check; /* NULL: the format can store every net */
};
static const struct format formats[] = {
    {".safetensors", model_read_safetensors, model_write_safetensors, NULL, false, NULL},
    {".net", model_read_fann, model_write_fann, NULL, true, model_check_fann},
    {".npy", NULL, model_write_npy, NULL, false, NULL},
    {".onnx", NULL, model_write_onnx, NULL, true, NULL},
    {".c", NULL, model_write_c_float, "float", true, NULL},
    {".c", NULL, model_write_c_int8, "int8", false, model_check_c_int8},
};

/* Finds the first format with this extension and this form. */
static enum shoal_status find_format(const char *path, const char *form, const struct format **out,
                                     struct shoal_error *error)
{
    const char *name = strrchr(path, '/'), *extension = strrchr(name ? name : path, '.');
    bool is_known = false;
    for (size_t i = 0; extension && i < COUNT(formats); i++) {
        if (strcasecmp(extension, formats[i].extension) != 0)
            continue;
        is_known = true;
        *out = &formats[i];
        if (!form || (formats[i].form && strcmp(form, formats[i].form) == 0))
            return SHOAL_OK;
    }
    if (is_known)
        return fail(error, SHOAL_INVALID, "%s: there is no form '%.40s' of such a file%s", path, form,
                    (*out)->form ? "; there are float and int8" : "");
    return fail(error, SHOAL_INVALID,
                "%s: the extension names no format of models; there are "
                ".safetensors, .net, .npy, .onnx and .c",
                path);
}

void shoal_mlp_model_file_init(struct shoal_mlp_model_file *file)
{
    if (!file)
        return;
    *file = (struct shoal_mlp_model_file){.size = sizeof *file, .slope = NAN};
}

enum shoal_status shoal_mlp_model_open(const struct shoal_mlp_model_file *file, struct shoal_mlp_model **out,
                                       struct shoal_error *error)
{
    struct shoal_mlp_model_file own;
    const struct format *format;
    char *content = NULL;
    size_t bytes;
    error_reset(error);
    if (!NEED(error, file, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(file, shoal_mlp_model_file_init, &own, error);
    if (status)
        return status;
    if (!NEED_MEMBER(error, file, own, path))
        return SHOAL_INVALID;
    status = find_format(own.path, NULL, &format, error);
    if (status)
        return fail(error, SHOAL_IO,
                    "%s: the extension names no format of models; there are .safetensors, .net and .npy",
                    own.path);
    if (strcmp(format->extension, ".npy") == 0)
        return model_open_npy(&own, out, error);
    if (!format->read)
        status = fail(error, SHOAL_UNSUPPORTED,
                      "%s: models can be written as %s, but not read; keep a .safetensors file beside it",
                      own.path, format->extension);
    if (!status)
        status = read_input(own.path, "model", INPUT_DATA_MOST, &content, &bytes, error);
    if (!status)
        status = format->read(&own, content, bytes, out, error);
    free(content);
    return status;
}

static enum shoal_status check_single(const struct shoal_mlp_model *model, const char *path,
                                      struct shoal_error *error)
{
    for (uint32_t l = 0; l < model->net->layer_count; l++) {
        const struct net_layer *layer = &model->net->layers[l];
        for (size_t k = layer->weights; k < layer->biases + layer->outputs; k++)
            if (fabs(model->parameters[k]) > FLT_MAX)
                return fail(error, SHOAL_UNSUPPORTED,
                            "%s: layer %u has a %s of %g, which single precision does not hold", path, l + 1,
                            k < layer->biases ? "weight" : "bias", model->parameters[k]);
    }
    return SHOAL_OK;
}

enum shoal_status shoal_mlp_model_save(const struct shoal_mlp_model *model, const char *path,
                                       const char *form, struct shoal_error *error)
{
    const struct format *format;
    error_reset(error);
    if (!NEED(error, model, path))
        return SHOAL_INVALID;
    enum shoal_status status = find_format(path, form, &format, error);
    if (!status && (format->is_single || (!format->form && model->info.precision == SHOAL_FP32)))
        status = check_single(model, path, error);
    return status ? status : format->write(model, path, error);
}

enum shoal_status model_can_save(const struct net *net, const char *path, const char *form,
                                 struct shoal_error *error)
{
    const struct format *format;
    const enum shoal_status status = find_format(path, form, &format, error);
    return status || !format->check ? status : format->check(net, path, error);
}

/* Writes the shape of a net for messages: "64-63-26". */
static void show_shape(const struct net *net, char out[64])
{
    size_t length = (size_t)snprintf(out, 64, "%u", net->inputs);
    for (uint32_t l = 0; l < net->layer_count && length < 64; l++)
        length += (size_t)snprintf(out + length, 64 - length, "-%u", net->layers[l].outputs);
}

static bool is_same_shape(const struct net *a, const struct net *b)
{
    bool is_same = a->inputs == b->inputs && a->layer_count == b->layer_count;
    for (uint32_t l = 0; is_same && l < a->layer_count; l++)
        is_same = a->layers[l].outputs == b->layers[l].outputs;
    return is_same;
}

enum shoal_status model_copy_parameters(const struct shoal_mlp_model *model, const char *path,
                                        const struct net *net, double *parameters, struct shoal_error *error)
{
    char wanted[64], found[64];
    if (is_same_shape(model->net, net)) {
        memcpy(parameters, model->parameters, net->parameters * sizeof *parameters);
        return SHOAL_OK;
    }
    show_shape(net, wanted);
    show_shape(model->net, found);
    return fail(error, SHOAL_IO, "%s: holds a net %s, but the net to be trained is %s", path, found, wanted);
}

enum shoal_status model_read_parameters(const char *path, const struct net *net, double *parameters,
                                        struct shoal_error *error)
{
    struct shoal_mlp_model_file file;
    struct shoal_mlp_model *model;
    const char *extension = strrchr(path, '.');
    if (extension && strcasecmp(extension, ".npy") == 0)
        return model_read_flat(path, net->parameters, parameters, error);
    shoal_mlp_model_file_init(&file);
    file.path = path;
    /* no effect: only parameters are read; a file without activations needs some */
    file.activation = file.output = "linear";
    enum shoal_status status = shoal_mlp_model_open(&file, &model, error);
    if (!status)
        status = model_copy_parameters(model, path, net, parameters, error);
    shoal_mlp_model_destroy(&model);
    return status;
}

/* Values that the caller gives
 * -------------------------------------------------------------------------------- */

/* Copies word number `index` of a list such as "relu,tanh", or the last word if the list is shorter. Returns
 * the number of words. */
static size_t list_word(const char *list, size_t index, char word[24])
{
    size_t count = 0;
    for (const char *at = list;; count++) {
        const size_t length = strcspn(at, ",");
        if (count <= index) {
            const size_t kept = length < 23 ? length : 23;
            memcpy(word, at, kept);
            word[kept] = '\0';
        }
        if (!at[length])
            return count + 1;
        at += length + 1;
    }
}

static enum shoal_status choose_activation(const struct shoal_mlp_model_file *file, const char *word,
                                           uint32_t layer, struct net_layer_choice *choice,
                                           struct shoal_error *error)
{
    choice->activation = model_word(mlp_activation_names, word);
    if (choice->activation < 0)
        return fail(error, SHOAL_INVALID,
                    "%s: layer %u: there is no activation '%.23s'; there are " MLP_HIDDEN_ACTIVATIONS
                    ", and softmax of the last layer",
                    file->path, layer + 1, word);
    choice->slope = !isnan(file->slope) ? file->slope : choice->activation == MLP_LEAKY_RELU ? 0.01 : 1;
    return SHOAL_OK;
}

static enum shoal_status choose_layers(const struct shoal_mlp_model_file *file, const uint32_t *widths,
                                       uint32_t layers, struct net_layer_choice *choices,
                                       struct shoal_error *error)
{
    char word[24];
    if (!file->output || (layers > 1 && !file->activation))
        return fail(error, SHOAL_INVALID,
                    "%s: does not say which functions follow its layers; give the %s (such as %s)",
                    file->path,
                    file->output ? "activation of hidden layers" : "output, that of the last layer",
                    file->output ? "relu" : "softmax or linear");
    for (uint32_t l = 0; l < layers; l++) {
        enum shoal_status status;
        if (l + 1 == layers) {
            status = choose_activation(file, file->output, l, &choices[l], error);
        } else {
            const size_t count = list_word(file->activation, l, word);
            if (count != 1 && count != layers - 1)
                return fail(error, SHOAL_INVALID, "%s: %zu activations for %u hidden layers", file->path,
                            count, layers - 1);
            status = choose_activation(file, word, l, &choices[l], error);
        }
        if (status)
            return status;
        choices[l].outputs = widths[l + 1];
    }
    return SHOAL_OK;
}

enum shoal_status model_net_of(const struct shoal_mlp_model_file *file, const uint32_t *widths,
                               uint32_t layers, struct net **out, struct shoal_error *error)
{
    struct net_layer_choice *choices = calloc(layers + 1, sizeof *choices);
    *out = NULL;
    enum shoal_status status =
        choices ? choose_layers(file, widths, layers, choices, error) : fail_host_memory(error);
    if (!status) {
        const struct net_choice choice = {
            .inputs = widths[0], .layer_count = layers, .layers = choices, .loss = MLP_LOSS_SQUARED};
        status = net_create(&choice, out, error);
        if (status)
            error_prefix(error, "%s: ", file->path);
    }
    free(choices);
    return status;
}

/* Inputs as they are ------------------------------------------------------------------------------------ */

static void add_ones(struct text *text, const char *key, size_t count, int value)
{
    text_printf(text, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        text_printf(text, "%s%d", i ? "," : "", value);
    text_add(text, "]");
}

static void add_numbers(struct text *text, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_printf(text,
                    "%s{\"name\":\"%zu\",\"kind\":\"number\",\"encoding\":\"plain\",\"place\":%zu,"
                    "\"width\":1}",
                    i ? "," : "", first + i + 1, first + i);
}

static void add_classes(struct text *text, size_t count)
{
    text_add(text, "[");
    for (size_t i = 0; i < count; i++)
        text_printf(text, "%s\"%zu\"", i ? "," : "", i);
    text_add(text, "]");
}

enum shoal_status model_plain_preparation(const struct net *net, struct preparation **out,
                                          struct shoal_error *error)
{
    struct text text = {.data = NULL};
    const bool has_classes = net->outputs > 1 && net->layers[net->layer_count - 1].activation == MLP_SOFTMAX;
    const size_t inputs = net->inputs, outputs = net->outputs;
    text_printf(&text,
                "{\"task\":\"%s\",\"scale\":\"none\",\"target_scale\":\"none\",\"missing\":\"refuse\","
                "\"has_names\":false,\"file_columns\":%zu,\"inputs\":[",
                has_classes ? "classes" : "numbers", inputs + (has_classes ? 1 : outputs));
    add_numbers(&text, 0, inputs);
    text_add(&text, "],\"targets\":[");
    if (has_classes) {
        text_printf(&text,
                    "{\"name\":\"%zu\",\"kind\":\"category\",\"encoding\":\"one-hot\",\"place\":%zu,"
                    "\"width\":%zu,\"categories\":",
                    inputs + 1, inputs, outputs);
        add_classes(&text, outputs);
        text_add(&text, "}],\"classes\":");
        add_classes(&text, outputs);
    } else {
        add_numbers(&text, inputs, outputs);
        text_add(&text, "]");
        add_ones(&text, "target_shift", outputs, 0);
        add_ones(&text, "target_factor", outputs, 1);
    }
    add_ones(&text, "shift", inputs, 0);
    add_ones(&text, "factor", inputs, 1);
    text_add(&text, "}");
    const enum shoal_status status =
        text.failed ? fail_host_memory(error) : prepare_from_json(text.data, "model", out, error);
    text_free(&text);
    return status;
}
