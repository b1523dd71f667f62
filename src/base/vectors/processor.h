/* Private: what the processor can do. Texts whose loops gain by it are compiled twice, and the bits do not
 * change. */
#ifndef SHOAL_BASE_VECTORS_PROCESSOR_H
#define SHOAL_BASE_VECTORS_PROCESSOR_H

#include <stdbool.h>

/* Whether the processor has AVX2 (vectors of 256 bits). */
static inline bool processor_has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* Whether it has also the first part of AVX-512 (vectors of 512 bits). */
static inline bool processor_has_avx512(void)
{
#ifdef __x86_64__
    return processor_has_avx2() && __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

/* Whether it has also BMI2 (shifts and deposits of bits). */
static inline bool processor_has_avx2_and_bmi2(void)
{
#ifdef __x86_64__
    return processor_has_avx2() && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

#endif
