/* The method "pipeline": a launch for each part of a step, for all rules. The parts are those of the
 * thesis: move, evaluate, personal best, best of the swarm. */
#include "pso/methods/pipeline.h"
#include "base/error.h"
#include "objective/evaluate/evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values per work-item that pso_settle reduces in one group before passes of many groups pay. */
enum { SETTLE_TURNS = 32 };

enum { XORWOW_WORDS = 6 };

enum kernel { MOVE, MOVE_WHOLE, KEEP, UNLINK, LINKS, LEADERS, ARGMIN, SETTLE, EXCHANGE, ENDS, KERNELS };

struct pipeline {
    struct evaluator *evaluator;
    struct shoal_kernel *kernels[KERNELS];
    struct pipeline_shape shape;
    bool whole; /* a work-item moves all dimensions of a particle */
    struct shoal_buffer *y, *outside, *leader, *head, *next, *states, *goal_value, *goal_index;
    struct shoal_buffer *pass_value[2], *pass_index[2]; /* of the search for the best particle, in turn */
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
    /* Particles and nodes of links are counted in 32 bits, with room for rounding up to groups. */
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
    const size_t total = pso_device_of(solver)->problem.search.total;
    const enum evaluator_method method = search_device_method(solver)->evaluator;
    solver->method.tile = evaluator_tile(method, shoal_device_get_info(solver->device), total);
    return search_evaluator_create(solver, &solver->programs, &solver->method.chosen, method, total,
                                   &pipeline_of(solver)->evaluator, error);
}

/* A program, its kernels, and the defines on which they depend, ended by NULL; NULL: all. */
struct program_plan {
    const struct shoal_program_desc *desc;
    enum kernel first, end;
    const char *const *defines;
};

static const char *const best_defines[] = {"REAL", "TOPOLOGY", NULL};
static const char *const island_defines[] = {"ARGMIN", "REAL", NULL};

static const struct program_plan program_plans[] = {{&pso_move_program, MOVE, KEEP, NULL},
                                                    {&pso_best_program, KEEP, ARGMIN, best_defines},
                                                    {&pso_island_program, ARGMIN, KERNELS, island_defines}};

static const char *const entries[KERNELS] = {
    [MOVE] = "pso_move",     [MOVE_WHOLE] = "pso_move_whole", [KEEP] = "pso_keep",
    [UNLINK] = "pso_unlink", [LINKS] = "pso_links",           [LEADERS] = "pso_leaders",
    [ARGMIN] = "pso_argmin", [SETTLE] = "pso_settle",         [EXCHANGE] = "pso_exchange",
    [ENDS] = "pso_ends"};

static bool depends_on(const struct program_plan *plan, const char *define)
{
    if (!plan->defines)
        return strcmp(define, "ARGMIN") != 0;
    for (const char *const *name = plan->defines; *name; name++)
        if (strcmp(*name, define) == 0)
            return true;
    return false;
}

/* A program gets only the defines that it uses, so that few are built more than once. */
static enum shoal_status build_program(struct shoal_solver *solver, const struct program_plan *plan,
                                       struct shoal_error *error)
{
    const int32_t argmin = pso_params(solver)->argmin;
    struct entry_kernel kernels[KERNELS];
    struct defines all = {.count = 0}, own = {.count = 0};
    for (int k = 0; k < KERNELS; k++)
        kernels[k] = (struct entry_kernel){entries[k], &pipeline_of(solver)->kernels[k]};
    pso_rule_defines(solver, &all);
    define_add(&all, "ARGMIN", argmin == SHOAL_PSO_ARGMIN_AUTO ? 0 : argmin - SHOAL_PSO_ARGMIN_SHARED);
    for (size_t i = 0; i < all.count; i++)
        if (depends_on(plan, all.list[i].name))
            define_add(&own, all.list[i].name, all.list[i].value);
    return programs_build(&solver->programs, plan->desc, &own, kernels + plan->first,
                          (size_t)(plan->end - plan->first), NULL, error);
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

/* Blocks of dimensions of a particle. */
static uint32_t move_blocks(const struct pipeline *pipeline)
{
    return (pipeline->shape.dim + MOVE_BLOCK - 1) / MOVE_BLOCK;
}

/* Work-items that share a particle, see the kernel. */
static uint32_t move_lanes(const struct pipeline *pipeline)
{
    const uint32_t blocks = move_blocks(pipeline), most = work_group(pipeline, MOVE);
    uint32_t lanes = 1;
    while (pipeline->shape.tile == 1 && lanes < blocks && lanes < most)
        lanes *= 2;
    return lanes;
}

/* Values of an island that a group of a pass reduces, and groups for each island. */
struct pass {
    uint32_t length, groups;
};

/* The passes of the thesis halve the values work-item by work-item until one group is left; ours has one pass
 * of many long groups at most. groups 0: none is needed, pso_settle takes the rest. */
static struct pass next_pass(const struct shoal_solver *solver, uint32_t count)
{
    const struct pipeline *pipeline = pipeline_of(solver);
    const uint32_t pair = 2 * work_group(pipeline, ARGMIN);
    struct pass pass = {pair, 0};
    if (pso_params(solver)->argmin == SHOAL_PSO_ARGMIN_AUTO) {
        if (count <= SETTLE_TURNS * work_group(pipeline, SETTLE))
            return pass;
        const double root = sqrt((double)count);
        pass.length = root > pair ? (uint32_t)root : pair;
    } else if (count <= pair) {
        return pass;
    }
    pass.groups = (count - 1) / pass.length + 1;
    return pass;
}

static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    struct pipeline *pipeline = solver->method.state;
    const size_t real = device->search.real, word = sizeof(uint32_t),
                 states = problem->search.total * XORWOW_WORDS;
    const double total = (double)problem->search.total, islands = (double)problem->search.islands;
    const bool links = problem->params->topology == SHOAL_PSO_RANDOM;
    const bool has_states = problem->params->random == SHOAL_PSO_GLOB;
    const double partials = fmax(1, islands * next_pass(solver, (uint32_t)problem->search.members).groups);
    const struct array list[] = {
        {&pipeline->y, (double)(search_tiles(solver) * solver->method.tile), real},
        {&pipeline->outside, total, word, ARRAY_ZERO},
        {&pipeline->leader, total, word},
        {&pipeline->goal_value, islands, real},
        {&pipeline->goal_index, islands, word},
        {&pipeline->head, links ? total : 1, word},
        {&pipeline->next, links ? total * (double)problem->neighbours : 1, word},
        {&pipeline->states, has_states ? (double)states : 1, word, ARRAY_SAVE, "generators",
         has_states ? states : 0},
        {&pipeline->pass_value[0], partials, real},
        {&pipeline->pass_index[0], partials, word},
        {&pipeline->pass_value[1], partials, real},
        {&pipeline->pass_index[1], partials, word},
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
    if (status)
        return status;
    pipeline->whole = problem->update == PSO_SPSO2011_UPDATE ||
                      (problem->update == PSO_LINEAR_UPDATE && problem->params->random >= SHOAL_PSO_GLOB);
    pipeline->shape = (struct pipeline_shape){.seed = problem->params->search.seed,
                                              .particles = (uint32_t)problem->search.members,
                                              .swarms = (uint32_t)problem->search.run_islands,
                                              .islands = (uint32_t)problem->search.islands,
                                              .dim = (uint32_t)problem->search.dim,
                                              .tile = (uint32_t)solver->method.tile,
                                              .restart = (uint32_t)problem->params->search.restart,
                                              .neighbours = (uint32_t)problem->neighbours,
                                              .columns = (uint32_t)problem->columns,
                                              .trace_interval = (uint32_t)problem->params->search.trace};
    pipeline->shape.lanes = move_lanes(pipeline);
    return allocate(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pipeline *pipeline = pipeline_of(solver);
    if (!pipeline)
        return;
    evaluator_destroy(&pipeline->evaluator);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Parts of a step -------------------------------------------------------------------------------------- */

#define LAUNCH(kernel, groups, args)                                                                         \
    shoal_launch(solver->queue, pipeline->kernels[kernel], groups, args, sizeof args / sizeof *args, NULL,   \
                 error)

static struct shoal_arg shape_arg(const struct pipeline *pipeline)
{
    return shoal_arg_struct(&pipeline->shape, sizeof pipeline->shape);
}

static size_t numbers_of(const struct pipeline *pipeline, const struct pipeline_batch *batch)
{
    return (size_t)batch->count * pipeline->shape.islands;
}

static enum shoal_status move_whole(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                    struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->v),
        shoal_arg_buffer(device->p),
        shoal_arg_buffer(device->problem.params->topology == SHOAL_PSO_GLOBAL ? pipeline->goal_index
                                                                              : pipeline->leader),
        shoal_arg_buffer(pipeline->states),
        shoal_arg_buffer(pipeline->outside),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        shape_arg(pipeline),
        shoal_arg_struct(batch, sizeof *batch),
    };
    return LAUNCH(MOVE_WHOLE, shoal_kernel_groups(pipeline->kernels[MOVE_WHOLE], numbers_of(pipeline, batch)),
                  args);
}

static enum shoal_status move(struct shoal_solver *solver, const struct pipeline_batch *batch,
                              struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    if (pipeline->whole)
        return move_whole(solver, batch, error);
    const uint32_t blocks = move_blocks(pipeline), lanes = pipeline->shape.lanes;
    const uint32_t columns = work_group(pipeline, MOVE) / lanes;
    const size_t groups = (numbers_of(pipeline, batch) + columns - 1) / columns;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->v),
        shoal_arg_buffer(device->p),
        shoal_arg_buffer(device->problem.params->topology == SHOAL_PSO_GLOBAL ? pipeline->goal_index
                                                                              : pipeline->leader),
        shoal_arg_buffer(pipeline->head),
        shoal_arg_buffer(pipeline->next),
        shoal_arg_buffer(pipeline->outside),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        shape_arg(pipeline),
        shoal_arg_struct(batch, sizeof *batch),
    };
    return LAUNCH(MOVE, groups * ((blocks + lanes - 1) / lanes), args);
}

static enum shoal_status evaluate(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                  struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const size_t particles = pipeline->shape.particles, islands = pipeline->shape.islands;
    if (batch->count == particles)
        return evaluator_run(pipeline->evaluator, device->x, pipeline->y, 0, particles * islands, error);
    for (size_t k = 0; k < islands; k++) {
        enum shoal_status status = evaluator_run(pipeline->evaluator, device->x, pipeline->y,
                                                 k * particles + batch->first, batch->count, error);
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
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->p),
        shoal_arg_buffer(pipeline->y),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->outside),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        shape_arg(pipeline),
        shoal_arg_struct(batch, sizeof *batch),
    };
    return LAUNCH(KEEP, (numbers_of(pipeline, batch) + kept - 1) / kept, args);
}

/* force: all of them, as of the steps they were drawn at. */
static enum shoal_status draw_links(struct shoal_solver *solver, uint32_t step, bool force,
                                    struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg unlink_args[] = {
        shoal_arg_buffer(pipeline->head),
        shoal_arg_buffer(device->search.words),
        shape_arg(pipeline),
        shoal_arg_uint(step),
        shoal_arg_uint(force),
    };
    const struct shoal_arg links_args[] = {
        shoal_arg_buffer(pipeline->head),
        shoal_arg_buffer(pipeline->next),
        shoal_arg_buffer(device->search.words),
        shape_arg(pipeline),
        shoal_arg_uint(step),
        shoal_arg_uint(force),
    };
    if (device->problem.params->topology != SHOAL_PSO_RANDOM)
        return SHOAL_OK;
    const size_t groups = shoal_kernel_groups(pipeline->kernels[LINKS], device->problem.search.total);
    enum shoal_status status = LAUNCH(UNLINK, groups, unlink_args);
    return status ? status : LAUNCH(LINKS, groups, links_args);
}

/* Leaders of the particles of a batch, from the current bests. The best of an island is known already.
 */
static enum shoal_status choose_leaders(struct shoal_solver *solver, const struct pipeline_batch *batch,
                                        struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->head),
        shoal_arg_buffer(pipeline->next),
        shoal_arg_buffer(pipeline->leader),
        shape_arg(pipeline),
        shoal_arg_struct(batch, sizeof *batch),
    };
    if (device->problem.params->topology == SHOAL_PSO_GLOBAL || device->problem.update == PSO_FIPS_UPDATE)
        return SHOAL_OK;
    return LAUNCH(LEADERS, shoal_kernel_groups(pipeline->kernels[LEADERS], numbers_of(pipeline, batch)),
                  args);
}

static enum shoal_status settle(struct shoal_solver *solver, struct shoal_buffer *values,
                                struct shoal_buffer *indices, const struct pipeline_settle *launch,
                                struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(values),
        shoal_arg_buffer(indices),
        shoal_arg_buffer(pipeline->goal_value),
        shoal_arg_buffer(pipeline->goal_index),
        shoal_arg_buffer(device->p),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.reals),
        shoal_arg_buffer(device->search.champion),
        shoal_arg_buffer(device->search.trace),
        shoal_arg_buffer(device->search.settings),
        shape_arg(pipeline),
        shoal_arg_struct(launch, sizeof *launch),
    };
    return LAUNCH(SETTLE, pipeline->shape.islands, args);
}

/* Finds the best particle of each island and runs the other tasks of pso_settle. */
static enum shoal_status find_and_settle(struct shoal_solver *solver, uint32_t step, uint32_t tasks,
                                         struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    struct shoal_buffer *values = device->best, *indices = NULL;
    uint32_t count = pipeline->shape.particles, turn = 0;
    for (struct pass pass = next_pass(solver, count); pass.groups;
         pass = next_pass(solver, count), turn ^= 1) {
        const struct shoal_arg args[] = {
            shoal_arg_buffer(values),
            shoal_arg_buffer(indices),
            shoal_arg_buffer(pipeline->pass_value[turn]),
            shoal_arg_buffer(pipeline->pass_index[turn]),
            shoal_arg_uint(indices != NULL),
            shoal_arg_uint(count),
            shoal_arg_uint(pass.length),
            shoal_arg_uint(pass.groups),
        };
        enum shoal_status status = LAUNCH(ARGMIN, (size_t)pass.groups * pipeline->shape.islands, args);
        if (status)
            return status;
        values = pipeline->pass_value[turn];
        indices = pipeline->pass_index[turn];
        count = pass.groups;
    }
    const struct pipeline_settle launch = {
        .step = step, .tasks = FIND_BEST | tasks, .count = count, .is_known = indices != NULL};
    return settle(solver, values, indices, &launch, error);
}

static enum shoal_status exchange(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(device->p),
        shoal_arg_buffer(pipeline->goal_value),
        shoal_arg_buffer(pipeline->goal_index),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.reals),
        shoal_arg_buffer(device->search.champion),
        shape_arg(pipeline),
        shoal_arg_uint(device->problem.params->search.exchange_topology == SHOAL_SEARCH_EXCHANGE_ALL),
    };
    return LAUNCH(EXCHANGE, pipeline->shape.islands, args);
}

static enum shoal_status look_for_ends(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pipeline *pipeline = solver->method.state;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.reals),
        shoal_arg_buffer(device->search.settings),
        shoal_arg_uint(pipeline->shape.swarms),
        shoal_arg_uint((uint32_t)device->problem.params->search.stagnation),
    };
    return search_can_end_early(&device->problem.search) ? LAUNCH(ENDS, device->problem.search.runs, args)
                                                         : SHOAL_OK;
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status end_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const uint64_t interval = pso_params(solver)->search.exchange;
    enum shoal_status status;
    if (step && interval && step % interval == 0) {
        const struct pipeline_settle last = {.step = step, .tasks = UPDATE_BEST_EVER | FINISH_STEP};
        status = find_and_settle(solver, step, UPDATE_BEST_EVER, error);
        if (!status)
            status = exchange(solver, error);
        if (!status)
            status = settle(solver, NULL, NULL, &last, error);
    } else {
        status = find_and_settle(solver, step, UPDATE_BEST_EVER | FINISH_STEP, error);
    }
    return status ? status : look_for_ends(solver, error);
}

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
    const bool global = problem->params->topology == SHOAL_PSO_GLOBAL;
    /* The first draw has no leaders, so it needs no batches. */
    const size_t size = step ? problem->batch : problem->search.members;
    enum shoal_status status = step ? draw_links(solver, step, false, error) : SHOAL_OK;
    for (size_t first = 0; first < problem->search.members && !status; first += size) {
        const size_t left = problem->search.members - first;
        const struct pipeline_batch batch = {
            .first = (uint32_t)first, .count = (uint32_t)(left < size ? left : size), .step = step};
        if (first && global)
            status = find_and_settle(solver, step, 0, error);
        if (!status)
            status = make_batch(solver, &batch, error);
    }
    return status ? status : end_step(solver, step, error);
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
    const struct arrays *arrays = &pipeline_of(solver)->arrays;
    enum shoal_status status = arrays_load(arrays, checkpoint, error);
    if (!status)
        status = arrays_zero(arrays, error);
    if (!status)
        status = draw_links(solver, 0, true, error);
    return status ? status : find_and_settle(solver, (uint32_t)device->search.steps, 0, error);
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
                .evaluator = number}

const struct search_method pso_pipeline_methods[EVALUATOR_METHODS] = {
    PIPELINE(EVALUATOR_THREAD, "thread"), PIPELINE(EVALUATOR_THREAD_NAIVE, "thread-naive"),
    PIPELINE(EVALUATOR_BLOCK, "block"),   PIPELINE(EVALUATOR_BLOCK_MAJOR, "block-major"),
    PIPELINE(EVALUATOR_MOD, "mod"),       PIPELINE(EVALUATOR_LANES, "lanes"),
    PIPELINE(EVALUATOR_WARP2, "warp2"),   PIPELINE(EVALUATOR_BLOCK2, "block2"),
    PIPELINE(EVALUATOR_ROWS, "rows")};
