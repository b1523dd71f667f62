/* Private: how kernels estimate distances in single precision, and by how much sums of these may be wrong. */
#ifndef SHOAL_TSP_ESTIMATE_H
#define SHOAL_TSP_ESTIMATE_H

#include "tsp/model/problem.h"

/* 1: straight distances of points, 2: sums of differences, 3: largest differences; 0: there is no estimate.
 */
int tsp_estimate_of(const struct tsp_form *form);
/* Sets the least coordinates, and returns the sum of the sides of the box around all places. The form must
 * have an estimate. */
double tsp_estimate_box(const struct tsp_problem *problem, double least[3]);
/* By how much a gain may be above its estimate, of which `distances` are estimated; also below it, where as
 * many of them are added as are subtracted. */
float tsp_estimate_slack(double sides, unsigned distances);

#endif
