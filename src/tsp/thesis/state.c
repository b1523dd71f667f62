/* The state of a run of the thesis between steps, and the sections of a checkpoint that have the state. */
#include "tsp/thesis/state.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status thesis_state_create(const struct tsp_problem *problem, struct thesis_state *state,
                                      struct shoal_error *error)
{
    thesis_rules(problem, &state->rules);
    state->n = problem->form.n;
    state->fixed_length = thesis_fixed_length(problem);
    state->history.is_kept = problem->params->thesis->history;
    if (state->history.is_kept && problem->form.n != problem->n)
        return fail(
            error, SHOAL_INVALID,
            "--history: %s is a path or asymmetric: a history is kept of closed symmetric problems alone",
            problem->name);
    state->tour = calloc(state->n, sizeof *state->tour);
    return state->tour ? SHOAL_OK : fail_host_memory(error);
}

void thesis_state_destroy(struct thesis_state *state)
{
    free(state->tour);
    thesis_history_free(&state->history);
}

const struct thesis_state *thesis_state_of(const struct shoal_solver *solver)
{
    return solver->method.state; /* the first member of the method's state is a struct thesis_state */
}

void thesis_state_begin(const struct tsp_problem *problem, const uint32_t *start, struct thesis_state *state)
{
    state->look = (struct tsp_look){.best = INT64_MAX};
    state->macro_s = state->micro_s = 0;
    for (uint32_t i = 0; i < state->n; i++)
        state->tour[i] = start ? start[i] : i;
    if (start || !state->rules.macro_cycles)
        state->look.best = tsp_form_length(problem, state->tour);
}

float thesis_state_take(struct thesis_state *state, uint64_t step, int64_t length, const uint32_t *tour)
{
    if (step == 0)
        state->first = length;
    if (length < state->look.best) {
        state->look.best = length;
        state->look.best_step = step + 1;
        memcpy(state->tour, tour, state->n * sizeof *tour);
    }
    state->look.tours += state->rules.starts;
    return thesis_amount(&state->rules, state->first + state->fixed_length, length + state->fixed_length);
}

void thesis_state_joined(struct thesis_state *state, uint64_t step, int64_t length)
{
    if (length < state->look.best) {
        state->look.best = length;
        state->look.best_step = step + 1;
    }
}

/* Checkpoint ------------------------------------------------------------------------------------------- */

static const char first_section[] = "first length", base_section[] = "base pheromone",
                  order_section[] = "order";

void thesis_state_save(struct thesis_state *state, struct checkpoint *checkpoint)
{
    checkpoint_add(checkpoint, first_section, &state->first, sizeof state->first);
    checkpoint_add(checkpoint, order_section, state->tour, state->n * sizeof *state->tour);
}

static bool is_permutation(const uint32_t *tour, uint32_t n, uint8_t *seen)
{
    for (uint32_t i = 0; i < n; i++) {
        if (tour[i] >= n || seen[tour[i]])
            return false;
        seen[tour[i]] = 1;
    }
    return true;
}

enum shoal_status thesis_state_load(const struct tsp_run *run, struct thesis_state *state,
                                    const struct checkpoint *checkpoint, struct shoal_error *error)
{
    uint8_t *seen = calloc(state->n, 1);
    enum shoal_status status = seen ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = checkpoint_get(checkpoint, first_section, &state->first, sizeof state->first, error);
    if (!status)
        status =
            checkpoint_get(checkpoint, order_section, state->tour, state->n * sizeof *state->tour, error);
    if (!status && !is_permutation(state->tour, state->n, seen))
        status = checkpoint_damaged(checkpoint, error);
    free(seen);
    if (status)
        return status;
    state->macro_s = state->micro_s = 0;
    state->look = run->look;
    state->look.best = run->steps || run->start_tour || !state->rules.macro_cycles
                           ? tsp_form_length(&run->problem, state->tour)
                           : INT64_MAX;
    return SHOAL_OK;
}

void thesis_base_save(struct checkpoint *checkpoint, const float *base)
{
    checkpoint_add(checkpoint, base_section, base, sizeof *base);
}

enum shoal_status thesis_base_load(const struct checkpoint *checkpoint, float *base,
                                   struct shoal_error *error)
{
    const enum shoal_status status = checkpoint_get(checkpoint, base_section, base, sizeof *base, error);
    return status || (*base > 0 && *base <= 1) ? status : checkpoint_damaged(checkpoint, error);
}
