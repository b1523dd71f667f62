/* The micro level of the thesis: an ant system with 2-opt over each piece of a tour, whose ends stay in place. The
 * tours have the same bits as on the host (src/tsp/thesis/piece.c). */
#ifndef WG
#define WG 1
#endif
/* 1: the next city is drawn by integer weights. */
#ifndef DRAWS
#define DRAWS 0
#endif
/* 1: the best tour of each cycle is kept. */
#ifndef HISTORY
#define HISTORY 0
#endif

#include "lib/philox.clh"
#include "tsp/thesis/improve.clh"
#include "tsp/thesis/weights.clh"

#if POOL < POOL_WORDS
#error "POOL has no room for a piece"
#endif

/* A piece in global memory. */
typedef struct {
    __global const uint *order; /* [n]: the cities of the piece in their original order */
    __global int *distances;    /* [PAIRS] */
    __global float *tau;
    __global uchar *best; /* [n] */
    uint number;
} frame;

/* load_weights, load_distances: fill the matrix in fast memory. While ants construct tours, the matrix holds the bits
 * of weights, which have the order of the weights; later it holds distances. */
static INLINE void load_weights(colony here, frame own, float base, float alpha, float beta)
{
    const float base_trail = thesis_raised(base, alpha);
    uint i;
    for (i = (uint)get_local_id(0); i < here.n * here.n; i += WG) {
        const uint row = i / here.n, column = i % here.n;
        if (column < row) {
            const uint pair = pair_of(row, column);
            const float sight = thesis_sight((float)unstored(own.distances[pair]), beta);
            const int key = as_int(thesis_weight(thesis_trail(own.tau[pair], base_trail, alpha), sight));
            here.matrix[cell_of(row, column)] = key;
#if MEMORY != 3
            here.matrix[cell_of(column, row)] = key;
#endif
        }
    }
}

static INLINE void load_distances(colony here, frame own)
{
    uint i;
    for (i = (uint)get_local_id(0); i < here.n * here.n; i += WG) {
        const uint row = i / here.n, column = i % here.n;
        if (column < row) {
            const int distance = own.distances[pair_of(row, column)];
            here.matrix[cell_of(row, column)] = distance;
#if MEMORY != 3
            here.matrix[cell_of(column, row)] = distance;
#endif
        }
    }
}

/* Ants ----------------------------------------------------------------------------------------------------------- */

/* Whether the edge from position p of the piece to the next position is fixed. */
static INLINE int is_fixed(PLACES places, frame own, uint p)
{
#if HAS_FIXED
    const uint2 partners = places.fixed[own.order[p]];
    return partners.x == own.order[p + 1u] || partners.y == own.order[p + 1u];
#else
    (void)places;
    (void)own;
    (void)p;
    return 0;
#endif
}

/* Whether the city is between two fixed edges. Only these edges lead to such a city. */
static INLINE int is_inner(PLACES places, frame own, uint n, uint city)
{
    return HAS_FIXED && (city + 1u < n ? is_fixed(places, own, city) : 1) &&
           (city ? is_fixed(places, own, city - 1u) : 1);
}

/* The city to which the ant must go, by a fixed edge or between the ends of the piece; n: there is none. left: a bit
 * for each unvisited city. */
static INLINE uint forced(PLACES places, frame own, const NEAR uint *left, uint n, uint city)
{
    if (city == n - 1u && has_bit(left, 0u))
        return 0u;
    if (city == 0u && has_bit(left, n - 1u))
        return n - 1u;
    if (HAS_FIXED && city + 1u < n && has_bit(left, city + 1u) && is_fixed(places, own, city))
        return city + 1u;
    if (HAS_FIXED && city && has_bit(left, city - 1u) && is_fixed(places, own, city - 1u))
        return city - 1u;
    return n;
}

#if DRAWS
static INLINE uint share(int key, float scale)
{
    return (uint)(as_float(key) * scale);
}

static INLINE uint drawn(colony here, PLACES places, frame own, const NEAR uint *left, uint city, int most, uint word)
{
    const float scale = thesis_scale(as_float(most));
    ulong total = 0, rest;
    uint c, found = 0;
    for (c = 0; c < here.n; c++)
        if (has_bit(left, c) && !is_inner(places, own, here.n, c))
            total += share(here.matrix[cell_of(city, c)], scale);
    rest = thesis_drawn(word, total);
    for (c = 0; c < here.n; c++)
        if (has_bit(left, c) && !is_inner(places, own, here.n, c)) {
            const uint own_share = share(here.matrix[cell_of(city, c)], scale);
            found = c;
            if (rest < own_share)
                break;
            rest -= own_share;
        }
    return found;
}
#endif

/* Constructs the tour of an ant from city `start` on. In the tour, the unvisited cities follow the visited ones in any
 * order. */
static INLINE void construct(colony here, PLACES places, frame own, uint start, ulong seed, uint draw)
{
    const uint n = here.n;
    NEAR uchar *const tour = here.tours + start * PIECE;
    NEAR uint *const left = here.rests + start * WORDS;
    uint city = start, at, t, w;
    while (is_inner(places, own, n, city))
        city = city + 1u < n ? city + 1u : 0u;
    for (t = 0; t < n; t++)
        tour[t] = (uchar)t;
    for (w = 0; w < WORDS; w++)
        left[w] = UINT_MAX;
    at = city;
    for (t = 0;; t++) {
        uint next, i;
        int most = -1;
        tour[at] = tour[t];
        tour[t] = (uchar)city;
        left[city >> 5] &= ~(1u << (city & 31u));
        if (t + 1u == n)
            break;
        next = forced(places, own, left, n, city);
        if (next == n) {
            for (i = t + 1u; i < n; i++) {
                const uint other = tour[i];
                const int key = here.matrix[cell_of(city, other)];
                if ((key > most || (key == most && other < next)) && !is_inner(places, own, n, other)) {
                    most = key;
                    next = other;
                    at = i;
                }
            }
#if DRAWS
            next = drawn(here, places, own, left, city, most,
                         shoal_random_words(seed, SHOAL_STREAM_TSP_THESIS_MICRO, draw, own.number * 256u + start, t).x);
            most = -1;
#endif
        }
        for (at = most < 0 ? t + 1u : at; tour[at] != next; at++)
            ;
        city = next;
    }
    (void)seed;
    (void)draw;
#if !LATE
    rewind_tour(tour, n);
#endif
}

/* Length of an ant's tour without fixed edges, which every tour contains. */
static INLINE long length_of(colony here, uint ant)
{
    const path it = path_of(here, ant, 1);
    uint before = city_at(it, 0u), p;
    long length = 0;
    for (p = 1; p < here.n; p++) {
        const uint city = city_at(it, p);
        const int distance = here.matrix[cell_of(before, city)];
        length += distance == STORED_FIXED ? 0 : (long)unstored(distance);
        before = city;
    }
    return length;
}

/* The ant with the shortest tour; among tours of the same length, the ant with the lowest start. All work-items get the
 * ant. Its path is in the order of the tour. */
static INLINE uint best_ant(colony here, long *length)
{
    NEAR uint *const lengths = (NEAR uint *)here.matrix;
    const uint lid = (uint)get_local_id(0);
    uint ant, best = 0;
    long own[(PIECE + WG - 1) / WG], least = LONG_MAX;
    for (ant = lid; ant < here.n; ant += WG)
        own[ant / WG] = length_of(here, ant);
    SYNC();
    for (ant = lid; ant < here.n; ant += WG) {
        lengths[2u * ant] = (uint)own[ant / WG];
        lengths[2u * ant + 1u] = (uint)((ulong)own[ant / WG] >> 32);
    }
    SYNC();
    for (ant = 0; ant < here.n; ant++) {
        const long other = (long)((ulong)lengths[2u * ant + 1u] << 32 | lengths[2u * ant]);
        best = other < least ? ant : best;
        least = other < least ? other : least;
    }
#if LATE
    if (lid == 0u)
        rewind_tour(here.tours + best * PIECE, here.n);
#endif
    SYNC();
    *length = least;
    return best;
}

/* Cycles ----------------------------------------------------------------------------------------------------------- */

/* Puts a city into the list of another city, sorted by distance and then by number. */
static INLINE void rank(colony here, uint city, uint other)
{
    const int is_other = other != city;
    const DISTANCE own = is_other ? between(here, city, other) : 0;
    uint c, before = 0;
    for (c = 0; c < here.n && is_other; c++)
        if (c != city) {
            const DISTANCE distance = between(here, city, c);
            before += distance < own || (distance == own && c < other);
        }
    if (is_other)
        here.nearest[city * PIECE + before] = (uchar)other;
}

static INLINE void begin_frame(colony here, PLACES places, frame own)
{
    uint i;
    for (i = (uint)get_local_id(0); i < here.n * here.n; i += WG) {
        const uint row = i / here.n, column = i % here.n;
        if (column < row) {
            own.distances[pair_of(row, column)] = stored(tsp_distance(places, own.order[row], own.order[column]));
            own.tau[pair_of(row, column)] = 1.0f;
        }
    }
    for (i = (uint)get_local_id(0); i < here.n; i += WG)
        own.best[i] = (uchar)i;
    SYNC_GLOBAL();
    load_distances(here, own);
    SYNC();
    for (i = (uint)get_local_id(0); i < here.n * here.n; i += WG)
        rank(here, i / here.n, i % here.n);
    SYNC_GLOBAL();
}

static INLINE long length_before(colony here, frame own)
{
    long length = 0;
    uint p;
    for (p = 1; p < here.n; p++) {
        const int distance = own.distances[pair_of(p, p - 1u)];
        length += distance == STORED_FIXED ? 0 : (long)unstored(distance);
    }
    return length;
}

static INLINE void reinforce(colony here, frame own, uint ant, float amount, float keep)
{
    const NEAR uchar *const tour = here.tours + ant * PIECE;
    uint i;
    for (i = (uint)get_local_id(0); i < here.n * (here.n - 1u) / 2u; i += WG)
        own.tau[i] = thesis_kept(own.tau[i], keep);
    SYNC_GLOBAL();
    for (i = (uint)get_local_id(0); i + 1u < here.n; i += WG)
        own.tau[pair_of(tour[i], tour[i + 1u])] += amount;
    SYNC_GLOBAL();
}

/* Improves the pieces from number first_piece on, of `pieces` pieces, with a work-group for each piece. order: the
 * tour. result: receives the new tour. frames: FRAME words for each piece. bests: the best tour of each piece, as
 * original positions in the piece. pools: POOL words for each piece, if MEMORY is 0. history: the best tour of each
 * cycle of each piece, if HISTORY. step: step of the run, times cycles. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_thesis_pieces(__global const place_numbers *numbers, __global const uint2 *fixed, uint city_count,
                       __global const uint *order, __global uint *result, __global uint *frames, __global uchar *bests,
                       __global uint *pools, __global uchar *history, ulong seed, uint first_piece, uint pieces, uint cycles,
                       uint passes, uint step, float keep, float alpha, float beta)
{
#if MEMORY
    __local uint pool[POOL];
#endif
    const PLACES places = tsp_places(numbers, fixed, city_count);
    const uint lid = (uint)get_local_id(0), piece = first_piece + (uint)get_group_id(0);
    const uint begin = (uint)((ulong)piece * city_count / pieces);
    const uint n = (uint)((ulong)(piece + 1u) * city_count / pieces) - begin;
    const uint used_cycles = n < 4u ? 0u : cycles; /* pieces of less than four cities stay as they are */
    colony here;
    frame own;
    float base = 1.0f;
    long least, first_length = 0;
    uint cycle, i;
#if MEMORY == 0
    __global uint *const pool = pools + (ulong)piece * POOL;
#endif
    here.matrix = (NEAR int *)pool;
    here.tours = (NEAR uchar *)(pool + AT_TOURS);
    here.rests = pool + AT_RESTS;
    here.improves = pool + AT_IMPROVES;
    here.gains = (NEAR int *)(pool + AT_GAINS);
    here.pairs = pool + AT_PAIRS;
    here.nearest = (__global uchar *)(frames + (ulong)piece * FRAME + AT_NEAREST);
    here.places = (__global uchar *)(frames + (ulong)piece * FRAME + AT_PLACES);
    here.n = n;
    own.order = order + begin;
    own.distances = (__global int *)(frames + (ulong)piece * FRAME);
    own.tau = (__global float *)(frames + (ulong)piece * FRAME + PAIRS);
    own.best = bests + begin;
    own.number = piece;
    (void)pools;
    (void)history;
    begin_frame(here, places, own);
    least = length_before(here, own);
    for (cycle = 0; cycle < used_cycles; cycle++) {
        uint ant, best;
        long length;
        load_weights(here, own, base, alpha, beta);
        SYNC_GLOBAL(); /* all work-items have read the pheromone */
        for (ant = lid; ant < n; ant += WG)
            construct(here, places, own, ant, seed, step + cycle);
        SYNC();
        load_distances(here, own);
        SYNC();
        for (ant = 0; ant < n; ant += WG / TEAM)
            improve(here, ant, min(ant + WG / TEAM, n), passes);
        SYNC();
        best = best_ant(here, &length);
        first_length = cycle ? first_length : length;
        for (i = lid; i < n; i += WG) {
            const uchar city = here.tours[best * PIECE + i];
            if (length < least)
                own.best[i] = city;
#if HISTORY
            history[(ulong)cycles * begin + (ulong)cycle * n + i] = city;
#endif
        }
        least = min(length, least);
        base = thesis_kept(base, keep);
        reinforce(here, own, best,
                  thesis_ratio((ulong)max(first_length, 1L), (ulong)max(length, 1L)), keep);
    }
    SYNC_GLOBAL();
    for (i = lid; i < n; i += WG)
        result[begin + i] = own.order[own.best[i]];
}
