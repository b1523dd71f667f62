/* The method "pipeline": three launches for each step, which make the points, evaluate them and apply the
 * rules; for all objectives and sizes. */
#include "cmaes/methods/pipeline.h"
#include "base/error.h"
#include "cmaes/device/device.h"
#include "compute/launch.h"
#include "search/device/values.h"

#include <stdlib.h>

struct pipeline {
    struct search_values values;
    struct shoal_kernel *make, *end;
    struct shoal_buffer *y; /* values of the points of a step */
    struct arrays arrays;
};

static struct pipeline *pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct cmaes_problem *problem = populations;
    const struct search_problem *search = &problem->search;
    const bool has_rows = search->info->shape == SHOAL_DATA_ROWS;
    (void)method;
    const enum shoal_status status = cmaes_check_device(problem, error);
    return status ? status
                  : evaluator_fits(has_rows ? EVALUATOR_ROWS : EVALUATOR_THREAD, search->objective,
                                   search->dim, info, error);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pipeline *pipeline = pipeline_of(solver);
    const struct entry_kernel kernels[] = {{"cmaes_make", &pipeline->make}, {"cmaes_end", &pipeline->end}};
    struct defines defines = {.count = 0};
    cmaes_defines(solver, cmaes_work_group(solver, &cmaes_pipeline_program), &defines);
    return programs_build(&solver->programs, &cmaes_pipeline_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *search = search_device_of(solver)->problem;
    struct pipeline *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    const enum evaluator_method method = evaluator_choose(solver->device, search->objective, search->dim,
                                                          search_of_whole(search, search->total), NULL);
    enum shoal_status status = search_values_create(solver, method, search->total, &pipeline->values, error);
    if (status)
        return status;
    const struct array list[] = {
        {&pipeline->y, (double)(search_tiles(solver) * solver->method.tile), search_device_of(solver)->real},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
    status = build(solver, error);
    return status ? status : arrays_create(&pipeline->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pipeline *pipeline = pipeline_of(solver);
    if (!pipeline)
        return;
    search_values_destroy(&pipeline->values);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

static enum shoal_status make_points(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct cmaes_device *device = cmaes_device_of(solver);
    const struct search_problem *problem = device->search.problem;
    return LAUNCH(cmaes_make, solver->queue, pipeline_of(solver)->make, problem->islands, error,
                  .x = device->x, .words = device->search.words, .settings = device->search.settings,
                  .counts = device->counts, .scalars = device->scalars, .numbers = device->numbers,
                  .points = device->points, .kept = device->kept, .values = device->values,
                  .weights = device->weights, .parts = device->parts, .constants = device->constants,
                  .start = device->start, .seed = problem->params->seed, .step = step,
                  .has_lost = device->has_lost, .starts = (uint32_t)problem->start_count,
                  .tile = (uint32_t)solver->method.tile);
}

static enum shoal_status end_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct cmaes_device *device = cmaes_device_of(solver);
    const struct search_problem *problem = device->search.problem;
    return LAUNCH(cmaes_end, solver->queue, pipeline_of(solver)->end, problem->islands, error, .x = device->x,
                  .y = pipeline_of(solver)->y, .best = device->best, .words = device->search.words,
                  .reals = device->search.reals, .champion = device->search.champion,
                  .settings = device->search.settings, .counts = device->counts, .scalars = device->scalars,
                  .numbers = device->numbers, .points = device->points, .kept = device->kept,
                  .values = device->values, .weights = device->weights, .parts = device->parts,
                  .constants = device->constants, .start = device->start, .seed = problem->params->seed,
                  .step = step, .stagnation = (uint32_t)problem->params->stagnation,
                  .tile = (uint32_t)solver->method.tile);
}

static enum shoal_status make_step(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    enum shoal_status status = cmaes_write_tables(solver, error);
    if (!status)
        status = make_points(solver, (uint32_t)step, error);
    if (!status)
        status = search_values_run(solver, &pipeline->values, cmaes_device_of(solver)->x, pipeline->y,
                                   search_device_of(solver)->problem->total, error);
    if (!status)
        status = end_step(solver, (uint32_t)step, error);
    if (!status)
        cmaes_device_of(solver)->has_lost = false;
    return status;
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
        status = make_step(solver, step, error);
    return status;
}

const struct search_method cmaes_pipeline_method = {
    .base = {.name = "pipeline",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = cmaes_load},
    .evaluation_bytes = cmaes_evaluation_bytes,
};
