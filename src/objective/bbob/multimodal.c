/* Functions f15 to f19, which have many optima and a global structure. */
#include "objective/bbob/bbob.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double bbob_rotated_rastrigin(const struct bbob *of, const double *x)
{
    double moved[BBOB_MAX_DIM], z[BBOB_MAX_DIM];
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
    bbob_oscillate_all(z, of->dim);
    bbob_asymmetric(0.2, z, of->dim);
    bbob_multiply(of->second, of->dim, z, moved);
    return bbob_rastrigin_sum(moved, of->dim);
}

double bbob_weierstrass(const struct bbob *of, const double *x)
{
    enum { WAVES = 12 };
    double moved[BBOB_MAX_DIM], z[BBOB_MAX_DIM], sum = 0, least = 0;
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
    bbob_oscillate_all(z, of->dim);
    bbob_multiply(of->second, of->dim, z, moved);
    for (int k = 0; k < WAVES; k++) {
        const double height = pow(0.5, k), waves = pow(3, k);
        least += height * cos(pi * waves);
        for (size_t i = 0; i < of->dim; i++)
            sum += height * cos(2 * pi * (moved[i] + 0.5) * waves);
    }
    return 10 * pow(sum / (double)of->dim - least, 3) + 10 / (double)of->dim * bbob_outside(x, of->dim, 5);
}

double bbob_schaffer(const struct bbob *of, const double *x)
{
    double moved[BBOB_MAX_DIM], z[BBOB_MAX_DIM], sum = 0;
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
    bbob_asymmetric(0.5, z, of->dim);
    bbob_multiply(of->second, of->dim, z, moved);
    for (size_t i = 0; i + 1 < of->dim; i++) {
        const double s = moved[i] * moved[i] + moved[i + 1] * moved[i + 1];
        sum += pow(s, 0.25) * (1 + pow(sin(50 * pow(s, 0.1)), 2));
    }
    return pow(sum / (double)(of->dim - 1), 2) + 10 * bbob_outside(x, of->dim, 5);
}

double bbob_griewank_rosenbrock(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM], sum = 0;
    bbob_multiply(of->first, of->dim, x, z);
    for (size_t i = 0; i < of->dim; i++)
        z[i] += 0.5;
    for (size_t i = 0; i + 1 < of->dim; i++) {
        const double s = bbob_rosenbrock_sum(z + i, 2);
        sum += s / 4000 - cos(s);
    }
    return 10 + 10 * sum / (double)(of->dim - 1);
}
