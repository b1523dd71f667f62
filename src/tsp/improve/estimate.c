#include "tsp/improve/estimate.h"
#include "tsp/model/rules.clh"

#include <math.h>

int tsp_estimate_of(const struct tsp_form *form)
{
    if (form->has_fixed || form->is_path || form->is_asymmetric)
        return 0;
    switch (form->rule) {
    case RULE_NEAREST:
    case RULE_CEIL:
    case RULE_ATT:
        return 1;
    case RULE_MANHATTAN:
        return 2;
    case RULE_MAXIMUM:
        return 3;
    default:
        return 0;
    }
}

double tsp_estimate_box(const struct tsp_problem *problem, double least[3])
{
    const struct tsp_form *form = &problem->form;
    const unsigned dim = form->dim;
    double sides = 0;
    for (unsigned d = 0; d < dim; d++) {
        double most = form->places[d];
        least[d] = form->places[d];
        for (size_t i = 1; i < problem->n; i++) {
            least[d] = fmin(least[d], form->places[i * dim + d]);
            most = fmax(most, form->places[i * dim + d]);
        }
        sides += most - least[d];
    }
    return sides;
}

/* Let u = 2^-24, and d the sum of the side lengths of the bounding box. The error of a coordinate is at most
 * 2 u d and that of a difference of coordinates 5 u d, so that of an estimated distance in three dimensions
 * is below 9 u d. Square, sum and root (3 units in the last place) add 8 u d, and each sum adds 5 u d.
 * Rounding to an integer changes a distance by at most 1/2, or raises it by up to 1 if it is rounded upwards.
 * If a gain adds and subtracts equal numbers of distances, rounding upwards also changes it by at most 1/2
 * for each distance; if all distances are subtracted, as for all pairs, it only lowers the gain. The factors
 * below are larger than these sums. */
float tsp_estimate_slack(double sides, unsigned distances)
{
    return (float)(distances * (0.5 + 32 * 0x1p-24 * sides + 0.0625));
}
