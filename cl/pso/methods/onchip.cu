/* Native version of pso/methods/onchip.cl, with these changes:
 * - lanes of a particle exchange terms by shuffles, without local memory and its barrier;
 * - a group of at most one warp uses a barrier of the warp;
 * - the product of two 32-bit words is one instruction, without another instruction that adds 0 to the upper half;
 * - 16-bit halves of random words are extracted in place, without a shift and a mask;
 * - the terms of a work-item's coordinates are independent (PADS), and steps without a new best end early (QUIET);
 * - coordinates are mirrored by one fused multiply-add;
 * - registers are limited so that a multiprocessor has room for 12 warps, three for each scheduler.
 *
 * Speed on an H100 in fp32, with the speed of the .cl text under CUDA, for the terms x x - 10 cos(2 pi x) + 10 in 30
 * dimensions:
 *     islands of 64, native_cos        20.06 Gevaluations/s, not 17.30 (1.16x)
 *     islands of 64, cos2pi            17.58 Gevaluations/s, not 15.53 (1.13x)
 *     one swarm of 40, cos2pi          1.482 million steps/s, not 1.116 (1.33x)
 */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#define PADS 1
#define QUIET 1

#define CAN_EXCHANGE (WG <= 32 || WG % 32 == 0)
#define WARP_MASK (WG < 32 ? (1u << WG % 32) - 1u : 0xffffffffu)
#define EXCHANGE(value, span) __shfl_xor_sync(WARP_MASK, value, span)
#define EXCHANGE_NEXT(value) __shfl_down_sync(WARP_MASK, value, 1)

#define SYNC() (WG <= 32 ? __syncwarp(WARP_MASK) : __syncthreads())

#define MIRRORED(x, face) fma(R(2.0), face, -(x))

/* With several lanes the device is not full, so latency limits the speed. Then two fast instructions, which form
 * 2^23 + half and subtract 2^23, take less time than one slow conversion. */
#define HALF_UNIT 1.52587890625e-5f
#define HALF_ZERO -0.5f
#if defined(LANES) && LANES > 1
#define LOW_HALF(word) (__uint_as_float(__byte_perm(word, 0x4b000000u, 0x7610)) - 8388608.0f)
#define HIGH_HALF(word) (__uint_as_float(__byte_perm(word, 0x4b000000u, 0x7632)) - 8388608.0f)
#else
#define LOW_HALF(word) ((float)(unsigned short)(word))
#define HIGH_HALF(word) ((float)(unsigned short)((word) >> 16))
#endif

#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z), (x) < 384 ? 384 / (x) : 1)

#include "pso/methods/onchip.cl"
