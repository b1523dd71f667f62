/* The kernels of lib/scan_blocks.cl for CPUs: a work-item processes a chunk. */
#ifndef WG
#define WG 1
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_sums(__global const uint *input, __global uint *sums, ulong input_offset, uint n, uint chunk)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    uint sum = 0, i;
    if (index >= chunks)
        return;
    for (i = index * chunk; i < end; i++)
        sum += input[input_offset + i];
    sums[index] = sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_chunks(__global const uint *input, __global uint *output, __global const uint *prefixes /* or NULL */,
                 ulong input_offset, ulong output_offset, uint n, uint chunk)
{
    const uint index = (uint)get_global_id(0), chunks = (n - 1) / chunk + 1, end = min(n, (index + 1) * chunk);
    uint prefix = 0, value, i;
    if (index >= chunks)
        return;
    if (prefixes)
        prefix = prefixes[index];
    for (i = index * chunk; i < end; i++) {
        value = input[input_offset + i];
        output[output_offset + i] = prefix;
        prefix += value;
    }
}
