/* Arrays of random numbers, and the generator itself, for tests with its published vectors.
 *
 * Element e of an array is computed from the counter {e / 4, 0, step, stream} (for reals of 64 bits: e / 2), so its
 * value depends neither on the size of the array nor on the device.
 */
#ifndef WG
#define WG 256
#endif

#include "lib/real.clh"
#include "lib/philox.clh"

/* The real numbers from one block of four words, which one access stores. */
#if REAL == 64
#define BLOCK 2
typedef double2 real_block;
#else
#define BLOCK 4
typedef float4 real_block;
#endif

/* Applies the generator to `count` counters. A counter and a result have 4 words each; a key has 2 words. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void philox_blocks(__global const uint *counters, __global const uint *keys, __global uint *results, uint count)
{
    const uint i = (uint)get_global_id(0);
    struct shoal_words words;
    if (i >= count)
        return;
    words.x = counters[4 * i];
    words.y = counters[4 * i + 1];
    words.z = counters[4 * i + 2];
    words.w = counters[4 * i + 3];
    words = shoal_philox4x32(words, keys[2 * i], keys[2 * i + 1]);
    results[4 * i] = words.x;
    results[4 * i + 1] = words.y;
    results[4 * i + 2] = words.z;
    results[4 * i + 3] = words.w;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void philox_words(__global uint *out, ulong seed, uint stream, uint step, uint n)
{
    const uint i = (uint)get_global_id(0);
    const struct shoal_words words = shoal_random_words(seed, stream, step, i, 0);
    __global uint4 *wide = (__global uint4 *)out;
    uint4 four;
    if (4 * i + 3 < n) {
        four.x = words.x;
        four.y = words.y;
        four.z = words.z;
        four.w = words.w;
        wide[i] = four;
    } else {
        if (4 * i < n)
            out[4 * i] = words.x;
        if (4 * i + 1 < n)
            out[4 * i + 1] = words.y;
        if (4 * i + 2 < n)
            out[4 * i + 2] = words.z;
    }
}

static void store_block(__global real *out, const real *value, uint i, uint n)
{
    __global real_block *wide = (__global real_block *)out;
    real_block block;
    uint k;
    block.x = value[0];
    block.y = value[1];
#if BLOCK == 4
    block.z = value[2];
    block.w = value[3];
#endif
    if (BLOCK * i + BLOCK <= n)
        wide[i] = block;
    else
        for (k = 0; k < BLOCK; k++)
            if (BLOCK * i + k < n)
                out[BLOCK * i + k] = value[k];
}

/* Fills the array with uniform random numbers in [low, low + range). */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void philox_uniform(__global real *out, ulong seed, uint stream, uint step, real low, real range, uint n)
{
    const uint i = (uint)get_global_id(0);
    const struct shoal_words words = shoal_random_words(seed, stream, step, i, 0);
    real value[BLOCK];
#if REAL == 64
    value[0] = low + range * shoal_uniform_double(words.x, words.y);
    value[1] = low + range * shoal_uniform_double(words.z, words.w);
#else
    value[0] = low + range * shoal_uniform_float(words.x);
    value[1] = low + range * shoal_uniform_float(words.y);
    value[2] = low + range * shoal_uniform_float(words.z);
    value[3] = low + range * shoal_uniform_float(words.w);
#endif
    store_block(out, value, i, n);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void philox_normal(__global real *out, ulong seed, uint stream, uint step, real mean, real deviation, uint n)
{
    const uint i = (uint)get_global_id(0);
    const struct shoal_words words = shoal_random_words(seed, stream, step, i, 0);
    real value[BLOCK];
    uint k;
#if REAL == 64
    shoal_normal_double(words, &value[0], &value[1]);
#else
    shoal_normal_float(words.x, words.y, &value[0], &value[1]);
    shoal_normal_float(words.z, words.w, &value[2], &value[3]);
#endif
    for (k = 0; k < BLOCK; k++)
        value[k] = mean + deviation * value[k];
    store_block(out, value, i, n);
}
