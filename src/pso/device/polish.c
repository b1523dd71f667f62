/* The pattern search of a device solver: its points go to the device in batches. */
#include "base/error.h"
#include "pso/device/device.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status pso_evaluator_create(struct shoal_solver *solver, struct programs *programs,
                                       enum evaluator_method method, size_t points, struct evaluator **out,
                                       struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    bool shifted = false;
    for (size_t d = 0; d < problem->dim; d++)
        shifted = shifted || problem->shift[d] != 0;
    const struct evaluator_params params = {.objective = problem->objective,
                                            .precision = device->precision,
                                            .method = method,
                                            .dim = problem->dim,
                                            .points = points,
                                            .chunk_rows = problem->params->chunk_rows,
                                            .shift = shifted ? problem->shift : NULL,
                                            .chosen =
                                                programs == &solver->programs ? &solver->method.chosen : NULL,
                                            .programs = programs};
    return evaluator_create(solver->queue, &params, out, error);
}

/* Points on the device, allocated for the largest batch so far. */
struct workbench {
    struct shoal_solver *solver;
    struct programs programs;
    struct evaluator *evaluator;
    struct shoal_buffer *x, *y;
    char *numbers; /* as they lie in x, then as they come from y */
    size_t points, tile, tiles;
};

static void workbench_close(struct workbench *bench)
{
    evaluator_destroy(&bench->evaluator);
    programs_destroy(&bench->programs);
    shoal_buffer_destroy(&bench->x);
    shoal_buffer_destroy(&bench->y);
    free(bench->numbers);
    *bench = (struct workbench){.solver = bench->solver};
}

static enum shoal_status workbench_open(struct workbench *bench, size_t points, struct shoal_error *error)
{
    struct shoal_solver *solver = bench->solver;
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    if (points <= bench->points)
        return SHOAL_OK;
    workbench_close(bench);
    const enum evaluator_method method =
        evaluator_choose(solver->device, problem->objective, problem->dim, points, pso_old_evaluator);
    bench->tile = evaluator_tile(method, shoal_device_get_info(solver->device), points);
    bench->tiles = (points + bench->tile - 1) / bench->tile;
    const size_t places = bench->tiles * bench->tile;
    bench->programs = (struct programs){.device = solver->device, .variant = solver->programs.variant};
    enum shoal_status status =
        pso_evaluator_create(solver, &bench->programs, method, points, &bench->evaluator, error);
    if (!status)
        status = shoal_buffer_create(solver->device, places * problem->dim * device->real, &bench->x, error);
    if (!status)
        status = shoal_buffer_create(solver->device, places * device->real, &bench->y, error);
    bench->numbers = calloc(places * problem->dim, device->real);
    if (!status && !bench->numbers)
        status = fail_host_memory(error);
    bench->points = points;
    return status;
}

static void put(char *numbers, size_t at, double wide, size_t real)
{
    const float narrow = (float)wide;
    memcpy(numbers + at * real, real == sizeof wide ? (const void *)&wide : &narrow, real);
}

static double get(const char *numbers, size_t at, size_t real)
{
    double wide;
    float narrow;
    memcpy(real == sizeof wide ? (void *)&wide : &narrow, numbers + at * real, real);
    return real == sizeof wide ? wide : (double)narrow;
}

static enum shoal_status evaluate(void *data, const double *points, size_t count, double *values,
                                  struct shoal_error *error)
{
    struct workbench *bench = data;
    const struct pso_device *device = pso_device_of(bench->solver);
    const size_t dim = device->problem.dim, real = device->real;
    enum shoal_status status = workbench_open(bench, count, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < dim; d++)
            put(bench->numbers, (i / bench->tile * dim + d) * bench->tile + i % bench->tile,
                points[i * dim + d], real);
    status = shoal_buffer_write(bench->solver->queue, bench->x, 0, bench->numbers,
                                bench->tiles * bench->tile * dim * real, error);
    if (!status)
        status = evaluator_run(bench->evaluator, bench->x, bench->y, 0, count, error);
    if (!status)
        status = shoal_buffer_read(bench->solver->queue, bench->y, 0, bench->numbers, count * real, error);
    for (size_t i = 0; i < count && !status; i++)
        values[i] = device->problem.sign * get(bench->numbers, i, real);
    return status;
}

enum shoal_status pso_device_polish(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    struct workbench bench = {.solver = solver};
    enum shoal_status status = pso_polish_create(&device->problem, device->precision, device->position_out,
                                                 device->best_out, &device->polish, error);
    if (!status)
        status = pso_polish_run(device->polish, evaluate, &bench, error);
    workbench_close(&bench);
    if (status)
        pso_polish_destroy(&device->polish);
    return status;
}
