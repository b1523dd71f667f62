/* The public evaluator, <shoal/evaluator.h>. */
#include "base/error.h"
#include "base/params.h"
#include "objective/evaluate/evaluator.h"
#include "objective/variables/variables.h"

#include <shoal/evaluator.h>
#include <stdlib.h>
#include <string.h>

struct shoal_evaluator {
    struct evaluator *evaluator;
    const struct shoal_objective *objective;
    struct shoal_queue *queue;
    struct shoal_variables *variables; /* variables of an objective over genes; otherwise NULL */
    struct programs programs;
    enum evaluator_method method;
    enum shoal_precision precision;
    size_t dim, points, tile, real;
};

_Static_assert(SHOAL_EVALUATOR_ROWS == (int)EVALUATOR_ROWS + 1, "both lists have the same order");

void shoal_evaluator_params_init(struct shoal_evaluator_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_evaluator_params){.size = sizeof *params, .precision = SHOAL_FP64, .points = 1};
}

static enum shoal_status check(const struct shoal_evaluator_params *params,
                               const struct shoal_device_info *device, struct shoal_error *error)
{
    const struct shoal_objective_info *info = &params->objective->info;
    if (params->precision != SHOAL_FP32 && params->precision != SHOAL_FP64)
        return fail(error, SHOAL_INVALID, "shoal_evaluator_create: there is no precision %d",
                    (int)params->precision);
    if (params->method < SHOAL_EVALUATOR_AUTO || params->method > SHOAL_EVALUATOR_ROWS)
        return fail(error, SHOAL_INVALID, "shoal_evaluator_create: there is no method %d",
                    (int)params->method);
    if (params->repair < SHOAL_REPAIR_NONE || params->repair > SHOAL_REPAIR_VALUE_ONLY)
        return fail(error, SHOAL_INVALID, "shoal_evaluator_create: there is no repair %d",
                    (int)params->repair);
    if (params->repair && !info->repairs)
        return fail(error, SHOAL_INVALID, "%s repairs no individuals: its text has no line #define REPAIR",
                    info->name);
    if (params->points < 1 || params->points > INT32_MAX)
        return fail(error, SHOAL_INVALID, "shoal_evaluator_create: %zu points; it must be 1 to %d",
                    params->points, INT32_MAX);
    if (params->dim < info->min_dim || params->dim > info->max_dim || params->dim > INT32_MAX)
        return fail(error, SHOAL_INVALID, "%s has %zu to %zu dimensions, %zu are asked for", info->name,
                    info->min_dim, info->max_dim, params->dim);
    if (params->precision == SHOAL_FP64 && !device->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision: use --precision fp32",
                    device->id, device->name);
    return SHOAL_OK;
}

enum shoal_status shoal_evaluator_create(struct shoal_queue *queue,
                                         const struct shoal_evaluator_params *params,
                                         struct shoal_evaluator **out, struct shoal_error *error)
{
    struct shoal_evaluator_params own;
    error_reset(error);
    if (!NEED(error, queue, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_evaluator_params_init, &own, error);
    if (status)
        return status;
    if (!NEED_MEMBER(error, params, own, objective))
        return SHOAL_INVALID;
    struct shoal_device *device = shoal_queue_device(queue);
    const struct shoal_objective_info *info = &own.objective->info;
    if (!own.dim && info->min_dim == info->max_dim)
        own.dim = info->min_dim;
    status = check(&own, shoal_device_get_info(device), error);
    if (!status)
        status = objective_try(own.objective, NULL, NULL, own.dim, error);
    if (status)
        return status;
    struct shoal_evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (!evaluator)
        return fail_host_memory(error);
    evaluator->programs = (struct programs){.device = device, .variant = own.variant};
    evaluator->method = own.method ? (enum evaluator_method)(own.method - 1)
                                   : evaluator_choose(device, own.objective, own.dim, own.points, NULL);
    evaluator->objective = own.objective;
    evaluator->queue = queue;
    evaluator->dim = own.dim;
    evaluator->points = own.points;
    evaluator->precision = (enum shoal_precision)own.precision;
    evaluator->real = own.precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    evaluator->tile = evaluator_tile(evaluator->method, shoal_device_get_info(device), own.points);
    const struct evaluator_params inner = {.objective = own.objective,
                                           .precision = (enum shoal_precision)own.precision,
                                           .method = evaluator->method,
                                           .dim = own.dim,
                                           .points = own.points,
                                           .chunk_rows = own.chunk_rows,
                                           .shift = own.shift,
                                           .repair = (enum shoal_repair)own.repair,
                                           .programs = &evaluator->programs};
    status = evaluator_create(queue, &inner, &evaluator->evaluator, error);
    if (!status && info->variables)
        status = shoal_variables_parse(info->variables, own.dim, &evaluator->variables, error);
    if (status)
        shoal_evaluator_destroy(&evaluator);
    *out = evaluator;
    return status;
}

size_t shoal_evaluator_tile(const struct shoal_evaluator *evaluator)
{
    return evaluator ? evaluator->tile : 0;
}

static size_t tiles_of(const struct shoal_evaluator *evaluator)
{
    return (evaluator->points + evaluator->tile - 1) / evaluator->tile;
}

size_t shoal_evaluator_coordinates(const struct shoal_evaluator *evaluator)
{
    if (!evaluator || evaluator->variables)
        return 0;
    return tiles_of(evaluator) * evaluator->tile * evaluator->dim;
}

size_t shoal_evaluator_point_bytes(const struct shoal_evaluator *evaluator)
{
    if (!evaluator)
        return 0;
    if (!evaluator->variables)
        return shoal_evaluator_coordinates(evaluator) * evaluator->real;
    const struct genome_layout layout = genome_layout(evaluator->variables);
    return tiles_of(evaluator) * evaluator->tile * genome_words(&layout, evaluator->precision) *
           sizeof(uint32_t);
}

size_t shoal_evaluator_value_bytes(const struct shoal_evaluator *evaluator)
{
    if (!evaluator)
        return 0;
    return evaluator->objective->info.whole_values ? sizeof(int64_t) : evaluator->real;
}

static enum shoal_status check_points(const struct shoal_evaluator *evaluator, const double *points,
                                      struct shoal_error *error)
{
    struct shoal_error reason;
    for (size_t i = 0; i < evaluator->points; i++) {
        const enum shoal_status status =
            shoal_variables_check(evaluator->variables, points + i * evaluator->dim, &reason);
        if (status)
            return fail(error, status, "point %zu: %s", i, reason.message);
    }
    return SHOAL_OK;
}

static void tile_points(const struct shoal_evaluator *evaluator, const double *points, void *out)
{
    const size_t dim = evaluator->dim, tile = evaluator->tile;
    for (size_t i = 0; i < evaluator->points; i++)
        for (size_t d = 0; d < dim; d++) {
            const size_t at = (i / tile * dim + d) * tile + i % tile;
            if (evaluator->precision == SHOAL_FP64)
                ((double *)out)[at] = points[i * dim + d];
            else
                ((float *)out)[at] = (float)points[i * dim + d];
        }
}

enum shoal_status shoal_evaluator_write_points(struct shoal_evaluator *evaluator, const double *points,
                                               struct shoal_buffer *x, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, evaluator, points, x))
        return SHOAL_INVALID;
    const size_t bytes = shoal_evaluator_point_bytes(evaluator);
    if (shoal_buffer_size(x) < bytes)
        return fail(error, SHOAL_INVALID,
                    "shoal_evaluator_write_points: the points take %zu bytes, the buffer holds %zu", bytes,
                    shoal_buffer_size(x));
    void *tiles = calloc(1, bytes);
    enum shoal_status status = tiles ? SHOAL_OK : fail_host_memory(error);
    if (!status && evaluator->variables)
        status = check_points(evaluator, points, error);
    if (!status && evaluator->variables)
        status = genome_tiles(evaluator->variables, evaluator->precision, evaluator->tile, points,
                              evaluator->points, tiles, error);
    else if (!status)
        tile_points(evaluator, points, tiles);
    if (!status)
        status = shoal_buffer_write(evaluator->queue, x, 0, tiles, bytes, error);
    free(tiles);
    return status;
}

/* Reads points from the tiles that tile_points writes. */
static void untile_points(const struct shoal_evaluator *evaluator, const void *tiles, double *out)
{
    const size_t dim = evaluator->dim, tile = evaluator->tile;
    for (size_t i = 0; i < evaluator->points; i++)
        for (size_t d = 0; d < dim; d++) {
            const size_t at = (i / tile * dim + d) * tile + i % tile;
            out[i * dim + d] = evaluator->precision == SHOAL_FP64 ? ((const double *)tiles)[at]
                                                                  : (double)((const float *)tiles)[at];
        }
}

enum shoal_status shoal_evaluator_read_points(struct shoal_evaluator *evaluator, struct shoal_buffer *x,
                                              double *points, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, evaluator, points, x))
        return SHOAL_INVALID;
    const size_t bytes = shoal_evaluator_point_bytes(evaluator);
    if (shoal_buffer_size(x) < bytes)
        return fail(error, SHOAL_INVALID,
                    "shoal_evaluator_read_points: the points take %zu bytes, the buffer holds %zu", bytes,
                    shoal_buffer_size(x));
    void *tiles = malloc(bytes);
    enum shoal_status status = tiles ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = shoal_buffer_read(evaluator->queue, x, 0, tiles, bytes, error);
    if (!status && evaluator->variables)
        status = genome_points(evaluator->variables, evaluator->precision, evaluator->tile, tiles,
                               evaluator->points, points, error);
    else if (!status)
        untile_points(evaluator, tiles, points);
    free(tiles);
    return status;
}

void shoal_evaluator_set_generation(struct shoal_evaluator *evaluator, uint32_t generation)
{
    if (!evaluator)
        return;
    evaluator_set_generation(evaluator->evaluator, generation);
}

/* Checks the buffers and the range of points of a run. */
static enum shoal_status check_run(const char *function, const struct shoal_evaluator *evaluator,
                                   const struct shoal_buffer *x, const struct shoal_buffer *y, size_t first,
                                   size_t count, struct shoal_error *error)
{
    if (x == y)
        return fail(error, SHOAL_INVALID, "%s: points and values must be different buffers", function);
    if (first > evaluator->points || count > evaluator->points - first)
        return fail(error, SHOAL_INVALID, "%s: %zu points from %zu on; the evaluator has %zu", function,
                    count, first, evaluator->points);
    const size_t wanted = shoal_evaluator_point_bytes(evaluator);
    if (shoal_buffer_size(x) < wanted)
        return fail(error, SHOAL_INVALID, "%s: the points take %zu bytes, the buffer holds %zu", function,
                    wanted, shoal_buffer_size(x));
    const size_t value = shoal_evaluator_value_bytes(evaluator);
    if (shoal_buffer_size(y) / value < first + count)
        return fail(error, SHOAL_INVALID, "%s: the values take %zu numbers, the buffer holds %zu", function,
                    first + count, shoal_buffer_size(y) / value);
    return SHOAL_OK;
}

enum shoal_status shoal_evaluator_run(struct shoal_evaluator *evaluator, struct shoal_buffer *x,
                                      struct shoal_buffer *y, size_t first, size_t count,
                                      struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, evaluator, x, y))
        return SHOAL_INVALID;
    enum shoal_status status = check_run("shoal_evaluator_run", evaluator, x, y, first, count, error);
    return status ? status : evaluator_run(evaluator->evaluator, x, y, first, count, count, error);
}

enum shoal_status shoal_evaluator_run_changes(struct shoal_evaluator *evaluator, struct shoal_buffer *x,
                                              struct shoal_buffer *moves, struct shoal_buffer *y,
                                              size_t first, size_t count, struct shoal_error *error)
{
    static const char name[] = "shoal_evaluator_run_changes";
    error_reset(error);
    if (!NEED(error, evaluator, x, moves, y))
        return SHOAL_INVALID;
    enum shoal_status status = check_run(name, evaluator, x, y, first, count, error);
    if (status)
        return status;
    if (moves == y || shoal_buffer_size(moves) / (2 * sizeof(uint32_t)) < first + count)
        return fail(error, SHOAL_INVALID, "%s: a buffer of %zu moves is expected", name, first + count);
    return evaluator_run_changes(evaluator->evaluator, x, moves, y, first, count, error);
}

const char *shoal_evaluator_method_name(const struct shoal_evaluator *evaluator)
{
    return evaluator ? evaluator_method_name(evaluator->method) : NULL;
}

double shoal_evaluator_build_seconds(const struct shoal_evaluator *evaluator)
{
    return evaluator ? evaluator->programs.build_seconds : 0;
}

bool shoal_evaluator_is_native(const struct shoal_evaluator *evaluator)
{
    return evaluator && programs_is_native(&evaluator->programs);
}

void shoal_evaluator_destroy(struct shoal_evaluator **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_evaluator *evaluator = *pointer;
    *pointer = NULL;
    evaluator_destroy(&evaluator->evaluator);
    shoal_variables_destroy(&evaluator->variables);
    programs_destroy(&evaluator->programs);
    free(evaluator);
}
