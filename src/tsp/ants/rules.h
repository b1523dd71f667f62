/* Private: the functions and structs of cl/tsp/ants/rules.clh for the host. A file must include this header
 * after all others: macros of this header, such as `clamp` and `fma`, would change declarations in other
 * headers. */
#ifndef SHOAL_TSP_ANTS_RULES_H
#define SHOAL_TSP_ANTS_RULES_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned long ulong;
_Static_assert(sizeof(long) == 8, "a long of the kernels has 64 bits");

static inline int ants_float_bits(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float ants_bits_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float ants_clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static inline ulong ants_clz(ulong x)
{
    return x ? (ulong)__builtin_clzl(x) : 64u;
}

#define __global
#define as_int(x)           ants_float_bits(x)
#define as_float(x)         ants_bits_float(x)
#define clamp(x, low, high) ants_clamp(x, low, high)
#define clz(x)              ants_clz(x)
#define fma(a, b, c)        fmaf(a, b, c)
#define rint(x)             rintf(x)

#include "tsp/ants/rules.clh"

#endif
