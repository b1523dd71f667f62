/* Private: how much of a table a line leaves to a net.
 *
 * Up to 1000 training rows at equal distances are looked at. A ridge line fitted to all other rows has an
 * error at each row; the mean error of the 3 or of the 10 nearest rows, whichever is better, is subtracted,
 * and the measure is how much error is left: a lack-of-fit test by near rows (C. Daniel and F. Wood, Fitting
 * Equations to Data, 1980). The error by noise, or by a shape that the rows are too few to show, stays whole;
 * the error by a smooth curve goes to 0.
 *
 * In double precision on the host, in a fixed order: the same bits for every device. Any thread.
 */
#ifndef SHOAL_MLP_MODEL_LACK_OF_FIT_H
#define SHOAL_MLP_MODEL_LACK_OF_FIT_H

#include "dataset/prepare/prepared.h"

/* *out: 1 - errors left / errors of the line, from 0 (the rows show only a line) to 1. NaN: a line leaves
 * less than a hundredth of the variance, there are fewer than 16 rows or more than 256 inputs, or targets are
 * classes. Uses rows first .. first + count - 1 with their weights; inputs and targets count as standardised,
 * however they are scaled. */
SHOAL_MUST_CHECK enum shoal_status lack_of_fit(const struct prepared *prepared, size_t first, size_t count,
                                               double *out, struct shoal_error *error);

#endif
