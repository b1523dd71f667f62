/* Kernels of the pipeline for selection: order of the members, weights, parents. */
#include "ga/methods/pipeline.clh"
#include "lib/reduce.clh"
#include "ga/model/select.clh"

#ifndef SELECTION
#define SELECTION SELECT_TOURNAMENT
#endif

/* A member or child that is sorted by its value. Its index has the highest bit set if it must come last. */
typedef struct {
    real value;
    uint index;
} place_in_order;

static inline int is_before(place_in_order a, place_in_order b)
{
    return precedes(a.value, a.index, b.value, b.index);
}

/* Fills the orders of all islands before they are sorted: `count` values and `padded` entries for each island; `padded`
 * is a power of two. Entries beyond the values, and discarded values, are sorted to the end. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_order_fill(__global const real *restrict values, __global const uint *restrict discarded,
                   __global real *restrict keys, __global uint *restrict order, uint islands, uint count, uint padded)
{
    const ulong n = get_global_id(0);
    const uint island = (uint)(n / padded), place = (uint)(n % padded);
    if (island < islands) {
        const ulong from = (ulong)island * count + place;
        const int is_out = place >= count || discarded[from] != 0u;
        keys[n] = is_out ? (real)INFINITY : values[from];
        order[n] = is_out ? place | 0x80000000u : place;
    }
}

/* Makes a step of the bitonic sort: compares entries that are `distance` apart, in ranges of `span` entries. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_order_step(__global real *restrict keys, __global uint *restrict order, uint islands, uint padded, uint span,
                   uint distance)
{
    const ulong n = get_global_id(0);
    if (n < (ulong)islands * (padded / 2u)) {
        const ulong start = n / (padded / 2u) * padded;
        const uint pair = (uint)(n % (padded / 2u));
        const uint low = pair / distance * 2u * distance + pair % distance;
        place_in_order a, b;
        a.value = keys[start + low];
        a.index = order[start + low];
        b.value = keys[start + low + distance];
        b.index = order[start + low + distance];
        if (((low & span) == 0u) == is_before(b, a)) {
            keys[start + low] = b.value;
            order[start + low] = b.index;
            keys[start + low + distance] = a.value;
            order[start + low + distance] = a.index;
        }
    }
}

/* Makes all steps of the sort whose spans fit a group: for the spans `first` .. `last`, which are powers of two. first
 * 2: sorts ranges of `last` entries; first = last: completes a merge. A group has 2 WG entries. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_order_block(__global real *restrict keys, __global uint *restrict order, uint padded, uint first, uint last)
{
    __local real values[2 * WG];
    __local uint indices[2 * WG];
    const uint lid = (uint)get_local_id(0), here = min(2u * (uint)WG, padded);
    const ulong start = (ulong)get_group_id(0) * here;
    const uint begin = (uint)(start % padded);
    uint span, distance, e;
    for (e = lid; e < here; e += WG) {
        values[e] = keys[start + e];
        indices[e] = order[start + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (span = first; span <= last; span *= 2u)
        for (distance = min(span / 2u, (uint)WG); distance > 0u; distance /= 2u) {
            const uint low = lid / distance * 2u * distance + lid % distance;
            if (low + distance < here) {
                place_in_order a, b;
                a.value = values[low];
                a.index = indices[low];
                b.value = values[low + distance];
                b.index = indices[low + distance];
                if ((((begin + low) & span) == 0u) == is_before(b, a)) {
                    values[low] = b.value;
                    indices[low] = b.index;
                    values[low + distance] = a.value;
                    indices[low + distance] = a.index;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    for (e = lid; e < here; e += WG) {
        keys[start + e] = values[e];
        order[start + e] = indices[e];
    }
}

/* Computes the running sums of the weights of an island's members; a group for each island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_weights(__global const real *restrict values, __global ulong *restrict sums,
                __global const real *restrict settings, struct search_shape shape, uint step)
{
    __local real scratch[WG];
    __local ulong totals[WG];
    const uint lid = (uint)get_local_id(0), k = (uint)get_group_id(0);
    const ulong start = (ulong)k * shape.members;
    const uint each = (shape.members + WG - 1u) / WG;
    const uint first = min(lid * each, shape.members), end = min(first + each, shape.members);
    const real temperature = temperature_at(settings[SET_TEMPERATURE], settings[SET_COOLING], step);
    real best = (real)INFINITY, worst = (real)INFINITY;
    ulong sum = 0u;
    uint e;
    /* worst: minus the greatest of the finite values */
    for (e = lid; e < shape.members; e += WG) {
        best = lesser(best, values[start + e]);
        if (isfinite(values[start + e]))
            worst = lesser(worst, -values[start + e]);
    }
    best = group_lesser(best, scratch);
    worst = -group_lesser(worst, scratch);
    for (e = first; e < end; e++)
        sum += weight_of(SELECTION, values[start + e], best, worst, temperature);
    totals[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (sum = 0u, e = 0u; e < lid; e++)
        sum += totals[e];
    for (e = first; e < end; e++) {
        sum += weight_of(SELECTION, values[start + e], best, worst, temperature);
        sums[start + e] = sum;
    }
}

GA_FIRST_ABOVE(first_sum, __global const ulong *, ulong)
GA_FIRST_ABOVE(first_threshold, __global const uint *, uint)

/* The data of an island that its selection reads. */
typedef struct {
    __global const real *values;
    __global const ulong *sums;
    __global const uint *order;
    __global const uint *ranks;
} selection_data;

/* Returns the best of `tournament` random members, or of random cells of the neighbourhood of `cell`. Their random
 * words in stream GA_SELECT begin at word `word`. */
static inline uint contest(struct search_shape shape, struct ga_shape own, selection_data data,
                           ulong seed, uint step, uint index, uint word, uint cell)
{
    struct shoal_words words;
    uint found = 0u, t;
    for (t = 0u; t < own.tournament; t++, word++) {
        if (t == 0u || word % 4u == 0u)
            words = shoal_random_words(seed, SHOAL_STREAM_GA_SELECT, step, index, word / 4u);
#if STRUCTURE == PANMICTIC
        const uint member = index_of(word_at(words, word % 4u), shape.members);
        (void)cell;
#else
        const uint member = cell_neighbour(cell, index_of(word_at(words, word % 4u), cell_count(STRUCTURE)), own.rows, own.columns);
#endif
        if (t == 0u || precedes(data.values[member], member, data.values[found], found))
            found = member;
    }
    return found;
}

/* Returns the parent that a random word selects. */
static inline uint parent_of(struct search_shape shape, struct ga_shape own, selection_data data, uint word)
{
#if SELECTION == SELECT_ROULETTE || SELECTION == SELECT_BOLTZMANN
    return first_sum(data.sums, shape.members, roulette_target(word, data.sums[shape.members - 1u]));
#elif SELECTION == SELECT_LINEAR_RANK || SELECTION == SELECT_EXPONENTIAL_RANK
    return data.order[min(first_threshold(data.ranks, shape.members, word >> 1), shape.members - 1u)];
#elif SELECTION == SELECT_TRUNCATION
    return data.order[index_of(word, own.truncated)];
#else
    (void)shape;
    (void)own;
    (void)data;
    (void)word;
    return 0u;
#endif
}

/* Selects the two parents of each pair. order: `padded` entries for each island; ranks: thresholds of the ranks. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_select(__global const real *restrict values, __global const ulong *restrict sums /* or NULL */,
               __global const uint *restrict order /* or NULL */, __global const uint *restrict ranks /* or NULL */,
               __global uint *restrict parents, __global const uint *restrict words, struct search_shape shape,
               struct ga_shape own, uint step)
{
    const uint pairs = pair_count(own), n = (uint)get_global_id(0), island = n / pairs, pair = n % pairs;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        const uint index = child_index(shape, own, island, first_child(pair));
        const ulong seed = seed_of(shape, island);
        selection_data data;
        uint a, b;
        data.values = values + (ulong)island * shape.members;
        data.sums = sums + (ulong)island * shape.members;
        data.order = order + (ulong)island * own.padded;
        data.ranks = ranks;
#if STRUCTURE != PANMICTIC
        a = pair;
#if SELECTION == SELECT_BEST
        b = pair;
        uint q;
        for (q = 1u; q < cell_count(STRUCTURE); q++) {
            const uint cell = cell_neighbour(pair, q, own.rows, own.columns);
            if (precedes(data.values[cell], cell, data.values[b], b))
                b = cell;
        }
#else
        b = contest(shape, own, data, seed, step, index, 0u, pair);
#endif
#elif SELECTION == SELECT_TOURNAMENT
        a = contest(shape, own, data, seed, step, index, 0u, 0u);
        b = contest(shape, own, data, seed, step, index, own.tournament, 0u);
#elif SELECTION == SELECT_OWN
        {
            const struct shoal_words drawn = shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, index, 0u);
            const uint first = index_of(drawn.x, shape.members), second = index_of(drawn.y, shape.members);
            a = 2u * pair % shape.members;
            b = (2u * pair + 1u) % shape.members;
            a = precedes(data.values[first], first, data.values[a], a) ? first : a;
            b = precedes(data.values[second], second, data.values[b], b) ? second : b;
        }
#elif SELECTION == SELECT_SUS
        {
            const uint first = child_index(shape, own, island, 0u), bits = shuffle_bits(2u * pairs);
            const struct shoal_words offset =
                shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, first, SUS_OFFSET_DRAW);
            const struct shoal_words keys =
                shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, first, SUS_KEYS_DRAW);
            const ulong total = data.sums[shape.members - 1u];
            a = first_sum(data.sums, shape.members,
                          sus_target(shuffled(2u * pair, 2u * pairs, bits, keys), 2u * pairs, offset.x, total));
            b = first_sum(data.sums, shape.members,
                          sus_target(shuffled(2u * pair + 1u, 2u * pairs, bits, keys), 2u * pairs, offset.x, total));
        }
#else
        {
            const struct shoal_words drawn = shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, index, 0u);
            a = parent_of(shape, own, data, drawn.x);
            b = parent_of(shape, own, data, drawn.y);
        }
#endif
        parents[2u * n] = a;
        parents[2u * n + 1u] = b;
    }
}
