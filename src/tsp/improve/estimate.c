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

/* With u = 2^-24 and the sum d of the box's sides: coordinates are off by 2 u d each and differences by 5 u
 * d, so each estimated distance by less than 9 u d in three dimensions; square, sum and root (3 units in the
 * last place) add 8 u d, the sums 5 u d for each. Rounding changes a distance by 1/2, up by 1 and down by 0
 * where it is upwards: in a gain that adds as many distances as it subtracts, 1/2 for each, too; where all
 * are subtracted, as for all pairs, it only makes the gain less. All rounded up by far. */
float tsp_estimate_slack(double sides, unsigned distances)
{
    return (float)(distances * (0.5 + 32 * 0x1p-24 * sides + 0.0625));
}
