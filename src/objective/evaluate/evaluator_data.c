/* Objectives that are sums over the rows of a table: kernels, launch plans, launches. */
#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "objective/evaluate/evaluator_private.h"
#include "objective/rows/rows.h"
#include "workload/arrays.h"
#include "workload/workload.h"

#include <stdio.h>

/* Layout ----------------------------------------------------------------------------------------------- */

/* UNIT_REGISTERS: number of 32-bit registers of a compute unit. COORDINATE_REGISTERS: largest number of
 * registers that a work-item of rows_tiles may use for coordinates. */
enum { UNIT_REGISTERS = 65536, COORDINATE_REGISTERS = 128 };

/* Largest number of points of a work-item, on a GPU and on a CPU. A number of a row, once read from local
 * memory, serves all points of the work-item. */
enum { MAX_POINTS = 8, CPU_POINTS = 64 };

enum { GROUP = 128 };

/* Number of groups for each CPU thread: several, so that a slow group delays the others little. */
enum { CPU_GROUPS = 4 };

/* Largest number of groups for each compute unit that tuning tries. */
enum { MAX_GROUPS = 64 };

/* STAGE_BYTES: largest size of a stage of rows, in bytes; local memory holds two stages. A stage has up to
 * MAX_STAGE tiles: see cl/objective/rows.clh. */
enum { STAGE_BYTES = 12 << 10, MAX_STAGE = 64, COLUMN_BYTES = 128, TILE_WIDES = 8 };

/* Largest dimension for which tensor cores are not slowed down by loads: cl/objective/eval_rows.cu. */
enum { TENSOR_DIM = 64 };

/* Compute capability times 10 from which CUDA devices have tensor cores for doubles. */
enum { NATIVE_ARCHITECTURE = 80 };

/* Bytes of a column of a tile in local memory, in the kernel for tensor cores. */
enum { TENSOR_COLUMN_BYTES = 160 };

static struct rows_problem rows_problem_of(const struct evaluator_params *params,
                                           const struct shoal_device_info *info)
{
    bool squared;
    struct rows_problem problem = {.precision = params->precision,
                                   .dim = params->dim,
                                   .columns = params->objective->table->columns,
                                   .points = planned_points(params)};
    if (objective_is_least_squares(params->objective, &squared) && params->dim <= TENSOR_DIM)
        problem.linear = 1 + squared;
    problem.tensor = params->programs->variant != SHOAL_VARIANT_CL &&
                     info->architecture >= NATIVE_ARCHITECTURE && problem.linear &&
                     params->precision == SHOAL_FP64;
    return problem;
}

static size_t tile_bytes_of(const struct rows_problem *problem)
{
    return problem->columns * (problem->tensor ? TENSOR_COLUMN_BYTES : COLUMN_BYTES);
}

/* Returns the number of tiles in a stage, at most `stage`: two stages fit into local memory and leave room
 * for the sums. */
static size_t fit_stage(const struct shoal_device_info *info, const struct rows_problem *problem,
                        size_t stage)
{
    while (stage && 2 * stage * tile_bytes_of(problem) > info->local_mem / 8 * 7)
        stage /= 2;
    return stage;
}

/* Returns the number of tiles of a stage: enough to give work to every slice of a group, and to make up for
 * the cost of a barrier. */
static uint32_t plan_stage(const struct shoal_device_info *info, const struct rows_problem *problem,
                           const struct rows_plan *plan)
{
    size_t warps = plan->lanes < EVALUATOR_WARP ? 1 : plan->lanes / EVALUATOR_WARP;
    size_t least = problem->tensor ? plan->work_group / EVALUATOR_WARP / warps
                                   : (plan->work_group / plan->lanes + TILE_WIDES - 1) / TILE_WIDES;
    size_t stage = clamped(STAGE_BYTES / tile_bytes_of(problem), least, MAX_STAGE);
    return (uint32_t)fit_stage(info, problem, stage - stage % least);
}

struct rows_plan rows_plan_make(const struct shoal_device_info *info, const struct rows_problem *problem)
{
    struct rows_plan plan = {.work_group = 1, .lanes = 1};
    size_t points = problem->points, words = problem->precision == SHOAL_FP64 ? 2 : 1;
    if (is_cpu_alone(info)) {
        plan.points = (uint32_t)clamped((points + 7) / 8 * 8, 8, CPU_POINTS);
        return plan;
    }
    size_t most = clamped(COORDINATE_REGISTERS / (words * problem->dim), 1, MAX_POINTS);
    if (problem->tensor)
        most = problem->dim <= 16 ? 2 : 1;
    plan.work_group = (uint32_t)clamped(GROUP, 1, info->max_work_group);
    plan.lanes = (uint32_t)clamped(power_of_two_at_least((points + most - 1) / most), 1, plan.work_group);
    plan.points = (uint32_t)clamped((points + plan.lanes - 1) / plan.lanes, 1, most);
    plan.stage = plan_stage(info, problem, &plan);
    return plan;
}

/* Estimates the number of registers of a work-item, in multiples of eight: coordinates, sums and residuals of
 * its points, rows in use, rows being loaded, addresses. The estimate is close to the number that ptxas
 * reports for sm_90. */
static size_t registers_of(const struct rows_problem *problem, const struct rows_plan *plan)
{
    size_t words = problem->precision == SHOAL_FP64 ? 2 : 1;
    size_t wides = plan->stage * problem->columns * TILE_WIDES;
    size_t registers = words * plan->points * (problem->dim + 2) + 4 * problem->columns +
                       (wides + plan->work_group - 1) / plan->work_group * 4 + 12;
    return clamped((registers + 7) / 8 * 8, 32, 255);
}

size_t rows_resident(const struct shoal_device_info *info, const struct rows_problem *problem,
                     const struct rows_plan *plan)
{
    if (is_cpu_alone(info))
        return CPU_GROUPS;
    return clamped(UNIT_REGISTERS / (registers_of(problem, plan) * plan->work_group), 1, 8);
}

/* Overhead of a split, in tiles: a split of n tiles takes about the time of n + RUN_COST tiles. The groups
 * that run at the same time compute all splits in one or more rounds. */
enum { RUN_COST = 2 };

static size_t choose_blocks(size_t places, size_t point_groups, size_t tiles, size_t most)
{
    size_t best = 1;
    double least = 0;
    if (most > tiles)
        most = tiles;
    for (size_t blocks = 1; blocks <= most && (blocks == 1 || point_groups * (blocks - 1) < 4 * places);
         blocks++) {
        size_t rounds = (point_groups * blocks + places - 1) / places;
        double cost = (double)rounds * (double)((tiles + blocks - 1) / blocks + RUN_COST);
        if (blocks == 1 || cost < least) {
            least = cost;
            best = blocks;
        }
    }
    return best;
}

/* If several devices share the rows, a device has only some of the blocks. Blocks are divided further (up to
 * MOST_FINER times), so that the splits of these blocks still fill the device, and until there are
 * LEAST_BLOCKS blocks, so that shares are nearly equal. A split with less than LEAST_TILES tiles would spend
 * too much time on its beginning and end. */
enum { MOST_FINER = 8, LEAST_BLOCKS = 32, LEAST_TILES = 192 };

struct rows_cut rows_cut_make(uint32_t units, size_t resident, size_t point_groups, size_t tiles, size_t most)
{
    struct rows_cut cut = {choose_blocks(units * resident, point_groups, tiles, most), 1};
    for (size_t finer = 2; finer <= MOST_FINER; finer *= 2) {
        const size_t splits = 2 * cut.blocks * cut.run;
        if (splits > most || tiles / splits < LEAST_TILES)
            break;
        *(cut.blocks < LEAST_BLOCKS ? &cut.blocks : &cut.run) *= 2;
    }
    return cut;
}

/* Creation --------------------------------------------------------------------------------------------- */

/* Returns the defines that both programs have. */
static struct defines common_defines(const struct evaluator_params *params)
{
    return (struct defines){.list = {{"REAL", params->precision == SHOAL_FP64 ? 64 : 32},
                                     {"SHIFTED", params->shift != NULL},
                                     {"DIM", (int64_t)params->dim},
                                     {"COLUMNS", (int64_t)params->objective->table->columns}},
                            .count = 4};
}

static enum shoal_status create_each(struct evaluator *evaluator, const struct evaluator_params *params,
                                     struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(evaluator->device);
    const char *entry = params->method == EVALUATOR_THREAD  ? "data_thread"
                        : params->method == EVALUATOR_WARP2 ? "data_warp2"
                                                            : "data_block2";
    int64_t group = params->method == EVALUATOR_BLOCK2 ? 2 * GROUP : info->is_cpu ? EVALUATOR_WARP : GROUP;
    const struct entry_kernel kernel = {entry, &evaluator->kernel};
    struct defines defines = common_defines(params);
    chosen_defines(params->chosen, evaluator->device, &eval_data_program, "",
                   &(struct tuned_define){"WG", group, NULL, 0}, 1, &defines);
    enum shoal_status status =
        programs_build(params->programs, &eval_data_program, &defines, &kernel, 1, NULL, error);
    if (status)
        return status;
    size_t built = shoal_kernel_work_group(evaluator->kernel);
    size_t warp = built < EVALUATOR_WARP ? built : EVALUATOR_WARP;
    evaluator->group_points = params->method == EVALUATOR_THREAD  ? built
                              : params->method == EVALUATOR_WARP2 ? built / warp
                                                                  : 1;
    return SHOAL_OK;
}

static size_t tiles_of(const struct evaluator *evaluator, size_t rows)
{
    return rows / row_tile(evaluator->precision);
}

static size_t groups_of(const struct evaluator *evaluator, size_t count)
{
    return (count + evaluator->group_points - 1) / evaluator->group_points;
}

static struct rows_cut cut_for(const struct evaluator *evaluator, size_t count)
{
    return rows_cut_make(evaluator->units, evaluator->resident, groups_of(evaluator, count),
                         tiles_of(evaluator, device_table_chunk_rows(evaluator->table)),
                         evaluator->partial_count ? evaluator->partial_count / count : SIZE_MAX);
}

/* Writes the class of sizes under which tuned values are stored. The class has points and rows, since values
 * tuned for few rows and many points are wrong for many rows and few points. */
static void rows_class(const struct evaluator_params *params, const struct rows_problem *problem,
                       char class[TUNING_CLASS_SIZE])
{
    snprintf(class, TUNING_CLASS_SIZE, "precision=%d tensor=%d dim=2^%u points=4^%u rows=4^%u",
             problem->precision == SHOAL_FP64 ? 64 : 32, problem->tensor,
             tuning_power(2, (double)problem->dim), tuning_power(4, (double)problem->points),
             tuning_power(4, (double)params->objective->table->rows));
}

/* Sets the values of a plan to the tuned ones for problems of similar size. On a CPU a group is one
 * work-item, so only POINTS is tuned. */
static void take_tuned(struct shoal_device *device, const struct evaluator_params *params,
                       const struct rows_problem *problem, struct rows_plan *plan)
{
    static const int64_t groups[] = {32, 64, 128, 256, 512}, points[] = {1, 2, 4, 8},
                         cpu_points[] = {8, 16, 32, 64}, lanes[] = {1, 2, 4, 8, 16, 32, 64, 128},
                         stages[] = {2, 4, 8, 16, 32};
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const bool is_cpu = is_cpu_alone(info);
    const struct {
        const char *name;
        uint32_t *value;
        const int64_t *tries;
        size_t count;
    } open[] = {{"POINTS", &plan->points, is_cpu ? cpu_points : points, COUNT(points)},
                {"LANES", &plan->lanes, lanes, is_cpu ? 0 : COUNT(lanes)},
                {"WG", &plan->work_group, groups, is_cpu ? 0 : COUNT(groups)},
                {"STAGE", &plan->stage, stages, is_cpu ? 0 : COUNT(stages)}};
    char class[TUNING_CLASS_SIZE];
    rows_class(params, problem, class);
    for (size_t i = 0; i < COUNT(open); i++) {
        const struct tuning_question question = define_question(&eval_rows_program, open[i].name, class,
                                                                *open[i].value, open[i].tries, open[i].count);
        *open[i].value = (uint32_t)chosen_value(params->chosen, device, &question);
    }
    plan->stage = (uint32_t)fit_stage(info, problem, plan->stage);
}

/* Returns the tuned number of groups that a compute unit runs at a time. The number is tuned like a define,
 * although the kernel does not have it as a define. */
static size_t tuned_resident(const struct evaluator *evaluator, const struct evaluator_params *params,
                             const struct rows_problem *problem)
{
    static const int64_t tries[] = {1, 2, 3, 4, 6, 8, 12, 16};
    char class[TUNING_CLASS_SIZE];
    rows_class(params, problem, class);
    return (size_t)chosen_value(params->chosen, evaluator->device,
                                &(struct tuning_question){.program = eval_rows_program.name,
                                                          .name = "groups",
                                                          .sizes = class,
                                                          .value = (int64_t)evaluator->resident,
                                                          .min = 1,
                                                          .max = MAX_GROUPS,
                                                          .tries = tries,
                                                          .try_count = COUNT(tries)});
}

/* Creates the buffers for the sums of splits and blocks. For fewer points, rows are split into more parts, so
 * the largest buffer may be needed for a small number of points. */
static enum shoal_status create_partials(struct evaluator *evaluator, size_t points,
                                         struct shoal_error *error)
{
    const size_t group = evaluator->group_points < points ? evaluator->group_points : points;
    evaluator->partial_count = 0;
    const struct rows_cut all = cut_for(evaluator, points), few = cut_for(evaluator, group);
    const size_t of_all = all.blocks * all.run * points, of_few = few.blocks * few.run * group;
    evaluator->partial_count = of_all > of_few ? of_all : of_few;
    evaluator->planned_points = points;
    const size_t bytes = evaluator->partial_count * evaluator->real;
    enum shoal_status status = shoal_buffer_create(evaluator->device, bytes, &evaluator->partials, error);
    if (!status && evaluator->sharer)
        status = shoal_buffer_create(evaluator->device, bytes, &evaluator->blocks, error);
    if (!status && evaluator->sharer)
        status = shoal_buffer_create(evaluator->device, bytes, &evaluator->other_blocks, error);
    return status;
}

static enum shoal_status create_rows(struct evaluator *evaluator, const struct evaluator_params *params,
                                     struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(evaluator->device);
    struct rows_problem problem = rows_problem_of(params, info);
    struct rows_plan plan = rows_plan_make(info, &problem);
    take_tuned(evaluator->device, params, &problem, &plan);
    const struct entry_kernel kernels[] = {
        {"rows_tiles", &evaluator->kernel}, {"rows_sum", &evaluator->sum}, {"rows_join", &evaluator->join}};
    struct shoal_program *program = NULL;
    struct defines defines = common_defines(params);
    define_add(&defines, "WG", plan.work_group);
    define_add(&defines, "POINTS", plan.points);
    define_add(&defines, "LANES", plan.lanes);
    define_add(&defines, "STAGE", plan.stage);
    define_add(&defines, "LINEAR", problem.linear);
    enum shoal_status status = programs_build(params->programs, &eval_rows_program, &defines, kernels,
                                              COUNT(kernels), &program, error);
    if (status)
        return status;
    plan.work_group = shoal_kernel_work_group(evaluator->kernel);
    plan.points = (uint32_t)shoal_program_define(program, "POINTS");
    plan.lanes = (uint32_t)shoal_program_define(program, "LANES");
    plan.stage = (uint32_t)shoal_program_define(program, "STAGE");
    if (plan.lanes > plan.work_group)
        plan.lanes = plan.work_group;
    evaluator->group_points = plan.points * plan.lanes;
    size_t told = shoal_kernel_resident(evaluator->kernel);
    evaluator->resident = told == SHOAL_RESIDENT_UNKNOWN ? rows_resident(info, &problem, &plan)
                                                         : clamped(told / info->units, 1, 8);
    evaluator->resident = tuned_resident(evaluator, params, &problem);
    evaluator->units = units_for_sums(info);
    return create_partials(evaluator, problem.points, error);
}

static enum shoal_status create_table(struct evaluator *evaluator, const struct objective_table *table,
                                      uint64_t chunk_rows, struct shoal_error *error)
{
    return (evaluator->sharer ? device_table_create_share : device_table_create)(
        evaluator->device, evaluator->queue, table, evaluator->precision, chunk_rows, &evaluator->table,
        error);
}

struct evaluator_order evaluator_order_of(const struct evaluator *evaluator)
{
    return (struct evaluator_order){evaluator->units, device_table_chunk_rows(evaluator->table)};
}

enum shoal_status evaluator_follow(struct evaluator *evaluator, const struct objective_table *table,
                                   const struct evaluator_order *order, struct shoal_error *error)
{
    const struct evaluator_order own = evaluator_order_of(evaluator);
    if (own.units == order->units && own.chunk_rows == order->chunk_rows)
        return SHOAL_OK;
    enum shoal_status status = shoal_queue_finish(evaluator->queue, error);
    if (status)
        return status;
    device_table_destroy(&evaluator->table);
    shoal_buffer_destroy(&evaluator->partials);
    shoal_buffer_destroy(&evaluator->blocks);
    shoal_buffer_destroy(&evaluator->other_blocks);
    evaluator->units = order->units;
    evaluator->planned_count = 0;
    status = create_table(evaluator, table, order->chunk_rows, error);
    return status ? status : create_partials(evaluator, evaluator->planned_points, error);
}

enum shoal_status evaluator_data_create(struct evaluator *evaluator, const struct evaluator_params *params,
                                        struct shoal_error *error)
{
    struct shoal_solver *sharer = params->shares_points ? NULL : params->sharer;
    if (sharer && params->method != EVALUATOR_ROWS)
        return fail(error, SHOAL_INVALID,
                    "method %s sums the rows of a point in one piece, which devices cannot share: choose "
                    "method rows",
                    evaluator_method_name(params->method));
    evaluator->sharer = sharer;
    enum shoal_status status = create_table(evaluator, params->objective->table, params->chunk_rows, error);
    if (status)
        return status;
    return params->method == EVALUATOR_ROWS ? create_rows(evaluator, params, error)
                                            : create_each(evaluator, params, error);
}

/* Launches --------------------------------------------------------------------------------------------- */

/* The points first .. first + count - 1 of x, whose values are written to y. */
struct points {
    struct shoal_buffer *x, *y;
    size_t first, count;
};

/* The blocks over which this evaluator sums: `count` of `of` blocks, from block `first` on. A block has `run`
 * splits. */
struct blocks {
    size_t first, count, of, run;
};

/* The chunk of the table over which a launch sums. */
struct chunk {
    struct shoal_buffer *rows;
    size_t count;
    size_t first_tile; /* index in the chunk of the first tile of `rows` */
    bool accumulate;   /* add to the sums over the chunks before */
};

static enum shoal_status launch_each(struct evaluator *evaluator, const struct points *points,
                                     const struct chunk *chunk, struct shoal_event **event,
                                     struct shoal_error *error)
{
    return LAUNCH_EVENT(data_thread, evaluator->queue, evaluator->kernel, groups_of(evaluator, points->count),
                        event, error, .x = points->x, .shift = evaluator->shift, .y = points->y,
                        .rows = chunk->rows, .first = (uint32_t)points->first,
                        .count = (uint32_t)points->count, .tile = (uint32_t)evaluator->tile,
                        .row_count = (uint32_t)chunk->count, .accumulate = chunk->accumulate);
}

/* Whether the sums of the splits need a further kernel. The sums of a single split are the result, unless
 * other shares receive them. */
static bool has_sum(const struct evaluator *evaluator, const struct blocks *blocks)
{
    return blocks->of * blocks->run > 1 || evaluator->sharer;
}

/* Returns the buffer that receives the sums of the splits. */
static struct shoal_buffer *sums_of_splits(const struct evaluator *evaluator, const struct blocks *blocks)
{
    return evaluator->sharer && blocks->run == 1 ? evaluator->blocks : evaluator->partials;
}

static enum shoal_status launch_tiles(struct evaluator *evaluator, const struct points *points,
                                      const struct blocks *blocks, const struct chunk *chunk,
                                      struct shoal_event **event, struct shoal_error *error)
{
    const size_t point_groups = groups_of(evaluator, points->count);
    const bool sums = has_sum(evaluator, blocks);
    const struct rows_launch launch = {.first = (uint32_t)points->first,
                                       .count = (uint32_t)points->count,
                                       .tile = (uint32_t)evaluator->tile,
                                       .row_count = (uint32_t)chunk->count,
                                       .point_groups = (uint32_t)point_groups,
                                       .splits = (uint32_t)(blocks->of * blocks->run),
                                       .split_first = (uint32_t)(blocks->first * blocks->run),
                                       .tile_first = (uint32_t)chunk->first_tile,
                                       .out_first = sums ? 0 : (uint32_t)points->first,
                                       .accumulate = chunk->accumulate};
    return LAUNCH_EVENT(rows_tiles, evaluator->queue, evaluator->kernel,
                        point_groups * blocks->count * blocks->run, event, error, .x = points->x,
                        .shift = evaluator->shift, .rows = chunk->rows,
                        .out = sums ? sums_of_splits(evaluator, blocks) : points->y, .launch = &launch);
}

/* Number of partial sums that a work-item of rows_sum loads one after another. */
enum { SUM_LOADS = 4 };

static enum shoal_status launch_sum(struct evaluator *evaluator, const struct points *points,
                                    const struct blocks *blocks, struct shoal_error *error)
{
    const bool are_joined = evaluator->sharer;
    size_t group = shoal_kernel_work_group(evaluator->sum);
    size_t lanes = clamped(group / power_of_two_at_least(div_up(blocks->of, SUM_LOADS)), 1, group);
    return LAUNCH(rows_sum, evaluator->queue, evaluator->sum, div_up(points->count, lanes), error,
                  .partials = are_joined ? evaluator->blocks : evaluator->partials, .y = points->y,
                  .first = (uint32_t)points->first, .count = (uint32_t)points->count,
                  .blocks = (uint32_t)blocks->of, .run = are_joined ? 1 : (uint32_t)blocks->run,
                  .lanes = (uint32_t)lanes);
}

/* Adds up the splits of each block of this share. */
static enum shoal_status join_splits(struct evaluator *evaluator, const struct points *points,
                                     const struct blocks *blocks, struct shoal_error *error)
{
    const size_t total = blocks->count * points->count;
    if (blocks->run == 1 || !total)
        return SHOAL_OK;
    return LAUNCH(rows_join, evaluator->queue, evaluator->join, shoal_kernel_groups(evaluator->join, total),
                  error, .partials = evaluator->partials, .out = evaluator->blocks,
                  .first = (uint32_t)(blocks->first * points->count), .total = (uint32_t)total,
                  .count = (uint32_t)points->count, .run = (uint32_t)blocks->run);
}

/* Plans the blocks for `planned` points. If several devices share the rows, makes this device hold the rows
 * of its own blocks. */
static enum shoal_status plan_blocks(struct evaluator *evaluator, size_t planned, struct blocks *blocks,
                                     struct shoal_error *error)
{
    const struct solver_share *share = evaluator->sharer ? &evaluator->sharer->share : NULL;
    const bool is_new = evaluator->sum && evaluator->planned_count != planned;
    if (is_new) {
        evaluator->planned_count = 0; /* until the device has the rows */
        evaluator->planned = cut_for(evaluator, planned);
    }
    *blocks = (struct blocks){.of = 1, .run = 1};
    if (evaluator->sum)
        *blocks = (struct blocks){.of = evaluator->planned.blocks, .run = evaluator->planned.run};
    blocks->count = blocks->of;
    enum shoal_status status = SHOAL_OK;
    if (share) {
        blocks->first = (size_t)share_rows(share, blocks->of, share->first);
        blocks->count = (size_t)share_rows(share, blocks->of, share->first + share->count) - blocks->first;
        const struct table_span span = {blocks->first, blocks->first + blocks->count, blocks->of};
        if (is_new && blocks->count)
            status = device_table_hold(evaluator->table, &span, error);
    }
    if (is_new && !status)
        evaluator->planned_count = planned;
    return status;
}

/* Receives the sums of the blocks of other shares. */
static enum shoal_status gather(struct evaluator *evaluator, const struct points *points,
                                const struct blocks *blocks, struct shoal_error *error)
{
    const struct shoal_solver *sharer = evaluator->sharer;
    const struct solver_table table = {.buffer = evaluator->blocks, .row = points->count * evaluator->real};
    const struct solver_guest all = {.count = (size_t)sharer->share.of};
    const struct solver_visit visit = {.tables = &table,
                                       .table_count = 1,
                                       .guests = &all,
                                       .guest_count = 1,
                                       .rows = blocks->of,
                                       .stays = true};
    return sharer->meet(sharer->meet_data, &visit, error);
}

/* Launches the sums over the rows of this share's splits. */
static enum shoal_status sum_rows(struct evaluator *evaluator, const struct points *points,
                                  const struct blocks *blocks, struct shoal_error *error)
{
    struct device_table *table = evaluator->table;
    const bool streams = device_table_streams(table);
    for (size_t k = 0; k < device_table_chunks(table); k++) {
        struct chunk chunk = {.accumulate = k > 0, .first_tile = device_table_first_tile(table, k)};
        struct shoal_event *event = NULL, **launched = streams ? &event : NULL;
        enum shoal_status status = device_table_get(table, k, &chunk.rows, &chunk.count, error);
        if (!status)
            status = evaluator->sum ? launch_tiles(evaluator, points, blocks, &chunk, launched, error)
                                    : launch_each(evaluator, points, &chunk, launched, error);
        if (status)
            return status;
        if (streams)
            device_table_used(table, k, event);
    }
    return SHOAL_OK;
}

enum shoal_status evaluator_data_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                     struct shoal_buffer *y, size_t first, size_t count, size_t planned,
                                     struct shoal_error *error)
{
    const struct points points = {x, y, first, count};
    struct blocks blocks;
    if (evaluator->sharer)
        buffers_swap(&evaluator->blocks, &evaluator->other_blocks);
    enum shoal_status status = plan_blocks(evaluator, planned, &blocks, error);
    if (!status && blocks.count)
        status = sum_rows(evaluator, &points, &blocks, error);
    if (!status && evaluator->sharer)
        status = join_splits(evaluator, &points, &blocks, error);
    if (!status && evaluator->sharer)
        status = gather(evaluator, &points, &blocks, error);
    return status || !has_sum(evaluator, &blocks) ? status : launch_sum(evaluator, &points, &blocks, error);
}
