/* The functions of src/base/vectors/random.h, compiled with the flags of each build. */
#ifndef SHOAL_TESTS_SEARCH_TOGETHER_H
#define SHOAL_TESTS_SEARCH_TOGETHER_H

#include "base/vectors/random.h"

/* Words of successive draws, of twice as many, of successive indices, and of draws of different streams. */
struct drawn {
    struct shoal_words successive[RANDOM_TOGETHER], twice[2 * RANDOM_TOGETHER], indices[2 * RANDOM_TOGETHER],
        each[2 * RANDOM_TOGETHER];
};

/* The draws of `each`, from draw `first` on. */
static inline struct random_draw draw_of(uint32_t index, uint32_t first, uint32_t n)
{
    return (struct random_draw){SHOAL_STREAM_TEST + n % 2, index + 3 * n, first - n};
}

typedef void together_function(uint64_t seed, uint32_t step, uint32_t index, uint32_t first,
                               struct drawn *drawn);
together_function together, together_avx2;

#endif
