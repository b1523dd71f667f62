/* From the tours of a step to the next source: faco_decide, a group for each colony, faco_rebuild and faco_renew, a
 * work-item for each city of each. */
#ifndef WG
#define WG 64
#endif

#include "lib/group.clh"
#include "tsp/faco/places.clh"
#include "tsp/faco/settle.clh"
#include "tsp/faco/trail.clh"

GROUP_REDUCE(least_change, long, min)
GROUP_REDUCE(lowest_ant, uint, min)

/* The ant with the shortest tour, the lowest of equals; where the segments of its tour begin in it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_decide(__global const long *changes, __global const struct faco_piece *pieces, __global const uint *counts,
            __global struct faco_colony *colonies, __global uint *starts, struct faco_settings settings, uint step)
{
    __local long best[WG];
    __local uint ant[WG], scan[2 * WG];
    const uint lid = (uint)get_local_id(0), colony = (uint)get_group_id(0), first = colony * settings.ants;
    long own = changes[first];
    uint own_ant = first;
    for (uint i = lid; i < settings.ants; i += WG)
        if (changes[first + i] < own) {
            own = changes[first + i];
            own_ant = first + i;
        }
    const long change = least_change(own, best);
    const uint winner = lowest_ant(own == change ? own_ant : FACO_NONE, ant), count = counts[winner];
    uint start = 0u;
    for (uint begin = 0u; begin < FACO_SEGMENTS; begin += WG) {
        const uint r = begin + lid;
        uint length = 0u;
        if (r < count) {
            const struct faco_piece piece = pieces[(ulong)winner * FACO_SEGMENTS + r];
            length = (piece.from < piece.to ? piece.to - piece.from : piece.from - piece.to) + 1u;
        }
        const struct scan_result sums = group_scan(length, scan);
        if (r < FACO_SEGMENTS)
            starts[colony * FACO_SEGMENTS + r] = start + sums.before;
        start += sums.total;
    }
    if (lid == 0u)
        faco_settle(settings.seed, settings.share, colony, winner, change, step, colonies + colony);
}

/* The city at a position of the next source: of the winner's tour, or of a colony's ants that are taken together. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_rebuild(__global const uint *orders, __global const struct faco_piece *pieces, __global const uint *counts,
             __global const struct faco_colony *colonies, __global const uint *starts, __global uint *next,
             __global uint *best, __global uint *positions, struct faco_settings settings)
{
    const ulong item = get_global_id(0);
    if (item >= (ulong)settings.n * settings.colonies)
        return;
    const uint colony = (uint)(item / settings.n), position = (uint)(item % settings.n);
    const ulong base = item - position;
    const uint take = colonies[colony].take;
    uint city = take == FACO_TAKE_BEST ? best[item] : orders[item];
    if (take == FACO_TAKE_ANT) {
        const uint tour = settings.merges ? colony : colonies[colony].winner;
        const ulong room = settings.merges ? FACO_MERGED : FACO_SEGMENTS;
        __global const uint *begin = starts + colony * room;
        uint piece = 0u;
        for (uint length = counts[tour]; length > 1u;) {
            const uint part = length / 2u;
            piece += begin[piece + part] <= position ? part : 0u;
            length -= part;
        }
        const struct faco_piece own = pieces[tour * room + piece];
        const uint offset = position - begin[piece];
        city = orders[base + (own.from < own.to ? own.from + offset : own.from - offset)];
    }
    next[item] = city;
    positions[base + city] = position;
    if (colonies[colony].is_better)
        best[item] = city;
}

/* Pheromone of the city at a position, and what follows from it and from the source. placed: FACO_BY_POSITION: numbers in
 * the order of the source. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_renew(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
           __global const uint *orders, __global const uint *candidates, __global const uint *desires,
           __global ushort *trails, __global uint *weights, __global struct faco_stop *stops, __global long *legs,
           __global place_numbers *placed, struct faco_settings settings, uint kept, uint added)
{
    const ulong item = get_global_id(0);
    if (item >= (ulong)settings.n * settings.colonies)
        return;
    const uint n = settings.n, k = settings.k, position = (uint)(item % n);
    const ulong base = item - position;
    const uint city = orders[item];
    const uint before = orders[base + (position ? position : n) - 1u];
    const uint after = orders[base + (position + 1u == n ? 0u : position + 1u)];
    faco_trail(trails + (base + city) * k, candidates + (ulong)city * k, desires + (ulong)city * k, k, before, after,
               settings.least, kept, added, weights + (base + city) * k, stops + item);
#if FACO_BY_POSITION
    for (uint i = 0u; i < FACO_PLACE_NUMBERS; i++)
        placed[item * FACO_PLACE_NUMBERS + i] = numbers[(ulong)city * FACO_PLACE_NUMBERS + i];
#endif
    const PLACES places = tsp_places(numbers, fixed, cities);
    legs[item] = (long)tsp_distance(places, city, after);
#if HAS_FIXED
    if (legs[item] < 0l)
        stops[item].up = 0xffffffffu;
    if (tsp_distance(places, city, before) < 0)
        stops[item].down = 0xffffffffu;
#endif
}
