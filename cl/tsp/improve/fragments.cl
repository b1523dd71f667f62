/* Joins fragments by edges in the order of their ranks, with the result of one edge after another, and follows the last
 * path. src/tsp/improve/fragments.c has the launches.
 *
 * In a round, each edge that may join two fragments is proposed to the two cities, each of which keeps the lowest rank.
 * An edge with the lowest rank at both ends of both fragments joins them: no earlier edge that may join touches these
 * fragments, so the sequential order would take this edge, too. A fragment takes part in at most one join of a round. */
#ifndef WG
#define WG 64
#endif

#include "lib/group.clh"
#include "tsp/improve/fragments.clh"

/* Bit of a listed rank: the edge joins its fragments in this round. */
#define WON 0x80000000u

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_begin(uint n, __global fragment_city *cities)
{
    const uint city = (uint)get_global_id(0);
    if (city < n)
        cities[city] = fragment_of_one(city);
}

/* Writes the edges of candidate lists in the order of their ranks. ids: [count], city * used + index in the list. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_listed(__global const uint *lists, uint neighbours, uint used, __global const uint *ids, uint count,
                          __global uint2 *edges)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const uint city = ids[i] / used;
        uint2 edge;
        edge.x = city;
        edge.y = lists[(ulong)city * neighbours + ids[i] % used];
        edges[i] = edge;
    }
}

/* Writes the edges between ends and their partners in the order of their ranks. order: [count], indices of `ends`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_paired(__global const uint *ends, __global const uint *partners, __global const uint *order, uint count,
                          __global uint2 *edges)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        uint2 edge;
        edge.x = ends[order[i]];
        edge.y = partners[order[i]];
        edges[i] = edge;
    }
}

/* Proposes the edges of the ranks in `from` (NULL: of all ranks below `count`), and lists those that may join two
 * fragments in `to`. Removes what the round before proposed. found[turn]: 0 before the launch; number of ranks in `to`
 * after it. Their order may differ from run to run; the joins do not depend on it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_propose(__global fragment_city *cities, __global const uint2 *edges, __global const uint *from /* or NULL */,
                           uint count, uint turn, __global uint *to, __global uint *found)
{
    __local uint scratch[2 * WG];
    const uint i = (uint)get_global_id(0);
    uint rank = i, may = 0u;
    if (i < count) {
        uint2 edge;
        if (from)
            rank = from[i] & ~WON;
        edge = edges[rank];
        if (edge.y != NO_END) {
            const uint far_x = cities[edge.x].far, far_y = cities[edge.y].far;
            if (far_x != NO_END)
                cities[edge.x].best[1u - turn] = NO_END;
            if (far_y != NO_END)
                cities[edge.y].best[1u - turn] = NO_END;
            may = far_x != NO_END && far_y != NO_END && far_x != edge.y;
            if (may) {
                atomic_min(&cities[edge.x].best[turn], rank);
                atomic_min(&cities[edge.y].best[turn], rank);
            }
        }
    }
    group_append(may, rank, to, found + turn, scratch);
}

/* Whether no edge of a lower rank is proposed to the fragment with the end `city`, to which `rank` is proposed. */
static inline int is_first(__global const fragment_city *cities, uint city, uint turn, uint rank)
{
    return cities[city].best[turn] == rank && cities[cities[city].far].best[turn] >= rank;
}

/* Sets WON of the edges that join fragments in this round, and clears found[] for the next one. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_decide(__global const fragment_city *cities, __global const uint2 *edges, __global uint *ranks, uint count,
                          uint turn, __global uint *found)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const uint rank = ranks[i];
        const uint2 edge = edges[rank];
        if (is_first(cities, edge.x, turn, rank) && is_first(cities, edge.y, turn, rank))
            ranks[i] = rank | WON;
    }
    if (i == 0u)
        found[1u - turn] = 0u;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_join(__global fragment_city *cities, __global const uint2 *edges, __global const uint *ranks, uint count)
{
    const uint i = (uint)get_global_id(0);
    if (i < count && ranks[i] & WON) {
        const uint2 edge = edges[ranks[i] & ~WON];
        join_ends(cities, edge.x, edge.y);
    }
}

/* flags: [count + 1]: whether each city of `listed` (NULL: each city below `count`) is the end of a fragment; then 0, so
 * that an exclusive scan gives their number, too. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_flag(__global const fragment_city *cities, __global const uint *listed /* or NULL */, uint count,
                        __global uint *flags)
{
    const uint i = (uint)get_global_id(0);
    if (i <= count)
        flags[i] = i < count && cities[listed ? listed[i] : i].far != NO_END;
}

/* Writes the ends in the order of `listed`. places: the scanned flags. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_ends(__global const fragment_city *cities, __global const uint *listed /* or NULL */, uint count,
                        __global const uint *places, __global uint *ends)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const uint city = listed ? listed[i] : i;
        if (cities[city].far != NO_END)
            ends[places[i]] = city;
    }
}

/* The path of all cities is followed from many cities at once, its stops: one of each block of STOP_EVERY city numbers,
 * drawn by a hash, so that no usual order of cities puts many stops side by side on the path; and the start, whose number
 * as a stop is that of the blocks. */
static inline uint stop_of_block(uint block, uint n)
{
    uint hash = block * 0x9e3779b9u;
    hash = (hash ^ hash >> 15) * 0x85ebca6bu;
    hash ^= hash >> 13;
    return block * STOP_EVERY + hash % min(STOP_EVERY, n - block * STOP_EVERY);
}

static inline uint blocks_of(uint n)
{
    return (n + STOP_EVERY - 1u) / STOP_EVERY;
}

/* The number of a stop; NO_END: the city is none. */
static inline uint stop_number(uint city, uint start, uint n)
{
    if (city == start)
        return blocks_of(n);
    return stop_of_block(city / STOP_EVERY, n) == city ? city / STOP_EVERY : NO_END;
}

static inline uint stop_city(uint stop, uint start, uint n)
{
    return stop == blocks_of(n) ? start : stop_of_block(stop, n);
}

static inline uint city_beside(__global const fragment_city *cities, uint city, uint side)
{
    return side ? second_of(cities[city]) : cities[city].first;
}

/* For both sides of each stop: links[2 * stop + side] is the number of the next stop on this side, or NO_END, and the
 * number of cities from this stop, which counts, to the next. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_walk(__global const fragment_city *cities, uint n, uint start, __global uint2 *links)
{
    const uint i = (uint)get_global_id(0);
    if (i < 2u * (blocks_of(n) + 1u)) {
        uint before = stop_city(i / 2u, start, n), city = city_beside(cities, before, i % 2u), stop = NO_END;
        uint2 link;
        link.y = 1u;
        while (city != NO_END) {
            const uint next = city_after(cities[city], before);
            stop = stop_number(city, start, n);
            if (stop != NO_END)
                break;
            before = city;
            city = next;
            link.y++;
        }
        link.x = stop;
        links[i] = link;
    }
}

/* Writes the tour. stops: [stops]: the position of each stop in the tour, or NO_END if the stop is not needed, and the
 * side on which the tour leaves it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_fragments_write(__global const fragment_city *cities, uint n, uint start, __global const uint2 *stops,
                         __global uint *tour)
{
    const uint i = (uint)get_global_id(0);
    if (i <= blocks_of(n) && stops[i].x != NO_END) {
        uint before = stop_city(i, start, n), city = city_beside(cities, before, stops[i].y), position = stops[i].x;
        tour[position++] = before;
        while (city != NO_END && stop_number(city, start, n) == NO_END) {
            const uint next = city_after(cities[city], before);
            tour[position++] = city;
            before = city;
            city = next;
        }
    }
}
