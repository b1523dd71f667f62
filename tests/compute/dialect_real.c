/* Functions of real numbers: errors against the host's long double, in units in the last place. */
#include "dialect_device.h"

#include <float.h>
#include <math.h>

/* Real functions ------------------------------------------- */

/* Errors in units in the last place that OpenCL C 1.2 allows, for float and for double; 0.5: correctly
 * rounded or exact. A scale takes the place of the result's size where terms may cancel. */
struct real_function {
    const char *name;
    long double (*reference)(long double x, long double y);
    double float_ulp, double_ulp;
    bool cancels;
};

#define PI 3.14159265358979323846264338327950288L

/* sin(pi (x + shift / 2)), reduced before the product with pi loses digits. */
static long double sine_of_quarters(long double x, int shift)
{
    const long double quarters = rintl(2 * x), rest = PI * (x - quarters / 2);
    const int place = ((int)quarters + shift) & 3;
    const long double value = place & 1 ? cosl(rest) : sinl(rest);
    return place & 2 ? -value : value;
}

#define ONE(name, expression)                                                                                \
    static long double reference_##name(long double x, long double y)                                        \
    {                                                                                                        \
        (void)x;                                                                                             \
        (void)y;                                                                                             \
        return expression;                                                                                   \
    }
ONE(acos, acosl(x))
ONE(acosh, acoshl(real_bits == 32 ? (float)(1 + x) : (double)(1 + x)))
ONE(asin, asinl(x))
ONE(asinh, asinhl(y))
ONE(atan, atanl(y))
ONE(atanh, atanhl(x))
ONE(cbrt, cbrtl(y))
ONE(ceil, ceill(y))
ONE(cos, cosl(y))
ONE(cosh, coshl(x))
ONE(cospi, sine_of_quarters(y, 1))
ONE(erf, erfl(x))
ONE(erfc, erfcl(x))
ONE(exp, expl(y))
ONE(exp10, powl(10, x))
ONE(exp2, exp2l(y))
ONE(expm1, expm1l(x))
ONE(fabs, fabsl(y))
ONE(floor, floorl(y))
ONE(lgamma, lgammal(real_bits == 32 ? (float)(3 + x) : (double)(3 + x)))
ONE(log, logl(x))
ONE(log10, log10l(x))
ONE(log1p, log1pl(x))
ONE(log2, log2l(x))
ONE(rint, rintl(y))
ONE(round, roundl(y))
ONE(rsqrt, 1 / sqrtl(x))
ONE(sign, (y > 0) - (y < 0))
ONE(sin, sinl(y))
ONE(sinh, sinhl(x))
ONE(sinpi, sine_of_quarters(y, 0))
ONE(sqrt, sqrtl(x))
ONE(tan, tanl(x))
ONE(tanh, tanhl(x))
ONE(tgamma, tgammal(real_bits == 32 ? (float)(1 + x) : (double)(1 + x)))
ONE(trunc, truncl(y))
ONE(atan2, atan2l(y, x))
ONE(copysign, copysignl(x, y))
ONE(fdim, fdiml(x, y))
ONE(fmax, fmaxl(x, y))
ONE(fmin, fminl(x, y))
ONE(fmod, fmodl(y, x))
ONE(hypot, hypotl(x, y))
ONE(nextafter, real_bits == 32 ? nextafterf((float)x, (float)y) : nextafter((double)x, (double)y))
ONE(pow, powl(x, y))
ONE(pown, y *y *y)
ONE(ldexp, 32 * x)
ONE(remainder, remainderl(y, x))
ONE(divide, x / y)
ONE(fma, x *y + x)
ONE(mix, x + (y - x) * 0.25L)
ONE(clamp, fminl(fmaxl(y, -1), 1))
ONE(reciprocal, 1 / x)
ONE(cos_x, cosl(x))
ONE(exp_x, expl(x))
ONE(exp2_x, exp2l(x))
ONE(power, powl(x, 1.5L))
ONE(sin_x, sinl(x))
ONE(same, x)

#define ROW(name, single, twice)                                                                             \
    {                                                                                                        \
#name, reference_##name, single, twice, false                                                        \
    }
#define CANCELS(name, single, twice)                                                                         \
    {                                                                                                        \
#name, reference_##name, single, twice, true                                                         \
    }

static const struct real_function one[] = {
    ROW(acos, 4, 4),      ROW(acosh, 4, 4),    ROW(asin, 4, 4),
    ROW(asinh, 4, 4),     ROW(atan, 5, 5),     ROW(atanh, 5, 5),
    ROW(cbrt, 2, 2),      ROW(ceil, 0.5, 0.5), ROW(cos, 4, 4),
    ROW(cosh, 4, 4),      ROW(cospi, 4, 4),    ROW(erf, 16, 16),
    ROW(erfc, 16, 16),    ROW(exp, 3, 3),      ROW(exp10, 3, 3),
    ROW(exp2, 3, 3),      ROW(expm1, 3, 3),    ROW(fabs, 0.5, 0.5),
    ROW(floor, 0.5, 0.5), ROW(lgamma, 32, 32), /* left open by OpenCL */
    ROW(log, 3, 3),       ROW(log10, 3, 3),    ROW(log1p, 2, 2),
    ROW(log2, 3, 3),      ROW(rint, 0.5, 0.5), ROW(round, 0.5, 0.5),
    ROW(rsqrt, 2, 2),     ROW(sign, 0.5, 0.5), ROW(sin, 4, 4),
    ROW(sinh, 4, 4),      ROW(sinpi, 4, 4),    ROW(sqrt, 3, 0.51),
    ROW(tan, 5, 5),       ROW(tanh, 5, 5),     ROW(tgamma, 16, 16),
    ROW(trunc, 0.5, 0.5),
};

static const struct real_function more[] = {
    ROW(atan2, 6, 6),     ROW(copysign, 0.5, 0.5),  ROW(fdim, 0.51, 0.51),    ROW(fmax, 0.5, 0.5),
    ROW(fmin, 0.5, 0.5),  ROW(fmod, 0.5, 0.5),      ROW(hypot, 4, 4),         ROW(fmax, 0.5, 0.5),
    ROW(fmin, 0.5, 0.5),  ROW(nextafter, 0.5, 0.5), ROW(pow, 16, 16),         ROW(pow, 16, 16),
    ROW(pown, 16, 16),    ROW(ldexp, 0.5, 0.5),     ROW(remainder, 0.5, 0.5), ROW(divide, 2.5, 0.51),
    ROW(fma, 0.51, 0.51), CANCELS(fma, 2, 2),                            /* mad */
    CANCELS(mix, 4, 4),   ROW(clamp, 0.5, 0.5),     ROW(same, 0.5, 0.5), /* fmax with a NaN */
};

static const struct real_function native[] = {
    ROW(cos_x, 0, 0), ROW(divide, 0, 0), ROW(exp_x, 0, 0), ROW(exp2_x, 0, 0), ROW(exp10, 0, 0),
    ROW(log, 0, 0),   ROW(log2, 0, 0),   ROW(log10, 0, 0), ROW(power, 0, 0),  ROW(reciprocal, 0, 0),
    ROW(rsqrt, 0, 0), ROW(sin_x, 0, 0),  ROW(sqrt, 0, 0),  ROW(tan, 0, 0),
};

/* One unit in the last place at the size of `value`. */
static long double unit(long double value)
{
    int exponent;
    frexpl(value, &exponent);
    return ldexpl(1, exponent - (real_bits == 32 ? FLT_MANT_DIG : DBL_MANT_DIG));
}

/* Numbers in (0.05, 0.95) and in (-20, 20), as float or double. */
static void make_inputs(void *xs, void *ys, size_t n)
{
    uint32_t *words = harness_memory(2 * n * sizeof *words);
    harness_words(words, 2 * n, 1);
    for (size_t i = 0; i < n; i++) {
        double x = 0.05 + 0.9 * words[i] / 4294967296.0, y = 40 * (words[n + i] / 4294967296.0) - 20;
        if (real_bits == 32) {
            ((float *)xs)[i] = (float)x;
            ((float *)ys)[i] = (float)y;
        } else {
            ((double *)xs)[i] = x;
            ((double *)ys)[i] = y;
        }
    }
}

static long double get(const void *reals, size_t i)
{
    return real_bits == 32 ? (long double)((const float *)reals)[i] : (long double)((const double *)reals)[i];
}

static long double tolerance(const struct real_function *function, long double x, long double y,
                             long double wanted)
{
    double ulp = real_bits == 32 ? function->float_ulp : function->double_ulp;
    if (ulp == 0) /* native: OpenCL promises nothing; this is what a use for them needs */
        return 1e-5L * (1 + fabsl(wanted));
    if (harness.tiny) /* the simulator computes cospi(y) as the host's cos(pi * y) */
        return ulp * unit(fabsl(x) + fabsl(y) + fabsl(wanted));
    return ulp * unit(function->cancels ? fabsl(x) + fabsl(y) + fabsl(x * y) : wanted);
}

static void check_reals(struct shoal_program *program, const char *entry,
                        const struct real_function *functions, size_t count)
{
    const size_t n = item_count(), size = (size_t)real_bits / 8;
    void *xs = harness_memory(n * size), *ys = harness_memory(n * size),
         *out = harness_memory(count * n * size);
    make_inputs(xs, ys, n);
    struct shoal_buffer *results = harness_buffer(count * n * size);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(xs, n * size)),
                                     shoal_arg_buffer(harness_upload(ys, n * size)),
                                     shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
    launch(program, entry, 0, args, COUNT(args));
    harness_read(results, out, count * n * size);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < n; i++) {
            const long double x = get(xs, i), y = get(ys, i), got = get(out, f * n + i);
            const long double wanted = functions[f].reference(x, y);
            if (!(fabsl(got - wanted) <= tolerance(&functions[f], x, y, wanted)))
                fail_msg("%s result %zu (%s, %d bits): x = %.20Lg, y = %.20Lg: %.20Lg in place of %.20Lg, "
                         "%.2Lf units",
                         entry, f, functions[f].name, real_bits, x, y, got, wanted,
                         fabsl(got - wanted) / unit(wanted));
        }
    harness_release();
}

void test_reals(void **state)
{
    (void)state;
    for (int bits = 32; bits <= (harness_has_fp64() ? 64 : 32); bits += 32) {
        struct shoal_program *program = build(&dialect_program, bits);
        check_reals(program, "dialect_one", one, COUNT(one));
        check_reals(program, "dialect_more", more, COUNT(more));
        shoal_program_destroy(&program);
    }
}

void test_native(void **state)
{
    (void)state;
    struct shoal_program *program = build(&dialect_program, 32);
    check_reals(program, "dialect_native", native, COUNT(native));
    shoal_program_destroy(&program);
}

void test_constants(void **state)
{
    (void)state;
    static const double wanted[] = {INFINITY,   FLT_MAX, FLT_MAX, FLT_MIN,     FLT_EPSILON, (float)PI,
                                    (float)M_E, 1,       0,       1,           0,           1,
                                    0,          DBL_MAX, DBL_MIN, DBL_EPSILON, (double)PI,  M_E};
    for (int bits = 32; bits <= (harness_has_fp64() ? 64 : 32); bits += 32) {
        const size_t count = bits == 32 ? 13 : COUNT(wanted);
        struct shoal_program *program = build(&dialect_program, bits);
        double out[COUNT(wanted)];
        struct shoal_buffer *results = harness_buffer(sizeof out);
        const struct shoal_arg args[] = {shoal_arg_buffer(results)};
        launch(program, "dialect_constants", 1, args, COUNT(args));
        harness_read(results, out, sizeof out);
        for (size_t i = 0; i < count; i++)
            if (get(out, i) != (long double)wanted[i])
                fail_msg("constant %zu (%d bits) is %.20Lg, not %.20g", i, bits, get(out, i), wanted[i]);
        shoal_program_destroy(&program);
        harness_release();
    }
}
