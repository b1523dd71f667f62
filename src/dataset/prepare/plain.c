/* Rows of numbers that are inputs as they are. The build compiles the loops once more for AVX2. */
#include "dataset/prepare/plain.h"

#ifndef NAME
#define NAME(name) name
#endif

/* A number minus itself is 0, unless the number is infinite or NaN. */
#define SCALE_ALL                                                                                            \
    long is_wrong = 0;                                                                                       \
    for (size_t k = 0; k < count; k++) {                                                                     \
        const double number = (double)raw[k];                                                                \
        is_wrong |= number - number != 0;                                                                    \
        out[k] = (__typeof__(*out))((number - shift[k]) * factor[k]);                                        \
    }                                                                                                        \
    return !is_wrong

bool NAME(plain_to_doubles)(const double *restrict raw, const double *restrict shift,
                            const double *restrict factor, size_t count, double *restrict out)
{
    SCALE_ALL;
}

bool NAME(plain_to_floats)(const double *restrict raw, const double *restrict shift,
                           const double *restrict factor, size_t count, float *restrict out)
{
    SCALE_ALL;
}

bool NAME(plain_of_floats)(const float *restrict raw, const double *restrict shift,
                           const double *restrict factor, size_t count, float *restrict out)
{
    SCALE_ALL;
}
