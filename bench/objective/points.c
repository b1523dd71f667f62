#include "bench/objective/points.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

enum { CHECKED = 64 };

void bench_points_destroy(struct bench_points *points)
{
    shoal_evaluator_destroy(&points->evaluator);
    shoal_objective_destroy(&points->objective);
    shoal_buffer_destroy(&points->x);
    shoal_buffer_destroy(&points->y);
    free(points->rows);
    free(points->checked);
}

enum shoal_status bench_points_rows(struct bench_points *points, const struct thesis_size *size,
                                    struct shoal_error *error)
{
    points->size = *size;
    return thesis_has_rows(size) ? thesis_rows(&points->size, &points->rows, error) : SHOAL_OK;
}

/* The points that are checked: the first, the last, and some between these. */
static size_t checked_count(const struct bench_points *points)
{
    return points->size.particles < CHECKED ? points->size.particles : CHECKED;
}

static size_t checked_point(const struct bench_points *points, size_t k)
{
    const size_t count = checked_count(points);
    return k * (points->size.particles - 1) / (count > 1 ? count - 1 : 1);
}

static double coordinate(const struct thesis_size *size, size_t i, size_t d)
{
    const struct shoal_objective *function = shoal_objective_find(size->function);
    const struct shoal_objective_info *info = function ? shoal_objective_get_info(function) : NULL;
    const double lower = info ? info->lower : thesis_lower(size);
    const double width = (info ? info->upper : thesis_upper(size)) - lower;
    const struct shoal_words words =
        shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, (uint32_t)(d / 4));
    const uint32_t word = d % 4 == 0 ? words.x : d % 4 == 1 ? words.y : d % 4 == 2 ? words.z : words.w;
    return lower + width * shoal_uniform_double(word, 0);
}

enum shoal_status bench_points_create(struct bench *bench, struct bench_points *points, size_t tile,
                                      struct shoal_error *error)
{
    const struct thesis_size *size = &points->size;
    const size_t dim = size->dim, count = (size->particles + tile - 1) / tile * tile;
    double *x = malloc(count * dim * sizeof *x);
    points->checked = malloc(checked_count(points) * dim * sizeof *x);
    if (!x || !points->checked) {
        free(x);
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                          "no memory on the host for %zu points of %zu dimensions", count, dim);
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < dim; d++)
            x[(i / tile * dim + d) * tile + i % tile] = coordinate(size, i, d);
    for (size_t k = 0; k < checked_count(points); k++)
        for (size_t d = 0; d < dim; d++)
            points->checked[k * dim + d] = coordinate(size, checked_point(points, k), d);
    enum shoal_status status = shoal_buffer_create(bench->device, count * dim * sizeof *x, &points->x, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, points->x, 0, x, count * dim * sizeof *x, error);
    free(x);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, count * sizeof *x, &points->y, error);
    return status == SHOAL_OK ? shoal_buffer_fill(bench->queue, points->y, 0, count * sizeof *x, 0, error)
                              : status;
}

enum shoal_status bench_points_evaluator(struct bench *bench, struct bench_points *points, int32_t method,
                                         struct shoal_error *error)
{
    const struct thesis_size *size = &points->size;
    const struct shoal_rows rows = {.size = sizeof rows,
                                    .values = points->rows,
                                    .rows = size->rows,
                                    .columns = size->dim + 1,
                                    .name = size->function};
    struct shoal_evaluator_params params;
    enum shoal_status status =
        points->rows ? shoal_objective_from_rows(bench->shoal, &rows, &points->objective, error) : SHOAL_OK;
    if (status != SHOAL_OK)
        return status;
    shoal_evaluator_params_init(&params);
    params.objective = points->objective ? points->objective : shoal_objective_find(size->function);
    params.precision = SHOAL_FP64;
    params.method = method;
    params.dim = size->dim;
    params.points = size->particles;
    params.variant = bench->variant;
    status = shoal_evaluator_create(bench->queue, &params, &points->evaluator, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_evaluator_build_seconds(points->evaluator);
    bench->native = shoal_evaluator_is_native(points->evaluator);
    return bench_points_create(bench, points, shoal_evaluator_tile(points->evaluator), error);
}

enum shoal_status bench_points_evaluate(const struct bench_points *points, struct shoal_error *error)
{
    return shoal_evaluator_run(points->evaluator, points->x, points->y, 0, points->size.particles, error);
}

double bench_points_roof_work(const struct bench_points *points)
{
    const struct thesis_size *size = &points->size;
    return points->rows ? thesis_row_flops(size)
                        : (double)sizeof(double) * (double)size->particles * (double)(size->dim + 1);
}

/* The terms, at most a million and all of one sign, are added in an order that the device chooses. */
enum shoal_status bench_points_check(struct bench *bench, const struct bench_points *points,
                                     struct bench_check *check, struct shoal_error *error)
{
    const struct thesis_size *size = &points->size;
    check->passed = true;
    for (size_t k = 0; k < checked_count(points); k++) {
        const double *x = points->checked + k * size->dim;
        const size_t i = checked_point(points, k);
        const double wanted = points->rows
                                  ? thesis_rows_value(size, points->rows, x)
                                  : shoal_objective_value(shoal_objective_find(size->function), x, size->dim);
        double value;
        enum shoal_status status =
            shoal_buffer_read(bench->queue, points->y, i * sizeof value, &value, sizeof value, error);
        if (status != SHOAL_OK)
            return status;
        const double off = fabs(value - wanted) / fmax(1, fabs(wanted));
        check->error = fmax(check->error, off);
        if (!(off <= 1e-11)) {
            check->passed = false;
            snprintf(check->detail, sizeof check->detail, "point %zu has %.12g, not %.12g", i, value, wanted);
        }
    }
    return SHOAL_OK;
}
