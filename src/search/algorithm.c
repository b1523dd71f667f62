/* The table of algorithms, searched by name. */
#include "search/algorithm.h"

#include <string.h>

const struct search_algorithm *search_algorithm_find(const char *name)
{
    for (size_t i = 0; search_algorithms[i]; i++)
        if (strcmp(search_algorithms[i]->name, name) == 0)
            return search_algorithms[i];
    return NULL;
}

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params)
{
    return algorithm->points ? algorithm->points(params) : search_members(algorithm, params);
}
