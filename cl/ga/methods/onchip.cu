/* Native version of ga/methods/onchip.cl. Lanes of a pair join terms by shuffles, without local memory and its barrier.
 * A group of at most one warp uses a barrier of the warp. The product of two 32-bit words is one instruction, without
 * another instruction that adds 0 to the upper half. */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

/* With many genes, loads of keys from the arguments take more instructions than sums. */
#define KEYED (ONE_RUN && HELD)

#define CAN_EXCHANGE (WG <= 32 || WG % 32 == 0)
#define WARP_MASK (WG < 32 ? (1u << WG % 32) - 1u : 0xffffffffu)
#define EXCHANGE(value, span) __shfl_xor_sync(WARP_MASK, value, span)

#define SYNC() (WG <= 32 ? __syncwarp(WARP_MASK) : __syncthreads())
#define SYNC_WARP() __syncwarp(WARP_MASK)

#if LANES == 1
/* The compiler knows that the number of a work-item is below WG, and leaves out masks. With several lanes this was 4 %
 * slower on an H200. */
template <uint COUNT> static size_t item_below(void)
{
    const uint item = threadIdx.x;
    __builtin_assume(item < COUNT);
    return item;
}
#define get_local_id(dimension) item_below<WG>()
#endif

/* Number of work-items that fit a multiprocessor at a time, which limits registers to 88 or 128. Islands of two genes
 * take 72 if keys of random words take none: 214.4 Gevaluations/s on an H200 (ga.thesis.rosenbrock2; 206.1 with keys in
 * registers); with 68 and with 64 they were slower. */
#define MOST_ITEMS (KEYED && REAL == 32 && DIM * ITEMS <= 4 ? 704 : 512)
#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z), (x) < 16 ? 32 : (x) < 512 ? MOST_ITEMS / (x) : 1)

#include "ga/methods/onchip.cl"
