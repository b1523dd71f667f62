/* Private: random words of successive draws, computed together: the bits of shoal_random_words(). */
#ifndef SHOAL_BASE_VECTORS_RANDOM_H
#define SHOAL_BASE_VECTORS_RANDOM_H

#include <shoal/rng.h>
#include <stddef.h>

/* Number of draws that are computed together. */
enum { RANDOM_TOGETHER = 4 };

#ifdef __AVX2__
#include <immintrin.h>

/* Counters of four draws. A lane of 64 bits holds a word of one draw in its lower half. Its upper half may
 * hold anything, since products and results use lower halves only. */
struct random_lanes {
    __m256i x, y, z, w;
};

static inline void random_round(struct random_lanes *c, __m256i key0, __m256i key1)
{
    const __m256i product0 = _mm256_mul_epu32(c->x, _mm256_set1_epi64x(0xD2511F53)),
                  product1 = _mm256_mul_epu32(c->z, _mm256_set1_epi64x(0xCD9E8D57));
    c->x = _mm256_xor_si256(_mm256_srli_epi64(product1, 32), _mm256_xor_si256(c->y, key0));
    c->z = _mm256_xor_si256(_mm256_srli_epi64(product0, 32), _mm256_xor_si256(c->w, key1));
    c->y = product1;
    c->w = product0;
}

static inline void random_store(const struct random_lanes *c, struct shoal_words words[4])
{
    __m256i *out = (__m256i *)(void *)words;
    const __m256i even = _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(c->x, c->y),
                                               _mm256_unpacklo_epi32(c->z, c->w)),
                  odd = _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(c->x, c->y),
                                              _mm256_unpackhi_epi32(c->z, c->w));
    _mm256_storeu_si256(out, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(even, odd, 0x31));
}

/* Sets words[n] to the words of draw first + n. */
static inline void random_together(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                                   uint32_t first, struct shoal_words words[RANDOM_TOGETHER])
{
    struct random_lanes c = {_mm256_set1_epi64x(index),
                             _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_set_epi64x(3, 2, 1, 0)),
                             _mm256_set1_epi64x(step), _mm256_set1_epi64x(stream)};
    __m256i key0 = _mm256_set1_epi64x((uint32_t)seed), key1 = _mm256_set1_epi64x((uint32_t)(seed >> 32));
    for (int round = 0; round < 10; round++) {
        random_round(&c, key0, key1);
        key0 = _mm256_add_epi32(key0, _mm256_set1_epi64x(SHOAL_PHILOX_KEY0(0, 1)));
        key1 = _mm256_add_epi32(key1, _mm256_set1_epi64x(SHOAL_PHILOX_KEY1(0, 1)));
    }
    random_store(&c, words);
}
#elif defined __SSE2__
#include <emmintrin.h>

/* Counters of two draws. A lane of 64 bits holds a word of one draw in its lower half. Its upper half may
 * hold anything, since products and results use lower halves only. */
struct random_lanes {
    __m128i x, y, z, w;
};

static inline void random_round(struct random_lanes *c, __m128i key0, __m128i key1)
{
    const __m128i product0 = _mm_mul_epu32(c->x, _mm_set1_epi64x(0xD2511F53)),
                  product1 = _mm_mul_epu32(c->z, _mm_set1_epi64x(0xCD9E8D57));
    c->x = _mm_xor_si128(_mm_srli_epi64(product1, 32), _mm_xor_si128(c->y, key0));
    c->z = _mm_xor_si128(_mm_srli_epi64(product0, 32), _mm_xor_si128(c->w, key1));
    c->y = product1;
    c->w = product0;
}

static inline void random_store(const struct random_lanes *c, struct shoal_words words[2])
{
    __m128i *out = (__m128i *)(void *)words;
    _mm_storeu_si128(out, _mm_unpacklo_epi64(_mm_unpacklo_epi32(c->x, c->y), _mm_unpacklo_epi32(c->z, c->w)));
    _mm_storeu_si128(out + 1,
                     _mm_unpacklo_epi64(_mm_unpackhi_epi32(c->x, c->y), _mm_unpackhi_epi32(c->z, c->w)));
}

/* Sets words[n] to the words of draw first + n. */
static inline void random_together(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                                   uint32_t first, struct shoal_words words[RANDOM_TOGETHER])
{
    const __m128i x = _mm_set1_epi64x(index), z = _mm_set1_epi64x(step), w = _mm_set1_epi64x(stream),
                  y = _mm_set1_epi32((int)first);
    struct random_lanes a = {x, _mm_add_epi32(y, _mm_set_epi64x(1, 0)), z, w},
                        b = {x, _mm_add_epi32(y, _mm_set_epi64x(3, 2)), z, w};
    __m128i key0 = _mm_set1_epi64x((uint32_t)seed), key1 = _mm_set1_epi64x((uint32_t)(seed >> 32));
    for (int round = 0; round < 10; round++) {
        random_round(&a, key0, key1);
        random_round(&b, key0, key1);
        key0 = _mm_add_epi32(key0, _mm_set1_epi64x(SHOAL_PHILOX_KEY0(0, 1)));
        key1 = _mm_add_epi32(key1, _mm_set1_epi64x(SHOAL_PHILOX_KEY1(0, 1)));
    }
    random_store(&a, words);
    random_store(&b, words + 2);
}
#else
static inline void random_together(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                                   uint32_t first, struct shoal_words words[RANDOM_TOGETHER])
{
    for (uint32_t n = 0; n < RANDOM_TOGETHER; n++)
        words[n] = shoal_random_words(seed, stream, step, index, first + n);
}
#endif

#endif
