/* Models as C99 that computes in integers alone: the code around the constants of c_int8.c. */
#include "mlp/files/c_int8.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOPE_MOST = 16 };

/* Tables: functions from 0 to 1 with g(-v) = 1 - g(v), at v = i reach / 192
 * ---------------------------------- */

enum table { TABLE_LOGISTIC, TABLE_NORMAL, TABLE_GELU_TANH, TABLES };

static const struct {
    const char *key;
    /* reach: value from which on the function is 1; the table has 2^bits = 192 / reach steps for each unit of
     * v */
    int reach, bits;
} tables[TABLES] = {{"logistic", 12, 4}, {"normal", 6, 5}, {"gelu_tanh", 6, 5}};

static bool uses_table(const struct net *net, enum table table)
{
    return table == TABLE_LOGISTIC
               ? net_has_activation(net, MLP_LOGISTIC) || net_has_activation(net, MLP_TANH) ||
                     net_has_activation(net, MLP_SILU)
           : table == TABLE_NORMAL ? net_has_activation(net, MLP_GELU)
                                   : net_has_activation(net, MLP_GELU_TANH);
}

static double table_value(enum table table, double v)
{
    return table == TABLE_LOGISTIC ? 1 / (1 + exp(-v))
           : table == TABLE_NORMAL ? 0.5 * (1 + erf(v * 0.70710678118654752440))
                                   : 0.5 * (1 + tanh(0.79788456080286535588 * (v + 0.044715 * v * v * v)));
}

static bool has_table(const struct net *net)
{
    return uses_table(net, TABLE_LOGISTIC) || uses_table(net, TABLE_NORMAL) ||
           uses_table(net, TABLE_GELU_TANH);
}

static void add_tables(struct c_text *text)
{
    const struct net *net = text->model->net;
    double values[INT8_TABLE + 1];
    for (int table = 0; table < TABLES; table++) {
        if (!uses_table(net, (enum table)table))
            continue;
        for (int i = 0; i <= INT8_TABLE; i++)
            values[i] = nearbyint(
                32768 * table_value((enum table)table, (double)i * tables[table].reach / INT8_TABLE));
        c_text_integers(text, tables[table].key, 2, false, values, INT8_TABLE + 1);
    }
    if (net_has_activation(net, MLP_SOFTMAX)) {
        for (int i = 0; i <= 64; i++)
            values[i] = nearbyint(65535 * exp2(-i / 64.0));
        c_text_integers(text, "power", 2, false, values, 65);
    }
}

/* Inputs ------------------------------------------------------------------------------------------------- */

static void add_shift(struct c_text *text)
{
    c_text_add(
        text,
        "\n/* x 2^-n, rounded */\n"
        "static int64_t @_shift(int64_t x, int n)\n"
        "{\n"
        "    if (n <= 0)\n"
        "        return n < -31 ? 0 : x * ((int64_t)1 << -n);\n"
        "    if (n > 62)\n"
        "        return 0;\n"
        "    return x < 0 ? -((((int64_t)1 << (n - 1)) - x) >> n) : (x + ((int64_t)1 << (n - 1))) >> n;\n"
        "}\n"
        "\n/* the least n for which x 2^-n is at most limit */\n"
        "static int @_bits(int64_t x, int32_t limit)\n"
        "{\n"
        "    int n = 0;\n"
        "    while (@_shift(x, n) > limit)\n"
        "        n++;\n"
        "    return n;\n"
        "}\n");
}

static bool uses_input(const struct int8_model *int8, enum int8_input kind)
{
    for (size_t i = 0; i < int8->model->info.inputs; i++)
        if ((enum int8_input)int8->kind[i] == kind)
            return true;
    return false;
}

/* Adds the code that shifts a number of a row by `raise` bits. */
static void add_raise(struct c_text *text, const struct int8_model *int8)
{
    if (int8->has_raise)
        c_text_add(text, "\n/* x 2^n, or what is next to it in 32 bits */\n"
                         "static int64_t @_raised(int32_t x, int n)\n"
                         "{\n"
                         "    const int64_t y = x * ((int64_t)1 << n);\n"
                         "    return y > INT32_MAX ? INT32_MAX : y < -INT32_MAX ? -INT32_MAX : y;\n"
                         "}\n");
}

/* Adds the function that computes an input from the row. */
static void add_input(struct c_text *text, const struct int8_model *int8)
{
    static const char *const tests[INT8_INPUTS] = {NULL, "x == @_argument[i]", "x > @_argument[i]",
                                                   "x >= 0 && (x >> @_argument[i] & 1)", "0"};
    struct output *output = &text->output;
    const char *number = int8->has_raise
                             ? "    return (@_raised(x, @_raise[i]) - @_first[i]) * @_second[i];\n"
                             : "    return ((int64_t)x - @_first[i]) * @_second[i];\n";
    output_printf(output, "\n/* input i, times 2^%d */\n", int8->input_bits);
    c_text_add(text, "static int64_t @_input(const int32_t *row, int i)\n{\n");
    if (int8->has_numbers_alone)
        c_text_add(text, "    const int32_t x = row[i];\n");
    else
        c_text_add(text, "    const int32_t x = row[@_column[i]];\n");
    if (int8->has_fill)
        c_text_add(text, "    if (x == INT32_MIN)\n        return (int64_t)@_fill[i]");
    else
        c_text_add(text, "    if (x == INT32_MIN)\n        return (int64_t)0");
    if (int8->has_fill)
        output_printf(output, " * ((int64_t)1 << %d)", int8->input_shift);
    output_add(output, ";\n");
    if (int8->has_numbers_alone) {
        c_text_add(text, number);
        c_text_add(text, "}\n");
        return;
    }
    c_text_add(text, "    switch (@_kind[i]) {\n");
    for (int kind = 1; kind < INT8_INPUTS; kind++) {
        if (!uses_input(int8, (enum int8_input)kind))
            continue;
        output_printf(output, "    case %d:\n        return (int64_t)(", kind);
        c_text_add(text, tests[kind]);
        c_text_add(text, " ? @_second[i] : @_first[i])");
        output_printf(output, " * ((int64_t)1 << %d);\n", int8->input_shift);
    }
    c_text_add(text, "    default:\n    ");
    c_text_add(text, number);
    c_text_add(text, "    }\n}\n");
}

static void add_inputs(struct c_text *text, const struct int8_model *int8)
{
    struct output *output = &text->output;
    const struct int8_layer *first = &int8->layers[0];
    add_raise(text, int8);
    add_input(text, int8);
    c_text_add(text,
               "\n/* inputs as a[i] 2^-e; returns e */\nstatic int @_inputs(const int32_t *row, int16_t *a)\n"
               "{\n"
               "    int64_t most = 0;\n"
               "    int i, n;\n");
    output_printf(output, "    for (i = 0; i < %zu; i++) {\n", int8->model->info.inputs);
    c_text_add(text, "        const int64_t x = @_input(row, i);\n"
                     "        most = x > most ? x : -x > most ? -x : most;\n"
                     "    }\n");
    output_printf(output, "    n = %s_bits(most, %.0f);\n", text->name, first->limit);
    output_printf(output, "    n = n < %d ? %d : n;\n", int8->input_bits - first->most_e,
                  int8->input_bits - first->most_e);
    output_printf(output, "    for (i = 0; i < %zu; i++)\n", int8->model->info.inputs);
    c_text_add(text, "        a[i] = (int16_t)@_shift(@_input(row, i), n);\n");
    output_printf(output, "    return %d - n;\n}\n", int8->input_bits);
}

/* Layers ------------------------------------------------------------------------------------------------- */

static void add_sums(struct c_text *text)
{
    c_text_add(text,
               "\nstatic void @_sums(const int8_t *weights, const int16_t *a, int inputs, int32_t *sums, int "
               "outputs)\n"
               "{\n"
               "    int o, i;\n"
               "    for (o = 0; o < outputs; o++) {\n"
               "        int32_t sum = 0;\n"
               "        for (i = 0; i < inputs; i++)\n"
               "            sum += (int32_t)weights[i] * a[i];\n"
               "        weights += inputs;\n"
               "        sums[o] = sum;\n"
               "    }\n"
               "}\n");
    if (!has_table(text->model->net))
        return;
    /* t is in units of 1/4096 of a step of the table. A shift to the left is only made for a small |x|, in 64
     * bits. */
    c_text_add(
        text, "\n/* 2^15 times a function of x 2^-f from a table with 2^bits steps to 1 */\n"
              "static int32_t @_table(const uint16_t *table, int bits, int64_t x, int f)\n"
              "{\n"
              "    const int64_t size = x < 0 ? -x : x;\n"
              "    const int n = f - bits - 12;\n"
              "    const int64_t t = n < 0 && size > 786432 ? size : @_shift(size, n < -31 ? -31 : n);\n"
              "    int32_t k, y;\n"
              "    if (t >= 786432)\n"
              "        return x < 0 ? 0 : 32768;\n"
              "    k = (int32_t)t >> 12;\n"
              "    y = table[k] + (((int32_t)table[k + 1] - table[k]) * ((int32_t)t & 4095) + 2048) / 4096;\n"
              "    return x < 0 ? 32768 - y : y;\n"
              "}\n");
}

/* Whether the outputs of a layer are bounded. Bounded outputs have 15 fraction bits, other outputs the
 * fraction bits of the sums. */
static bool is_bounded(const struct net_layer *layer)
{
    return layer->activation == MLP_LOGISTIC || layer->activation == MLP_TANH ||
           layer->activation == MLP_THRESHOLD || layer->activation == MLP_PIECEWISE_LINEAR;
}

/* Adds the activation function of a layer, for the argument x 2^-f. */
static void add_function(struct c_text *text, const struct net_layer *layer, uint32_t number)
{
    struct output *output = &text->output;
    if (layer->activation == MLP_LINEAR || layer->activation == MLP_SOFTMAX)
        return;
    output_printf(output, "\nstatic int64_t %s_function%u(int64_t x, int f)\n{\n", text->name, number);
    switch (layer->activation) {
    case MLP_LOGISTIC:
        c_text_add(text, "    return @_table(@_logistic, 4, x, f);\n");
        break;
    case MLP_TANH:
        c_text_add(text, "    return 2 * @_table(@_logistic, 4, x, f) - 32768;\n");
        break;
    case MLP_GELU:
        c_text_add(text, "    return @_shift(x, 15) * @_table(@_normal, 5, x, f);\n");
        break;
    case MLP_GELU_TANH:
        c_text_add(text, "    return @_shift(x, 15) * @_table(@_gelu_tanh, 5, x, f);\n");
        break;
    case MLP_SILU:
        c_text_add(text, "    return @_shift(x, 15) * @_table(@_logistic, 4, x, f);\n");
        break;
    case MLP_THRESHOLD:
        output_add(output, "    (void)f;\n    return x < 0 ? 0 : 32768;\n");
        break;
    case MLP_PIECEWISE_LINEAR: /* x 2^15-f; a large x is not shifted to the left */
        c_text_add(text, "    const int n = f < -16 ? -31 : f - 15;\n"
                         "    if (n > 0 || (x > -32768 && x < 32768))\n"
                         "        x = @_shift(x, n);\n"
                         "    return x < -16384 ? 0 : x > 16384 ? 32768 : x + 16384;\n");
        break;
    case MLP_LEAKY_RELU:
        output_printf(output, "    (void)f;\n    return x > 0 ? x : %s_shift(x, 16) * %.0f;\n", text->name,
                      nearbyint(layer->slope * 65536));
        break;
    default:
        output_add(output, "    (void)f;\n    return x > 0 ? x : 0;\n");
        break;
    }
    output_add(output, "}\n");
}

/* Adds two expressions for unit o of a layer: the sum of the unit, and the value of its activation
 * function. */
static void add_value(struct c_text *text, const struct int8_layer *int8, const struct net_layer *layer,
                      uint32_t number)
{
    struct output *output = &text->output;
    const bool has_function = layer->activation != MLP_LINEAR && layer->activation != MLP_SOFTMAX;
    if (has_function)
        output_printf(output, "%s_function%u(", text->name, number);
    output_printf(output, "(int64_t)sums[o] * %s_scales%u[o] + %s_shift(%s_biases%u[o], %d - e)", text->name,
                  number, text->name, text->name, number, int8->bias_bits - int8->scale_bits);
    if (has_function)
        output_printf(output, ", e + %d)", int8->scale_bits);
}

/* Adds the function that makes the inputs of the next layer from the sums of layer `number`, whose inputs
 * have the exponent e. The function returns the exponent of the new inputs. */
static void add_next(struct c_text *text, const struct int8_model *int8, uint32_t number)
{
    struct output *output = &text->output;
    const struct net_layer *layer = &int8->model->net->layers[number];
    const struct int8_layer *mine = &int8->layers[number], *next = mine + 1;
    output_printf(output, "\nstatic int %s_next%u(const int32_t *sums, int e, int16_t *a)\n{\n", text->name,
                  number);
    output_add(output, "    int64_t most = 0;\n    int o, n, f;\n");
    output_printf(output, "    for (o = 0; o < %u; o++) {\n        const int64_t x = ", layer->outputs);
    add_value(text, mine, layer, number);
    output_add(output, ";\n        most = x > most ? x : -x > most ? -x : most;\n    }\n");
    output_printf(output, is_bounded(layer) ? "    f = 15;\n" : "    f = e + %d;\n", mine->scale_bits);
    output_printf(output, "    n = %s_bits(most, %.0f);\n    n = n < f - %d ? f - %d : n;\n", text->name,
                  next->limit, next->most_e, next->most_e);
    output_printf(output, "    for (o = 0; o < %u; o++)\n        a[o] = (int16_t)%s_shift(", layer->outputs,
                  text->name);
    add_value(text, mine, layer, number);
    output_add(output, ", n);\n    return f - n;\n}\n");
}

/* Outputs ------------------------------------------------------------------------------------------------ */

static void add_softmax(struct c_text *text, const struct int8_model *int8)
{
    struct output *output = &text->output;
    const uint32_t number = int8->model->net->layer_count - 1;
    const struct net_layer *layer = &int8->model->net->layers[number];
    const struct int8_layer *mine = &int8->layers[number];
    output_printf(output,
                  "    uint32_t total = 0;\n    int64_t most = INT64_MIN;\n    int o;\n"
                  "    for (o = 0; o < %u; o++) {\n        const int64_t x = ",
                  layer->outputs);
    add_value(text, mine, layer, number);
    output_printf(output, ";\n        most = x > most ? x : most;\n    }\n    for (o = 0; o < %u; o++) {\n",
                  layer->outputs);
    output_add(output, "        const int64_t x = most - (");
    add_value(text, mine, layer, number);
    output_printf(output, ");\n        const int n = e + %d - 16;\n", mine->scale_bits);
    /* t >= 0 is the exponent of e^-t, in units of 2^-16. The factor log2(e) = 94548 / 65536 makes it an
     * exponent of 2. */
    c_text_add(
        text,
        "        int64_t t = n < -14 ? (x ? 2097152 : 0) : n < 0 && x > 2097152 ? 2097152 : @_shift(x, n);\n"
        "        int32_t k, y;\n"
        "        t = t > 2097152 ? 2097152 : t;\n"
        "        t = t * 94548 >> 16;\n"
        "        k = (int32_t)(t >> 10 & 63);\n"
        "        y = @_power[k] + (((int32_t)@_power[k + 1] - @_power[k]) * (int32_t)(t & 1023)) / 1024;\n"
        "        outputs[o] = t >> 16 > 16 ? 0 : y >> (t >> 16);\n"
        "        total += (uint32_t)outputs[o];\n"
        "    }\n");
    output_printf(output,
                  "    for (o = 0; o < %u; o++)\n"
                  "        outputs[o] = (int32_t)(((uint32_t)outputs[o] << 15) / total);\n",
                  layer->outputs);
}

static void add_units(struct c_text *text, const char *value, const char *bits)
{
    struct output *output = &text->output;
    output_printf(output, "        int64_t x = %s;\n        const int f = %s;\n", value, bits);
    c_text_add(
        text,
        "        const int n = @_bits(x < 0 ? -x : x, INT32_MAX);\n"
        "        x = @_shift(@_shift(x, n) * @_unit[o], f - n + @_unit_bits[o]) + @_zero[o];\n"
        "        outputs[o] = x > INT32_MAX ? INT32_MAX : x <= INT32_MIN ? INT32_MIN + 1 : (int32_t)x;\n");
}

static void add_outputs(struct c_text *text, const struct int8_model *int8)
{
    struct output *output = &text->output;
    const uint32_t number = int8->model->net->layer_count - 1;
    const struct net_layer *layer = &int8->model->net->layers[number];
    const struct int8_layer *mine = &int8->layers[number];
    const bool is_softmax = layer->activation == MLP_SOFTMAX;
    output_printf(output, "\nstatic void %s_outputs(const int32_t *sums, int e, int32_t *outputs)\n{\n",
                  text->name);
    if (is_softmax)
        add_softmax(text, int8);
    else
        output_add(output, "    int o;\n");
    if (is_softmax && int8->has_units) {
        output_printf(output, "    for (o = 0; o < %u; o++) {\n", layer->outputs);
        add_units(text, "outputs[o]", "15");
        output_add(output, "    }\n");
    } else if (!is_softmax) {
        char bits[40];
        snprintf(bits, sizeof bits, is_bounded(layer) ? "15" : "e + %d", mine->scale_bits);
        output_printf(output, "    for (o = 0; o < %u; o++) {\n        const int64_t v = ", layer->outputs);
        add_value(text, mine, layer, number);
        output_add(output, ";\n");
        if (int8->has_units)
            add_units(text, "v", bits);
        else
            output_add(output, "        outputs[o] = (int32_t)v;\n");
        output_add(output, "    }\n");
    }
    output_add(output, "}\n");
}

static void add_predict(struct c_text *text, const struct int8_model *int8, size_t inputs, size_t outputs)
{
    const struct net *net = int8->model->net;
    struct output *output = &text->output;
    c_text_add(text, "\nvoid @_predict(const int32_t *row, int32_t *outputs)\n{\n");
    output_printf(output, "    int16_t a[%zu];\n    int32_t sums[%zu];\n    int e = %s_inputs(row, a);\n",
                  inputs, outputs, text->name);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        output_printf(output, "    %s_sums(%s_weights%u, a, %u, sums, %u);\n", text->name, text->name, l,
                      net->layers[l].inputs, net->layers[l].outputs);
        if (l + 1 < net->layer_count)
            output_printf(output, "    e = %s_next%u(sums, e, a);\n", text->name, l);
    }
    c_text_add(text, "    @_outputs(sums, e, outputs);\n}\n");
}

/* File --------------------------------------------------------------------------------------------------- */

static void add_constants(struct c_text *text, const struct int8_model *int8)
{
    const size_t inputs = int8->model->info.inputs, outputs = int8->model->info.outputs;
    char key[32];
    if (!int8->has_numbers_alone) {
        c_text_integers(text, "column", 2, false, int8->column, inputs);
        c_text_integers(text, "kind", 1, false, int8->kind, inputs);
        c_text_integers(text, "argument", 4, true, int8->argument, inputs);
    }
    c_text_integers(text, "first", 4, true, int8->first, inputs);
    c_text_integers(text, "second", 4, true, int8->second, inputs);
    if (int8->has_raise)
        c_text_integers(text, "raise", 1, true, int8->raise, inputs);
    if (int8->has_fill)
        c_text_integers(text, "fill", 4, true, int8->fill, inputs);
    for (uint32_t l = 0; l < int8->model->net->layer_count; l++) {
        const struct net_layer *layer = &int8->model->net->layers[l];
        snprintf(key, sizeof key, "weights%u", l);
        c_text_integers(text, key, 1, true, int8->layers[l].weights, (size_t)layer->inputs * layer->outputs);
        snprintf(key, sizeof key, "scales%u", l);
        c_text_integers(text, key, 4, true, int8->layers[l].scales, layer->outputs);
        snprintf(key, sizeof key, "biases%u", l);
        c_text_integers(text, key, 4, true, int8->layers[l].biases, layer->outputs);
    }
    if (int8->has_units) {
        c_text_integers(text, "unit", 4, true, int8->unit, outputs);
        c_text_integers(text, "unit_bits", 1, true, int8->unit_bits, outputs);
        c_text_integers(text, "zero", 4, true, int8->zero, outputs);
    }
    add_tables(text);
}

/* Adds a function with rows and outputs in floating point, for tests and first trials. */
static void add_floats(struct c_text *text, const struct int8_model *int8)
{
    struct output *output = &text->output;
    c_text_add(text, "\n#ifdef SHOAL_WITH_FLOAT\n#include <math.h>\n"
                     "void @_predict_float(const float *row, float *outputs);\n"
                     "void @_predict_float(const float *row, float *outputs)\n{\n");
    output_add(output, "    static const signed char in[] = {");
    for (size_t c = 0; c < int8->model->info.columns; c++)
        output_printf(output, c % 24 ? " %d," : "\n        %d,", int8->fractions[c]);
    output_add(output, "\n    };\n    static const signed char out[] = {");
    for (size_t k = 0; k < int8->model->info.outputs; k++)
        output_printf(output, k % 24 ? " %d," : "\n        %d,", int8->output_fractions[k]);
    output_printf(output, "\n    };\n    int32_t numbers[%zu], results[%zu];\n    int i;\n",
                  int8->model->info.columns, int8->model->info.outputs);
    output_printf(output, "    for (i = 0; i < %zu; i++) {\n", int8->model->info.columns);
    output_add(output, "        const double x = floor(ldexp(row[i], in[i]) + 0.5);\n"
                       "        numbers[i] = x != x                   ? INT32_MIN\n"
                       "                     : x > (double)INT32_MAX  ? INT32_MAX\n"
                       "                     : x < -(double)INT32_MAX ? -INT32_MAX\n"
                       "                                              : (int32_t)x;\n"
                       "    }\n");
    c_text_add(text, "    @_predict(numbers, results);\n");
    output_printf(output,
                  "    for (i = 0; i < %zu; i++)\n"
                  "        outputs[i] = (float)ldexp(results[i], -out[i]);\n"
                  "}\n#endif\n",
                  int8->model->info.outputs);
}

struct details {
    const struct int8_model *int8;
    char text[40];
};

static const char *detail(void *data, bool is_output, size_t index)
{
    struct details *details = data;
    const int fraction = is_output ? details->int8->output_fractions[index] : details->int8->fractions[index];
    snprintf(details->text, sizeof details->text, "times 2^%d", fraction);
    return fraction ? details->text : "a whole number";
}

static size_t count_flash(const struct int8_model *int8)
{
    const struct net *net = int8->model->net;
    const size_t inputs = net->inputs, outputs = net->outputs;
    size_t bytes = inputs * (8 + (int8->has_numbers_alone ? 0u : 7u) + (int8->has_fill ? 4u : 0u) +
                             (int8->has_raise ? 1u : 0u));
    for (uint32_t l = 0; l < net->layer_count; l++)
        bytes += (size_t)net->layers[l].inputs * net->layers[l].outputs + 8 * (size_t)net->layers[l].outputs;
    for (int table = 0; table < TABLES; table++)
        bytes += uses_table(net, (enum table)table) ? 2 * (INT8_TABLE + 1) : 0;
    return bytes + (int8->has_units ? 9 * outputs : 0) + (net_has_activation(net, MLP_SOFTMAX) ? 130 : 0);
}

static void add_head(struct c_text *text, const struct int8_model *int8, size_t ram)
{
    struct output *output = &text->output;
    struct details details = {.int8 = int8};
    c_text_add(text,
               "/* A net trained by shoal, in C99, in integers alone; no heap. Any thread may call it.\n"
               " *\n"
               " *     void @_predict(const int32_t *row, int32_t *outputs);\n");
    if (text->model->info.classes)
        c_text_add(text, " *     int @_class(const int32_t *outputs);\n");
    output_printf(
        output,
        " *\n"
        " * Flash: %zu bytes of constants, and the code. RAM: %zu bytes, on the stack.\n"
        " * A row has numbers as in the data, times a power of 2 and rounded, numbers of categories, and\n"
        " * INT32_MIN for missing values. Defining SHOAL_WITH_FLOAT adds %s_predict_float, which takes and\n"
        " * gives numbers as they are.\n",
        count_flash(int8), ram, text->name);
    c_text_describe(text, detail, &details);
    output_add(output, " */\n#include <stdint.h>\n\n");
    c_text_add(text, "void @_predict(const int32_t *row, int32_t *outputs);\n");
    if (text->model->info.classes)
        c_text_add(text, "int @_class(const int32_t *outputs);\n");
    output_add(output, "\n");
}

enum shoal_status model_check_c_int8(const struct net *net, const char *path, struct shoal_error *error)
{
    for (uint32_t l = 0; l < net->layer_count; l++)
        if (net->layers[l].activation == MLP_LEAKY_RELU && fabs(net->layers[l].slope) > SLOPE_MOST)
            return fail(error, SHOAL_UNSUPPORTED,
                        "%s: layer %u: integers hold slopes up to %d; this one is %g", path, l + 1,
                        SLOPE_MOST, net->layers[l].slope);
    return SHOAL_OK;
}

static enum shoal_status check(const struct shoal_mlp_model *model, const char *path,
                               struct shoal_error *error)
{
    const enum shoal_status status = model_check_c_int8(model->net, path, error);
    if (status)
        return status;
    if (model->info.columns > UINT16_MAX || model->info.outputs > UINT16_MAX)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: %zu columns and %zu outputs; the integers here count to %d", path,
                    model->info.columns, model->info.outputs, UINT16_MAX);
    return SHOAL_OK;
}

enum shoal_status model_write_c_int8(const struct shoal_mlp_model *model, const char *path,
                                     struct shoal_error *error)
{
    const struct net *net = model->net;
    struct c_text text;
    struct int8_model int8;
    size_t inputs = net->inputs, outputs = 0;
    enum shoal_status status = check(model, path, error);
    if (status)
        return status;
    if (!int8_create(model, &int8)) {
        int8_free(&int8);
        return fail_host_memory(error);
    }
    for (uint32_t l = 0; l < net->layer_count; l++) {
        outputs = net->layers[l].outputs > outputs ? net->layers[l].outputs : outputs;
        inputs = net->layers[l].inputs > inputs ? net->layers[l].inputs : inputs;
    }
    c_text_open(&text, model, path);
    add_head(&text, &int8, 2 * inputs + 4 * outputs);
    add_constants(&text, &int8);
    add_shift(&text);
    add_inputs(&text, &int8);
    add_sums(&text);
    for (uint32_t l = 0; l < net->layer_count; l++)
        add_function(&text, &net->layers[l], l);
    for (uint32_t l = 0; l + 1 < net->layer_count; l++)
        add_next(&text, &int8, l);
    add_outputs(&text, &int8);
    add_predict(&text, &int8, inputs, outputs);
    c_text_class(&text, "int32_t", "16384");
    add_floats(&text, &int8);
    int8_free(&int8);
    return output_close(&text.output, true, error);
}
