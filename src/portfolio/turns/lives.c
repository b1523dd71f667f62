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

enum shoal_status portfolio_lives_check(const struct shoal_portfolio_params *given, int32_t turns,
                                        struct shoal_error *error)
{
    struct shoal_portfolio_params usual;
    shoal_portfolio_params_init(&usual);
    if (turns != SHOAL_PORTFOLIO_LIVES)
        return given->populations ? fail(error, SHOAL_INVALID,
                                         "--populations is for turns of lives, and this run has none: give "
                                         "--turns lives, or leave it out")
                                  : SHOAL_OK;
    if (given->epoch != usual.epoch || (given->champions && given->champions != usual.champions))
        return fail(error, SHOAL_INVALID,
                    "--%s: turns of lives have none: leave it out, or give --turns steps",
                    given->epoch != usual.epoch ? "epoch" : "champions");
    return SHOAL_OK;
}

uint64_t portfolio_lives_refined(const struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    return problem->params->evaluations ? (turns->lives->refined + problem->runs - 1) / problem->runs : 0;
}

/* Returns the number of evaluations that the next refinement at the end of a life must leave, of the
 * evaluations that a run has for refinements (problem->pattern). One half is kept for the refinement of the
 * result. Each refinement at the end of a life may use half of what is left of the other half. */
static uint64_t kept_of(const struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    const uint64_t used = portfolio_lives_refined(turns), most = problem->pattern / 2;
    return problem->params->evaluations ? problem->pattern - (used < most ? (most - used + 1) / 2 : 0) : 0;
}

static bool must_end(void *data)
{
    return long_step_look(data);
}

enum shoal_status portfolio_lives_refine(struct shoal_solver *solver, bool *is_cut, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    const struct search_stop stop = {must_end, &turns->cut, solver->threads, kept_of(turns)};
    const size_t bytes = problem->dim * sizeof *turns->champion;
    uint64_t passes = 0;
    if (!search_keeps_evaluations(problem))
        return SHOAL_OK;
    for (size_t run = 0; run < problem->runs; run++) {
        const size_t leader = portfolio_leader_of(turns, run);
        turns->best_out[run] =
            turns->runs[run].ended ? INFINITY : search_shown_value(problem, turns->values[leader]);
        memcpy(turns->position_out + run * problem->dim, turns->champion + leader * problem->dim, bytes);
    }
    long_step_begin(&turns->cut);
    enum shoal_status status =
        search_refine(problem, turns->position_out, turns->best_out, &stop, &passes, NULL, error);
    *is_cut = long_step_is_cut(&turns->cut);
    if (status || *is_cut) /* a run that continues repeats the whole refinement */
        return status;
    turns->lives->refined += passes;
    for (size_t run = 0; run < problem->runs; run++) {
        const size_t leader = portfolio_leader_of(turns, run);
        const double value = problem->sign * turns->best_out[run];
        if (turns->runs[run].ended || !(value < turns->values[leader]))
            continue;
        turns->values[leader] = value;
        memcpy(turns->champion + leader * problem->dim, turns->position_out + run * problem->dim, bytes);
    }
    return SHOAL_OK;
}
