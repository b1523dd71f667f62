/* Bandwidth of global memory: copies n vectors of 16 bytes from in to out. */
#ifndef WG
#define WG 256
#endif
/* Number of vectors that a work-item loads before it stores them. */
#ifndef ITEMS
#define ITEMS 4
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_copy(__global const float4 *in, __global float4 *out, ulong n)
{
    const ulong first = (ulong)get_group_id(0) * (WG * ITEMS) + get_local_id(0);
    float4 item[ITEMS];
    int k;
    if (first + (ITEMS - 1) * WG < n) {
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            item[k] = in[first + (ulong)k * WG];
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            out[first + (ulong)k * WG] = item[k];
    } else {
        for (k = 0; k < ITEMS; k++)
            if (first + (ulong)k * WG < n)
                out[first + (ulong)k * WG] = in[first + (ulong)k * WG];
    }
}
