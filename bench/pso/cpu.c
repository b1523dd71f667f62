/* Finds the builds of the blocked twin that this processor can run, and contains what both twins do in the
 * same way on several threads. */
#include "bench/pso/cpu.h"

#include "bench/runner/level.h"

#include <omp.h>

extern const struct thesis_twin thesis_blocked_baseline, thesis_blocked_v3, thesis_blocked_v4;

static const struct thesis_twin *const builds[] = {THESIS_BUILDS(thesis_blocked)};

const struct thesis_twin *thesis_blocked_at(size_t index)
{
    return index < thesis_levels() ? builds[index] : NULL;
}

const struct thesis_twin *thesis_blocked(void)
{
    return builds[thesis_levels() - 1];
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
