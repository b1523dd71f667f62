/* Private: estimates of distances that kernels compute in single precision, and error bounds for sums of
 * estimates. */
#ifndef SHOAL_TSP_ESTIMATE_H
#define SHOAL_TSP_ESTIMATE_H

#include "tsp/model/problem.h"

/* Returns how distances of the form are estimated: 1 by Euclidean distances of points, 2 by sums of
 * coordinate differences, 3 by largest coordinate differences. 0: the form has no estimate. */
int tsp_estimate_of(const struct tsp_form *form);
/* Sets the least coordinates of the bounding box of all cities, and returns the sum of the box's side
 * lengths. The form must have an estimate. */
double tsp_estimate_box(const struct tsp_problem *problem, double least[3]);
/* Returns the largest amount by which a gain may exceed its estimate if `distances` of the gain's distances
 * are estimated. If half of these are added and half are subtracted, it is also the largest amount by which
 * the estimate may exceed the gain. sides: the result of tsp_estimate_box. */
float tsp_estimate_slack(double sides, unsigned distances);

#endif
