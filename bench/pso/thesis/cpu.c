/* Which build of the blocked twin this processor can run, and what both twins do alike on several threads. */
#include "bench/pso/thesis/cpu.h"

#include "bench/runner/level.h"

#include <omp.h>

extern const struct thesis_twin thesis_blocked_baseline, thesis_blocked_v3, thesis_blocked_v4;

static bool always(void)
{
    return true;
}

static const struct {
    const struct thesis_twin *twin;
    bool (*runs)(void);
} builds[] = {
    {&thesis_blocked_baseline, always},
#ifdef THESIS_X86_LEVELS
    {&thesis_blocked_v3, thesis_has_v3},
    {&thesis_blocked_v4, thesis_has_v4},
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

size_t thesis_least(const struct thesis_twin *twin, const double *values, size_t count)
{
    size_t least = 0;
#pragma omp parallel
    {
        const size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
        const size_t first = count * thread / threads, end = count * (thread + 1) / threads;
        if (first < end) {
            const size_t place = twin->least(values, first, end);
#pragma omp critical(thesis_least)
            if (values[place] < values[least] || (values[place] == values[least] && place < least))
                least = place;
        }
    }
    return least;
}
