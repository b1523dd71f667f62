/* Finds the builds of the vector twin that this processor can run. */
#include "bench/ga/thesis/cpu.h"

#include "bench/runner/level.h"

extern const struct thesis_ga_twin thesis_ga_vector_baseline, thesis_ga_vector_v3, thesis_ga_vector_v4;

static const struct thesis_ga_twin *const builds[] = {THESIS_BUILDS(thesis_ga_vector)};

const struct thesis_ga_twin *thesis_ga_vector_at(size_t index)
{
    return index < thesis_levels() ? builds[index] : NULL;
}

const struct thesis_ga_twin *thesis_ga_vector(void)
{
    return builds[thesis_levels() - 1];
}
