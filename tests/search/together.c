#include "together.h"

#ifdef __AVX2__
#define together together_avx2
#endif

void together(uint64_t seed, uint32_t step, uint32_t index, uint32_t first, struct drawn *drawn)
{
    struct random_draw draws[2 * RANDOM_TOGETHER];
    for (uint32_t n = 0; n < 2 * RANDOM_TOGETHER; n++)
        draws[n] = draw_of(index, first, n);
    random_together(seed, SHOAL_STREAM_TEST, step, index, first, drawn->successive);
    random_twice(seed, SHOAL_STREAM_TEST, step, index, first, drawn->twice);
    random_of_indices(seed, SHOAL_STREAM_TEST, step, index, first, drawn->indices);
    random_each(seed, step, draws, drawn->each);
}
