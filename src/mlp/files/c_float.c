/* Models as C99 that computes in single precision. The weights and biases of the first layer include the
 * scale of encoded inputs, which are 0 or 1, and the factor of numbers. Only the shift of a number is
 * subtracted in the code, in two parts, so that x - shift is exact if x is near the shift, however large both
 * are. */
#include "mlp/files/c_text.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constants of the inputs, and the parameters with the scale of the inputs multiplied into the first layer.
 * Columns of numbers and columns with a fill are listed in the order of the columns. */
struct folded {
    double *high, *low; /* shift of each number, as high + low */
    double *fill;       /* [fills]: the number that replaces a missing value, shift subtracted */
    size_t numbers, fills;
    double *parameters;
};

/* Sets the constants of input k of a column. True: the input is a number, whose shift the code subtracts. */
static bool fold_input(const struct preparation *preparation, const struct prepare_column *column, size_t k,
                       struct folded *folded)
{
    const double shift = preparation->shift[column->first + k];
    const bool is_number = column->encoding == SHOAL_ENCODING_PLAIN && k == 0;
    if (is_number) {
        folded->high[folded->numbers] = (double)(float)shift;
        folded->low[folded->numbers] = shift - folded->high[folded->numbers];
        folded->numbers++;
    }
    if (column->fill)
        folded->fill[folded->fills++] = k == column->width ? 1 : column->fill[k] - (is_number ? shift : 0);
    return is_number;
}

static bool fold(const struct shoal_mlp_model *model, struct folded *folded)
{
    const struct preparation *preparation = model->preparation;
    const struct net_layer *first = &model->net->layers[0];
    const size_t inputs = model->net->inputs;
    folded->high = calloc(3 * inputs, sizeof *folded->high);
    folded->parameters = malloc(model->net->parameters * sizeof *folded->parameters);
    if (!folded->high || !folded->parameters)
        return false;
    folded->low = folded->high + inputs;
    folded->fill = folded->low + inputs;
    memcpy(folded->parameters, model->parameters, model->net->parameters * sizeof *folded->parameters);
    for (size_t c = 0; c < preparation->input_columns; c++) {
        const struct prepare_column *column = &preparation->inputs[c];
        for (size_t k = 0; k < column->width + column->has_indicator; k++) {
            const size_t i = column->first + k;
            const bool is_number = fold_input(preparation, column, k, folded);
            for (uint32_t o = 0; o < first->outputs; o++) {
                double *weight = &folded->parameters[first->weights + (size_t)o * inputs + i];
                *weight *= preparation->factor[i];
                if (!is_number)
                    folded->parameters[first->biases + o] -= *weight * preparation->shift[i];
            }
        }
    }
    return true;
}

static void free_folded(struct folded *folded)
{
    free(folded->high);
    free(folded->parameters);
}

/* Sizes of the two buffers, in numbers, that layers read and write in turn. */
static void size_buffers(const struct net *net, size_t sizes[2])
{
    sizes[0] = net->inputs;
    sizes[1] = 0;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        size_t *size = &sizes[(l + 1) % 2];
        *size = net->layers[l].outputs > *size ? net->layers[l].outputs : *size;
    }
}

/* Inputs ------------------------------------------------------------------------------------------------- */

static bool is_plain(const struct prepare_column *column)
{
    return column->encoding == SHOAL_ENCODING_PLAIN && !column->has_indicator;
}

/* Number of neighbouring plain columns (see is_plain) from column `first` on of which either all or none have
 * a fill for missing values; 0: column `first` is not plain. */
static size_t plain_run(const struct preparation *preparation, size_t first)
{
    size_t last = first;
    while (last < preparation->input_columns && is_plain(&preparation->inputs[last]) &&
           !preparation->inputs[last].fill == !preparation->inputs[first].fill)
        last++;
    return last - first;
}

static bool uses(const struct preparation *preparation, enum shoal_encoding encoding)
{
    for (size_t c = 0; c < preparation->input_columns; c++)
        if (preparation->inputs[c].encoding == encoding)
            return true;
    return false;
}

static void add_encoders(struct c_text *text)
{
    const struct preparation *preparation = text->model->preparation;
    if (uses(preparation, SHOAL_ENCODING_ONE_HOT))
        c_text_add(text, "\nstatic void @_one_hot(float x, int count, float *in)\n"
                         "{\n"
                         "    int k;\n"
                         "    for (k = 0; k < count; k++)\n"
                         "        in[k] = x == (float)k ? 1.0f : 0.0f;\n"
                         "}\n");
    if (uses(preparation, SHOAL_ENCODING_THERMOMETER))
        c_text_add(text, "\nstatic void @_thermometer(float x, float least, int count, float *in)\n"
                         "{\n"
                         "    int k;\n"
                         "    for (k = 0; k < count; k++)\n"
                         "        in[k] = x > least + (float)k ? 1.0f : 0.0f;\n"
                         "}\n");
    if (uses(preparation, SHOAL_ENCODING_BITS))
        c_text_add(text, "\nstatic void @_bits(float x, int count, float *in)\n"
                         "{\n"
                         "    const unsigned long value = x > 0.0f ? (unsigned long)x : 0;\n"
                         "    int k;\n"
                         "    for (k = 0; k < count; k++)\n"
                         "        in[k] = value >> (count - 1 - k) & 1 ? 1.0f : 0.0f;\n"
                         "}\n");
}

/* number: index of the next column among the columns of numbers; fill: index of the next column among the
 * filled columns. */
struct places {
    size_t number, fill;
};

static void add_run(struct c_text *text, size_t first, size_t count, struct places *places)
{
    const struct prepare_column *column = &text->model->preparation->inputs[first];
    output_printf(&text->output, "    for (i = 0; i < %zu; i++) {\n        const float x = row[%zu + i];\n",
                  count, first);
    output_printf(&text->output, "        in[%zu + i] = ", column->first);
    if (column->fill) {
        output_printf(&text->output, "x != x ? %s_fill[%zu + i] : ", text->name, places->fill);
        places->fill += count;
    }
    output_printf(&text->output, "x - %s_high[%zu + i] - %s_low[%zu + i];\n    }\n", text->name,
                  places->number, text->name, places->number);
    places->number += count;
}

static void add_column(struct c_text *text, size_t c, struct places *places)
{
    struct output *output = &text->output;
    const struct prepare_column *column = &text->model->preparation->inputs[c];
    const char *indent = column->fill ? "    " : "";
    const size_t width = column->width + column->has_indicator, i = column->first;
    if (column->fill) {
        output_printf(output,
                      "    if (row[%zu] != row[%zu]) {\n"
                      "        for (i = 0; i < %zu; i++)\n"
                      "            in[%zu + i] = %s_fill[%zu + i];\n"
                      "    } else {\n",
                      c, c, width, i, text->name, places->fill);
        places->fill += width;
    }
    output_printf(output, "%s    ", indent);
    switch (column->encoding) {
    case SHOAL_ENCODING_ONE_HOT:
        output_printf(output, "%s_one_hot(row[%zu], %zu, in + %zu);\n", text->name, c, column->width, i);
        break;
    case SHOAL_ENCODING_THERMOMETER:
        output_printf(output, "%s_thermometer(row[%zu], ", text->name, c);
        c_text_float(output, column->least);
        output_printf(output, ", %zu, in + %zu);\n", column->width, i);
        break;
    case SHOAL_ENCODING_BITS:
        output_printf(output, "%s_bits(row[%zu], %zu, in + %zu);\n", text->name, c, column->width, i);
        break;
    case SHOAL_ENCODING_PLAIN:
        output_printf(output, "in[%zu] = row[%zu] - %s_high[%zu] - %s_low[%zu];\n", i, c, text->name,
                      places->number, text->name, places->number);
        places->number++;
        break;
    }
    if (column->has_indicator)
        output_printf(output, "%s    in[%zu] = 0.0f;\n", indent, i + column->width);
    if (column->fill)
        output_add(output, "    }\n");
}

static void add_inputs(struct c_text *text)
{
    const struct preparation *preparation = text->model->preparation;
    struct places places = {0};
    bool has_loop = false;
    for (size_t c = 0; c < preparation->input_columns; c++)
        has_loop |= preparation->inputs[c].fill || is_plain(&preparation->inputs[c]);
    add_encoders(text);
    c_text_add(text, "\nstatic void @_inputs(const float *row, float *in)\n{\n");
    if (has_loop)
        output_add(&text->output, "    int i;\n");
    for (size_t c = 0; c < preparation->input_columns;) {
        const size_t run = plain_run(preparation, c);
        if (run)
            add_run(text, c, run, &places);
        else
            add_column(text, c, &places);
        c += run ? run : 1;
    }
    output_add(&text->output, "}\n");
}

/* Layers ------------------------------------------------------------------------------------------------- */

static void add_functions(struct c_text *text)
{
    c_text_add(
        text, "\nstatic void @_sums(const float *weights, const float *biases, const float *in, int inputs,\n"
              "    float *out, int outputs)\n"
              "{\n"
              "    int o, i;\n"
              "    for (o = 0; o < outputs; o++) {\n"
              "        float sum = biases[o];\n"
              "        for (i = 0; i < inputs; i++)\n"
              "            sum += weights[i] * in[i];\n"
              "        weights += inputs;\n"
              "        out[o] = sum;\n"
              "    }\n"
              "}\n");
    if (net_has_activation(text->model->net, MLP_SOFTMAX))
        c_text_add(text, "\nstatic void @_softmax(float *out, int outputs)\n"
                         "{\n"
                         "    float most = out[0], sum = 0.0f;\n"
                         "    int o;\n"
                         "    for (o = 1; o < outputs; o++)\n"
                         "        most = out[o] > most ? out[o] : most;\n"
                         "    for (o = 0; o < outputs; o++)\n"
                         "        sum += out[o] = expf(out[o] - most);\n"
                         "    for (o = 0; o < outputs; o++)\n"
                         "        out[o] /= sum;\n"
                         "}\n");
}

static void add_activation(struct c_text *text, const struct net_layer *layer, char to)
{
    struct output *output = &text->output;
    char v[16];
    snprintf(v, sizeof v, "%c[i]", to);
    if (layer->activation == MLP_LINEAR)
        return;
    if (layer->activation == MLP_SOFTMAX) {
        output_printf(output, "    %s_softmax(%c, %u);\n", text->name, to, layer->outputs);
        return;
    }
    output_printf(output, "    for (i = 0; i < %u; i++)\n        %s = ", layer->outputs, v);
    switch (layer->activation) {
    case MLP_LOGISTIC:
        output_add(output, "1.0f / (1.0f + expf(");
        c_text_float(output, -layer->slope);
        output_printf(output, " * %s))", v);
        break;
    case MLP_TANH:
        output_printf(output, "tanhf(%s)", v);
        break;
    case MLP_RELU:
        output_printf(output, "%s > 0.0f ? %s : %s != %s ? %s : 0.0f", v, v, v, v, v);
        break;
    case MLP_LEAKY_RELU:
        output_printf(output, "%s > 0.0f ? %s : ", v, v);
        c_text_float(output, layer->slope);
        output_printf(output, " * %s", v);
        break;
    case MLP_GELU:
        output_printf(output, "0.5f * %s * (1.0f + erff(%s * 0.70710678f))", v, v);
        break;
    case MLP_GELU_TANH:
        output_printf(output, "0.5f * %s * (1.0f + tanhf(0.79788456f * (%s + 0.044715f * %s * %s * %s)))", v,
                      v, v, v, v);
        break;
    case MLP_THRESHOLD:
        output_printf(output, "%s >= 0.0f ? 1.0f : %s != %s ? %s : 0.0f", v, v, v, v);
        break;
    case MLP_PIECEWISE_LINEAR:
        output_printf(output, "%s <= -0.5f ? 0.0f : %s >= 0.5f ? 1.0f : %s + 0.5f", v, v, v);
        break;
    default: /* MLP_SILU */
        output_printf(output, "%s / (1.0f + expf(-%s))", v, v);
        break;
    }
    output_add(output, ";\n");
}

static void add_predict(struct c_text *text, const size_t sizes[2])
{
    const struct net *net = text->model->net;
    const struct preparation *preparation = text->model->preparation;
    struct output *output = &text->output;
    c_text_add(text, "\nvoid @_predict(const float *row, float *outputs)\n{\n");
    output_printf(output, "    float a[%zu], b[%zu];\n    int i;\n    %s_inputs(row, a);\n", sizes[0],
                  sizes[1], text->name);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        const char from = l % 2 ? 'b' : 'a', to = l % 2 ? 'a' : 'b';
        output_printf(output, "    %s_sums(%s_weights%u, %s_biases%u, %c, %u, %c, %u);\n", text->name,
                      text->name, l, text->name, l, from, layer->inputs, to, layer->outputs);
        add_activation(text, layer, to);
    }
    output_printf(output, "    for (i = 0; i < %u; i++)\n        outputs[i] = ", net->outputs);
    if (preparation->target_factor)
        output_printf(output, "%c[i] * %s_unit[i] + %s_zero[i];\n}\n", net->layer_count % 2 ? 'b' : 'a',
                      text->name, text->name);
    else
        output_printf(output, "%c[i];\n}\n", net->layer_count % 2 ? 'b' : 'a');
}

/* File --------------------------------------------------------------------------------------------------- */

static const char *no_detail(void *data, bool is_output, size_t index)
{
    (void)data;
    (void)is_output;
    (void)index;
    return NULL;
}

/* Bytes of the arrays of constants in the file. */
static size_t count_flash(const struct shoal_mlp_model *model, const struct folded *folded)
{
    const size_t targets = model->preparation->target_factor ? 2 * model->info.outputs : 0;
    return sizeof(float) * (model->net->parameters + targets + 2 * folded->numbers + folded->fills);
}

static void add_head(struct c_text *text, size_t flash, size_t ram)
{
    struct output *output = &text->output;
    c_text_add(
        text,
        "/* A net trained by shoal, in C99, single precision; no heap; needs <math.h>. Any thread may call "
        "it.\n"
        " *\n"
        " *     void @_predict(const float *row, float *outputs);\n");
    if (text->model->info.classes)
        c_text_add(text, " *     int @_class(const float *outputs);\n");
    output_printf(output,
                  " *\n"
                  " * Flash: %zu bytes of constants, and the code. RAM: %zu bytes, on the stack.\n"
                  " * A row has numbers as in the data, numbers of categories, and NAN for missing values.\n",
                  flash, ram);
    c_text_describe(text, no_detail, NULL);
    output_add(output, " */\n#include <math.h>\n\n");
    c_text_add(text, "void @_predict(const float *row, float *outputs);\n");
    if (text->model->info.classes)
        c_text_add(text, "int @_class(const float *outputs);\n");
    output_add(output, "\n");
}

static void add_constants(struct c_text *text, const struct folded *folded)
{
    const struct shoal_mlp_model *model = text->model;
    const struct preparation *preparation = model->preparation;
    if (folded->numbers) {
        c_text_floats(text, "high", folded->high, folded->numbers);
        c_text_floats(text, "low", folded->low, folded->numbers);
    }
    if (folded->fills)
        c_text_floats(text, "fill", folded->fill, folded->fills);
    for (uint32_t l = 0; l < model->net->layer_count; l++) {
        const struct net_layer *layer = &model->net->layers[l];
        char key[32];
        snprintf(key, sizeof key, "weights%u", l);
        c_text_floats(text, key, folded->parameters + layer->weights, (size_t)layer->inputs * layer->outputs);
        snprintf(key, sizeof key, "biases%u", l);
        c_text_floats(text, key, folded->parameters + layer->biases, layer->outputs);
    }
    if (!preparation->target_factor)
        return;
    double *units = calloc(model->info.outputs, sizeof *units);
    text->output.text.failed |= !units;
    for (size_t k = 0; k < model->info.outputs && units; k++)
        units[k] = 1 / preparation->target_factor[k];
    if (units)
        c_text_floats(text, "unit", units, model->info.outputs);
    c_text_floats(text, "zero", preparation->target_shift, model->info.outputs);
    free(units);
}

enum shoal_status model_write_c_float(const struct shoal_mlp_model *model, const char *path,
                                      struct shoal_error *error)
{
    struct c_text text;
    struct folded folded = {.high = NULL};
    size_t sizes[2];
    if (!fold(model, &folded)) {
        free_folded(&folded);
        return fail_host_memory(error);
    }
    size_buffers(model->net, sizes);
    c_text_open(&text, model, path);
    add_head(&text, count_flash(model, &folded), sizeof(float) * (sizes[0] + sizes[1]));
    add_constants(&text, &folded);
    add_inputs(&text);
    add_functions(&text);
    add_predict(&text, sizes);
    c_text_class(&text, "float", "0.5f");
    free_folded(&folded);
    return output_close(&text.output, true, error);
}
