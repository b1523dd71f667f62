/* Launches that draw members, and evaluate members and children, in global memory. */
#include "ga/methods/memory.h"
#include "base/error.h"

#include <math.h>

/* Create ----------------------------------------------------------------------------------------------- */

enum shoal_status ga_memory_fits(const struct search_problem *problem, const struct shoal_device_info *info,
                                 struct shoal_error *error)
{
    const bool has_rows = problem->info->shape == SHOAL_DATA_ROWS;
    /* Genes are counted in 64 bits. Points and elements of orders are counted in 32 bits, with room for
     * rounding up to a power of two. */
    const double points = (double)problem->islands * (double)problem->width;
    if (2 * points > 4e9)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%.0f individuals and children are more than a device numbers: lower --population, "
                    "--children, --islands or --runs",
                    points);
    return evaluator_fits(has_rows ? EVALUATOR_ROWS : EVALUATOR_THREAD, problem->objective,
                          problem->point_dim, info, error);
}

static void list_arrays(struct shoal_solver *solver, struct ga_memory *memory)
{
    const struct ga_generation *generation = &memory->generation;
    const struct ga_device *device = ga_device_of(solver);
    const size_t real = device->search.real, number = device->search.number, tile = solver->method.tile;
    const double children = (double)generation->children,
                 places = (double)search_tiles(solver) * (double)tile,
                 child_places = ceil(children / (double)tile) * (double)tile,
                 next = generation->shape.in_place ? 0 : places;
    const struct array list[] = {
        {&memory->y, fmax(places, child_places), real},
        {&memory->children, child_places * (double)device->search.numbers, number},
        {&memory->child_values, children, real},
        {&memory->next_x, next * (double)search_stride(solver), number},
        {&memory->next_best, next, real},
    };
    memory->arrays.queue = solver->queue;
    ARRAYS_SET(&memory->arrays, list);
}

enum shoal_status ga_memory_plan(struct shoal_solver *solver, struct ga_memory *memory,
                                 enum evaluator_method method, size_t children, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    enum shoal_status status =
        search_values_create(solver, method, problem->islands * problem->width, &memory->values, error);
    if (status)
        return status;
    ga_generation_plan(solver, &memory->generation, children);
    list_arrays(solver, memory);
    return SHOAL_OK;
}

enum shoal_status ga_memory_create(struct shoal_solver *solver, struct ga_memory *memory, double more,
                                   struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    enum shoal_status status =
        ga_generation_create(solver, &memory->generation, more + arrays_bytes(&memory->arrays), error);
    if (!status)
        status = ga_generation_build(solver, &memory->generation,
                                     problem->has_genome ? &ga_genes_program : &ga_vary_program, DRAW, error);
    return status ? status : arrays_create(&memory->arrays, error);
}

void ga_memory_destroy(struct ga_memory *memory)
{
    search_values_destroy(&memory->values);
    ga_generation_destroy(&memory->generation);
    arrays_destroy(&memory->arrays);
}

/* Launches --------------------------------------------------------------------------------------------- */

enum shoal_status ga_evaluate(struct shoal_solver *solver, const struct ga_memory *memory,
                              enum ga_evaluated which, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_generation *generation = &memory->generation;
    struct shoal_buffer *const x = which == GA_CHILDREN ? memory->children : device->x;
    const uint32_t each =
        which == GA_CHILDREN ? generation->shape.children : generation->islands.shape.members;
    const size_t count = (size_t)each * generation->islands.shape.islands;
    evaluator_set_generation(memory->values.evaluator, step);
    enum shoal_status status = search_values_run(solver, &memory->values, x, memory->y, count, error);
    return status ? status
                  : GA_LAUNCH_ITEMS(ga_judge, generation, JUDGE, count, .x = x, .y = memory->y,
                                    .values = which == GA_CHILDREN ? memory->child_values : device->best,
                                    .words = device->search.words, .settings = device->search.settings,
                                    .shape = &generation->islands.shape, .reals = generation->genes.reals,
                                    .count = each, .is_draw = which == GA_DRAWN, .step = step);
}

static enum shoal_status draw_reals(struct shoal_solver *solver, const struct ga_generation *generation,
                                    uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const size_t items = device->problem.search.total * ga_gene_blocks(generation->islands.shape.dim);
    return GA_LAUNCH_ITEMS(ga_draw, generation, DRAW, items, .x = device->x, .words = device->search.words,
                           .settings = device->search.settings, .shape = &generation->islands.shape,
                           .own = &generation->shape, .step = step);
}

static enum shoal_status draw_lists(struct shoal_solver *solver, const struct ga_generation *generation,
                                    uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    return GA_LAUNCH_ITEMS(ga_draw_lists, generation, DRAW_LISTS, device->problem.search.total,
                           .x = device->x, .words = device->search.words, .champion = device->search.champion,
                           .shape = &generation->islands.shape, .own = &generation->shape,
                           .genes = &generation->genes, .step = step);
}

static enum shoal_status draw_genes(struct shoal_solver *solver, const struct ga_generation *generation,
                                    uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct genome_layout *genes = &device->problem.genes;
    const size_t units = ga_gene_blocks(genes->reals + genes->wholes + genes->words) + (genes->places > 0),
                 items = device->problem.search.total * units;
    enum shoal_status status =
        GA_LAUNCH_ITEMS(ga_draw_genes, generation, DRAW, items, .x = device->x, .wholes = generation->wholes,
                        .words = device->search.words, .settings = device->search.settings,
                        .shape = &generation->islands.shape, .own = &generation->shape,
                        .genes = &generation->genes, .step = step);
    return status || !device->problem.messy ? status : draw_lists(solver, generation, step, error);
}

static enum shoal_status draw(struct shoal_solver *solver, const struct ga_memory *memory, uint32_t step,
                              struct shoal_error *error)
{
    enum shoal_status status = search_device_of(solver)->problem->has_genome
                                   ? draw_genes(solver, &memory->generation, step, error)
                                   : draw_reals(solver, &memory->generation, step, error);
    return status ? status : ga_evaluate(solver, memory, GA_DRAWN, step, error);
}

enum shoal_status ga_memory_end_step(struct shoal_solver *solver, struct ga_memory *memory, uint32_t step,
                                     struct shoal_error *error)
{
    const bool draws = step == 0 || search_device_of(solver)->problem->params->restart;
    enum shoal_status status = draws ? draw(solver, memory, step, error) : SHOAL_OK;
    return status ? status : ga_end_step(solver, &memory->generation, step, error);
}

void ga_swap_populations(struct shoal_solver *solver, struct ga_memory *memory)
{
    buffers_swap(&ga_device_of(solver)->x, &memory->next_x);
    buffers_swap(&ga_device_of(solver)->best, &memory->next_best);
}
