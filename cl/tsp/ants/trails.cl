/* Pheromone of the ants, with the same bits as on the host (src/tsp/ants/host_update.c): docs/tsp.md, "Ants". */
#ifndef WG
#define WG 64
#endif
/* ALGORITHM: ANTS_AS ... ANTS_ACS of rules.clh. */
#ifndef ALGORITHM
#define ALGORITHM 3
#endif
#ifndef FULL
#define FULL 0
#endif

#include "lib/group.clh"
#include "lib/real.clh"
#include "lib/philox.clh"
#include "tsp/ants/rules.clh"

#define NO_CITY UINT_MAX

/* An ant and the length of its tour. */
typedef struct {
    long length;
    uint ant;
} ranked;

static INLINE ranked shorter(ranked a, ranked b)
{
    return b.length < a.length || (b.length == a.length && b.ant < a.ant) ? b : a;
}
GROUP_REDUCE(shortest_of_group, ranked, shorter)

/* The city at the other end of the edge with pheromone value `entry` of a city. */
static INLINE uint end_of(__global const uint *lists, uint city, uint entry, struct ants_settings settings)
{
    return FULL ? entry : lists[(ulong)city * settings.lists + entry];
}

/* Index, among the pheromone values of city `city`, of the edge to city `to`; NO_CITY: the city has no value for this
 * edge. */
static INLINE uint entry_of(__global const uint *lists, uint city, uint to, struct ants_settings settings)
{
#if FULL
    return to;
#else
    __global const uint *list = lists + (ulong)city * settings.lists;
    uint k;
    for (k = 0; k < settings.candidates; k++)
        if (list[k] == to)
            return k;
    return NO_CITY;
#endif
}

/* Best and worst ------------------------------------------------------------------------------------------------- */

/* The shortest of the tours that rank after `after`, or of all tours if after.ant is NO_CITY; among equals, the lowest
 * number. */
static INLINE ranked next_best(__global const long *lengths, uint ants, ranked after, local ranked *scratch)
{
    ranked best;
    uint ant;
    best.length = ANTS_NO_LENGTH;
    best.ant = NO_CITY;
    for (ant = (uint)get_local_id(0); ant < ants; ant += WG) {
        ranked own;
        own.length = lengths[ant];
        own.ant = ant;
        if (after.ant == NO_CITY || own.length > after.length || (own.length == after.length && ant > after.ant))
            best = shorter(best, own);
    }
    return shortest_of_group(best, scratch);
}

/* Returns the ant with the longest tour, among equals the ant with the lowest number. */
static INLINE uint worst_of(__global const long *lengths, uint ants, local ranked *scratch)
{
    ranked worst;
    uint ant;
    worst.length = ANTS_NO_LENGTH;
    worst.ant = NO_CITY;
    for (ant = (uint)get_local_id(0); ant < ants; ant += WG) {
        ranked own;
        own.length = -lengths[ant];
        own.ant = ant;
        worst = shorter(worst, own);
    }
    return shortest_of_group(worst, scratch).ant;
}

/* Stores tour number `source` as number `number` of the tours that leave pheromone, and the amount, `weight` times the
 * deposit of a tour. length: length of the tour in the form. */
static INLINE void set_deposit(__global uint *sources, __global float *deposits, uint number, uint source, long length,
                               float weight, struct ants_settings settings)
{
    sources[number] = source;
    deposits[number] = weight * ants_deposit(settings, length);
}

/* Finds the best tours of a step in each colony and chooses the tours that leave pheromone; a group for each colony. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_settle(
    __global const uint *tours, __global const long *lengths, __global uint *bests, __global struct ants_colony *colonies,
    __global uint *sources, __global float *deposits, struct ants_settings settings, uint step)
{
    __local ranked scratch[WG];
    __local uint decided[2];
    const uint c = (uint)get_group_id(0), lid = (uint)get_local_id(0), ants = settings.ants, n = settings.cities;
    const uint first = ANTS_TOUR(settings.colonies, c, ants, 0u);
    __global struct ants_colony *colony = colonies + c;
    __global const long *own = lengths + (ulong)c * ants;
    __global uint *source = sources + (ulong)c * settings.deposits;
    __global float *deposit = deposits + (ulong)c * settings.deposits;
    ranked best, ant;
    uint i;
    ant.length = 0;
    ant.ant = NO_CITY;
    best = next_best(own, ants, ant, scratch);
    if (lid == 0u) {
        colony->shortest = best.ant;
        colony->branches = 0;
        colony->apart = 0;
        colony->is_reset = 0;
        decided[0] = ants_judge(settings, colony, step, best.length);
        if (ALGORITHM == ANTS_MMAS)
            decided[1] = ants_mmas_source(settings, colony, step);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (i = lid; i < n && decided[0]; i += WG) {
        const uint city = tours[((ulong)c * ants + best.ant) * n + i];
        if (decided[0] & 1u)
            bests[(ulong)ANTS_BEST(c) * n + i] = city;
        bests[(ulong)ANTS_RESTART_BEST(c) * n + i] = city;
    }
#if ALGORITHM == ANTS_RAS
    ant.ant = NO_CITY;
    for (i = 0; i + 1u < settings.deposits; i++) {
        ant = next_best(own, ants, ant, scratch);
        if (lid == 0u)
            set_deposit(source, deposit, i, first + ant.ant, ant.length, (float)(settings.deposits - 1u - i), settings);
    }
    if (lid == 0u)
        set_deposit(source, deposit, i, ANTS_BEST(c), colony->best, (float)settings.deposits, settings);
#elif ALGORITHM == ANTS_MMAS
    if (lid == 0u && decided[1] == 0u)
        set_deposit(source, deposit, 0, first + best.ant, best.length, 1.0f, settings);
    else if (lid == 0u && decided[1] == 1u)
        set_deposit(source, deposit, 0, ANTS_BEST(c), colony->best, 1.0f, settings);
    else if (lid == 0u)
        set_deposit(source, deposit, 0, ANTS_RESTART_BEST(c), colony->restart_best, 1.0f, settings);
#elif ALGORITHM == ANTS_BWAS || ALGORITHM == ANTS_ACS
#if ALGORITHM == ANTS_BWAS
    i = worst_of(own, ants, scratch);
    if (lid == 0u)
        set_deposit(source, deposit, 1, first + i, own[i], 0.0f, settings);
#endif
    if (lid == 0u)
        set_deposit(source, deposit, 0, ANTS_BEST(c), colony->best, 1.0f, settings);
#else
    for (i = lid; i < ants; i += WG)
        set_deposit(source, deposit, i, first + i, own[i], 1.0f, settings);
    if (ALGORITHM == ANTS_EAS && lid == 0u)
        set_deposit(source, deposit, ants, ANTS_BEST(c), colony->best, settings.elitists, settings);
#endif
}

/* Finds the neighbours of each city in the tours that leave pheromone; a work-item for a city in one of these tours. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_link(
    __global const uint *tours, __global const uint *bests, __global const uint *sources, __global uint2 *links,
    struct ants_settings settings)
{
    const ulong id = get_global_id(0), n = settings.cities, number = id / n;
    const uint i = (uint)(id % n);
    if (number < (ulong)settings.colonies * settings.deposits) {
        const uint source = sources[number], ants = 2u * settings.colonies;
        __global const uint *tour = source < ants ? bests + source * n : tours + (source - ants) * n;
        uint2 ends;
        ends.x = tour[i ? i - 1u : settings.cities - 1u];
        ends.y = tour[i + 1u < settings.cities ? i + 1u : 0u];
        links[number * n + tour[i]] = ends;
    }
}

/* Pheromone ------------------------------------------------------------------------------------------------------ */

/* Evaporates pheromone, adds the deposits, and computes the weights; a work-item for a pheromone value. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_renew(
    __global const uint *lists, __global const float *heuristic, __global const uint2 *links, __global const float *deposits,
    __global struct ants_colony *colonies, __global float *trails, __global float *weights, struct ants_settings settings)
{
    const ulong id = get_global_id(0), n = settings.cities, values = n * settings.entries;
    const uint c = (uint)(id / values);
    if (c < settings.colonies) {
        const ulong at = id % values;
        const uint city = (uint)(at / settings.entries), entry = (uint)(at % settings.entries);
        const uint end = end_of(lists, city, entry, settings), count = settings.deposits;
        float sum = 0.0f, trail;
        int has_worst = 0;
        uint d;
        for (d = 0; d < count; d++) {
            const uint2 ends = links[((ulong)c * count + d) * n + city];
            if (ends.x == end || ends.y == end) {
                sum += deposits[(ulong)c * count + d];
                has_worst = ALGORITHM == ANTS_BWAS && d == 1u && sum == 0.0f;
            }
        }
        trail = ants_renew(ALGORITHM, settings, colonies + c, trails[id], sum, has_worst);
        trails[id] = trail;
        weights[id] = ants_weight(trail, settings.alpha, heuristic[at]);
        if (ALGORITHM == ANTS_BWAS && entry == 0u) {
            const uint2 best = links[(ulong)c * 2u * n + city], worst = links[((ulong)c * 2u + 1u) * n + city];
            const uint apart = (uint)(worst.x != best.x && worst.x != best.y) + (uint)(worst.y != best.x && worst.y != best.y);
            atomic_add(&colonies[c].apart, apart);
        }
    }
}

/* Counts the branches of mmas; a work-item for a city. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_branch(
    __global const uint *lists, __global const float *trails, __global struct ants_colony *colonies,
    struct ants_settings settings)
{
    const ulong id = get_global_id(0), n = settings.cities;
    if (id < n * settings.colonies) {
        const uint city = (uint)(id % n);
        __global const uint *list = lists + (ulong)city * settings.lists;
        __global const float *row = trails + id * settings.entries;
        float least = INFINITY, most = 0.0f, cutoff;
        uint count = 0, k;
        for (k = 0; k < settings.candidates && list[k] != city; k++) {
            const float trail = row[FULL ? list[k] : k];
            least = trail < least ? trail : least;
            most = trail > most ? trail : most;
        }
        cutoff = fma(ANTS_BRANCH_SHARE, most - least, least);
        for (k = 0; k < settings.candidates && list[k] != city; k++)
            count += (uint)(row[FULL ? list[k] : k] > cutoff);
        atomic_add(&colonies[id / n].branches, count);
    }
}

/* Computes the weights of all colonies; with only_reset, resets the pheromone of colonies that restart. A work-item for
 * a pheromone value. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_fill(
    __global const float *heuristic, __global const struct ants_colony *colonies, __global float *trails,
    __global float *weights, struct ants_settings settings, uint only_reset)
{
    const ulong id = get_global_id(0), values = (ulong)settings.cities * settings.entries;
    const uint c = (uint)(id / values);
    if (c < settings.colonies && (colonies[c].is_reset || !only_reset)) {
        const float trail = colonies[c].is_reset ? ants_start_trail(ALGORITHM, settings, colonies + c) : trails[id];
        trails[id] = trail;
        weights[id] = ants_weight(trail, settings.alpha, heuristic[id % values]);
    }
}

/* Restarts and mutations --------------------------------------------------------------------------------------- */

/* Changes the pheromone that city `city` has for the mutated edge to city `to`. */
static INLINE void mutate_end(__global const uint *lists, __global const float *heuristic, __global float *trails,
                              __global float *weights, struct ants_settings settings, uint city, uint to, float change,
                              int is_more)
{
    const uint entry = entry_of(lists, city, to, settings);
    if (entry != NO_CITY) {
        const ulong at = (ulong)city * settings.entries + entry;
        trails[at] = ants_mutate(trails[at], change, is_more);
        weights[at] = ants_weight(trails[at], settings.alpha, heuristic[at]);
    }
}

/* Ends a step of mmas (every 100 steps) or bwas; a group for each colony. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_finish(
    __global const uint *lists, __global const float *heuristic, __global const uint *bests,
    __global struct ants_colony *colonies, __global float *trails, __global float *weights, struct ants_settings settings,
    uint step)
{
    __local float sums[ANTS_LANES];
    const uint c = (uint)get_group_id(0), lid = (uint)get_local_id(0), n = settings.cities;
    const ulong values = (ulong)n * settings.entries;
    __global struct ants_colony *colony = colonies + c;
    __global const uint *tour = bests + (ulong)ANTS_BEST(c) * n;
    const bool is_bwas = ALGORITHM == ANTS_BWAS, is_mmas = ALGORITHM == ANTS_MMAS;
    uint lane, i;
    for (lane = lid; lane < ANTS_LANES; lane += WG) {
        float sum = 0.0f;
        for (i = lane; i < n && is_bwas && colony->restart_step > 1u; i += ANTS_LANES) {
            const uint entry = entry_of(lists, tour[i], tour[i + 1u < n ? i + 1u : 0u], settings);
            if (entry != NO_CITY)
                sum += trails[c * values + (ulong)tour[i] * settings.entries + entry];
        }
        sums[lane] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lid == 0u && is_mmas && ants_is_stuck(settings, colony, step))
        ants_restart(colony, step);
    if (lid == 0u && is_bwas && ants_is_alike(settings, colony)) {
        ants_restart(colony, step);
    } else if (lid == 0u && is_bwas && colony->restart_step > 1u) {
        float mean = 0.0f, change;
        for (lane = 0; lane < ANTS_LANES; lane++)
            mean += sums[lane];
        change = ants_mutation(settings, colony, step, mean * ants_ratio(1, (long)n));
        for (i = 0; i < settings.mutations; i++) {
            const struct shoal_words words =
                shoal_random_words(ants_seed(settings, c), SHOAL_STREAM_TSP_ANTS_MUTATE, step, i, 0);
            const uint a = (uint)((ulong)words.x * n >> 32), b = (uint)((ulong)words.y * n >> 32);
            const int is_more = (int)(words.z >> 31);
            if (a != b) {
                mutate_end(lists, heuristic, trails + c * values, weights + c * values, settings, a, b, change, is_more);
                mutate_end(lists, heuristic, trails + c * values, weights + c * values, settings, b, a, change, is_more);
            }
        }
    }
}

/* Exchange ------------------------------------------------------------------------------------------------------- */

/* The exchange at the end of a step: where the preceding colony has a shorter best tour, this tour becomes the colony's
 * best tour, also since the restart; a work-item for each city of each colony. sent, senders: `bests` and `colonies`
 * before the exchange; before: index, in sent and senders, of the colony that precedes the first colony. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_exchange(
    __global const uint *sent, __global const struct ants_colony *senders, __global uint *bests,
    __global struct ants_colony *colonies, struct ants_settings settings, uint before, uint step)
{
    const ulong id = get_global_id(0), n = settings.cities;
    const uint c = (uint)(id / n), i = (uint)(id % n), sender = c ? c - 1u : before;
    if (c < settings.colonies && senders[sender].best < senders[c].best) {
        const uint city = sent[ANTS_BEST(sender) * n + i];
        bests[ANTS_BEST(c) * n + i] = city;
        bests[ANTS_RESTART_BEST(c) * n + i] = city;
        if (i == 0u)
            ants_receive(settings, colonies + c, senders + sender, step);
    }
}
