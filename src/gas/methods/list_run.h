/* Private: many steps of the neighbour list method in one launch: cl/gas/methods/list_run.cl. */
#ifndef SHOAL_GAS_LIST_RUN_H
#define SHOAL_GAS_LIST_RUN_H

#include "gas/methods/neighbours.h"

struct gas_list_run;

/* Most particles whose steps a cluster of work-groups makes, unless a tuning file says otherwise. */
enum { GAS_CLUSTER_PARTICLES = 8192 };

/* Creates the kernel that makes many steps in one launch; the caller destroys it. *out is NULL if each launch
 * is to make one step: the gas is too large, or the device is a CPU. */
SHOAL_MUST_CHECK enum shoal_status gas_list_run_create(struct shoal_solver *solver,
                                                       const struct gas_neighbours *neighbours,
                                                       struct gas_list_run **out, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_list_run_launch(struct shoal_solver *solver,
                                                       const struct gas_list_run *run,
                                                       const struct gas_neighbours *neighbours,
                                                       const struct gas_list_launch *launch,
                                                       struct shoal_event **event, struct shoal_error *error);

extern const struct shoal_program_desc gas_list_run_program;

#endif
