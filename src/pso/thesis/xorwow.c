/* The generator of the thesis on the host, by the text cl/pso/thesis/xorwow.clh, which kernels also use. */
#include "pso/thesis/xorwow.h"
#include "pso/host/host.h"

#include <shoal/rng.h>
#include <string.h>

#define SHOAL_XORWOW_HOST
#include "cl/pso/thesis/xorwow.clh"

_Static_assert((int)PSO_XORWOW_WORDS == (int)XORWOW_WORDS, "words of a state");

static struct xorwow start(const struct pso_host *host, size_t i, uint32_t from)
{
    const struct pso_problem *problem = &host->problem;
    const size_t each = problem->search.members * problem->search.run_islands;
    return xorwow_start(problem->params->search.seed + i / each, (uint32_t)(i % each), from);
}

void pso_host_xorwow_start(struct pso_host *host, size_t i)
{
    const struct xorwow state =
        start(host, i, (uint32_t)host->search.islands[i / host->problem.search.members].restarts);
    memcpy(host->generators + i * XORWOW_WORDS, &state, sizeof state);
}

void pso_host_xorwow(struct pso_host *host, size_t i, uint32_t step, size_t count, double *r1, double *r2)
{
    uint32_t *kept = host->generators ? host->generators + i * XORWOW_WORDS : NULL;
    struct xorwow state;
    if (kept)
        memcpy(&state, kept, sizeof state);
    else
        state = start(host, i, step);
    for (size_t d = 0; d < count; d++) {
        r1[d] = random_uniform(xorwow_next(&state));
        r2[d] = random_uniform(xorwow_next(&state));
    }
    if (kept)
        memcpy(kept, &state, sizeof state);
}
