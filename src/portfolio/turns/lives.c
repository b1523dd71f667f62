/* Turns of lives: the choice of the turns, the number of populations, and the refinement at the end of a
 * life. */
#include "base/error.h"
#include "compute/device.h"
#include "portfolio/turns/turns.h"
#include "search/refine/refine.h"
#include "search/space.h"

#include <math.h>
#include <string.h>

void portfolio_lives_settle(const struct shoal_solver *solver, struct shoal_portfolio_params *params)
{
    const struct shoal_search_params *search = &params->search;
    const bool has_time_alone = !isnan(search->time) && !search->evaluations && !search->iterations;
    const uint64_t islands = search->islands * search->runs,
                   units = solver->queue ? units_for_sums(shoal_device_get_info(solver->device)) : 1;
    if (params->turns == SHOAL_PORTFOLIO_TURNS_AUTO)
        params->turns = has_time_alone ? SHOAL_PORTFOLIO_LIVES : SHOAL_PORTFOLIO_STEPS;
    if (params->turns != SHOAL_PORTFOLIO_LIVES)
        return;
    params->champions = 0;
    if (!params->populations)
        params->populations = units > islands ? (units + islands - 1) / islands : 1;
}

enum shoal_status portfolio_lives_refine(struct shoal_solver *solver, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    const struct search_stop stop = {solver->is_stopped, solver->stop_data, solver->threads};
    const size_t bytes = problem->dim * sizeof *turns->champion;
    if (search_refinement(problem) != SEARCH_PATTERN)
        return SHOAL_OK;
    for (size_t run = 0; run < problem->runs; run++) {
        const size_t leader = portfolio_leader_of(turns, run);
        turns->best_out[run] =
            turns->runs[run].ended ? INFINITY : search_shown_value(problem, turns->values[leader]);
        memcpy(turns->position_out + run * problem->dim, turns->champion + leader * problem->dim, bytes);
    }
    enum shoal_status status = search_refine(problem, turns->position_out, turns->best_out, &stop,
                                             &turns->lives->refined, NULL, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        const size_t leader = portfolio_leader_of(turns, run);
        const double value = problem->sign * turns->best_out[run];
        if (turns->runs[run].ended || !(value < turns->values[leader]))
            continue;
        turns->values[leader] = value;
        memcpy(turns->champion + leader * problem->dim, turns->position_out + run * problem->dim, bytes);
    }
    return status;
}
