/* Local search of many tours; a work-group improves a tour. A launch makes a limited number of rounds for each tour;
 * the queues are kept between launches. */
#ifndef WG
#define WG 32
#endif
/* Number of cities for which local memory has room, with IN_LOCAL. */
#ifndef ROOM
#define ROOM 64
#endif

#include "tsp/improve/search.clh"

/* Larger than every distance. */
#if WIDE
#define FARTHEST ((long)(~(ulong)0 >> 1))
#else
#define FARTHEST 0x7fffffff
#endif

/* The struct of src/tsp/improve/device.c. */
struct tsp_improve_launch {
    ulong seed, stride; /* seed: of the first `ants` tours; stride: added to the seed for each further `ants` tours */
    uint step, ants;
    uint neighbours, reach, rounds;
    uint is_first; /* 1: all cities are in the queue */
    float slack;   /* slack of tsp/improve/screen.clh */
    uint unused;
};

/* Computes the distances of each city's candidates, and `sites`, the coordinates of the cities for screen.clh. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_improve_near(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                 __global const uint *lists, __global DISTANCE *near, __global screen_numbers *sites, uint neighbours)
{
    const PLACES places = tsp_places(numbers, fixed, cities);
    const uint city = (uint)get_global_id(0);
    uint j;
    for (j = 0u; j < neighbours && city < cities; j++) {
        const ulong at = (ulong)city * neighbours + j;
        near[at] = lists[at] == NO_CITY ? FARTHEST : tsp_distance(places, city, lists[at]);
    }
#if SCREENED
    if (city < cities)
        sites[city] = screen_numbers_of(places, city);
#endif
}

/* Improves tours. tours, queues, places: n cities for each tour; waits: n bytes for each tour. waiting: number of
 * cities in each queue, from its index 0 on. moves: number of moves that the search has made. left: number of tours
 * whose queue is not empty after the launch. lengths: the kernel subtracts gains. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
tsp_improve(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
            __global const uint *lists, __global const DISTANCE *near, __global const screen_numbers *sites, __global uint *tours, __global long *lengths,
            __global uint *queues, __global uint *places, __global uchar *waits, __global uint *waiting,
            __global uint *moves, __global uint *left, struct tsp_improve_launch launch)
{
    const uint lid = (uint)get_local_id(0), tour = (uint)get_group_id(0), n = cities;
    const ulong base = (ulong)tour * n;
    const uint count = launch.is_first ? n : waiting[tour];
    __local improve_search search[1];
#if IN_LOCAL
    __local ushort order[ROOM], place[ROOM], queue[ROOM];
    __local uchar own_waits[ROOM];
#endif
    tour_view v;
    uint i, round;
    v.search = search;
    v.lists = lists;
    v.near = near;
    v.sites = sites;
    v.places = tsp_places(numbers, fixed, cities);
    v.n = n;
    v.neighbours = launch.neighbours;
    v.reach = launch.reach;
    v.slack = launch.slack;
    v.drawn = shoal_random_words(launch.seed + (ulong)(tour / launch.ants) * launch.stride, SHOAL_STREAM_TSP_IMPROVE,
                                 launch.step, tour % launch.ants, 0u);
#if IN_LOCAL
    v.order = order;
    v.place = place;
    v.queue = queue;
    v.waits = own_waits;
    for (i = lid; i < n; i += WG) {
        order[i] = (ushort)tours[base + i];
        if (i < count && !launch.is_first)
            queue[i] = (ushort)queues[base + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    v.order = tours + base;
    v.place = places + base;
    v.queue = queues + base;
    v.waits = waits + base;
#endif
    improve_begin(&v, count, launch.is_first ? 1 : 0, launch.is_first ? 0u : moves[tour]);
    for (round = 0u; round < launch.rounds && search->count > 0u; round++) {
        improve_round(&v);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if !HAS_BITS
        wake_all(&v);
#endif
    }
#if IN_LOCAL
    for (i = lid; i < n; i += WG)
        tours[base + i] = order[i];
    for (i = lid; i < search->count; i += WG)
        queues[base + i] = queue[queue_at(&v, i)];
#else
    /* Stores the queue from index 0 on; its cities pass through `places`, which the next launch sets again. */
    for (i = lid; i < search->count; i += WG)
        v.place[i] = v.queue[queue_at(&v, i)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = lid; i < search->count; i += WG)
        v.queue[i] = v.place[i];
#endif
    if (lid == 0u) {
        waiting[tour] = search->count;
        moves[tour] = search->moves;
        lengths[tour] -= (long)search->gained;
        if (search->count > 0u)
            atomic_inc(left);
    }
}
