/* The best 2-opt move of all pairs of edges of a tour: docs/tsp.md, "All pairs". Move (i, j), i < j, removes the edges
 * after positions i and j of the tour. It gains edge(i) + edge(j) - distance(i, j) - distance(i + 1, j + 1). The best
 * move has the largest gain; among moves with equal gains, the lowest i, then the lowest j.
 *
 * A work-item goes along diagonals: with j - i = k constant, the next pair also needs the distance of (i + 1, j + 1),
 * so that each move takes one new distance. Diagonals 2 .. n / 2, which continue around the end of the tour, have all
 * pairs.
 *
 * With ESTIMATE the distance is computed in floats. Only moves that may be the best so far, given the bound `slack` of
 * the error, are computed again in whole numbers: the result is exact, and most pairs take ten operations. */
#ifndef WG
#define WG 128
#endif
/* How distances are estimated. 1: straight distances of points, 2: sums of differences, 3: largest differences; 0:
 * there are no estimates, and every move is measured in integers. */
#ifndef ESTIMATE
#define ESTIMATE 1
#endif

#include "lib/group.clh"
#include "tsp/model/distance.clh"

/* A tile has TILE positions of WG * ACROSS diagonals; a work-item handles ACROSS diagonals of a tile. */
#define TILE 512u
#define ACROSS 8

/* The struct of src/tsp/improve/allpairs.c. */
struct tsp_allpairs_best {
    long gain; /* 0: no move makes the tour shorter */
    uint i, j;
};

struct tsp_allpairs_frame {
    float x, y, z; /* offset that is subtracted from coordinates with fractions */
    float scale;   /* scale of estimated distances */
    float slack;
    uint first; /* first tile of the launch */
    uint tiles; /* tiles in a row, which covers all diagonals */
    uint slots; /* number of results */
};

static inline uint wrapped(uint place, uint n)
{
    return place < n ? place : place % n;
}

/* Reads the tour that begins at tours[at]. Writes, for each position, the coordinates of its city as floats, and the
 * edge before it as a float and as an integer. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_allpairs_gather(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                    __global const uint *tours, ulong at, __global float4 *points, __global long *edges,
                    struct tsp_allpairs_frame frame)
{
    __global const uint *tour = tours + at;
    const uint place = (uint)get_global_id(0), n = cities;
    const PLACES places = tsp_places(numbers, fixed, cities);
    if (place < n) {
        const TSP_PLACE own = tsp_place(places, tour[place]);
        const DISTANCE edge = tsp_between(places, tsp_place(places, tour[wrapped(place + n - 1u, n)]), own);
        float4 point;
        point.x = point.y = point.z = 0.0f;
#if ESTIMATE && REAL == 64
        point.x = (float)(own.x - (double)frame.x) * frame.scale;
        point.y = (float)(own.y - (double)frame.y) * frame.scale;
        point.z = DIM == 3 ? (float)(own.z - (double)frame.z) * frame.scale : 0.0f;
#elif ESTIMATE
        point.x = (float)own.x * frame.scale;
        point.y = (float)own.y * frame.scale;
        point.z = DIM == 3 ? (float)own.z * frame.scale : 0.0f;
#endif
        point.w = (float)edge;
        points[place] = point;
        edges[place] = (long)edge;
    }
}

static inline struct tsp_allpairs_best better_of(struct tsp_allpairs_best a, struct tsp_allpairs_best b)
{
    if (a.gain != b.gain)
        return a.gain > b.gain ? a : b;
    if (a.i != b.i)
        return a.i < b.i ? a : b;
    return a.j < b.j ? a : b;
}
#define BETTER(a, b) better_of(a, b)
GROUP_REDUCE(group_better, struct tsp_allpairs_best, BETTER)

static inline struct tsp_allpairs_best no_move(void)
{
    struct tsp_allpairs_best none;
    none.gain = 0;
    none.i = none.j = 0xffffffffu;
    return none;
}

/* Returns the better of `best` and the move of position i < n and diagonal k. here, next: the distances of positions
 * (i, j) and (i + 1, j + 1), where j = i + k. */
static inline struct tsp_allpairs_best with_move(struct tsp_allpairs_best best, __global const long *edges, uint n, uint i,
                                                 uint k, long here, long next)
{
    const uint j = wrapped(i + k, n);
    struct tsp_allpairs_best own;
    own.gain = edges[wrapped(i + 1u, n)] + edges[wrapped(j + 1u, n)] - here - next;
    own.i = i < j ? i : j;
    own.j = i < j ? j : i;
    return own.gain > 0 && k > 1u && k + 1u < n ? better_of(best, own) : best;
}

#if ESTIMATE
static inline float estimated(float4 a, float bx, float by, float bz)
{
    const float x = a.x - bx, y = a.y - by, z = DIM == 3 ? a.z - bz : 0.0f;
#if ESTIMATE == 1
    const float plane = fma(x, x, y * y);
    return sqrt(DIM == 3 ? fma(z, z, plane) : plane);
#elif ESTIMATE == 2
    return fabs(x) + fabs(y) + fabs(z);
#else
    return fmax(fmax(fabs(x), fabs(y)), fabs(z));
#endif
}

/* The smallest estimate that a move may have whose exact gain reaches `gain`. slack: bound of the error of an
 * estimate. */
static inline float bound_of(long gain, float slack)
{
    const float least = (float)(gain > 0 ? gain : 1);
    return least - least * 0x1p-22f - slack;
}

#define POINTS SPREAD(TILE + WG * ACROSS)

/* stage_along loads the ends of the edges of a tile, stage_across the WG * ACROSS further edges with which the edges of
 * the tile are paired. Positions after the end of the tour have no edge. */
static inline void stage_along(local float4 *along, __global const float4 *points, uint n, uint begin, uint lid)
{
    for (uint i = lid; i < TILE; i += WG) {
        along[i] = points[wrapped(begin + i + 1u, n)];
        if (begin + i >= n)
            along[i].w = -INFINITY;
    }
}

static inline void stage_across(local float *xs, local float *ys, local float *zs, local float *es,
                                __global const float4 *points, uint n, uint first, uint lid)
{
    for (uint i = lid; i < TILE + WG * ACROSS; i += WG) {
        const float4 point = points[wrapped(first + i, n)];
        xs[SPREAD(i)] = point.x;
        ys[SPREAD(i)] = point.y;
        if (DIM == 3)
            zs[SPREAD(i)] = point.z;
        es[SPREAD(i)] = point.w;
    }
}

/* Measures the moves of the positions from `begin` on whose bit in `found` is set, for the ACROSS diagonals from k
 * on. */
static inline struct tsp_allpairs_best best_of_found(struct tsp_allpairs_best best, PLACES places,
                                                     __global const uint *tour, __global const long *edges, uint n,
                                                     uint begin, uint k, uint found)
{
    for (uint u = 0u; found >> u != 0u; u++) {
        for (uint r = 0u; r < ACROSS && (found >> u & 1u) != 0u; r++) {
            const uint place = begin + u, other = wrapped(place + k + r, n);
            long distances[2];
            for (uint i = 0u; i < 2u; i++)
                distances[i] = (long)tsp_distance(places, tour[wrapped(place + i, n)], tour[wrapped(other + i, n)]);
            best = with_move(best, edges, n, place, k + r, distances[0], distances[1]);
        }
    }
    return best;
}
#else
/* Measures the moves of a tile: for each position of the tile, the moves on those diagonals of the work-item that
 * exist. */
static INLINE struct tsp_allpairs_best best_of_tile(struct tsp_allpairs_best best, PLACES places,
                                                    __global const uint *tour, __global const long *edges, uint n,
                                                    uint begin, uint tile, uint last)
{
    const uint lid = (uint)get_local_id(0);
    for (uint r = 0u; r < ACROSS; r++) {
        const uint k = 2u + (tile * ACROSS + r) * WG + lid;
        long here = k <= last ? (long)tsp_distance(places, tour[begin], tour[wrapped(begin + k, n)]) : 0;
        for (uint s = begin; k <= last && s < begin + TILE && s < n; s++) {
            const long next = (long)tsp_distance(places, tour[wrapped(s + 1u, n)], tour[wrapped(s + k + 1u, n)]);
            best = with_move(best, edges, n, s, k, here, next);
            here = next;
        }
    }
    return best;
}
#endif

/* Measures the moves of a tile, one for each group; frame.first is the tile of group 0. results[slot] becomes the
 * better of its old content and the tile's best move. bound: a gain that a move is known to reach, as the bits of a
 * float; it saves work and does not change results. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_allpairs_scan(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                  __global const uint *tours, ulong at, __global const float4 *points, __global const long *edges,
                  __global struct tsp_allpairs_best *results, __global uint *bound, struct tsp_allpairs_frame frame)
{
    __local struct tsp_allpairs_best shared[WG];
    __global const uint *tour = tours + at;
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), n = cities, tile = frame.first + group;
    const uint begin = tile / frame.tiles * TILE, last = n / 2u;
    const PLACES places = tsp_places(numbers, fixed, cities);
    struct tsp_allpairs_best best = no_move();
#if ESTIMATE
    __local float4 along[TILE];
    __local float xs[POINTS], ys[POINTS], zs[DIM == 3 ? POINTS : 1], es[POINTS];
    /* Where there are fewer diagonals than the tile has, some diagonals are measured twice. */
    const uint diagonal = 2u + tile % frame.tiles * (WG * ACROSS), own = diagonal + lid * ACROSS;
    const uint most = last + 1u > ACROSS + 2u ? last + 1u - ACROSS : 2u, k = own < most ? own : most;
    const uint base = k - (diagonal < most ? diagonal : most);
    __local float reached[1];
    float wx[ACROSS], wy[ACROSS], wz[ACROSS], we[ACROSS], here[ACROSS], least;
    uint s, u, r;
    if (lid == 0u)
        reached[0] = as_float(atomic_max(bound, 0u));
    stage_along(along, points, n, begin, lid);
    stage_across(xs, ys, zs, es, points, n, begin + (diagonal < most ? diagonal : most) + 1u, lid);
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        const float4 first = points[wrapped(begin, n)];
#pragma unroll
        for (r = 0u; r < ACROSS; r++) {
            const float4 point = points[wrapped(begin + k + r, n)];
            const uint at = SPREAD(base + r);
            here[r] = estimated(first, point.x, point.y, point.z);
            wx[r] = xs[at];
            wy[r] = ys[at];
            wz[r] = DIM == 3 ? zs[at] : 0.0f;
            we[r] = es[at];
        }
    }
    least = fmax(bound_of(0, frame.slack), reached[0] - frame.slack);
    for (s = 0u; s < TILE; s += ACROSS) {
        uint found = 0u;
#pragma unroll
        for (u = 0u; u < ACROSS; u++) {
            const float4 a = along[s + u];
            const uint at = SPREAD(base + s + u + ACROSS);
            float most_gain = -INFINITY;
#pragma unroll
            for (r = 0u; r < ACROSS; r++) {
                const uint w = (r + u) % ACROSS;
                const float next = estimated(a, wx[w], wy[w], wz[w]);
                most_gain = fmax(most_gain, we[w] - (here[r] + next));
                here[r] = next;
            }
            found |= most_gain >= least - a.w ? 1u << u : 0u;
            /* Moves the window by one position. */
            wx[u] = xs[at];
            wy[u] = ys[at];
            wz[u] = DIM == 3 ? zs[at] : 0.0f;
            we[u] = es[at];
        }
        best = best_of_found(best, places, tour, edges, n, begin + s, k, found);
        if (found != 0u)
            least = fmax(least, bound_of(best.gain, frame.slack));
    }
#else
    best = best_of_tile(best, places, tour, edges, n, begin, tile % frame.tiles, last);
#endif
    best = group_better(best, shared);
    if (lid == 0u) {
        results[tile % frame.slots] = better_of(results[tile % frame.slots], best);
        /* The bound is rounded down, so that the gain is reached. */
        if (best.gain > 0)
            atomic_max(bound, as_uint((float)best.gain * (1.0f - 0x1p-22f)));
    }
}

/* In one group: results[0] becomes the best of `count` results. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_allpairs_pick(__global struct tsp_allpairs_best *results, uint count)
{
    __local struct tsp_allpairs_best shared[WG];
    const uint lid = (uint)get_local_id(0);
    struct tsp_allpairs_best best = no_move();
    uint i;
    for (i = lid; i < count; i += WG)
        best = better_of(best, results[i]);
    best = group_better(best, shared);
    if (lid == 0u)
        results[0] = best;
}

/* Makes the move of results[0]: reverses positions i + 1 .. j, or all other positions if these are fewer. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_allpairs_turn(__global const struct tsp_allpairs_best *results, __global uint *tours, ulong at, uint n)
{
    __global uint *tour = tours + at;
    const struct tsp_allpairs_best best = results[0];
    const uint inner = best.gain > 0 ? best.j - best.i : 0u, is_inner = inner <= n - inner ? 1u : 0u;
    const uint count = best.gain > 0 ? (is_inner ? inner : n - inner) : 0u;
    const uint from = is_inner ? best.i + 1u : best.j + 1u;
    uint x;
    for (x = (uint)get_global_id(0); x < count / 2u; x += (uint)get_global_size(0)) {
        const uint a = wrapped(from + x, n), b = wrapped(from + count - 1u - x, n), city = tour[a];
        tour[a] = tour[b];
        tour[b] = city;
    }
}

/* Prepares a scan. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_allpairs_clear(__global struct tsp_allpairs_best *results, __global uint *bound, uint count)
{
    uint i;
    for (i = (uint)get_global_id(0); i < count; i += (uint)get_global_size(0))
        results[i] = no_move();
    if (get_global_id(0) == 0)
        *bound = 0u;
}
