/* The macro level of the thesis on a device. In each cycle, one launch constructs the tours of all ants, and
 * another updates the pheromone and computes the weights. */
#include "base/error.h"
#include "compute/launch.h"
#include "tsp/thesis/programs.h"

#include <stdlib.h>
#include <string.h>

struct macro {
    struct shoal_kernel *ants, *rows;
    /* cities, tau, weights, [n][width]: cities, pheromone and weights of the edges in the rows. beyond, [n]:
     * upper bound of the weights of a city's edges that are not in its row */
    struct shoal_buffer *cities, *tau, *weights, *beyond;
    struct shoal_buffer *tours, *lengths, *left, *all;
    uint32_t width;
    float base;
    uint32_t *cycle_best; /* [n]: the shortest tour of the current cycle */
    int64_t *host_lengths;
    struct arrays arrays;
};

static enum shoal_status build(struct thesis_level *level, const struct thesis_macro_plan *plan,
                               struct shoal_error *error)
{
    struct macro *macro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const struct entry_kernel kernels[] = {{"tsp_thesis_ants", &macro->ants},
                                           {"tsp_thesis_rows", &macro->rows}};
    struct defines defines = {.count = 0};
    tsp_places_defines(tsp_problem_of(level->solver), &defines);
    define_add(&defines, "DRAWS", rules->draws);
    define_add(&defines, "LEFT", plan->left);
    define_add(&defines, "LISTS", rules->candidates > 0);
    define_add(&defines, "WG", plan->work_group);
    define_add(&defines, "WIDTH", macro->width);
    return programs_build(level->programs, &tsp_thesis_macro_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static void list_arrays(struct thesis_level *level, const struct thesis_macro_plan *plan)
{
    struct macro *macro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const size_t n = level->state->n, entries = n * macro->width, ants = rules->starts;
    const double visits = (double)ants * (double)n;
    const struct array list[] = {
        {&macro->cities, (double)entries, sizeof(uint32_t), ARRAY_SAVE, "row cities", entries},
        {&macro->tau, (double)entries, sizeof(float), ARRAY_SAVE, "row pheromone", entries},
        {&macro->weights, (double)entries, sizeof(float), ARRAY_ZERO, NULL, 0},
        {&macro->beyond, (double)n, sizeof(float), 0, NULL, 0},
        {&macro->tours, visits, sizeof(uint32_t), 0, NULL, 0},
        {&macro->lengths, (double)ants, sizeof(int64_t), 0, NULL, 0},
        {&macro->left, plan->left ? 1 : (double)ants * div_up(n, 32), sizeof(uint32_t), 0, NULL, 0},
        {&macro->all, rules->draws ? visits : 1, sizeof(float), 0, NULL, 0},
    };
    macro->arrays.queue = level->queue;
    ARRAYS_SET(&macro->arrays, list);
}

static enum shoal_status create(struct thesis_level *level, struct shoal_error *error)
{
    struct macro *macro = level->own = calloc(1, sizeof *macro);
    const struct thesis_rules *rules = &level->state->rules;
    struct thesis_macro_plan plan;
    if (!macro)
        return fail_host_memory(error);
    macro->width = thesis_row_width(rules);
    macro->width = macro->width ? macro->width : 1;
    thesis_macro_plan(tsp_params(level->solver)->thesis, rules, level->state->n,
                      shoal_device_get_info(level->device), &plan);
    macro->cycle_best = malloc(level->state->n * sizeof *macro->cycle_best);
    macro->host_lengths = malloc(rules->starts * sizeof *macro->host_lengths);
    if (!macro->cycle_best || !macro->host_lengths)
        return fail_host_memory(error);
    list_arrays(level, &plan);
    enum shoal_status status = tsp_check_memory(level->solver, &macro->arrays, error);
    if (!status)
        status = build(level, &plan, error);
    return status ? status : arrays_create(&macro->arrays, error);
}

static void destroy(struct thesis_level *level)
{
    struct macro *macro = level->own;
    if (!macro)
        return;
    arrays_destroy(&macro->arrays);
    free(macro->cycle_best);
    free(macro->host_lengths);
    free(macro);
    level->own = NULL;
}

/* Pheromone -------------------------------------------------------------------------------------------- */

/* Uploads the candidate lists as the first entries of the rows. All edges have the same pheromone, which the
 * kernel sets. */
static enum shoal_status upload(struct thesis_level *level, const uint32_t *lists, struct shoal_error *error)
{
    struct macro *macro = level->own;
    const size_t n = level->state->n, count = level->state->rules.candidates, entries = n * macro->width;
    uint32_t *cities = malloc(entries * sizeof *cities);
    enum shoal_status status = cities ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        memset(cities, 0xff, entries * sizeof *cities); /* SHOAL_TSP_NONE */
        for (size_t city = 0; city < n; city++)
            memcpy(cities + city * macro->width, lists + city * count, count * sizeof *lists);
        status = shoal_buffer_write(level->queue, macro->cities, 0, cities, entries * sizeof *cities, error);
    }
    free(cities);
    const float one = 1;
    uint32_t bits;
    memcpy(&bits, &one, sizeof bits);
    return status ? status
                  : shoal_buffer_fill(level->queue, macro->tau, 0, entries * sizeof(float), bits, error);
}

/* Updates the pheromone and computes the weights. start: number of the ant on whose edges `amount` is
 * deposited; NULL: no deposit. */
static enum shoal_status weigh(struct thesis_level *level, const uint32_t *start, float amount,
                               struct shoal_error *error)
{
    const struct macro *macro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const struct tsp_places *places = level->places;
    return LAUNCH(
        tsp_thesis_rows, level->queue, macro->rows, shoal_kernel_groups(macro->rows, level->state->n), error,
        .numbers = places->numbers, .fixed = places->fixed, .city_count = places->cities,
        .tours = macro->tours, .offset = start ? (uint64_t)*start * level->state->n : 0,
        .cities = macro->cities, .tau = macro->tau, .weights = macro->weights, .beyond = macro->beyond,
        .reinforces = start != NULL, .candidates = rules->candidates, .amount = amount, .keep = rules->keep,
        .base = macro->base, .alpha = rules->alpha, .beta = rules->beta, .margin = rules->margin);
}

static enum shoal_status begin(struct thesis_level *level, struct shoal_error *error)
{
    struct macro *macro = level->own;
    const size_t n = level->state->n, count = level->state->rules.candidates;
    uint32_t *lists = malloc(count ? n * count * sizeof *lists : 1);
    enum shoal_status status = lists ? SHOAL_OK : fail_host_memory(error);
    if (!status && count)
        status = tsp_run_candidates(level->solver, (uint32_t)count, lists, error);
    if (!status)
        status = upload(level, lists, error);
    free(lists);
    macro->base = 1;
    return status ? status : weigh(level, NULL, 0, error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status construct(struct thesis_level *level, uint64_t step, struct shoal_error *error)
{
    const struct macro *macro = level->own;
    const struct thesis_rules *rules = &level->state->rules;
    const struct tsp_places *places = level->places;
    return LAUNCH(tsp_thesis_ants, level->queue, macro->ants, rules->starts, error,
                  .numbers = places->numbers, .fixed = places->fixed, .city_count = places->cities,
                  .cities = macro->cities, .weights = macro->weights, .beyond = macro->beyond,
                  .tours = macro->tours, .lengths = macro->lengths, .left_words = macro->left,
                  .all = macro->all, .seed = rules->seed, .cycle = (uint32_t)step, .starts = rules->starts,
                  .base_trail = thesis_base_trail(rules, macro->base), .beta = rules->beta);
}

static enum shoal_status step(struct thesis_level *level, uint64_t step, struct shoal_error *error)
{
    struct macro *macro = level->own;
    struct thesis_state *state = level->state;
    const size_t tour_bytes = state->n * sizeof *macro->cycle_best;
    uint32_t best = 0;
    enum shoal_status status = construct(level, step, error);
    if (!status)
        status = shoal_buffer_read(level->queue, macro->lengths, 0, macro->host_lengths,
                                   state->rules.starts * sizeof *macro->host_lengths, error);
    for (uint32_t s = 1; s < state->rules.starts && !status; s++)
        best = macro->host_lengths[s] < macro->host_lengths[best] ? s : best;
    if (!status)
        status = shoal_buffer_read(level->queue, macro->tours, best * tour_bytes, macro->cycle_best,
                                   tour_bytes, error);
    if (status)
        return status;
    const float amount = thesis_state_take(state, step, macro->host_lengths[best], macro->cycle_best);
    macro->base = thesis_base_kept(&state->rules, macro->base);
    status = weigh(level, &best, amount, error);
    return status ? status : thesis_record_macro(state, macro->cycle_best, error);
}

static enum shoal_status save(struct thesis_level *level, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct macro *macro = level->own;
    thesis_base_save(checkpoint, &macro->base);
    return arrays_save(&macro->arrays, checkpoint, error);
}

/* Checks that the cities in the rows of a checkpoint are valid numbers of cities. */
static enum shoal_status check_rows(const struct thesis_level *level, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    const struct macro *macro = level->own;
    const size_t entries = level->state->n * (size_t)macro->width;
    const void *data;
    enum shoal_status status =
        checkpoint_expect(checkpoint, "row cities", entries * sizeof(uint32_t), &data, error);
    for (size_t i = 0; i < entries && !status; i++) {
        uint32_t city;
        memcpy(&city, (const char *)data + i * sizeof city, sizeof city);
        if (city >= level->state->n && city != SHOAL_TSP_NONE)
            status = checkpoint_damaged(checkpoint, error);
    }
    return status;
}

static enum shoal_status load(struct thesis_level *level, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct macro *macro = level->own;
    enum shoal_status status = check_rows(level, checkpoint, error);
    if (!status)
        status = thesis_base_load(checkpoint, &macro->base, error);
    if (!status)
        status = arrays_load(&macro->arrays, checkpoint, error);
    return status ? status : weigh(level, NULL, 0, error);
}

const struct thesis_level_ops thesis_macro_device = {create, destroy, begin, step, save, load};
