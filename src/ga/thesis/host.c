/* The genetic algorithm of the thesis on the host: random numbers, and choices by them. The operators are
 * texts that kernels also include. */
#include "ga/thesis/thesis.h"

#include <math.h>
#include <string.h>

#include "ga/host/model.h"
#include "ga/thesis/hybridtaus.clh"

_Static_assert((int)GA_GENERATOR_WORDS == (int)HYBRIDTAUS_WORDS, "words of a state");

/* Seeds -------------------------------------------------------------------------------------------------- */

/* Knuth's linear congruential generator MMIX. A random word is the upper half of a state. */
static const uint64_t seed_factor = 6364136223846793005u, seed_constant = 1442695040888963407u;

/* Returns the state that follows `state` after `steps` steps (Brown 1994). */
static uint64_t jump(uint64_t state, uint64_t steps)
{
    uint64_t factor = seed_factor, constant = seed_constant;
    for (; steps; steps >>= 1) {
        if (steps & 1)
            state = factor * state + constant;
        constant *= factor + 1;
        factor *= factor;
    }
    return state;
}

/* Mixes a seed by the finaliser of splitmix64, so that neighbouring seeds become distant states. */
static uint64_t mixed(uint64_t seed)
{
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
    return seed ^ (seed >> 31);
}

void ga_thesis_seed(uint64_t seed, uint64_t first, size_t count, uint32_t *words)
{
    /* a component of the generator may be stuck if its word is at most this number */
    enum { SMALL = 127 };
    uint64_t state = jump(mixed(seed + seed_constant), first * GA_GENERATOR_WORDS);
    for (size_t i = 0; i < count * GA_GENERATOR_WORDS; i++) {
        state = seed_factor * state + seed_constant;
        words[i] = (uint32_t)(state >> 32);
        if (words[i] <= SMALL)
            words[i] += SMALL + 1;
    }
}

/* Members ------------------------------------------------------------------------------------------------ */

static struct ga_thesis_draw *draws_of(const struct ga_host *host)
{
    return host->draws;
}

static hybridtaus generator_of(const struct ga_host *host, size_t i)
{
    hybridtaus state;
    memcpy(&state, host->generators + i * GA_GENERATOR_WORDS, sizeof state);
    return state;
}

void ga_thesis_draw(struct ga_host *host, size_t i)
{
    const struct search_problem *problem = &host->problem.search;
    const size_t members = problem->members * problem->run_islands;
    uint32_t *words = host->generators + i * GA_GENERATOR_WORDS;
    ga_thesis_seed(problem->params->seed + i / members, i % members, 1, words);
    hybridtaus state = generator_of(host, i);
    for (size_t d = 0; d < problem->dim; d++) {
        const double lower = problem->lower[d], upper = problem->upper[d];
        const double number = uniform(hybridtaus_next(&state));
        host->search.x[i * problem->dim + d] =
            mutated(MUTATE_UNIFORM, 0, number, lower, upper, (mutate_shape){0}, 0);
    }
    memcpy(words, &state, sizeof state);
}

static const uint32_t *rates_of(const struct ga_problem *problem, size_t island)
{
    const size_t entry = problem->rate_entries > 1 ? island % problem->search.run_islands : 0;
    return problem->rates + entry * RATE_WORDS(problem->search.dim);
}

void ga_thesis_prepare(struct ga_host *host, size_t island)
{
    const struct ga_problem *problem = &host->problem;
    const size_t members = problem->search.members, dim = problem->search.dim;
    const bool mutates = problem->params->mutation != SHOAL_GA_NO_MUTATION;
    for (size_t i = island * members; i < (island + 1) * members; i++) {
        struct ga_thesis_draw *draw = draws_of(host) + i;
        hybridtaus state = generator_of(host, i);
        draw->opponent = index_of(hybridtaus_next(&state), (uint)members);
        draw->shared = hybridtaus_next(&state);
        draw->gene = (uint32_t)dim;
        if (mutates)
            draw->gene = first_threshold(rates_of(problem, island) + RATE_TABLES, (uint)dim,
                                         hybridtaus_next(&state) >> 1);
        if (draw->gene < dim) {
            const uint32_t a = hybridtaus_next(&state), b = hybridtaus_next(&state);
            double unused;
            normal_pair(a, b, &draw->number, &unused);
        }
        memcpy(draw->next, &state, sizeof state);
    }
}

static size_t winner(const struct ga_host *host, size_t first, size_t slot)
{
    const double *values = host->search.best + first;
    const uint32_t other = draws_of(host)[first + slot].opponent;
    return precedes(values[other], other, values[slot], (uint)slot) ? other : slot;
}

void ga_thesis_move(const struct ga_host *host, size_t i)
{
    const struct ga_problem *problem = &host->problem;
    const struct shoal_ga_params *params = problem->params;
    const size_t members = problem->search.members, dim = problem->search.dim, island = i / members;
    const size_t first = island * members, child = i - first, pair = child / 2;
    const struct ga_thesis_draw *draws = draws_of(host) + first;
    const crossing c =
        crossing_of((uint)params->crossover, draws[pair].shared, draws[members / 2 + pair].shared, 0,
                    rates_of(problem, island)[RATE_CROSS], (uint)dim, 0, 0);
    const bool selects = c.crosses || !problem->thesis.select_crossing;
    const double *a = host->search.p + (first + (selects ? winner(host, first, 2 * pair) : 2 * pair)) * dim;
    const double *b =
        host->search.p + (first + (selects ? winner(host, first, 2 * pair + 1) : 2 * pair + 1)) * dim;
    for (size_t d = 0; d < dim; d++) {
        const double lower = problem->search.lower[d], upper = problem->search.upper[d];
        gene_pair genes = {a[d], b[d]};
        if (c.crosses)
            genes = crossed((uint)params->crossover, genes, c, (uint)d, 0, lower, upper, (cross_shape){0}, 0);
        double x = child % 2 ? genes.b : genes.a;
        if (d == draws[child].gene)
            x = bounded((uint)params->bounds,
                        mutated((uint)params->mutation, x, draws[child].number, lower, upper,
                                (mutate_shape){.sigma = params->sigma},
                                params->sigma_unit == SHOAL_GA_SIGMA_BOX),
                        lower, upper);
        host->search.x[i * dim + d] = x;
    }
}

void ga_thesis_advance(struct ga_host *host, size_t island)
{
    const size_t members = host->problem.search.members;
    for (size_t i = island * members; i < (island + 1) * members; i++)
        memcpy(host->generators + i * GA_GENERATOR_WORDS, draws_of(host)[i].next,
               GA_GENERATOR_WORDS * sizeof(uint32_t));
}

/* Mailboxes ---------------------------------------------------------------------------------------------- */

static void swap(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double other = a[i];
        a[i] = b[i];
        b[i] = other;
    }
}

void ga_thesis_post(struct ga_host *host, size_t island)
{
    const struct search_problem *problem = &host->problem.search;
    const size_t migrants = problem->migrants, first = island * migrants;
    const uint64_t step = search_host_making(&host->search, island / problem->run_islands);
    swap(host->search.sent + first * problem->dim, host->mail + first * problem->dim,
         migrants * problem->dim);
    swap(host->search.sent_values + first, host->mail_values + first, migrants);
    for (size_t m = 0; m < migrants && step <= problem->params->exchange; m++)
        host->search.sent_values[first + m] = NAN;
}
