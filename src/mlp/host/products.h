/* Private: products of weights and a block of rows, the time of a pass on the host. */
#ifndef SHOAL_MLP_PRODUCTS_H
#define SHOAL_MLP_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

enum {
    PASS_BLOCK = 64, /* rows of a block */
    PASS_LANES = 8,  /* number of rows that one step of an inner loop takes: one to four vectors */
    PASS_UNITS = 8   /* most outputs that share the loads of the rows */
};

/* out[o][r] = biases[o] + the sum over the inputs i, in their order, of
 * factors[o * to_output + i * to_input] * in[i][r]. */
struct pass_product {
    double *out;          /* [outputs][PASS_BLOCK] */
    const double *biases; /* [outputs]; NULL: 0 */
    const double *factors;
    size_t to_output, to_input;
    const double *in; /* [inputs][PASS_BLOCK] */
    uint32_t inputs, outputs;
    size_t lanes; /* number of rows, a multiple of PASS_LANES */
};

/* The same bits by any processor; pass_multiply_avx2 needs AVX2, pass_multiply_avx512 AVX-512. */
void pass_multiply(const struct pass_product *product);
void pass_multiply_avx2(const struct pass_product *product);
void pass_multiply_avx512(const struct pass_product *product);

#endif
