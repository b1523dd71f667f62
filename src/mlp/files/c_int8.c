/* The integers of a model: see c_int8.h. */
#include "mlp/files/c_int8.h"

#include <math.h>
#include <stdlib.h>

enum { SCALE_BITS = 29, MOST_E = 40 };

/* Number of bits by which to shift values to the left so that `greatest`, the largest |value|, has 30
 * bits. */
static int bits_of(double greatest)
{
    return greatest > 0 ? SCALE_BITS - ilogb(greatest) : 0;
}

static double greatest_of(const double *values, size_t count)
{
    double greatest = 0;
    for (size_t i = 0; i < count; i++)
        greatest = fmax(greatest, fabs(values[i]));
    return greatest;
}

/* Replaces each value by the nearest whole number to value * 2^bits. */
static void round_all(double *values, size_t count, int bits)
{
    for (size_t i = 0; i < count; i++)
        values[i] = nearbyint(ldexp(values[i], bits));
}

/* Layers ------------------------------------------------------------------------------------------------- */

/* Factor from the sum of a unit to the argument of the table of its activation. */
static double argument_factor(const struct net_layer *layer)
{
    return layer->activation == MLP_LOGISTIC ? layer->slope : layer->activation == MLP_TANH ? 2 : 1;
}

static bool make_layer(const struct net_layer *layer, const double *parameters, struct int8_layer *out)
{
    const size_t inputs = layer->inputs;
    const double factor = argument_factor(layer);
    double most = 0;
    out->weights = calloc(inputs * layer->outputs, sizeof *out->weights);
    out->scales = calloc(2 * (size_t)layer->outputs, sizeof *out->scales);
    if (!out->weights || !out->scales)
        return false;
    out->biases = out->scales + layer->outputs;
    for (uint32_t o = 0; o < layer->outputs; o++) {
        const double *from = parameters + layer->weights + o * inputs;
        double *to = out->weights + o * inputs, sum = 0;
        const double scale = greatest_of(from, inputs) / 127;
        for (size_t i = 0; i < inputs; i++) {
            to[i] = scale > 0 ? nearbyint(from[i] / scale) : 0;
            sum += fabs(to[i]);
        }
        most = fmax(most, sum);
        out->scales[o] = scale * factor;
        out->biases[o] = parameters[layer->biases + o] * factor;
    }
    /* Scales are negative if slopes are negative. */
    const double greatest = greatest_of(out->scales, layer->outputs);
    const double bias = greatest_of(out->biases, layer->outputs);
    out->scale_bits = bits_of(greatest);
    out->bias_bits = bits_of(bias);
    round_all(out->scales, layer->outputs, out->scale_bits);
    round_all(out->biases, layer->outputs, out->bias_bits);
    out->limit = fmin(32767, floor(2147483647 / fmax(most, 1)));
    /* biases times 2^(scale_bits + e - bias_bits) must be less than 2^61. */
    out->most_e = bias > 0 && 31 + out->bias_bits - out->scale_bits < MOST_E
                      ? 31 + out->bias_bits - out->scale_bits
                      : MOST_E;
    return true;
}

/* Inputs ------------------------------------------------------------------------------------------------- */

/* Returns the number of fraction bits with which a column or an output, given by shift and factor, is an
 * integer: the resolution is 1/4096 of the spread 1 / |factor|, whole numbers stay whole, and twice the shift
 * fits 32 bits. */
static int fraction_of(double shift, double factor, bool is_whole)
{
    if (factor == 0 || (is_whole && shift == floor(shift) && fabs(shift) < 1073741824))
        return 0;
    const double spread = 1 / fabs(factor);
    int fraction = INT8_NUMBER_BITS - ilogb(spread);
    if (fraction < 0 && spread < 67108864)
        fraction = 0;
    return shift != 0 && fraction > 29 - ilogb(shift) ? 29 - ilogb(shift) : fraction;
}

static enum int8_input input_of(enum shoal_encoding encoding)
{
    return encoding == SHOAL_ENCODING_PLAIN         ? INT8_NUMBER
           : encoding == SHOAL_ENCODING_ONE_HOT     ? INT8_CATEGORY
           : encoding == SHOAL_ENCODING_THERMOMETER ? INT8_ABOVE
                                                    : INT8_DIGIT;
}

static double argument_of(enum int8_input kind, const struct prepare_column *column, size_t k)
{
    return kind == INT8_ABOVE   ? floor(column->least + (double)k)
           : kind == INT8_DIGIT ? (double)(column->width - 1 - k)
                                : (double)k;
}

/* Describes input k of column c in doubles, which are rounded later. If missing values are not filled, `fill`
 * is 0 for a number, the input's value for 1 for an indicator, and the input's value for 0 for other
 * kinds. */
static void describe_input(struct int8_model *int8, size_t c, size_t k)
{
    const struct preparation *preparation = int8->model->preparation;
    const struct prepare_column *column = &preparation->inputs[c];
    const size_t i = column->first + k;
    const double shift = preparation->shift[i], factor = preparation->factor[i];
    const bool is_indicator = k == column->width;
    const enum int8_input kind = is_indicator ? INT8_MISSING : input_of(column->encoding);
    int8->kind[i] = kind;
    int8->column[i] = (double)c;
    int8->argument[i] = argument_of(kind, column, k);
    if (kind == INT8_NUMBER) {
        const int fraction = fraction_of(shift, factor, column->is_whole);
        int8->fractions[c] = column->is_whole && fraction > 0 ? 0 : fraction;
        int8->raise[i] = fmin(fraction - int8->fractions[c], 31);
        int8->has_raise = int8->has_raise || int8->raise[i] > 0;
        int8->first[i] = factor == 0 ? 0 : nearbyint(ldexp(shift, fraction));
        int8->second[i] = ldexp(factor, -fraction);
        int8->fill[i] = column->fill ? (column->fill[k] - shift) * factor : 0;
    } else {
        int8->first[i] = -shift * factor;
        int8->second[i] = (1 - shift) * factor;
        int8->fill[i] = is_indicator   ? int8->second[i]
                        : column->fill ? (column->fill[k] - shift) * factor
                                       : int8->first[i];
    }
    int8->has_fill = int8->has_fill || column->fill;
    int8->has_numbers_alone = int8->has_numbers_alone && kind == INT8_NUMBER && i == c;
}

/* Chooses int8->input_bits so that the largest factor of a number has 30 bits, and input_shift so that the
 * other constants of the inputs fit 30 bits. Then rounds the constants. */
static void scale_inputs(struct int8_model *int8)
{
    double factor = 0, ready = 0;
    const size_t inputs = int8->model->info.inputs;
    for (size_t i = 0; i < inputs; i++) {
        ready = fmax(ready, fabs(int8->fill[i]));
        if (int8->kind[i] == INT8_NUMBER)
            factor = fmax(factor, fabs(int8->second[i]));
        else
            ready = fmax(ready, fmax(fabs(int8->first[i]), fabs(int8->second[i])));
    }
    int8->input_bits = factor > 0 ? bits_of(factor) : SCALE_BITS;
    int8->input_shift = int8->input_bits - bits_of(ready);
    if (ready == 0 || int8->input_shift < 0)
        int8->input_shift = 0;
    if (int8->input_shift > 31)
        int8->input_shift = 31;
    for (size_t i = 0; i < inputs; i++) {
        const int bits = int8->input_bits - int8->input_shift;
        if (int8->kind[i] == INT8_NUMBER) {
            round_all(&int8->second[i], 1, int8->input_bits);
        } else {
            round_all(&int8->first[i], 1, bits);
            round_all(&int8->second[i], 1, bits);
        }
        round_all(&int8->fill[i], 1, bits);
    }
}

static bool make_inputs(struct int8_model *int8)
{
    const struct preparation *preparation = int8->model->preparation;
    const size_t inputs = int8->model->info.inputs;
    int8->fractions = calloc(preparation->input_columns, sizeof *int8->fractions);
    int8->column = calloc(7 * inputs, sizeof *int8->column);
    if (!int8->fractions || !int8->column)
        return false;
    int8->kind = int8->column + inputs;
    int8->first = int8->kind + inputs;
    int8->second = int8->first + inputs;
    int8->argument = int8->second + inputs;
    int8->fill = int8->argument + inputs;
    int8->raise = int8->fill + inputs;
    int8->has_numbers_alone = true;
    for (size_t c = 0; c < preparation->input_columns; c++)
        for (size_t k = 0; k < preparation->inputs[c].width + preparation->inputs[c].has_indicator; k++)
            describe_input(int8, c, k);
    scale_inputs(int8);
    return true;
}

/* Outputs ------------------------------------------------------------------------------------------------ */

static bool make_outputs(struct int8_model *int8)
{
    const struct preparation *preparation = int8->model->preparation;
    const struct net *net = int8->model->net;
    const int activation = net->layers[net->layer_count - 1].activation;
    int8->output_fractions = calloc(net->outputs, sizeof *int8->output_fractions);
    int8->unit = calloc(3 * (size_t)net->outputs, sizeof *int8->unit);
    if (!int8->output_fractions || !int8->unit)
        return false;
    int8->unit_bits = int8->unit + net->outputs;
    int8->zero = int8->unit_bits + net->outputs;
    int8->has_units = preparation->target_factor ||
                      (activation != MLP_SOFTMAX && activation != MLP_LOGISTIC && activation != MLP_TANH);
    for (uint32_t k = 0; k < net->outputs; k++) {
        const double factor = preparation->target_factor ? preparation->target_factor[k] : 1,
                     shift = preparation->target_factor ? preparation->target_shift[k] : 0;
        int8->output_fractions[k] =
            int8->has_units ? fraction_of(shift, factor, false) : INT8_PROBABILITY_BITS;
        int8->unit[k] = ldexp(1 / factor, int8->output_fractions[k]);
        int8->unit_bits[k] = bits_of(fabs(int8->unit[k]));
        round_all(&int8->unit[k], 1, (int)int8->unit_bits[k]);
        int8->zero[k] = nearbyint(ldexp(shift, int8->output_fractions[k]));
    }
    return true;
}

bool int8_create(const struct shoal_mlp_model *model, struct int8_model *int8)
{
    const struct net *net = model->net;
    *int8 = (struct int8_model){.model = model};
    int8->layers = calloc(net->layer_count, sizeof *int8->layers);
    if (!int8->layers)
        return false;
    for (uint32_t l = 0; l < net->layer_count; l++)
        if (!make_layer(&net->layers[l], model->parameters, &int8->layers[l]))
            return false;
    return make_inputs(int8) && make_outputs(int8);
}

void int8_free(struct int8_model *int8)
{
    for (uint32_t l = 0; int8->layers && l < int8->model->net->layer_count; l++) {
        free(int8->layers[l].weights);
        free(int8->layers[l].scales);
    }
    free(int8->layers);
    free(int8->fractions);
    free(int8->column);
    free(int8->output_fractions);
    free(int8->unit);
}
