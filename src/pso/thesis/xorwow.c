/* The generator of the thesis on the host: one text with the kernels. */
#include "pso/host/host.h"

#include <shoal/rng.h>
#include <string.h>

#define SHOAL_XORWOW_HOST
#include "cl/pso/thesis/xorwow.clh"

_Static_assert(REFERENCE_GENERATOR == XORWOW_WORDS, "words of a state");

static struct xorwow start(const struct reference *reference, size_t i, uint32_t from)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t each = problem->particles * problem->swarms;
    return xorwow_start(problem->params->seed + i / each, (uint32_t)(i % each), from);
}

void reference_xorwow_start(struct reference *reference, size_t i)
{
    const struct xorwow state =
        start(reference, i, (uint32_t)reference->islands[i / reference->problem.particles].restarts);
    memcpy(reference->generators + i * XORWOW_WORDS, &state, sizeof state);
}

void reference_xorwow(struct reference *reference, size_t i, uint32_t step, size_t count, double *r1,
                      double *r2)
{
    uint32_t *kept = reference->generators ? reference->generators + i * XORWOW_WORDS : NULL;
    struct xorwow state;
    if (kept)
        memcpy(&state, kept, sizeof state);
    else
        state = start(reference, i, step);
    for (size_t d = 0; d < count; d++) {
        r1[d] = reference_uniform(xorwow_next(&state));
        r2[d] = reference_uniform(xorwow_next(&state));
    }
    if (kept)
        memcpy(kept, &state, sizeof state);
}
