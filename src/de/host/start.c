/* The first members of an island on the host, and its memory of F and CR. */
#include "de/host/host.h"

#include <math.h>
#include <shoal/rng.h>
#include <string.h>

/* Resets archive, memory and counts of an island, when its first member is drawn. */
static void forget(struct de_host *host, size_t island)
{
    const struct de_problem *problem = &host->problem;
    const size_t archived = problem->slots * problem->search.dim;
    if (archived)
        memset(host->archive + island * archived, 0, archived * sizeof *host->archive);
    for (size_t n = 0; n < DE_COUNTS; n++)
        host->counts[island * DE_COUNTS + n] = 0;
    for (size_t cell = 0; cell < problem->cells; cell++) {
        double *means = host->memory + 2 * (island * problem->cells + cell);
        de_first_cell(problem, cell, &means[0], &means[1]);
    }
}

void de_host_draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, island = i / problem->search.members;
    const struct de_place place = de_host_place(problem, i, search->islands[island].restarts);
    struct shoal_words words = {0};
    if (i % problem->search.members == 0)
        forget(host, island);
    if (problem->has_own) {
        host->own_scale[i] = 0.5;
        host->own_rate[i] = 0.9;
    }
    for (size_t d = 0; d < dim; d++) {
        const double lower = problem->search.lower[d], upper = problem->search.upper[d];
        if (d % 4 == 0)
            words = shoal_random_words(place.seed, SHOAL_STREAM_DE_START, place.step, place.index,
                                       (uint32_t)(d / 4));
        const uint32_t word = d % 4 == 0 ? words.x : d % 4 == 1 ? words.y : d % 4 == 2 ? words.z : words.w;
        search->x[i * dim + d] = fmin(lower + random_uniform(word) * (upper - lower), upper);
    }
}

void de_host_find_below(struct de_host *host, size_t island)
{
    const size_t cells = host->problem.cells;
    for (size_t i = island * cells; i < (island + 1) * cells; i++)
        host->below[i] = 0.5 - atan(10 * host->memory[2 * i]) / 3.14159265358979323846;
}
