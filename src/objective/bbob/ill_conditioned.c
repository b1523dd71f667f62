/* Functions f10 to f14, which have one optimum and a high condition. */
#include "objective/bbob/bbob.h"

#include <math.h>

/* Computes z = first matrix (x - optimum). */
static void turn(const struct bbob *of, const double *x, double *z)
{
    double moved[BBOB_MAX_DIM];
    bbob_shift(of, x, moved);
    bbob_multiply(of->first, of->dim, moved, z);
}

double bbob_rotated_ellipsoid(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    turn(of, x, z);
    bbob_oscillate_all(z, of->dim);
    return bbob_ellipsoid_sum(1e6, z, of->dim);
}

double bbob_discus(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    turn(of, x, z);
    bbob_oscillate_all(z, of->dim);
    return 1e6 * z[0] * z[0] + bbob_squares(z + 1, of->dim - 1);
}

double bbob_bent_cigar(const struct bbob *of, const double *x)
{
    double bent[BBOB_MAX_DIM], z[BBOB_MAX_DIM];
    turn(of, x, bent);
    bbob_asymmetric(0.5, bent, of->dim);
    bbob_multiply(of->first, of->dim, bent, z);
    return z[0] * z[0] + 1e6 * bbob_squares(z + 1, of->dim - 1);
}

double bbob_sharp_ridge(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM];
    turn(of, x, z);
    return z[0] * z[0] + 100 * sqrt(bbob_squares(z + 1, of->dim - 1));
}

double bbob_different_powers(const struct bbob *of, const double *x)
{
    double z[BBOB_MAX_DIM], sum = 0;
    turn(of, x, z);
    for (size_t i = 0; i < of->dim; i++)
        sum += pow(fabs(z[i]), 2 + 4 * (double)i / (double)(of->dim - 1));
    return sqrt(sum);
}
