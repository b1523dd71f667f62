/* The mean kinetic energy of a particle, with which limiter L1 of the thesis compares energies. */
#ifndef WG
#define WG 64
#endif

#include "gas/device/kinetic.clh"

/* Computes the mean kinetic energy of a particle for the limiter, and stores it in words[WORD_LIMIT_MEAN]. Launched
 * with one work-group. sums: partial sums of gas_kinetic, [count]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_limit_mean(__global const EXCHANGE *sums, __global uint *words, __global const real *settings, uint count, uint n)
{
    __local EXCHANGE scratch[WG];
    const wide kinetic = kinetic_of(sums, count, settings, scratch);
    if (get_local_id(0) == 0) {
#if PRECISION == SINGLE
        words[WORD_LIMIT_MEAN] = as_uint(kinetic / (wide)n);
#else
        const ulong bits = as_ulong(kinetic / (wide)n);
        words[WORD_LIMIT_MEAN] = (uint)bits;
        words[WORD_LIMIT_MEAN + 1] = (uint)(bits >> 32);
#endif
    }
}
