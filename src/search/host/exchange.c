/* Exchange between the islands of the host solver: docs/search.md. */
#include "search/host/host.h"

#include <string.h>

/* Returns point `number` of the points that island k sends. */
static struct search_migrant sent_by(const struct search_host *host, size_t k, size_t number)
{
    const struct search_problem *problem = host->problem;
    if (!host->ops->emigrate)
        return (struct search_migrant){k, host->champion + k * problem->dim, host->islands[k].champion};
    const size_t i = k * problem->migrants + number;
    return (struct search_migrant){k, host->sent + i * problem->dim, host->sent_values[i]};
}

/* If the received point is better than the best member of island k, replaces the worst member of the island
 * by this point. Returns whether it was better. */
static bool take_champion(struct search_host *host, size_t k, const struct search_migrant *migrant)
{
    const struct search_problem *problem = host->problem;
    const size_t start = k * problem->members;
    if (!(migrant->value < host->best[start + host->islands[k].leader]))
        return false;
    size_t worst = 0;
    for (size_t i = 1; i < problem->members; i++)
        if (host->best[start + i] >= host->best[start + worst])
            worst = i;
    host->best[start + worst] = migrant->value;
    memcpy(host->p + (start + worst) * problem->dim, migrant->x, problem->dim * sizeof *host->p);
    host->islands[k].leader = worst;
    return true;
}

static void immigrate(struct search_host *host, size_t k, size_t number, const struct search_migrant *migrant)
{
    if (host->ops->immigrate)
        host->ops->immigrate(host, k, number, migrant);
    else
        take_champion(host, k, migrant);
}

void search_host_receive(struct search_host *host, size_t island, const struct search_migrant *migrant)
{
    if (take_champion(host, island, migrant) && host->ops->guide)
        host->ops->guide(host, island, migrant->x);
}

/* Ranks all points that the islands of a run send: by value, and equal values by number. Returns the point
 * that follows point *place in this order, and sets *place to its number. *place SIZE_MAX: returns the best
 * point. */
static struct search_migrant next_best(const struct search_host *host, size_t first, size_t *place)
{
    const struct search_problem *problem = host->problem;
    const size_t count = problem->run_islands * problem->migrants;
    const struct search_migrant last =
        *place < count ? sent_by(host, first + *place / problem->migrants, *place % problem->migrants)
                       : (struct search_migrant){0};
    const size_t before = *place;
    struct search_migrant best = {0};
    *place = count;
    for (size_t i = 0; i < count; i++) {
        const struct search_migrant other =
            sent_by(host, first + i / problem->migrants, i % problem->migrants);
        if (before < count && (other.value < last.value || (other.value == last.value && i <= before)))
            continue;
        if (*place == count || other.value < best.value) {
            best = other;
            *place = i;
        }
    }
    return best;
}

/* Exchanges by the topology `all`: every island receives the best of all sent points, except the points that
 * it has sent itself. An island that sends its champion also receives it, since a restart may have removed
 * the champion from the members. */
static void exchange_all(struct search_host *host, size_t first)
{
    const struct search_problem *problem = host->problem;
    size_t place = SIZE_MAX;
    for (size_t number = 0; number < problem->migrants; number++) {
        const struct search_migrant migrant = next_best(host, first, &place);
        for (size_t k = first; k < first + problem->run_islands; k++)
            if (migrant.from != k || !host->ops->emigrate)
                immigrate(host, k, number, &migrant);
    }
}

static void receive(struct search_host *host, size_t k, size_t from, size_t number)
{
    for (size_t i = 0; i < host->problem->migrants; i++) {
        const struct search_migrant migrant = sent_by(host, from, i);
        immigrate(host, k, number + i, &migrant);
    }
}

void search_host_exchange(struct search_host *host, size_t run)
{
    const struct search_problem *problem = host->problem;
    const struct search_links *links = &problem->links;
    const size_t islands = problem->run_islands, first = run * islands;
    const uint64_t step = search_host_making(host, run);
    for (size_t s = 0; s < islands && host->ops->emigrate; s++)
        host->ops->emigrate(host, first + s);
    if (problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_ALL) {
        exchange_all(host, first);
        return;
    }
    for (size_t s = 0; s < islands; s++)
        if (!links->first) {
            const uint64_t seed = problem->params->seed + run;
            receive(host, first + s, first + search_random_source(seed, step, (uint32_t)s, (uint32_t)islands),
                    0);
        } else {
            for (size_t i = links->first[s]; i < links->first[s + 1]; i++)
                receive(host, first + s, first + links->source[i], (i - links->first[s]) * problem->migrants);
        }
}
