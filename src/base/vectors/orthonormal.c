#include "base/vectors/dot.h"

#include <math.h>

void orthonormalise(double *rows, size_t count, size_t length)
{
    for (size_t k = 0; k < count; k++) {
        double *const row = rows + k * length;
        for (int pass = 0; pass < 2; pass++)
            for (size_t j = 0; j < k; j++) {
                const double share = dot(row, rows + j * length, length);
                for (size_t i = 0; i < length; i++)
                    row[i] -= share * rows[j * length + i];
            }
        const double norm = sqrt(dot(row, row, length));
        for (size_t i = 0; i < length; i++)
            row[i] /= norm;
    }
}
