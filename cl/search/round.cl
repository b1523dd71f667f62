/* Computes the points of members some of whose coordinates are rounded. */
#ifndef WG
#define WG 64
#endif
#ifndef BOX
#define BOX 2
#endif

#include "search/space.clh"

/* Each work-item computes one coordinate of a point. Points have the tiles of the members. coordinates: number of
 * coordinates of all tiles, with the padding of the last tile. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_round(__global const real *restrict members, __global real *restrict points,
                  __global const real *restrict settings, ulong coordinates, uint tile, uint dim)
{
    const ulong n = get_global_id(0);
    if (n < coordinates)
        points[n] = shifted(members[n], settings, (uint)(n / tile % dim), dim);
}
