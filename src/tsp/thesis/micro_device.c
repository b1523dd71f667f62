/* The micro level of the thesis on a device. One work-group makes all cycles of a piece. */
#include "base/error.h"
#include "compute/launch.h"
#include "tsp/thesis/programs.h"

#include <stdlib.h>
#include <string.h>

struct micro {
    struct shoal_kernel *pieces;
    struct shoal_buffer *order, *result, *frames, *bests, *pools, *history;
    struct arrays arrays;
};

static enum shoal_status build(struct thesis_level *level, const struct thesis_micro_plan *plan,
                               struct shoal_error *error)
{
    struct micro *micro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const struct entry_kernel kernel = {"tsp_thesis_pieces", &micro->pieces};
    struct defines defines = {.count = 0};
    tsp_places_defines(tsp_problem_of(level->solver), &defines);
    define_add(&defines, "DRAWS", rules->draws);
    define_add(&defines, "HISTORY", level->state->history.is_kept);
    define_add(&defines, "LATE", rules->rewinds_late);
    define_add(&defines, "MEMORY", plan->memory);
    define_add(&defines, "PIECE", rules->piece);
    define_add(&defines, "POOL", plan->pool);
    define_add(&defines, "TEAM", plan->team);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(level->programs, &tsp_thesis_micro_program, &defines, &kernel, 1, NULL, error);
}

static void list_arrays(struct thesis_level *level, const struct thesis_micro_plan *plan)
{
    struct micro *micro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const double n = level->state->n, pieces = rules->pieces, frame = thesis_frame_words(rules->piece);
    const bool is_global = plan->memory + 1 == SHOAL_TSP_MEMORY_GLOBAL;
    const struct array list[] = {
        {&micro->order, n, sizeof(uint32_t), 0, NULL, 0},
        {&micro->result, n, sizeof(uint32_t), 0, NULL, 0},
        {&micro->frames, frame * pieces, sizeof(uint32_t), 0, NULL, 0},
        {&micro->bests, n, sizeof(uint8_t), 0, NULL, 0},
        {&micro->pools, is_global ? pieces * plan->pool : 1, sizeof(uint32_t), 0, NULL, 0},
        {&micro->history, level->state->history.is_kept ? n * rules->micro_cycles + 1 : 1, sizeof(uint8_t), 0,
         NULL, 0},
    };
    micro->arrays.queue = level->queue;
    ARRAYS_SET(&micro->arrays, list);
}

static enum shoal_status create(struct thesis_level *level, struct shoal_error *error)
{
    struct micro *micro = level->own = calloc(1, sizeof *micro);
    struct thesis_micro_plan plan;
    if (!micro)
        return fail_host_memory(error);
    enum shoal_status status = thesis_micro_plan(tsp_problem_of(level->solver), &level->state->rules,
                                                 shoal_device_get_info(level->device), &plan, error);
    if (status)
        return status;
    list_arrays(level, &plan);
    status = tsp_check_memory(level->solver, &micro->arrays, error);
    if (!status)
        status = build(level, &plan, error);
    return status ? status : arrays_create(&micro->arrays, error);
}

static void destroy(struct thesis_level *level)
{
    struct micro *micro = level->own;
    if (!micro)
        return;
    arrays_destroy(&micro->arrays);
    free(micro);
    level->own = NULL;
}

static enum shoal_status launch(struct thesis_level *level, uint64_t step, uint32_t first, uint32_t count,
                                struct shoal_error *error)
{
    const struct micro *micro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const struct tsp_places *places = level->places;
    return LAUNCH(tsp_thesis_pieces, level->queue, micro->pieces, count, error, .numbers = places->numbers,
                  .fixed = places->fixed, .city_count = places->cities, .order = micro->order,
                  .result = micro->result, .frames = micro->frames, .bests = micro->bests,
                  .pools = micro->pools, .history = micro->history, .seed = rules->seed, .first_piece = first,
                  .pieces = rules->pieces, .cycles = rules->micro_cycles, .passes = rules->passes,
                  .step = (uint32_t)(step * rules->micro_cycles), .keep = rules->keep, .alpha = rules->alpha,
                  .beta = rules->beta);
}

static enum shoal_status step(struct thesis_level *level, uint64_t step, struct shoal_error *error)
{
    struct micro *micro = level->own;
    struct thesis_state *state = level->state;
    const struct thesis_rules *rules = &state->rules;
    const size_t bytes = state->n * sizeof *state->tour;
    const uint32_t at_once = rules->one_by_one ? 1 : rules->pieces;
    enum shoal_status status = shoal_buffer_write(level->queue, micro->order, 0, state->tour, bytes, error);
    for (uint32_t f = 0; f < rules->pieces && !status; f += at_once) {
        status = launch(level, step, f, at_once, error);
        /* With one_by_one, as in the thesis, the next piece is launched only after this piece is finished. */
        if (!status && rules->one_by_one)
            status = shoal_queue_finish(level->queue, error);
    }
    if (!status)
        status = shoal_buffer_read(level->queue, micro->result, 0, state->tour, bytes, error);
    const size_t recorded = (size_t)state->n * rules->micro_cycles;
    if (!status && state->history.is_kept && recorded)
        status =
            shoal_buffer_read(level->queue, micro->history, 0, thesis_recorded(state, 0), recorded, error);
    return status;
}

const struct thesis_level_ops thesis_micro_device = {.create = create, .destroy = destroy, .step = step};
