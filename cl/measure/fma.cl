/* Rate of fused multiply-adds: the roof of compute-bound kernels.
 *
 * Each work-item computes 16 independent chains x = x * factor + term, enough to hide the latency of the operation on
 * any device. out[i] is the sum of the chains of work-item i after 16 * blocks steps, which the host computes by a
 * formula.
 */
#ifndef WG
#define WG 256
#endif
/* 1: there is a barrier after each block of steps. A compiler for CPUs then computes the block for all work-items of
 * a group at the same time, in the lanes of vectors; without the barrier it would compute one work-item after the
 * other. */
#ifndef LOCKSTEP
#define LOCKSTEP 0
#endif

#include "lib/real.clh"

#define CHAINS 16
#define BLOCK 16

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_fma(__global real *out, real factor, real term, uint blocks)
{
    const uint id = (uint)get_global_id(0);
    real x[CHAINS], sum = R(0.0);
    uint block, step, chain;
#pragma unroll
    for (chain = 0; chain < CHAINS; chain++)
        x[chain] = (real)(id % 64u + 64u * chain);
    for (block = 0; block < blocks; block++) {
#pragma unroll
        for (step = 0; step < BLOCK; step++) {
#pragma unroll
            for (chain = 0; chain < CHAINS; chain++)
                x[chain] = fma(x[chain], factor, term);
        }
#if LOCKSTEP
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#pragma unroll
    for (chain = 0; chain < CHAINS; chain++)
        sum += x[chain];
    out[id] = sum;
}
