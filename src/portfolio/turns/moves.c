/* The turn of an arm: its evaluations, its steps, the points that it finds, and the end of its life. */
#include "base/error.h"
#include "portfolio/turns/turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t portfolio_leader_of(const struct portfolio_turns *turns, size_t run)
{
    const size_t islands = turns->problem.search.run_islands;
    size_t leader = run * islands;
    for (size_t k = leader + 1; k < (run + 1) * islands; k++)
        if (turns->values[k] < turns->values[leader])
            leader = k;
    return leader;
}

/* Offers each island of an arm the best point of the island's run. */
static enum shoal_status offer(struct shoal_solver *solver, size_t arm, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const size_t islands = turns->problem.search.islands, run_islands = turns->problem.search.run_islands;
    size_t *source = malloc(islands * sizeof *source);
    if (!source)
        return fail_host_memory(error);
    for (size_t k = 0; k < islands; k++)
        source[k] = portfolio_leader_of(turns, k / run_islands);
    enum shoal_status status = portfolio_arm_offer(turns->arms[arm], &turns->problem.search, source,
                                                   turns->values, turns->champion, error);
    free(source);
    return status;
}

/* Takes the best point of each population of the arm, if it is better than the best point of its island.
 * Notes for each run, and for the arm, whether the best point of a run has become better. */
static enum shoal_status take_found(struct portfolio_turns *turns, size_t arm, struct shoal_error *error)
{
    const struct search_problem *problem = &turns->problem.search;
    const size_t dim = problem->dim, populations = turns->problem.populations,
                 each = problem->run_islands * populations;
    enum shoal_status status =
        portfolio_arm_read(turns->arms[arm], problem, turns->found, turns->places, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        const double before = turns->values[portfolio_leader_of(turns, run)];
        for (size_t i = run * each; i < (run + 1) * each && !turns->runs[run].ended; i++)
            if (turns->found[i] < turns->values[i / populations]) {
                turns->values[i / populations] = turns->found[i];
                memcpy(turns->champion + i / populations * dim, turns->places + i * dim,
                       dim * sizeof *turns->champion);
            }
        const bool is_better = turns->values[portfolio_leader_of(turns, run)] < before;
        turns->runs[run].has_won |= is_better;
        turns->rest.has_gained |= is_better;
    }
    return status;
}

/* Ends the life of an arm: with turns of lives refines the best points, then creates the solver of the next
 * life. If the run must end during the refinement, the life ends when the run continues. */
static enum shoal_status end_life(struct shoal_solver *solver, size_t arm, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    struct portfolio_arm_state *state = &turns->states[arm];
    const struct portfolio_island island = portfolio_turns_island(turns);
    const double life = turns->problem.arms[arm].life * (double)turns->problem.populations;
    bool is_cut = false;
    enum shoal_status status =
        turns->problem.is_by_lives ? portfolio_lives_refine(solver, &is_cut, error) : SHOAL_OK;
    turns->rest.is_cut = is_cut ? PORTFOLIO_CUT_LIFE : 0;
    if (!status && is_cut)
        return SHOAL_OK;
    if (!status)
        status = portfolio_arm_not_finite(turns->arms[arm], &turns->rest.not_finite, error);
    if (status)
        return status;
    state->is_over = portfolio_evaluations_left(&island) < life;
    state->life++;
    state->is_drawn = state->lived = state->told = state->is_offered = 0;
    for (size_t run = 0; run < turns->problem.search.runs; run++)
        turns->runs[run].restarts += !turns->runs[run].ended;
    return portfolio_arm_create(solver, arm, error);
}

/* Number of steps from step `first` on that a population of the arm can make with the evaluations that the
 * arm has been given. Step 0 draws the members. */
static uint64_t steps_due(const struct portfolio_turns *turns, size_t arm, uint64_t first)
{
    const struct portfolio_arm_state *state = &turns->states[arm];
    uint64_t told = state->told, due = 0;
    while ((told += portfolio_arm_points(turns->arms[arm], first + due)) <= state->lived)
        due++;
    return due;
}

/* Evaluations of a population in `steps` steps from step `first` on. */
static uint64_t points_of(const struct shoal_solver *arm, uint64_t first, uint64_t steps)
{
    uint64_t points = 0;
    for (uint64_t step = first; step < first + steps; step++)
        points += portfolio_arm_points(arm, step);
    return points;
}

/* Takes the points of a first population whose evaluation was cut off: a point that has a value may become
 * the result. The arm later draws its members anew. */
static enum shoal_status keep_partial(struct portfolio_turns *turns, size_t arm, struct shoal_error *error)
{
    const size_t each = turns->problem.search.run_islands * turns->problem.populations;
    const enum shoal_status status = take_found(turns, arm, error);
    for (size_t run = 0; run < turns->problem.search.runs; run++)
        turns->evaluated[run] = portfolio_arm_evaluated(turns->arms[arm], run, each);
    portfolio_arm_reset(turns->arms[arm]);
    return status;
}

/* Makes `due` steps of the arm; the first draws the members of an arm that has none. *steps_done: number of
 * steps made; *is_cut: whether the run had to end before all steps were made. */
static enum shoal_status make_steps(struct shoal_solver *solver, size_t arm, uint64_t due,
                                    uint64_t *steps_done, bool *is_cut, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    struct shoal_solver *search = turns->arms[arm];
    enum shoal_status status = SHOAL_OK;
    uint64_t done = 0, drawn = 0;
    if (!turns->states[arm].is_drawn) {
        status = search->ops->step(search, 0, &done, error);
        *is_cut = portfolio_arm_is_partial(search);
        if (status || *is_cut)
            return status ? status : keep_partial(turns, arm, error);
        turns->states[arm].is_drawn = drawn = 1;
    }
    if (due > drawn)
        status = search->ops->step(search, due - drawn, &done, error);
    *steps_done = drawn + done;
    if (status)
        return status;
    *is_cut = *steps_done < due && !portfolio_arm_ended(search);
    turns->found_waits = true;
    status = take_found(turns, arm, error);
    turns->found_waits = status != SHOAL_OK;
    return status;
}

enum shoal_status portfolio_move_arm(struct shoal_solver *solver, size_t arm, bool *is_over,
                                     struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    struct portfolio_arm_state *state = &turns->states[arm];
    struct shoal_solver *search = turns->arms[arm];
    const uint64_t points = turns->problem.search.points, each = points / turns->problem.populations,
                   first = state->is_drawn ? portfolio_arm_steps(search) + 1 : 0;
    *is_over = turns->rest.is_cut == PORTFOLIO_CUT_LIFE;
    if (*is_over)
        return end_life(solver, arm, error);
    state->lived += each;
    state->evaluations += points;
    const uint64_t due = steps_due(turns, arm, first);
    uint64_t steps_done = 0;
    bool is_cut = false;
    if (!due && !turns->found_waits)
        return SHOAL_OK;
    enum shoal_status status = state->is_drawn && state->is_offered ? offer(solver, arm, error) : SHOAL_OK;
    if (!status)
        state->is_offered = 0;
    portfolio_arm_watch(solver, search);
    if (!status)
        status = make_steps(solver, arm, due, &steps_done, &is_cut, error);
    search->must_end = NULL;
    const bool is_whole = !status && !is_cut;
    state->told += points_of(search, first, is_whole ? due : steps_done);
    if (!status)
        turns->rest.is_cut = is_cut;
    if (!is_whole) { /* the next call makes the rest of the step */
        state->lived -= each;
        state->evaluations -= points;
        return status;
    }
    state->gains += turns->rest.has_gained;
    turns->rest.has_gained = 0;
    *is_over = steps_done < due || portfolio_arm_steps(search) >= search->ops->total_steps(search);
    return *is_over ? end_life(solver, arm, error) : SHOAL_OK;
}
