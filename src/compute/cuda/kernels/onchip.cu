/* Native version of pso/onchip.cl: the same text with
 * - lanes of a particle that exchange terms by shuffles, without local memory and its barrier;
 * - the barrier of a warp where the island has no more;
 * - 16-bit halves of random words converted where they stand, in one instruction;
 * - mirrored coordinates by one fused multiplication and addition;
 * - registers limited such that three warps share each scheduler: 12 of 64 K registers' worth.
 */
#include "cuda/prelude.cuh"

#define CAN_EXCHANGE (WG <= 32 || WG % 32 == 0)
#define WARP_MASK (WG < 32 ? (1u << WG % 32) - 1u : 0xffffffffu)
#define EXCHANGE(value, span) __shfl_xor_sync(WARP_MASK, value, span)
#define EXCHANGE_NEXT(value) __shfl_down_sync(WARP_MASK, value, 1)

#define SYNC() (WG <= 32 ? __syncwarp(WARP_MASK) : __syncthreads())

#define MIRRORED(x, face) fma(R(2.0), face, -(x))

#define LOW_HALF(word) ((float)(unsigned short)(word))
#define HIGH_HALF(word) ((float)(unsigned short)((word) >> 16))
#define HALF_UNIT 1.52587890625e-5f
#define HALF_ZERO -0.5f

#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z), (x) < 384 ? 384 / (x) : 1)

#include "pso/onchip.cl"
