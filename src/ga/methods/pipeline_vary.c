/* The method "pipeline": children of the parents, of reals and of genomes. */
#include "ga/methods/pipeline.h"

static enum shoal_status vary_reals(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct search_shape *shape = &generation->islands.shape;
    const size_t blocks = ga_gene_blocks(shape->dim);
    const struct shoal_arg cross_args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        shoal_arg_uint(step),
    };
    const struct shoal_arg mutate_args[] = {
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        shoal_arg_uint(step),
    };
    enum shoal_status status =
        GA_LAUNCH_ITEMS(generation, CROSS, device->problem.pairs * shape->islands * blocks, cross_args);
    if (!status && device->problem.operators.mutate_reals != SHOAL_GA_NO_MUTATION)
        status = GA_LAUNCH_ITEMS(generation, MUTATE, generation->children, mutate_args);
    return status;
}

static enum shoal_status cross_line(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct genome_layout *genes = &device->problem.genes;
    const size_t blocks = ga_gene_blocks(genes->reals) + ga_gene_blocks(genes->wholes + genes->words);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        ga_genes_arg(generation),
        shoal_arg_uint(step),
    };
    const size_t items = device->problem.pairs * generation->islands.shape.islands * blocks;
    return GA_LAUNCH_ITEMS(generation, CROSS, items, args);
}

static enum shoal_status cross_orders(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(pipeline->scratch),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        ga_genes_arg(generation),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH_ITEMS(generation, CROSS_ORDERS, generation->children, args);
}

static enum shoal_status cross_lists(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        ga_genes_arg(generation),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH_ITEMS(generation, CROSS_LISTS, generation->children, args);
}

static enum shoal_status mutate(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_generation *generation = &pipeline->memory.generation;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(pipeline->memory.children),
        shoal_arg_buffer(generation->wholes),
        shoal_arg_buffer(pipeline->scratch),
        shoal_arg_buffer(generation->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(generation),
        ga_shape_arg(generation),
        ga_genes_arg(generation),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH_ITEMS(generation, MUTATE, generation->children, args);
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

enum shoal_status ga_pipeline_vary(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    return search_device_of(solver)->problem->has_genome ? vary_genes(solver, step, error)
                                                         : vary_reals(solver, step, error);
}
