#include "bench/runner/results.h"

#include <math.h>
#include <string.h>

static const double least_tolerance = 0.05;

bool regression_compare(const struct result_row *row, const struct result_row *before,
                        struct regression *regression)
{
    *regression =
        (struct regression){.row = row, .before = before, .loss = NAN, .tolerance = least_tolerance};
    if (!(before->value > 0) || strcmp(row->unit, before->unit) != 0 ||
        row->higher_is_better != before->higher_is_better)
        return false;
    /* A missing figure counts as the largest regression. */
    if (!(row->value > 0)) {
        regression->worse = true;
        return true;
    }
    double spreads = fmax(0, row->spread) + fmax(0, before->spread);
    regression->tolerance = fmax(least_tolerance, 3 * spreads);
    regression->loss =
        row->higher_is_better ? 1 - row->value / before->value : row->value / before->value - 1;
    regression->worse = regression->loss > regression->tolerance;
    return true;
}
