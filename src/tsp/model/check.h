/* Private: rules that places, distances and edges keep, wherever they come from. */
#ifndef SHOAL_TSP_CHECK_H
#define SHOAL_TSP_CHECK_H

#include "tsp/model/problem.h"

/* Most cities of a problem. Twice as many cities, as the form of an asymmetric problem has, still have
 * numbers of 31 bits. */
#define TSP_MOST_CITIES (UINT32_C(1) << 28)

/* How many numbers a place has: 2 or 3; 0: the metric is a matrix. */
unsigned tsp_metric_dim(enum shoal_tsp_metric metric);
/* Returns the error in a place, for messages; NULL: the place is valid. */
const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place);
/* Whether the metric of the parameters may replace the metric of the input. name: name of the input. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_metric(const struct shoal_tsp_params *params,
                                                    enum shoal_tsp_metric metric, const char *name,
                                                    struct shoal_error *error);
/* Gives the problem a matrix of its own with n * n zeros, and sets n. */
SHOAL_MUST_CHECK enum shoal_status tsp_allocate_matrix(struct tsp_problem *problem,
                                                       struct shoal_error *error);
/* The smallest power of ten in which a distance of size `greatest` is below 2^30. */
double tsp_unit(double greatest);
/* Checks that fixed edges are parts of one tour, and removes duplicates. The ends of a path must be set.
 * SHOAL_INVALID: no tour has these edges. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_fixed(struct tsp_problem *problem, struct shoal_error *error);
/* Adds a note where rounding makes most distances 0 or 1. */
void tsp_note_rounding(struct tsp_problem *problem);
/* Checks, as far as the neighbours of each city show it, that some tour avoids the forbidden edges; no fixed
 * edge may be forbidden. SHOAL_INVALID.
 */
SHOAL_MUST_CHECK enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem,
                                                       struct shoal_error *error);

#endif
