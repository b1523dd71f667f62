/* Products of weights and a block of rows. A pass adds up a part of the inputs at a time, whose rows stay in
 * the first-level cache for all outputs. Sums have the order of the inputs, whatever is added at a time. */
#include "mlp/host/products.h"

#ifndef NAME
#define NAME pass_multiply
#endif

enum { PART = 64 /* inputs that are added at a time */ };

/* A vector of the processor. VECTORS: vectors of an output that are added side by side, as an addition has to
 * wait for the addition before it. */
#ifdef __AVX512F__
enum { WIDTH = 8, VECTORS = 1 };
#elif defined __AVX2__
enum { WIDTH = 4, VECTORS = 2 };
#else
enum { WIDTH = 2, VECTORS = 2 };
#endif
typedef double vector __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double))));
_Static_assert(PASS_LANES % (VECTORS * WIDTH) == 0, "steps divide the lanes");

/* Adds the inputs `first` to `end` to the sums of `units` outputs from `o` on. Each call has a constant
 * number of units, so that the sums are in registers. */
static inline __attribute__((always_inline)) void add_part(const struct pass_product *product, uint32_t o,
                                                           uint32_t first, uint32_t end, const int units)
{
    const size_t next = product->to_output;
    const double *const factors = product->factors + o * next;
    double *const out = product->out + (size_t)o * PASS_BLOCK;
    for (size_t begin = 0; begin < product->lanes; begin += VECTORS * WIDTH) {
        vector sums[PASS_UNITS][VECTORS];
        for (int u = 0; u < units; u++)
            for (int v = 0; v < VECTORS; v++)
                sums[u][v] = ((const vector *)(out + (size_t)u * PASS_BLOCK + begin))[v];
        for (uint32_t i = first; i < end; i++) {
            const vector *const from = (const vector *)(product->in + i * (size_t)PASS_BLOCK + begin);
            const double *const factor = factors + i * product->to_input;
            for (int u = 0; u < units; u++)
                for (int v = 0; v < VECTORS; v++)
                    sums[u][v] += factor[(size_t)u * next] * from[v];
        }
        for (int u = 0; u < units; u++)
            for (int v = 0; v < VECTORS; v++)
                ((vector *)(out + (size_t)u * PASS_BLOCK + begin))[v] = sums[u][v];
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
#ifdef __AVX512F__
        for (; product->outputs - o >= PASS_UNITS; o += PASS_UNITS)
            add_part(product, o, first, end, PASS_UNITS);
#endif
        for (; product->outputs - o >= 4; o += 4)
            add_part(product, o, first, end, 4);
        for (; o < product->outputs; o++)
            add_part(product, o, first, end, 1);
    }
}
