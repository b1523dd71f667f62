/* Functions f20 to f24, which have many optima and a weak global structure. */
#include "objective/bbob/bbob.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The point is mirrored, so that the coordinates of the optimum are positive. Then each coordinate is
 * increased by a quarter of the difference between the coordinate before it and the optimum's coordinate. */
double bbob_schwefel(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM], sum = 0, before = 0;
    for (size_t i = 0; i < of->dim; i++) {
        const double best = 2 * fabs(of->optimum[i]), mirrored = 2 * copysign(1, of->optimum[i]) * x[i];
        const double moved = mirrored + (i ? 0.25 * (before - best) : 0);
        z[i] = 100 * (bbob_power(sqrt(10), i, of->dim) * (moved - best) + best);
        before = mirrored;
        sum += z[i] * sin(sqrt(fabs(z[i])));
    }
    return 0.01 * (bbob_outside(z, of->dim, 500) + 418.9828872724339 - sum / (double)of->dim);
}

/* Only the peak that is highest at x determines the value. Peaks differ in height, position and shape. */
static double gallagher(const struct bbob *of, const double *x, size_t peaks)
{
    const size_t dim = of->dim;
    double turned[BBOB_MAX_DIM], highest = 0;
    bbob_multiply(of->first, dim, x, turned);
    for (size_t p = 0; p < peaks; p++) {
        const double *const place = of->second + 2 * p * dim, *const scales = place + dim;
        const double height = p ? 1.1 + 8 * (double)(p - 1) / (double)(peaks - 2) : 10;
        double sum = 0;
        for (size_t i = 0; i < dim; i++)
            sum += scales[i] * pow(turned[i] - place[i], 2);
        highest = fmax(highest, height * exp(-sum / (2 * (double)dim)));
    }
    return pow(bbob_oscillate(10 - highest), 2) + bbob_outside(x, dim, 5);
}

double bbob_gallagher_101(const struct bbob *of, const double *x)
{
    return gallagher(of, x, 101);
}

double bbob_gallagher_21(const struct bbob *of, const double *x)
{
    return gallagher(of, x, 21);
}

double bbob_katsuura(const struct bbob *of, const double *x)
{
    enum { BITS = 32 };
    const double n = (double)of->dim;
    double moved[BBOB_MAX_DIM], z[BBOB_MAX_DIM], product = 1;
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
    for (size_t i = 0; i < of->dim; i++) {
        double sum = 0;
        for (int bit = 1; bit <= BITS; bit++) {
            const double scaled = ldexp(z[i], bit);
            sum += ldexp(fabs(scaled - floor(scaled + 0.5)), -bit);
        }
        product *= pow(1 + (double)(i + 1) * sum, 10 / pow(n, 1.2));
    }
    return 10 / (n * n) * (product - 1) + bbob_outside(x, of->dim, 5);
}

/* The lower one of two funnels, plus the waves of Rastrigin's function. */
double bbob_lunacek(const struct bbob *of, const double *x)
{
    const double n = (double)of->dim, best = 2.5, depth = 1;
    const double width = 1 - 1 / (2 * sqrt(n + 20) - 8.2), second = -sqrt((best * best - depth) / width);
    double moved[BBOB_MAX_DIM], stretched[BBOB_MAX_DIM], z[BBOB_MAX_DIM];
    double deep = 0, wide = 0, waves = 0;
    for (size_t i = 0; i < of->dim; i++) {
        const double mirrored = 2 * copysign(1, of->optimum[i]) * x[i];
        moved[i] = mirrored - best;
        deep += moved[i] * moved[i];
        wide += pow(mirrored - second, 2);
    }
    bbob_multiply(of->first, of->dim, moved, stretched);
    bbob_multiply(of->second, of->dim, stretched, z);
    for (size_t i = 0; i < of->dim; i++)
        waves += cos(2 * pi * z[i]);
    return fmin(deep, depth * n + width * wide) + 10 * (n - waves) + 1e4 * bbob_outside(x, of->dim, 5);
}
