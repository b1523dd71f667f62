/*  Private to this folder: a model in integers.
 *
 * Values are in block floating point: the values of a layer are integers a of 16 bits with a common exponent
 * e, x = a 2^-e. Each row finds its own exponents, so that no sample rows are needed to learn ranges from.
 * Weights are integers of 8 bits with a scale for each output: the sum of a w is exact in 32 bits, times the
 * scale in 64.
 */
#ifndef SHOAL_MLP_FILES_C_INT8_H
#define SHOAL_MLP_FILES_C_INT8_H

#include "mlp/files/c_text.h"

enum { INT8_TABLE = 192, INT8_PROBABILITY_BITS = 15, INT8_NUMBER_BITS = 12 };

/* How an input is made from its column. */
enum int8_input { INT8_NUMBER, INT8_CATEGORY, INT8_ABOVE, INT8_DIGIT, INT8_MISSING, INT8_INPUTS };

struct int8_layer {
    double *weights; /* outputs x inputs, -127 to 127 */
    double *scales;  /* outputs: of its weights, times 2^scale_bits */
    double *biases;  /* outputs, times 2^bias_bits */
    int scale_bits, bias_bits;
    double limit; /* greatest |a| of its inputs with which sums fit 32 bits */
    int most_e;   /* greatest exponent of its inputs with which biases fit 64 bits */
};

struct int8_model {
    const struct shoal_mlp_model *model;
    struct int8_layer *layers;
    int *fractions; /* by column: rows hold the column's number times 2^fraction */
    /* Of each input, in 2^-input_bits: a number x is (x 2^raise - first) second; another is first 2^shift, or
     * second 2^shift where it is 1; fill 2^shift where the value is missing. */
    int input_bits, input_shift;
    double *column, *kind, *first, *second, *argument, *fill, *raise;
    bool has_numbers_alone, has_fill, has_raise; /* numbers alone: input i is column i */
    /* Of each output that is a number: times unit 2^-unit_bits, plus zero, it is 2^fraction times that. */
    bool has_units;
    double *unit, *unit_bits, *zero;
    int *output_fractions;
};

/* False: no memory. */
bool int8_create(const struct shoal_mlp_model *model, struct int8_model *out);
void int8_free(struct int8_model *int8);

#endif
