/* Kernels that make the next source from the tours of a step, in this order: faco_decide, with a group for each colony;
 * faco_rebuild and faco_renew, with a work-item for each city of each colony. */
#ifndef WG
#define WG 64
#endif

/* Number of work-items that share the candidates of a city. */
#define ROW (WG < 16 ? WG : 16)

#include "lib/group.clh"
#include "tsp/faco/places.clh"
#include "tsp/faco/settle.clh"
#include "tsp/faco/trail.clh"

GROUP_REDUCE(least_change, long, min)
GROUP_REDUCE(lowest_ant, uint, min)

/* Finds the ant with the shortest tour, among equal tours the ant with the lowest number, and decides the next source.
 * Also finds the positions at which the segments of this ant's tour begin. */
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
        faco_settle(settings.seed, settings.share, settings.lead + colony, settings.lead * settings.ants + winner, change,
                    step, colonies + colony);
}

/* Writes the city at a position of the next source: of the winner's tour, or of the merged tours of a colony, rotated
 * by settings.turn positions. */
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
    const uint turned = position + settings.turn, at = turned < settings.n ? turned : turned - settings.n;
    uint city = take == FACO_TAKE_BEST ? best[base + at] : orders[base + at];
    if (take == FACO_TAKE_ANT) {
        const uint tour = settings.merges ? colony * settings.pieces + faco_piece_at(at, settings.pieces, settings.n)
                                          : colonies[colony].winner - settings.lead * settings.ants;
        const ulong room = settings.merges ? FACO_MERGED : FACO_SEGMENTS;
        __global const uint *begin = starts + (settings.merges ? tour : colony) * room;
        uint piece = 0u;
        for (uint length = counts[tour]; length > 1u;) {
            const uint part = length / 2u;
            piece += begin[piece + part] <= at ? part : 0u;
            length -= part;
        }
        const struct faco_piece own = pieces[tour * room + piece];
        const uint offset = at - begin[piece];
        city = orders[base + (own.from < own.to ? own.from + offset : own.from - offset)];
    }
    next[item] = city;
    positions[base + city] = position;
    if (colonies[colony].is_better)
        best[item] = city;
}

/* The exchange between the colonies, which follows faco_rebuild: where the preceding colony has a shorter best tour,
 * this tour becomes the colony's best tour and source; a work-item for each city of each colony. sent, senders: best
 * tours and colonies before the exchange; before: index, in sent and senders, of the colony that precedes the first
 * colony. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_exchange(__global const uint *sent, __global const struct faco_colony *senders, __global uint *orders,
              __global uint *best, __global uint *positions, __global struct faco_colony *colonies,
              struct faco_settings settings, uint before)
{
    const ulong item = get_global_id(0);
    if (item >= (ulong)settings.n * settings.colonies)
        return;
    const uint colony = (uint)(item / settings.n), position = (uint)(item % settings.n);
    const uint sender = colony ? colony - 1u : before;
    if (senders[sender].best < senders[colony].best) {
        const uint city = sent[(ulong)sender * settings.n + position];
        orders[item] = city;
        best[item] = city;
        positions[item - position + city] = position;
        if (position == 0u)
            faco_receive(colonies + colony, senders + sender);
    }
}

/* Updates the pheromone of the city at a position, and the data of the position for the next step. A group handles WG
 * positions, whose cities lie anywhere; ROW neighbouring work-items read the candidates of a city. placed: with
 * FACO_BY_POSITION, coordinates in the order of the source. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_renew(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
           __global const uint *orders, __global const uint *candidates, __global const uint *desires,
           __global ushort *trails, __global uint *weights, __global struct faco_stop *stops, __global long *legs,
           __global place_numbers *placed, struct faco_settings settings, uint kept, uint added)
{
    __local uint cities_of[WG], colony_of[WG], before_of[WG], after_of[WG], up[WG], down[WG], sums[WG * (ROW + 1)];
    __local uchar up_side[WG], down_side[WG];
    const uint lid = (uint)get_local_id(0) % WG, n = settings.n, k = settings.k;
    const ulong first = (ulong)get_group_id(0) * WG, item = first + lid, end = (ulong)n * settings.colonies;
    if (item < end) {
        const uint position = (uint)(item % n);
        __global const uint *order = orders + (item - position);
        cities_of[lid] = order[position];
        colony_of[lid] = (uint)(item / n);
        before_of[lid] = order[(position ? position : n) - 1u];
        after_of[lid] = order[position + 1u == n ? 0u : position + 1u];
    }
    up[lid] = 0u;
    down[lid] = 0u;
    up_side[lid] = FACO_ABSENT;
    down_side[lid] = FACO_ABSENT;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint pass = 0u; pass < ROW; pass++) {
        const uint own = pass * (WG / ROW) + lid / ROW;
        uint sum = 0u;
        for (uint j = lid % ROW; j < (first + own < end ? k : 0u); j += ROW) {
            const ulong entry = (ulong)cities_of[own] * k + j, edge = (ulong)colony_of[own] * n * k + entry;
            const uint city = candidates[entry];
            const uint is_up = city == after_of[own] ? 1u : 0u, is_down = city == before_of[own] ? 1u : 0u;
            const uint weight =
                faco_trail(trails + edge, desires[entry], is_up | is_down, settings.least, kept, added);
            weights[edge] = weight;
            sum += weight;
            if (is_up) {
                up[own] = weight;
                up_side[own] = (uchar)j;
            }
            if (is_down) {
                down[own] = weight;
                down_side[own] = (uchar)j;
            }
        }
        sums[own * (ROW + 1) + lid % ROW] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < end) {
        const uint city = cities_of[lid];
        uint all = 0u;
        for (uint i = 0u; i < ROW; i++)
            all += sums[lid * (ROW + 1) + i];
        faco_set_stop(all, up[lid], down[lid], up_side[lid], down_side[lid], stops + item);
#if FACO_BY_POSITION
        for (uint i = 0u; i < FACO_PLACE_NUMBERS; i++)
            placed[item * FACO_PLACE_NUMBERS + i] = numbers[(ulong)city * FACO_PLACE_NUMBERS + i];
#endif
        const PLACES places = tsp_places(numbers, fixed, cities);
        legs[item] = (long)tsp_distance(places, city, after_of[lid]);
#if HAS_FIXED
        if (legs[item] < 0l)
            stops[item].up = 0xffffffffu;
        if (tsp_distance(places, city, before_of[lid]) < 0)
            stops[item].down = 0xffffffffu;
#endif
    }
}
