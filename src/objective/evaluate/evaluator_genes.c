/* Evaluation of objectives over genes. Individuals are in tiles, and a work-item evaluates an individual. */
#include "base/error.h"
#include "compute/launch.h"
#include "objective/evaluate/evaluator_private.h"
#include "objective/variables/variables.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status genome_tiles(const struct shoal_variables *variables, enum shoal_precision precision,
                               size_t tile, const double *points, size_t count, uint32_t *out,
                               struct shoal_error *error)
{
    const struct genome_layout layout = genome_layout(variables);
    const size_t dim = shoal_variables_count(variables), words = genome_words(&layout, precision);
    double *genes = malloc(genes_count(&layout) * sizeof *genes);
    for (size_t i = 0; i < count && genes; i++) {
        genes_from_point(variables, points + i * dim, genes);
        genes_to_words(&layout, precision, genes, tile, out + i / tile * words * tile + i % tile);
    }
    const bool good = genes != NULL;
    free(genes);
    return good ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status genome_points(const struct shoal_variables *variables, enum shoal_precision precision,
                                size_t tile, const uint32_t *tiles, size_t count, double *points,
                                struct shoal_error *error)
{
    const struct genome_layout layout = genome_layout(variables);
    const size_t dim = shoal_variables_count(variables), words = genome_words(&layout, precision);
    double *genes = malloc(genes_count(&layout) * sizeof *genes);
    if (!genes)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++) {
        genes_from_words(&layout, precision, tiles + i / tile * words * tile + i % tile, tile, genes);
        genes_to_point(variables, genes, points + i * dim);
    }
    free(genes);
    return SHOAL_OK;
}

enum shoal_status evaluator_genes_create(struct evaluator *evaluator, const struct evaluator_params *params,
                                         struct shoal_error *error)
{
    const bool has_change = params->objective->info.move != SHOAL_MOVE_NONE;
    const bool repairs = params->objective->info.repairs && params->repair != SHOAL_REPAIR_NONE;
    const struct entry_kernel kernels[] = {{repairs ? "repair_genes" : "eval_genes", &evaluator->kernel},
                                           {"change_genes", &evaluator->change}};
    struct shoal_variables *variables;
    struct shoal_program *program;
    struct defines defines = {.count = 0};
    if (params->shift)
        return fail(error, SHOAL_INVALID, "%s has genes, which cannot be shifted",
                    params->objective->info.name);
    enum shoal_status status =
        shoal_variables_parse(params->objective->info.variables, params->dim, &variables, error);
    if (status)
        return status;
    evaluator->genes = genome_layout(variables);
    evaluator->genes.extra = params->extra;
    shoal_variables_destroy(&variables);
    evaluator->over_genes = true;
    define_add(&defines, "REAL", params->precision == SHOAL_FP64 ? 64 : 32);
    define_table(&defines, params->objective);
    chosen_defines(
        params->chosen, evaluator->device, &eval_genes_program, "",
        &(struct tuned_define){"WG", shoal_device_get_info(evaluator->device)->is_cpu ? 1 : 128, NULL, 0}, 1,
        &defines);
    status = programs_build(params->programs, &eval_genes_program, &defines, kernels, has_change ? 2 : 1,
                            &program, error);
    if (!status && params->objective->table)
        status = evaluator_create_table(evaluator->device, evaluator->queue, params->objective,
                                        params->precision, &evaluator->constants, error);
    evaluator->repairs = repairs;
    const size_t tiles = (params->points + evaluator->tile - 1) / evaluator->tile;
    if (!status && repairs && params->repair == SHOAL_REPAIR_VALUE_ONLY)
        status = shoal_buffer_create(
            evaluator->device,
            tiles * evaluator->tile * genome_words(&evaluator->genes, params->precision) * sizeof(uint32_t),
            &evaluator->repaired, error);
    return status;
}

static struct genes_launch launch_of(const struct evaluator *evaluator, size_t first, size_t count)
{
    return (struct genes_launch){.first = (uint32_t)first,
                                 .count = (uint32_t)count,
                                 .tile = (uint32_t)evaluator->tile,
                                 .dim = (uint32_t)evaluator->dim,
                                 .reals = (uint32_t)evaluator->genes.reals,
                                 .wholes = (uint32_t)evaluator->genes.wholes,
                                 .words = (uint32_t)evaluator->genes.words,
                                 .places = (uint32_t)evaluator->genes.places,
                                 .extra = (uint32_t)evaluator->genes.extra,
                                 .generation = evaluator->generation,
                                 .is_copied = evaluator->repaired != NULL};
}

enum shoal_status evaluator_genes_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                      struct shoal_buffer *y, size_t first, size_t count,
                                      struct shoal_error *error)
{
    const struct genes_launch launch = launch_of(evaluator, first, count);
    const size_t groups = shoal_kernel_groups(evaluator->kernel, count);
    if (evaluator->repairs)
        return LAUNCH(repair_genes, evaluator->queue, evaluator->kernel, groups, error,
                      .genes = evaluator->repaired ? evaluator->repaired : x, .y = y,
                      .table = evaluator->constants, .launch = &launch, .source = x);
    return LAUNCH(eval_genes, evaluator->queue, evaluator->kernel, groups, error, .genes = x, .y = y,
                  .table = evaluator->constants, .launch = &launch);
}

enum shoal_status evaluator_run_changes(struct evaluator *evaluator, struct shoal_buffer *x,
                                        struct shoal_buffer *moves, struct shoal_buffer *y, size_t first,
                                        size_t count, struct shoal_error *error)
{
    if (!evaluator->change)
        return fail(error, SHOAL_UNSUPPORTED,
                    "the objective computes no changes: its text has no line #define CHANGE");
    if (!count)
        return SHOAL_OK;
    const struct genes_launch launch = launch_of(evaluator, first, count);
    return LAUNCH(change_genes, evaluator->queue, evaluator->change,
                  shoal_kernel_groups(evaluator->change, count), error, .genes = x, .y = y, .moves = moves,
                  .table = evaluator->constants, .launch = &launch);
}
