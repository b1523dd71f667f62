/* Private: declarations that the files of the workload "ga" share. */
#ifndef SHOAL_GA_GA_H
#define SHOAL_GA_GA_H

#include "ga/model/problem.h"
#include "ga/thesis/options.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops ga_device_solver, ga_host_solver;

/* Default of stagnation: number of generations without improvement that end a run. */
#define GA_STAGNATION 200

enum { GA_OPTIONS = SEARCH_OPTIONS + 45 + GA_THESIS_OPTIONS };
extern const struct shoal_option ga_options[GA_OPTIONS];

/* Names of the methods, in the order of enum shoal_ga_method, ended by NULL. */
extern const char *const ga_method_names[];

static inline const struct shoal_ga_params *ga_params(const struct shoal_solver *solver)
{
    return solver->params;
}

#endif
