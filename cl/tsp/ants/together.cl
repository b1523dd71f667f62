/* Tours of the ants of acs. The ants walk at the same time and remove pheromone from the edges that they cross:
 * docs/tsp.md, "Ants". A work-group handles a colony, whose ants are divided among the teams of the group. */
#ifndef WG
#define WG 32
#endif

/* 0, because a team of this file may lead several ants. */
#define IN_REGISTERS 0

#include "tsp/ants/walk.clh"

/* ANTS: ants of a colony; SHARE: ants of each team. */
#ifndef ANTS
#define ANTS 10
#endif
#define SHARE ((ANTS + TEAMS - 1) / TEAMS)
/* Words of local memory for an ant: its set of cities, random numbers, and its present and previous city. */
#define ANT_WORDS (WORDS + NUMBERS + 2u)

/* Index of the pheromone of the edge between two cities; -1: the lists do not have the edge. */
static INLINE long entry_of(__global const uint *lists, uint from, uint to, uint cities)
{
#if FULL
    return (long)((ulong)from * cities + to);
#else
    __global const uint *list = lists + (ulong)from * LISTS;
    uint k;
    for (k = 0; k < CANDIDATES; k++)
        if (list[k] == to)
            return (long)((ulong)from * CANDIDATES + k);
    return -1;
#endif
}

static INLINE int is_same_edge(uint a, uint b, uint c, uint d)
{
    return (a == c && b == d) || (a == d && b == c);
}

/* Reduces the pheromone of the edge that leads ant `ant` to position `place` of its tour, once for each ant that
 * crosses this edge in the same step. Only the call for the first of these ants changes the pheromone. */
static INLINE void wear_edge(__global const uint *lists, __global const float *heuristic, __global float *trails,
                             __global float *weights, __global const uint *tours, struct ants_settings settings, uint ant,
                             uint place)
{
    const uint cities = settings.cities, before = place - 1u, behind = place < cities ? place : 0u;
    const uint a = tours[(ulong)ant * cities + before], b = tours[(ulong)ant * cities + behind];
    uint count = 0, other, side;
    for (other = 0; other < settings.ants; other++)
        if (is_same_edge(a, b, tours[(ulong)other * cities + before], tours[(ulong)other * cities + behind])) {
            if (other < ant)
                return;
            count++;
        }
    for (side = 0; side < 2u; side++) {
        const long at = entry_of(lists, side ? b : a, side ? a : b, cities);
        if (at >= 0) {
            float trail = trails[at];
            uint i;
            for (i = 0; i < count; i++)
                trail = ants_wear(settings, trail);
            trails[at] = trail;
            weights[at] = ants_weight(trail, settings.alpha, heuristic[at]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tsp_ants_together(
    __global const place_numbers *numbers, __global const uint2 *fixed, uint cities, __global const uint *lists,
    __global const float *heuristic, __global float *trails, __global float *weights, __global uint *tours,
    __global long *lengths, struct ants_settings settings, uint step)
{
    __local uint room[ROOM];
    __local uint marks[TEAMS * MARKS];
    __local float sums[TEAMS * SUMS];
    const uint colony = (uint)get_group_id(0), lid = (uint)get_local_id(0), team = lid / TEAM;
    const ulong values = (ulong)colony * cities * settings.entries;
    __global uint *own = tours + (ulong)colony * settings.ants * cities;
    ant_walk walk;
    uint place, turn, ant;
    walk.places = tsp_places(numbers, fixed, cities);
    walk.lists = lists;
    walk.weights = weights + values;
    walk.marks = marks + team * MARKS;
    walk.sums = sums + team * SUMS;
    walk.seed = ants_seed(settings, colony);
    walk.q0 = settings.q0;
    walk.lane = lid % TEAM;
    walk.step = step;
    for (place = 0; place < cities; place++) {
        for (turn = 0; turn < SHARE; turn++) {
            local uint *kept = room + (team * SHARE + turn) * ANT_WORDS;
            walk.ant = turn * TEAMS + team;
            walk.visited = kept + 2;
            walk.numbers = kept + 2 + WORDS;
            if (place == 0u) {
                begin_walk(&walk);
            } else {
                walk.city = kept[0];
                walk.previous = kept[1];
                go_on(&walk, place);
            }
            if (walk.lane == 0u) {
                kept[0] = walk.city;
                kept[1] = walk.previous;
                if (walk.ant < settings.ants)
                    own[(ulong)walk.ant * cities + place] = walk.city;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (ant = lid; ant < settings.ants && place > 0u; ant += WG)
            wear_edge(lists, heuristic, trails + values, weights + values, own, settings, ant, place);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    for (ant = lid; ant < settings.ants; ant += WG) {
        long length = 0;
        wear_edge(lists, heuristic, trails + values, weights + values, own, settings, ant, cities);
        for (place = 0; place < cities; place++)
            length += tsp_distance(walk.places, own[(ulong)ant * cities + place],
                                   own[(ulong)ant * cities + (place + 1u < cities ? place + 1u : 0u)]);
        lengths[colony * settings.ants + ant] = length;
    }
}
