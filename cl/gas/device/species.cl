/* Species of the particles after a sort: cl/gas/layout.clh says where they are in the buffer `settings`. */
#ifndef WG
#define WG 64
#endif

#include "gas/model/state.clh"

/* Stores the species of the particle at each place. ids: number of the particle at each place; first, numbers: first
 * indices in `settings` of the species by place and by number. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_species_place(__global const uint *ids, __global real *settings, uint first, uint numbers, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n)
        settings[first + i] = settings[numbers + ids[i]];
}
