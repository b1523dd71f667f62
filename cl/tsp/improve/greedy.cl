/* Edges for greedy tours, with their lengths as sort keys: those of candidate lists, and edges between ends of fragments
 * that are near each other on a curve. src/tsp/improve/greedy.c has the rules, and computes the same. */
#ifndef WG
#define WG 64
#endif

#include "lib/group.clh"
#include "tsp/improve/fragments.clh"
#include "tsp/model/distance.clh"
#include "tsp/model/hilbert.clh"

#if REAL != 64 && defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

GROUP_REDUCE(group_max_uint, uint, max)

static inline uint length_key(PLACES places, TSP_PLACE a, uint b)
{
    const DISTANCE length = tsp_between(places, a, tsp_place(places, b));
    if (length < 0)
        return 0u;
    return length > INT_MAX ? UINT_MAX : (uint)length;
}

/* Whether an edge is one of a city's list: the list of the other city, if that has the lower number, must not have it. */
static inline int is_own_edge(__global const uint *lists, uint neighbours, uint used, uint city, uint other)
{
    uint k, is_listed = 0u;
    if (other == NO_END)
        return 0;
    if (other < city)
        for (k = 0u; k < used; k++)
            is_listed |= lists[(ulong)other * neighbours + k] == city;
    return !is_listed;
}

/* counts: [n + 1]: number of edges of each city's list; then 0. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_greedy_count(__global const uint *lists, uint neighbours, uint used, uint n, __global uint *counts)
{
    const uint city = (uint)get_global_id(0);
    if (city <= n) {
        uint count = 0u, j;
        for (j = 0u; j < used && city < n; j++)
            count += (uint)is_own_edge(lists, neighbours, used, city, lists[(ulong)city * neighbours + j]);
        counts[city] = count;
    }
}

/* Raises *longest to the largest key of the group. */
static INLINE void keep_longest(uint key, local uint *scratch, __global uint *longest)
{
    const uint largest = group_max_uint(key, scratch);
    if (get_local_id(0) == 0)
        atomic_max(longest, largest);
}

/* Writes key and id, city * used + index in the list, of each edge, by ascending id. places: the scanned counts. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_greedy_edges(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                      __global const uint *lists, uint neighbours, uint used, __global const uint *places,
                      __global uint *keys, __global uint *ids, __global uint *longest)
{
    __local uint scratch[WG];
    const uint city = (uint)get_global_id(0);
    uint largest = 0u;
    if (city < cities) {
        const PLACES all = tsp_places(numbers, fixed, cities);
        const TSP_PLACE own = tsp_place(all, city);
        uint at = places[city], j;
        for (j = 0u; j < used; j++) {
            const uint other = lists[(ulong)city * neighbours + j];
            if (is_own_edge(lists, neighbours, used, city, other)) {
                const uint key = length_key(all, own, other);
                keys[at] = key;
                ids[at++] = city * used + j;
                largest = max(largest, key);
            }
        }
    }
    keep_longest(largest, scratch, longest);
}

/* The cell of a coordinate, among 2^bits along an axis. As tsp_curve_keys, which computes the scale. */
static inline uint curve_cell(double distance, double scale, uint bits)
{
    return (uint)fmin(scale * distance, (double)((1u << bits) - 1u));
}

/* keys: positions of the ends on a Hilbert curve. least: the least coordinates, as `numbers` has them. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_greedy_curve(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                      __global const uint *ends, uint count, double least_x, double least_y, double least_z, double scale,
                      __global uint *keys)
{
    const uint i = (uint)get_global_id(0), bits = hilbert_bits(DIM);
    if (i < count) {
        uint cell[3];
        cell[0] = cell[1] = cell[2] = 0u;
        if (ends[i] < cities - IS_PATH) {
            const TSP_PLACE place = tsp_place(tsp_places(numbers, fixed, cities), ends[i]);
            cell[0] = curve_cell((double)place.x - least_x, scale, bits);
            cell[1] = curve_cell((double)place.y - least_y, scale, bits);
            cell[2] = curve_cell((double)place.z - least_z, scale, bits);
        }
        keys[i] = hilbert_index(cell, DIM, bits);
    }
}

/* For each end: partners[i], the nearest of the next TRIED_ENDS ends without the other end of its fragment, or NO_END;
 * keys[i], the key of the edge between them; ids[i], which is i. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_greedy_near(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                     __global const fragment_city *fragments, __global const uint *ends, uint count,
                     __global uint *partners, __global uint *keys, __global uint *ids, __global uint *longest)
{
    __local uint scratch[WG];
    const uint i = (uint)get_global_id(0);
    uint least = UINT_MAX;
    if (i < count) {
        const PLACES all = tsp_places(numbers, fixed, cities);
        const TSP_PLACE own = tsp_place(all, ends[i]);
        const uint mate = fragments[ends[i]].far, end = min(count - 1u, i + TRIED_ENDS);
        uint best = NO_END, j;
        for (j = i + 1u; j <= end; j++) {
            if (ends[j] != mate) {
                const uint key = length_key(all, own, ends[j]);
                if (best == NO_END || key < least) {
                    best = ends[j];
                    least = key;
                }
            }
        }
        partners[i] = best;
        keys[i] = least;
        ids[i] = i;
        if (best == NO_END)
            least = 0u;
    } else {
        least = 0u;
    }
    keep_longest(least, scratch, longest);
}
