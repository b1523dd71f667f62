/* Private to this folder: a model in integers.
 *
 * Values are in block floating point: the values of a layer are integers a of 16 bits with a common exponent
 * e, x = a 2^-e. Exponents are found for each row when it is predicted, so that no sample rows are needed to
 * find ranges. Weights w are integers of 8 bits with a scale for each output: the sum of a w is exact in 32
 * bits, and its product with the scale in 64 bits.
 */
#ifndef SHOAL_MLP_FILES_C_INT8_H
#define SHOAL_MLP_FILES_C_INT8_H

#include "mlp/files/c_text.h"

enum { INT8_TABLE = 192, INT8_PROBABILITY_BITS = 15, INT8_NUMBER_BITS = 12 };

/* How an input is made from its column. */
enum int8_input { INT8_NUMBER, INT8_CATEGORY, INT8_ABOVE, INT8_DIGIT, INT8_MISSING, INT8_INPUTS };

struct int8_layer {
    double *weights; /* [outputs][inputs], -127 to 127 */
    double *scales;  /* scales of the weights of each output, times 2^scale_bits, [outputs] */
    double *biases;  /* biases, times 2^bias_bits, [outputs] */
    int scale_bits, bias_bits;
    double limit; /* greatest |a| of an input for which sums fit 32 bits */
    int most_e;   /* greatest exponent e of the inputs for which biases fit 64 bits */
};

struct int8_model {
    const struct shoal_mlp_model *model;
    struct int8_layer *layers;
    int *fractions; /* fraction bits of each column: rows hold the numbers of column c times 2^fractions[c] */
    /* Constants of each input, in units of 2^-input_bits. A number x becomes (x 2^raise - first) second.
     * Another input becomes first 2^input_shift if it is 0, and second 2^input_shift if it is 1. A missing
     * value becomes fill 2^input_shift. */
    int input_bits, input_shift;
    double *column, *kind, *first, *second, *argument, *fill, *raise;
    /* has_numbers_alone: each input i is the number of column i; has_fill: a column has a fill; has_raise: a
     * number has `raise` above 0 */
    bool has_numbers_alone, has_fill, has_raise;
    /* has_units: the constants of each output convert it to the units of the data: output of the net * unit *
     * 2^-unit_bits + zero is the converted output times 2^output_fractions. Otherwise outputs are from -1 to
     * 1, and are not converted. */
    bool has_units;
    double *unit, *unit_bits, *zero;
    int *output_fractions;
};

/* Makes the integers of a model. False: there is no memory. */
bool int8_create(const struct shoal_mlp_model *model, struct int8_model *out);
void int8_free(struct int8_model *int8);

#endif
