/* Informants of each particle: docs/pso.md, "One step".
 *
 * Random links of an island of S particles are four arrays in `links`:
 * - first[S], end[S]: the informants of particle i are list[first[i]] .. list[end[i] - 1], in ascending
 *   order, each once; they include the particle itself
 * - list[S (draws + 1)]
 * - drawn[S (draws + 1)]: the particles that particle 0 informs, NO_INDEX, the particles that particle 1
 *   informs, NO_INDEX ...
 */
#include "pso/host/host.h"

#include <shoal/rng.h>

#include "cl/pso/model/mendes.clh"

struct links {
    uint32_t *first, *end, *list, *drawn;
};

size_t pso_host_links_size(const struct pso_problem *problem)
{
    if (problem->params->topology != SHOAL_PSO_RANDOM)
        return 0;
    return problem->search.members * (2 * (problem->neighbours + 1) + 2);
}

static struct links links_of(const struct pso_host *host, size_t island)
{
    const struct pso_problem *problem = &host->problem;
    const size_t particles = problem->search.members;
    uint32_t *first = host->links + island * pso_host_links_size(problem);
    uint32_t *list = first + 2 * particles;
    return (struct links){first, first + particles, list, list + particles * (problem->neighbours + 1)};
}

/* Adds informant j to the list of `target`. Calls have ascending j, so lists are ascending, and a repeated
 * link directly follows its first copy, so that it is found. */
static void inform(const struct links *links, uint32_t target, uint32_t j)
{
    uint32_t *end = &links->end[target];
    if (*end == links->first[target] || links->list[*end - 1] != j)
        links->list[(*end)++] = j;
}

void pso_host_draw_links(struct search_host *search, size_t island)
{
    const struct pso_host *host = pso_host_of(search);
    const struct pso_problem *problem = &host->problem;
    /* The number of links is rounded up to a multiple of four, so that each block of random words is used
     * completely. */
    const uint32_t particles = (uint32_t)problem->search.members, draws = (uint32_t)problem->neighbours;
    if (!host->links)
        return;
    const struct links links = links_of(host, island);
    const uint64_t seed = problem->params->search.seed + island / problem->search.run_islands;
    const uint32_t index = (uint32_t)(island % problem->search.run_islands) * particles;
    const uint32_t at = (uint32_t)host->search.islands[island].renew_at;
    uint32_t *drawn = links.drawn;
    for (uint32_t i = 0; i < particles; i++)
        links.end[i] = 1;
    for (uint32_t j = 0; j < particles; j++) {
        for (uint32_t k = 0; k < draws; k += 4) {
            const struct shoal_words words =
                shoal_random_words(seed, SHOAL_STREAM_PSO_LINKS, at, index + j, k / 4);
            const uint32_t four[] = {words.x, words.y, words.z, words.w};
            for (uint32_t n = 0; n < 4; n++)
                if (four[n] % LINK_DRAWS == 0) {
                    *drawn = (uint32_t)(((uint64_t)four[n] * particles) >> 32);
                    links.end[*drawn++]++;
                }
        }
        *drawn++ = NO_INDEX;
    }
    /* Reserves memory for every drawn link. A link that was drawn twice leaves an element unused. */
    uint32_t room = 0;
    for (uint32_t i = 0; i < particles; i++) {
        const uint32_t most = links.end[i];
        links.first[i] = links.end[i] = room;
        room += most;
    }
    drawn = links.drawn;
    for (uint32_t j = 0; j < particles; j++, drawn++) {
        inform(&links, j, j);
        for (; *drawn != NO_INDEX; drawn++)
            inform(&links, *drawn, j);
    }
}

/* Sets the four neighbours of particle i on the torus. */
static void torus_neighbours(const struct pso_problem *problem, size_t i, size_t out[4])
{
    const size_t particles = problem->search.members, columns = problem->columns,
                 start = (uint32_t)i / (uint32_t)columns * columns,
                 column = i - start; /* a shorter division */
    out[0] = i < columns ? i + particles - columns : i - columns;
    out[1] = column == 0 ? start + columns - 1 : i - 1;
    out[2] = column + 1 == columns ? start : i + 1;
    out[3] = i + columns < particles ? i + columns : i + columns - particles;
}

/* Returns neighbour number q of particle i, which is never the particle itself. The order is that of
 * cl/pso/model/topology.clh. */
static size_t neighbour(const struct pso_problem *problem, size_t i, size_t q)
{
    const size_t particles = problem->search.members;
    switch ((enum shoal_pso_topology)problem->params->topology) {
    case SHOAL_PSO_RING: {
        const size_t half = problem->neighbours / 2;
        return (i + (q < half ? particles - half + q : q - half + 1)) % particles;
    }
    case SHOAL_PSO_VON_NEUMANN: {
        size_t four[4];
        torus_neighbours(problem, i, four);
        return four[q];
    }
    case SHOAL_PSO_CLUSTERS:
        return clusters_neighbour((unsigned)i, (unsigned)q, (unsigned)particles);
    case SHOAL_PSO_PYRAMID:
        return pyramid_neighbour((unsigned)i, (unsigned)q, (unsigned)particles);
    default:
        return q < i ? q : q + 1;
    }
}

static size_t neighbour_count(const struct pso_problem *problem, size_t i)
{
    switch ((enum shoal_pso_topology)problem->params->topology) {
    case SHOAL_PSO_RING:
        return problem->neighbours;
    case SHOAL_PSO_VON_NEUMANN:
        return 4;
    case SHOAL_PSO_CLUSTERS:
        return clusters_count((unsigned)i, (unsigned)problem->search.members);
    case SHOAL_PSO_PYRAMID:
        return pyramid_count((unsigned)i, (unsigned)problem->search.members);
    default:
        return problem->search.members - 1;
    }
}

static size_t better(const double *best, size_t a, size_t b)
{
    return best[b] < best[a] || (best[b] == best[a] && b < a) ? b : a;
}

size_t pso_host_goal(const struct pso_host *host, size_t i)
{
    const struct pso_problem *problem = &host->problem;
    const size_t island = i / problem->search.members, start = island * problem->search.members;
    const double *best = host->search.best + start;
    size_t goal = i - start;
    if (problem->params->topology == SHOAL_PSO_GLOBAL)
        return start + host->search.islands[island].leader;
    if (problem->params->topology == SHOAL_PSO_RANDOM) {
        const struct links links = links_of(host, island);
        const size_t own = goal;
        for (uint32_t k = links.first[own]; k < links.end[own]; k++)
            goal = better(best, goal, links.list[k]);
    } else {
        const size_t count = neighbour_count(problem, goal), own = goal;
        for (size_t q = 0; q < count; q++)
            goal = better(best, goal, neighbour(problem, own, q));
    }
    return start + goal;
}

size_t pso_host_informant_count(const struct pso_host *host, size_t i)
{
    const struct pso_problem *problem = &host->problem;
    if (problem->params->topology == SHOAL_PSO_VON_NEUMANN)
        return 4;
    size_t count = neighbour_count(problem, i % problem->search.members);
    if (problem->params->topology == SHOAL_PSO_RANDOM) {
        const struct links links = links_of(host, i / problem->search.members);
        const size_t own = i % problem->search.members;
        count = links.end[own] - links.first[own] - 1;
    }
    return count ? count : 1;
}

/* Returns the index of informant number `number`. A particle without neighbours is its own informant. */
static size_t informant(const struct pso_host *host, size_t i, size_t number)
{
    const struct pso_problem *problem = &host->problem;
    const size_t own = i % problem->search.members, start = i - own;
    if (problem->params->topology != SHOAL_PSO_RANDOM)
        return problem->search.members > 1 ? start + neighbour(problem, own, number) : i;
    const struct links links = links_of(host, i / problem->search.members);
    const uint32_t *list = links.list + links.first[own];
    if (links.end[own] - links.first[own] == 1)
        return i;
    /* skips the particle itself among its informants */
    for (size_t k = 0; k <= number; k++)
        if (list[k] == own)
            return start + list[number + 1];
    return start + list[number];
}

void pso_host_list_informants(const struct pso_host *host, size_t i, size_t first, size_t count, size_t *out)
{
    const struct pso_problem *problem = &host->problem;
    if (problem->params->topology == SHOAL_PSO_VON_NEUMANN && count == 4 && problem->search.members > 1) {
        const size_t members = problem->search.members, own = i - search_host_part(i, members) * members;
        torus_neighbours(problem, own, out);
        for (size_t q = 0; q < 4; q++)
            out[q] += i - own;
        return;
    }
    for (size_t q = 0; q < count; q++)
        out[q] = informant(host, i, first + q);
}
