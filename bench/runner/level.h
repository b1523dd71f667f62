/* Levels of x86-64 that the processor supports, for code that is built for several: see meson.build. */
#ifndef SHOAL_BENCH_THESIS_LEVEL_H
#define SHOAL_BENCH_THESIS_LEVEL_H

#include "thesis_build.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef THESIS_X86_LEVELS
/* The builds NAME_baseline, ... of one code, the plainest first. */
#define THESIS_BUILDS(name) &name##_baseline, &name##_v3, &name##_v4

/* Number of these builds that this processor can run. */
static inline size_t thesis_levels(void)
{
    const bool v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? 3 : v3 ? 2 : 1;
}
#else
#define THESIS_BUILDS(name) &name##_baseline

static inline size_t thesis_levels(void)
{
    return 1;
}
#endif

#endif
