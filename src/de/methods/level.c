/* The epsilon level on a device: values of members and trials at the level, by the kernels of
 * pipeline_level.cl. */
#include "de/methods/level.h"
#include "base/error.h"
#include "compute/launch.h"

static void list_arrays(struct shoal_solver *solver, struct de_level *level)
{
    const struct search_device *device = search_device_of(solver);
    const double total = (double)device->problem->total;
    const struct array list[] = {
        {&level->relaxed, total, device->real},
        {&level->members, total, device->real},
        {&level->trials, total, device->real},
    };
    level->arrays.queue = solver->queue;
    ARRAYS_SET(&level->arrays, list);
}

enum shoal_status de_level_create(struct shoal_solver *solver, enum evaluator_method method,
                                  struct search_values *values, struct de_level *level,
                                  struct shoal_error *error)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    const struct entry_kernel kernels[] = {{"de_level_begin", &level->begin}, {"de_level", &level->apply}};
    struct defines defines = {.count = 0};
    if (!problem->level_steps)
        return SHOAL_OK;
    level->values = values;
    list_arrays(solver, level);
    de_rule_defines(solver, &defines);
    enum shoal_status status = search_check_memory(&problem->search, &level->arrays, 0, error);
    if (!status)
        status = programs_build(&solver->programs, &de_level_program, &defines, kernels, COUNT(kernels), NULL,
                                error);
    if (!status)
        status = search_values_relax(solver, method, problem->search.total, values, error);
    return status ? status : arrays_create(&level->arrays, error);
}

void de_level_destroy(struct de_level *level)
{
    arrays_destroy(&level->arrays);
}

bool de_level_is_due(const struct de_problem *problem, const struct de_level *level,
                     const struct de_step *step)
{
    return level->values && step->step &&
           (problem->search.params->restart || step->step < problem->level_steps);
}

static enum shoal_status apply(struct shoal_solver *solver, const struct de_level *level,
                               const struct search_shape *shape, const struct de_step *step,
                               struct shoal_buffer *ranks, struct shoal_buffer *out, uint32_t is_trial,
                               struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    return LAUNCH(de_level, solver->queue, level->apply,
                  shoal_kernel_groups(level->apply, (size_t)shape->members * shape->islands), error,
                  .ranks = ranks, .values = level->relaxed, .levels = device->levels, .out = out,
                  .settings = device->search.settings, .shape = shape, .step = step,
                  .steps = device->problem.level_steps, .is_trial = is_trial);
}

enum shoal_status de_level_members(struct shoal_solver *solver, const struct de_level *level,
                                   const struct search_shape *shape, const struct de_step *step,
                                   struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const enum shoal_status status = search_values_run_relaxed(
        solver, level->values, device->x, level->relaxed, (size_t)shape->members * shape->islands, error);
    return status ? status : apply(solver, level, shape, step, device->best, level->members, 0, error);
}

enum shoal_status de_level_trials(struct shoal_solver *solver, const struct de_level *level,
                                  const struct search_shape *shape, const struct de_step *step,
                                  struct shoal_buffer *trials, struct shoal_buffer *y,
                                  struct shoal_error *error)
{
    const enum shoal_status status = search_values_run_relaxed(
        solver, level->values, trials, level->relaxed, (size_t)shape->members * shape->islands, error);
    return status ? status : apply(solver, level, shape, step, y, level->trials, 1, error);
}

enum shoal_status de_level_begin(struct shoal_solver *solver, const struct de_level *level,
                                 const struct search_shape *shape, const struct de_step *step,
                                 struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const bool may_draw = step->step == 0 || device->problem.search.params->restart;
    if (!level->values || !may_draw)
        return SHOAL_OK;
    return LAUNCH(de_level_begin, solver->queue, level->begin, shape->islands, error, .best = device->best,
                  .levels = device->levels, .words = device->search.words,
                  .settings = device->search.settings, .shape = shape, .step = step);
}
