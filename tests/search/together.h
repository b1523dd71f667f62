/* random_together of src/base/vectors/random.h, compiled with the flags of each build. */
#ifndef SHOAL_TESTS_SEARCH_TOGETHER_H
#define SHOAL_TESTS_SEARCH_TOGETHER_H

#include "base/vectors/random.h"

typedef void together_function(uint64_t seed, uint32_t step, uint32_t index, uint32_t first,
                               struct shoal_words words[RANDOM_TOGETHER]);
together_function together, together_avx2;

#endif
