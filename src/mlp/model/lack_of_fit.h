/* Private: lack of fit of a linear model, which shows how much better a net can be.
 *
 * The test by near rows of C. Daniel and F. Wood (Fitting Equations to Data, 1980), for up to 1000 evenly
 * spaced training rows. Each row has the error of a linear model with a ridge, fitted to all other rows. From
 * this error the mean error of the 3 or of the 10 nearest rows is subtracted, whichever leaves the smaller
 * sum of squares. Errors by noise, or by a shape for which there are too few rows, remain; errors by a smooth
 * curve vanish.
 *
 * Computed on the host in double precision and in a fixed order, so that the bits do not depend on the
 * device. Any thread.
 */
#ifndef SHOAL_MLP_MODEL_LACK_OF_FIT_H
#define SHOAL_MLP_MODEL_LACK_OF_FIT_H

#include "dataset/prepare/prepared.h"

/* *out receives the lack of fit: 1 - remaining squared errors / squared errors of the linear model, from 0
 * (the rows show only a linear function) to 1. NaN: the linear model leaves less than a hundredth of the
 * variance, there are fewer than 16 rows or more than 256 inputs, or targets are classes. Uses rows first ..
 * first + count - 1 with their weights; inputs and targets are standardised for the test. */
SHOAL_MUST_CHECK enum shoal_status lack_of_fit(const struct prepared *prepared, size_t first, size_t count,
                                               double *out, struct shoal_error *error);

#endif
