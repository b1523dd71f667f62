/* Functions f6 to f9, whose condition is low or moderate. */
#include "objective/bbob/bbob.h"

#include <math.h>

/* Coordinates of the rotated point with the sign of the optimum's coordinate are multiplied by 100. */
double bbob_attractive_sector(const struct bbob *of, const double *x)
{
    double moved[BBOB_MAX_DIM], z[BBOB_MAX_DIM], sum = 0;
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
    for (size_t i = 0; i < of->dim; i++)
        sum += pow((z[i] * of->optimum[i] > 0 ? 100 : 1) * z[i], 2);
    return pow(bbob_oscillate(sum), 0.9);
}

double bbob_step_ellipsoid(const struct bbob *of, const double *x)
{
    double moved[BBOB_MAX_DIM], steps[BBOB_MAX_DIM], z[BBOB_MAX_DIM];
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, steps);
    const double first = fabs(steps[0]);
    for (size_t i = 0; i < of->dim; i++)
        steps[i] = fabs(steps[i]) > 0.5 ? floor(steps[i] + 0.5) : floor(10 * steps[i] + 0.5) / 10;
    bbob_multiply(of->second, of->dim, steps, z);
    return 0.1 * fmax(1e-4 * first, bbob_ellipsoid_sum(100, z, of->dim)) + bbob_outside(x, of->dim, 5);
}

double bbob_rosenbrock(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_shift(of, x, z);
    for (size_t i = 0; i < of->dim; i++)
        z[i] = bbob_valley(of->dim) * z[i] + 1;
    return bbob_rosenbrock_sum(z, of->dim);
}

double bbob_rotated_rosenbrock(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_multiply(of->first, of->dim, x, z);
    for (size_t i = 0; i < of->dim; i++)
        z[i] += 0.5;
    return bbob_rosenbrock_sum(z, of->dim);
}
