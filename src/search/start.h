/* Private: start points, which are the first members of each run. */
#ifndef SHOAL_SEARCH_START_H
#define SHOAL_SEARCH_START_H

#include "search/lists.h"
#include "search/problem.h"

/* Checks each start point against the box and the variables, and converts the points to members in
 * problem->start. The array is freed with the problem. */
SHOAL_MUST_CHECK enum shoal_status search_start_create(struct search_problem *problem,
                                                       const struct search_numbers *points,
                                                       struct shoal_error *error);

/* Returns the genes of the start point from which member i, counted over all islands of the solver, begins.
 * NULL: the member begins with random genes. */
static inline const double *search_start_of(const struct search_problem *problem, size_t i)
{
    const size_t number = (problem->lead * problem->members + i) % (problem->members * problem->run_islands);
    return number < problem->start_count ? problem->start + number * problem->dim : NULL;
}

/* Returns the error for a start point of `count` numbers; `due` numbers are expected. The message names the
 * coordinates. */
SHOAL_MUST_CHECK enum shoal_status search_start_fail_count(const struct search_problem *problem, size_t count,
                                                           size_t due, struct shoal_error *error);

#endif
