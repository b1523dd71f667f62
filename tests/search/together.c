#include "together.h"

#ifdef __AVX2__
#define together together_avx2
#endif

void together(uint64_t seed, uint32_t step, uint32_t index, uint32_t first,
              struct shoal_words words[RANDOM_TOGETHER])
{
    random_together(seed, SHOAL_STREAM_TEST, step, index, first, words);
}
