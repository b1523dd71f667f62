/* Private: the algorithm of "auto". */
#ifndef SHOAL_SEARCH_CHOICE_H
#define SHOAL_SEARCH_CHOICE_H

#include "search/algorithm.h"
#include "search/problem.h"

/* Makes a block of parameters of the algorithm: its defaults, with the common parameters of `search`. The
 * caller frees the block. */
SHOAL_MUST_CHECK enum shoal_status choice_params_of(const struct search_algorithm *algorithm,
                                                    const struct shoal_search_params *search, void **out,
                                                    struct shoal_error *error);

/* The problem as the parameters of a search within the search: one population without an end of its own, and
 * without start points. They are valid as long as the problem. */
struct shoal_search_params choice_inner_params(const struct search_problem *problem);

#endif
