/* Adds the sums (gradients and losses) of neighbouring nodes in the binary tree over the shards of a batch: see
 * src/mlp/training/shards.h. */
#include "lib/real.clh"

#ifndef WG
#define WG 128
#endif

/* Adds right0 to left0, then right1 to left1 if joins > 1, then right2 to left2 if joins > 2: the `count` numbers
 * from `first` on, and the `more` numbers from `second` on. A buffer may occur more than once: a work-item makes
 * all additions for one index, one after another. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void mlp_join(__global real *left0, __global const real *right0, __global real *left1 /* or NULL */,
              __global const real *right1 /* or NULL */, __global real *left2 /* or NULL */,
              __global const real *right2 /* or NULL */, uint joins, uint first, uint count, uint second, uint more)
{
    const uint index = (uint)get_global_id(0), place = index < count ? first + index : second + (index - count);
    if (index < count + more) {
        left0[place] += right0[place];
        if (joins > 1u)
            left1[place] += right1[place];
        if (joins > 2u)
            left2[place] += right2[place];
    }
}
