/* Integer helpers for sizes and launches. */
#ifndef SHOAL_BASE_INTEGER_H
#define SHOAL_BASE_INTEGER_H

#include <stddef.h>
#include <stdint.h>

/* Number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The least power of two that is not less than `value`, which is at most 2^63. */
static inline uint64_t power_of_two_at_least(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static inline uint64_t clamped(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The least multiple of `unit` that is not less than `value`. */
static inline size_t rounded_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static inline uint32_t div_up(size_t n, size_t by)
{
    return (uint32_t)((n + by - 1) / by);
}

#endif
