/* Reads points and matrices from .npy files. */
#include "base/counted.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/table.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"

#include <math.h>
#include <stdlib.h>

static bool is_whole(const double *distances, size_t n, double *greatest)
{
    bool whole = true;
    *greatest = 0;
    for (size_t i = 0; i < n * n; i++)
        if (i / n != i % n && isfinite(distances[i])) {
            whole = whole && distances[i] == floor(distances[i]);
            *greatest = fmax(*greatest, distances[i]);
        }
    return whole;
}

static enum shoal_status check_distance(double distance, size_t from, size_t to, bool whole, const char *name,
                                        struct shoal_error *error)
{
    if (isnan(distance) || distance < 0)
        return fail(error, SHOAL_IO,
                    "%s: the distance from %zu to %zu is %g: numbers from 0 on, and inf, are possible", name,
                    from + 1, to + 1, distance);
    if (whole && isfinite(distance) && distance > INT32_MAX)
        return fail(error, SHOAL_IO, "%s: the distance from %zu to %zu is %.15g: at most %ld is possible",
                    name, from + 1, to + 1, distance, (long)INT32_MAX);
    return SHOAL_OK;
}

enum shoal_status tsp_set_matrix(struct tsp_problem *problem, const double *distances, const char *name,
                                 struct shoal_error *error)
{
    const size_t n = problem->n;
    double greatest;
    const bool whole = is_whole(distances, n, &greatest);
    problem->metric = SHOAL_TSP_MATRIX;
    problem->unit = whole ? 1 : tsp_unit(greatest);
    enum shoal_status status = tsp_check_metric(problem->params, SHOAL_TSP_MATRIX, name, error);
    if (!status)
        status = tsp_allocate_matrix(problem, error);
    for (size_t i = 0; i < n * n && !status; i++) {
        if (i / n == i % n)
            continue;
        status = check_distance(distances[i], i / n, i % n, whole, name, error);
        if (!status)
            problem->matrix[i] =
                isfinite(distances[i]) ? (int32_t)round(distances[i] / problem->unit) : SHOAL_TSP_FORBIDDEN;
    }
    for (size_t i = 0; i < n * n && !status; i++)
        problem->is_asymmetric |= problem->matrix[i] != problem->matrix[i % n * n + i / n];
    return status;
}

/* .npy ------------------------------------------------------------------------------------------------- */

static enum shoal_status check_points(const struct tsp_problem *problem, const char *name,
                                      struct shoal_error *error)
{
    for (size_t i = 0; i < problem->n; i++) {
        const char *fault =
            tsp_place_fault(problem->metric, problem->dim, problem->places + i * problem->dim);
        if (fault)
            return fail(error, SHOAL_IO, "%s: row %zu: %s", name, i + 1, fault);
    }
    return SHOAL_OK;
}

static enum shoal_status read_points(const struct shoal_table *table, struct tsp_problem *problem,
                                     struct shoal_error *error)
{
    const struct shoal_table_info *info = &table->info;
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)problem->params->metric;
    if (info->columns != 2 && info->columns != 3)
        return fail(error, SHOAL_IO, "%s: %s: points have x, y or x, y, z, a matrix is square", info->name,
                    counted(info->columns, "column").s);
    problem->dim = (unsigned)info->columns;
    problem->metric = asked == SHOAL_TSP_AUTO ? SHOAL_TSP_EUCLID : asked;
    enum shoal_status status = tsp_check_metric(
        problem->params, problem->dim == 3 ? SHOAL_TSP_EUC_3D : SHOAL_TSP_EUC_2D, info->name, error);
    if (status)
        return status;
    problem->places = malloc(info->rows * info->columns * sizeof *problem->places);
    problem->owns_places = true;
    status = problem->places ? shoal_table_read(table, 0, info->rows, problem->places, error)
                             : fail_host_memory(error);
    return status ? status : check_points(problem, info->name, error);
}

static enum shoal_status read_matrix(const struct shoal_table *table, struct tsp_problem *problem,
                                     struct shoal_error *error)
{
    const size_t n = table->info.rows;
    if (table->info.columns != n)
        return fail(error, SHOAL_IO, "%s: %s and %s: points have 2 or 3 columns, a matrix is square",
                    table->info.name, counted(n, "row").s, counted(table->info.columns, "column").s);
    enum shoal_status status = check_host_memory((double)n * (double)n * (sizeof(double) + sizeof(int32_t)),
                                                 "a matrix of distances", "give points", error);
    double *distances = status ? NULL : malloc(n * n * sizeof *distances);
    if (!status && !distances)
        status = fail_host_memory(error);
    /* In a file an infinite distance forbids the edge; the public call for matrices refuses infinite
     * distances. */
    if (!status)
        status = table->read(table, 0, n, distances, error);
    if (!status)
        status = tsp_set_matrix(problem, distances, table->info.name, error);
    free(distances);
    return status;
}

enum shoal_status tsp_read_npy(const char *path, struct tsp_problem *problem, struct shoal_error *error)
{
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(path, NULL, &table, error);
    if (status)
        return status;
    const size_t rows = table->info.rows, columns = table->info.columns;
    if (rows > TSP_MOST_CITIES)
        status = fail(error, SHOAL_IO, "%s: %zu rows: at most %lu cities are possible", path, rows,
                      (unsigned long)TSP_MOST_CITIES);
    problem->n = (uint32_t)rows;
    if (!status)
        status = tsp_is_matrix(problem->params, rows, columns) ? read_matrix(table, problem, error)
                                                               : read_points(table, problem, error);
    shoal_table_destroy(&table);
    return status;
}
