/* Private: the result of a run, which the host checks, and the samples of a run. */
#ifndef SHOAL_TSP_OBSERVE_H
#define SHOAL_TSP_OBSERVE_H

#include "tsp/tsp.h"

/* Returns length / optimum - 1, or NaN if the optimum is not known. */
double tsp_gap(const struct tsp_problem *problem, int64_t length);
struct shoal_tsp_sample tsp_sample(const struct shoal_solver *solver, uint64_t step);
/* The member `result` of struct shoal_solver_ops, for host and devices. */
SHOAL_MUST_CHECK enum shoal_status tsp_result(struct shoal_solver *solver, struct shoal_result *result,
                                              struct shoal_error *error);

#endif
