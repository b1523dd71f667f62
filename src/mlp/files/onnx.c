/* Models as ONNX (https://onnx.ai, onnx.proto of IR version 7, operators of opset 13) in the wire format of
 * Protocol Buffers: a field is its number and wire type, then a number, or a length followed by this number
 * of bytes.
 *
 * Input "rows", float, rows x columns: raw rows; categories are numbers, NaN is missing. Gather and one
 * operator for each encoding make the encoded inputs from their columns; Where fills missing values; the
 * scale is applied in double precision. Each layer is a Gemm with the weights of the net. Output "outputs",
 * float: the predictions.
 */
#include "mlp/files/model.h"

#include "base/error.h"
#include "io/output.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum wire { WIRE_NUMBER = 0, WIRE_BYTES = 2, WIRE_FLOAT = 5 };
enum element { ELEMENT_FLOAT = 1, ELEMENT_INT64 = 7, ELEMENT_DOUBLE = 11 };
enum { IR_VERSION = 7, OPSET = 13, NAME_MOST = 40 };
/* Most bytes of a message of Protocol Buffers: 2 GiB - 1. */
static const double bytes_most = 2147483647;

/* Messages ----------------------------------------------------------------------------------------------- */

static void add_varint(struct text *text, uint64_t value)
{
    for (; value > 127; value >>= 7)
        text_append(text, (const char[]){(char)(value | 128)}, 1);
    text_append(text, (const char[]){(char)value}, 1);
}

static void add_key(struct text *text, unsigned field, enum wire wire)
{
    add_varint(text, field << 3 | (unsigned)wire);
}

static void add_number(struct text *text, unsigned field, uint64_t value)
{
    add_key(text, field, WIRE_NUMBER);
    add_varint(text, value);
}

static void add_bytes(struct text *text, unsigned field, const char *bytes, size_t length)
{
    add_key(text, field, WIRE_BYTES);
    add_varint(text, length);
    text_append(text, bytes, length);
}

static void add_string(struct text *text, unsigned field, const char *string)
{
    add_bytes(text, field, string, strlen(string));
}

/* Adds a message that was built separately, and frees it. */
static void add_message(struct text *text, unsigned field, struct text *part)
{
    text->failed |= part->failed;
    add_bytes(text, field, part->data ? part->data : "", part->length);
    text_free(part);
}

/* Graph -------------------------------------------------------------------------------------------------- */

struct graph {
    const struct shoal_mlp_model *model;
    struct text text;
    unsigned tensors;        /* number of tensors named so far */
    char current[NAME_MOST]; /* name of the current tensor, the result of the last node */
};

struct attribute {
    const char *name;
    bool is_float;
    double value;
};

/* Adds a node: current = op(inputs ...). NULL inputs are left out; "" means the current tensor. */
static void add_node(struct graph *graph, const char *operator, const char * const inputs[3],
                     const struct attribute *attribute)
{
    struct text node = {.data = NULL}, part = {.data = NULL};
    for (int i = 0; i < 3 && inputs[i]; i++)
        add_string(&node, 1, *inputs[i] ? inputs[i] : graph->current);
    snprintf(graph->current, sizeof graph->current, "t%u", ++graph->tensors);
    add_string(&node, 2, graph->current);
    add_string(&node, 4, operator);
    if (attribute) {
        const float single = (float)attribute->value;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        word = htole32(word);
        add_string(&part, 1, attribute->name);
        if (attribute->is_float) {
            add_key(&part, 2, WIRE_FLOAT);
            text_append(&part, (const char *)&word, sizeof word);
        } else {
            add_number(&part, 3, (uint64_t)(int64_t)attribute->value);
        }
        add_number(&part, 20, attribute->is_float ? 1 : 2);
        add_message(&node, 5, &part);
    }
    add_message(&graph->text, 1, &node);
}

static void apply(struct graph *graph, const char *operator)
{
    add_node(graph, operator,(const char *const[3]){""}, NULL);
}

/* Adds a node with the current tensor as its first input: current = op(current, other). */
static void apply_to(struct graph *graph, const char *operator, const char * other)
{
    add_node(graph, operator,(const char *const[3]){"", other}, NULL);
}

static void cast(struct graph *graph, enum element element)
{
    add_node(graph, "Cast", (const char *const[3]){""}, &(struct attribute){"to", false, element});
}

/* Adds a constant of rows x columns; rows 0: the constant has one dimension; columns 0: the constant is a
 * number. */
static void add_tensor(struct graph *graph, const char *name, enum element element, const double *values,
                       size_t rows, size_t columns)
{
    struct text tensor = {.data = NULL}, data = {.data = NULL};
    const size_t count = (rows ? rows : 1) * (columns ? columns : 1);
    if (rows)
        add_number(&tensor, 1, rows);
    if (columns)
        add_number(&tensor, 1, columns);
    add_number(&tensor, 2, element);
    add_string(&tensor, 8, name);
    for (size_t i = 0; i < count; i++) {
        const float single = (float)values[i];
        const int64_t whole = element == ELEMENT_INT64 ? (int64_t)values[i] : 0;
        uint32_t half;
        uint64_t word;
        memcpy(&half, &single, sizeof half);
        memcpy(&word, element == ELEMENT_INT64 ? (const void *)&whole : &values[i], sizeof word);
        half = htole32(half);
        word = htole64(word);
        text_append(&data, element == ELEMENT_FLOAT ? (const char *)&half : (const char *)&word,
                    element == ELEMENT_FLOAT ? sizeof half : sizeof word);
    }
    add_message(&tensor, 9, &data);
    add_message(&graph->text, 5, &tensor);
}

static void add_scalar(struct graph *graph, const char *name, double value)
{
    add_tensor(graph, name, ELEMENT_FLOAT, &value, 0, 0);
}

/* Preparation -------------------------------------------------------------------------------------------- */

/* How an encoded input is made from its column. The graph makes the inputs of one kind together. */
enum kind { KIND_PLAIN, KIND_ONE_HOT, KIND_THERMOMETER, KIND_BITS, KIND_INDICATOR, KINDS };

struct encoded {
    enum kind kind;
    double column, argument, fill;
};

static enum kind kind_of(enum shoal_encoding encoding)
{
    return encoding == SHOAL_ENCODING_PLAIN         ? KIND_PLAIN
           : encoding == SHOAL_ENCODING_ONE_HOT     ? KIND_ONE_HOT
           : encoding == SHOAL_ENCODING_THERMOMETER ? KIND_THERMOMETER
                                                    : KIND_BITS;
}

/* Describes the inputs. argument: by the kind of input, the category, the number above which the input is 1,
 * or the index of a binary digit. */
static void describe_inputs(const struct preparation *preparation, struct encoded *encoded, bool *has_fill)
{
    *has_fill = false;
    for (size_t c = 0; c < preparation->input_columns; c++) {
        const struct prepare_column *column = &preparation->inputs[c];
        for (size_t k = 0; k < column->width; k++) {
            struct encoded *out = &encoded[column->first + k];
            *out = (struct encoded){.kind = kind_of(column->encoding),
                                    .column = (double)c,
                                    .fill = column->fill ? column->fill[k] : NAN};
            out->argument = out->kind == KIND_THERMOMETER ? column->least + (double)k
                            : out->kind == KIND_BITS      ? ldexp(1, (int)(column->width - 1 - k))
                                                          : (double)k;
        }
        if (column->has_indicator)
            encoded[column->first + column->width] =
                (struct encoded){.kind = KIND_INDICATOR, .column = (double)c, .fill = 1};
        *has_fill = *has_fill || column->fill;
    }
}

static bool is_identity(const double *indices, size_t count, size_t whole)
{
    bool is_identity = count == whole;
    for (size_t i = 0; i < count; i++)
        is_identity = is_identity && indices[i] == (double)i;
    return is_identity;
}

/* Adds current = columns indices[count] of tensor `from`, which has `whole` columns. name: name of the
 * constant that holds the indices. */
static void gather(struct graph *graph, const char *from, const char *name, const double *indices,
                   size_t count, size_t whole)
{
    snprintf(graph->current, sizeof graph->current, "%s", from);
    if (is_identity(indices, count, whole))
        return;
    add_tensor(graph, name, ELEMENT_INT64, indices, 0, count);
    add_node(graph, "Gather", (const char *const[3]){"", name}, &(struct attribute){"axis", false, 1});
}

static void encode_kind(struct graph *graph, enum kind kind, const double *columns, const double *arguments,
                        size_t count)
{
    static const char *const names[KINDS] = {"plain", "category", "thermometer", "bits", "indicator"};
    char indices[NAME_MOST], argument[NAME_MOST];
    snprintf(indices, sizeof indices, "%s.columns", names[kind]);
    snprintf(argument, sizeof argument, "%s.arguments", names[kind]);
    gather(graph, "rows", indices, columns, count, graph->model->info.columns);
    if (kind == KIND_ONE_HOT || kind == KIND_THERMOMETER || kind == KIND_BITS)
        add_tensor(graph, argument, ELEMENT_FLOAT, arguments, 0, count);
    if (kind == KIND_ONE_HOT)
        apply_to(graph, "Equal", argument);
    if (kind == KIND_THERMOMETER)
        apply_to(graph, "Greater", argument);
    if (kind == KIND_INDICATOR)
        apply(graph, "IsNaN");
    if (kind == KIND_BITS) {
        add_scalar(graph, "two", 2);
        apply_to(graph, "Div", argument);
        apply(graph, "Floor");
        add_node(graph, "Mod", (const char *const[3]){"", "two"}, &(struct attribute){"fmod", false, 1});
    } else if (kind != KIND_PLAIN) {
        cast(graph, ELEMENT_FLOAT);
    }
}

/* Encodes the inputs, kind by kind, then restores their order. numbers: scratch memory, three numbers for
 * each input. */
static void encode(struct graph *graph, const struct encoded *encoded, double *numbers)
{
    const size_t inputs = graph->model->info.inputs;
    double *columns = numbers, *arguments = numbers + inputs, *order = numbers + 2 * inputs;
    char parts[KINDS][NAME_MOST];
    struct text node = {.data = NULL}, part = {.data = NULL};
    size_t found = 0, place = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t count = 0;
        for (size_t k = 0; k < inputs; k++) {
            if ((int)encoded[k].kind != kind)
                continue;
            columns[count] = encoded[k].column;
            arguments[count++] = encoded[k].argument;
            order[k] = (double)place++;
        }
        if (!count)
            continue;
        encode_kind(graph, (enum kind)kind, columns, arguments, count);
        memcpy(parts[found++], graph->current, NAME_MOST);
    }
    if (found == 1)
        return;
    for (size_t i = 0; i < found; i++)
        add_string(&node, 1, parts[i]);
    add_string(&node, 2, "encoded");
    add_string(&node, 4, "Concat");
    add_string(&part, 1, "axis");
    add_number(&part, 3, 1);
    add_number(&part, 20, 2);
    add_message(&node, 5, &part);
    add_message(&graph->text, 1, &node);
    gather(graph, "encoded", "order", order, inputs, inputs);
}

static void fill(struct graph *graph, const struct encoded *encoded, double *numbers)
{
    const size_t inputs = graph->model->info.inputs;
    char values[NAME_MOST];
    memcpy(values, graph->current, sizeof values);
    for (size_t k = 0; k < inputs; k++)
        numbers[k] = encoded[k].column;
    gather(graph, "rows", "columns", numbers, inputs, graph->model->info.columns);
    apply(graph, "IsNaN");
    for (size_t k = 0; k < inputs; k++)
        numbers[k] = encoded[k].fill;
    add_tensor(graph, "fill", ELEMENT_FLOAT, numbers, 0, inputs);
    add_node(graph, "Where", (const char *const[3]){"", "fill", values}, NULL);
}

static void scale(struct graph *graph)
{
    const struct preparation *preparation = graph->model->preparation;
    bool is_scaled = false;
    for (size_t k = 0; k < preparation->input_width; k++)
        is_scaled |= preparation->shift[k] != 0 || preparation->factor[k] != 1;
    if (!is_scaled)
        return;
    add_tensor(graph, "shift", ELEMENT_DOUBLE, preparation->shift, 0, preparation->input_width);
    add_tensor(graph, "factor", ELEMENT_DOUBLE, preparation->factor, 0, preparation->input_width);
    cast(graph, ELEMENT_DOUBLE);
    apply_to(graph, "Sub", "shift");
    apply_to(graph, "Mul", "factor");
    cast(graph, ELEMENT_FLOAT);
}

static bool prepare(struct graph *graph)
{
    const struct preparation *preparation = graph->model->preparation;
    bool has_fill;
    struct encoded *encoded = calloc(preparation->input_width, sizeof *encoded);
    double *numbers = calloc(preparation->input_width, 3 * sizeof *numbers);
    const bool is_there = encoded && numbers;
    if (is_there) {
        describe_inputs(preparation, encoded, &has_fill);
        encode(graph, encoded, numbers);
        if (has_fill)
            fill(graph, encoded, numbers);
        scale(graph);
    }
    free(encoded);
    free(numbers);
    return is_there;
}

/* Net ---------------------------------------------------------------------------------------------------- */

/* Adds GELU, v / 2 (1 + f(...)), where f is erf(v / sqrt 2) or tanh(sqrt(2 / pi) (v + 0.044715 v^3)). */
static void add_gelu(struct graph *graph, bool is_tanh)
{
    char v[NAME_MOST];
    memcpy(v, graph->current, sizeof v);
    if (is_tanh) {
        apply_to(graph, "Mul", v);
        apply_to(graph, "Mul", "gelu.cube");
        apply_to(graph, "Add", "one");
        apply_to(graph, "Mul", v);
        apply_to(graph, "Mul", "gelu.scale");
        apply(graph, "Tanh");
    } else {
        apply_to(graph, "Mul", "gelu.root");
        apply(graph, "Erf");
    }
    apply_to(graph, "Add", "one");
    apply_to(graph, "Mul", v);
    apply_to(graph, "Mul", "half");
}

/* Adds the threshold function, or the piecewise linear function. v - v is added, so that NaN stays NaN. */
static void add_step(struct graph *graph, bool is_threshold)
{
    char v[NAME_MOST], nothing[NAME_MOST];
    memcpy(v, graph->current, sizeof v);
    apply_to(graph, "Sub", v);
    memcpy(nothing, graph->current, sizeof nothing);
    memcpy(graph->current, v, sizeof v);
    if (is_threshold) {
        apply_to(graph, "GreaterOrEqual", "threshold");
        cast(graph, ELEMENT_FLOAT);
    } else {
        add_node(graph, "HardSigmoid", (const char *const[3]){""}, &(struct attribute){"alpha", true, 1});
    }
    apply_to(graph, "Add", nothing);
}

static void activate(struct graph *graph, const struct net_layer *layer, unsigned number)
{
    char v[NAME_MOST], slope[NAME_MOST];
    memcpy(v, graph->current, sizeof v);
    switch (layer->activation) {
    case MLP_LOGISTIC:
        snprintf(slope, sizeof slope, "%u.slope", number);
        if (layer->slope != 1) {
            add_scalar(graph, slope, layer->slope);
            apply_to(graph, "Mul", slope);
        }
        apply(graph, "Sigmoid");
        break;
    case MLP_TANH:
        apply(graph, "Tanh");
        break;
    case MLP_RELU:
        apply(graph, "Relu");
        break;
    case MLP_LEAKY_RELU:
        add_node(graph, "LeakyRelu", (const char *const[3]){""},
                 &(struct attribute){"alpha", true, layer->slope});
        break;
    case MLP_GELU:
    case MLP_GELU_TANH:
        add_gelu(graph, layer->activation == MLP_GELU_TANH);
        break;
    case MLP_SILU:
        apply(graph, "Sigmoid");
        apply_to(graph, "Mul", v);
        break;
    case MLP_THRESHOLD:
    case MLP_PIECEWISE_LINEAR:
        add_step(graph, layer->activation == MLP_THRESHOLD);
        break;
    case MLP_SOFTMAX:
        add_node(graph, "Softmax", (const char *const[3]){""}, &(struct attribute){"axis", false, 1});
        break;
    default:
        break;
    }
}

static void add_constants(struct graph *graph)
{
    const struct net *net = graph->model->net;
    const bool has_tanh = net_has_activation(net, MLP_GELU_TANH), has_erf = net_has_activation(net, MLP_GELU);
    if (has_tanh || has_erf) {
        add_scalar(graph, "one", 1);
        add_scalar(graph, "half", 0.5);
    }
    if (net_has_activation(net, MLP_THRESHOLD))
        add_scalar(graph, "threshold", 0);
    if (has_erf)
        add_scalar(graph, "gelu.root", 0.70710678118654752440);
    if (has_tanh) {
        add_scalar(graph, "gelu.cube", 0.044715);
        add_scalar(graph, "gelu.scale", 0.79788456080286535588);
    }
}

static void add_net(struct graph *graph)
{
    const struct net *net = graph->model->net;
    add_constants(graph);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        char weight[NAME_MOST], bias[NAME_MOST];
        snprintf(weight, sizeof weight, "%u.weight", 2 * l);
        snprintf(bias, sizeof bias, "%u.bias", 2 * l);
        add_tensor(graph, weight, ELEMENT_FLOAT, graph->model->parameters + layer->weights, layer->outputs,
                   layer->inputs);
        add_tensor(graph, bias, ELEMENT_FLOAT, graph->model->parameters + layer->biases, 0, layer->outputs);
        add_node(graph, "Gemm", (const char *const[3]){"", weight, bias},
                 &(struct attribute){"transB", false, 1});
        activate(graph, layer, 2 * l);
    }
}

/* Adds the conversion of outputs to the units of the data, by a division, as in predictions by the library.
 */
static void unscale(struct graph *graph)
{
    const struct preparation *preparation = graph->model->preparation;
    if (!preparation->target_factor)
        return;
    add_tensor(graph, "target.factor", ELEMENT_DOUBLE, preparation->target_factor, 0,
               preparation->target_width);
    add_tensor(graph, "target.shift", ELEMENT_DOUBLE, preparation->target_shift, 0,
               preparation->target_width);
    cast(graph, ELEMENT_DOUBLE);
    apply_to(graph, "Div", "target.factor");
    apply_to(graph, "Add", "target.shift");
    cast(graph, ELEMENT_FLOAT);
}

/* Model -------------------------------------------------------------------------------------------------- */

static void add_value(struct graph *graph, unsigned field, const char *name, size_t columns)
{
    struct text value = {.data = NULL}, type = {.data = NULL}, tensor = {.data = NULL},
                shape = {.data = NULL}, size = {.data = NULL};
    add_string(&size, 2, "N");
    add_message(&shape, 1, &size);
    add_number(&size, 1, columns);
    add_message(&shape, 1, &size);
    add_number(&tensor, 1, ELEMENT_FLOAT);
    add_message(&tensor, 2, &shape);
    add_message(&type, 1, &tensor);
    add_string(&value, 1, name);
    add_message(&value, 2, &type);
    add_message(&graph->text, field, &value);
}

static void add_property(struct text *model, const char *key, const char *value)
{
    struct text entry = {.data = NULL};
    add_string(&entry, 1, key);
    add_string(&entry, 2, value);
    add_message(model, 14, &entry);
}

/* Adds metadata `key` with the names as a JSON array. */
static void add_names(struct text *model, const char *key, const char *const *names, size_t count)
{
    struct text list = {.data = NULL};
    text_add(&list, "[");
    for (size_t i = 0; i < count; i++) {
        text_add(&list, i ? "," : "");
        text_add_json_string(&list, names[i]);
    }
    text_add(&list, "]");
    model->failed |= list.failed;
    if (!list.failed)
        add_property(model, key, list.data);
    text_free(&list);
}

/* Adds metadata that callers need to make raw rows: columns, and the categories of each column in the order
 * of their numbers. */
static void add_properties(struct text *text, const struct shoal_mlp_model *model)
{
    struct text list = {.data = NULL};
    text_add(&list, "{\"columns\":[");
    for (size_t c = 0; c < model->info.columns; c++) {
        const struct shoal_mlp_model_column *column = &model->columns[c];
        text_add(&list, c ? ",{\"name\":" : "{\"name\":");
        text_add_json_string(&list, column->name);
        for (size_t k = 0; k < column->category_count; k++) {
            text_add(&list, k ? "," : ",\"categories\":[");
            text_add_json_string(&list, column->categories[k]);
        }
        text_add(&list, column->category_count ? "]}" : "}");
    }
    text_add(&list, "]}");
    text->failed |= list.failed;
    if (!list.failed)
        add_property(text, "rows", list.data);
    text_free(&list);
    add_names(text, "outputs", model->info.output_names, model->info.outputs);
    if (model->info.classes)
        add_names(text, "classes", model->info.class_names, model->info.classes);
    add_property(text, "creator", model->creator);
    add_property(text, "notes", model->notes);
}

static void add_graph(struct graph *graph)
{
    struct text node = {.data = NULL};
    add_net(graph);
    unscale(graph);
    add_string(&node, 1, graph->current);
    add_string(&node, 2, "outputs");
    add_string(&node, 4, "Identity");
    add_message(&graph->text, 1, &node);
    add_string(&graph->text, 2, "shoal");
    add_value(graph, 11, "rows", graph->model->info.columns);
    add_value(graph, 12, "outputs", graph->model->info.outputs);
}

enum shoal_status model_write_onnx(const struct shoal_mlp_model *model, const char *path,
                                   struct shoal_error *error)
{
    struct graph graph = {.model = model};
    struct text text = {.data = NULL}, opset = {.data = NULL};
    const double constants =
        (double)model->net->parameters * sizeof(float) + (double)model->net->inputs * 8 * sizeof(double);
    if (constants > bytes_most)
        return fail(error, SHOAL_UNSUPPORTED, "%s: an ONNX file has less than 2 GiB; this net needs %.1f",
                    path, constants / 1073741824);
    if (!prepare(&graph))
        graph.text.failed = true;
    add_graph(&graph);
    add_number(&text, 1, IR_VERSION);
    add_string(&text, 2, "shoal");
    add_string(&text, 3, shoal_version());
    add_message(&text, 7, &graph.text);
    add_string(&opset, 1, "");
    add_number(&opset, 2, OPSET);
    add_message(&text, 8, &opset);
    add_properties(&text, model);
    const int code = text.failed || text.length > bytes_most
                         ? ENOMEM
                         : write_file_atomically(path, FILE_OF_USER, (const void *const[]){text.data},
                                                 (const size_t[]){text.length}, 1);
    text_free(&text);
    return code ? output_failed(path, code, error) : SHOAL_OK;
}
