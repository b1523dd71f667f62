/* The damped oscillation of curve.py, whose numbers differ at most in the last digit of libm, and the
 * least-squares fits of it by SciPy's Levenberg-Marquardt, `curve.py --least-squares ROWS`. */
#ifndef SHOAL_TESTS_CURVE_H
#define SHOAL_TESTS_CURVE_H

#include <math.h>
#include <shoal/fit.h>
#include <stdint.h>

enum { CURVE_PARAMETERS = 5 };

static const char curve_formula[] = "a*exp(-b*t)*cos(w*t+p)+c";

static const struct shoal_model_parameter curve_ranges[CURVE_PARAMETERS] = {
    {"a", 0, 10}, {"b", 0, 5}, {"w", 0, 20}, {"p", -M_PI, M_PI}, {"c", -5, 5}};

struct curve_fit {
    size_t rows;
    double parameters[CURVE_PARAMETERS], errors[CURVE_PARAMETERS];
    double correlation_ba, correlation_wp, squares, r2;
};

/* Fits of few rows, and of as many rows as were asked for when fits were added. */
static const struct curve_fit curve_fits[] = {
    {301,
     {2.481288937305052, 0.3452837225508206, 4.212730182775005, 0.6836838182992089, 1.0858179725797876},
     {0.047863006244104785, 0.009235975878934884, 0.008613500491166739, 0.01673568332199969,
      0.008447135611105792},
     0.7369494676516978,
     -0.689873002527481,
     6.256884696601847,
     0.9522354657003569},
    {5000,
     {2.496139463247593, 0.3510408199489603, 4.200054361627912, 0.7030462648850461, 1.0992795733014868},
     {0.0123621531451916, 0.002387718818512369, 0.002209746110034931, 0.004233517320650425,
      0.0021304410532399635},
     0.7423669912100598,
     -0.6903012640126373,
     111.59475755588302,
     0.947950549365415},
};

static inline double curve_noise(size_t row)
{
    double total = 0;
    for (uint64_t k = 0; k < 12; k++) {
        uint64_t z = (12 * (uint64_t)row + k + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        total += (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    return total - 6;
}

static inline void curve_rows(size_t count, double *t, double *y)
{
    for (size_t row = 0; row < count; row++) {
        t[row] = 10 * (double)row / (double)(count - 1);
        y[row] = 2.5 * exp(-0.35 * t[row]) * cos(4.2 * t[row] + 0.7) + 1.1 + 0.15 * curve_noise(row);
    }
}

#endif
