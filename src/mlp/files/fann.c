/* Reads nets of FANN (see fann_write.c) that are fully connected and have one activation function for each
 * layer. */
#include "mlp/files/fann.h"

#include "base/error.h"
#include "io/cursor.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS_MOST = 64, CONNECTION_LEAST = 6 /* bytes of "(0, 0)" */ };

struct scale {
    double *values[4]; /* mean, deviation, new_min and factor, in this order */
};
struct file {
    struct cursor cursor;
    uint32_t sizes[LAYERS_MOST + 1]; /* units of each layer, with bias neurons */
    uint32_t layers;                 /* number of layers without the input layer */
    bool is_scaled;
    struct scale in, out;
    struct net *net;
    double *steepness; /* [units of the net]: steepness of each unit */
    double *parameters;
};

/* Takes the next line, which must be "KEY=VALUE", and returns its value. */
static enum shoal_status take_line(struct file *file, const char *key, const char **value)
{
    struct line line;
    const size_t length = strlen(key);
    if (!cursor_next(&file->cursor, &line))
        return cursor_fail(&file->cursor, "the file ends where %s is to be", key);
    if ((size_t)(line.end - line.begin) <= length || memcmp(line.begin, key, length) != 0 ||
        line.begin[length] != '=')
        return cursor_fail(&file->cursor, "%s is to be here", key);
    *value = line.begin + length + 1;
    return SHOAL_OK;
}

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
}

static bool take_number(const char **at, double *value)
{
    skip_blanks(at);
    const char *end = decimal_read(*at, value);
    const bool is_number = end != *at && isfinite(*value);
    *at = end;
    return is_number;
}

static bool take_count(const char **at, double most, uint32_t *count)
{
    double value;
    if (!take_number(at, &value) || !(value >= 0 && value <= most) || value != floor(value))
        return false;
    *count = (uint32_t)value;
    return true;
}

static bool take_mark(const char **at, char mark)
{
    skip_blanks(at);
    if (**at != mark)
        return false;
    ++*at;
    return true;
}

/* Head --------------------------------------------------------------------------------------------------- */

static enum shoal_status read_version(struct file *file)
{
    struct line line;
    const char *const name = file->cursor.name;
    struct shoal_error *const error = file->cursor.error;
    if (!cursor_next(&file->cursor, &line) || !line_begins(&line, "FANN_F"))
        return fail(error, SHOAL_IO, "%s: is no net of FANN: it does not begin with FANN_FLO_2.1", name);
    if (line_begins(&line, "FANN_FIX"))
        return fail(error, SHOAL_IO,
                    "%s: holds a net in fixed point; save it in floating point, by fann_save", name);
    if ((size_t)(line.end - line.begin) != 12 || !line_begins(&line, "FANN_FLO_2.1"))
        return fail(error, SHOAL_IO, "%s: is of another version of FANN's files than FANN_FLO_2.1", name);
    return SHOAL_OK;
}

/* Reads the line of `key`. Lines before this line are settings of training, which are skipped. */
static enum shoal_status read_setting(struct file *file, const char *key, double *value)
{
    struct line line;
    const size_t length = strlen(key);
    while (cursor_next(&file->cursor, &line)) {
        if (!line_begins(&line, key) || line.begin[length] != '=')
            continue;
        const char *at = line.begin + length + 1;
        return take_number(&at, value) && at == line.end ? SHOAL_OK
                                                         : cursor_fail(&file->cursor, "%s is no number", key);
    }
    return cursor_fail(&file->cursor, "the file ends without %s", key);
}

static enum shoal_status read_sizes(struct file *file, double layers)
{
    struct line line;
    do {
        if (!cursor_next(&file->cursor, &line))
            return cursor_fail(&file->cursor, "the file ends without layer_sizes");
    } while (!line_begins(&line, "layer_sizes="));
    const char *at = line.begin + strlen("layer_sizes=");
    double connections = 0;
    for (uint32_t l = 0; l < (uint32_t)layers; l++) {
        if (!take_count(&at, UINT32_MAX, &file->sizes[l]) || file->sizes[l] < 2)
            return cursor_fail(&file->cursor,
                               "size %u of %u is to be a number of neurons, one more for the bias", l + 1,
                               (uint32_t)layers);
        if (l)
            connections += (double)file->sizes[l - 1] * (file->sizes[l] - 1);
    }
    if (at != line.end)
        return cursor_fail(&file->cursor, "there are more sizes than num_layers");
    if (connections * CONNECTION_LEAST > (double)(file->cursor.end - line.begin))
        return cursor_fail(&file->cursor, "these layers have %.0f connections, more than the file holds",
                           connections);
    file->layers = (uint32_t)layers - 1;
    return SHOAL_OK;
}

static enum shoal_status read_head(struct file *file)
{
    double layers = 0, rate = 0, type = 0;
    enum shoal_status status = read_version(file);
    if (!status)
        status = read_setting(file, "num_layers", &layers);
    if (!status && !(layers >= 2 && layers <= LAYERS_MOST && layers == floor(layers)))
        status = cursor_fail(&file->cursor, "a net has 2 to %d layers, not %g", LAYERS_MOST, layers);
    if (!status)
        status = read_setting(file, "connection_rate", &rate);
    if (!status && rate != 1)
        status =
            cursor_fail(&file->cursor, "the net has a part of its connections; only fully connected ones "
                                       "are read");
    if (!status)
        status = read_setting(file, "network_type", &type);
    if (!status && type != 0)
        status = cursor_fail(
            &file->cursor,
            "the net has connections that skip layers; only nets without such connections are read");
    return status ? status : read_sizes(file, layers);
}

/* Scales ------------------------------------------------------------------------------------------------- */

static enum shoal_status read_scale(struct file *file, const char *const *keys, size_t count,
                                    struct scale *scale)
{
    for (int k = 0; k < 4; k++) {
        const char *at;
        enum shoal_status status = take_line(file, keys[k], &at);
        if (status)
            return status;
        scale->values[k] = calloc(count, sizeof *scale->values[k]);
        if (!scale->values[k])
            return fail_host_memory(file->cursor.error);
        for (size_t i = 0; i < count; i++)
            if (!take_number(&at, &scale->values[k][i]) || ((k & 1) && scale->values[k][i] == 0))
                return cursor_fail(&file->cursor, "%s: number %zu of %zu is no scale", keys[k], i + 1, count);
    }
    return SHOAL_OK;
}

static enum shoal_status read_scales(struct file *file)
{
    static const char *const in[] = {"scale_mean_in", "scale_deviation_in", "scale_new_min_in",
                                     "scale_factor_in"};
    static const char *const out[] = {"scale_mean_out", "scale_deviation_out", "scale_new_min_out",
                                      "scale_factor_out"};
    double included;
    enum shoal_status status = read_setting(file, "scale_included", &included);
    file->is_scaled = !status && included != 0;
    if (!status && file->is_scaled)
        status = read_scale(file, in, file->sizes[0] - 1, &file->in);
    if (!status && file->is_scaled)
        status = read_scale(file, out, file->sizes[file->layers] - 1, &file->out);
    return status;
}

/* Brings ((x - mean) / deviation + 1) factor + new_min into the form (x - shift) * scale. */
static void use_scale(const struct scale *scale, size_t count, double *shift, double *factor)
{
    for (size_t k = 0; k < count; k++) {
        const double mean = scale->values[0][k], deviation = scale->values[1][k], least = scale->values[2][k],
                     wide = scale->values[3][k];
        factor[k] = wide / deviation;
        shift[k] = mean - (wide + least) / factor[k];
    }
}

/* Neurons and connections -------------------------------------------------------------------------------- */

struct neuron {
    uint32_t inputs, function;
    double steepness;
};

static bool take_neuron(const char **at, struct neuron *neuron)
{
    return take_mark(at, '(') && take_count(at, UINT32_MAX, &neuron->inputs) && take_mark(at, ',') &&
           take_count(at, 1000, &neuron->function) && take_mark(at, ',') &&
           take_number(at, &neuron->steepness) && take_mark(at, ')');
}

static int32_t activation_of(uint32_t function)
{
    return function == FANN_FILE_LINEAR              ? MLP_LINEAR
           : function == FANN_FILE_SIGMOID           ? MLP_LOGISTIC
           : function == FANN_FILE_SIGMOID_SYMMETRIC ? MLP_TANH
                                                     : -1;
}

static const char *stepwise(uint32_t function)
{
    return function == FANN_FILE_SIGMOID_STEPWISE ? "FANN_SIGMOID" : "FANN_SIGMOID_SYMMETRIC";
}

static enum shoal_status check_neuron(const struct file *file, const struct neuron *neuron, uint32_t layer,
                                      uint32_t number, int32_t activation)
{
    if (neuron->inputs != file->sizes[layer - 1])
        return cursor_fail(
            &file->cursor,
            "neuron %u of layer %u has %u connections, not %u: only fully connected nets are read",
            number + 1, layer, neuron->inputs, file->sizes[layer - 1]);
    if (neuron->function == FANN_FILE_SIGMOID_STEPWISE ||
        neuron->function == FANN_FILE_SIGMOID_SYMMETRIC_STEPWISE)
        return cursor_fail(
            &file->cursor,
            "neuron %u of layer %u has FANN's default function, %s_STEPWISE, lines that differ by "
            "up to 0.07 from the curve; set %s by fann_set_activation_function_hidden and _output, "
            "and save the net again",
            number + 1, layer, stepwise(neuron->function), stepwise(neuron->function));
    if (activation_of(neuron->function) < 0)
        return cursor_fail(
            &file->cursor,
            "neuron %u of layer %u has FANN's function %u; FANN_LINEAR (0), FANN_SIGMOID (3) and "
            "FANN_SIGMOID_SYMMETRIC (5) are read",
            number + 1, layer, neuron->function);
    if (activation_of(neuron->function) != activation)
        return cursor_fail(&file->cursor,
                           "layer %u has several functions; nets of one for each layer are read", layer);
    return neuron->steepness == 0
               ? cursor_fail(&file->cursor, "neuron %u of layer %u has steepness 0", number + 1, layer)
               : SHOAL_OK;
}

/* Reads the activation functions into choices[layers], and the steepness of each unit into file->steepness.
 */
static enum shoal_status read_neurons(struct file *file, struct net_layer_choice *choices)
{
    const char *at;
    enum shoal_status status =
        take_line(file, "neurons (num_inputs, activation_function, activation_steepness)", &at);
    size_t unit = 0;
    for (uint32_t l = 0; l <= file->layers && !status; l++)
        for (uint32_t i = 0; i < file->sizes[l] && !status; i++) {
            struct neuron neuron;
            const bool is_bias = i + 1 == file->sizes[l];
            if (!take_neuron(&at, &neuron))
                return cursor_fail(&file->cursor, "neuron %u of %u of layer %u cannot be read", i + 1,
                                   file->sizes[l], l);
            if (l == 0 || is_bias) {
                if (neuron.inputs)
                    return cursor_fail(&file->cursor, "neuron %u of layer %u is to have no connections",
                                       i + 1, l);
                continue;
            }
            if (i == 0)
                choices[l - 1] = (struct net_layer_choice){.outputs = file->sizes[l] - 1,
                                                           .activation = activation_of(neuron.function),
                                                           .slope = 2 * neuron.steepness};
            status = check_neuron(file, &neuron, l, i, choices[l - 1].activation);
            file->steepness[unit++] = neuron.steepness;
        }
    return status;
}

static enum shoal_status read_connections(struct file *file)
{
    const char *at;
    enum shoal_status status = take_line(file, "connections (connected_to_neuron, weight)", &at);
    const struct net *net = file->net;
    double before = 0;
    if (status)
        return status;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        for (uint32_t o = 0; o < layer->outputs; o++)
            for (uint32_t i = 0; i <= layer->inputs; i++) {
                double from, weight;
                if (!take_mark(&at, '(') || !take_number(&at, &from) || !take_mark(&at, ',') ||
                    !take_number(&at, &weight) || !take_mark(&at, ')'))
                    return cursor_fail(&file->cursor, "connection %u of neuron %u of layer %u cannot be read",
                                       i + 1, o + 1, l + 1);
                if (from != before + i)
                    return cursor_fail(&file->cursor,
                                       "connection %u of neuron %u of layer %u comes from neuron %g, not %g: "
                                       "only fully connected nets are read",
                                       i + 1, o + 1, l + 1, from, before + i);
                file->parameters[i == layer->inputs ? layer->biases + o
                                                    : layer->weights + (size_t)o * layer->inputs + i] =
                    weight;
            }
        before += layer->inputs + 1;
    }
    skip_blanks(&at);
    return *at && *at != '\n' && *at != '\r'
               ? cursor_fail(&file->cursor, "there are more connections than the layers have")
               : SHOAL_OK;
}

/* Multiplies the steepness of each unit into its weights, without the part that the slope of the activation
 * function already has. */
static void use_steepness(struct file *file)
{
    for (uint32_t l = 0; l < file->net->layer_count; l++) {
        const struct net_layer *layer = &file->net->layers[l];
        for (uint32_t o = 0; o < layer->outputs; o++) {
            const double steepness = file->steepness[layer->first_unit + o],
                         factor =
                             layer->activation == MLP_LOGISTIC ? 2 * steepness / layer->slope : steepness;
            for (uint32_t i = 0; i < layer->inputs; i++)
                file->parameters[layer->weights + (size_t)o * layer->inputs + i] *= factor;
            file->parameters[layer->biases + o] *= factor;
        }
    }
}

/* All ---------------------------------------------------------------------------------------------------- */

static enum shoal_status read_net(struct file *file)
{
    struct net_layer_choice choices[LAYERS_MOST] = {{0}};
    size_t units = 0;
    for (uint32_t l = 1; l <= file->layers; l++)
        units += file->sizes[l];
    file->steepness = calloc(units, sizeof *file->steepness);
    if (!file->steepness)
        return fail_host_memory(file->cursor.error);
    enum shoal_status status = read_neurons(file, choices);
    if (status)
        return status;
    const struct net_choice choice = {.inputs = file->sizes[0] - 1,
                                      .layer_count = file->layers,
                                      .layers = choices,
                                      .loss = MLP_LOSS_SQUARED};
    status = net_create(&choice, &file->net, file->cursor.error);
    if (status)
        return fail_in_file(file->cursor.error, status);
    file->parameters = calloc(file->net->parameters, sizeof *file->parameters);
    if (!file->parameters)
        return fail_host_memory(file->cursor.error);
    status = read_connections(file);
    if (!status)
        use_steepness(file);
    return status;
}

static enum shoal_status assemble(const struct file *file, struct shoal_mlp_model **out)
{
    struct preparation *preparation;
    struct shoal_error *const error = file->cursor.error;
    enum shoal_status status = model_plain_preparation(file->net, &preparation, error);
    if (status)
        return status;
    if (file->is_scaled) {
        use_scale(&file->in, file->net->inputs, preparation->shift, preparation->factor);
        use_scale(&file->out, file->net->outputs, preparation->target_shift, preparation->target_factor);
    }
    const struct model_parts parts = {.net = file->net,
                                      .parameters = file->parameters,
                                      .preparation = preparation,
                                      .precision = SHOAL_FP32,
                                      .creator = "FANN"};
    status = model_create(&parts, out, error);
    if (status) {
        error_prefix(error, "%s: ", file->cursor.name);
        status = fail_in_file(error, status);
    }
    prepare_destroy(&preparation);
    return status;
}

enum shoal_status model_read_fann(const struct shoal_mlp_model_file *file, const char *content, size_t bytes,
                                  struct shoal_mlp_model **out, struct shoal_error *error)
{
    struct file net = {.cursor = {.name = file->path, .at = content, .end = content + bytes, .error = error}};
    *out = NULL;
    enum shoal_status status = read_head(&net);
    if (!status)
        status = read_scales(&net);
    if (!status)
        status = read_net(&net);
    if (!status)
        status = assemble(&net, out);
    for (int k = 0; k < 4; k++) {
        free(net.in.values[k]);
        free(net.out.values[k]);
    }
    free(net.steepness);
    free(net.parameters);
    net_destroy(&net.net);
    return status;
}
