/* All pairs in a way that suits CPUs: targets are side by side in vectors, and each source that is read acts
 * on four vectors of targets, so that nothing is added up across a vector. The reciprocal is the processor's
 * estimate followed by one step of Newton's method. Sources are added in blocks, whose sums are then added
 * up: so the rounding error of a long sum stays small. */
#include "bench/gas/thesis/cpu.h"

#ifdef __SSE__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR = 16 };
#elif defined(__AVX__)
enum { VECTOR = 8 };
#else
enum { VECTOR = 4 };
#endif
enum { GROUP = 4, TARGETS = GROUP * VECTOR, BLOCK = 1024 };
_Static_assert(THESIS_GAS_PAD % TARGETS == 0, "arrays end with a group of targets");

typedef float vector __attribute__((vector_size(VECTOR * sizeof(float))));

static inline vector reciprocal(vector s)
{
#if defined(__AVX512F__)
    const vector r = (vector)_mm512_rcp14_ps((__m512)s);
#elif defined(__AVX__)
    const vector r = (vector)_mm256_rcp_ps((__m256)s);
#elif defined(__SSE__)
    const vector r = (vector)_mm_rcp_ps((__m128)s);
#else
    return 1.0f / s;
#endif
#ifdef __SSE__
    return r * (2.0f - s * r);
#endif
}

static void block(const struct thesis_gas *gas, size_t first, size_t from, size_t to, vector *restrict sum_x,
                  vector *restrict sum_y)
{
    const float *x = gas->x, *y = gas->y;
    const float softening2 = gas->softening2;
    vector tx[GROUP], ty[GROUP], sx[GROUP] = {{0}}, sy[GROUP] = {{0}};
    for (size_t g = 0; g < GROUP; g++) {
        tx[g] = *(const vector *)(const void *)(x + first + g * VECTOR);
        ty[g] = *(const vector *)(const void *)(y + first + g * VECTOR);
    }
    for (size_t j = from; j < to; j++)
        for (size_t g = 0; g < GROUP; g++) {
            const vector dx = tx[g] - x[j], dy = ty[g] - y[j];
            const vector w = reciprocal(dx * dx + (dy * dy + softening2));
            sx[g] += dx * w;
            sy[g] += dy * w;
        }
    for (size_t g = 0; g < GROUP; g++) {
        sum_x[g] += sx[g];
        sum_y[g] += sy[g];
    }
}

void THESIS_GAS_VECTORS(struct thesis_gas *gas);
void THESIS_GAS_VECTORS(struct thesis_gas *gas)
{
    const float k = -gas->attraction * gas->dt;
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t first = 0; first < gas->padded; first += TARGETS) {
        vector sx[GROUP] = {{0}}, sy[GROUP] = {{0}};
        for (size_t from = 0; from < gas->n; from += BLOCK)
            block(gas, first, from, from + BLOCK < gas->n ? from + BLOCK : gas->n, sx, sy);
        for (size_t g = 0; g < GROUP; g++) {
            vector *vx = (vector *)(void *)(gas->vx + first + g * VECTOR);
            vector *vy = (vector *)(void *)(gas->vy + first + g * VECTOR);
            *vx += k * sx[g];
            *vy += k * sy[g];
        }
    }
}
