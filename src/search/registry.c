/* The table of the algorithms, in the order of algorithms.inc. */
#include "search/algorithm.h"

#define ALGORITHM(symbol, name) extern const struct search_algorithm symbol##_algorithm;
#include "search/algorithms.inc"
#undef ALGORITHM

#define ALGORITHM(symbol, name) &symbol##_algorithm,
const struct search_algorithm *const search_algorithms[] = {
#include "search/algorithms.inc"
    NULL};
