/* Private: estimates of distances in kernels, in single precision, and error bounds for sums of estimates. */
#ifndef SHOAL_TSP_ESTIMATE_H
#define SHOAL_TSP_ESTIMATE_H

#include "tsp/model/problem.h"

/* Returns the kind of estimate: 1 Euclidean distance of points, 2 sum of differences, 3 largest difference;
 * 0: the form has no estimate. */
int tsp_estimate_of(const struct tsp_form *form);
/* Sets the least coordinates, and returns the sum of the side lengths of the bounding box of all cities. The
 * form must have an estimate. */
double tsp_estimate_box(const struct tsp_problem *problem, double least[3]);
/* Returns the largest amount by which a gain may exceed its estimate if `distances` of its distances are
 * estimated. If half of them are added and half are subtracted, the estimate also exceeds the gain by at most
 * this amount. */
float tsp_estimate_slack(double sides, unsigned distances);

#endif
