/* Private: the rules of the direct searches on the host: the source of the kernels, compiled for a group of
 * one work-item. This header must be included last. */
#ifndef SHOAL_DIRECT_SEARCH_RULES_H
#define SHOAL_DIRECT_SEARCH_RULES_H

#include "direct_search/direct_search.h"

#include <shoal/rng.h>

#include "lib/host.h"

#define WG     1
#define INLINE inline
#define BOX    1
#define DIRECT_SPACE
#include "direct_search/model/island.clh"

/* Returns the arrays of an island as the rules take them. extra: [islands][dim]. */
static inline struct direct_view direct_view_of(const struct search_host *search, size_t island,
                                                double *extra)
{
    const struct search_problem *problem = search->problem;
    const size_t run = island / problem->run_islands, member = island * problem->members,
                 point = island * problem->width;
    return (struct direct_view){.dim = (uint)problem->dim,
                                .members = (uint)problem->members,
                                .points = (uint)problem->points,
                                .index = (uint)(island % problem->run_islands * problem->members),
                                .starts = (uint)problem->start_count,
                                .seed = problem->params->seed + run,
                                .length = direct_rule_of(problem).length,
                                .settings = problem->tables,
                                .start = problem->start,
                                .tile = 1,
                                .p = search->p + member * problem->dim,
                                .values = search->best + member,
                                .extra = extra ? extra + island * problem->dim : NULL,
                                .x = search->x + point * problem->dim,
                                .y = search->y + point};
}

#endif
