/* Private: start points, the first positions of the first members of each run. */
#ifndef SHOAL_SEARCH_START_H
#define SHOAL_SEARCH_START_H

#include "search/lists.h"
#include "search/problem.h"

/* Checks each start point against the box and its variables and sets problem->start to the points as members.
 * The array is freed with the problem. */
SHOAL_MUST_CHECK enum shoal_status search_start_create(struct search_problem *problem,
                                                       const struct search_numbers *points,
                                                       struct shoal_error *error);

/* Genes of the start point for member i of all islands; NULL: the member starts with random genes. */
static inline const double *search_start_of(const struct search_problem *problem, size_t i)
{
    const size_t number = (problem->lead * problem->members + i) % (problem->members * problem->run_islands);
    return number < problem->start_count ? problem->start + number * problem->dim : NULL;
}

/* Returns SHOAL_INVALID for points of `count` numbers; the message names the numbers that a point must
 * have. */
SHOAL_MUST_CHECK enum shoal_status search_start_fail_count(const struct search_problem *problem, size_t count,
                                                           size_t due, struct shoal_error *error);

#endif
