/* Private: choice of the algorithm for "auto". */
#ifndef SHOAL_SEARCH_CHOICE_H
#define SHOAL_SEARCH_CHOICE_H

#include "search/algorithm.h"
#include "search/problem.h"

/* Creates the parameters of an algorithm: its defaults, with the common parameters of `search`. The caller
 * frees them. */
SHOAL_MUST_CHECK enum shoal_status choice_params_of(const struct search_algorithm *algorithm,
                                                    const struct shoal_search_params *search, void **out,
                                                    struct shoal_error *error);

/* Returns the parameters of a search that is a part of another search: one population for the same problem,
 * without limits and without start points. The parameters point into `problem`, so they are valid as long as
 * the problem. */
struct shoal_search_params choice_inner_params(const struct search_problem *problem);

#endif
