/* Private: random words of successive draws or indices, computed together: the bits of shoal_random_words().
 * The operations of different draws do not wait for each other, so more draws take less time each. */
#ifndef SHOAL_BASE_VECTORS_RANDOM_H
#define SHOAL_BASE_VECTORS_RANDOM_H

#include <shoal/rng.h>
#include <stddef.h>
#include <string.h>

/* Number of draws or indices that are computed together. */
enum { RANDOM_TOGETHER = 4 };
/* Number of draws of each of RANDOM_TOGETHER indices that random_rows() computes. */
enum { RANDOM_ROWS = 3 };

/* A draw of random words. */
struct random_draw {
    uint32_t stream, index, draw;
};

/* A word as a double. Vectors have an instruction for this conversion of signed integers alone. */
static inline double random_number(uint32_t word)
{
    return (double)(int32_t)(word ^ 0x80000000) + 0x1p31;
}

/* Converts a random word to a number in [0, 1), as kernels in double precision do. */
static inline double random_uniform(uint32_t word)
{
    return random_number(word) * 0x1p-32;
}

#if defined __AVX2__
#include <immintrin.h>

/* RANDOM_LANES: number of draws of a vector. A lane of 64 bits holds a word of one draw in its lower half.
 * Its upper half may hold anything, since products and results use lower halves only. */
enum { RANDOM_LANES = 4 };
typedef __m256i random_vector;
#define RANDOM_SET(word)       _mm256_set1_epi64x(word)
#define RANDOM_ADD(a, b)       _mm256_add_epi32(a, b)
#define RANDOM_XOR(a, b)       _mm256_xor_si256(a, b)
#define RANDOM_PRODUCT(a, b)   _mm256_mul_epu32(a, b)
#define RANDOM_UPPER(a)        _mm256_srli_epi64(a, 32)
#define RANDOM_SUCCESSIVE      _mm256_set_epi64x(3, 2, 1, 0)
#define RANDOM_LIST(d, member) _mm256_set_epi64x((d)[3].member, (d)[2].member, (d)[1].member, (d)[0].member)
#define RANDOM_LOWER_HALVES(f) _mm256_unpacklo_##f
#define RANDOM_UPPER_HALVES(f) _mm256_unpackhi_##f
#define RANDOM_NUMBERS(v)      _mm256_blend_epi32(v, RANDOM_SET(0x4330000000000000), 0xAA)
#elif defined __SSE2__
#include <emmintrin.h>

enum { RANDOM_LANES = 2 };
typedef __m128i random_vector;
#define RANDOM_SET(word)       _mm_set1_epi64x(word)
#define RANDOM_ADD(a, b)       _mm_add_epi32(a, b)
#define RANDOM_XOR(a, b)       _mm_xor_si128(a, b)
#define RANDOM_PRODUCT(a, b)   _mm_mul_epu32(a, b)
#define RANDOM_UPPER(a)        _mm_srli_epi64(a, 32)
#define RANDOM_SUCCESSIVE      _mm_set_epi64x(1, 0)
#define RANDOM_LIST(d, member) _mm_set_epi64x((d)[1].member, (d)[0].member)
#define RANDOM_LOWER_HALVES(f) _mm_unpacklo_##f
#define RANDOM_UPPER_HALVES(f) _mm_unpackhi_##f
#define RANDOM_NUMBERS(v)                                                                                    \
    _mm_or_si128(_mm_and_si128(v, RANDOM_SET(0xFFFFFFFF)), RANDOM_SET(0x4330000000000000))
#endif

#ifdef RANDOM_SET
/* Counters of RANDOM_LANES draws. */
struct random_lanes {
    random_vector x, y, z, w;
};

static inline void random_round(struct random_lanes *c, random_vector key0, random_vector key1)
{
    const random_vector product0 = RANDOM_PRODUCT(c->x, RANDOM_SET(0xD2511F53)),
                        product1 = RANDOM_PRODUCT(c->z, RANDOM_SET(0xCD9E8D57));
    c->x = RANDOM_XOR(RANDOM_UPPER(product1), RANDOM_XOR(c->y, key0));
    c->z = RANDOM_XOR(RANDOM_UPPER(product0), RANDOM_XOR(c->w, key1));
    c->y = product1;
    c->w = product0;
}

static inline void random_store(const struct random_lanes *c, struct shoal_words words[RANDOM_LANES])
{
    const random_vector even = RANDOM_LOWER_HALVES(epi64)(RANDOM_LOWER_HALVES(epi32)(c->x, c->y),
                                                          RANDOM_LOWER_HALVES(epi32)(c->z, c->w)),
                        odd = RANDOM_LOWER_HALVES(epi64)(RANDOM_UPPER_HALVES(epi32)(c->x, c->y),
                                                         RANDOM_UPPER_HALVES(epi32)(c->z, c->w));
#ifdef __AVX2__
    __m256i *out = (__m256i *)(void *)words;
    _mm256_storeu_si256(out, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(even, odd, 0x31));
#else
    __m128i *out = (__m128i *)(void *)words;
    _mm_storeu_si128(out, even);
    _mm_storeu_si128(out + 1, odd);
#endif
}

/* Stores words as doubles: the lower halves of the lanes are the last bits of 2^52 + word. */
static inline void random_store_numbers(random_vector words, double numbers[RANDOM_LANES])
{
    const random_vector bits = RANDOM_NUMBERS(words);
    memcpy(numbers, &bits, sizeof bits);
    for (int n = 0; n < RANDOM_LANES; n++)
        numbers[n] -= 0x1p52;
}

/* Makes the words of `groups` vectors of draws, a constant of the caller, of their counters. */
static inline void random_mix(struct random_lanes *c, int groups, uint64_t seed)
{
    random_vector key0 = RANDOM_SET((uint32_t)seed), key1 = RANDOM_SET((uint32_t)(seed >> 32));
    for (int round = 0; round < 10; round++) {
        for (int g = 0; g < groups; g++)
            random_round(&c[g], key0, key1);
        key0 = RANDOM_ADD(key0, RANDOM_SET(SHOAL_PHILOX_KEY0(0, 1)));
        key1 = RANDOM_ADD(key1, RANDOM_SET(SHOAL_PHILOX_KEY1(0, 1)));
    }
}

static inline void random_compute(struct random_lanes *c, int groups, uint64_t seed,
                                  struct shoal_words *words)
{
    random_mix(c, groups, seed);
    for (int g = 0; g < groups; g++)
        random_store(&c[g], words + g * RANDOM_LANES);
}

/* Sets `count` words, at most 3 RANDOM_TOGETHER, of successive draws of an index, or of successive indices.
 * count: a constant of the caller, of whole vectors. */
static inline void random_successive(uint64_t seed, uint32_t step, struct random_draw first, int are_draws,
                                     int count, struct shoal_words *words)
{
    struct random_lanes c[3 * RANDOM_TOGETHER / RANDOM_LANES];
    const random_vector index = RANDOM_SET(first.index), draw = RANDOM_SET(first.draw);
    random_vector next = RANDOM_ADD(are_draws ? draw : index, RANDOM_SUCCESSIVE);
    for (int g = 0; g < count / RANDOM_LANES; g++, next = RANDOM_ADD(next, RANDOM_SET(RANDOM_LANES)))
        c[g] = (struct random_lanes){are_draws ? index : next, are_draws ? next : draw, RANDOM_SET(step),
                                     RANDOM_SET(first.stream)};
    random_compute(c, count / RANDOM_LANES, seed, words);
}

/* Sets the numbers of draw first.draw + k of index first.index + n: numbers[4 k + w][n] is its word w. */
static inline void random_rows(uint64_t seed, uint32_t step, struct random_draw first,
                               double numbers[RANDOM_ROWS * 4][RANDOM_TOGETHER])
{
    enum { EACH = RANDOM_TOGETHER / RANDOM_LANES };
    struct random_lanes c[RANDOM_ROWS * EACH];
    for (uint32_t g = 0; g < RANDOM_ROWS * EACH; g++)
        c[g] = (struct random_lanes){
            RANDOM_ADD(RANDOM_SET(first.index + g % EACH * RANDOM_LANES), RANDOM_SUCCESSIVE),
            RANDOM_SET(first.draw + g / EACH), RANDOM_SET(step), RANDOM_SET(first.stream)};
    random_mix(c, RANDOM_ROWS * EACH, seed);
    for (int g = 0; g < RANDOM_ROWS * EACH; g++) {
        double(*row)[RANDOM_TOGETHER] = numbers + g / EACH * 4;
        const int n = g % EACH * RANDOM_LANES;
        random_store_numbers(c[g].x, row[0] + n);
        random_store_numbers(c[g].y, row[1] + n);
        random_store_numbers(c[g].z, row[2] + n);
        random_store_numbers(c[g].w, row[3] + n);
    }
}

/* Sets words[n] to the words of draws[n]. */
static inline void random_each(uint64_t seed, uint32_t step,
                               const struct random_draw draws[2 * RANDOM_TOGETHER],
                               struct shoal_words words[2 * RANDOM_TOGETHER])
{
    enum { VECTORS = 2 * RANDOM_TOGETHER / RANDOM_LANES };
    struct random_lanes c[VECTORS];
    for (int g = 0; g < VECTORS; g++) {
        const struct random_draw *own = draws + g * RANDOM_LANES;
        c[g] = (struct random_lanes){RANDOM_LIST(own, index), RANDOM_LIST(own, draw), RANDOM_SET(step),
                                     RANDOM_LIST(own, stream)};
    }
    random_compute(c, VECTORS, seed, words);
}
#else
static inline void random_successive(uint64_t seed, uint32_t step, struct random_draw first, int are_draws,
                                     int count, struct shoal_words *words)
{
    for (uint32_t n = 0; n < (uint32_t)count; n++)
        words[n] = shoal_random_words(seed, first.stream, step, first.index + (are_draws ? 0 : n),
                                      first.draw + (are_draws ? n : 0));
}

static inline void random_rows(uint64_t seed, uint32_t step, struct random_draw first,
                               double numbers[RANDOM_ROWS * 4][RANDOM_TOGETHER])
{
    for (uint32_t row = 0; row < RANDOM_ROWS; row++, numbers += 4)
        for (uint32_t n = 0; n < RANDOM_TOGETHER; n++) {
            const struct shoal_words words =
                shoal_random_words(seed, first.stream, step, first.index + n, first.draw + row);
            numbers[0][n] = words.x;
            numbers[1][n] = words.y;
            numbers[2][n] = words.z;
            numbers[3][n] = words.w;
        }
}

static inline void random_each(uint64_t seed, uint32_t step,
                               const struct random_draw draws[2 * RANDOM_TOGETHER],
                               struct shoal_words words[2 * RANDOM_TOGETHER])
{
    for (int n = 0; n < 2 * RANDOM_TOGETHER; n++)
        words[n] = shoal_random_words(seed, draws[n].stream, step, draws[n].index, draws[n].draw);
}
#endif

/* random_together: sets words[n] to the words of draw first + n of an index; random_twice, random_thrice: of
 * twice and three times as many draws. random_of_indices: sets words[n] to the words of a draw of index first
 * + n. */
static inline void random_together(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                                   uint32_t first, struct shoal_words words[RANDOM_TOGETHER])
{
    random_successive(seed, step, (struct random_draw){stream, index, first}, 1, RANDOM_TOGETHER, words);
}

static inline void random_twice(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index, uint32_t first,
                                struct shoal_words words[2 * RANDOM_TOGETHER])
{
    random_successive(seed, step, (struct random_draw){stream, index, first}, 1, 2 * RANDOM_TOGETHER, words);
}

static inline void random_thrice(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                                 uint32_t first, struct shoal_words words[3 * RANDOM_TOGETHER])
{
    random_successive(seed, step, (struct random_draw){stream, index, first}, 1, 3 * RANDOM_TOGETHER, words);
}

static inline void random_of_indices(uint64_t seed, uint32_t stream, uint32_t step, uint32_t first,
                                     uint32_t draw, struct shoal_words words[2 * RANDOM_TOGETHER])
{
    random_successive(seed, step, (struct random_draw){stream, first, draw}, 0, 2 * RANDOM_TOGETHER, words);
}

#endif
