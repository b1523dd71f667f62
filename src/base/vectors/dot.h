/* Private: sums of products, added one after another, so that every compiler gives the same bits, and
 * orthonormal rows. */
#ifndef SHOAL_BASE_VECTORS_DOT_H
#define SHOAL_BASE_VECTORS_DOT_H

#include <stddef.h>

static inline double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Makes `count` rows of `length` numbers orthonormal, count <= length, by the method of Gram and Schmidt,
 * applied twice to each row because of rounding. */
void orthonormalise(double *rows, size_t count, size_t length);

#endif
