/* Finds the best of a swarm that several devices share, between two steps of pso/methods/fused.cl. */
#ifndef WG
#define WG 256
#endif

#include "pso/methods/fused_best.clh"

/* Copies the best of the `count` rows of slot `slot` to row `to` of the arrays to_*. The launch has one group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_copy_best(__global const real *restrict from_value, __global const uint *restrict from_index,
                   __global const real *restrict from_position, __global real *restrict to_value,
                   __global uint *restrict to_index, __global real *restrict to_position, uint slot, uint count, uint to,
                   uint dim)
{
    __local real values[WG];
    __local uint indices[WG];
    leader goal;
    uint d;
    swarm_best(&goal, slot, count, from_value, from_index, values, indices);
    if (get_local_id(0) == 0) {
        to_value[to] = goal.best.value;
        to_index[to] = goal.best.index;
    }
    for (d = (uint)get_local_id(0); d < dim; d += WG)
        to_position[(ulong)to * dim + d] = from_position[(ulong)goal.row * dim + d];
}
