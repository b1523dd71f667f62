/* Replacement of members by children, and migration, in the host solver: docs/ga.md, "Replacement",
 * "Migration". */
#include "ga/host/host.h"

#include <math.h>
#include <string.h>

#include "ga/host/model.h"

/* An island and the children of its generation. */
struct island {
    struct ga_host *host;
    size_t number, dim, members, children;
    uint64_t step;
    double *p, *best, *x, *y;
};

static struct island island_of(struct search_host *search, size_t number)
{
    struct ga_host *host = ga_host_of(search);
    const struct search_problem *problem = &host->problem.search;
    const size_t first = number * problem->members, first_child = number * problem->width;
    return (struct island){.host = host,
                           .number = number,
                           .dim = problem->dim,
                           .members = problem->members,
                           .children = problem->points,
                           .step = search_host_making(search, number / problem->run_islands),
                           .p = search->p + first * problem->dim,
                           .best = search->best + first,
                           .x = search->x + first_child * problem->dim,
                           .y = search->y + first_child};
}

/* Copies child c to the member with index `slot`. */
static void enter(const struct island *island, size_t c, size_t slot)
{
    island->best[slot] = island->y[c];
    memcpy(island->p + slot * island->dim, island->x + c * island->dim, island->dim * sizeof *island->p);
}

/* Copies member `number` to entry `to` of the island's part of `kept`. If number >= members, copies child
 * number - members. */
static void keep(const struct island *island, size_t number, size_t to)
{
    const struct ga_host *host = island->host;
    const size_t dim = island->dim, entry = island->number * host->kept_each + to;
    const bool is_child = number >= island->members;
    const size_t from = is_child ? number - island->members : number;
    host->kept_values[entry] = is_child ? island->y[from] : island->best[from];
    memcpy(host->kept + entry * dim, (is_child ? island->x : island->p) + from * dim,
           dim * sizeof *host->kept);
}

/* Copies the first `count` entries of the island's part of `kept` to its first members. */
static void enter_kept(const struct island *island, size_t count)
{
    const struct ga_host *host = island->host;
    const size_t entry = island->number * host->kept_each;
    if (!count)
        return; /* `kept` may be NULL */
    memcpy(island->best, host->kept_values + entry, count * sizeof *island->best);
    memcpy(island->p, host->kept + entry * island->dim, count * island->dim * sizeof *island->p);
}

static void replace_generation(const struct island *island, size_t elites, struct search_team team)
{
    const struct ga_ranked *ranked = ga_host_rank(island->host, island->number, elites);
    for (size_t i = 0; i < elites; i++)
        keep(island, ranked[i].number, i);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (size_t c = 0; c < island->children; c++)
        enter(island, c, elites + c);
    enter_kept(island, elites);
}

/* Replaces the members by the best children; with has_members, by the best individuals among members and
 * children. */
static void replace_by_order(const struct island *island, bool has_members, struct search_team team)
{
    struct ga_ranked *ranked = island->host->ranked + island->number * island->host->ranked_each;
    size_t count = 0;
    for (size_t i = 0; i < island->members && has_members; i++)
        ranked[count++] = (struct ga_ranked){island->best[i], (uint32_t)i};
    for (size_t c = 0; c < island->children; c++)
        ranked[count++] = (struct ga_ranked){island->y[c], (uint32_t)(island->members + c)};
    ga_host_sort(ranked, count);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (size_t i = 0; i < island->members; i++)
        keep(island, ranked[i].number, i);
    enter_kept(island, island->members);
}

/* Returns the marks of an island: for each child whether it is discarded, and then for each member whether it
 * was replaced. */
static bool *marks_of(const struct island *island)
{
    return island->host->marks + island->number * (island->children + island->members);
}

/* Few children ------------------------------------------------------------------------------------------ */

static bool equals(const struct island *island, const double *a, const double *b)
{
    for (size_t d = 0; d < island->dim; d++)
        if (a[d] != b[d])
            return false;
    return true;
}

/* Whether child c is equal to a member or to an earlier child. */
static bool is_double(const struct island *island, size_t c)
{
    const double *child = island->x + c * island->dim;
    for (size_t i = 0; i < island->members; i++)
        if (equals(island, child, island->p + i * island->dim))
            return true;
    for (size_t i = 0; i < c; i++)
        if (equals(island, child, island->x + i * island->dim))
            return true;
    return false;
}

/* the number of no child */
static const uint32_t nowhere = UINT32_MAX;

/* Returns the index of the member with which child c competes. In cellular structures this is the member of
 * its cell. Otherwise it is the oldest member or a random member. */
static uint32_t place_of(const struct island *island, size_t c)
{
    const struct ga_problem *problem = &island->host->problem;
    const struct ga_place place = ga_host_place(problem, island->number, island->step);
    if (problem->is_cellular)
        return (uint32_t)c;
    if (problem->params->victim == SHOAL_GA_VICTIM_OLDEST)
        return (uint32_t)(((island->step - 1) * island->children + c) % island->members);
    const struct shoal_words words =
        shoal_random_words(place.seed, SHOAL_STREAM_GA_REPLACE, place.step, place.first + (uint32_t)c, 0);
    return index_of(words.x, (uint)island->members);
}

static bool is_elite(const struct ga_ranked *ranked, size_t elites, uint32_t slot)
{
    for (size_t i = 0; i < elites; i++)
        if (ranked[i].number == slot)
            return true;
    return false;
}

/* Replaces members by the children that compete with them. If several children compete with a member, only
 * the last of them counts. An elite stays if it is better than the child. */
static void replace_places(const struct island *island, size_t elites, bool *is_out)
{
    const struct ga_ranked *ranked = ga_host_rank(island->host, island->number, elites);
    bool *is_taken = is_out + island->children;
    memset(is_taken, 0, island->members * sizeof *is_taken);
    for (size_t c = island->children; c-- > 0;) {
        const uint32_t slot = place_of(island, c);
        if (is_out[c] || is_taken[slot])
            continue;
        is_taken[slot] = true;
        if (!(island->y[c] > island->best[slot] && is_elite(ranked, elites, slot)))
            enter(island, c, slot);
    }
}

/* Sorts the children, and lets the best child compete with the worst member, the second best child with the
 * second worst member, and so on. */
static void replace_worst(const struct island *island, const bool *is_out)
{
    const struct ga_host *host = island->host;
    struct ga_ranked *ranked = ga_host_rank(host, island->number, island->members);
    struct ga_ranked *children = ranked + island->members;
    size_t count = 0;
    for (size_t c = 0; c < island->children; c++)
        if (!is_out[c])
            children[count++] = (struct ga_ranked){island->y[c], (uint32_t)c};
    ga_host_sort(children, count);
    for (size_t i = 0; i < count; i++) {
        const struct ga_ranked *worst = &ranked[island->members - 1 - i];
        if (children[i].value <= worst->value)
            enter(island, children[i].number, worst->number);
    }
}

/* Lets children compete with their parents. The best child of a parent replaces it unless the child is worse;
 * of equal children, the first. The order of the members in the first part of `ranked` must not change, since
 * selections by rank read it. */
static void replace_parents(const struct island *island, const bool *is_out)
{
    const struct ga_host *host = island->host;
    struct ga_ranked *taken = host->ranked + island->number * host->ranked_each + island->members;
    for (size_t i = 0; i < island->members; i++)
        taken[i] = (struct ga_ranked){island->best[i], nowhere};
    struct ga_parents parents[GA_SELECTED];
    for (size_t c = 0; c < island->children; c++) {
        uint32_t slot = (uint32_t)c;
        if (!host->problem.is_cellular) {
            const size_t pair = c / 2, left = (island->children - c + 1) / 2, number = pair % GA_SELECTED;
            if (c % 2 == 0 && number == 0)
                ga_host_select(host, island->number, pair, left < GA_SELECTED ? left : GA_SELECTED,
                               island->step, parents);
            slot = c % 2 ? parents[number].b : parents[number].a;
        }
        const double limit = taken[slot].value;
        if (!is_out[c] && (island->y[c] < limit || (island->y[c] == limit && taken[slot].number == nowhere)))
            taken[slot] = (struct ga_ranked){island->y[c], (uint32_t)c};
    }
    for (size_t i = 0; i < island->members; i++)
        if (taken[i].number != nowhere)
            enter(island, taken[i].number, i);
}

static void replace_few(const struct island *island)
{
    const struct shoal_ga_params *params = island->host->problem.params;
    bool *is_out = marks_of(island);
    for (size_t c = 0; c < island->children; c++)
        is_out[c] = params->unique && is_double(island, c);
    if (params->victim == SHOAL_GA_VICTIM_WORST)
        replace_worst(island, is_out);
    else if (params->victim == SHOAL_GA_VICTIM_PARENT)
        replace_parents(island, is_out);
    else
        replace_places(island, (size_t)params->elites, is_out);
}

void ga_host_replace(struct search_host *search, size_t number, struct search_team team)
{
    const struct island island = island_of(search, number);
    const struct shoal_ga_params *params = island.host->problem.params;
    if (params->replacement == SHOAL_GA_STEADY) {
        replace_few(&island);
    } else if (params->replacement != SHOAL_GA_GENERATIONAL) {
        replace_by_order(&island, params->replacement == SHOAL_GA_PLUS, team);
    } else if (island.host->problem.is_cellular) {
        memset(marks_of(&island), 0, island.children * sizeof(bool));
        replace_places(&island, (size_t)params->elites, marks_of(&island));
    } else {
        replace_generation(&island, (size_t)params->elites, team);
    }
    if (island.host->generators)
        island.host->problem.thesis.advance(island.host, number);
}

/* Migration --------------------------------------------------------------------------------------------- */

/* Arrival i uses word 0 of draw arrival_draw + i for its random number. */
static const uint32_t arrival_draw = 0x80000000u;

static uint32_t random_member(const struct island *island, uint32_t draw, uint32_t word)
{
    const struct ga_place place = ga_host_place(&island->host->problem, island->number, island->step);
    const struct shoal_words words =
        shoal_random_words(place.seed, SHOAL_STREAM_GA_MIGRATE, place.step, place.first, draw);
    return index_of(word_at(words, word), (uint)island->members);
}

void ga_host_emigrate(struct search_host *search, size_t number)
{
    const struct island island = island_of(search, number);
    const struct ga_problem *problem = &island.host->problem;
    const size_t migrants = problem->search.migrants, dim = island.dim;
    /* All members are sorted, since migrants may replace the worst members. */
    const struct ga_ranked *ranked = ga_host_rank(island.host, number, island.members);
    for (size_t i = 0; i < migrants; i++) {
        const size_t to = number * migrants + i;
        const uint32_t from = problem->params->emigrants == SHOAL_GA_BEST_LEAVE
                                  ? ranked[i].number
                                  : random_member(&island, (uint32_t)i / 4, (uint)i % 4);
        search->sent_values[to] = island.best[from];
        memcpy(search->sent + to * dim, island.p + from * dim, dim * sizeof *search->sent);
    }
    if (problem->search.has_mailbox)
        problem->thesis.post(island.host, number);
}

void ga_host_immigrate(struct search_host *search, size_t number, size_t arrival,
                       const struct search_migrant *migrant)
{
    const struct island island = island_of(search, number);
    const struct ga_ranked *ranked = island.host->ranked + number * island.host->ranked_each;
    const uint32_t slot = island.host->problem.params->immigrants == SHOAL_GA_REPLACE_WORST
                              ? ranked[island.members - 1 - arrival].number
                              : random_member(&island, arrival_draw + (uint32_t)arrival, 0);
    if (isnan(migrant->value))
        return; /* the mailbox was empty */
    island.best[slot] = migrant->value;
    memcpy(island.p + slot * island.dim, migrant->x, island.dim * sizeof *island.p);
}
