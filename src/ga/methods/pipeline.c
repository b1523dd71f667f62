/* The method "pipeline", which implements every rule: a launch for each part of a generation (select, cross,
 * mutate, evaluate, replace). */
#include "ga/methods/pipeline.h"
#include "base/error.h"

#include <stdlib.h>

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct ga_problem *problem = populations;
    if (problem->thesis.generator_words)
        return method_lacks(method, "random numbers other than philox", error);
    return ga_memory_fits(&problem->search, info, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static void list_arrays(struct shoal_solver *solver)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_ga_params *params = problem->params;
    struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const double total = (double)problem->search.total,
                 pairs = (double)problem->search.islands * (double)problem->pairs;
    const size_t word = sizeof(uint32_t);
    const bool claims = params->replacement == SHOAL_GA_STEADY && !problem->is_cellular &&
                        params->victim != SHOAL_GA_VICTIM_WORST;
    const struct array list[] = {
        {&pipeline->parents, 2 * pairs, word},
        {&pipeline->sums, ga_selects_by_weight(params) ? total : 0, sizeof(uint64_t)},
        {&pipeline->scratch, (double)pipeline->memory.generation.children * (double)problem->scratch,
         sizeof(uint16_t)},
        {&pipeline->claims, claims ? total : 0, word},
        {&pipeline->sources, total, word},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *search = search_device_of(solver)->problem;
    struct ga_pipeline *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    const enum evaluator_method method = evaluator_choose(
        solver->device, search->objective, search->point_dim, search->whole_islands * search->width, NULL);
    enum shoal_status status =
        ga_memory_plan(solver, &pipeline->memory, method, search->islands * search->points, error);
    if (!status)
        status = ga_improve_plan(solver, &pipeline->improver, &pipeline->memory, error);
    list_arrays(solver);
    if (!status)
        status = ga_memory_create(solver, &pipeline->memory,
                                  arrays_bytes(&pipeline->arrays) + arrays_bytes(&pipeline->improver.arrays),
                                  error);
    if (!status)
        status = arrays_create(&pipeline->arrays, error);
    return status ? status : ga_improve_create(solver, &pipeline->improver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    if (!pipeline)
        return;
    ga_improve_destroy(&pipeline->improver);
    ga_memory_destroy(&pipeline->memory);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Selection -------------------------------------------------------------------------------------------- */

static enum shoal_status select_parents(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const uint32_t islands = generation->islands.shape.islands;
    enum shoal_status status = SHOAL_OK;
    if (pipeline->sums)
        status = GA_LAUNCH(ga_weights, generation, WEIGHTS, islands, .values = device->best,
                           .sums = pipeline->sums, .settings = device->search.settings,
                           .shape = &generation->islands.shape, .step = step);
    if (!status)
        status = GA_LAUNCH_ITEMS(ga_select, generation, SELECT, device->problem.pairs * islands,
                                 .values = device->best, .sums = pipeline->sums, .order = generation->order,
                                 .ranks = generation->ranks, .parents = pipeline->parents,
                                 .words = device->search.words, .shape = &generation->islands.shape,
                                 .own = &generation->shape, .step = step);
    return status;
}

/* Variation -------------------------------------------------------------------------------------------- */

static enum shoal_status vary_reals(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct search_shape *shape = &generation->islands.shape;
    const size_t blocks = ga_gene_blocks(shape->dim);
    enum shoal_status status = GA_LAUNCH_ITEMS(
        ga_cross, generation, CROSS, device->problem.pairs * shape->islands * blocks, .x = device->x,
        .values = device->best, .children = pipeline->memory.children, .parents = pipeline->parents,
        .rates = generation->rates, .words = device->search.words, .settings = device->search.settings,
        .shape = &generation->islands.shape, .own = &generation->shape, .step = step);
    if (!status && device->problem.operators.mutate_reals != SHOAL_GA_NO_MUTATION)
        status = GA_LAUNCH_ITEMS(
            ga_mutate, generation, MUTATE, generation->children, .children = pipeline->memory.children,
            .rates = generation->rates, .words = device->search.words, .settings = device->search.settings,
            .shape = &generation->islands.shape, .own = &generation->shape, .step = step);
    return status;
}

static enum shoal_status cross_line(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct genome_layout *genes = &device->problem.genes;
    const size_t blocks = ga_gene_blocks(genes->reals) + ga_gene_blocks(genes->wholes + genes->words);
    const size_t items = device->problem.pairs * generation->islands.shape.islands * blocks;
    return GA_LAUNCH_ITEMS(ga_cross_genes, generation, CROSS, items, .x = device->x, .values = device->best,
                           .children = pipeline->memory.children, .parents = pipeline->parents,
                           .rates = generation->rates, .words = device->search.words,
                           .settings = device->search.settings, .shape = &generation->islands.shape,
                           .own = &generation->shape, .genes = &generation->genes, .step = step);
}

static enum shoal_status cross_orders(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    return GA_LAUNCH_ITEMS(ga_cross_orders, generation, CROSS_ORDERS, generation->children, .x = device->x,
                           .children = pipeline->memory.children, .scratch = pipeline->scratch,
                           .parents = pipeline->parents, .rates = generation->rates,
                           .words = device->search.words, .shape = &generation->islands.shape,
                           .own = &generation->shape, .genes = &generation->genes, .step = step);
}

static enum shoal_status cross_lists(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    return GA_LAUNCH_ITEMS(ga_cross_lists, generation, CROSS_LISTS, generation->children, .x = device->x,
                           .children = pipeline->memory.children, .parents = pipeline->parents,
                           .rates = generation->rates, .words = device->search.words,
                           .shape = &generation->islands.shape, .own = &generation->shape,
                           .genes = &generation->genes, .step = step);
}

static enum shoal_status mutate(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    return GA_LAUNCH_ITEMS(ga_mutate_genes, generation, MUTATE, generation->children,
                           .children = pipeline->memory.children, .wholes = generation->wholes,
                           .scratch = pipeline->scratch, .rates = generation->rates,
                           .words = device->search.words, .settings = device->search.settings,
                           .shape = &generation->islands.shape, .own = &generation->shape,
                           .genes = &generation->genes, .step = step);
}

static enum shoal_status vary_genes(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    enum shoal_status status = problem->messy  ? cross_lists(solver, step, error)
                               : problem->line ? cross_line(solver, step, error)
                                               : SHOAL_OK;
    if (!status && problem->genes.places)
        status = cross_orders(solver, step, error);
    return status ? status : mutate(solver, step, error);
}

static enum shoal_status vary(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    return search_device_of(solver)->problem->has_genome ? vary_genes(solver, step, error)
                                                         : vary_reals(solver, step, error);
}

/* Replacement ------------------------------------------------------------------------------------------ */

static enum shoal_status discard(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    return GA_LAUNCH(ga_discard, generation, DISCARD, generation->children, .x = device->x,
                     .children = pipeline->memory.children, .discarded = generation->discarded,
                     .words = device->search.words, .shape = &generation->islands.shape,
                     .own = &generation->shape, .step = step);
}

static enum shoal_status clear(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t count,
                               struct shoal_error *error)
{
    return shoal_buffer_fill(solver->queue, buffer, 0, count * sizeof(uint32_t), 0, error);
}

static enum shoal_status claim(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    enum shoal_status status = clear(solver, pipeline->claims, device->problem.search.total, error);
    return status
               ? status
               : GA_LAUNCH_ITEMS(ga_claim, generation, CLAIM, generation->children,
                                 .claims = pipeline->claims, .parents = pipeline->parents,
                                 .child_order = generation->child_order, .discarded = generation->discarded,
                                 .words = device->search.words, .shape = &generation->islands.shape,
                                 .own = &generation->shape, .step = step);
}

static enum shoal_status find_sources(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    struct ga_shape shape = generation->shape;
    /* With a single elite, the order is replaced by the best member, which is known without a sort. */
    if (!generation->has_order)
        shape.padded = 1;
    return GA_LAUNCH_ITEMS(
        ga_sources, generation, SOURCES, device->problem.search.total, .values = device->best,
        .child_values = pipeline->memory.child_values,
        .order = generation->has_order ? generation->order : generation->islands.goal_index,
        .child_order = generation->child_order, .claims = pipeline->claims, .sources = pipeline->sources,
        .words = device->search.words, .shape = &generation->islands.shape, .own = &shape, .step = step);
}

static enum shoal_status make_next(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const bool in_place = generation->shape.in_place;
    const size_t numbers = device->problem.search.total * device->search.numbers;
    enum shoal_status status = GA_LAUNCH_ITEMS(
        ga_replace, generation, REPLACE, numbers, .x = device->x, .values = device->best,
        .children = pipeline->memory.children, .child_values = pipeline->memory.child_values,
        .sources = pipeline->sources, .next_x = in_place ? device->x : pipeline->memory.next_x,
        .next_values = in_place ? device->best : pipeline->memory.next_best,
        .shape = &generation->islands.shape, .own = &generation->shape);
    if (!status && !in_place)
        ga_swap_populations(solver, &pipeline->memory);
    return status;
}

static enum shoal_status replace(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct shoal_ga_params *params = ga_device_of(solver)->problem.params;
    const bool is_unique = params->unique && params->replacement == SHOAL_GA_STEADY;
    enum shoal_status status = is_unique ? discard(solver, step, error) : SHOAL_OK;
    if (!status && generation->has_child_order)
        status = ga_order_children(solver, generation, pipeline->memory.child_values, error);
    if (!status && pipeline->claims)
        status = claim(solver, step, error);
    if (!status)
        status = find_sources(solver, step, error);
    if (!status)
        status = make_next(solver, error);
    if (!status && is_unique)
        status = clear(solver, generation->discarded, generation->children, error);
    return status;
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status breed(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    enum shoal_status status = generation->has_order ? ga_order_members(solver, generation, error) : SHOAL_OK;
    if (!status)
        status = select_parents(solver, step, error);
    if (!status)
        status = vary(solver, step, error);
    if (!status)
        status = ga_evaluate(solver, &pipeline->memory, GA_CHILDREN, step, error);
    return status;
}

/* If the objective is dynamic: evaluates the members again for the step that begins. */
static enum shoal_status evaluate_members(struct shoal_solver *solver, uint32_t step,
                                          struct shoal_error *error)
{
    struct ga_pipeline *pipeline = ga_pipeline_of(solver);
    enum shoal_status status = ga_evaluate(solver, &pipeline->memory, GA_MEMBERS, step, error);
    return status ? status : ga_find_best(solver, &pipeline->memory.generation, step, error);
}

static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    struct ga_improver *improver = &ga_pipeline_of(solver)->improver;
    const bool improves = problem->improve.search;
    enum shoal_status status = improves ? ga_improve_begin(solver, improver, error) : SHOAL_OK;
    if (!status && problem->search.info->dynamic)
        status = evaluate_members(solver, step, error);
    if (!status)
        status = breed(solver, step, error);
    if (!status && improves)
        status = ga_improve_children(solver, improver, step, error);
    if (status || improver->is_dropped)
        return status;
    status = replace(solver, step, error);
    return status ? status : ga_memory_end_step(solver, &ga_pipeline_of(solver)->memory, step, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return ga_memory_end_step(solver, &ga_pipeline_of(solver)->memory, 0, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    struct ga_improver *improver = &ga_pipeline_of(solver)->improver;
    const uint64_t end = device->steps + steps;
    enum shoal_status status = SHOAL_OK;
    improver->is_due = true;
    improver->is_dropped = false;
    for (uint64_t step = device->steps + 1; step <= end && !status && !device->dropped; step++) {
        status = make_step(solver, (uint32_t)step, error);
        if (improver->is_dropped)
            device->dropped = end - step + 1;
    }
    return status;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)checkpoint;
    return ga_find_best(solver, &ga_pipeline_of(solver)->memory.generation,
                        (uint32_t)search_device_of(solver)->steps, error);
}

const struct search_method ga_pipeline_method = {
    .base = {.name = "pipeline",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = load},
    .evaluation_bytes = ga_evaluation_bytes,
};
