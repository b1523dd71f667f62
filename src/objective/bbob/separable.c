/* Functions f1 to f5, which are separable. */
#include "objective/bbob/bbob.h"

#include <math.h>

double bbob_sphere(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_shift(of, x, z);
    return bbob_squares(z, of->dim);
}

double bbob_ellipsoid(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_shift(of, x, z);
    bbob_oscillate_all(z, of->dim);
    return bbob_ellipsoid_sum(1e6, z, of->dim);
}

double bbob_rastrigin(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_shift(of, x, z);
    bbob_oscillate_all(z, of->dim);
    bbob_asymmetric(0.2, z, of->dim);
    for (size_t i = 0; i < of->dim; i++)
        z[i] *= bbob_power(sqrt(10), i, of->dim);
    return bbob_rastrigin_sum(z, of->dim);
}

/* Positive coordinates with an even index are multiplied by 10. */
double bbob_bueche_rastrigin(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    bbob_shift(of, x, z);
    bbob_oscillate_all(z, of->dim);
    for (size_t i = 0; i < of->dim; i++)
        z[i] *= bbob_power(sqrt(10), i, of->dim) * (z[i] > 0 && i % 2 == 0 ? 10 : 1);
    return bbob_rastrigin_sum(z, of->dim) + 100 * bbob_outside(x, of->dim, 5);
}

/* The term of a coordinate is linear up to the face of the box on the side of the optimum, which is a corner,
 * and constant beyond this face. */
double bbob_slope(const struct bbob *of, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < of->dim; i++) {
        const double corner = of->optimum[i], slope = copysign(bbob_power(10, i, of->dim), corner);
        sum += 5 * fabs(slope) - slope * (x[i] * corner < 25 ? x[i] : corner);
    }
    return sum;
}
