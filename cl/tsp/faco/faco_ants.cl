/* The ants of a step: each work-item makes the tour of one, an edited source (tsp/faco/step.clh), in time that does not
 * depend on the number of cities. Groups are small: an ant's path through the text is its own, and a device has more
 * compute units than a step of few colonies has ants. */
#ifndef WG
#define WG 1
#endif

#include "tsp/faco/step.clh"
#include "tsp/model/distance.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
faco_ants(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
          __global const uint *orders, __global const uint *positions, __global const struct faco_stop *stops,
          __global const long *legs, __global const uint *weights, __global const uint *candidates,
          __global const int *reach, __global struct faco_piece *pieces, __global uint *counts,
          __global long *changes, struct faco_settings settings, uint step)
{
    __local struct faco_ant ants[WG];
    const uint index = (uint)get_global_id(0);
    if (index < settings.ants * settings.colonies) {
        const ulong base = (ulong)(index / settings.ants) * settings.n;
        local struct faco_ant *ant = &ants[get_local_id(0)];
        struct faco_view view;
        view.places = tsp_places(numbers, fixed, cities);
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
        view.seed = settings.seed;
        view.step = step;
        ant->index = index;
        changes[index] = faco_make(&view, ant, pieces + (ulong)index * FACO_SEGMENTS, counts + index);
    }
}
