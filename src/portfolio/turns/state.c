/* Checkpoints of a portfolio with turns of steps or of lives. The checkpoint holds a checkpoint of each arm.
 */
#include "base/error.h"
#include "base/text.h"
#include "portfolio/model/parts.h"
#include "portfolio/turns/turns.h"
#include "search/host/host.h"
#include "search/space.h"

#include <stdlib.h>
#include <string.h>

static const char section[] = "searches", rest_section[] = "rest";

static enum shoal_status append(struct shoal_solver *arm, struct text *all, struct shoal_error *error)
{
    struct checkpoint *own = calloc(1, sizeof *own);
    if (!own)
        return fail_host_memory(error);
    enum shoal_status status = arm->ops->save(arm, own, error);
    if (status)
        checkpoint_clear(own);
    else
        status = portfolio_append_part(own, all, error);
    free(own);
    return status;
}

enum shoal_status portfolio_turns_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    struct text all = {0};
    if (turns->first_is_open)
        return search_fail_early_save(error);
    checkpoint_add(checkpoint, "step", &turns->steps, sizeof turns->steps);
    checkpoint_add(checkpoint, rest_section, &turns->rest, sizeof turns->rest);
    search_trace_save(&turns->trace, checkpoint);
    search_box_save(&turns->problem.search, checkpoint);
    enum shoal_status status = arrays_save(&turns->own, checkpoint, error);
    for (size_t arm = 0; arm < turns->problem.arm_count && !status; arm++)
        if (turns->states[arm].is_drawn)
            status = append(turns->arms[arm], &all, error);
    if (!status && all.failed)
        status = fail_host_memory(error);
    if (status)
        text_free(&all);
    else
        checkpoint_add_copy(checkpoint, section, all.data, all.length);
    return status;
}

/* Checks that the checkpoint has as many populations as this run, whose default depends on the number of
 * compute units of the device. */
static enum shoal_status check_populations(const struct portfolio_turns *turns, struct shoal_error *error)
{
    const uint64_t saved = turns->lives->populations;
    if (!turns->problem.is_by_lives || saved == turns->problem.populations)
        return SHOAL_OK;
    return fail(
        error, SHOAL_INVALID,
        "the checkpoint has %llu populations of each algorithm, this run %zu: give --populations %llu",
        (unsigned long long)saved, turns->problem.populations, (unsigned long long)saved);
}

/* Returns whether the arms, the epoch and the runs can have these states. */
static bool is_sound(const struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    bool sound = turns->epoch->arm < turns->problem.arm_count && turns->steps <= problem->max_steps &&
                 turns->rest.is_cut <= PORTFOLIO_CUT_LIFE && turns->rest.has_gained <= 1;
    for (size_t arm = 0; arm < turns->problem.arm_count; arm++)
        sound = sound && turns->states[arm].is_drawn <= 1 && turns->states[arm].is_over <= 1 &&
                turns->states[arm].lived <= turns->states[arm].evaluations;
    for (size_t run = 0; run < problem->runs; run++)
        sound = sound && turns->runs[run].ended <= 1 && turns->runs[run].reached <= 1 &&
                turns->runs[run].steps <= turns->steps;
    for (size_t k = 0; k < problem->islands && sound; k++)
        sound = turns->values[k] == INFINITY ||
                (isfinite(turns->values[k]) &&
                 search_is_inside(problem, turns->champion + k * problem->dim, search_precision(problem)));
    return sound;
}

/* Returns whether the evaluations that an arm saves for its next turn are at most those of the larger of its
 * first two steps. Later steps are not larger, since a population can only shrink. */
static bool is_kept_sound(const struct portfolio_turns *turns, size_t arm)
{
    const struct portfolio_arm_state *state = &turns->states[arm];
    const uint64_t first = portfolio_arm_points(turns->arms[arm], 0),
                   next = portfolio_arm_points(turns->arms[arm], 1), most = first > next ? first : next;
    if (turns->rest.is_cut == 1 && arm == turns->epoch->arm) /* this step's evaluations are still to come */
        return state->told <= state->lived + turns->problem.search.points / turns->problem.populations &&
               state->lived <= state->told + most;
    return state->told <= state->lived && state->lived - state->told <= most;
}

static enum shoal_status load_arm(struct shoal_solver *solver, size_t arm, const char **next, size_t *left,
                                  const struct checkpoint *whole, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    enum shoal_status status = portfolio_arm_create(solver, arm, error);
    const char *part;
    size_t size;
    if (!status && !is_kept_sound(turns, arm))
        return checkpoint_damaged(whole, error);
    if (status || !turns->states[arm].is_drawn)
        return status;
    if (!portfolio_next_part(next, left, &part, &size))
        return checkpoint_damaged(whole, error);
    struct checkpoint *own = calloc(1, sizeof *own);
    if (!own)
        return fail_host_memory(error);
    struct shoal_solver *search = turns->arms[arm];
    status = checkpoint_parse(own, part, size, whole->path, error);
    if (!status)
        status = portfolio_arm_check(search, own, error);
    if (!status)
        status = search->ops->load(search, own, error);
    free(own);
    return status;
}

/* Reads no samples: no earlier version wrote samples of a portfolio with turns of steps or of lives. */
static bool no_old_trace(const void *data, const void *entry, size_t bytes, uint64_t step, size_t run,
                         double *least)
{
    (void)data, (void)entry, (void)bytes, (void)step, (void)run, (void)least;
    return false;
}

enum shoal_status portfolio_turns_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    turns->arms_are_new = false;
    portfolio_turns_reset(solver);
    enum shoal_status status = checkpoint_get(checkpoint, "step", &turns->steps, sizeof turns->steps, error);
    if (!status)
        status = search_box_match(problem, checkpoint, error);
    if (!status)
        status = arrays_load(&turns->own, checkpoint, error);
    if (!status)
        status = check_populations(turns, error);
    if (!status && checkpoint_find(checkpoint, rest_section))
        status = checkpoint_get(checkpoint, rest_section, &turns->rest, sizeof turns->rest, error);
    if (!status && !is_sound(turns))
        status = checkpoint_damaged(checkpoint, error);
    const struct checkpoint_section *all = checkpoint_find(checkpoint, section);
    size_t left = all ? all->bytes : 0;
    const char *next = all ? all->data : NULL;
    for (size_t arm = 0; arm < turns->problem.arm_count && !status; arm++)
        status = load_arm(solver, arm, &next, &left, checkpoint, error);
    if (!status && left)
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status =
            search_trace_load(problem, &turns->trace, turns->steps, no_old_trace, NULL, checkpoint, error);
    turns->drawn = !status;
    turns->ended = turns->drawn;
    for (size_t run = 0; run < problem->runs; run++)
        turns->ended = turns->ended && turns->runs[run].ended;
    if (status)
        portfolio_turns_reset(solver);
    return status;
}
