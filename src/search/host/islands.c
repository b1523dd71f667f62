/* Records of the islands of the host solver: best members, champions, exchange, ends. */
#include "search/host/host.h"

#include <math.h>
#include <string.h>

static double goal_of(const struct search_host *host, size_t k)
{
    return host->best[k * host->problem->members + host->islands[k].leader];
}

void search_host_find_leader(struct search_host *host, size_t k)
{
    const size_t members = host->problem->members;
    const double *best = host->best + k * members;
    size_t leader = 0;
    double least = best[0];
    for (size_t i = 1; i < members; i++) {
        leader = best[i] < least ? i : leader;
        least = best[i] < least ? best[i] : least;
    }
    host->islands[k].leader = leader;
}

void search_host_keep_points(struct search_host *host, size_t island)
{
    const struct search_problem *problem = host->problem;
    const size_t first = island * problem->members, numbers = problem->members * problem->dim;
    memcpy(host->best + first, host->y + first, problem->members * sizeof *host->best);
    memcpy(host->p + first * problem->dim, host->x + first * problem->dim, numbers * sizeof *host->p);
}

static void keep_champion(struct search_host *host, size_t k, bool first)
{
    const struct search_problem *problem = host->problem;
    struct search_island *island = &host->islands[k];
    const double goal = goal_of(host, k);
    if (!first && !(goal < island->champion))
        return;
    island->champion = goal;
    memcpy(host->champion + k * problem->dim,
           host->p + (k * problem->members + island->leader) * problem->dim,
           problem->dim * sizeof *host->champion);
}

size_t search_host_champion(const struct search_host *host, size_t run)
{
    const size_t first = run * host->problem->run_islands;
    size_t best = first;
    for (size_t k = first + 1; k < first + host->problem->run_islands; k++)
        if (host->islands[k].champion < host->islands[best].champion)
            best = k;
    return best;
}

/* Any value improves an infinite mark. The test by a relative tolerance would fail for such a mark. */
bool search_has_fallen(double goal, double mark, double tolerance)
{
    const double least = tolerance < 0 ? -tolerance * fabs(mark) : tolerance * fmax(1, fabs(mark));
    return goal < mark && (isinf(mark) || mark - goal > least);
}

static void settle_island(struct search_host *host, size_t k, uint64_t step, bool drawn)
{
    struct search_island *island = &host->islands[k];
    const double goal = goal_of(host, k);
    if (drawn || !(goal < island->goal))
        island->renew_at = step + 1;
    if (drawn || search_has_fallen(goal, island->mark, host->problem->params->stagnation_tolerance)) {
        island->mark = goal;
        island->stagnant = 0;
    } else {
        island->stagnant++;
    }
    island->goal = goal;
}

static bool has_stagnated(const struct search_host *host, size_t run)
{
    const struct search_problem *problem = host->problem;
    const uint64_t limit = problem->params->stagnation;
    for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++)
        if (!limit || host->islands[k].stagnant < limit)
            return false;
    return true;
}

/* Whether, by the algorithm's rule, no island of the run can improve any more. False for algorithms without
 * such a rule. */
static bool is_spent(const struct search_host *host, size_t run)
{
    const size_t islands = host->problem->run_islands;
    for (size_t k = run * islands; k < (run + 1) * islands; k++)
        if (!host->ops->is_spent || !host->ops->is_spent(host, k))
            return false;
    return true;
}

/* Whether the members of each island are within x_tolerance of the island's champion, in each dimension. */
static bool has_converged(const struct search_host *host, size_t run)
{
    const struct search_problem *problem = host->problem;
    const size_t dim = problem->dim, island = problem->members * dim, first = run * problem->run_islands,
                 left = search_members_after(problem, host->runs[run].steps) * dim;
    for (size_t k = first; k < first + problem->run_islands; k++)
        for (size_t i = 0; i < left; i++)
            if (!search_is_near(problem, i % dim, host->p[k * island + i], host->champion[k * dim + i % dim]))
                return false;
    return true;
}

void search_host_look_for_end(struct search_host *host, size_t run, bool has_moved)
{
    struct search_run *record = &host->runs[run];
    const double best = host->islands[search_host_champion(host, run)].champion;
    record->reached = best <= host->problem->target;
    record->ended = record->reached || has_stagnated(host, run) || is_spent(host, run) ? SEARCH_ENDED : 0;
    if (has_moved && !record->ended && search_looks_for_spread(host->problem, record->steps) &&
        has_converged(host, run))
        record->ended = SEARCH_CONVERGED;
}

void search_host_settle(struct search_host *host, size_t run, struct search_team team)
{
    const struct search_problem *problem = host->problem;
    const struct shoal_search_params *params = problem->params;
    const size_t first = run * problem->run_islands, end = first + problem->run_islands;
    const uint64_t step = search_host_making(host, run);
    for (size_t k = first; k < end; k++) {
        const bool drawn = search_host_is_drawing(host, k), replaces = !drawn && host->ops->replace;
        if (replaces)
            host->ops->replace(host, k, team);
        if (drawn || replaces)
            search_host_find_leader(host, k);
        keep_champion(host, k, step == 0 || problem->info->dynamic);
        if (host->ops->end_step)
            host->ops->end_step(host, k);
    }
    /* An island that sends its champion must not send a champion that it has received in the same step, so
     * champions are updated after the exchange of all islands. */
    const bool exchanges = params->exchange && step && step % params->exchange == 0;
    if (exchanges)
        search_host_exchange(host, run);
    for (size_t k = first; k < end; k++) {
        if (exchanges && host->ops->immigrate)
            search_host_find_leader(host, k);
        settle_island(host, k, step, search_host_is_drawing(host, k));
        if (exchanges)
            keep_champion(host, k, false);
    }
    host->runs[run].steps = step;
    search_host_look_for_end(host, run, !search_polish_allowance(problem, step));
}
