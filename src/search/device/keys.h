/* Private: the keys of random words as arguments of launches. */
#ifndef SHOAL_SEARCH_KEYS_H
#define SHOAL_SEARCH_KEYS_H

#include <shoal/rng.h>

enum { SEARCH_KEYS = 20 };

/* Writes the keys of a seed in the order of shoal_counters_of() of cl/lib/philox.clh. */
static inline void search_fill_keys(uint32_t keys[SEARCH_KEYS], uint64_t seed)
{
    const uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
    for (uint32_t round = 0; round < SEARCH_KEYS / 2; round++) {
        keys[2 * round] = SHOAL_PHILOX_KEY0(low, round);
        keys[2 * round + 1] = SHOAL_PHILOX_KEY1(high, round);
    }
}

#endif
