/* The kernel dialect in C11 and double precision, so that a C compiler accepts the text of an objective after
 * this file. It has what src/compute/cuda/prelude.cuh has, except work-items, barriers, atomics and vectors.
 * It is not itself a kernel file. */
#ifndef SHOAL_HOST_H
#define SHOAL_HOST_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define __global
#define __constant const
#define local

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* <math.h> defines these names, too, if files of the library include it. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#define MAXFLOAT FLT_MAX
#define M_PI     3.141592653589793115998
#define M_E      2.718281828459045090796
#define M_PI_F   3.14159274101257f
#define M_E_F    2.71828174591064f

#define REAL 64
#include "lib/real.clh"

/* Functions for several types: HOST_PICK(f, key) is f_int, f_uint, f_long, f_ulong or f_real, by the type of
 * `key`. */
#define HOST_PICK(f, key)                                                                                    \
    _Generic((key), int : f##_int, uint : f##_uint, long : f##_long, ulong : f##_ulong, default : f##_real)
#define HOST_ORDER(T, suffix)                                                                                \
    static inline T host_min_##suffix(T x, T y)                                                              \
    {                                                                                                        \
        return y < x ? y : x;                                                                                \
    }                                                                                                        \
    static inline T host_max_##suffix(T x, T y)                                                              \
    {                                                                                                        \
        return x < y ? y : x;                                                                                \
    }                                                                                                        \
    static inline T host_clamp_##suffix(T x, T low, T high)                                                  \
    {                                                                                                        \
        return host_min_##suffix(host_max_##suffix(x, low), high);                                           \
    }
HOST_ORDER(int, int)
HOST_ORDER(uint, uint)
HOST_ORDER(long, long)
HOST_ORDER(ulong, ulong)
HOST_ORDER(double, real)
#define min(x, y)           HOST_PICK(host_min, (x) + (y))(x, y)
#define max(x, y)           HOST_PICK(host_max, (x) + (y))(x, y)
#define clamp(x, low, high) HOST_PICK(host_clamp, (x) + (low) + (high))(x, low, high)

#include "lib/trig.clh"

static inline double host_sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0;
}
static inline double host_mix(double a, double b, double t)
{
    return a + (b - a) * t;
}
static inline double host_rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* Macros, since some C libraries have functions with these names. */
#define mad(a, b, c) ((a) * (b) + (c))
#define mix(a, b, t) host_mix(a, b, t)
#define sign(x)      host_sign(x)
#define rsqrt(x)     host_rsqrt(x)
#define cospi(x)     cos2pi(0.5 * (x))
#define sinpi(x)     sin2pi(0.5 * (x))
#define exp10(x)     pow(10.0, x)
#define pown(x, n)   pow(x, n)
#define powr(x, y)   pow(x, y)

#define native_exp(x)       exp(x)
#define native_exp2(x)      exp2(x)
#define native_exp10(x)     exp10(x)
#define native_log(x)       log(x)
#define native_log2(x)      log2(x)
#define native_log10(x)     log10(x)
#define native_sin(x)       sin(x)
#define native_cos(x)       cos(x)
#define native_tan(x)       tan(x)
#define native_sqrt(x)      sqrt(x)
#define native_rsqrt(x)     rsqrt(x)
#define native_recip(x)     (1 / (x))
#define native_divide(x, y) ((x) / (y))
#define native_powr(x, y)   pow(x, y)

#define convert_int(x)     ((int)(x))
#define convert_uint(x)    ((uint)(x))
#define convert_long(x)    ((long)(x))
#define convert_ulong(x)   ((ulong)(x))
#define convert_float(x)   ((float)(x))
#define convert_double(x)  ((double)(x))
#define convert_int_rte(x) ((int)rint(x))
#define select(a, b, c)    ((c) ? (b) : (a))

/* Functions that reinterpret the bits of a value as another type. */
#define HOST_BITS(name, from, to)                                                                            \
    static inline to name(from x)                                                                            \
    {                                                                                                        \
        to y;                                                                                                \
        memcpy(&y, &x, sizeof y);                                                                            \
        return y;                                                                                            \
    }
HOST_BITS(host_float_int, float, int)
HOST_BITS(host_float_uint, float, uint)
HOST_BITS(host_int_float, int, float)
HOST_BITS(host_double_long, double, long)
HOST_BITS(host_double_ulong, double, ulong)
HOST_BITS(host_long_double, long, double)
HOST_BITS(host_int_uint, int, uint)
HOST_BITS(host_uint_int, uint, int)
HOST_BITS(host_long_ulong, long, ulong)
HOST_BITS(host_ulong_long, ulong, long)
#define as_int(x)    _Generic((x), float : host_float_int, uint : host_uint_int)(x)
#define as_uint(x)   _Generic((x), float : host_float_uint, int : host_int_uint)(x)
#define as_float(x)  host_int_float((int)(x))
#define as_long(x)   _Generic((x), double : host_double_long, ulong : host_ulong_long)(x)
#define as_ulong(x)  _Generic((x), double : host_double_ulong, long : host_long_ulong)(x)
#define as_double(x) host_long_double((long)(x))

static inline uint host_popcount_uint(uint x)
{
    return (uint)__builtin_popcount(x);
}
static inline ulong host_popcount_ulong(ulong x)
{
    return (ulong)__builtin_popcountl(x);
}
static inline uint host_clz_uint(uint x)
{
    return x ? (uint)__builtin_clz(x) : 32u;
}
static inline ulong host_clz_ulong(ulong x)
{
    return x ? (ulong)__builtin_clzl(x) : 64u;
}
static inline uint host_rotate_uint(uint x, uint n)
{
    return x << (n & 31u) | x >> (-n & 31u);
}
static inline ulong host_rotate_ulong(ulong x, ulong n)
{
    return x << (n & 63u) | x >> (-n & 63u);
}
static inline int host_mul_hi_int(int a, int b)
{
    return (int)(((long)a * b) >> 32);
}
static inline uint host_mul_hi_uint(uint a, uint b)
{
    return (uint)(((ulong)a * b) >> 32);
}
static inline long host_mul_hi_long(long a, long b)
{
    return (long)(((__extension__(__int128) a) * b) >> 64);
}
static inline ulong host_mul_hi_ulong(ulong a, ulong b)
{
    return (ulong)(((__extension__(unsigned __int128) a) * b) >> 64);
}
#define HOST_WORD(f, x) _Generic((x), int : f##_uint, uint : f##_uint, long : f##_ulong, ulong : f##_ulong)
#define popcount(x)     HOST_WORD(host_popcount, x)(x)
#define clz(x)          HOST_WORD(host_clz, x)(x)
#define rotate(x, n)    HOST_WORD(host_rotate, x)(x, n)
#define mul_hi(a, b)                                                                                         \
    _Generic((a), int                                                                                        \
             : host_mul_hi_int, uint                                                                         \
             : host_mul_hi_uint, long                                                                        \
             : host_mul_hi_long, ulong                                                                       \
             : host_mul_hi_ulong)(a, b)

#endif
