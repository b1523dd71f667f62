/* Private: rules for coordinates, distances and edges from any source. */
#ifndef SHOAL_TSP_CHECK_H
#define SHOAL_TSP_CHECK_H

#include "tsp/model/problem.h"

/* Most cities of a problem. The form of an asymmetric problem has twice as many cities, whose numbers still
 * fit 31 bits. */
#define TSP_MOST_CITIES (UINT32_C(1) << 28)

/* Number of coordinates of a city: 2 or 3; 0: the metric is a matrix. */
unsigned tsp_metric_dim(enum shoal_tsp_metric metric);
/* Describes, for messages, why coordinates are invalid; NULL: they are valid. */
const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place);
/* Checks that the metric of the parameters may replace the metric of the input. name: name of the input. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_metric(const struct shoal_tsp_params *params,
                                                    enum shoal_tsp_metric metric, const char *name,
                                                    struct shoal_error *error);
/* Allocates the matrix of a problem, n * n zeros. */
SHOAL_MUST_CHECK enum shoal_status tsp_allocate_matrix(struct tsp_problem *problem,
                                                       struct shoal_error *error);
/* Returns the smallest power of ten in which a distance of `greatest` is below 2^30. */
double tsp_unit(double greatest);
/* Checks that the fixed edges can be parts of one tour, and removes duplicates. The ends of a path must be
 * set. SHOAL_INVALID: no tour contains all fixed edges. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_fixed(struct tsp_problem *problem, struct shoal_error *error);
/* Adds a note if rounding makes most distances 0 or 1. */
void tsp_note_rounding(struct tsp_problem *problem);
/* Checks, as far as the neighbours of each city and the reachable cities tell, that a tour without forbidden
 * edges exists. SHOAL_INVALID: no such tour exists, or a fixed edge is forbidden. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem,
                                                       struct shoal_error *error);

#endif
