/* The method "pipeline": children of the parents, of reals and of genomes. */
#include "ga/methods/pipeline.h"

static enum shoal_status vary_reals(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
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
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
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
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
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
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
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
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
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

enum shoal_status ga_pipeline_vary(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    return search_device_of(solver)->problem->has_genome ? vary_genes(solver, step, error)
                                                         : vary_reals(solver, step, error);
}
