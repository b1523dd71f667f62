/* Native version of ga/methods/fused.cl. The product of two 32-bit words is one instruction, without another
 * instruction that adds 0 to the upper half, and so is the address of a member's genes. Parents begin to move to the
 * second-level cache as soon as they are selected.
 *
 * Microseconds of a generation of 1048576 individuals of 30 genes on an H200: 120, not 128.
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

#include "ga/methods/fused.cl"
