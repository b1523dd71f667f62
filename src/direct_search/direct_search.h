/* Private: what the files of the direct searches share: Nelder-Mead, pattern search, random search. */
#ifndef SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H
#define SHOAL_DIRECT_SEARCH_DIRECT_SEARCH_H

#include "search/host/host.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

#include <shoal/direct_search.h>

/* Steps without improvement that end a search by default. */
#define NELDER_MEAD_STAGNATION 5000
#define PATTERN_STAGNATION     200
#define RANDOM_STAGNATION      100

enum { DIRECT_SEARCH_OPTIONS = SEARCH_OPTIONS + 1 };
extern const struct shoal_option nelder_mead_options[DIRECT_SEARCH_OPTIONS],
    pattern_options[DIRECT_SEARCH_OPTIONS], random_options[DIRECT_SEARCH_OPTIONS];
extern const struct search_host_ops nelder_mead_functions, pattern_functions, random_functions;
extern const struct shoal_solver_ops direct_search_host_solver;

/* Draws a point of the box: coordinate d from word d of the draws of point `index` in step `step`. */
void direct_search_draw(const struct search_problem *problem, size_t run, uint64_t step, size_t index,
                        double *x);
double direct_search_bytes(const struct search_problem *problem, enum shoal_precision precision);

/* The run of island k, and the number of the island's first member among those of the run. */
static inline size_t direct_search_run(const struct search_problem *problem, size_t k)
{
    return k / problem->run_islands;
}

static inline size_t direct_search_index(const struct search_problem *problem, size_t k)
{
    return k % problem->run_islands * problem->members;
}

static inline double direct_search_width(const struct search_problem *problem, size_t d)
{
    return problem->upper[d] - problem->lower[d];
}

/* The nearest coordinate in the box. */
static inline double direct_search_inside(const struct search_problem *problem, size_t d, double x)
{
    return fmin(fmax(x, problem->lower[d]), problem->upper[d]);
}

#endif
