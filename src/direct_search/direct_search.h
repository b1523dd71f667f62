/* Private: what the files of the direct searches share: Nelder-Mead, pattern search, random search. */
#ifndef SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H
#define SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H

#include "search/host/host.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

#include <shoal/direct_search.h>

#include "cl/search/layout.clh" /* include after <stdint.h> */

#include "cl/direct_search/layout.clh"

/* Steps without improvement that end a search by default. */
#define NELDER_MEAD_STAGNATION 5000
#define PATTERN_STAGNATION     200
#define RANDOM_STAGNATION      100

enum { DIRECT_SEARCH_OPTIONS = SEARCH_OPTIONS + 2 };
extern const struct shoal_option nelder_mead_options[DIRECT_SEARCH_OPTIONS],
    pattern_options[DIRECT_SEARCH_OPTIONS], random_options[DIRECT_SEARCH_OPTIONS];
extern const struct search_host_ops nelder_mead_functions, pattern_functions, random_functions;
extern const struct shoal_solver_ops direct_search_host_solver, direct_search_device_solver;

/* Names of the methods, in the order of enum shoal_direct_method; NULL ends the list. */
extern const char *const direct_method_names[];

/* What tells the direct searches apart. */
struct direct_rule {
    int number;     /* value of DIRECT_RULE */
    double length;  /* setting SET_LENGTH */
    int32_t method; /* enum shoal_direct_method */
};

struct direct_rule direct_rule_of(const struct search_problem *problem);

/* Creates the problem with a table of the box in the layout of the kernels' settings, in double precision:
 * problem->tables. */
SHOAL_MUST_CHECK enum shoal_status direct_search_problem_create(struct shoal *shoal,
                                                                const struct search_algorithm *algorithm,
                                                                const struct shoal_search_params *params,
                                                                struct search_problem *problem,
                                                                struct shoal_error *error);

/* Least bytes that a step reads and writes for one evaluation. */
double direct_search_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
