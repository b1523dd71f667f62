/* Private: declarations that the files of the workload "cmaes" share. */
#ifndef SHOAL_CMAES_POPULATION_H
#define SHOAL_CMAES_POPULATION_H

#include "cmaes/model/problem.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops cmaes_device_solver, cmaes_host_solver;

/* Default number of steps without improvement that end a run. Within this number of steps, restarts can find
 * a better minimum. */
#define CMAES_STAGNATION 5000

enum { CMAES_OPTIONS = SEARCH_OPTIONS + 8 };
extern const struct shoal_option cmaes_options[CMAES_OPTIONS];

/* Names of the methods, in the order of enum shoal_cmaes_method, ended by NULL. */
extern const char *const cmaes_method_names[];

static inline const struct shoal_cmaes_params *cmaes_params(const struct shoal_solver *solver)
{
    return solver->params;
}

#endif
