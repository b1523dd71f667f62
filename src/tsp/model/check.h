/* Private: rules that places, distances and edges keep, wherever they come from. */
#ifndef SHOAL_TSP_CHECK_H
#define SHOAL_TSP_CHECK_H

#include "tsp/model/problem.h"

/* So many that twice of them still have numbers of 31 bits, in the form of an asymmetric problem. */
#define TSP_MOST_CITIES (UINT32_C(1) << 28)

/* Numbers of a place: 2 or 3; 0: a matrix. */
unsigned tsp_metric_dim(enum shoal_tsp_metric metric);
/* Returns the fault of a place, for messages; NULL: the place has none. */
const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place);
/* May the metric of the parameters replace that of the input? `name` is the input's. */
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
/* As far as it follows from the neighbours of each city: some tour avoids the forbidden edges. No
 * fixed edge is one. SHOAL_INVALID.
 */
SHOAL_MUST_CHECK enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem,
                                                       struct shoal_error *error);

#endif
