/* Which build of the blocked twin this processor can run. */
#include "thesis_cpu.h"

#include "thesis_build.h"

extern const struct thesis_twin thesis_blocked_baseline, thesis_blocked_v3, thesis_blocked_v4;

static bool always(void)
{
    return true;
}

#ifdef THESIS_X86_LEVELS
static bool has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

static const struct {
    const struct thesis_twin *twin;
    bool (*runs)(void);
} builds[] = {
    {&thesis_blocked_baseline, always},
#ifdef THESIS_X86_LEVELS
    {&thesis_blocked_v3, has_v3},
    {&thesis_blocked_v4, has_v4},
#endif
};

const struct thesis_twin *thesis_blocked_at(size_t index)
{
    return index < sizeof builds / sizeof *builds && builds[index].runs() ? builds[index].twin : NULL;
}

const struct thesis_twin *thesis_blocked(void)
{
    const struct thesis_twin *best = builds[0].twin;
    for (size_t i = 1; thesis_blocked_at(i); i++)
        best = thesis_blocked_at(i);
    return best;
}
