/* Transformations and sums of the benchmark, by their definitions. Results of kernels are checked against
 * these functions. */
#include "objective/bbob/bbob.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double bbob_power(double base, size_t i, size_t dim)
{
    return pow(base, (double)i / (double)(dim - 1));
}

void bbob_shift(const struct bbob *of, const double *x, double *z)
{
    for (size_t i = 0; i < of->dim; i++)
        z[i] = x[i] - of->optimum[i];
}

void bbob_multiply(const double *matrix, size_t dim, const double *z, double *out)
{
    for (size_t i = 0; i < dim; i++) {
        out[i] = 0;
        for (size_t j = 0; j < dim; j++)
            out[i] += matrix[i * dim + j] * z[j];
    }
}

double bbob_oscillate(double value)
{
    const double alpha = 0.1;
    if (value == 0)
        return 0;
    const double log_size = log(fabs(value)) / alpha;
    const double waves =
        value > 0 ? sin(log_size) + sin(0.79 * log_size) : sin(0.55 * log_size) + sin(0.31 * log_size);
    return copysign(pow(exp(log_size + 0.49 * waves), alpha), value);
}

void bbob_oscillate_all(double *z, size_t dim)
{
    for (size_t i = 0; i < dim; i++)
        z[i] = bbob_oscillate(z[i]);
}

void bbob_asymmetric(double beta, double *z, size_t dim)
{
    for (size_t i = 0; i < dim; i++)
        if (z[i] > 0)
            z[i] = pow(z[i], 1 + beta * (double)i / (double)(dim - 1) * sqrt(z[i]));
}

double bbob_outside(const double *x, size_t dim, double bound)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += pow(fmax(fabs(x[i]) - bound, 0), 2);
    return sum;
}

double bbob_valley(size_t dim)
{
    return fmax(1, sqrt((double)dim) / 8);
}

double bbob_squares(const double *z, size_t dim)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += z[i] * z[i];
    return sum;
}

double bbob_ellipsoid_sum(double condition, const double *z, size_t dim)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += bbob_power(condition, i, dim) * z[i] * z[i];
    return sum;
}

double bbob_rastrigin_sum(const double *z, size_t dim)
{
    double waves = 0;
    for (size_t i = 0; i < dim; i++)
        waves += cos(2 * pi * z[i]);
    return 10 * ((double)dim - waves) + bbob_squares(z, dim);
}

double bbob_rosenbrock_sum(const double *z, size_t dim)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < dim; i++) {
        const double valley = z[i] * z[i] - z[i + 1], slope = 1 - z[i];
        sum += 100 * valley * valley + slope * slope;
    }
    return sum;
}
