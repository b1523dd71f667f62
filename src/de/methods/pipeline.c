/* The method "pipeline", which has all rules and objectives: a launch for each part of a step (order, choose,
 * trial, evaluate, gain, select, keep, shrink). */
#include "de/methods/pipeline.h"
#include "base/error.h"
#include "compute/launch.h"
#include "de/methods/level.h"
#include "de/methods/order.h"
#include "search/device/islands.h"
#include "search/device/values.h"

#include <math.h>
#include <stdlib.h>

enum kernel { CHOOSE, TRIAL, GAIN, SELECT, KEEP, SHRINK, KERNELS };

struct pipeline {
    struct search_values values;
    struct search_islands islands;
    struct de_order order;
    struct de_level level;
    struct shoal_kernel *kernels[KERNELS];
    struct de_shape shape;
    struct shoal_buffer *trials, *y; /* trials of all islands, in tiles; y: their values */
    struct shoal_buffer *scale, *rate, *choices, *slots;
    /* [islands * slots]: number of the member that claims each slot of the archive */
    struct shoal_buffer *claims;
    /* sums over the parts of each island: see DE_PARTS in cl/de/layout.clh */
    struct shoal_buffer *gained, *sums;
    struct arrays arrays;
};

static struct pipeline *pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct de_problem *problem = populations;
    const struct search_problem *search = &problem->search;
    const bool has_rows = search->info->shape == SHOAL_DATA_ROWS;
    (void)method;
    if (2 * (double)search->total * (double)((search->dim - 1) / TRIAL_BLOCK + 1) > 4e9)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%zu members of dim %zu are more than a device numbers: lower --population, --islands or "
                    "--runs",
                    search->total, search->dim);
    return evaluator_fits(has_rows ? EVALUATOR_ROWS : EVALUATOR_THREAD, search->objective, search->point_dim,
                          info, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pipeline *pipeline = pipeline_of(solver);
    const struct entry_kernel trial[] = {{"de_choose", &pipeline->kernels[CHOOSE]},
                                         {"de_trial", &pipeline->kernels[TRIAL]}};
    const struct entry_kernel replace[] = {{"de_gain", &pipeline->kernels[GAIN]},
                                           {"de_select", &pipeline->kernels[SELECT]},
                                           {"de_keep", &pipeline->kernels[KEEP]},
                                           {"de_shrink", &pipeline->kernels[SHRINK]}};
    struct defines defines = {.count = 0};
    de_rule_defines(solver, &defines);
    enum shoal_status status =
        programs_build(&solver->programs, &de_trial_program, &defines, trial, COUNT(trial), NULL, error);
    return status ? status
                  : programs_build(&solver->programs, &de_replace_program, &defines, replace, COUNT(replace),
                                   NULL, error);
}

static void list_arrays(struct shoal_solver *solver)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    struct pipeline *pipeline = pipeline_of(solver);
    const size_t real = search_device_of(solver)->real, word = sizeof(uint32_t);
    const double total = (double)problem->search.total,
                 places = (double)(search_tiles(solver) * solver->method.tile),
                 parts = (double)problem->search.islands * DE_PARTS;
    const struct array list[] = {
        {&pipeline->trials, places * (double)problem->search.dim, real},
        {&pipeline->y, places, real},
        {&pipeline->scale, total, real},
        {&pipeline->rate, total, real},
        {&pipeline->choices, total * DE_CHOICES, word},
        {&pipeline->slots, total, word},
        {&pipeline->claims, (double)(problem->search.islands * problem->slots), word},
        {&pipeline->gained, parts, word},
        {&pipeline->sums, parts * DE_SUMS, real},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    const struct search_problem *search = &problem->search;
    struct pipeline *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    pipeline->shape = (struct de_shape){.slots = (uint32_t)problem->slots,
                                        .cells = (uint32_t)problem->cells,
                                        .free_cells = (uint32_t)problem->free_cells};
    const enum evaluator_method method = evaluator_choose(
        solver->device, search->objective, search->point_dim, search_of_whole(search, search->total), NULL);
    enum shoal_status status = search_values_create(solver, method, search->total, &pipeline->values, error);
    if (status)
        return status;
    list_arrays(solver);
    status =
        search_check_memory(search, &pipeline->arrays, arrays_bytes(&search_device_of(solver)->own), error);
    if (!status)
        status = build(solver, error);
    if (!status)
        status = search_islands_create(solver, NULL, 0, &pipeline->islands, error);
    if (!status)
        status = de_order_create(solver, &pipeline->order, error);
    if (!status)
        status = de_level_create(solver, method, &pipeline->values, &pipeline->level, error);
    return status ? status : arrays_create(&pipeline->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pipeline *pipeline = pipeline_of(solver);
    if (!pipeline)
        return;
    search_values_destroy(&pipeline->values);
    search_islands_destroy(&pipeline->islands);
    de_order_destroy(&pipeline->order);
    de_level_destroy(&pipeline->level);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Parts of a step -------------------------------------------------------------------------------------- */

static struct search_members members_of(const struct shoal_solver *solver)
{
    return (struct search_members){.values = de_device_of(solver)->best,
                                   .positions = de_device_of(solver)->x};
}

/* Returns the buffer of the values by which a step compares members: the members' own values, or their values
 * at the epsilon level. */
static struct shoal_buffer *compared(const struct shoal_solver *solver, const struct de_step *step)
{
    const struct de_device *device = de_device_of(solver);
    const struct de_level *level = &pipeline_of(solver)->level;
    return de_level_is_due(&device->problem, level, step) ? level->members : device->best;
}

static struct shoal_buffer *compared_trials(const struct shoal_solver *solver, const struct de_step *step)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    const bool is_due = de_level_is_due(&de_device_of(solver)->problem, &pipeline->level, step);
    return is_due ? pipeline->level.trials : pipeline->y;
}

/* Number of groups of a kernel that has `each` work-items for each trial. */
static size_t groups_of(const struct shoal_solver *solver, enum kernel kernel, const struct de_step *step,
                        size_t each)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    return shoal_kernel_groups(pipeline->kernels[kernel],
                               (size_t)step->members * pipeline->islands.shape.islands * each);
}

static size_t blocks_of(const struct shoal_solver *solver)
{
    return div_up(search_device_of(solver)->problem->dim, TRIAL_BLOCK);
}

static enum shoal_status rank(struct shoal_solver *solver, const struct de_step *step, uint32_t count,
                              struct shoal_error *error)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    return de_order_run(solver, &pipeline->order, compared(solver, step), &pipeline->islands.shape, count,
                        error);
}

static enum shoal_status choose(struct shoal_solver *solver, const struct de_step *step,
                                struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    return LAUNCH(de_choose, solver->queue, pipeline->kernels[CHOOSE], groups_of(solver, CHOOSE, step, 1),
                  error, .scale = pipeline->scale, .rate = pipeline->rate, .own_scale = device->own_scale,
                  .own_rate = device->own_rate, .memory = device->memory, .counts = device->counts,
                  .order = pipeline->order.order, .leader = pipeline->islands.goal_index,
                  .choices = pipeline->choices, .words = device->search.words,
                  .settings = device->search.settings, .shape = &pipeline->islands.shape,
                  .own = &pipeline->shape, .step = step);
}

static enum shoal_status make_trials(struct shoal_solver *solver, const struct de_step *step,
                                     struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    return LAUNCH(
        de_trial, solver->queue, pipeline->kernels[TRIAL], groups_of(solver, TRIAL, step, blocks_of(solver)),
        error, .x = device->x, .archive = device->archive, .trials = pipeline->trials,
        .scale = pipeline->scale, .rate = pipeline->rate, .memory = device->memory, .counts = device->counts,
        .choices = pipeline->choices, .words = device->search.words, .settings = device->search.settings,
        .shape = &pipeline->islands.shape, .own = &pipeline->shape, .step = step);
}

/* Number of groups of a kernel with a group for each part: see part_length() in
 * cl/de/methods/pipeline_replace.cl. */
static size_t part_groups(const struct shoal_solver *solver, const struct de_step *step)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    const size_t group = shoal_kernel_work_group(pipeline->kernels[SELECT]),
                 length = div_up(step->members, group * DE_PARTS) * group;
    return div_up(step->members, length) * (size_t)pipeline->islands.shape.islands;
}

static enum shoal_status decide(struct shoal_solver *solver, const struct de_step *step,
                                struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    const size_t groups = part_groups(solver, step);
    enum shoal_status status = LAUNCH(
        de_gain, solver->queue, pipeline->kernels[GAIN], groups, error, .y = compared_trials(solver, step),
        .best = compared(solver, step), .scale = pipeline->scale, .rate = pipeline->rate,
        .counts = device->counts, .gained = pipeline->gained, .sums = pipeline->sums,
        .settings = device->search.settings, .shape = &pipeline->islands.shape, .step = step);
    if (!status && pipeline->claims)
        status = shoal_buffer_fill(solver->queue, pipeline->claims, 0,
                                   device->problem.search.islands * device->problem.slots * sizeof(uint32_t),
                                   0, error);
    return status ? status
                  : LAUNCH(de_select, solver->queue, pipeline->kernels[SELECT], groups, error,
                           .y = compared_trials(solver, step), .best = compared(solver, step),
                           .memory = device->memory, .counts = device->counts, .gained = pipeline->gained,
                           .sums = pipeline->sums, .claims = pipeline->claims, .slots = pipeline->slots,
                           .words = device->search.words, .settings = device->search.settings,
                           .shape = &pipeline->islands.shape, .own = &pipeline->shape, .step = step);
}

static enum shoal_status keep(struct shoal_solver *solver, const struct de_step *step,
                              struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    return LAUNCH(
        de_keep, solver->queue, pipeline->kernels[KEEP], groups_of(solver, KEEP, step, blocks_of(solver)),
        error, .x = device->x, .best = device->best, .trials = pipeline->trials, .y = pipeline->y,
        .scale = pipeline->scale, .rate = pipeline->rate, .own_scale = device->own_scale,
        .own_rate = device->own_rate, .archive = device->archive, .slots = pipeline->slots,
        .claims = pipeline->claims, .words = device->search.words, .settings = device->search.settings,
        .shape = &pipeline->islands.shape, .own = &pipeline->shape, .step = step);
}

static enum shoal_status shrink(struct shoal_solver *solver, const struct de_step *step,
                                struct shoal_error *error)
{
    const struct de_device *device = de_device_of(solver);
    const struct pipeline *pipeline = pipeline_of(solver);
    const struct shoal_kernel *kernel = pipeline->kernels[SHRINK];
    const size_t leaving = (size_t)(step->before - step->next) * pipeline->islands.shape.islands;
    enum shoal_status status = rank(solver, step, step->before, error);
    return status ? status
                  : LAUNCH(de_shrink, solver->queue, pipeline->kernels[SHRINK],
                           shoal_kernel_groups(kernel, leaving), error, .x = device->x, .best = device->best,
                           .own_scale = device->own_scale, .own_rate = device->own_rate,
                           .ranks = pipeline->order.ranks, .order = pipeline->order.order,
                           .words = device->search.words, .shape = &pipeline->islands.shape, .step = step);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status make_step(struct shoal_solver *solver, uint32_t number, struct shoal_error *error)
{
    const struct de_problem *problem = &de_device_of(solver)->problem;
    struct pipeline *pipeline = pipeline_of(solver);
    const struct search_members members = members_of(solver);
    const struct de_step step = de_problem_step(problem, number);
    const struct search_shape *shape = &pipeline->islands.shape;
    const bool has_level = de_level_is_due(problem, &pipeline->level, &step);
    enum shoal_status status =
        has_level ? de_level_members(solver, &pipeline->level, shape, &step, error) : SHOAL_OK;
    if (!status && number && problem->ranks)
        status = rank(solver, &step, step.members, error);
    if (!status && number)
        status = choose(solver, &step, error);
    if (!status)
        status = make_trials(solver, &step, error);
    if (!status)
        status = search_values_run(solver, &pipeline->values, pipeline->trials, pipeline->y,
                                   (size_t)step.members * problem->search.islands, error);
    if (!status && has_level)
        status =
            de_level_trials(solver, &pipeline->level, shape, &step, pipeline->trials, pipeline->y, error);
    if (!status && number)
        status = decide(solver, &step, error);
    if (!status)
        status = keep(solver, &step, error);
    if (!status && number && step.next < step.before)
        status = shrink(solver, &step, error);
    if (!status)
        status = de_level_begin(solver, &pipeline->level, shape, &step, error);
    return status ? status : search_islands_end_step(solver, &pipeline->islands, &members, number, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    /* Sets the arrays to 0, since checkpoints also contain the unused slots of the archive. */
    const enum shoal_status status = arrays_zero(&search_device_of(solver)->own, error);
    return status ? status : make_step(solver, 0, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const uint64_t steps_done = search_device_of(solver)->steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = steps_done + 1; step <= steps_done + steps && !status; step++)
        status = make_step(solver, (uint32_t)step, error);
    return status;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)checkpoint;
    const struct search_members members = members_of(solver);
    return search_islands_find(solver, &pipeline_of(solver)->islands, &members,
                               (uint32_t)search_device_of(solver)->steps, error);
}

const struct search_method de_pipeline_method = {
    .base = {.name = "pipeline",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = load},
    .evaluation_bytes = de_evaluation_bytes,
};
