#include "bench/pso/host.h"

#include <math.h>
#include <shoal/data.h>
#include <stdlib.h>
#include <string.h>

bool thesis_has_rows(const struct thesis_size *size)
{
    const char *name = size->function;
    return *name == 'f' && (strcmp(name, "f5") >= 0 || strcmp(name, "f10") == 0);
}

double thesis_upper(const struct thesis_size *size)
{
    if (thesis_has_rows(size))
        return strcmp(size->function, "f10") == 0 ? 1000 : 100;
    return strcmp(size->function, "f3") < 0 ? 13 : 5.12;
}

double thesis_lower(const struct thesis_size *size)
{
    const double upper = thesis_upper(size);
    return upper == 13 ? 3 : -upper;
}

double thesis_row_flops(const struct thesis_size *size)
{
    return 2.0 * (double)(size->dim + 1) * (double)size->rows * (double)size->particles;
}

enum shoal_status thesis_rows(struct thesis_size *size, double **rows, struct shoal_error *error)
{
    struct shoal_least_squares_params params;
    struct shoal_table *table = NULL;
    shoal_least_squares_params_init(&params);
    params.seed = 1;
    if (strcmp(size->function, "f5") == 0) {
        params.dim = size->dim;
        params.rows = size->rows;
    } else {
        params.like = size->function;
    }
    *rows = NULL;
    enum shoal_status status = shoal_table_least_squares(&params, &table, error);
    if (status != SHOAL_OK)
        return status;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    size->dim = info->columns - 1;
    size->rows = info->rows;
    *rows = malloc(info->rows * info->columns * sizeof **rows);
    status = *rows ? shoal_table_read(table, 0, info->rows, *rows, error)
                   : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu rows", size->rows);
    shoal_table_destroy(&table);
    return status;
}

double thesis_rows_value(const struct thesis_size *size, const double *rows, const double *x)
{
    long double sum = 0;
    for (size_t j = 0; j < size->rows; j++) {
        const double *row = rows + j * (size->dim + 1);
        long double residual = row[size->dim];
        for (size_t d = 0; d < size->dim; d++)
            residual -= (long double)row[d] * (long double)x[d];
        sum += residual * residual;
    }
    return (double)sum;
}

enum shoal_status thesis_host_create(struct bench *bench, const struct thesis_size *size,
                                     const struct thesis_twin *twin, struct shoal_error *error)
{
    static const enum thesis_function functions[] = {THESIS_F1, THESIS_F2, THESIS_F3, THESIS_F4};
    struct thesis_host *host = bench->state = calloc(1, sizeof *host);
    if (!host)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the swarm");
    host->size = *size;
    host->twin = twin;
    struct thesis_problem problem = {.function = THESIS_F5,
                                     .particles = size->particles,
                                     .lower = thesis_lower(size),
                                     .upper = thesis_upper(size),
                                     .inertia = 0.7298,
                                     .pull = 1.49618,
                                     .seed = 1};
    if (thesis_has_rows(size)) {
        enum shoal_status status = thesis_rows(&host->size, &host->rows, error);
        if (status != SHOAL_OK)
            return status;
        bench->roof_work = thesis_row_flops(&host->size);
    } else {
        problem.function = functions[size->function[1] - '1'];
    }
    problem.dim = host->size.dim;
    problem.rows = host->rows;
    problem.row_count = host->size.rows;
    host->x = malloc(problem.dim * sizeof *host->x);
    host->swarm = host->x ? twin->create(&problem) : NULL;
    bench->compiler = twin->compiler;
    return host->swarm
               ? SHOAL_OK
               : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu particles of %zu dimensions",
                            problem.particles, problem.dim);
}

enum shoal_status thesis_host_step(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct thesis_host *host = bench->state;
    host->twin->step(host->swarm);
    return SHOAL_OK;
}

enum shoal_status thesis_host_move(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct thesis_host *host = bench->state;
    host->twin->move(host->swarm);
    host->moves++;
    return SHOAL_OK;
}

enum shoal_status thesis_host_evaluate(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct thesis_host *host = bench->state;
    host->twin->evaluate(host->swarm);
    return SHOAL_OK;
}

/* Returns the value at host->x, calculated independently. */
static double value_at_x(const struct thesis_host *host)
{
    const struct thesis_size *size = &host->size;
    return host->rows ? thesis_rows_value(size, host->rows, host->x)
                      : shoal_objective_value(shoal_objective_find(size->function), host->x, size->dim);
}

/* Checks the last particle, which shares a vector with padding, and the best one. The sines of f2 have
 * arguments of some 1e4, whose error is some 1e-12 each. */
enum shoal_status thesis_host_check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    (void)error;
    struct thesis_host *host = bench->state;
    const size_t last = host->size.particles - 1;
    for (size_t d = 0; d < host->size.dim; d++)
        host->x[d] = host->twin->position(host->swarm, last, d);
    const double wanted = value_at_x(host), value = host->twin->value(host->swarm, last);
    const double best = host->twin->best(host->swarm, host->x), wanted_best = value_at_x(host);
    check->error = fmax(fabs(value - wanted) / fmax(1, fabs(wanted)),
                        fabs(best - wanted_best) / fmax(1, fabs(wanted_best)));
    check->passed = check->error <= 1e-8;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "the values are %.9g, %.9g, not %.9g, %.9g", value,
                 best, wanted, wanted_best);
    return SHOAL_OK;
}

void thesis_host_destroy(struct bench *bench)
{
    struct thesis_host *host = bench->state;
    if (!host)
        return;
    host->twin->destroy(host->swarm);
    free(host->rows);
    free(host->x);
    free(host);
    bench->state = NULL;
}
