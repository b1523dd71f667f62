/* Products of weights and a block of rows. A pass adds up a part of the inputs at a time, whose rows stay in
 * the first-level cache for all outputs. Sums have the order of the inputs, whatever is added at a time. */
#include "mlp/host/products.h"

#ifndef NAME
#define NAME pass_multiply
#endif

enum { PART = 64 /* inputs that are added at a time */ };

/* A vector of the processor. */
#ifdef __AVX2__
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
typedef double vector __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double))));

/* Adds the inputs `first` to `end` to the sums of output `o`. */
static inline void add_part(const struct pass_product *product, uint32_t o, uint32_t first, uint32_t end)
{
    const double *const factors = product->factors + o * product->to_output;
    double *const out = product->out + (size_t)o * PASS_BLOCK;
    for (size_t begin = 0; begin < product->lanes; begin += 2 * WIDTH) {
        vector *const to = (vector *)(out + begin);
        vector sum_0 = to[0], sum_1 = to[1];
        for (uint32_t i = first; i < end; i++) {
            const vector *const from = (const vector *)(product->in + i * (size_t)PASS_BLOCK + begin);
            const double factor = factors[i * product->to_input];
            sum_0 += factor * from[0];
            sum_1 += factor * from[1];
        }
        to[0] = sum_0;
        to[1] = sum_1;
    }
}

/* The same for PASS_UNITS outputs from `o` on, a to d. */
static inline void add_part_of_units(const struct pass_product *product, uint32_t o, uint32_t first,
                                     uint32_t end)
{
    const size_t next = product->to_output;
    const double *const factors = product->factors + o * next;
    double *const out = product->out + (size_t)o * PASS_BLOCK;
    for (size_t begin = 0; begin < product->lanes; begin += 2 * WIDTH) {
        vector *const a = (vector *)(out + begin), *const b = (vector *)(out + PASS_BLOCK + begin),
                      *const c = (vector *)(out + 2 * PASS_BLOCK + begin),
                      *const d = (vector *)(out + 3 * PASS_BLOCK + begin);
        vector a_0 = a[0], a_1 = a[1], b_0 = b[0], b_1 = b[1], c_0 = c[0], c_1 = c[1], d_0 = d[0], d_1 = d[1];
        for (uint32_t i = first; i < end; i++) {
            const vector *const from = (const vector *)(product->in + i * (size_t)PASS_BLOCK + begin);
            const vector from_0 = from[0], from_1 = from[1];
            const double *const factor = factors + i * product->to_input;
            a_0 += factor[0] * from_0;
            a_1 += factor[0] * from_1;
            b_0 += factor[next] * from_0;
            b_1 += factor[next] * from_1;
            c_0 += factor[2 * next] * from_0;
            c_1 += factor[2 * next] * from_1;
            d_0 += factor[3 * next] * from_0;
            d_1 += factor[3 * next] * from_1;
        }
        a[0] = a_0;
        a[1] = a_1;
        b[0] = b_0;
        b[1] = b_1;
        c[0] = c_0;
        c[1] = c_1;
        d[0] = d_0;
        d[1] = d_1;
    }
}

void NAME(const struct pass_product *product)
{
    for (uint32_t o = 0; o < product->outputs; o++)
        for (size_t r = 0; r < product->lanes; r++)
            product->out[o * (size_t)PASS_BLOCK + r] = product->biases ? product->biases[o] : 0;
    for (uint32_t first = 0; first < product->inputs; first += PART) {
        const uint32_t end = product->inputs - first < PART ? product->inputs : first + PART;
        uint32_t o = 0;
        for (; product->outputs - o >= PASS_UNITS; o += PASS_UNITS)
            add_part_of_units(product, o, first, end);
        for (; o < product->outputs; o++)
            add_part(product, o, first, end);
    }
}
