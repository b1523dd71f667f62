/* meson.build has this file compiled with contraction of a * b + c, and without errno of sqrt: otherwise the
 * compiler could use neither fused multiply-adds nor vector square roots, and the roofs would be lower than
 * the rates that code can reach. */
#include "measure/host_rates.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

/* Defines a function that computes chains in twelve vectors: enough to hide the latency of the operation, and
 * few enough for the registers of every instruction set. */
#define CHAINS(name, attribute, scalar, vector_bytes)                                                        \
    typedef scalar name##_vector __attribute__((vector_size(vector_bytes)));                                 \
    attribute static void name(scalar *values, uint64_t steps)                                               \
    {                                                                                                        \
        const name##_vector zero = {0};                                                                      \
        const name##_vector factor = zero + (scalar)MEASURE_FMA_FACTOR,                                      \
                            term = zero + (scalar)MEASURE_FMA_TERM;                                          \
        for (size_t first = 0; first < HOST_CHAIN_BYTES; first += 12 * (vector_bytes)) {                     \
            name##_vector x[12];                                                                             \
            memcpy(x, (const char *)values + first, sizeof x);                                               \
            for (uint64_t step = 0; step < steps; step++)                                                    \
                UNROLL for (int i = 0; i < 12; i++) x[i] = x[i] * factor + term;                             \
            memcpy((char *)values + first, x, sizeof x);                                                     \
        }                                                                                                    \
    }

#define ROOTS(name, attribute)                                                                               \
    attribute static void name(float *values, uint64_t steps)                                                \
    {                                                                                                        \
        float x[HOST_ROOTS];                                                                                 \
        memcpy(x, values, sizeof x);                                                                         \
        for (uint64_t step = 0; step < steps; step++)                                                        \
            for (int i = 0; i < HOST_ROOTS; i++)                                                             \
                x[i] += 1.0f / sqrtf(x[i]);                                                                  \
        memcpy(values, x, sizeof x);                                                                         \
    }

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 12")
#endif

CHAINS(fma32_baseline, , float, 16)
CHAINS(fma64_baseline, , double, 16)
ROOTS(roots_baseline, )

#if defined(__x86_64__)
CHAINS(fma32_avx2, __attribute__((target("avx2,fma"))), float, 32)
CHAINS(fma64_avx2, __attribute__((target("avx2,fma"))), double, 32)
ROOTS(roots_avx2, __attribute__((target("avx2,fma"))))
CHAINS(fma32_avx512, __attribute__((target("avx512f"))), float, 64)
CHAINS(fma64_avx512, __attribute__((target("avx512f"))), double, 64)
#if defined(__clang__)
ROOTS(roots_avx512, __attribute__((target("avx512f"))))
#else
ROOTS(roots_avx512, __attribute__((target("avx512f,prefer-vector-width=512"))))
#endif

static int vector_set(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static int vector_set(void)
{
    return 0;
}
#define fma32_avx2   fma32_baseline
#define fma64_avx2   fma64_baseline
#define roots_avx2   roots_baseline
#define fma32_avx512 fma32_baseline
#define fma64_avx512 fma64_baseline
#define roots_avx512 roots_baseline
#endif

const char *host_instructions(void)
{
    static const char *const names[] = {"baseline", "avx2", "avx512f"};
    return names[vector_set()];
}

void host_fma32(float *x, uint64_t steps)
{
    static void (*const sets[])(float *, uint64_t) = {fma32_baseline, fma32_avx2, fma32_avx512};
    sets[vector_set()](x, steps);
}

void host_fma64(double *x, uint64_t steps)
{
    static void (*const sets[])(double *, uint64_t) = {fma64_baseline, fma64_avx2, fma64_avx512};
    sets[vector_set()](x, steps);
}

void host_roots(float *x, uint64_t steps)
{
    static void (*const sets[])(float *, uint64_t) = {roots_baseline, roots_avx2, roots_avx512};
    sets[vector_set()](x, steps);
}
