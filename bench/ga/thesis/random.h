/* MT19937 (Matsumoto and Nishimura 1998), and random numbers made from its words. */
#ifndef SHOAL_BENCH_THESIS_GA_RANDOM_H
#define SHOAL_BENCH_THESIS_GA_RANDOM_H

#include "bench/ga/thesis/functions.h"

#include <stddef.h>
#include <stdint.h>

enum { MT_WORDS = 624, MT_MIDDLE = 397 };

struct mt19937 {
    uint32_t state[MT_WORDS];
    size_t next; /* index of the next word; MT_WORDS: new words must be made first */
};

static inline void mt19937_seed(struct mt19937 *mt, uint32_t seed)
{
    mt->state[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++)
        mt->state[i] = 1812433253u * (mt->state[i - 1] ^ mt->state[i - 1] >> 30) + i;
    mt->next = MT_WORDS;
}

static inline uint32_t mt19937_twist(uint32_t first, uint32_t second, uint32_t middle)
{
    const uint32_t joined = (first & 0x80000000u) | (second & 0x7fffffffu);
    return middle ^ joined >> 1 ^ (-(second & 1) & 0x9908b0dfu);
}

/* The second loop reads what the first one wrote, far enough behind it for vector code. */
static inline void mt19937_renew(struct mt19937 *mt)
{
    uint32_t *state = mt->state;
#pragma omp simd
    for (size_t i = 0; i < MT_WORDS - MT_MIDDLE; i++)
        state[i] = mt19937_twist(state[i], state[i + 1], state[i + MT_MIDDLE]);
#pragma omp simd safelen(64)
    for (size_t i = MT_WORDS - MT_MIDDLE; i < MT_WORDS - 1; i++)
        state[i] = mt19937_twist(state[i], state[i + 1], state[i - (MT_WORDS - MT_MIDDLE)]);
    state[MT_WORDS - 1] = mt19937_twist(state[MT_WORDS - 1], state[0], state[MT_MIDDLE - 1]);
    mt->next = 0;
}

static inline uint32_t mt19937_tempered(uint32_t word)
{
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

static inline uint32_t mt19937_word(struct mt19937 *mt)
{
    if (mt->next == MT_WORDS)
        mt19937_renew(mt);
    return mt19937_tempered(mt->state[mt->next++]);
}

static inline void mt19937_fill(struct mt19937 *mt, uint32_t *restrict words, size_t count)
{
    for (size_t filled = 0; filled < count;) {
        if (mt->next == MT_WORDS)
            mt19937_renew(mt);
        const size_t left = count - filled, here = MT_WORDS - mt->next, n = left < here ? left : here;
        const uint32_t *restrict from = mt->state + mt->next;
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            words[filled + i] = mt19937_tempered(from[i]);
        filled += n;
        mt->next += n;
    }
}

static inline uint32_t index_of(uint32_t word, uint32_t count)
{
    return (uint32_t)((uint64_t)word * count >> 32);
}

/* Makes a uniform number in [0, 1) from a word. */
static inline float uniform_of(uint32_t word)
{
    return (float)(int32_t)(word >> 8) * 0x1p-24f;
}

/* Makes a normal number from two words, by the method of Box and Muller (1958). */
static inline float normal_of(uint32_t radius, uint32_t angle)
{
    const float u = ((float)(int32_t)(radius >> 9) + 0.5f) * 0x1p-23f;
    return sqrtf(-2 * natural_logarithm(u)) * cosine(6.2831853f * uniform_of(angle));
}

#endif
