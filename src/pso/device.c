/* The swarm on a device: kernels, buffers, launches. The mathematics is in cl/pso/swarm.cl. */
#include "pso/device.h"
#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of one launch of a single group: long enough to hide the launch, short enough (some 20 ms) for a
 * display that shares the device. */
enum { STEPS_IN_LAUNCH = 4096 };

static enum shoal_status build(struct shoal_solver *solver, const struct pso_plan *plan,
                               struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    struct shoal_define defines[] = {{"FUNCTION", pso_params(solver)->function},
                                     {"ITEMS", plan->items},
                                     {"REAL", swarm->precision == SHOAL_FP64 ? 64 : 32},
                                     {"SLICES", plan->slices},
                                     {"WG", plan->work_group}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = solver->variant;
    params.defines = defines;
    params.define_count = sizeof defines / sizeof *defines;
    /* A measured size is better than the plan's, but one group must hold the swarm. */
    int64_t tuned;
    if (!plan->one_group && shoal_tuning_get(solver->device, pso_program.name, "WG", &tuned))
        params.define_count--;
    enum shoal_status status =
        shoal_program_create(solver->device, &pso_program, &params, &swarm->program, error);
    if (!status)
        status = shoal_kernel_create(swarm->program, "pso_init", &swarm->init, error);
    if (!status)
        status = shoal_kernel_create(swarm->program, "pso_step", &swarm->step, error);
    return status;
}

/* As LANES and TILE in the kernel file. */
static void lay_out(struct pso_swarm *swarm, const struct pso_plan *plan)
{
    size_t work_group = shoal_kernel_work_group(swarm->step);
    size_t lanes = plan->slices < work_group ? plan->slices : work_group;
    swarm->tile = work_group / lanes * plan->items;
    swarm->tiles = (swarm->particles + swarm->tile - 1) / swarm->tile;
    swarm->one_group = plan->one_group;
    swarm->groups = plan->one_group ? 1 : swarm->tiles < plan->max_groups ? swarm->tiles : plan->max_groups;
}

static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    const struct shoal_pso_params *params = pso_params(solver);
    size_t padded = swarm->tiles * swarm->tile, coordinates = padded * swarm->dim;
    size_t trace = (size_t)pso_trace_count(params, params->iterations);
    struct {
        struct shoal_buffer **buffer;
        size_t bytes;
    } buffers[] = {
        {&swarm->x, coordinates * swarm->real},
        {&swarm->v, coordinates * swarm->real},
        {&swarm->p, coordinates * swarm->real},
        {&swarm->best, padded * swarm->real},
        {&swarm->group_value, 2 * swarm->groups * swarm->real},
        {&swarm->group_index, 2 * swarm->groups * sizeof(uint32_t)},
        {&swarm->group_position, 2 * swarm->groups * swarm->dim * swarm->real},
        {&swarm->done, 2 * sizeof(uint32_t)},
        {&swarm->trace, (trace ? trace : 1) * swarm->real},
    };
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !status; i++)
        status = shoal_buffer_create(solver->device, buffers[i].bytes, buffers[i].buffer, error);
    if (status)
        return status;
    swarm->position = calloc(swarm->dim, sizeof *swarm->position);
    swarm->trace_out = calloc(trace ? trace : 1, sizeof *swarm->trace_out);
    return swarm->position && swarm->trace_out ? SHOAL_OK : fail_host_memory(error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_pso_params *params = pso_params(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    struct pso_swarm *swarm = calloc(1, sizeof *swarm);
    solver->state = swarm;
    if (!swarm)
        return fail_host_memory(error);
    if (params->precision == SHOAL_FP64 && !info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision: use precision fp32", info->id,
                    info->name);
    swarm->particles = (size_t)params->particles;
    swarm->dim = (size_t)params->dim;
    swarm->precision = (enum shoal_precision)params->precision;
    swarm->real = swarm->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    struct pso_plan plan = pso_plan_make(info, params->particles, params->dim);
    enum shoal_status status = build(solver, &plan, error);
    if (status)
        return status;
    lay_out(swarm, &plan);
    return allocate(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct pso_swarm *swarm = solver->state;
    if (!swarm)
        return;
    /* Buffers may go only when no command uses them; how the commands ended was or is of no more interest. */
    struct shoal_error ignored;
    if (solver->queue && shoal_queue_finish(solver->queue, &ignored))
        swarm->drawn = false;
    shoal_kernel_destroy(&swarm->init);
    shoal_kernel_destroy(&swarm->step);
    shoal_program_destroy(&swarm->program);
    struct shoal_buffer **buffers[] = {&swarm->x,
                                       &swarm->v,
                                       &swarm->p,
                                       &swarm->best,
                                       &swarm->group_value,
                                       &swarm->group_index,
                                       &swarm->group_position,
                                       &swarm->done,
                                       &swarm->trace};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    pso_free_copies(swarm);
    free(swarm->position);
    free(swarm->trace_out);
    free(swarm);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status launch_init(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    const struct shoal_pso_params *params = pso_params(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(swarm->x),
        shoal_arg_buffer(swarm->v),
        shoal_arg_buffer(swarm->p),
        shoal_arg_buffer(swarm->best),
        shoal_arg_buffer(swarm->group_value),
        shoal_arg_buffer(swarm->group_index),
        shoal_arg_buffer(swarm->group_position),
        shoal_arg_buffer(swarm->done),
        shoal_arg_ulong(params->seed),
        shoal_arg_uint((uint32_t)swarm->particles),
        shoal_arg_uint((uint32_t)swarm->dim),
        shoal_arg_real(pso_lower(params)),
        shoal_arg_real(pso_upper(params)),
    };
    return shoal_launch(solver->queue, swarm->init, swarm->groups, args, sizeof args / sizeof *args, NULL,
                        error);
}

static enum shoal_status launch_steps(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    const struct shoal_pso_params *params = pso_params(solver);
    enum { STEP = 12, STEPS = 13 };
    struct shoal_arg args[] = {
        shoal_arg_buffer(swarm->x),
        shoal_arg_buffer(swarm->v),
        shoal_arg_buffer(swarm->p),
        shoal_arg_buffer(swarm->best),
        shoal_arg_buffer(swarm->group_value),
        shoal_arg_buffer(swarm->group_index),
        shoal_arg_buffer(swarm->group_position),
        shoal_arg_buffer(swarm->done),
        shoal_arg_buffer(swarm->trace),
        shoal_arg_ulong(params->seed),
        shoal_arg_uint((uint32_t)swarm->particles),
        shoal_arg_uint((uint32_t)swarm->dim),
        [STEP] = shoal_arg_uint(0),
        [STEPS] = shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)params->trace),
        shoal_arg_real(params->inertia),
        shoal_arg_real(params->cognitive),
        shoal_arg_real(params->social),
        shoal_arg_real(pso_lower(params)),
        shoal_arg_real(pso_upper(params)),
        shoal_arg_real(isnan(params->target) ? -INFINITY : params->target),
    };
    uint64_t each = swarm->one_group ? STEPS_IN_LAUNCH : 1;
    while (steps) {
        uint64_t now = steps < each ? steps : each;
        args[STEP] = shoal_arg_uint((uint32_t)(swarm->steps + 1));
        args[STEPS] = shoal_arg_uint((uint32_t)now);
        enum shoal_status status = shoal_launch(solver->queue, swarm->step, swarm->groups, args,
                                                sizeof args / sizeof *args, NULL, error);
        if (status)
            return status;
        swarm->steps += now;
        steps -= now;
    }
    return SHOAL_OK;
}

/* The device stops by itself at the target; here is found out when. */
static enum shoal_status look_for_target(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    uint32_t done[2];
    enum shoal_status status = shoal_buffer_read(solver->queue, swarm->done, 0, done, sizeof done, error);
    if (status)
        return status;
    uint64_t made = done[0] > done[1] ? done[0] : done[1];
    swarm->reached = made < swarm->steps;
    swarm->steps = made;
    return SHOAL_OK;
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    const struct shoal_pso_params *params = pso_params(solver);
    if (!swarm->drawn) {
        enum shoal_status status = launch_init(solver, error);
        if (status)
            return status;
        swarm->drawn = true;
    }
    uint64_t before = swarm->steps, left = params->iterations - before;
    if (swarm->reached || !steps || !left)
        return SHOAL_OK;
    enum shoal_status status = launch_steps(solver, steps < left ? steps : left, error);
    if (!status && !isnan(params->target))
        status = look_for_target(solver, error);
    *done = swarm->steps - before;
    return status;
}

/* Measured over 20 seeds, rounding grows by half an epsilon a step (Rosenbrock, whose bests lie close
 * together, by three): 16 leaves room for other compilers. Holds for tens of steps, until particles part
 * ways. */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    const struct pso_swarm *swarm = solver->state;
    double epsilon = swarm->precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    return 16 * epsilon * ((double)steps + 1);
}

static double build_seconds(const struct shoal_solver *solver)
{
    const struct pso_swarm *swarm = solver->state;
    return shoal_program_build_seconds(swarm->program);
}

const struct shoal_solver_ops pso_device_ops = {
    .kind = "device",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = step,
    .result = pso_device_result,
    .save = pso_device_save,
    .load = pso_device_load,
    .state_count = pso_device_state_count,
    .get_state = pso_device_get_state,
    .tolerance = tolerance,
    .build_seconds = build_seconds,
};
