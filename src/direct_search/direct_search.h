/* Private: declarations that the files of the direct searches share: Nelder-Mead, pattern search and random
 * search. */
#ifndef SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H
#define SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H

#include "search/host/host.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

#include <shoal/direct_search.h>

#include "cl/search/layout.clh" /* must be included after <stdint.h> */

#include "cl/direct_search/layout.clh"

/* Default numbers of steps without improvement that end a search. */
#define NELDER_MEAD_STAGNATION 5000
#define PATTERN_STAGNATION     200
#define RANDOM_STAGNATION      100

enum { DIRECT_SEARCH_OPTIONS = SEARCH_OPTIONS + 2 };
extern const struct shoal_option nelder_mead_options[DIRECT_SEARCH_OPTIONS],
    pattern_options[DIRECT_SEARCH_OPTIONS], random_options[DIRECT_SEARCH_OPTIONS];
extern const struct search_host_ops nelder_mead_functions, pattern_functions, random_functions;
extern const struct shoal_solver_ops direct_search_host_solver, direct_search_device_solver;

/* Names of the methods, in the order of enum shoal_direct_method, ended by NULL. */
extern const char *const direct_method_names[];

/* The properties in which the direct searches differ. */
struct direct_rule {
    int number;     /* value of DIRECT_RULE */
    double length;  /* setting SET_LENGTH */
    int32_t method; /* enum shoal_direct_method */
};

struct direct_rule direct_rule_of(const struct search_problem *problem);

/* Creates the problem, with a table of the box in problem->tables: double precision, in the layout of the
 * kernels' settings. */
SHOAL_MUST_CHECK enum shoal_status direct_search_problem_create(struct shoal *shoal,
                                                                const struct search_algorithm *algorithm,
                                                                const struct shoal_search_params *params,
                                                                struct search_problem *problem,
                                                                struct shoal_error *error);

/* Least number of bytes that a step reads and writes for each evaluation. */
double direct_search_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
