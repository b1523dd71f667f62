/* How many units each part gets. */
#include "split/split.h"

#include <math.h>

/* Weights are 0 or above, and one is above. */
void split_divide(uint64_t units, const double *weights, size_t count, uint64_t *shares)
{
    double sum = 0;
    uint64_t given = 0;
    for (size_t k = 0; k < count; k++)
        sum += weights ? weights[k] : 1;
    for (size_t k = 0; k < count; k++) {
        const double exact = (double)units * (weights ? weights[k] : 1) / sum;
        shares[k] = exact < (double)(units - given) ? (uint64_t)exact : units - given;
        given += shares[k];
    }
    /* Each of the rest goes where the share is furthest below its exact value, the first among equals. */
    for (; given < units; given++) {
        size_t furthest = 0;
        double most = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            const double exact = (double)units * (weights ? weights[k] : 1) / sum;
            if (exact > 0 && exact - (double)shares[k] > most) {
                most = exact - (double)shares[k];
                furthest = k;
            }
        }
        shares[furthest]++;
    }
}
