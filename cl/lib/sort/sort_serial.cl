/* The kernels of lib/sort/sort.cl for CPUs: a work-item processes a chunk. Chunks and the table of counts are as in
 * lib/sort/sort.cl. */
#ifndef WG
#define WG 1
#endif

#include "lib/sort/types.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_count(__global const KEY *keys, __global uint *counts, uint n, uint chunk, uint bit, uint bits)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    const uint radix = 1u << bits;
    uint count[RADIX], i;
    if (index >= chunks)
        return;
    for (i = 0; i < radix; i++)
        count[i] = 0;
    for (i = index * chunk; i < end; i++)
        count[digit_of(keys[i], bit, radix - 1)]++;
    for (i = 0; i < radix; i++)
        counts[i * chunks + index] = count[i];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_scatter(__global const KEY *keys, __global const VALUE *values /* or NULL */, __global const uint *places,
                  __global KEY *keys_out, __global VALUE *values_out /* or NULL */, uint n, uint chunk, uint bit, uint bits)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    const uint radix = 1u << bits;
    uint next[RADIX], i;
    if (index >= chunks)
        return;
    for (i = 0; i < radix; i++)
        next[i] = places[i * chunks + index];
    for (i = index * chunk; i < end; i++) {
        const KEY key = keys[i];
        const uint to = next[digit_of(key, bit, radix - 1)]++;
        keys_out[to] = key;
#if VALUE_BITS
        values_out[to] = values[i];
#endif
    }
}
