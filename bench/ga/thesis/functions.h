/* The functions of the thesis in single precision, written so that the code vectorises; they give the same
 * bits in both twins. */
#ifndef SHOAL_BENCH_THESIS_GA_FUNCTIONS_H
#define SHOAL_BENCH_THESIS_GA_FUNCTIONS_H

#include "bench/ga/thesis/cpu.h"

#include <math.h>
#include <string.h>

/* The integer nearest to x, for |x| < 2^21, without a library call. */
static inline float nearest_integer(float x)
{
    return (x + 12582912.0f) - 12582912.0f;
}

/* Returns sin(k pi + r) for whole k and |r| <= pi / 2. The first term left out is 6e-8 at most. */
static inline float sine_core(float k, float r)
{
    const float odd = k - 2 * nearest_integer(k * 0.5f), u = r * r;
    float s = -2.5052108e-8f;
    s = s * u + 2.7557319e-6f;
    s = s * u - 1.9841270e-4f;
    s = s * u + 8.3333333e-3f;
    s = s * u - 1.6666667e-1f;
    return (r + r * u * s) * (1 - 2 * odd * odd);
}

/* Returns x - k pi, with pi in three parts; the first two have trailing zeros. */
static inline float less_half_turns(float x, float k)
{
    return ((x - k * 3.140625f) - k * 9.67502593994140625e-4f) - k * 1.509957990978376432e-7f;
}

/* Returns sin(x) for |x| < 1e3. */
static inline float sine(float x)
{
    const float k = nearest_integer(x * 0.31830989f);
    return sine_core(k, less_half_turns(x, k));
}

static inline float cosine(float x)
{
    const float k = nearest_integer(x * 0.31830989f + 0.5f);
    return sine_core(k, less_half_turns(x, k - 0.5f));
}

/* Returns ln(x) of a positive normal number, by the odd series of (m - 1) / (m + 1), with m in sqrt(1/2) ..
 * sqrt(2). */
static inline float natural_logarithm(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t exponent = (bits - 0x3f3504f3) >> 23;
    bits -= exponent * 0x800000;
    float m;
    memcpy(&m, &bits, sizeof m);
    const float t = (m - 1) / (m + 1), u = t * t;
    float s = 0.22222222f;
    s = s * u + 0.28571429f;
    s = s * u + 0.4f;
    s = s * u + 0.66666667f;
    return (float)exponent * 0.69314718f + (2 * t + t * u * s);
}

/* Adds one gene to the value of a function; `sum` begins with 0, `product` with 1. */
static inline void add_gene(enum thesis_ga_function function, float x, float before, size_t d, float scale,
                            float *sum, float *product)
{
    if (function == THESIS_MICHALEWICZ) {
        const float s = sine((float)(d + 1) * (x * x) * 0.31830989f), s2 = s * s, s4 = s2 * s2, s8 = s4 * s4;
        *sum -= sine(x) * (s8 * s8 * s4);
    } else if (function == THESIS_ROSENBROCK) {
        const float a = x - before * before, b = 1 - before;
        *sum += d ? 100 * (a * a) + b * b : 0;
    } else {
        const float y = function == THESIS_GRIEWANK_100 ? x - 100 : x;
        *sum += y * y;
        *product *= cosine(y * scale);
    }
}

/* Returns the argument `scale` of add_gene for gene d. */
static inline float gene_scale(size_t d)
{
    return 1 / sqrtf((float)(d + 1));
}

static inline float whole_value(enum thesis_ga_function function, float sum, float product)
{
    return function <= THESIS_GRIEWANK_100 ? sum * (1.0f / 4000) - product + 1 : sum;
}

#endif
