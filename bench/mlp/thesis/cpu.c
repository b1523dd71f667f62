/* Which builds of the vector twin this processor can run. */
#include "bench/mlp/thesis/cpu.h"

#include "bench/runner/level.h"

extern const struct thesis_mlp_twin thesis_mlp_vector_baseline, thesis_mlp_vector_v3, thesis_mlp_vector_v4;

static const struct thesis_mlp_twin *const builds[] = {THESIS_BUILDS(thesis_mlp_vector)};

const struct thesis_mlp_twin *thesis_mlp_vector_at(size_t index)
{
    return index < thesis_levels() ? builds[index] : NULL;
}

const struct thesis_mlp_twin *thesis_mlp_vector(void)
{
    return builds[thesis_levels() - 1];
}
