/* Private: shortest tours of few cities, by dynamic programming. */
#ifndef SHOAL_TSP_EXACT_H
#define SHOAL_TSP_EXACT_H

#include "tsp/model/problem.h"

/* Most cities of the input: the time grows as n^2 2^n. */
enum { TSP_EXACT_CITIES = 12 };

/* Sets `tour`, [problem->n], to a shortest tour of the input. If each tour has a forbidden edge, so has
 * `tour`. The problem has at most TSP_EXACT_CITIES cities. */
SHOAL_MUST_CHECK enum shoal_status tsp_exact_tour(const struct tsp_problem *problem, uint32_t *tour,
                                                  struct shoal_error *error);

#endif
