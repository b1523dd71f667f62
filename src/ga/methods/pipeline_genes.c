/* The method "pipeline": first members and children that are genomes. */
#include "ga/methods/pipeline.h"

static enum shoal_status draw_lists(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.champion),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(DRAW_LISTS, ga_groups(pipeline, DRAW_LISTS, device->problem.search.total), args);
}

enum shoal_status ga_draw_genes(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct genome_layout *genes = &device->problem.genes;
    const size_t units = ga_gene_blocks(genes->reals + genes->wholes + genes->words) + (genes->places > 0);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->wholes),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    const size_t total = device->problem.search.total;
    enum shoal_status status = GA_LAUNCH(DRAW, ga_groups(pipeline, DRAW, total * units), args);
    return status || !device->problem.messy ? status : draw_lists(solver, step, error);
}

static enum shoal_status cross_line(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct genome_layout *genes = &device->problem.genes;
    const size_t blocks = ga_gene_blocks(genes->reals) + ga_gene_blocks(genes->wholes + genes->words);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    const size_t items = pipeline->pairs * pipeline->islands.shape.islands * blocks;
    return GA_LAUNCH(CROSS, ga_groups(pipeline, CROSS, items), args);
}

static enum shoal_status cross_orders(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->scratch),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(CROSS_ORDERS, ga_groups(pipeline, CROSS_ORDERS, ga_all_children(pipeline)), args);
}

static enum shoal_status cross_lists(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(CROSS_LISTS, ga_groups(pipeline, CROSS_LISTS, ga_all_children(pipeline)), args);
}

static enum shoal_status mutate(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->wholes),
        shoal_arg_buffer(pipeline->scratch),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_uint(step),
    };
    return GA_LAUNCH(MUTATE, ga_groups(pipeline, MUTATE, ga_all_children(pipeline)), args);
}

enum shoal_status ga_vary_genes(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    enum shoal_status status = problem->messy  ? cross_lists(solver, step, error)
                               : problem->line ? cross_line(solver, step, error)
                                               : SHOAL_OK;
    if (!status && problem->genes.places)
        status = cross_orders(solver, step, error);
    return status ? status : mutate(solver, step, error);
}
