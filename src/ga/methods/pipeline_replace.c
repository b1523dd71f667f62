/* The pipeline behind the evaluation of the children: replacement, migration. */
#include "base/error.h"
#include "ga/methods/pipeline.h"

/* Replacement ------------------------------------------------------------------------------------------ */

static enum shoal_status discard(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const size_t children = (size_t)pipeline->shape.children * pipeline->islands.shape.islands;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->discarded),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(DISCARD, children, args);
}

static enum shoal_status clear(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t count,
                               struct shoal_error *error)
{
    return shoal_buffer_fill(solver->queue, buffer, 0, count * sizeof(uint32_t), 0, error);
}

static enum shoal_status claim(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const size_t children = (size_t)pipeline->shape.children * pipeline->islands.shape.islands;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(pipeline->claims),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(pipeline->child_order),
        shoal_arg_buffer(pipeline->discarded),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    enum shoal_status status = clear(solver, pipeline->claims, device->problem.search.total, error);
    return status ? status : GA_LAUNCH(CLAIM, ga_groups(pipeline, CLAIM, children), args);
}

static enum shoal_status find_sources(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    struct ga_pipeline shape = pipeline->shape;
    /* One elite is the best member. */
    if (!pipeline->has_order)
        shape.padded = 1;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->child_values),
        shoal_arg_buffer(pipeline->has_order ? pipeline->order : pipeline->islands.goal_index),
        shoal_arg_buffer(pipeline->child_order),
        shoal_arg_buffer(pipeline->claims),
        shoal_arg_buffer(pipeline->sources),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        shoal_arg_struct(&shape, sizeof shape),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(SOURCES, ga_groups(pipeline, SOURCES, device->problem.search.total), args);
}

static void swap(struct shoal_buffer **a, struct shoal_buffer **b)
{
    struct shoal_buffer *const other = *a;
    *a = *b;
    *b = other;
}

void ga_swap_populations(struct shoal_solver *solver)
{
    struct ga_device *device = ga_device_of(solver);
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    swap(&device->x, &pipeline->next_x);
    swap(&device->best, &pipeline->next_best);
}

static enum shoal_status make_next(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const bool in_place = pipeline->shape.in_place;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->child_values),
        shoal_arg_buffer(pipeline->sources),
        shoal_arg_buffer(in_place ? device->x : pipeline->next_x),
        shoal_arg_buffer(in_place ? device->best : pipeline->next_best),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
    };
    const size_t numbers = device->problem.search.total * device->search.numbers;
    enum shoal_status status = GA_LAUNCH(REPLACE, ga_groups(pipeline, REPLACE, numbers), args);
    if (!status && !in_place)
        ga_swap_populations(solver);
    return status;
}

enum shoal_status ga_replace(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_ga_params *params = ga_device_of(solver)->problem.params;
    const bool is_unique = params->unique && params->replacement == SHOAL_GA_STEADY;
    const size_t children = (size_t)pipeline->shape.children * pipeline->islands.shape.islands;
    enum shoal_status status = is_unique ? discard(solver, step, error) : SHOAL_OK;
    if (!status && pipeline->has_child_order)
        status = ga_order(solver, true, error);
    if (!status && pipeline->has_claims)
        status = claim(solver, step, error);
    if (!status)
        status = find_sources(solver, step, error);
    if (!status)
        status = make_next(solver, error);
    if (!status && is_unique)
        status = clear(solver, pipeline->discarded, children, error);
    return status;
}

/* Migration -------------------------------------------------------------------------------------------- */

enum shoal_status ga_exchange(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_arg emigrate[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->order),
        shoal_arg_buffer(pipeline->sent),
        shoal_arg_buffer(pipeline->sent_values),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    const struct shoal_arg immigrate[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->order),
        shoal_arg_buffer(pipeline->sent),
        shoal_arg_buffer(pipeline->sent_values),
        shoal_arg_buffer(device->search.links),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(search_exchange_kind(&device->problem.search)),
        shoal_arg_uint(step),
    };
    enum shoal_status status = ga_order(solver, false, error);
    if (!status)
        status = GA_LAUNCH(EMIGRATE, device->problem.search.islands, emigrate);
    return status ? status : GA_LAUNCH(IMMIGRATE, device->problem.search.islands, immigrate);
}
