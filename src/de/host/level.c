/* The epsilon level on the host: values of members and trials if violations up to the level count as none. */
#include "de/host/host.h"
#include "objective/constraints/constraints.h"

#include <math.h>
#include <stdint.h>

/* The kernel dialect defines these names, which <math.h> also defines. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "de/model/level.clh"

_Static_assert((int)LEVEL_REALS == (int)DE_LEVEL_REALS, "values differ between host and kernels");

void de_host_begin_level(struct search_host *search, size_t island)
{
    struct de_host *host = de_host_of(search);
    const size_t members = search->problem->members, first = island * members, at = members / LEVEL_PART;
    const uint64_t step = search_host_making(search, island / search->problem->run_islands);
    if (!host->problem.level_steps || !search_host_is_drawing(search, island))
        return;
    double *level = host->level + island * LEVEL_REALS;
    de_host_order(search->best + first, members, at + 1, host->order + first);
    level[LEVEL_START] =
        fmin(de_violation(search->best[first + host->order[first + at]]), de_level_most(&host->problem));
    level[LEVEL_DRAWN] = (double)step;
}

double de_host_level(const struct de_host *host, size_t island, uint64_t step)
{
    const double *level = host->level + island * LEVEL_REALS;
    return de_level_at(level[LEVEL_START], level[LEVEL_DRAWN], (uint)step, host->problem.level_steps);
}

double de_host_levelled(struct de_host *host, size_t island, const double *x, double rank, double level)
{
    const struct search_problem *problem = &host->problem.search;
    double excess[CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    if (!de_is_relaxed(rank, level))
        return rank;
    return de_levelled(rank, search_parts(problem, x, host->point + island * problem->dim, excess), level);
}
