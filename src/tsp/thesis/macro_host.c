/* The macro level of the thesis on the host. */
#include "base/error.h"
#include "base/threads.h"
#include "tsp/thesis/state.h"

#include <stdlib.h>

struct macro {
    struct thesis_rows rows;
    uint32_t *cycle_best; /* [n]: the shortest tour of the current cycle */
    struct arrays arrays;
    struct thread_choice threads;
};

static void list_arrays(struct macro *macro)
{
    struct thesis_rows *rows = &macro->rows;
    const size_t n = rows->n, entries = n * rows->width;
    const struct array list[] = {
        {&rows->cities, (double)entries, sizeof(uint32_t), ARRAY_SAVE, "row cities", entries},
        {&rows->tau, (double)entries, sizeof(float), ARRAY_SAVE, "row pheromone", entries},
        {&rows->used, (double)n, sizeof(uint32_t), ARRAY_SAVE, "row entries", n},
        {&rows->weights, (double)entries, sizeof(float), 0, NULL, 0},
        {&rows->beyond, (double)n, sizeof(float), 0, NULL, 0},
        {&macro->cycle_best, (double)n, sizeof(uint32_t), 0, NULL, 0},
    };
    ARRAYS_SET(&macro->arrays, list);
}

static enum shoal_status create(struct thesis_level *level, struct shoal_error *error)
{
    struct macro *macro = level->own = calloc(1, sizeof *macro);
    if (!macro)
        return fail_host_memory(error);
    macro->threads.most = solver_threads(level->solver);
    macro->rows.n = level->state->n;
    macro->rows.width = thesis_row_width(&level->state->rules);
    list_arrays(macro);
    enum shoal_status status = tsp_check_memory(level->solver, &macro->arrays, error);
    return status ? status : arrays_create(&macro->arrays, error);
}

static void destroy(struct thesis_level *level)
{
    struct macro *macro = level->own;
    if (!macro)
        return;
    arrays_destroy(&macro->arrays);
    free(macro);
    level->own = NULL;
}

static struct thesis_work work_of(const struct thesis_level *level)
{
    struct macro *macro = level->own;
    return (struct thesis_work){.threads = &macro->threads,
                                .progress = &level->state->visited,
                                .cut = &tsp_run_of(level->solver)->cut};
}

static enum shoal_status begin(struct thesis_level *level, struct shoal_error *error)
{
    struct macro *macro = level->own;
    const struct tsp_problem *problem = tsp_problem_of(level->solver);
    const struct thesis_rules *rules = &level->state->rules;
    const struct thesis_work work = work_of(level);
    enum shoal_status status = thesis_rows_begin(problem, rules, &macro->rows, &work, error);
    if (!status)
        thesis_rows_weigh(problem, rules, &macro->rows, macro->threads.most);
    return status;
}

static enum shoal_status step(struct thesis_level *level, uint64_t step, struct shoal_error *error)
{
    struct macro *macro = level->own;
    struct thesis_state *state = level->state;
    const struct tsp_problem *problem = tsp_problem_of(level->solver);
    struct thesis_best best = {.tour = macro->cycle_best};
    thread_choice_begin(&macro->threads);
    const struct thesis_work work = work_of(level);
    enum shoal_status status = thesis_ants(problem, &state->rules, &macro->rows, step, &work, &best, error);
    thread_choice_end(&macro->threads);
    if (status)
        return status;
    const float amount = thesis_state_take(state, step, best.length, best.tour);
    thesis_rows_reinforce(&state->rules, &macro->rows, best.tour, amount);
    thesis_rows_weigh(problem, &state->rules, &macro->rows, thread_choice_threads(&macro->threads));
    return thesis_record_macro(state, best.tour, error);
}

static enum shoal_status save(struct thesis_level *level, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct macro *macro = level->own;
    thesis_base_save(checkpoint, &macro->rows.base);
    return arrays_save(&macro->arrays, checkpoint, error);
}

/* Returns whether the rows loaded from a checkpoint have valid sizes and valid numbers of cities. */
static bool is_sound(const struct thesis_rows *rows)
{
    for (size_t city = 0; city < rows->n; city++) {
        if (rows->used[city] > rows->width)
            return false;
        for (size_t e = 0; e < rows->used[city]; e++)
            if (rows->cities[city * rows->width + e] >= rows->n)
                return false;
    }
    return true;
}

static enum shoal_status load(struct thesis_level *level, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct macro *macro = level->own;
    enum shoal_status status = arrays_load(&macro->arrays, checkpoint, error);
    if (!status && !is_sound(&macro->rows))
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status = thesis_base_load(checkpoint, &macro->rows.base, error);
    if (!status)
        thesis_rows_weigh(tsp_problem_of(level->solver), &level->state->rules, &macro->rows,
                          macro->threads.most);
    return status;
}

const struct thesis_level_ops thesis_macro_host = {create, destroy, begin, step, save, load};
