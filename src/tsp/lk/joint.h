/* Private: steps of many runs on a device at once. Each run has a problem that is one cell, so a search
 * has a cell for each tour of each run. The tours are those of the runs alone. */
#ifndef SHOAL_TSP_LK_JOINT_H
#define SHOAL_TSP_LK_JOINT_H

#include "tsp/tsp.h"

struct lk_joint;

/* Can the steps of a run be made together with those of others? Its problem must be one small cell, with
 * distances by coordinates. */
bool lk_joins(const struct tsp_problem *problem, const struct shoal_tsp_params *params);

SHOAL_MUST_CHECK enum shoal_status lk_joint_create(struct shoal_queue *queue, int threads,
                                                   struct lk_joint **out, struct shoal_error *error);
void lk_joint_destroy(struct lk_joint **joint); /* accepts NULL */
/* Builds the programs that the runs need, so that the time of no run has the builds. */
void lk_joint_build(struct lk_joint *joint, struct shoal_solver *const *solvers, size_t count);
/* Searches the next step of each run. Their next shoal_solver_step takes what was found; without it, the call
 * makes no step: so it is for runs that must end before their turn. is_other: the runs are others than those
 * of the last call. */
void lk_joint_search(struct lk_joint *joint, struct shoal_solver *const *solvers, size_t count,
                     bool is_other);
/* The status of the last call for a run. Runs that need another program may have another one. */
SHOAL_MUST_CHECK enum shoal_status lk_joint_status(const struct shoal_solver *solver,
                                                   struct shoal_error *error);

extern const struct tsp_method lk_joint_method;

#endif
