/* Private: sums of products, added one after another, so that every compiler gives the same bits. */
#ifndef SHOAL_MLP_MODEL_DOT_H
#define SHOAL_MLP_MODEL_DOT_H

#include <stddef.h>

static inline double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

#endif
