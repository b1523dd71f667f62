/* Private: declarations that the files of the workload "pso" share. */
#ifndef SHOAL_PSO_SWARM_H
#define SHOAL_PSO_SWARM_H

#include "pso/model/problem.h"
#include "pso/thesis/options.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops pso_device_solver, pso_host_solver;

/* Default of stagnation: number of steps without improvement that end a run. Fully informed swarms may
 * improve after longer pauses, so their default is larger. */
#define PSO_STAGNATION      100
#define PSO_FIPS_STAGNATION 500

enum { PSO_OPTIONS = SEARCH_OPTIONS + 15 + PSO_THESIS_OPTIONS };
extern const struct shoal_option pso_options[PSO_OPTIONS];

/* Names of the methods, in the order of enum shoal_pso_method, ended by NULL. */
extern const char *const pso_method_names[];

static inline const struct shoal_pso_params *pso_params(const struct shoal_solver *solver)
{
    return solver->params;
}

#endif
