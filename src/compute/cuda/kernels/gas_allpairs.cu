/* Native version of gas/allpairs.cl: the same text with a vote of the warp on whether any of its pairs is near, after
 * which all of it takes the branch or none: no point at which its work-items meet again, in every turn of the loop.
 */
#include "cuda/prelude.cuh"

#define WARP_MASK (WG < 32 ? (1u << WG % 32) - 1u : 0xffffffffu)
#define SOME_OF_WARP(some) (WG % 32 == 0 || WG < 32 ? __any_sync(WARP_MASK, some) : (some))

#include "gas/allpairs.cl"
