/* Adds the sums of two neighbours in the tree of a batch's shards: gradients and losses. */
#include "lib/real.clh"

#ifndef WG
#define WG 128
#endif

/* Adds `right` to `left`, for the `count` numbers from `first` on. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_join(__global real *left, __global const real *right, uint first, uint count)
{
    const uint index = (uint)get_global_id(0);
    if (index < count)
        left[first + index] += right[first + index];
}
