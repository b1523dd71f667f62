/* Local search of the children of the pipeline: a group for each child, all its steps in one launch. */
#include "base/error.h"
#include "compute/contract.h"
#include "ga/methods/pipeline.h"
#include "objective/rows/table.h"

#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_improve, ga_improve, .local_bytes_per_item = sizeof(double) + sizeof(uint32_t),
          .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "local search of a child, whose moves the work-items share"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(ga_improve, COLUMNS, 1, 1 << 28, "columns of the table that the objective reads"),
    DEFINE(ga_improve, DIM, 1, GA_MAX_DIM, "coordinates of a point"),
    DEFINE(ga_improve, GENES, 1, GA_MAX_DIM, "bits or places"),
    DEFINE(ga_improve, LOCAL_SEARCH, SHOAL_GA_FIRST_IMPROVEMENT, SHOAL_GA_TABU,
           "1 first improvement, 2 best improvement, 3 tabu"),
    DEFINE(ga_improve, MOVES, SHOAL_GA_MOVES_FLIP, SHOAL_GA_MOVES_INSERTION,
           "1 flips, 2 swaps, 3 insertions"),
    DEFINE(ga_improve, POOL, 1, 1 << 20, "local memory of a child in units of 8 bytes"),
    DEFINE(ga_improve, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(ga_improve, TABLE_ROWS, 1, 1 << 28, "rows of that table"),
    TUNED_DEFINE(ga_improve, WG, 1, 1024, 1, "work-group size, a power of two"),
};

const struct shoal_program_desc ga_improve_program = PROGRAM("ga.improve", ga_improve, 0, defines, entries);

/* A warp for the moves of a small genome; more where few children are to fill the device. */
static uint32_t group_of(const struct ga_improve *improve, const struct shoal_device_info *info)
{
    const uint32_t group = improve->count <= 128 ? 32 : improve->count <= 1024 ? 64 : 128;
    return info->is_cpu ? 1 : group < info->max_work_group ? group : (uint32_t)info->max_work_group;
}

/* As ITEMS and the tables in cl/ga/methods/improve.cl: the genes twice, and what is tabu. */
static size_t pool_of(const struct ga_improve *improve)
{
    const size_t n = improve->genes;
    const size_t items = improve->moves == SHOAL_GA_MOVES_FLIP ? (n + 31) / 32 : n;
    const size_t tabu = improve->search != SHOAL_GA_TABU        ? 0
                        : improve->moves == SHOAL_GA_MOVES_SWAP ? n * n
                                                                : n;
    return (2 * items + tabu + 1) / 2;
}

static enum shoal_status check_room(const struct shoal_solver *solver, uint32_t group,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct ga_improve *improve = &ga_device_of(solver)->problem.improve;
    const size_t bytes = 8 * pool_of(improve) + group * (sizeof(double) + sizeof(uint32_t));
    if (bytes <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "a local search of %u %s needs %zu bytes of local memory, %s (%s) has %llu: take another of "
                "--local-search or --moves, or --device host",
                improve->genes, improve->moves == SHOAL_GA_MOVES_FLIP ? "bits" : "places", bytes, info->id,
                info->name, (unsigned long long)info->local_mem);
}

enum shoal_status ga_improve_build(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct ga_improve *improve = &ga_device_of(solver)->problem.improve;
    const struct objective_table *table = device->problem->objective->table;
    const struct entry_kernel kernel = {"ga_improve", &ga_pipeline_of(solver)->improve};
    const uint32_t group = group_of(improve, shoal_device_get_info(solver->device));
    struct defines own = {.count = 0};
    enum shoal_status status = check_room(solver, group, error);
    if (status)
        return status;
    define_add(&own, "COLUMNS", table ? (int64_t)table->columns : 1);
    define_add(&own, "DIM", (int64_t)device->problem->point_dim);
    define_add(&own, "GENES", improve->genes);
    define_add(&own, "LOCAL_SEARCH", improve->search);
    define_add(&own, "MOVES", improve->moves);
    define_add(&own, "POOL", (int64_t)pool_of(improve));
    define_add(&own, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    define_add(&own, "TABLE_ROWS", table ? (int64_t)table->rows : 1);
    define_add(&own, "WG", group);
    return programs_build(&solver->programs, &ga_improve_program, &own, &kernel, 1, NULL, error);
}

enum shoal_status ga_improve_children(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct ga_improve *improve = &device->problem.improve;
    const struct ga_local_search search = {.steps = improve->steps,
                                           .tenure = improve->tenure,
                                           .chosen = improve->chosen,
                                           .count = improve->count};
    const struct shoal_arg args[] = {
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->y),
        shoal_arg_buffer(pipeline->child_values),
        shoal_arg_buffer(evaluator_constants(pipeline->values.evaluator)),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        ga_genes_arg(pipeline),
        shoal_arg_struct(&search, sizeof search),
        shoal_arg_uint(step),
    };
    return shoal_launch(solver->queue, pipeline->improve,
                        (size_t)pipeline->shape.children * pipeline->islands.shape.islands, args, COUNT(args),
                        NULL, error);
}
