/* The micro level of the thesis on the host. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "tsp/thesis/state.h"

#include <stdlib.h>

static enum shoal_status create(struct thesis_level *level, struct shoal_error *error)
{
    struct thread_choice *threads = level->own = calloc(1, sizeof *threads);
    if (!threads)
        return fail_host_memory(error);
    threads->most = solver_threads(level->solver);
    return SHOAL_OK;
}

static void destroy(struct thesis_level *level)
{
    free(level->own);
    level->own = NULL;
}

/* Makes all cycles of piece f; leaves the piece unchanged if the step was cut before. Returns false if there
 * is no memory. */
static bool solve(const struct thesis_level *level, uint64_t step, uint32_t f)
{
    struct thesis_state *state = level->state;
    struct thread_choice *threads = level->own;
    struct long_step *cut = &tsp_run_of(level->solver)->cut;
    if (long_step_look(cut))
        return true;
    const double start = clock_thread_seconds();
    const uint32_t first = thesis_cut(&state->rules, state->n, f);
    const struct thesis_piece piece = {.problem = tsp_problem_of(level->solver),
                                       .rules = &state->rules,
                                       .cities = state->tour + first,
                                       .count = thesis_cut(&state->rules, state->n, f + 1) - first,
                                       .number = f,
                                       .step = step,
                                       .tours = thesis_recorded(state, first)};
    struct shoal_error ignored;
    const bool solved = !thesis_solve_piece(&piece, &ignored);
    atomic_fetch_add_explicit(&state->visited, piece.count, memory_order_relaxed);
    thread_choice_work(threads, start);
    return solved;
}

static enum shoal_status step(struct thesis_level *level, uint64_t step, struct shoal_error *error)
{
    struct thread_choice *threads = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    bool lacks_memory = false;
    thread_choice_begin(threads);
    if (rules->one_by_one) {
        for (uint32_t f = 0; f < rules->pieces; f++)
            lacks_memory |= !solve(level, step, f);
    } else {
#pragma omp parallel for num_threads(thread_choice_threads(threads)) schedule(dynamic)
        for (uint32_t f = 0; f < rules->pieces; f++)
            if (!solve(level, step, f)) {
#pragma omp atomic write
                lacks_memory = true;
            }
    }
    thread_choice_end(threads);
    return lacks_memory ? fail_host_memory(error) : long_step_status(&tsp_run_of(level->solver)->cut, error);
}

const struct thesis_level_ops thesis_micro_host = {.create = create, .destroy = destroy, .step = step};
