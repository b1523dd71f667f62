/* The method "pipeline", which implements every rule. A step has a launch for each of its parts: move,
 * evaluation, personal bests, best of the swarm. */
#include "pso/methods/pipeline.h"
#include "base/error.h"
#include "compute/launch.h"
#include "search/device/islands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kernel { MOVE, MOVE_WHOLE, KEEP, UNLINK, LINKS, LEADERS, KERNELS };

struct pipeline {
    struct evaluator *evaluator;
    struct shoal_kernel *kernels[KERNELS];
    struct search_islands islands;
    struct pipeline_links links;
    /* number of work-items that share a particle: `lanes` of struct pipeline_batch */
    uint32_t lanes;
    bool whole; /* one work-item moves all dimensions of a particle: pso_move_whole */
    struct shoal_buffer *y, *outside, *leader, *head, *next, *states;
    struct arrays arrays;
};

static struct pipeline *pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *swarms,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct pso_problem *problem = swarms;
    /* Particles and links are counted in 32 bits, with room for rounding up to groups. */
    if ((double)problem->search.total > 4e9 ||
        (double)problem->search.members * (double)problem->neighbours > 4e9)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%zu particles with %zu neighbours are more than a device numbers: lower --particles, "
                    "--swarms or --runs",
                    problem->search.total, problem->neighbours);
    return evaluator_fits(((const struct search_method *)method)->evaluator, problem->search.objective,
                          problem->search.dim, info, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status create_evaluator(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = &pso_device_of(solver)->problem.search;
    const size_t total = problem->total;
    const enum evaluator_method method = search_device_method(solver)->evaluator;
    solver->method.tile = evaluator_tile(method, shoal_device_get_info(solver->device), total);
    const struct evaluator_params layout = {.method = method,
                                            .points = total,
                                            .planned = search_of_whole(problem, total),
                                            .chosen = &solver->method.chosen,
                                            .programs = &solver->programs};
    return search_evaluator_create(solver, &layout, &pipeline_of(solver)->evaluator, error);
}

/* A program. first, end: its kernels are first .. end - 1. defines: names of the defines on which the program
 * depends, ended by NULL; NULL: it depends on all. */
struct program_plan {
    const struct shoal_program_desc *desc;
    enum kernel first, end;
    const char *const *defines;
};

static const char *const best_defines[] = {"REAL", "TOPOLOGY", NULL};
static const struct program_plan program_plans[] = {{&pso_move_program, MOVE, KEEP, NULL},
                                                    {&pso_best_program, KEEP, KERNELS, best_defines}};

static const char *const entries[KERNELS] = {
    [MOVE] = "pso_move",     [MOVE_WHOLE] = "pso_move_whole", [KEEP] = "pso_keep",
    [UNLINK] = "pso_unlink", [LINKS] = "pso_links",           [LEADERS] = "pso_leaders"};

static bool depends_on(const struct program_plan *plan, const char *define)
{
    if (!plan->defines)
        return true;
    for (const char *const *name = plan->defines; *name; name++)
        if (strcmp(*name, define) == 0)
            return true;
    return false;
}

/* Builds a program with only the defines on which it depends, so that different runs can use the same
 * build. */
static enum shoal_status build_program(struct shoal_solver *solver, const struct program_plan *plan,
                                       struct shoal_error *error)
{
    struct entry_kernel kernels[KERNELS];
    struct defines all = {.count = 0}, own = {.count = 0};
    for (int k = 0; k < KERNELS; k++)
        kernels[k] = (struct entry_kernel){entries[k], &pipeline_of(solver)->kernels[k]};
    pso_rule_defines(solver, &all);
    for (size_t i = 0; i < all.count; i++)
        if (depends_on(plan, all.list[i].name))
            define_add(&own, all.list[i].name, all.list[i].value);
    const struct shoal_program_desc *thesis = pso_device_of(solver)->problem.thesis.move;
    if (!thesis || plan->first != MOVE)
        return programs_build(&solver->programs, plan->desc, &own, kernels + plan->first,
                              (size_t)(plan->end - plan->first), NULL, error);
    return programs_build(&solver->programs, thesis, &own, kernels + MOVE_WHOLE, 1, NULL, error);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof program_plans / sizeof *program_plans && !status; i++)
        status = build_program(solver, &program_plans[i], error);
    return status;
}

static uint32_t work_group(const struct pipeline *pipeline, enum kernel kernel)
{
    return shoal_kernel_work_group(pipeline->kernels[kernel]);
}

/* Returns the number of blocks of MOVE_BLOCK dimensions of a particle. */
static uint32_t move_blocks(const struct pipeline *pipeline)
{
    return (pipeline->islands.shape.dim + MOVE_BLOCK - 1) / MOVE_BLOCK;
}

/* Returns the number of work-items of pso_move that share a particle. */
static uint32_t move_lanes(const struct pipeline *pipeline)
{
    const uint32_t blocks = move_blocks(pipeline), most = pipeline->whole ? 1 : work_group(pipeline, MOVE);
    uint32_t lanes = 1;
    while (pipeline->islands.shape.tile == 1 && lanes < blocks && lanes < most)
        lanes *= 2;
    return lanes;
}

static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    struct pipeline *pipeline = solver->method.state;
    const size_t real = device->search.real, word = sizeof(uint32_t),
                 states = problem->search.total * problem->thesis.kept_words;
    const double total = (double)problem->search.total;
    const bool links = problem->params->topology == SHOAL_PSO_RANDOM;
    const struct array list[] = {
        {&pipeline->y, (double)(search_tiles(solver) * solver->method.tile), real},
        {&pipeline->outside, total, word, ARRAY_ZERO},
        {&pipeline->leader, total, word},
        {&pipeline->head, links ? total : 1, word},
        {&pipeline->next, links ? total * (double)problem->neighbours : 1, word},
        {&pipeline->states, states ? (double)states : 1, word, ARRAY_SAVE, "generators", states},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
    return arrays_create(&pipeline->arrays, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    struct pipeline *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    enum shoal_status status = create_evaluator(solver, error);
    if (!status)
        status = build(solver, error);
    if (!status)
        status = search_islands_create(solver, problem->thesis.islands, problem->thesis.argmin,
                                       &pipeline->islands, error);
    if (status)
        return status;
    pipeline->whole = problem->update == PSO_SPSO2011_UPDATE ||
                      (problem->update == PSO_LINEAR_UPDATE && problem->thesis.move);
    pipeline->links = (struct pipeline_links){.neighbours = (uint32_t)problem->neighbours,
                                              .columns = (uint32_t)problem->columns};
    pipeline->lanes = move_lanes(pipeline);
    return allocate(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pipeline *pipeline = pipeline_of(solver);
    if (!pipeline)
        return;
    evaluator_destroy(&pipeline->evaluator);
    search_islands_destroy(&pipeline->islands);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Parts of a step -------------------------------------------------------------------------------------- */

/* Returns the personal bests. The best member of an island is the particle with the best personal best. */
static struct search_members members_of(const struct shoal_solver *solver)
{
    return (struct search_members){.values = pso_device_of(solver)->best,
                                   .positions = pso_device_of(solver)->p};
}

static size_t numbers_of(const struct pipeline *pipeline, const struct pipeline_batch *batch)
{
    return (size_t)batch->count * pipeline->islands.shape.islands;
}

static enum shoal_status move_whole(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                    struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    return LAUNCH(pso_move_whole, solver->queue, pipeline->kernels[MOVE_WHOLE],
                  shoal_kernel_groups(pipeline->kernels[MOVE_WHOLE], numbers_of(pipeline, batch)), error,
                  .x = device->x, .v = device->v, .p = device->p,
                  .leader = device->problem.params->topology == SHOAL_PSO_GLOBAL
                                ? pipeline->islands.goal_index
                                : pipeline->leader,
                  .states = pipeline->states, .outside = pipeline->outside, .words = device->search.words,
                  .settings = device->search.settings, .shape = &pipeline->islands.shape, .batch = batch);
}

static enum shoal_status move(struct shoal_solver *solver, const struct pipeline_batch *batch,
                              struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    if (pipeline->whole)
        return move_whole(solver, batch, error);
    const uint32_t blocks = move_blocks(pipeline), lanes = batch->lanes;
    const uint32_t columns = work_group(pipeline, MOVE) / lanes;
    const size_t groups = (numbers_of(pipeline, batch) + columns - 1) / columns;
    return LAUNCH(pso_move, solver->queue, pipeline->kernels[MOVE], groups * ((blocks + lanes - 1) / lanes),
                  error, .x = device->x, .v = device->v, .p = device->p,
                  .leader = device->problem.params->topology == SHOAL_PSO_GLOBAL
                                ? pipeline->islands.goal_index
                                : pipeline->leader,
                  .head = pipeline->head, .next = pipeline->next, .outside = pipeline->outside,
                  .words = device->search.words, .settings = device->search.settings,
                  .shape = &pipeline->islands.shape, .links = &pipeline->links, .batch = batch);
}

static enum shoal_status evaluate(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                  struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const size_t particles = pipeline->islands.shape.members, islands = pipeline->islands.shape.islands;
    if (batch->count == particles)
        return evaluator_run(pipeline->evaluator, device->x, pipeline->y, 0, particles * islands,
                             search_of_whole(&device->problem.search, particles * islands), error);
    for (size_t k = 0; k < islands; k++) {
        enum shoal_status status =
            evaluator_run(pipeline->evaluator, device->x, pipeline->y, k * particles + batch->first,
                          batch->count, batch->count, error);
        if (status)
            return status;
    }
    return SHOAL_OK;
}

static enum shoal_status keep(struct shoal_solver *solver, const struct pipeline_batch *batch,
                              struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const uint32_t group = work_group(pipeline, KEEP), kept = KEPT_PARTICLES(group);
    return LAUNCH(pso_keep, solver->queue, pipeline->kernels[KEEP],
                  (numbers_of(pipeline, batch) + kept - 1) / kept, error, .x = device->x, .p = device->p,
                  .y = pipeline->y, .best = device->best, .outside = pipeline->outside,
                  .words = device->search.words, .settings = device->search.settings,
                  .shape = &pipeline->islands.shape, .batch = batch);
}

/* Draws the links of those islands whose links must be drawn in this step. force: draws the links of all
 * islands, with the random numbers of the step in which each island last drew its links. */
static enum shoal_status draw_links(struct shoal_solver *solver, uint32_t step, bool force,
                                    struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    if (device->problem.params->topology != SHOAL_PSO_RANDOM)
        return SHOAL_OK;
    const size_t groups = shoal_kernel_groups(pipeline->kernels[LINKS], device->problem.search.total);
    enum shoal_status status = LAUNCH(pso_unlink, solver->queue, pipeline->kernels[UNLINK], groups, error,
                                      .head = pipeline->head, .words = device->search.words,
                                      .shape = &pipeline->islands.shape, .step = step, .force = force);
    return status ? status
                  : LAUNCH(pso_links, solver->queue, pipeline->kernels[LINKS], groups, error,
                           .head = pipeline->head, .next = pipeline->next, .words = device->search.words,
                           .shape = &pipeline->islands.shape, .links = &pipeline->links, .step = step,
                           .force = force);
}

/* Finds the leader of each particle of a batch by the current bests. Does nothing for a global best, which is
 * already known, and for fully informed swarms. */
static enum shoal_status choose_leaders(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                        struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    if (device->problem.params->topology == SHOAL_PSO_GLOBAL || device->problem.update == PSO_FIPS_UPDATE)
        return SHOAL_OK;
    return LAUNCH(pso_leaders, solver->queue, pipeline->kernels[LEADERS],
                  shoal_kernel_groups(pipeline->kernels[LEADERS], numbers_of(pipeline, batch)), error,
                  .best = device->best, .head = pipeline->head, .next = pipeline->next,
                  .leader = pipeline->leader, .shape = &pipeline->islands.shape, .links = &pipeline->links,
                  .batch = batch);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status make_batch(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                    struct shoal_error *error)
{
    enum shoal_status status = batch->step ? choose_leaders(solver, batch, error) : SHOAL_OK;
    if (!status)
        status = move(solver, batch, error);
    if (!status)
        status = evaluate(solver, batch, error);
    if (!status)
        status = keep(solver, batch, error);
    return status;
}

static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    struct pipeline *pipeline = pipeline_of(solver);
    const struct search_members members = members_of(solver);
    const bool global = problem->params->topology == SHOAL_PSO_GLOBAL;
    /* In step 0 no particle has a leader, so all particles form one batch. */
    const size_t size = step ? problem->batch : problem->search.members;
    enum shoal_status status = step ? draw_links(solver, step, false, error) : SHOAL_OK;
    for (size_t first = 0; first < problem->search.members && !status; first += size) {
        const size_t left = problem->search.members - first;
        const struct pipeline_batch batch = {.first = (uint32_t)first,
                                             .count = (uint32_t)(left < size ? left : size),
                                             .step = step,
                                             .lanes = pipeline->lanes};
        if (first && global)
            status = search_islands_find(solver, &pipeline->islands, &members, step, error);
        if (!status)
            status = make_batch(solver, &batch, error);
    }
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

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    struct pipeline *pipeline = pipeline_of(solver);
    const struct arrays *arrays = &pipeline->arrays;
    const struct search_members members = members_of(solver);
    enum shoal_status status = arrays_load(arrays, checkpoint, error);
    if (!status)
        status = arrays_zero(arrays, error);
    if (!status)
        status = draw_links(solver, 0, true, error);
    return status ? status
                  : search_islands_find(solver, &pipeline->islands, &members, (uint32_t)device->search.steps,
                                        error);
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return arrays_save(&pipeline_of(solver)->arrays, checkpoint, error);
}

#define PIPELINE(number, own)                                                                                \
    [number] = {.base = {.name = own,                                                                        \
                         .fits = fits,                                                                       \
                         .create = create,                                                                   \
                         .destroy = destroy,                                                                 \
                         .begin = begin,                                                                     \
                         .advance = advance,                                                                 \
                         .save = save,                                                                       \
                         .load = load},                                                                      \
                .evaluator = number,                                                                         \
                .evaluation_bytes = pso_evaluation_bytes}

const struct search_method pso_pipeline_methods[EVALUATOR_METHODS] = {
    PIPELINE(EVALUATOR_THREAD, "thread"), PIPELINE(EVALUATOR_THREAD_NAIVE, "thread-naive"),
    PIPELINE(EVALUATOR_BLOCK, "block"),   PIPELINE(EVALUATOR_BLOCK_MAJOR, "block-major"),
    PIPELINE(EVALUATOR_MOD, "mod"),       PIPELINE(EVALUATOR_LANES, "lanes"),
    PIPELINE(EVALUATOR_WARP2, "warp2"),   PIPELINE(EVALUATOR_BLOCK2, "block2"),
    PIPELINE(EVALUATOR_ROWS, "rows")};
