/* Private: estimates of distances by kernels in single precision, and bounds for the error of sums of
 * estimates. */
#ifndef SHOAL_TSP_ESTIMATE_H
#define SHOAL_TSP_ESTIMATE_H

#include "tsp/model/problem.h"

/* How kernels estimate distances: 1 as straight distances of points, 2 as sums of differences, 3 as largest
 * differences; 0: there is no estimate. */
int tsp_estimate_of(const struct tsp_form *form);
/* Sets the least coordinates, and returns the sum of the sides of the box around all places. The form must
 * have an estimate. */
double tsp_estimate_box(const struct tsp_problem *problem, double least[3]);
/* Bound for the amount by which a gain may be above its estimate, where `distances` of its distances are
 * estimated. If a gain adds as many estimated distances as it subtracts, it may also be below its estimate by
 * this amount. */
float tsp_estimate_slack(double sides, unsigned distances);

#endif
