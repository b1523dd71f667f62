/* Tours of ants: docs/tsp.md, "Ants". A team for each ant. */
#ifndef WG
#define WG 32
#endif
/* CUDA: groups that must fit a multiprocessor at a time. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif

#include "tsp/ants/walk.clh"
#if HAS_WARP && CANDIDATES <= 32 && !HAS_Q0
#include "tsp/ants/warp.clh"
#else
/* Finds the tour, which has begun; returns the length of the edges that the lane measures. */
static INLINE long find_tour(ant_walk *walk, __global uint *tour)
{
    const uint cities = walk->places.cities, lane = walk->lane;
    uint kept = walk->city, place;
#if TEAM < 32
    if (lane == 0u)
        tour[0] = kept;
    for (place = 1; place < cities; place++) {
        go_on(walk, place);
        if (lane == 0u)
            tour[place] = walk->city;
    }
#else
    /* Each work-item keeps one of 32 cities of the tour, and all write these cities together. */
    uint first;
    place = 1;
    for (first = 0; first < cities; first += 32u) {
        const uint behind = cities - first < 32u ? cities : first + 32u;
        for (; place < behind; place++) {
            go_on(walk, place);
            kept = place - first == lane ? walk->city : kept;
        }
        if (first + lane < cities)
            tour[first + lane] = kept;
    }
#endif
    TOGETHER(CLK_GLOBAL_MEM_FENCE);
    return lane_length(walk->places, tour, lane);
}
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_walk(
    __global const place_numbers *numbers, __global const uint2 *fixed, uint cities, __global const uint *lists,
    __global const float *weights, __global uint *tours, __global long *lengths, struct ants_settings settings, uint step)
{
    __local uint visited[ROOM];
    __local uint words[TEAMS * NUMBER_ROOM];
    __local uint marks[TEAMS * MARKS];
    __local float sums[TEAMS * SUMS];
#if !HAS_WARP
    __local long parts[WG];
#endif
    /* Teams of the last group that have no ant repeat the work for the last ant. */
    const uint lid = (uint)get_local_id(0), team = lid / TEAM, lane = lid % TEAM;
    const uint last = settings.colonies * settings.ants - 1u, number = (uint)get_group_id(0) * TEAMS + team;
    const uint own = number < last ? number : last, colony = own / settings.ants;
    __global uint *tour = tours + (ulong)own * cities;
    ant_walk walk;
    long length;
    uint place;
    walk.places = tsp_places(numbers, fixed, cities);
    walk.lists = lists;
    walk.weights = weights + (ulong)colony * cities * settings.entries;
    walk.visited = visited + team * WORDS;
    walk.numbers = words + team * NUMBER_ROOM + 1;
    walk.marks = marks + team * MARKS;
    walk.sums = sums + team * SUMS;
    walk.seed = ants_seed(settings, colony);
    walk.q0 = settings.q0;
    walk.lane = lane;
    walk.ant = own % settings.ants;
    walk.step = step;
    begin_walk(&walk);
    length = find_tour(&walk, tour);
#if HAS_WARP
    for (place = 16; place > 0u; place /= 2u)
        length += SHOAL_WARP_SHUFFLE(length, place);
#else
    parts[lid] = length;
    TOGETHER(CLK_LOCAL_MEM_FENCE);
    for (place = 1; place < TEAM && lane == 0u; place++)
        length += parts[lid + place];
#endif
    if (lane == 0u)
        lengths[own] = length;
}
