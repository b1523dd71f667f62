/* Fills memory with random numbers of the thesis, as its measurements do. Number i comes from the generator of
 * work-item i % items. Normal numbers are made in pairs: numbers i and i + items. */
#ifndef WG
#define WG 64
#endif
/* 1: normal numbers (Box and Muller); 0: uniform numbers, words times 2^-32. */
#ifndef NORMAL
#define NORMAL 0
#endif
/* 1: uses the fast functions of the device. */
#ifndef NATIVE
#define NATIVE 0
#endif

#include "ga/thesis/hybridtaus.clh"

static inline float number_of(uint word)
{
    return (float)word * 2.3283064365386963e-10f;
}

/* Returns the radius of the method of Box and Muller. Half a unit is added to the word, since 0 has no logarithm. */
static inline float radius_of(uint word)
{
    const float u = ((float)word + 0.5f) * 2.3283064365386963e-10f;
#if NATIVE
    return native_sqrt(-2.0f * native_log(u));
#else
    return sqrt(-2.0f * log(u));
#endif
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_numbers(__global const uint *states, __global float *numbers, uint items, uint count)
{
    const uint item = (uint)get_global_id(0);
    hybridtaus generator;
    uint i;
    if (item >= items)
        return;
    generator.a = states[HYBRIDTAUS_WORDS * item];
    generator.b = states[HYBRIDTAUS_WORDS * item + 1u];
    generator.c = states[HYBRIDTAUS_WORDS * item + 2u];
    generator.d = states[HYBRIDTAUS_WORDS * item + 3u];
#if NORMAL
    for (i = item; i < count; i += 2u * items) {
        const float radius = radius_of(hybridtaus_next(&generator));
        const float angle = 6.2831853071795864f * number_of(hybridtaus_next(&generator));
        numbers[i] = radius * (NATIVE ? native_sin(angle) : sin(angle));
        if (i + items < count)
            numbers[i + items] = radius * (NATIVE ? native_cos(angle) : cos(angle));
    }
#else
    for (i = item; i < count; i += items)
        numbers[i] = number_of(hybridtaus_next(&generator));
#endif
}
