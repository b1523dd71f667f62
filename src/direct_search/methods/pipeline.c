/* The method "pipeline": three launches for each step, which make the points, evaluate them and apply the
 * rules; for all objectives and sizes. */
#include "base/error.h"
#include "compute/launch.h"
#include "direct_search/device/device.h"
#include "search/device/values.h"

#include <stdlib.h>

struct pipeline {
    struct search_values values;
    struct search_islands islands;
    struct shoal_kernel *make, *end;
    struct shoal_buffer *x, *y; /* points of a step, in tiles, and their values */
    struct arrays arrays;
};

static struct pipeline *pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *given,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct search_problem *problem = given;
    const bool has_rows = problem->info->shape == SHOAL_DATA_ROWS;
    if (problem->info->dynamic)
        return method_lacks(method, "objectives whose values depend on the generation", error);
    return evaluator_fits(has_rows ? EVALUATOR_ROWS : EVALUATOR_THREAD, problem->objective, problem->dim,
                          info, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pipeline *pipeline = pipeline_of(solver);
    const struct entry_kernel kernels[] = {{"direct_make", &pipeline->make}, {"direct_end", &pipeline->end}};
    struct defines defines = {.count = 0};
    direct_defines(solver, &direct_pipeline_program, &defines);
    return programs_build(&solver->programs, &direct_pipeline_program, &defines, kernels, COUNT(kernels),
                          NULL, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const size_t most = problem->islands * problem->width;
    struct pipeline *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    const enum evaluator_method method = evaluator_choose(solver->device, problem->objective, problem->dim,
                                                          search_of_whole(problem, most), NULL);
    enum shoal_status status = search_values_create(solver, method, most, &pipeline->values, error);
    if (status)
        return status;
    const double places = (double)(div_up(most, solver->method.tile) * solver->method.tile);
    const struct array list[] = {
        {&pipeline->x, places * (double)problem->dim, search_device_of(solver)->real},
        {&pipeline->y, places, search_device_of(solver)->real},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
    status =
        search_check_memory(problem, &pipeline->arrays, arrays_bytes(&search_device_of(solver)->own), error);
    if (!status)
        status = build(solver, error);
    if (!status)
        status = search_islands_create(solver, NULL, 0, &pipeline->islands, error);
    return status ? status : arrays_create(&pipeline->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pipeline *pipeline = pipeline_of(solver);
    if (!pipeline)
        return;
    search_values_destroy(&pipeline->values);
    search_islands_destroy(&pipeline->islands);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status make_points(struct shoal_solver *solver, uint32_t step, uint32_t count,
                                     struct shoal_error *error)
{
    const struct direct_device *device = direct_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    return LAUNCH(direct_make, solver->queue, pipeline->make, device->problem.islands, error, .p = device->p,
                  .best = device->best, .words = device->search.words, .settings = device->search.settings,
                  .counts = device->counts, .numbers = device->numbers, .extra = device->extra,
                  .x = pipeline->x, .y = pipeline->y, .start = device->start,
                  .shape = &pipeline->islands.shape, .step = step, .count = count,
                  .starts = (uint32_t)device->problem.start_count);
}

static enum shoal_status keep_points(struct shoal_solver *solver, uint32_t step, uint32_t count,
                                     struct shoal_error *error)
{
    const struct direct_device *device = direct_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    return LAUNCH(direct_end, solver->queue, pipeline->end, device->problem.islands, error, .p = device->p,
                  .best = device->best, .words = device->search.words, .reals = device->search.reals,
                  .champion = device->search.champion, .settings = device->search.settings,
                  .counts = device->counts, .numbers = device->numbers, .extra = device->extra,
                  .x = pipeline->x, .y = pipeline->y, .start = device->start,
                  .shape = &pipeline->islands.shape, .step = step, .count = count);
}

/* Enqueues a step. In a step with a restart, an island evaluates its members in place of its points. So if
 * islands can restart, problem->width points of each island are evaluated: enough for members and for
 * points. */
static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct direct_device *device = direct_device_of(solver);
    const struct search_problem *problem = &device->problem;
    struct pipeline *pipeline = pipeline_of(solver);
    const struct search_members members = {.values = device->best, .positions = device->p};
    const size_t count = step == 0                  ? problem->members
                         : problem->params->restart ? problem->width
                                                    : problem->points;
    enum shoal_status status = direct_write_start(solver, error);
    if (!status)
        status = make_points(solver, step, (uint32_t)count, error);
    if (!status)
        status = search_values_run(solver, &pipeline->values, pipeline->x, pipeline->y,
                                   count * problem->islands, error);
    if (!status)
        status = keep_points(solver, step, (uint32_t)count, error);
    return status ? status : search_islands_end_step(solver, &pipeline->islands, &members, step, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_step(solver, 0, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const uint64_t steps_done = search_device_of(solver)->steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = steps_done + 1; step <= steps_done + steps && !status; step++)
        status = make_step(solver, (uint32_t)step, error);
    return status;
}

const struct search_method direct_pipeline_method = {
    .base = {.name = "pipeline",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance},
    .evaluation_bytes = direct_search_bytes,
};
