/* Update of the pheromone on the host; tests compare cl/tsp/ants/trails.cl with it. */
#include "tsp/ants/host.h"

#include <shoal/rng.h>

#include "tsp/ants/rules.h"

/* Best and worst ---------------------------------------------------------------------------------------- */

static uint32_t first_ant(const struct ants_settings *settings, uint32_t colony)
{
    return ANTS_TOUR(settings->colonies, colony, settings->ants, 0);
}

static void keep_tour(struct ants_host *host, uint32_t to, uint32_t from)
{
    const size_t n = host->ants.settings->cities;
    memcpy(&host->tours[to * n], &host->tours[from * n], n * sizeof *host->tours);
    host->lengths[to] = host->lengths[from];
}

/* Returns the ant that follows ant `after` in the ranking by tour length; of tours with the same length, the
 * tour of the lower ant number ranks first. UINT32_MAX for `after`: returns the first ant. */
static uint32_t next_best(const int64_t *lengths, uint32_t ants, uint32_t after)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t ant = 0; ant < ants; ant++) {
        const bool is_behind = after == UINT32_MAX || lengths[ant] > lengths[after] ||
                               (lengths[ant] == lengths[after] && ant > after);
        if (is_behind && (best == UINT32_MAX || lengths[ant] < lengths[best]))
            best = ant;
    }
    return best;
}

static uint32_t worst_of(const int64_t *lengths, uint32_t ants)
{
    uint32_t worst = 0;
    for (uint32_t ant = 1; ant < ants; ant++)
        worst = lengths[ant] > lengths[worst] ? ant : worst;
    return worst;
}

static void set_deposit(struct ants_host *host, uint32_t colony, uint32_t number, uint32_t tour, float weight)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t at = (size_t)colony * settings->deposits + number;
    host->sources[at] = tour;
    host->deposits[at] = weight * ants_deposit(*settings, host->lengths[tour]);
}

static void rank_deposits(struct ants_host *host, uint32_t colony, const int64_t *lengths)
{
    const struct ants_settings *settings = host->ants.settings;
    const uint32_t ranks = settings->deposits;
    uint32_t ant = UINT32_MAX;
    for (uint32_t i = 0; i + 1 < ranks; i++) {
        ant = next_best(lengths, settings->ants, ant);
        set_deposit(host, colony, i, first_ant(settings, colony) + ant, (float)(ranks - 1 - i));
    }
    set_deposit(host, colony, ranks - 1, ANTS_BEST(colony), (float)ranks);
}

void ants_host_settle(struct ants_host *host, uint32_t colony, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    struct ants_colony *state = &host->colonies[colony];
    const uint32_t first = first_ant(settings, colony), ants = settings->ants;
    const int64_t *lengths = &host->lengths[first];
    const uint32_t shortest = next_best(lengths, ants, UINT32_MAX);
    const uint32_t taken = ants_judge(*settings, state, step, lengths[shortest]);
    const uint32_t mmas[] = {first + shortest, ANTS_BEST(colony), ANTS_RESTART_BEST(colony)};
    state->shortest = shortest;
    state->branches = state->apart = 0;
    if (taken & 1)
        keep_tour(host, ANTS_BEST(colony), first + shortest);
    if (taken & 2)
        keep_tour(host, ANTS_RESTART_BEST(colony), first + shortest);
    switch (host->ants.algorithm) {
    case ANTS_RAS:
        rank_deposits(host, colony, lengths);
        return;
    case ANTS_MMAS:
        set_deposit(host, colony, 0, mmas[ants_mmas_source(*settings, state, step)], 1);
        return;
    case ANTS_BWAS:
        set_deposit(host, colony, 1, first + worst_of(lengths, ants), 0);
        set_deposit(host, colony, 0, ANTS_BEST(colony), 1);
        return;
    case ANTS_ACS:
        set_deposit(host, colony, 0, ANTS_BEST(colony), 1);
        return;
    default:
        for (uint32_t ant = 0; ant < ants; ant++)
            set_deposit(host, colony, ant, first + ant, 1);
        if (host->ants.algorithm == ANTS_EAS)
            set_deposit(host, colony, ants, ANTS_BEST(colony), settings->elitists);
    }
}

void ants_host_link(struct ants_host *host, uint32_t colony, uint32_t number)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t n = settings->cities, at = (size_t)colony * settings->deposits + number;
    const uint32_t *tour = &host->tours[host->sources[at] * n];
    uint32_t(*links)[2] = &host->links[at * n];
    for (size_t i = 0; i < n; i++) {
        links[tour[i]][0] = tour[i ? i - 1 : n - 1];
        links[tour[i]][1] = tour[i + 1 < n ? i + 1 : 0];
    }
}

/* Pheromone --------------------------------------------------------------------------------------------- */

static void set_weight(struct ants_host *host, size_t colony, size_t at)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t all = (size_t)settings->cities * settings->entries;
    host->weights[colony * all + at] =
        ants_weight(host->trails[colony * all + at], settings->alpha, host->ants.heuristic[at]);
}

/* Returns the index of the edge from `city` to `to` among the entries of `city`, or SHOAL_TSP_NONE if the
 * edge has no pheromone. */
static uint32_t entry_of(const struct ants *ants, uint32_t city, uint32_t to)
{
    const struct ants_settings *settings = ants->settings;
    const uint32_t *list = &ants->lists[(size_t)city * settings->lists];
    if (ants->is_full)
        return to;
    for (uint32_t k = 0; k < settings->candidates; k++)
        if (list[k] == to)
            return k;
    return SHOAL_TSP_NONE;
}

/* Sums the deposits on the edges of a city into scratch->sums, in the order of the tours. */
static void add_up(const struct ants_host *host, uint32_t colony, uint32_t city, struct ants_scratch *scratch)
{
    const struct ants_settings *settings = host->ants.settings;
    const bool is_bwas = host->ants.algorithm == ANTS_BWAS;
    const size_t first = (size_t)colony * settings->deposits;
    memset(scratch->sums, 0, settings->entries * sizeof *scratch->sums);
    memset(scratch->is_worst, 0, settings->entries);
    for (uint32_t d = 0; d < settings->deposits; d++) {
        const uint32_t *ends = host->links[(first + d) * settings->cities + city];
        for (unsigned side = 0; side < 2; side++) {
            const uint32_t entry = host->ants.is_full ? ends[side] : scratch->place[ends[side]];
            if (entry == SHOAL_TSP_NONE)
                continue;
            scratch->sums[entry] += host->deposits[first + d];
            /* The deposit of the best tour (source 0) is above 0, so an edge that is also in the best tour is
             * not marked. */
            scratch->is_worst[entry] = is_bwas && d == 1 && scratch->sums[entry] == 0;
        }
    }
}

/* Counts the edges at a city that the worst tour has and the best tour does not. */
static uint32_t count_apart(const struct ants_host *host, uint32_t colony, uint32_t city)
{
    const size_t first = (size_t)colony * 2, n = host->ants.settings->cities;
    const uint32_t *best = host->links[first * n + city], *worst = host->links[(first + 1) * n + city];
    uint32_t count = 0;
    for (unsigned side = 0; side < 2; side++)
        count += worst[side] != best[0] && worst[side] != best[1];
    return count;
}

/* Counts the candidates of a city whose pheromone exceeds least + 0.05 * (largest - least), where least and
 * largest are those of all its candidates. */
static uint32_t count_branches(const struct ants_host *host, const float *trails, uint32_t city)
{
    const struct ants_settings *settings = host->ants.settings;
    const uint32_t *list = &host->ants.lists[(size_t)city * settings->lists];
    float least = INFINITY, most = 0;
    for (uint32_t k = 0; k < settings->candidates && list[k] != SHOAL_TSP_NONE; k++) {
        const float trail = trails[host->ants.is_full ? list[k] : k];
        least = trail < least ? trail : least;
        most = trail > most ? trail : most;
    }
    const float cutoff = fma(ANTS_BRANCH_SHARE, most - least, least);
    uint32_t count = 0;
    for (uint32_t k = 0; k < settings->candidates && list[k] != SHOAL_TSP_NONE; k++)
        count += trails[host->ants.is_full ? list[k] : k] > cutoff;
    return count;
}

uint32_t ants_host_renew(struct ants_host *host, uint32_t colony, uint32_t city, struct ants_scratch *scratch,
                         uint32_t *apart)
{
    const struct ants *ants = &host->ants;
    const struct ants_settings *settings = ants->settings;
    const uint32_t *list = &ants->lists[(size_t)city * settings->lists], entries = settings->entries;
    const size_t at = (size_t)city * entries;
    float *trails = &host->trails[(size_t)colony * settings->cities * entries + at];
    for (uint32_t k = 0; k < settings->candidates && !ants->is_full; k++)
        if (list[k] != SHOAL_TSP_NONE)
            scratch->place[list[k]] = k;
    add_up(host, colony, city, scratch);
    for (uint32_t e = 0; e < entries; e++) {
        trails[e] = ants_renew(ants->algorithm, *settings, &host->colonies[colony], trails[e],
                               scratch->sums[e], scratch->is_worst[e]);
        set_weight(host, colony, at + e);
    }
    for (uint32_t k = 0; k < settings->candidates && !ants->is_full; k++)
        if (list[k] != SHOAL_TSP_NONE)
            scratch->place[list[k]] = SHOAL_TSP_NONE;
    *apart = ants->algorithm == ANTS_BWAS ? count_apart(host, colony, city) : 0;
    return ants->algorithm == ANTS_MMAS ? count_branches(host, trails, city) : 0;
}

void ants_host_fill(struct ants_host *host, uint32_t colony, struct long_step *cut)
{
    /* number of entries between two calls of long_step_look; the work for an entry takes some ns */
    enum { LOOK = 1 << 16 };
    const struct ants *ants = &host->ants;
    const struct ants_settings *settings = ants->settings;
    const size_t all = (size_t)settings->cities * settings->entries;
    struct ants_colony *state = &host->colonies[colony];
    const float start = ants_start_trail(ants->algorithm, *settings, state);
    for (size_t at = 0; at < all; at++) {
        if (long_step_look_each(cut, at, LOOK))
            return;
        if (state->is_reset)
            host->trails[colony * all + at] = start;
        set_weight(host, colony, at);
    }
    state->is_reset = 0;
}

/* Returns the sum of the pheromone on the edges of the best tour, divided by n; edges without pheromone add
 * 0. Sums ANTS_LANES partial sums, as the kernel does, so that rounding is equal. */
static float mean_of_best(const struct ants_host *host, uint32_t colony)
{
    const struct ants_settings *settings = host->ants.settings;
    const uint32_t n = settings->cities, *tour = &host->tours[(size_t)ANTS_BEST(colony) * n];
    const float *trails = &host->trails[(size_t)colony * n * settings->entries];
    float sums[ANTS_LANES] = {0}, sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t entry = entry_of(&host->ants, tour[i], tour[i + 1 < n ? i + 1 : 0]);
        if (entry != SHOAL_TSP_NONE)
            sums[i % ANTS_LANES] += trails[(size_t)tour[i] * settings->entries + entry];
    }
    for (uint32_t lane = 0; lane < ANTS_LANES; lane++)
        sum += sums[lane];
    return sum * ants_ratio(1, n);
}

static void mutate(struct ants_host *host, uint32_t colony, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    const uint32_t n = settings->cities;
    const size_t all = (size_t)n * settings->entries;
    const float change = ants_mutation(*settings, &host->colonies[colony], step, mean_of_best(host, colony));
    for (uint32_t i = 0; i < settings->mutations; i++) {
        const struct shoal_words words =
            shoal_random_words(ants_seed(*settings, colony), SHOAL_STREAM_TSP_ANTS_MUTATE, step, i, 0);
        const uint32_t ends[] = {(uint32_t)((uint64_t)words.x * n >> 32),
                                 (uint32_t)((uint64_t)words.y * n >> 32)};
        for (unsigned side = 0; side < 2 && ends[0] != ends[1]; side++) {
            const uint32_t entry = entry_of(&host->ants, ends[side], ends[!side]);
            if (entry == SHOAL_TSP_NONE)
                continue;
            const size_t at = (size_t)ends[side] * settings->entries + entry;
            host->trails[colony * all + at] =
                ants_mutate(host->trails[colony * all + at], change, words.z >> 31);
            set_weight(host, colony, at);
        }
    }
}

void ants_host_finish(struct ants_host *host, uint32_t colony, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    struct ants_colony *state = &host->colonies[colony];
    if (host->ants.algorithm == ANTS_MMAS && step % 100 == 0 && ants_is_stuck(*settings, state, step))
        ants_restart(state, step);
    if (host->ants.algorithm == ANTS_BWAS) {
        if (ants_is_alike(*settings, state))
            ants_restart(state, step);
        else if (state->restart_step > 1)
            mutate(host, colony, step);
    }
    if (state->is_reset)
        ants_host_fill(host, colony, NULL);
}

/* Exchange ---------------------------------------------------------------------------------------------- */

/* Replaces the best tour of the colony by the sender's tour, if this tour is shorter. */
static void receive(struct ants_host *host, uint32_t colony, const uint32_t *tour,
                    const struct ants_colony *sender, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t n = settings->cities;
    if (sender->best >= host->colonies[colony].best)
        return;
    ants_receive(*settings, &host->colonies[colony], sender, step);
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(&host->tours[(ANTS_BEST(colony) + i) * n], tour, n * sizeof *tour);
        host->lengths[ANTS_BEST(colony) + i] = sender->best;
    }
}

/* Goes from the last colony to the first, so that each colony sends the best tour that it had before the
 * exchange. */
void ants_host_exchange(struct ants_host *host, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t n = settings->cities;
    const uint32_t last = settings->colonies - 1;
    const struct ants_colony sender = host->colonies[last];
    memcpy(host->sent, &host->tours[ANTS_BEST(last) * n], n * sizeof *host->sent);
    for (uint32_t c = last; c > 0; c--)
        receive(host, c, &host->tours[ANTS_BEST(c - 1) * n], &host->colonies[c - 1], step);
    receive(host, 0, host->sent, &sender, step);
}
