/* Evaluation of an objective at many points: the choice of a kernel, its launch plan and its launches. */
#include "base/error.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "objective/evaluate/evaluator_private.h"
#include "objective/rows/table.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of points of a group on a CPU. A group is one work-item, with vector loops over these points, which
 * form a tile. */
enum { CPU_POINTS = 16 };

enum { WARP = EVALUATOR_WARP };

/* Names of the methods. Old tuning files contain the numbers of methods instead. */
static const char *const method_names[EVALUATOR_METHODS + 1] = {
    [EVALUATOR_THREAD] = "thread", [EVALUATOR_THREAD_NAIVE] = "thread-naive",
    [EVALUATOR_BLOCK] = "block",   [EVALUATOR_BLOCK_MAJOR] = "block-major",
    [EVALUATOR_MOD] = "mod",       [EVALUATOR_LANES] = "lanes",
    [EVALUATOR_WARP2] = "warp2",   [EVALUATOR_BLOCK2] = "block2",
    [EVALUATOR_ROWS] = "rows",
};

const char *evaluator_method_name(enum evaluator_method method)
{
    return (unsigned)method < EVALUATOR_METHODS ? method_names[method] : "";
}

/* Which method ----------------------------------------------------------------------------------------- */

static bool takes(enum evaluator_method method, const struct shoal_objective_info *objective)
{
    const enum shoal_shape shape = objective->shape;
    switch (method) {
    case EVALUATOR_THREAD:
        return true;
    case EVALUATOR_LANES:
        /* tiles of one point: in memory one individual follows another */
        return shape == SHOAL_PER_DIMENSION || objective->variables;
    case EVALUATOR_WARP2:
    case EVALUATOR_BLOCK2:
    case EVALUATOR_ROWS:
        return shape == SHOAL_DATA_ROWS;
    default:
        return shape == SHOAL_PER_DIMENSION;
    }
}

/* Whether the kernel keeps all coordinates of a point in registers. */
static bool holds_position(enum evaluator_method method, enum shoal_shape shape)
{
    return shape != SHOAL_PER_DIMENSION || method == EVALUATOR_THREAD_NAIVE;
}

enum shoal_status evaluator_fits(enum evaluator_method method, const struct shoal_objective *objective,
                                 size_t dim, const struct shoal_device_info *info, struct shoal_error *error)
{
    static const char *const kinds[] = {[SHOAL_PER_DIMENSION] = "a sum over dimensions",
                                        [SHOAL_DATA_ROWS] = "a sum over rows",
                                        [SHOAL_OPAQUE] = "opaque"};
    static const char *const instead[] = {[SHOAL_PER_DIMENSION] = "thread, lanes, block or mod",
                                          [SHOAL_DATA_ROWS] = "rows, thread, warp2 or block2",
                                          [SHOAL_OPAQUE] = "thread"};
    enum shoal_shape shape = objective->info.shape;
    if (shape == SHOAL_CALLBACK)
        return fail(error, SHOAL_UNSUPPORTED, "%s is a C function: it runs on the host device only",
                    objective->info.name);
    if (shape == SHOAL_DATA_ROWS && !objective->table)
        return fail(error, SHOAL_INVALID, "%s has no rows yet: make them with shoal_table_least_squares",
                    objective->info.name);
    if (objective->source && !objective->table)
        return fail(error, SHOAL_INVALID,
                    "%s has no instance yet: make one with shoal_objective_from_instance",
                    objective->info.name);
    if (info->is_host)
        return fail(error, SHOAL_UNSUPPORTED, "the host device runs no kernels: method %s",
                    evaluator_method_name(method));
    if (!takes(method, &objective->info))
        return fail(error, SHOAL_UNSUPPORTED, "method %s cannot evaluate %s, which is %s: use %s",
                    evaluator_method_name(method), objective->info.name, kinds[shape], instead[shape]);
    if (holds_position(method, shape) && !objective->info.variables && dim > EVALUATOR_MAX_DIM)
        return fail(error, SHOAL_UNSUPPORTED, "method %s holds a whole position of %s: at most %d dimensions",
                    evaluator_method_name(method), objective->info.name, EVALUATOR_MAX_DIM);
    if (shape == SHOAL_DATA_ROWS && objective->table->columns > EVALUATOR_MAX_COLUMNS)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s holds a whole row of %s, which has %zu numbers: at most %d",
                    evaluator_method_name(method), objective->info.name, objective->table->columns,
                    EVALUATOR_MAX_COLUMNS);
    return SHOAL_OK;
}

/* Chooses the method by rule. If there are enough points to keep every compute unit busy, a work-item for
 * each point is fastest; with fewer points, several work-items share a point. */
static enum evaluator_method choose_by_rule(const struct shoal_device_info *info,
                                            const struct shoal_objective *objective, size_t dim,
                                            size_t points)
{
    uint64_t units = units_for_sums(info);
    if (objective->info.shape == SHOAL_DATA_ROWS)
        return EVALUATOR_ROWS;
    if (objective->info.shape == SHOAL_OPAQUE || info->is_cpu || dim < 8 || points >= units * 512)
        return EVALUATOR_THREAD;
    return points >= units * 8 ? EVALUATOR_MOD : dim >= 256 ? EVALUATOR_BLOCK_MAJOR : EVALUATOR_LANES;
}

/* What the `fits` functions of the methods get: the problem for which a method is chosen. */
struct points {
    const struct shoal_objective *objective;
    size_t dim;
};

bool evaluator_find(const char *name, enum evaluator_method *method)
{
    for (int i = 0; i < EVALUATOR_METHODS; i++)
        if (strcmp(method_names[i], name) == 0) {
            *method = (enum evaluator_method)i;
            return true;
        }
    return false;
}

/* Returns the number, enum evaluator_method, of the method `name`. */
static enum evaluator_method number_of(const char *name)
{
    enum evaluator_method method = EVALUATOR_THREAD;
    evaluator_find(name, &method);
    return method;
}

static enum shoal_status fits(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct points *points = problem;
    return evaluator_fits(number_of(method->name), points->objective, points->dim, info, error);
}

#define METHOD(name)                                                                                         \
    &(const struct method)                                                                                   \
    {                                                                                                        \
        name, .fits = fits                                                                                   \
    }
static const struct method *const methods[] = {
    METHOD("thread"), METHOD("thread-naive"), METHOD("block"),  METHOD("block-major"), METHOD("mod"),
    METHOD("lanes"),  METHOD("warp2"),        METHOD("block2"), METHOD("rows"),        NULL};

static void set_choice(struct method_choice *choice, const struct points *problem, size_t points)
{
    static const char *const shapes[] = {[SHOAL_PER_DIMENSION] = "dimension",
                                         [SHOAL_DATA_ROWS] = "rows",
                                         [SHOAL_OPAQUE] = "opaque",
                                         [SHOAL_CALLBACK] = "callback"};
    const char *shape = shapes[problem->objective->info.shape];
    const unsigned of_points = tuning_power(2, (double)points),
                   of_dim = tuning_power(2, (double)problem->dim);
    *choice = (struct method_choice){
        .methods = methods, .problem = problem, .program = "objective.method", .old_names = method_names};
    int length =
        snprintf(choice->sizes, sizeof choice->sizes, "%s points=2^%u dim=2^%u", shape, of_points, of_dim);
    int old_length = snprintf(choice->old_sizes, sizeof choice->old_sizes, "%s points=%u dim=%u", shape,
                              of_points, of_dim);
    if (!problem->objective->table)
        return;
    const unsigned of_rows = tuning_power(2, (double)problem->objective->table->rows);
    snprintf(choice->sizes + length, sizeof choice->sizes - (size_t)length, " rows=2^%u", of_rows);
    snprintf(choice->old_sizes + old_length, sizeof choice->old_sizes - (size_t)old_length, " rows=%u",
             of_rows);
}

enum evaluator_method evaluator_choose(struct shoal_device *device, const struct shoal_objective *objective,
                                       size_t dim, size_t points, const char *old_program)
{
    const struct points problem = {objective, dim};
    struct method_choice choice;
    set_choice(&choice, &problem, points);
    choice.old_program = old_program;
    const struct method *tuned = method_tuned(device, &choice);
    return tuned ? number_of(tuned->name)
                 : choose_by_rule(shoal_device_get_info(device), objective, dim, points);
}

enum shoal_status evaluator_remember(struct shoal_device *device, const struct shoal_objective *objective,
                                     size_t dim, size_t points, enum evaluator_method method,
                                     struct shoal_error *error)
{
    const struct points problem = {objective, dim};
    struct method_choice choice;
    set_choice(&choice, &problem, points);
    choice.asked = method_names[method];
    return method_remember(device, &choice, error);
}

size_t evaluator_tile(enum evaluator_method method, const struct shoal_device_info *info, size_t points)
{
    if (method == EVALUATOR_BLOCK_MAJOR || method == EVALUATOR_LANES)
        return 1;
    if (info->is_cpu)
        return CPU_POINTS;
    return (points + WARP - 1) / WARP * WARP;
}

/* Kernels ---------------------------------------------------------------------------------------------- */

/* Number of work-items of a group. */
static uint64_t plan_group(const struct shoal_device_info *info, enum evaluator_method method, size_t dim,
                           size_t points)
{
    uint64_t units = units_for_sums(info);
    switch (method) {
    case EVALUATOR_BLOCK:
    case EVALUATOR_BLOCK_MAJOR:
        return clamped(power_of_two_at_least((dim + 3) / 4), WARP, 256);
    case EVALUATOR_MOD: {
        /* Number of rows of work-items among which the dimensions are divided. It is doubled until every
         * compute unit is full, as long as each row has at least four dimensions. */
        uint64_t rows = 2, groups = (points + WARP - 1) / WARP;
        while (rows < 32 && rows * 8 <= dim && groups * rows * WARP < units * 2048)
            rows *= 2;
        return rows * WARP;
    }
    default:
        return info->is_cpu ? 1 : 128;
    }
}

/* Sets how many points a work-item (items) and a group (group_points) evaluate. The index of a work-item's
 * first point is a multiple of `items`. */
static void lay_out(struct evaluator *evaluator, const struct shoal_program *program)
{
    size_t group = shoal_kernel_work_group(evaluator->kernel);
    evaluator->items = 1;
    evaluator->group_points = group;
    switch (evaluator->method) {
    case EVALUATOR_BLOCK:
    case EVALUATOR_BLOCK_MAJOR:
        evaluator->group_points = 1;
        break;
    case EVALUATOR_MOD:
        evaluator->group_points = group < WARP ? group : WARP;
        break;
    case EVALUATOR_LANES: {
        size_t lanes = (size_t)shoal_program_define(program, "LANES");
        evaluator->group_points = group / (lanes < group ? lanes : group);
        break;
    }
    default: {
        size_t items = (size_t)shoal_program_define(program, "ITEMS");
        evaluator->items = items ? items : 1;
        evaluator->group_points = group * evaluator->items;
    }
    }
}

static enum shoal_status create_dimension(struct evaluator *evaluator, const struct evaluator_params *params,
                                          struct shoal_error *error)
{
    static const char *const entries[] = {
        [EVALUATOR_THREAD] = "eval_thread",     [EVALUATOR_BLOCK] = "eval_block",
        [EVALUATOR_BLOCK_MAJOR] = "eval_block", [EVALUATOR_MOD] = "eval_mod",
        [EVALUATOR_LANES] = "eval_lanes",       [EVALUATOR_THREAD_NAIVE] = "eval_whole"};
    const struct shoal_device_info *info = shoal_device_get_info(evaluator->device);
    const bool whole = holds_position(params->method, params->objective->info.shape);
    const struct shoal_program_desc *desc = whole ? &eval_whole_program : &eval_dimension_program;
    uint64_t group = plan_group(info, params->method, params->dim, planned_points(params));
    const struct entry_kernel kernel = {whole ? "eval_whole" : entries[params->method], &evaluator->kernel};
    struct shoal_program *program = NULL;
    struct defines defines = {.count = 0};
    define_add(&defines, "REAL", params->precision == SHOAL_FP64 ? 64 : 32);
    define_add(&defines, "SHIFTED", params->shift != NULL);
    /* In other methods the size of a group determines how its work-items share points, so the size is not
     * tuned. */
    if (params->method == EVALUATOR_THREAD)
        chosen_defines(params->chosen, evaluator->device, desc, "",
                       &(struct tuned_define){"WG", (int64_t)group, NULL, 0}, 1, &defines);
    else
        define_add(&defines, "WG", (int64_t)group);
    evaluator->whole = whole;
    if (whole) {
        define_add(&defines, "DIM", (int64_t)params->dim);
        define_table(&defines, params->objective);
    } else {
        const int64_t unroll = info->is_cpu ? 1 : 8,
                      lanes = (int64_t)clamped(power_of_two_at_least(params->dim / 8), 2, WARP);
        bool vector = info->is_cpu && params->method == EVALUATOR_THREAD;
        define_add(&defines, "ITEMS", vector ? CPU_POINTS : 1);
        define_add(&defines, "STRIDE", (int64_t)params->stride);
        const struct tuned_define tuned[] = {{"UNROLL", unroll, NULL, 0}, {"LANES", lanes, NULL, 0}};
        chosen_defines(params->chosen, evaluator->device, desc, "", tuned, COUNT(tuned), &defines);
    }
    enum shoal_status status = programs_build(params->programs, desc, &defines, &kernel, 1, &program, error);
    if (!status)
        lay_out(evaluator, program);
    return status;
}

static enum shoal_status upload_shift(struct evaluator *evaluator, const double *shift,
                                      struct shoal_error *error)
{
    if (!shift)
        return SHOAL_OK;
    size_t bytes = evaluator->dim * evaluator->real;
    void *copy = malloc(bytes);
    if (!copy)
        return fail_host_memory(error);
    for (size_t d = 0; d < evaluator->dim; d++)
        if (evaluator->real == sizeof(double))
            ((double *)copy)[d] = shift[d];
        else
            ((float *)copy)[d] = (float)shift[d];
    enum shoal_status status = shoal_buffer_create(evaluator->device, bytes, &evaluator->shift, error);
    if (!status)
        status = shoal_buffer_write(evaluator->queue, evaluator->shift, 0, copy, bytes, error);
    free(copy);
    return status;
}

enum shoal_status evaluator_write_table(struct shoal_queue *queue, const struct objective_table *table,
                                        enum shoal_precision precision, struct shoal_buffer *buffer,
                                        size_t offset, struct shoal_error *error)
{
    const size_t real = precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t bytes = table->rows * table->columns * real;
    void *numbers = malloc(bytes);
    if (!numbers)
        return fail_host_memory(error);
    enum shoal_status status = table_read_tiles(table, 0, table->rows, precision, 1, numbers, error);
    if (!status)
        status = shoal_buffer_write(queue, buffer, offset, numbers, bytes, error);
    free(numbers);
    return status;
}

/* Creates a buffer with the table as int, for a text with TABLE INT. */
static enum shoal_status create_whole_table(struct shoal_device *device, struct shoal_queue *queue,
                                            const struct objective_table *table, struct shoal_buffer **out,
                                            struct shoal_error *error)
{
    const size_t bytes = table->rows * table->columns * sizeof(int32_t);
    int32_t *numbers;
    enum shoal_status status = table_read_whole(table, &numbers, error);
    if (!status)
        status = shoal_buffer_create(device, bytes, out, error);
    if (!status)
        status = shoal_buffer_write(queue, *out, 0, numbers, bytes, error);
    free(numbers);
    return status;
}

enum shoal_status evaluator_create_table(struct shoal_device *device, struct shoal_queue *queue,
                                         const struct shoal_objective *objective,
                                         enum shoal_precision precision, struct shoal_buffer **out,
                                         struct shoal_error *error)
{
    const struct objective_table *table = objective->table;
    const size_t real = precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    if (objective->whole_table)
        return create_whole_table(device, queue, table, out, error);
    enum shoal_status status = shoal_buffer_create(device, table->rows * table->columns * real, out, error);
    return status ? status : evaluator_write_table(queue, table, precision, *out, 0, error);
}

enum shoal_status evaluator_create(struct shoal_queue *queue, const struct evaluator_params *params,
                                   struct evaluator **out, struct shoal_error *error)
{
    struct shoal_device *device = params->programs->device;
    const struct shoal_device_info *info = shoal_device_get_info(device);
    *out = NULL;
    enum shoal_status status = evaluator_fits(params->method, params->objective, params->dim, info, error);
    if (!status)
        status = objective_kernel_text(params->objective, &params->programs->texts[0], error);
    if (status)
        return status;
    struct evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (!evaluator)
        return fail_host_memory(error);
    evaluator->device = device;
    evaluator->queue = queue;
    evaluator->method = params->method;
    evaluator->precision = params->precision;
    evaluator->dim = params->dim;
    evaluator->points = params->points;
    evaluator->tile = evaluator_tile(params->method, info, params->points);
    evaluator->real = params->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    evaluator->value = params->objective->info.whole_values ? sizeof(int64_t) : evaluator->real;
    evaluator->point_sharer = params->shares_points ? params->sharer : NULL;
    if (evaluator->point_sharer && params->repair == SHOAL_REPAIR_WRITTEN_BACK)
        status = fail(error, SHOAL_INVALID,
                      "individuals that are repaired and written back cannot be shared by devices: choose "
                      "another --repair, or take one device");
    if (!status)
        status = upload_shift(evaluator, params->shift, error);
    if (!status && params->objective->info.shape == SHOAL_DATA_ROWS)
        status = evaluator_data_create(evaluator, params, error);
    else if (!status && params->objective->info.variables)
        status = evaluator_genes_create(evaluator, params, error);
    else if (!status)
        status = create_dimension(evaluator, params, error);
    if (!status && evaluator->whole && params->objective->table)
        status = evaluator_create_table(device, queue, params->objective, params->precision,
                                        &evaluator->constants, error);
    if (status)
        evaluator_destroy(&evaluator);
    *out = evaluator;
    return status;
}

void evaluator_set_generation(struct evaluator *evaluator, uint32_t generation)
{
    evaluator->generation = generation;
}

static enum shoal_status run(struct evaluator *evaluator, struct shoal_buffer *x, struct shoal_buffer *y,
                             size_t first, size_t count, size_t planned, struct shoal_error *error)
{
    if (evaluator->table)
        return evaluator_data_run(evaluator, x, y, first, count, planned, error);
    if (evaluator->over_genes)
        return evaluator_genes_run(evaluator, x, y, first, count, error);
    const size_t covered = first % evaluator->items + count,
                 groups = (covered + evaluator->group_points - 1) / evaluator->group_points;
    if (evaluator->whole)
        return LAUNCH(eval_whole, evaluator->queue, evaluator->kernel, groups, error, .x = x,
                      .shift = evaluator->shift, .y = y, .first = (uint32_t)first, .count = (uint32_t)count,
                      .dim = (uint32_t)evaluator->dim, .tile = (uint32_t)evaluator->tile,
                      .table = evaluator->constants);
    return LAUNCH(eval_thread, evaluator->queue, evaluator->kernel, groups, error, .x = x,
                  .shift = evaluator->shift, .y = y, .first = (uint32_t)first, .count = (uint32_t)count,
                  .dim = (uint32_t)evaluator->dim, .tile = (uint32_t)evaluator->tile);
}

/* Evaluates the points of this share, and receives the values from the other shares. */
static enum shoal_status run_share(struct evaluator *evaluator, struct shoal_buffer *x,
                                   struct shoal_buffer *y, size_t first, size_t count, size_t planned,
                                   struct shoal_error *error)
{
    const struct shoal_solver *sharer = evaluator->point_sharer;
    const struct solver_share *share = &sharer->share;
    const size_t begin = (size_t)share_rows(share, count, share->first),
                 end = (size_t)share_rows(share, count, share->first + share->count);
    const struct solver_table table = {
        .buffer = y, .row = evaluator->value, .offset = first * evaluator->value};
    const struct solver_guest all = {.count = (size_t)share->of};
    const struct solver_visit visit = {
        .tables = &table, .table_count = 1, .guests = &all, .guest_count = 1, .rows = count};
    enum shoal_status status =
        begin < end ? run(evaluator, x, y, first + begin, end - begin, planned, error) : SHOAL_OK;
    return status ? status : sharer->meet(sharer->meet_data, &visit, error);
}

enum shoal_status evaluator_run(struct evaluator *evaluator, struct shoal_buffer *x, struct shoal_buffer *y,
                                size_t first, size_t count, size_t planned, struct shoal_error *error)
{
    if (!count)
        return SHOAL_OK;
    if (first > evaluator->points || count > evaluator->points - first)
        return fail(error, SHOAL_INVALID, "the evaluator is for %zu points, not for %zu from %zu on",
                    evaluator->points, count, first);
    return evaluator->point_sharer ? run_share(evaluator, x, y, first, count, planned, error)
                                   : run(evaluator, x, y, first, count, planned, error);
}

struct shoal_buffer *evaluator_constants(const struct evaluator *evaluator)
{
    return evaluator->constants;
}

void evaluator_destroy(struct evaluator **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct evaluator *evaluator = *pointer;
    *pointer = NULL;
    /* Buffers may be destroyed only when no command uses them. Errors of commands reach the owner of the
     * queue. */
    struct shoal_error ignored;
    enum shoal_status unused = shoal_queue_finish(evaluator->queue, &ignored);
    (void)unused;
    device_table_destroy(&evaluator->table);
    shoal_buffer_destroy(&evaluator->partials);
    shoal_buffer_destroy(&evaluator->blocks);
    shoal_buffer_destroy(&evaluator->other_blocks);
    shoal_buffer_destroy(&evaluator->repaired);
    shoal_buffer_destroy(&evaluator->constants);
    shoal_buffer_destroy(&evaluator->shift);
    free(evaluator);
}
