/* The macro level of the thesis: an ant system over all cities. Pheromone is in rows (src/tsp/thesis/thesis.h): the row
 * of a city has the edges to its nearest cities and the edges of best tours, and all other edges have one common
 * pheromone. The tours have the same bits as on the host (src/tsp/thesis/rows.c). */
#ifndef WG
#define WG 64
#endif
/* Entries of a row; unused entries are UINT_MAX. */
#ifndef WIDTH
#define WIDTH 32
#endif
/* 1: the nearest cities come first in a row; if a city of the row weighs more than the upper limit of all cities
 * outside the row, cities outside are not examined. */
#ifndef LISTS
#define LISTS 1
#endif
/* 1: the next city is drawn by integer weights. */
#ifndef DRAWS
#define DRAWS 0
#endif
/* Words of the set of cities that an ant has not visited, in local memory; 0: the set is in global memory. */
#ifndef LEFT
#define LEFT 1024
#endif

#include "lib/philox.clh"
#include "tsp/model/distance.clh"
#include "tsp/thesis/warp.clh"
#include "tsp/thesis/weights.clh"

#define NOWHERE UINT_MAX

#if WG == 1
#define SYNC() (void)0
#define SYNC_GLOBAL() (void)0
#else
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#define SYNC_GLOBAL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* 1: a group that is one warp compares without barriers, by instructions of warps. */
#if SHOAL_WARPS && WG == 32
#define BY_WARP 1
#else
#define BY_WARP 0
#endif

/* For functions that get pointers to local memory: PoCL 3.1 crashes on such functions if its compiler does not inline
 * them. */
#define INLINE inline __attribute__((always_inline))

/* Pheromone ------------------------------------------------------------------------------------------------------ */

static INLINE void receive(__global uint *cities, __global float *tau, ulong first, uint other, float amount, float base)
{
    uint e = 0;
    while (e + 1u < WIDTH && cities[first + e] != other && cities[first + e] != NOWHERE)
        e++;
    if (cities[first + e] != other) {
        cities[first + e] = other;
        tau[first + e] = base;
    }
    tau[first + e] += amount;
}

/* Updates the rows of all cities and computes their weights: a work-item for each position of the tour that begins at
 * tours[offset]. reinforces: 1: evaporates pheromone and adds `amount` to the edges of the tour; 0: there is no tour
 * yet, and position t is city t. base: pheromone of all edges outside rows; candidates: number of nearest cities in a
 * row; margin: weights at equal pheromone grow with falling distance by at most this factor; beyond: upper limit of the
 * weights of edges outside the row. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_thesis_rows(__global const place_numbers *numbers, __global const uint2 *fixed, uint city_count,
                     __global const uint *tours, ulong offset, __global uint *cities, __global float *tau,
                     __global float *weights, __global float *beyond, uint reinforces, uint candidates, float amount,
                     float keep, float base, float alpha, float beta, float margin)
{
    const uint t = (uint)get_global_id(0);
    const PLACES places = tsp_places(numbers, fixed, city_count);
    if (t < city_count) {
        const uint city = reinforces ? tours[offset + t] : t;
        const ulong first = (ulong)city * WIDTH;
        const float base_trail = thesis_raised(base, alpha);
        const TSP_PLACE here = tsp_place(places, city);
        float sight = 0.0f;
        uint e;
        if (reinforces) {
            for (e = 0; e < WIDTH; e++)
                tau[first + e] = thesis_kept(tau[first + e], keep);
            receive(cities, tau, first, tours[offset + (t ? t - 1u : city_count - 1u)], amount, base);
            receive(cities, tau, first, tours[offset + (t + 1u < city_count ? t + 1u : 0u)], amount, base);
        }
        for (e = 0; e < WIDTH; e++) {
            const uint other = cities[first + e];
            if (other != NOWHERE) {
                const float own = thesis_sight((float)tsp_between(places, here, tsp_place(places, other)), beta);
                weights[first + e] = thesis_weight(thesis_trail(tau[first + e], base_trail, alpha), own);
                sight = e + 1u == candidates ? own : sight;
            }
        }
        beyond[city] = sight > 0.0f ? thesis_weight(base_trail, sight) * margin : 0.0f;
    }
}

/* Ants ----------------------------------------------------------------------------------------------------------- */

#if LEFT
#define LEFT_SPACE local
#else
#define LEFT_SPACE __global
#endif

static INLINE int is_left(const LEFT_SPACE uint *left, uint city)
{
    return (int)(left[city >> 5] >> (city & 31u) & 1u);
}

/* Whether the city is inside a path of fixed edges. Only these edges lead to such a city. */
static INLINE int is_inner(PLACES places, uint city)
{
#if HAS_FIXED
    return places.fixed[city].x != NOWHERE && places.fixed[city].y != NOWHERE;
#else
    (void)places;
    (void)city;
    return 0;
#endif
}

static INLINE uint start_of(PLACES places, uint city)
{
#if HAS_FIXED
    uint before = NOWHERE, steps;
    for (steps = 0; steps < places.cities && is_inner(places, city); steps++) {
        const uint2 partners = places.fixed[city];
        const uint next = partners.x == before ? partners.y : partners.x;
        before = city;
        city = next;
    }
#else
    (void)places;
#endif
    return city;
}

/* The city to which the ant must go by a fixed edge; NOWHERE: there is none. */
static INLINE uint forced(PLACES places, const LEFT_SPACE uint *left, uint city)
{
#if HAS_FIXED
    const uint2 partners = places.fixed[city];
    if (partners.x != NOWHERE && is_left(left, partners.x))
        return partners.x;
    if (partners.y != NOWHERE && is_left(left, partners.y))
        return partners.y;
#else
    (void)places;
    (void)left;
    (void)city;
#endif
    return NOWHERE;
}

/* A city and the bits of its weight, which have the order of the weights. */
typedef struct {
    uint bits, city;
} candidate;

static INLINE candidate better(candidate a, uint bits, uint city)
{
    candidate best = a;
    if (bits > a.bits || (bits == a.bits && city < a.city)) {
        best.bits = bits;
        best.city = city;
    }
    return best;
}

/* The best candidate of all work-items. scratch: 2 WG words. Ends with a barrier, unless the group is one warp. */
#if BY_WARP
static INLINE candidate best_of_group(candidate own, local uint *scratch)
{
    candidate best;
    (void)scratch;
    best.bits = ~SHOAL_WARP_MIN(~own.bits);
    best.city = SHOAL_WARP_MIN(own.bits == best.bits ? own.city : UINT_MAX);
    return best;
}
#else
static INLINE candidate best_of_group(candidate own, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0);
    uint span, half_span;
    scratch[lid] = own.bits;
    scratch[WG + lid] = own.city;
    SYNC();
    for (span = WG; span > 1u; span = half_span) {
        half_span = (span + 1u) / 2u;
        if (lid + half_span < span) {
            own = better(own, scratch[lid + half_span], scratch[WG + lid + half_span]);
            scratch[lid] = own.bits;
            scratch[WG + lid] = own.city;
        }
        SYNC();
    }
    own.bits = scratch[0];
    own.city = scratch[WG];
    SYNC();
    return own;
}
#endif

/* best_of_row: the unvisited city with the largest weight among the work-item's entries of a row. best_of_all: the
 * better of `best` and of the work-item's share of all unvisited cities, by the pheromone of edges outside rows. */
static INLINE candidate best_of_row(PLACES places, const LEFT_SPACE uint *left, __global const uint *cities,
                                    __global const float *weights, uint city)
{
    const ulong first = (ulong)city * WIDTH;
    candidate best;
    uint e;
    best.bits = 0;
    best.city = NOWHERE;
    for (e = (uint)get_local_id(0); e < WIDTH; e += WG) {
        const uint other = cities[first + e];
        if (other != NOWHERE && is_left(left, other) && !is_inner(places, other))
            best = better(best, as_uint(weights[first + e]), other);
    }
    return best;
}

static INLINE candidate best_of_all(candidate best, PLACES places, const LEFT_SPACE uint *left, uint city, float base_trail,
                                    float beta)
{
    const TSP_PLACE here = tsp_place(places, city);
    const uint words = (places.cities + 31u) / 32u;
    uint w;
    for (w = (uint)get_local_id(0); w < words; w += WG) {
        uint rest = left[w];
        while (rest) {
            const uint other = w * 32u + 31u - clz(rest & (0u - rest));
            rest &= rest - 1u;
            if (!is_inner(places, other)) {
                const float sight = thesis_sight((float)tsp_between(places, here, tsp_place(places, other)), beta);
                best = better(best, as_uint(thesis_weight(base_trail, sight)), other);
            }
        }
    }
    return best;
}

#if DRAWS
/* Computes the weights of all edges of a city; negative where the other city cannot be chosen. */
static INLINE void weigh_all(PLACES places, const LEFT_SPACE uint *left, __global const uint *cities,
                             __global const float *weights, __global float *all, uint city, float base_trail, float beta)
{
    const TSP_PLACE here = tsp_place(places, city);
    const ulong first = (ulong)city * WIDTH;
    uint c, e;
    for (c = (uint)get_local_id(0); c < places.cities; c += WG) {
        float weight = -1.0f;
        if (is_left(left, c) && !is_inner(places, c))
            weight = thesis_weight(base_trail,
                                   thesis_sight((float)tsp_between(places, here, tsp_place(places, c)), beta));
        all[c] = weight;
    }
    SYNC_GLOBAL();
    /* All work-items make the same number of turns: PoCL 3.1 drops some turns where the work-items begin at different
     * numbers. */
    for (e = 0; e < WIDTH; e += WG) {
        const uint at = e + (uint)get_local_id(0), other = at < WIDTH ? cities[first + at] : NOWHERE;
        if (other != NOWHERE && is_left(left, other) && !is_inner(places, other))
            all[other] = weights[first + at];
    }
    SYNC_GLOBAL();
}

static INLINE uint share(float weight, float scale)
{
    return weight < 0.0f ? 0u : (uint)(weight * scale);
}

/* Draws a city with a probability proportional to its weight in `all`. Each work-item has consecutive cities; the
 * work-item whose running sums contain the drawn number finds the city. sums: [WG]. */
static INLINE uint drawn_of_all(__global const float *all, uint count, uint word, local ulong *sums, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0), part = (count + WG - 1u) / WG;
    const uint begin = min(lid * part, count), end = min(begin + part, count);
    candidate most;
    uint c;
    float scale;
    ulong sum = 0;
    most.bits = 0;
    most.city = NOWHERE;
    for (c = begin; c < end; c++)
        if (all[c] >= 0.0f)
            most = better(most, as_uint(all[c]), c);
    most = best_of_group(most, scratch);
    scale = thesis_scale(as_float(most.bits));
    for (c = begin; c < end; c++)
        sum += share(all[c], scale);
    sums[lid] = sum;
    SYNC();
    {
        ulong before = 0, total = 0, rest;
        uint i;
        for (i = 0; i < WG; i++) {
            before += i < lid ? sums[i] : 0;
            total += sums[i];
        }
        rest = thesis_drawn(word, total);
        if (rest >= before && rest - before < sum) {
            rest -= before;
            for (c = begin; rest >= share(all[c], scale); c++)
                rest -= share(all[c], scale);
            scratch[0] = c;
        }
    }
    SYNC();
    c = scratch[0];
    SYNC();
    return c;
}
#endif

/* Makes the tours of ants, with a work-group for each ant, and writes their lengths to `lengths`. first:
 * number of the first ant of this launch. starts: first cities of all ants. left_words: [ants][(cities + 31)
 * / 32], if LEFT is 0. all: [ants][cities], if DRAWS. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_thesis_ants(__global const place_numbers *numbers, __global const uint2 *fixed, uint city_count,
                     __global const uint *cities, __global const float *weights, __global const float *beyond,
                     __global uint *tours, __global long *lengths, __global uint *left_words, __global float *all,
                     ulong seed, uint cycle, uint starts, float base_trail, float beta)
{
    __local uint scratch[2 * WG];
#if LEFT
    __local uint left_local[LEFT];
#endif
#if DRAWS
    __local ulong sums[WG];
#endif
    const uint lid = (uint)get_local_id(0), ant = (uint)get_group_id(0), words = (city_count + 31u) / 32u;
    const PLACES places = tsp_places(numbers, fixed, city_count);
    __global uint *const tour = tours + (ulong)ant * city_count;
#if LEFT
    local uint *const left = left_local;
#else
    __global uint *const left = left_words + (ulong)ant * words;
#endif
    uint city = start_of(places, (uint)((ulong)ant * city_count / starts)), first = city, t, w;
    long length = 0;
    (void)left_words;
    (void)all;
    (void)seed;
    (void)cycle;
    (void)beyond;
    for (w = lid; w < words; w += WG)
        left[w] = w + 1u == words && (city_count & 31u) ? (1u << (city_count & 31u)) - 1u : UINT_MAX;
    SYNC_GLOBAL();
    for (t = 0; t + 1u < city_count; t++) {
        uint next;
        if (lid == 0u) {
            tour[t] = city;
            left[city >> 5] &= ~(1u << (city & 31u));
        }
        SYNC_GLOBAL();
        next = forced(places, left, city);
        if (next == NOWHERE) {
#if DRAWS
            const struct shoal_words random = shoal_random_words(seed, SHOAL_STREAM_TSP_THESIS_MACRO, cycle, ant, t);
            weigh_all(places, left, cities, weights, all + (ulong)ant * city_count, city, base_trail, beta);
            next = drawn_of_all(all + (ulong)ant * city_count, city_count, random.x, sums, scratch);
#else
            candidate best = best_of_group(best_of_row(places, left, cities, weights, city), scratch);
            if (!LISTS || best.city == NOWHERE || !(as_float(best.bits) > beyond[city]))
                best = best_of_group(best_of_all(best, places, left, city, base_trail, beta), scratch);
            next = best.city;
#endif
        }
        if (lid == 0u)
            length += tsp_distance(places, city, next);
        city = next;
        SYNC();
    }
    if (lid == 0u) {
        tour[t] = city;
        lengths[ant] = length + tsp_distance(places, city, first);
    }
}
