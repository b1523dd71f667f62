/* Selection of parents on the host: docs/ga.md, "Selection". */
#include "ga/host/host.h"

#include <stdlib.h>

#include "ga/host/model.h"

static int by_order(const void *a, const void *b)
{
    const struct ga_ranked *x = a, *y = b;
    return precedes(x->value, x->number, y->value, y->number) ? -1 : 1;
}

void ga_host_sort(struct ga_ranked *ranked, size_t count)
{
    qsort(ranked, count, sizeof *ranked, by_order);
}

struct ga_ranked *ga_host_rank(const struct ga_host *host, size_t island, size_t count)
{
    const size_t members = host->problem.search.members;
    const double *best = host->search.best + island * members;
    struct ga_ranked *ranked = host->ranked + island * host->ranked_each;
    if (count == 1) {
        ranked[0] = (struct ga_ranked){best[0], 0};
        for (size_t i = 1; i < members; i++)
            if (best[i] < ranked[0].value)
                ranked[0] = (struct ga_ranked){best[i], (uint32_t)i};
    } else if (count) {
        for (size_t i = 0; i < members; i++)
            ranked[i] = (struct ga_ranked){best[i], (uint32_t)i};
        ga_host_sort(ranked, members);
    }
    return ranked;
}

static void sum_weights(struct ga_host *host, size_t island)
{
    const struct ga_problem *problem = &host->problem;
    const size_t members = problem->search.members;
    const double *values = host->search.best + island * members;
    const uint64_t step = search_host_making(&host->search, island / problem->search.run_islands);
    const double temperature = ga_temperature(problem->params, step);
    double best = INFINITY, worst = -INFINITY;
    uint64_t sum = 0;
    for (size_t i = 0; i < members; i++) {
        best = values[i] < best ? values[i] : best;
        worst = isfinite(values[i]) && values[i] > worst ? values[i] : worst;
    }
    for (size_t i = 0; i < members; i++) {
        sum += weight_of((uint)problem->params->selection, values[i], best, worst, temperature);
        host->sums[island * members + i] = sum;
    }
}

void ga_host_prepare(struct search_host *search, size_t island)
{
    struct ga_host *host = ga_host_of(search);
    if (host->generators)
        host->problem.thesis.prepare(host, island);
    if (host->sums)
        sum_weights(host, island);
    if (ga_selects_by_order(host->problem.params))
        ga_host_rank(host, island, host->problem.search.members);
}

/* Random words of stream GA_SELECT, which tournaments take one after the other. */
struct select_words {
    const struct ga_place *place;
    uint32_t index, next;     /* next: number of the next word */
    struct shoal_words block; /* the block of word `next`, or the one before */
};

/* Returns the best of several random members or, in cellular structures, of random cells of the neighbourhood
 * of `cell`. */
static uint32_t tournament(const struct ga_host *host, size_t island, struct select_words *words, size_t cell)
{
    const struct ga_problem *problem = &host->problem;
    const double *values = host->search.best + island * problem->search.members;
    const uint32_t cells = cell_count((uint)problem->params->structure);
    uint32_t best = 0;
    for (uint32_t k = 0; k < problem->params->tournament; k++, words->next++) {
        if (words->next % 4 == 0 && words->next)
            words->block = shoal_random_words(words->place->seed, SHOAL_STREAM_GA_SELECT, words->place->step,
                                              words->index, words->next / 4);
        const uint32_t drawn = word_at(words->block, words->next % 4);
        const uint32_t other = problem->is_cellular
                                   ? cell_neighbour((uint)cell, index_of(drawn, cells), (uint)problem->rows,
                                                    (uint)problem->columns)
                                   : index_of(drawn, (uint)problem->search.members);
        if (k == 0 || precedes(values[other], other, values[best], best))
            best = other;
    }
    return best;
}

static uint32_t best_neighbour(const struct ga_host *host, size_t island, size_t cell)
{
    const struct ga_problem *problem = &host->problem;
    const double *values = host->search.best + island * problem->search.members;
    const uint32_t cells = cell_count((uint)problem->params->structure);
    uint32_t best = (uint32_t)cell;
    for (uint32_t q = 1; q < cells; q++) {
        const uint32_t other = cell_neighbour((uint)cell, q, (uint)problem->rows, (uint)problem->columns);
        if (precedes(values[other], other, values[best], best))
            best = other;
    }
    return best;
}

/* Returns the better one of a random member and the member that has the index of the child. */
static uint32_t own_winner(const struct ga_host *host, size_t island, size_t child, uint32_t word)
{
    const size_t members = host->problem.search.members;
    const double *values = host->search.best + island * members;
    const uint32_t own = (uint32_t)(child % members), other = index_of(word, (uint)members);
    return precedes(values[other], other, values[own], own) ? other : own;
}

static uint32_t parent_of(const struct ga_host *host, size_t island, uint32_t word)
{
    const struct ga_problem *problem = &host->problem;
    const size_t members = problem->search.members;
    const struct ga_ranked *ranked = host->ranked + island * host->ranked_each;
    switch ((enum shoal_ga_selection)problem->params->selection) {
    case SHOAL_GA_LINEAR_RANK:
    case SHOAL_GA_EXPONENTIAL_RANK:
        return ranked[first_threshold(problem->ranks, (uint)members, word >> 1)].number;
    case SHOAL_GA_TRUNCATION:
        return ranked[index_of(word, (uint)problem->truncated)].number;
    default: {
        const uint64_t *sums = host->sums + island * members;
        return first_sum(sums, (uint)members, roulette_target(word, sums[members - 1]));
    }
    }
}

static struct ga_parents sus(const struct ga_host *host, size_t island, size_t pair,
                             const struct ga_place *place)
{
    const struct ga_problem *problem = &host->problem;
    const size_t members = problem->search.members;
    const uint64_t *sums = host->sums + island * members;
    const uint32_t count = (uint32_t)(2 * problem->pairs), bits = shuffle_bits(count);
    const struct shoal_words keys =
        shoal_random_words(place->seed, SHOAL_STREAM_GA_PAIR, place->step, place->first, SUS_KEYS_DRAW);
    const uint32_t offset =
        shoal_random_words(place->seed, SHOAL_STREAM_GA_PAIR, place->step, place->first, SUS_OFFSET_DRAW).x;
    uint32_t found[2];
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t pointer = shuffled((uint)(2 * pair) + i, count, bits, keys);
        found[i] = first_sum(sums, (uint)members, sus_target(pointer, count, offset, sums[members - 1]));
    }
    return (struct ga_parents){found[0], found[1]};
}

struct ga_parents ga_host_select_by(const struct ga_host *host, size_t island, size_t pair, uint64_t step,
                                    struct shoal_words select, struct shoal_words own)
{
    const struct ga_problem *problem = &host->problem;
    const struct ga_place place = ga_host_place(problem, island, step);
    const uint32_t index = ga_host_index(problem, &place, pair);
    const int32_t selection = problem->params->selection;
    struct select_words drawn = {.place = &place, .index = index, .block = select};
    if (problem->is_cellular)
        return (struct ga_parents){(uint32_t)pair, selection == SHOAL_GA_BEST
                                                       ? best_neighbour(host, island, pair)
                                                       : tournament(host, island, &drawn, pair)};
    if (selection == SHOAL_GA_TOURNAMENT) {
        const uint32_t first = tournament(host, island, &drawn, 0);
        return (struct ga_parents){first, tournament(host, island, &drawn, 0)};
    }
    if (selection == SHOAL_GA_SUS)
        return sus(host, island, pair, &place);
    if (selection == SHOAL_GA_OWN)
        return (struct ga_parents){own_winner(host, island, 2 * pair, own.x),
                                   own_winner(host, island, 2 * pair + 1, own.y)};
    return (struct ga_parents){parent_of(host, island, own.x), parent_of(host, island, own.y)};
}

void ga_host_select(const struct ga_host *host, size_t island, size_t first, size_t count, uint64_t step,
                    struct ga_parents parents[GA_SELECTED])
{
    const struct ga_problem *problem = &host->problem;
    const struct ga_place place = ga_host_place(problem, island, step);
    const bool by_tournament = problem->is_cellular || problem->params->selection == SHOAL_GA_TOURNAMENT;
    const uint32_t stream = by_tournament ? SHOAL_STREAM_GA_SELECT : SHOAL_STREAM_GA_PAIR;
    struct random_draw draws[GA_SELECTED];
    struct shoal_words words[GA_SELECTED];
    for (size_t n = 0; n < GA_SELECTED; n++)
        draws[n] = (struct random_draw){stream, ga_host_index(problem, &place, first + n), 0};
    host->reals->draw(place.seed, place.step, draws, words);
    for (size_t n = 0; n < count; n++)
        parents[n] = ga_host_select_by(host, island, first + n, step, words[n], words[n]);
}
