/* Bandwidth of local memory: each work-item reads vectors of 16 bytes, neighbours those beside each other, and adds
 * them. out[i] is the sum of work-item i after 16 * blocks vectors.
 */
#ifndef WG
#define WG 256
#endif
/* 1: there is a barrier after each block of reads, as in measure/fma.cl. */
#ifndef LOCKSTEP
#define LOCKSTEP 0
#endif

#define BLOCK 16
#define CELLS (2 * WG + BLOCK)

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_local(__global uint *out, uint factor, uint blocks)
{
    __local uint4 cells[CELLS];
    const uint lid = (uint)get_local_id(0);
    uint sum = 0, base = 0, block, k;
    for (k = lid; k < CELLS; k += WG) {
        cells[k].x = 4u * k * factor;
        cells[k].y = (4u * k + 1u) * factor;
        cells[k].z = (4u * k + 2u) * factor;
        cells[k].w = (4u * k + 3u) * factor;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (block = 0; block < blocks; block++) {
#pragma unroll
        for (k = 0; k < BLOCK; k++) {
            const uint4 word = cells[lid + base + k];
            sum += word.x + word.y + word.z + word.w;
        }
        base = base + BLOCK < WG ? base + BLOCK : 0;
#if LOCKSTEP
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[get_global_id(0)] = sum;
}
