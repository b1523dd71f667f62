/* Kernel that makes the tours of the ants of a step. A tour is an edited copy of the source (tsp/faco/step.clh), and
 * the time to make it does not depend on the number of cities. */
#ifndef WG
#define WG 1
#endif
/* Number of ants of a group. 1: all work-items make one tour together; otherwise each work-item makes the tour of an
 * ant. */
#ifndef ANTS
#define ANTS 1
#endif
/* 1: sources have several pieces. */
#ifndef HAS_PIECES
#define HAS_PIECES 0
#endif

#if ANTS == 1
#define LANES WG
#else
#define LANES 1
#endif
#define TEAMS (WG / LANES)
#if LANES > 1 && LANES < 8
#error "a team has 1, 8, 16 or 32 work-items"
#endif

#include "tsp/faco/step.clh"
#include "tsp/model/distance.clh"

/* Makes the tours of the ants of the pieces settings.first_piece .. first_piece + own_pieces - 1. numbers: with
 * FACO_BY_POSITION, the coordinates of each colony in the order of its source. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_ants(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
          __global const uint *orders, __global const uint *positions, __global const struct faco_stop *stops,
          __global const long *legs, __global const uint *weights, __global const uint *candidates,
          __global const int *reach, __global struct faco_piece *pieces, __global uint *counts,
          __global long *changes, struct faco_settings settings, uint step)
{
    __local struct faco_ant ants[TEAMS];
    const uint team = (uint)get_local_id(0) / LANES, own = (uint)get_group_id(0) * TEAMS + team;
    const uint count = HAS_PIECES ? settings.pieces : 1u, piece_ants = settings.ants / count;
    const uint index = settings.first_piece * piece_ants + own;
    if (own < settings.own_pieces * piece_ants) {
        const ulong base = (ulong)(index / settings.ants) * settings.n;
        local struct faco_ant *ant = &ants[team];
        struct faco_view view;
        view.places = tsp_places(numbers + (FACO_BY_POSITION ? base * FACO_PLACE_NUMBERS : 0ul), fixed, cities);
        view.order = orders + base;
        view.position = positions + base;
        view.stops = stops + base;
        view.legs = legs + base;
        view.weights = weights + base * settings.k;
        view.candidates = candidates;
        view.reach = reach;
        view.n = settings.n;
        view.k = settings.k;
        view.new_edges = settings.new_edges;
        view.searched = settings.searched;
#if HAS_PIECES
        view.own = faco_piece_range(index / piece_ants % count, count, settings.n);
#endif
        view.seed = settings.seed;
        view.step = step;
        if (TEAM_IS_FIRST)
            ant->index = settings.lead * settings.ants + index;
        TEAM_SYNC();
        const long change = faco_make(&view, ant, pieces + (ulong)index * FACO_SEGMENTS, counts + index);
        if (TEAM_IS_FIRST)
            changes[index] = change;
    }
}
