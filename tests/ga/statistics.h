/* Tests of distributions over 1e6 draws. */
#ifndef SHOAL_TESTS_GA_STATISTICS_H
#define SHOAL_TESTS_GA_STATISTICS_H

#include "test.h"

#include <math.h>
#include <stdint.h>

enum { DRAWS = 1000000 };

/* Chi-square of counts against expected numbers within 5 standard deviations of its mean, by the normal
 * approximation of Wilson and Hilferty. Expected numbers below 5 are joined with the next. */
static inline void assert_counts(const uint64_t *counts, const double *expected, size_t bins)
{
    double chi = 0, wanted = 0, got = 0;
    size_t freedom = 0;
    for (size_t i = 0; i < bins; i++) {
        wanted += expected[i];
        got += (double)counts[i];
        if (wanted < 5 && i + 1 < bins)
            continue;
        if (wanted > 0) {
            chi += (got - wanted) * (got - wanted) / wanted;
            freedom++;
        } else {
            assert_true(got == 0);
        }
        wanted = got = 0;
    }
    assert_true(freedom > 1);
    const double f = (double)freedom - 1, part = 2 / (9 * f);
    const double z = (cbrt(chi / f) - (1 - part)) / sqrt(part);
    if (!(fabs(z) < 5))
        fail_msg("chi-square %g with %g degrees of freedom, %g standard deviations off", chi, f, z);
}

#endif
