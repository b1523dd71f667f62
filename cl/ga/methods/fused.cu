/* Native version of ga/methods/fused.cl. The product of two 32-bit words is one instruction, without another
 * instruction that adds 0 to the upper half, and so is the address of a member's genes. Where a warp can make children
 * alone (ga/fused/warps.cuh), it does so. Elsewhere, parents begin to move to the second-level cache as soon as they are
 * selected.
 */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

template <class T> static const T *member_at(const T *x, uint member, uint bytes)
{
    const T *at;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(at) : "r"(member), "r"(bytes), "l"(x));
    __builtin_assume(__isGlobal(at));
    return at;
}
#define MEMBER_AT(x, member) member_at(x, member, (uint)(LINE * sizeof(real)))
#define EARLY_PARENTS 1
#define FETCH(address) asm volatile("prefetch.global.L2 [%0];" : : "l"(address))

/* Asynchronous copies to local memory need compute capability 8.0. A member fills a row. */
#define WARP_ROWS                                                                                                      \
    (__CUDA_ARCH__ >= 800 && REAL == 32 && STRIDE == 32 && WG == 64 && GROUP_PAIRS == 64 && FURTHER &&                  \
     CROSSOVER == CROSS_SBX_BOUNDED && (MUTATION == MUTATE_POLYNOMIAL || MUTATION == MUTATE_UNIFORM))

#include "ga/fused/warps.cuh"
#include "ga/methods/fused.cl"
