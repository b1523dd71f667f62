/* Runs of the thesis: macro cycles, then micro steps. Each of the two levels runs on the host or on a
 * device. */
#include "base/error.h"
#include "base/watchdog/watchdog.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "tsp/thesis/state.h"
#include "workload/result.h"

#include <stdlib.h>
#include <string.h>

struct thesis_run {
    /* must be the first member, since thesis_state_of casts a pointer to struct thesis_run */
    struct thesis_state state;
    struct thesis_level macro, micro;
    /* queue of the micro level, if it runs on another device than the macro level */
    struct shoal_queue *queue;
    struct programs programs;
    struct tsp_places places;
};

static struct thesis_run *run_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Finds the device that --micro-device names. *out is NULL if the micro level runs on the device of the macro
 * level. */
static enum shoal_status find_device(struct shoal_solver *solver, struct shoal_device **out,
                                     struct shoal_error *error)
{
    const char *name = tsp_params(solver)->thesis->micro_device;
    const struct shoal *shoal = device_shoal(solver->device);
    struct shoal_device *device = NULL;
    size_t count = 0;
    *out = NULL;
    if (!name)
        return SHOAL_OK;
    enum shoal_status status = shoal_device_select(shoal, name, 0, NULL, 0, &count, error);
    if (!status && count > 1)
        status = fail(error, SHOAL_INVALID, "--micro-device %s: these are %zu devices, not one", name, count);
    if (!status)
        status = shoal_device_select(shoal, name, 0, &device, 1, &count, error);
    if (!status && device != solver->device)
        *out = device;
    return status;
}

static enum shoal_status open_device(struct shoal_solver *solver, struct shoal_device *device,
                                     struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    run->micro.device = shoal_device_get_info(device)->is_host ? NULL : device;
    run->micro.queue = NULL;
    if (!run->micro.device)
        return SHOAL_OK;
    run->programs = (struct programs){.device = device, .variant = solver->programs.variant};
    run->micro.programs = &run->programs;
    run->micro.places = &run->places;
    enum shoal_status status = shoal_queue_create(device, 0, &run->queue, error);
    run->micro.queue = run->queue;
    return status ? status : tsp_places_create(tsp_problem_of(solver), run->queue, &run->places, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *tsp = tsp_run_of(solver);
    struct thesis_run *run = solver->method.state = calloc(1, sizeof *run);
    struct shoal_device *other;
    if (!run)
        return fail_host_memory(error);
    run->macro = run->micro = (struct thesis_level){.solver = solver,
                                                    .state = &run->state,
                                                    .device = solver->queue ? solver->device : NULL,
                                                    .queue = solver->queue,
                                                    .programs = &solver->programs,
                                                    .places = &tsp->places};
    enum shoal_status status = thesis_state_create(&tsp->problem, &run->state, error);
    if (!status)
        status = find_device(solver, &other, error);
    if (!status && other)
        status = open_device(solver, other, error);
    if (status)
        return status;
    run->macro.ops = run->macro.device ? &thesis_macro_device : &thesis_macro_host;
    run->micro.ops = run->micro.device ? &thesis_micro_device : &thesis_micro_host;
    status = run->macro.ops->create(&run->macro, error);
    return status ? status : run->micro.ops->create(&run->micro, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct thesis_run *run = run_of(solver);
    if (!run)
        return;
    if (run->macro.ops)
        run->macro.ops->destroy(&run->macro);
    if (run->micro.ops)
        run->micro.ops->destroy(&run->micro);
    tsp_places_destroy(&run->places);
    programs_destroy(&run->programs);
    shoal_queue_destroy(&run->queue);
    thesis_state_destroy(&run->state);
    free(run);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    const double start = queue_clock(solver->queue);
    thesis_state_begin(tsp_problem_of(solver), tsp_run_of(solver)->start_tour, &run->state);
    const enum shoal_status status =
        run->state.rules.macro_cycles ? run->macro.ops->begin(&run->macro, error) : SHOAL_OK;
    run->state.macro_s += queue_clock(solver->queue) - start;
    return status;
}

static enum shoal_status micro_step(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    struct thesis_state *state = &run->state;
    uint32_t *before = tsp_run_of(solver)->scratch;
    memcpy(before, state->tour, state->n * sizeof *before);
    thesis_rotate(state->tour, state->n,
                  thesis_turn(&state->rules, state->n, step - state->rules.macro_cycles));
    enum shoal_status status = thesis_record_begin(state, error);
    if (!status)
        status = run->micro.ops->step(&run->micro, step, error);
    if (status == SHOAL_STOPPED)
        memcpy(state->tour, before, state->n * sizeof *before);
    if (status)
        return status;
    thesis_state_joined(state, step, tsp_form_length(tsp_problem_of(solver), state->tour));
    return thesis_record_joint(state, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    struct thesis_state *state = &run->state;
    struct tsp_run *tsp = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = tsp->steps, end = step + steps; step < end && !status; step++) {
        const bool is_macro = thesis_is_macro(&state->rules, step);
        const struct shoal_queue *queue = is_macro ? run->macro.queue : run->micro.queue;
        const double start = queue_clock(queue);
        long_step_begin(&tsp->cut);
        status = is_macro ? run->macro.ops->step(&run->macro, step, error) : micro_step(solver, step, error);
        *(is_macro ? &state->macro_s : &state->micro_s) += queue_clock(queue) - start;
        if (status)
            tsp->dropped = end - step;
        if (status == SHOAL_STOPPED && long_step_is_cut(&tsp->cut))
            return SHOAL_OK;
    }
    return status;
}

static enum shoal_status look(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error)
{
    (void)error;
    *look = run_of(solver)->state.look;
    return SHOAL_OK;
}

static enum shoal_status tour(struct shoal_solver *solver, uint32_t *out, struct shoal_error *error)
{
    const struct thesis_state *state = &run_of(solver)->state;
    (void)error;
    memcpy(out, state->tour, state->n * sizeof *out);
    return SHOAL_OK;
}

/* State ------------------------------------------------------------------------------------------------ */

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    thesis_state_save(&run->state, checkpoint);
    return run->state.rules.macro_cycles ? run->macro.ops->save(&run->macro, checkpoint, error) : SHOAL_OK;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct thesis_run *run = run_of(solver);
    const enum shoal_status status = thesis_state_load(tsp_run_of(solver), &run->state, checkpoint, error);
    return status || !run->state.rules.macro_cycles ? status
                                                    : run->macro.ops->load(&run->macro, checkpoint, error);
}

/* Returns the number of values that `shoal verify` compares: the cities of the best tour, in the order of the
 * tour. */
static size_t state_count(const struct shoal_solver *solver)
{
    return run_of(solver)->state.n;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct thesis_state *state = &run_of(solver)->state;
    (void)error;
    for (uint32_t i = 0; i < state->n; i++)
        values[i] = state->tour[i];
    return SHOAL_OK;
}

static void add_fields(const struct shoal_solver *solver, struct shoal_result *result)
{
    const struct thesis_state *state = &run_of(solver)->state;
    result_add_real(result, "macro_time", "s", state->macro_s);
    result_join_real(result, "micro_time", "s", state->micro_s);
}

/* Returns how many cities ants of the host have visited. A device makes no progress that the host sees within
 * a step, since the host waits for its queue. */
static uint64_t progress(const struct shoal_solver *solver)
{
    const struct thesis_run *run = run_of(solver);
    return run->micro.device ? WORKER_IS_ELSEWHERE
                             : atomic_load_explicit(&run->state.visited, memory_order_relaxed);
}

#define SHARED                                                                                               \
    .look = look, .tour = tour, .state_count = state_count, .get_state = get_state, .add_fields = add_fields
#define BASE(name_)                                                                                          \
    {                                                                                                        \
        .name = name_, .create = create, .destroy = destroy, .begin = begin, .advance = advance,             \
        .save = save, .load = load                                                                           \
    }

const struct tsp_method thesis_host_method = {.base = BASE("host"), SHARED, .progress = progress};
const struct tsp_method thesis_device_method = {.base = BASE("device"), SHARED};
