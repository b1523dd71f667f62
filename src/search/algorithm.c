/* Finds algorithms by name in the table of algorithms. */
#include "search/algorithm.h"

#include <shoal/optimise.h>
#include <stdio.h>
#include <string.h>

const struct search_algorithm *search_algorithm_in(const char *name, size_t length)
{
    for (size_t i = 0; search_algorithms[i]; i++)
        if (strlen(search_algorithms[i]->name) == length &&
            memcmp(search_algorithms[i]->name, name, length) == 0)
            return search_algorithms[i];
    return NULL;
}

const struct search_algorithm *search_algorithm_find(const char *name)
{
    return search_algorithm_in(name, strlen(name));
}

const struct shoal_workload *shoal_optimiser_algorithm_at(size_t index)
{
    size_t count = 0;
    while (search_algorithms[count])
        count++;
    return index < count ? shoal_workload_find(search_algorithms[index]->name) : NULL;
}

static bool takes_genes(const struct search_algorithm *algorithm)
{
    return algorithm->takes_genes;
}

static bool takes_or_rounds(const struct search_algorithm *algorithm)
{
    return algorithm->takes_genes || algorithm->rounds;
}

static bool takes_points(const struct search_algorithm *algorithm)
{
    return algorithm->takes_points;
}

static const char *list_takers(bool (*takes)(const struct search_algorithm *algorithm),
                               char names[SEARCH_NAMES])
{
    size_t used = 0;
    snprintf(names, SEARCH_NAMES, "none");
    for (size_t i = 0; search_algorithms[i] && used < SEARCH_NAMES; i++)
        if (takes(search_algorithms[i]))
            used += (size_t)snprintf(names + used, SEARCH_NAMES - used, "%s%s", used ? " or " : "",
                                     search_algorithms[i]->name);
    return names;
}

const char *search_takers_of_genes(bool rounded, char names[SEARCH_NAMES])
{
    return list_takers(rounded ? takes_or_rounds : takes_genes, names);
}

const char *search_takers_of_points(char names[SEARCH_NAMES])
{
    return list_takers(takes_points, names);
}

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params)
{
    return algorithm->points ? algorithm->points(params) : search_members(algorithm, params);
}
