/* Native version of measure/matrix.cl, by mma.sync of PTX, for compute capability 8.0 on. Newer architectures have
 * further instructions for whole blocks of matrices in local memory (wgmma), which are faster than mma.sync.
 *
 * Each warp multiplies two matrices whose elements are all 1 and adds the product to eight independent sums, so that
 * each element of a sum grows by the number of columns of the first matrix, exactly.
 */
#include "cuda/prelude.cuh"

#ifndef WG
#define WG 256
#endif
#ifndef FORMAT
#define FORMAT 2
#endif

#define CHAINS 8
#define BLOCK 4

#if FORMAT == 3
typedef int element;
#define SUMS "+r"
#else
typedef float element;
#define SUMS "+f"
#endif

#if FORMAT == 0
#define SHAPE "m16n8k8.row.col.f32.tf32.tf32.f32"
#elif FORMAT == 1
#define SHAPE "m16n8k16.row.col.f32.bf16.bf16.f32"
#elif FORMAT == 2
#define SHAPE "m16n8k16.row.col.f32.f16.f16.f32"
#else
#define SHAPE "m16n8k32.row.col.s32.s8.s8.s32"
#endif

/* ones: a word of factors that are 1, as the host has it, so that no compiler knows the product. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_matrix(__global uint *out, uint ones, uint blocks)
{
    const uint id = (uint)get_global_id(0);
#if __CUDA_ARCH__ < 800
    if (id == 0)
        out[0] = 0;
#else
    element sums[CHAINS][4];
    uint sum = 0;
#pragma unroll
    for (uint chain = 0; chain < CHAINS; chain++)
#pragma unroll
        for (uint i = 0; i < 4; i++)
            sums[chain][i] = (element)(id % 64u + chain);
    for (uint block = 0; block < blocks; block++)
#pragma unroll
        for (uint step = 0; step < BLOCK; step++)
#pragma unroll
            for (uint chain = 0; chain < CHAINS; chain++)
                asm volatile("mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                             : SUMS(sums[chain][0]), SUMS(sums[chain][1]), SUMS(sums[chain][2]), SUMS(sums[chain][3])
                             : "r"(ones));
#pragma unroll
    for (uint chain = 0; chain < CHAINS; chain++)
#pragma unroll
        for (uint i = 0; i < 4; i++)
            sum += (uint)sums[chain][i];
    if (id == 0)
        out[0] = 1;
    out[1 + id] = sum;
#endif
}
