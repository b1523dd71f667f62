/* Levels of x86-64 that the processor supports, for code that is built for several: see meson.build. */
#ifndef SHOAL_BENCH_THESIS_LEVEL_H
#define SHOAL_BENCH_THESIS_LEVEL_H

#include "thesis_build.h"

#include <stdbool.h>

#ifdef THESIS_X86_LEVELS
static inline bool thesis_has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

static inline bool thesis_has_v4(void)
{
    return thesis_has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

#endif
