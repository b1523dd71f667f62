/* The kernels of lib/sort.cl for CPUs: a work-item processes a chunk. Chunks and the table of counts are as in
 * lib/sort.cl. */
#ifndef WG
#define WG 1
#endif

#define RADIX 256

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_count(__global const uint *keys, __global uint *counts, uint n, uint chunk, uint bit, uint bits)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    const uint radix = 1u << bits;
    uint count[RADIX], i;
    if (index >= chunks)
        return;
    for (i = 0; i < radix; i++)
        count[i] = 0;
    for (i = index * chunk; i < end; i++)
        count[(keys[i] >> bit) & (radix - 1)]++;
    for (i = 0; i < radix; i++)
        counts[i * chunks + index] = count[i];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_scatter(__global const uint *keys, __global const uint *values, __global const uint *places,
                  __global uint *keys_out, __global uint *values_out, uint n, uint chunk, uint bit, uint bits)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    const uint radix = 1u << bits;
    uint next[RADIX], i;
    if (index >= chunks)
        return;
    for (i = 0; i < radix; i++)
        next[i] = places[i * chunks + index];
    for (i = index * chunk; i < end; i++) {
        const uint key = keys[i], to = next[(key >> bit) & (radix - 1)]++;
        keys_out[to] = key;
        values_out[to] = values[i];
    }
}
