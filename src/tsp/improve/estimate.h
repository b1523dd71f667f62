/* Private: how kernels estimate distances in single precision, and by how much sums of these may be wrong. */
#ifndef SHOAL_TSP_ESTIMATE_H
#define SHOAL_TSP_ESTIMATE_H

#include "tsp/model/problem.h"

/* How kernels estimate distances: 1 as straight distances of points, 2 as sums of differences, 3 as largest
 * differences; 0: there is no estimate. */
int tsp_estimate_of(const struct tsp_form *form);
/* Sets the least coordinates, and returns the sum of the sides of the box around all places. The form must
 * have an estimate. */
double tsp_estimate_box(const struct tsp_problem *problem, double least[3]);
/* By how much a gain may be above its estimate, in which `distances` distances are estimated. A gain that
 * adds as many of these as it subtracts may also be below its estimate by this much. */
float tsp_estimate_slack(double sides, unsigned distances);

#endif
