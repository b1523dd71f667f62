/* The swarms on a device: choice of a method, the buffers of all methods, steps and ends. */
#include "pso/device/device.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/backend.h"
#include "compute/tune.h"
#include "objective/objective.h"
#include "workload/schedule.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Methods ---------------------------------------------------------------------------------------------- */

#define PIPELINE(number) &pso_pipeline_methods[EVALUATOR_##number].base
static const struct method *const methods[] = {
    &pso_fused_method.base, &pso_onchip_method.base, PIPELINE(THREAD), PIPELINE(THREAD_NAIVE),
    PIPELINE(BLOCK),        PIPELINE(BLOCK_MAJOR),   PIPELINE(MOD),    PIPELINE(LANES),
    PIPELINE(WARP2),        PIPELINE(BLOCK2),        PIPELINE(ROWS),   NULL};

/* Problems with the same powers of two of particles, islands and dimensions share a tuned method. */
static void set_choice(const struct pso_problem *problem, struct method_choice *choice)
{
    const int32_t asked = problem->params->method;
    *choice = (struct method_choice){.methods = methods,
                                     .problem = problem,
                                     .asked = asked == SHOAL_PSO_AUTO ? NULL : pso_method_names[asked],
                                     .program = "pso.method",
                                     .old_program = "pso.engine",
                                     .old_names = pso_method_names};
    snprintf(
        choice->sizes, sizeof choice->sizes,
        "particles=2^%u islands=2^%u dim=2^%u shape=%d precision=%d update=%d topology=%d synchronous=%d",
        tuning_power(2, (double)problem->search.members), tuning_power(2, (double)problem->search.islands),
        tuning_power(2, (double)problem->search.dim), (int)problem->search.info->shape,
        (int)problem->params->search.precision, (int)problem->update, (int)problem->params->topology,
        problem->batch == problem->search.members);
    memcpy(choice->old_sizes, choice->sizes, sizeof choice->sizes);
}

/* The evaluator of a pipeline also serves batches of points outside a swarm. */
static enum shoal_status remember(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    if (problem->params->method < SHOAL_PSO_THREAD)
        return SHOAL_OK;
    return evaluator_remember(solver->device, problem->search.objective, problem->search.dim,
                              problem->search.total, pso_device_method(solver)->evaluator, error);
}

/* Largest single swarm for which a step of one group takes less time than a launch for the whole device. */
enum { SMALL_COORDINATES = 16384 };

/* The fastest method in measurements: onchip for several swarms, or a small one; fused, which in one group is
 * fastest for a small swarm on a CPU; pipeline for the rest. */
static const struct method *method_by_rule(struct shoal_device *device, const struct pso_problem *problem)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const struct method *fused = &pso_fused_method.base, *onchip = &pso_onchip_method.base;
    struct shoal_error ignored;
    const bool fuses = !fused->fits(fused, problem, info, &ignored);
    const bool small = !info->is_cpu && problem->search.members * problem->search.dim <= SMALL_COORDINATES;
    if ((small || !fuses) && !onchip->fits(onchip, problem, info, &ignored))
        return onchip;
    return fuses ? fused
                 : &pso_pipeline_methods[evaluator_choose(device, problem->search.objective,
                                                          problem->search.dim, problem->search.total,
                                                          pso_algorithm.old_evaluator)]
                        .base;
}

/* Buffers ---------------------------------------------------------------------------------------------- */

void pso_list_arrays(struct shoal_solver *solver)
{
    struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    const size_t real = device->real, total = problem->search.total, islands = problem->search.islands,
                 dim = problem->search.dim;
    const size_t tile = solver->method.tile, tiles = tile ? pso_tiles(solver) : 0;
    const size_t words = islands * ISLAND_WORDS, reals = islands * ISLAND_REALS;
    const size_t recorded = (size_t)search_trace_count(&problem->params->search, device->steps) * islands;
    const double trace =
        (double)search_trace_count(&problem->params->search, problem->search.max_steps) * (double)islands;
    const double places = tiles ? (double)(tiles * tile) : (double)total;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED, KEPT = ARRAY_SAVE | ARRAY_ZERO };
    const struct array list[] = {
        {&device->settings, (double)(pso_settings_bytes(device) / real), real},
        {&device->x, places * (double)dim, real, TILES, "x", total * dim},
        {&device->v, places * (double)dim, real, TILES, "v", total * dim},
        {&device->p, places * (double)dim, real, TILES, "p", total * dim},
        {&device->best, places, real, TILES, "best", total},
        {&device->words, (double)words, sizeof(uint32_t), KEPT, "words", words},
        {&device->reals, (double)reals, real, KEPT, "reals", reals},
        {&device->champion, (double)islands * (double)dim, real, KEPT, "champion", islands * dim},
        {&device->trace, fmax(trace, 1), real, KEPT, "trace", recorded},
    };
    device->arrays.queue = solver->queue;
    device->arrays.items = total;
    device->arrays.tile = tile;
    device->arrays.tiles = tiles;
    ARRAYS_SET(&device->arrays, list);
}

static void list_outcome(struct pso_device *device)
{
    const struct pso_problem *problem = &device->problem;
    const double runs = (double)problem->search.runs;
    const double trace =
        (double)search_trace_count(&problem->params->search, problem->search.max_steps) * runs;
    const struct array list[] = {
        {&device->best_out, runs, sizeof *device->best_out},
        {&device->position_out, runs * (double)problem->search.dim, sizeof *device->position_out},
        {&device->ended_out, runs, sizeof *device->ended_out},
        {&device->reached_out, runs, sizeof *device->reached_out},
        {&device->trace_out, fmax(trace, 1), sizeof *device->trace_out},
    };
    ARRAYS_SET(&device->outcome, list);
}

/* Before anything is built. */
static enum shoal_status check_memory(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    char what[64];
    pso_list_arrays(solver);
    snprintf(what, sizeof what, "%zu particles of dim %zu", device->problem.search.total,
             device->problem.search.dim);
    return arrays_check(&device->arrays, 0, what, "lower --particles, --swarms, --runs or --dim", error);
}

/* The method has set the tiles. */
static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    pso_list_arrays(solver);
    list_outcome(device);
    enum shoal_status status = arrays_create(&device->arrays, error);
    return status ? status : arrays_create(&device->outcome, error);
}

enum shoal_status pso_device_resize(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    const size_t places = pso_tiles(solver) * solver->method.tile,
                 row = device->problem.search.dim * device->real;
    struct shoal_buffer **const own[] = {&device->x, &device->v, &device->p, &device->best};
    struct shoal_buffer *other[] = {NULL, NULL, NULL, NULL};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < COUNT(own) && !status; i++)
        status = shoal_buffer_create(solver->device, places * (i < 3 ? row : device->real), &other[i], error);
    for (size_t i = 0; i < COUNT(own); i++) {
        struct shoal_buffer *unused = status ? other[i] : *own[i];
        if (!status)
            *own[i] = other[i];
        shoal_buffer_destroy(&unused);
    }
    return status;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_pso_params *params = pso_params(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    struct pso_device *device = calloc(1, sizeof *device);
    solver->state = device;
    if (!device)
        return fail_host_memory(error);
    if (params->search.precision == SHOAL_FP64 && !info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision: use --precision fp32",
                    info->id, info->name);
    device->precision = (enum shoal_precision)params->search.precision;
    device->real = device->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    enum shoal_status status = pso_problem_create(solver->device->shoal, params, &device->problem, error);
    if (!status)
        status = check_memory(solver, error);
    if (!status)
        set_choice(&device->problem, &solver->choice);
    if (!status)
        status =
            method_choose(solver->device, &solver->choice, method_by_rule(solver->device, &device->problem),
                          &solver->method.method, error);
    if (!status)
        status = objective_kernel_text(device->problem.search.objective, &solver->programs.text, error);
    if (!status)
        status = method_create(solver, error);
    if (!status)
        status = allocate(solver, error);
    if (!status && params->search.polish)
        status = pso_polisher_create(solver, error);
    if (!status)
        status = pso_settings_write(solver, error);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct pso_device *device = pso_device_of(solver);
    if (!device)
        return;
    /* Buffers may be destroyed only when no command uses them; errors of these commands do not matter any
     * more. */
    struct shoal_error ignored;
    if (solver->queue && shoal_queue_finish(solver->queue, &ignored))
        device->drawn = false;
    pso_polisher_destroy(&device->polisher);
    method_destroy(solver);
    arrays_destroy(&device->arrays);
    arrays_destroy(&device->outcome);
    search_summary_free(&device->summary);
    search_polish_destroy(&device->polish);
    search_problem_destroy(&device->problem.search);
    free(device);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status draw(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    enum shoal_status status = arrays_zero(&device->arrays, error);
    if (!status)
        status = solver->method.method->begin(solver, error);
    return status;
}

/* The device ends runs by itself; reads back whether all have ended, and when. */
static enum shoal_status look_for_end(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    const size_t islands = device->problem.search.islands;
    enum shoal_status status =
        pso_device_method(solver)->collect ? pso_device_method(solver)->collect(solver, error) : SHOAL_OK;
    if (status)
        return status;
    uint32_t *words = malloc(islands * ISLAND_WORDS * sizeof *words);
    if (!words)
        return fail_host_memory(error);
    status = shoal_buffer_read(solver->queue, device->words, 0, words, islands * ISLAND_WORDS * sizeof *words,
                               error);
    bool ended = true;
    uint32_t steps_done = 0;
    for (size_t k = 0; k < islands && !status; k++) {
        const uint32_t *own = words + k * ISLAND_WORDS;
        ended = ended && own[ISLAND_ENDED];
        steps_done = own[ISLAND_STEPS] > steps_done ? own[ISLAND_STEPS] : steps_done;
    }
    free(words);
    if (!status && ended) {
        device->ended = true;
        device->steps = steps_done;
    }
    return status;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    enum shoal_status status = solver->method.method->advance(solver, steps, error);
    if (!status)
        device->steps += steps;
    if (!status && search_can_end_early(&device->problem.search))
        status = look_for_end(solver, error);
    /* A longer run has another end. */
    search_polish_destroy(&device->polish);
    return status;
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    const struct schedule schedule = {.steps = device->problem.search.max_steps,
                                      .begun = &device->drawn,
                                      .done = &device->steps,
                                      .begin = draw,
                                      .advance = advance};
    return schedule_step(solver, &schedule, device->ended ? 0 : steps, done, error);
}

static bool recorded(const struct shoal_solver *solver, uint64_t index, void *sample)
{
    const struct pso_device *device = pso_device_of(solver);
    return search_trace_sample(&device->problem.search, &device->summary, index, sample);
}

/* Measured over 20 seeds, rounding grows by half an epsilon a step (Rosenbrock, whose bests lie close
 * together, by three): 16 is a margin for other compilers. Valid for tens of steps, until trajectories
 * diverge. */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    double epsilon = pso_device_of(solver)->precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    return 16 * epsilon * ((double)steps + 1);
}

const struct shoal_solver_ops pso_device_ops = {
    .kind = "device",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = step,
    .result = pso_device_result,
    .value = pso_device_value,
    .recorded = recorded,
    .save = pso_device_save,
    .load = pso_device_load,
    .state_count = pso_device_state_count,
    .get_state = pso_device_get_state,
    .tolerance = tolerance,
    .remember = remember,
};
