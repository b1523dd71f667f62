/* Private: the algorithm of "auto". */
#ifndef SHOAL_SEARCH_CHOICE_H
#define SHOAL_SEARCH_CHOICE_H

#include "search/algorithm.h"

/* Makes a block of parameters of the algorithm: its defaults, with the common parameters of `search`. The
 * caller frees the block. */
SHOAL_MUST_CHECK enum shoal_status choice_params_of(const struct search_algorithm *algorithm,
                                                    const struct shoal_search_params *search, void **out,
                                                    struct shoal_error *error);

#endif
