/* The algorithms of the library: one line each, the default of optimisers first. */
#include "search/algorithm.h"

extern const struct search_algorithm ga_algorithm, pso_algorithm;

const struct search_algorithm *const search_algorithms[] = {
    &pso_algorithm,
    &ga_algorithm,
    NULL,
};
