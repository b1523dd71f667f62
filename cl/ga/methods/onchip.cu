/* Native version of ga/methods/onchip.cl. Lanes of a pair join terms by shuffles, without local memory and its barrier.
 * A group of at most one warp uses a barrier of the warp. The product of two 32-bit words is one instruction, without
 * another instruction that adds 0 to the upper half. */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#define CAN_EXCHANGE (WG <= 32 || WG % 32 == 0)
#define WARP_MASK (WG < 32 ? (1u << WG % 32) - 1u : 0xffffffffu)
#define EXCHANGE(value, span) __shfl_xor_sync(WARP_MASK, value, span)

#define SYNC() (WG <= 32 ? __syncwarp(WARP_MASK) : __syncthreads())
#define SYNC_WARP() __syncwarp(WARP_MASK)

#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z), (x) < 16 ? 32 : (x) < 512 ? 512 / (x) : 1)

#include "ga/methods/onchip.cl"
