/* Rate of the special-function unit, measured by its reciprocal square root.
 *
 * Each work-item computes 8 independent chains x = x + native_rsqrt(x). With the sum the result depends on the number
 * of steps (rsqrt alone tends to 1); the addition takes little time beside the root. out[i] is the sum of the chains
 * of work-item i after 8 * blocks steps.
 */
#ifndef WG
#define WG 256
#endif
/* 1: there is a barrier after each block of steps, as in measure/fma.cl. */
#ifndef LOCKSTEP
#define LOCKSTEP 0
#endif

#define CHAINS 8
#define BLOCK 8

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_sfu(__global float *out, uint blocks)
{
    const uint id = (uint)get_global_id(0);
    float x[CHAINS], sum = 0.0f;
    uint block, step, chain;
#pragma unroll
    for (chain = 0; chain < CHAINS; chain++)
        x[chain] = (float)(1u + id % 64u + 64u * chain);
    for (block = 0; block < blocks; block++) {
#pragma unroll
        for (step = 0; step < BLOCK; step++) {
#pragma unroll
            for (chain = 0; chain < CHAINS; chain++)
                x[chain] += native_rsqrt(x[chain]);
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
