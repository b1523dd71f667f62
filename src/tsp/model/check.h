/* Private: rules for coordinates, distances and edges, whether they come from a file, a caller or a
 * generator. */
#ifndef SHOAL_TSP_CHECK_H
#define SHOAL_TSP_CHECK_H

#include "tsp/model/problem.h"

/* Most cities of a problem. The form of an asymmetric problem has twice as many cities, and their numbers
 * must fit 31 bits. */
#define TSP_MOST_CITIES (UINT32_C(1) << 28)

/* Returns the number of coordinates of a city, 2 or 3; 0: the metric is a matrix. */
unsigned tsp_metric_dim(enum shoal_tsp_metric metric);
/* Returns why coordinates are invalid, as a part of a message; NULL if they are valid. */
const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place);
/* Checks that the metric of the parameters may be used instead of `metric`, that of the input. `name`: name
 * of the input, for messages. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_metric(const struct shoal_tsp_params *params,
                                                    enum shoal_tsp_metric metric, const char *name,
                                                    struct shoal_error *error);
/* Sets problem->matrix to n * n zeros. */
SHOAL_MUST_CHECK enum shoal_status tsp_allocate_matrix(struct tsp_problem *problem,
                                                       struct shoal_error *error);
/* Returns the smallest power of ten in which a distance of size `greatest` is below 2^30 after rounding. */
double tsp_unit(double greatest);
/* Checks that one tour can contain all fixed edges, and removes duplicates of fixed edges. The ends of a path
 * must have been set. Returns SHOAL_INVALID if no tour contains all fixed edges. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_fixed(struct tsp_problem *problem, struct shoal_error *error);
/* Adds a note if most of the distances examined are 0 or 1, due to rounding. */
void tsp_note_rounding(struct tsp_problem *problem);
/* Checks conditions for a tour without forbidden edges: that each city has enough allowed edges, and that all
 * cities can be reached. These do not prove that such a tour exists. Returns SHOAL_INVALID if a condition
 * fails or a fixed edge is forbidden. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem,
                                                       struct shoal_error *error);

#endif
