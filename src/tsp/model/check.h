/* Private: rules that places, distances and edges keep, wherever they come from. */
#ifndef SHOAL_TSP_CHECK_H
#define SHOAL_TSP_CHECK_H

#include "tsp/model/problem.h"

/* Most cities: twice as many, in the form of an asymmetric problem, still have numbers of 31 bits. */
#define TSP_MOST_CITIES (UINT32_C(1) << 28)

/* Numbers of a place: 2 or 3; 0: a matrix. */
unsigned tsp_metric_dim(enum shoal_tsp_metric metric);
/* Returns the error in a place, for messages; NULL: the place is valid. */
const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place);
/* May the metric of the parameters replace the input's metric? name: name of the input. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_metric(const struct shoal_tsp_params *params,
                                                    enum shoal_tsp_metric metric, const char *name,
                                                    struct shoal_error *error);
/* n * n zeros of the problem's own, n set. */
SHOAL_MUST_CHECK enum shoal_status tsp_allocate_matrix(struct tsp_problem *problem,
                                                       struct shoal_error *error);
/* The smallest power of ten in which a distance of `greatest` is below 2^30. */
double tsp_unit(double greatest);
/* Fixed edges are parts of one tour; duplicates are removed. Ends are set. SHOAL_INVALID. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_fixed(struct tsp_problem *problem, struct shoal_error *error);
/* Notes that a metric which rounds makes most distances 0 or 1. */
void tsp_note_rounding(struct tsp_problem *problem);
/* Checks, as far as the neighbours of each city show it, that some tour avoids the forbidden edges; no fixed
 * edge may be forbidden. SHOAL_INVALID.
 */
SHOAL_MUST_CHECK enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem,
                                                       struct shoal_error *error);

#endif
