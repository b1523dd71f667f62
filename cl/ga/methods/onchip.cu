/* Native version of ga/methods/onchip.cl: the same text with
 * - lanes of a pair join terms by shuffles, without local memory and its barrier;
 * - the barrier of a warp where the island has no more;
 * - products of random words in one instruction: the compiler adds a 0 to the upper half of a 64-bit product.
 */
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
