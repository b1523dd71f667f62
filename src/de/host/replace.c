/* The end of a step of the host solver: trials replace members, archive and memory are updated, and the
 * population shrinks. */
#include "de/host/host.h"

#include <math.h>
#include <shoal/rng.h>
#include <string.h>

void de_host_prepare(struct search_host *search, size_t island)
{
    struct de_host *host = de_host_of(search);
    const size_t members = search->problem->members, run = island / search->problem->run_islands;
    const uint64_t number = search_host_making(search, run);
    const double level = host->levelled ? de_host_level(host, island, number) : 0;
    for (size_t i = island * members; host->levelled && i < (island + 1) * members; i++)
        host->levelled[i] =
            de_host_levelled(host, island, search->p + i * search->problem->dim, search->best[i], level);
    de_host_find_below(host, island);
    const struct de_step step = host->steps[island] = de_problem_step(&host->problem, number);
    if (!host->problem.ranks)
        return;
    const size_t best = step.best < step.members ? step.best : step.members;
    de_host_order(de_host_values(host) + island * members, step.members, best,
                  host->order + island * members);
}

/* Archive and memory ----------------------------------------------------------------------------------- */

/* Copies member i to the archive: to the next free slot, or to a random slot if none is free. */
static void archive(struct de_host *host, size_t i, const struct de_step *step)
{
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, island = i / problem->search.members;
    uint32_t *count = &host->counts[island * DE_COUNTS + COUNT_ARCHIVED];
    if (step->slots == 0)
        return;
    uint32_t slot = *count;
    if (*count < step->slots) {
        ++*count;
    } else {
        const struct de_place place = de_host_place(problem, i, step->step);
        const uint32_t word =
            shoal_random_words(place.seed, SHOAL_STREAM_DE_ARCHIVE, place.step, place.index, 0).x;
        slot = de_index(word, step->slots);
    }
    memcpy(host->archive + (island * problem->slots + slot) * dim, host->search.p + i * dim,
           dim * sizeof *host->archive);
}

/* Sums over the trials that are better than their members, each with its weight (weight_of). */
struct gains {
    double weight, scale, scale_square, rate, rate_square;
};

/* Returns the weight of a trial that is better than its member by `gain`: 1 with JADE, else the gain, scaled
 * so that sums stay finite, and above 0 also for a gain from an infinite value or a very small gain. */
static double weight_of(const struct de_problem *problem, double gain)
{
    const bool is_weighted = problem->params->adaptation != SHOAL_DE_JADE;
    return is_weighted && isfinite(gain) ? fmax(gain * 0x1p-30, 1e-290) : is_weighted ? 1e-290 : 1;
}

static void add_gain(struct gains *gains, double weight, double scale, double rate)
{
    gains->weight += weight;
    gains->scale += weight * scale;
    gains->scale_square += weight * scale * scale;
    gains->rate += weight * rate;
    gains->rate_square += weight * rate * rate;
}

static void learn(struct de_host *host, size_t island, const struct gains *gains)
{
    const struct de_problem *problem = &host->problem;
    const int32_t adaptation = problem->params->adaptation;
    uint32_t *cell = &host->counts[island * DE_COUNTS + COUNT_CELL];
    if (!problem->cells || gains->weight == 0)
        return;
    double *means = host->memory + 2 * (island * problem->cells + *cell);
    const bool is_lehmer = adaptation == SHOAL_DE_LSHADE || adaptation == SHOAL_DE_JSO;
    const double blend = adaptation == SHOAL_DE_JADE ? 0.1 : adaptation == SHOAL_DE_JSO ? 0.5 : 1;
    const double scale = gains->scale > 0 ? gains->scale_square / gains->scale : 0;
    means[0] += blend * (scale - means[0]);
    if (is_lehmer && (means[1] < 0 || gains->rate == 0))
        means[1] = -1;
    else
        means[1] +=
            blend * ((is_lehmer ? gains->rate_square / gains->rate : gains->rate / gains->weight) - means[1]);
    *cell = *cell + 1 < problem->free_cells ? *cell + 1 : 0;
}

/* The worst leave -------------------------------------------------------------------------------------- */

static void move_member(struct de_host *host, size_t from, size_t to)
{
    struct search_host *search = &host->search;
    const size_t dim = search->problem->dim;
    memcpy(search->p + to * dim, search->p + from * dim, dim * sizeof *search->p);
    search->best[to] = search->best[from];
    if (host->problem.has_own) {
        host->own_scale[to] = host->own_scale[from];
        host->own_rate[to] = host->own_rate[from];
    }
}

/* Keeps the best step->next members of an island, under the numbers below step->next: a remaining member with
 * a larger number moves to the number of a member that leaves. Reduces the archive to step->next_slots
 * members. */
static void shrink(struct de_host *host, size_t island, const struct de_step *step)
{
    struct search_host *search = &host->search;
    const size_t first = island * search->problem->members;
    uint32_t *order = host->order + first;
    uint32_t *count = &host->counts[island * DE_COUNTS + COUNT_ARCHIVED];
    if (step->next_slots < *count)
        *count = step->next_slots;
    if (step->next >= step->before)
        return;
    const size_t leaving = step->before - step->next; /* few in a step */
    de_host_choose_worst(search->best + first, step->before, leaving, order);
    memset(host->stays + first, true, step->before * sizeof *host->stays);
    for (size_t n = 0; n < leaving; n++)
        host->stays[first + order[n]] = false;
    size_t hole = first;
    for (size_t i = first + step->next; i < first + step->before; i++) {
        if (!host->stays[i]) {
            search->best[i] = NAN;
            continue;
        }
        while (host->stays[hole])
            hole++;
        move_member(host, i, hole++);
        search->best[i] = NAN;
    }
}

void de_host_replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t first = island * problem->search.members, dim = problem->search.dim;
    const uint64_t number = search_host_making(search, island / problem->search.run_islands);
    const struct de_step step = de_problem_step(problem, number);
    const double level = host->levelled ? de_host_level(host, island, number) : 0;
    struct gains gains = {0};
    for (size_t i = first; i < first + step.members; i++) {
        const double before = de_host_values(host)[i],
                     value = host->levelled
                                 ? de_host_levelled(host, island, search->x + i * dim, search->y[i], level)
                                 : search->y[i];
        if (!(value <= before))
            continue;
        if (value < before) {
            archive(host, i, &step);
            add_gain(&gains, weight_of(problem, before - value), host->scale[i], host->rate[i]);
        }
        memcpy(search->p + i * dim, search->x + i * dim, dim * sizeof *search->p);
        search->best[i] = search->y[i];
        if (problem->has_own) {
            host->own_scale[i] = host->scale[i];
            host->own_rate[i] = host->rate[i];
        }
    }
    learn(host, island, &gains);
    shrink(host, island, &step);
}
