/* Native version of measure/chains.cl: half numbers, two in a word, and scalar products of four bytes, which CUDA has
 * as instructions, while the .cl text has none of them under CUDA.
 */
#include "cuda/prelude.cuh"

#ifndef WG
#define WG 256
#endif

#if __CUDA_ARCH__ >= 610
#define DOT4(a, b, sum) ((uint)__dp4a((int)(a), (int)(b), (int)(sum)))
#endif

#if __CUDA_ARCH__ >= 530
#define PACKED16 1
typedef uint packed16;

static packed16 packed16_fma(packed16 a, packed16 b, packed16 c)
{
    packed16 result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

/* .rn keeps the compiler from contracting a product and a sum. */
static packed16 packed16_add(packed16 a, packed16 b)
{
    packed16 result;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
}

static packed16 packed16_mul(packed16 a, packed16 b)
{
    packed16 result;
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
}

static packed16 packed16_from(float x)
{
    packed16 result;
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; mov.b32 %0, {h, h}; }" : "=r"(result) : "f"(x));
    return result;
}

/* Half of the sum of both numbers, which are equal. */
static uint packed16_sum(packed16 x)
{
    float low, high;
    asm("{ .reg .b16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }" : "=f"(low), "=f"(high) : "r"(x));
    return (uint)(((int)low + (int)high) / 2);
}
#endif

#include "measure/chains.clh"
