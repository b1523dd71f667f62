/* Divides the units of a run among its parts. */
#include "split/split.h"

#include <math.h>

static double exact_share(uint64_t units, const double *weights, size_t part, double sum)
{
    return (double)units * (weights ? weights[part] : 1) / sum;
}

/* weights: at least 0 each, and not all 0. */
void split_divide(uint64_t units, const double *weights, size_t count, uint64_t *shares)
{
    double sum = 0;
    uint64_t given = 0;
    for (size_t k = 0; k < count; k++)
        sum += weights ? weights[k] : 1;
    for (size_t k = 0; k < count; k++) {
        const double exact = exact_share(units, weights, k, sum);
        shares[k] = exact < (double)(units - given) ? (uint64_t)exact : units - given;
        given += shares[k];
    }
    /* Each unit that is left goes to the part whose share is furthest below the exact value; among equals, to
     * the first. */
    for (; given < units; given++) {
        size_t furthest = 0;
        double most = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            const double exact = exact_share(units, weights, k, sum);
            if (exact > 0 && exact - (double)shares[k] > most) {
                most = exact - (double)shares[k];
                furthest = k;
            }
        }
        shares[furthest]++;
    }
}
