/* Candidate lists by a comparison of all pairs, for matrices. As in tsp/model/nearest.clh, the nearest cities come
 * first, among equal distances the lower number; forbidden pairs are left out. */
#ifndef WG
#define WG 64
#endif
/* Length of a list. */
#ifndef COUNT
#define COUNT 10
#endif
#ifndef RULE
#define RULE 0
#endif

#include "tsp/model/distance.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_near_all(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities, __global uint *lists)
{
    const uint a = (uint)get_global_id(0);
    const PLACES places = tsp_places(numbers, fixed, cities);
    if (a < cities) {
        const TSP_PLACE p = tsp_place(places, a);
        DISTANCE distances[COUNT];
        uint found[COUNT], count = 0u, b, i;
        for (b = 0u; b < cities; b++) {
            const DISTANCE distance = tsp_between(places, p, tsp_place(places, b));
            /* Later cities have larger numbers, so of cities at equal distances the earlier city comes
             * first. */
            if (b == a || (count == COUNT && distance >= distances[COUNT - 1]))
                continue;
#if WIDE
            if (distance == FAR_AWAY)
                continue;
#endif
            for (i = count < COUNT ? count++ : COUNT - 1u; i > 0u && distances[i - 1u] > distance; i--) {
                distances[i] = distances[i - 1u];
                found[i] = found[i - 1u];
            }
            distances[i] = distance;
            found[i] = b;
        }
        for (i = 0u; i < COUNT; i++)
            lists[(ulong)a * COUNT + i] = i < count ? found[i] : UINT_MAX;
    }
}
