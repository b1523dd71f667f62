/* Parts of a generation that all methods share. */
#include "ga/device/generation.h"
#include "base/integer.h"

#include <math.h>
#include <string.h>

/* Plan ------------------------------------------------------------------------------------------------- */

static bool is_in_place(const struct ga_problem *problem)
{
    return problem->params->replacement == SHOAL_GA_STEADY || problem->is_cellular;
}

/* Whether the members must be sorted. A single elite does not need this, since the best member is known. */
static bool needs_order(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    const bool by_worst = params->replacement == SHOAL_GA_STEADY && params->victim == SHOAL_GA_VICTIM_WORST;
    return ga_selects_by_order(params) || params->replacement == SHOAL_GA_PLUS || by_worst ||
           params->elites > 1;
}

static bool needs_child_order(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    const bool by_rank = params->victim == SHOAL_GA_VICTIM_WORST || params->victim == SHOAL_GA_VICTIM_PARENT;
    return params->replacement == SHOAL_GA_PLUS || params->replacement == SHOAL_GA_COMMA ||
           (params->replacement == SHOAL_GA_STEADY && by_rank && !problem->is_cellular);
}

static bool exchanges(const struct shoal_solver *solver)
{
    return ga_params(solver)->search.exchange > 0;
}

static void list_arrays(struct shoal_solver *solver, struct ga_generation *generation)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_problem *problem = &device->problem;
    const size_t real = device->search.real, word = sizeof(uint32_t);
    const bool sorts = generation->has_order || exchanges(solver);
    const double islands = (double)problem->search.islands, total = (double)problem->search.total,
                 padded = sorts ? islands * generation->shape.padded : 0,
                 padded_children =
                     generation->has_child_order ? islands * generation->shape.padded_children : 0,
                 marks = generation->children || sorts ? fmax((double)generation->children, total) : 0,
                 migrants = exchanges(solver)
                                ? (double)(search_rows(&problem->search) * problem->search.migrants)
                                : 0;
    const struct array list[] = {
        {&generation->rates, (double)(problem->rate_entries * RATE_WORDS(problem->line)), word},
        {&generation->ranks, problem->ranks ? (double)problem->search.members : 0, word},
        {&generation->wholes, problem->wholes ? (double)problem->genes.wholes * WHOLE_WORDS : 0, word},
        {&generation->keys, fmax(padded, padded_children), real},
        {&generation->order, padded, word},
        {&generation->child_order, padded_children, word},
        {&generation->discarded, marks, word, ARRAY_ZERO},
        {&generation->sent, migrants * (double)device->search.numbers, device->search.number},
        {&generation->sent_values, migrants, real},
    };
    generation->arrays.queue = solver->queue;
    ARRAYS_SET(&generation->arrays, list);
}

void ga_generation_plan(struct shoal_solver *solver, struct ga_generation *generation, size_t children)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_ga_params *params = problem->params;
    generation->shape = (struct ga_shape){
        .children = (uint32_t)problem->search.points,
        .indices = (uint32_t)problem->search.width,
        .padded = (uint32_t)power_of_two_at_least(problem->search.members),
        .padded_children = (uint32_t)power_of_two_at_least(problem->search.points),
        .line = (uint32_t)problem->line,
        .elites = (uint32_t)params->elites,
        .tournament = (uint32_t)params->tournament,
        .truncated = (uint32_t)problem->truncated,
        .rows = (uint32_t)problem->rows,
        .columns = (uint32_t)problem->columns,
        .migrants = (uint32_t)problem->search.migrants,
        .sends_best = params->emigrants == SHOAL_GA_BEST_LEAVE,
        .replaces_worst = params->immigrants == SHOAL_GA_REPLACE_WORST,
        .has_rate_list = problem->rate_entries > 1,
        .in_place = is_in_place(problem),
    };
    generation->genes = (struct ga_genes){(uint32_t)problem->genes.reals, (uint32_t)problem->genes.wholes,
                                          (uint32_t)problem->genes.bits, (uint32_t)problem->genes.places,
                                          (uint32_t)problem->messy};
    generation->children = children;
    generation->has_order = children && needs_order(problem);
    generation->has_child_order = children && needs_child_order(problem);
    list_arrays(solver, generation);
}

/* Create ----------------------------------------------------------------------------------------------- */

/* For methods that make children elsewhere, and so do not launch the kernels that cross and mutate: without
 * operators these take no time of the compiler. The other kernels do not depend on the operators. */
static void leave_out_operators(struct defines *defines)
{
    for (size_t i = 0; i < defines->count; i++) {
        struct shoal_define *const define = &defines->list[i];
        if (strcmp(define->name, "CROSSOVER") == 0)
            define->value = SHOAL_GA_NO_CROSSOVER;
        if (strcmp(define->name, "MUTATION") == 0)
            define->value = SHOAL_GA_NO_MUTATION;
    }
}

enum shoal_status ga_generation_build(struct shoal_solver *solver, struct ga_generation *generation,
                                      const struct shoal_program_desc *desc, enum ga_kernel first,
                                      struct shoal_error *error)
{
    struct entry_kernel kernels[GA_KERNELS];
    struct defines own = {.count = 0};
    for (uint32_t k = 0; k < desc->entry_count; k++)
        kernels[k] = (struct entry_kernel){desc->entries[k].name, &generation->kernels[first + k]};
    ga_program_defines(solver, desc, &own);
    if (!generation->children && desc == &ga_vary_program)
        leave_out_operators(&own);
    return programs_build(&solver->programs, desc, &own, kernels, desc->entry_count, NULL, error);
}

static enum shoal_status write_table(struct shoal_solver *solver, struct shoal_buffer *buffer,
                                     const uint32_t *table, size_t words, struct shoal_error *error)
{
    return buffer ? shoal_buffer_write(solver->queue, buffer, 0, table, words * sizeof *table, error)
                  : SHOAL_OK;
}

static enum shoal_status write_tables(struct shoal_solver *solver, const struct ga_generation *generation,
                                      struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    enum shoal_status status = write_table(solver, generation->rates, problem->rates,
                                           problem->rate_entries * RATE_WORDS(problem->line), error);
    if (!status)
        status = write_table(solver, generation->ranks, problem->ranks, problem->search.members, error);
    return status ? status
                  : write_table(solver, generation->wholes, problem->wholes,
                                problem->genes.wholes * WHOLE_WORDS, error);
}

enum shoal_status ga_generation_create(struct shoal_solver *solver, struct ga_generation *generation,
                                       double more, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const bool sorts = generation->children || exchanges(solver);
    enum shoal_status status =
        search_check_memory(device->problem, &generation->arrays, arrays_bytes(&device->own) + more, error);
    if (!status && sorts)
        status = ga_generation_build(solver, generation, &ga_select_program, ORDER_FILL, error);
    if (!status && sorts)
        status = ga_generation_build(solver, generation, &ga_replace_program, DISCARD, error);
    if (!status)
        status = search_islands_create(solver, NULL, 0, &generation->islands, error);
    if (!status)
        status = arrays_create(&generation->arrays, error);
    return status ? status : write_tables(solver, generation, error);
}

void ga_generation_destroy(struct ga_generation *generation)
{
    search_islands_destroy(&generation->islands);
    arrays_destroy(&generation->arrays);
}

/* Order ------------------------------------------------------------------------------------------------ */

/* A sort of the values of all islands. */
struct sort {
    struct shoal_buffer *values, *order;
    uint32_t count, padded;
};

static enum shoal_status sort_fill(struct shoal_solver *solver, const struct ga_generation *generation,
                                   const struct sort *sort, struct shoal_error *error)
{
    const uint32_t islands = generation->islands.shape.islands;
    return GA_LAUNCH_ITEMS(ga_order_fill, generation, ORDER_FILL, (size_t)islands * sort->padded,
                           .values = sort->values, .discarded = generation->discarded,
                           .keys = generation->keys, .order = sort->order, .islands = islands,
                           .count = sort->count, .padded = sort->padded);
}

static enum shoal_status sort_step(struct shoal_solver *solver, const struct ga_generation *generation,
                                   const struct sort *sort, uint32_t span, uint32_t distance,
                                   struct shoal_error *error)
{
    const uint32_t islands = generation->islands.shape.islands;
    return GA_LAUNCH_ITEMS(ga_order_step, generation, ORDER_STEP, (size_t)islands * (sort->padded / 2),
                           .keys = generation->keys, .order = sort->order, .islands = islands,
                           .padded = sort->padded, .span = span, .distance = distance);
}

static enum shoal_status sort_block(struct shoal_solver *solver, const struct ga_generation *generation,
                                    const struct sort *sort, uint32_t first, uint32_t last,
                                    struct shoal_error *error)
{
    const uint32_t most = 2 * shoal_kernel_work_group(generation->kernels[ORDER_BLOCK]);
    const uint32_t places = sort->padded < most ? sort->padded : most;
    return GA_LAUNCH(ga_order_block, generation, ORDER_BLOCK,
                     (size_t)generation->islands.shape.islands * (sort->padded / places),
                     .keys = generation->keys, .order = sort->order, .padded = sort->padded, .first = first,
                     .last = last);
}

static enum shoal_status order(struct shoal_solver *solver, const struct ga_generation *generation,
                               const struct sort *sort, struct shoal_error *error)
{
    const uint32_t group = shoal_kernel_work_group(generation->kernels[ORDER_BLOCK]);
    enum shoal_status status = sort_fill(solver, generation, sort, error);
    if (!status && sort->padded > 1)
        status = sort_block(solver, generation, sort, 2, sort->padded < 2 * group ? sort->padded : 2 * group,
                            error);
    for (uint32_t span = 4 * group; span <= sort->padded && !status; span *= 2) {
        for (uint32_t distance = span / 2; distance > group && !status; distance /= 2)
            status = sort_step(solver, generation, sort, span, distance, error);
        if (!status)
            status = sort_block(solver, generation, sort, span, span, error);
    }
    return status;
}

enum shoal_status ga_order_members(struct shoal_solver *solver, const struct ga_generation *generation,
                                   struct shoal_error *error)
{
    const struct sort sort = {.values = ga_device_of(solver)->best,
                              .order = generation->order,
                              .count = generation->islands.shape.members,
                              .padded = generation->shape.padded};
    return order(solver, generation, &sort, error);
}

enum shoal_status ga_order_children(struct shoal_solver *solver, const struct ga_generation *generation,
                                    struct shoal_buffer *values, struct shoal_error *error)
{
    const struct sort sort = {.values = values,
                              .order = generation->child_order,
                              .count = generation->shape.children,
                              .padded = generation->shape.padded_children};
    return order(solver, generation, &sort, error);
}

/* End of a step ---------------------------------------------------------------------------------------- */

static enum shoal_status exchange(struct shoal_solver *solver, const struct ga_generation *generation,
                                  uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const size_t islands = device->problem.search.islands, migrants = device->problem.search.migrants;
    const struct solver_table sent[] = {
        {generation->sent, migrants * device->search.numbers * device->search.number},
        {generation->sent_values, migrants * device->search.real}};
    enum shoal_status status = ga_order_members(solver, generation, error);
    if (!status)
        status = GA_LAUNCH(ga_emigrate, generation, EMIGRATE, islands, .x = device->x, .values = device->best,
                           .order = generation->order, .sent = generation->sent,
                           .sent_values = generation->sent_values, .shape = &generation->islands.shape,
                           .own = &generation->shape, .step = step);
    if (!status)
        status = search_guests_sources(solver, step, sent, COUNT(sent), error);
    return status ? status
                  : GA_LAUNCH(ga_immigrate, generation, IMMIGRATE, islands, .x = device->x,
                              .values = device->best, .order = generation->order, .sent = generation->sent,
                              .sent_values = generation->sent_values, .links = device->search.links,
                              .words = device->search.words, .shape = &generation->islands.shape,
                              .own = &generation->shape,
                              .kind = search_exchange_kind(&device->problem.search), .step = step);
}

static struct search_members members_of(const struct shoal_solver *solver)
{
    return (struct search_members){.values = ga_device_of(solver)->best,
                                   .positions = ga_device_of(solver)->x};
}

enum shoal_status ga_find_best(struct shoal_solver *solver, struct ga_generation *generation, uint32_t step,
                               struct shoal_error *error)
{
    const struct search_members members = members_of(solver);
    return search_islands_find(solver, &generation->islands, &members, step, error);
}

enum shoal_status ga_end_step(struct shoal_solver *solver, struct ga_generation *generation, uint32_t step,
                              struct shoal_error *error)
{
    const struct search_members members = members_of(solver);
    enum shoal_status status = SHOAL_OK;
    if (search_exchange_is_due(search_device_of(solver)->problem, step)) {
        status = search_islands_keep(solver, &generation->islands, &members, step, error);
        if (!status)
            status = exchange(solver, generation, step, error);
    }
    return status ? status : search_islands_finish(solver, &generation->islands, &members, step, error);
}
