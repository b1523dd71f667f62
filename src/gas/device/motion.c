/* Integration of the particles by given forces: launches of cl/gas/device/motion.cl. */
#include "gas/device/motion.h"
#include "base/error.h"
#include "gas/model/thermostat.h"

#include <math.h>
#include <stdlib.h>

/* Groups of a sum; each writes one partial sum. */
enum { SUM_GROUPS = 128, SUM_BYTES = 8 };

enum kernel { ADVANCE, KICK_BACK, KINETIC, LIMIT_MEAN, RESCALE, SCALE, EXCHANGE_SUM, KERNELS };

struct gas_motion {
    struct shoal_kernel *kernels[KERNELS];
    struct shoal_buffer *sums;
};

size_t gas_exchange_entries(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    const bool has_heat = params->thermostat == SHOAL_GAS_LANGEVIN || params->limiter != SHOAL_GAS_NO_LIMITER;
    return EXCHANGE_ENTRIES(problem->any_wall, has_heat, problem->dim);
}

/* Places in the exchange; a gas whose steps exchange nothing has one, for the rescaling. */
static size_t exchange_places(const struct gas_device *device)
{
    return gas_exchange_entries(&device->problem) ? device->problem.n : 1;
}

enum shoal_status gas_motion_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct gas_motion *motion = device->motion = calloc(1, sizeof *motion);
    struct defines defines = {.count = 0};
    if (!motion)
        return fail_host_memory(error);
    struct shoal_kernel **const own = motion->kernels;
    const struct entry_kernel kernels[KERNELS] = {
        {"gas_advance", &own[ADVANCE]},          {"gas_kick_back", &own[KICK_BACK]},
        {"gas_kinetic", &own[KINETIC]},          {"gas_limit_mean", &own[LIMIT_MEAN]},
        {"gas_rescale", &own[RESCALE]},          {"gas_scale", &own[SCALE]},
        {"gas_exchange_sum", &own[EXCHANGE_SUM]}};
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    enum shoal_status status =
        programs_build(&solver->programs, &gas_motion_program, &defines, kernels, KERNELS, NULL, error);
    if (!status)
        status = shoal_buffer_create(solver->device, (size_t)SUM_GROUPS * SUM_BYTES, &motion->sums, error);
    return status;
}

void gas_motion_destroy(struct shoal_solver *solver)
{
    struct gas_motion *motion = gas_device_of(solver)->motion;
    if (!motion)
        return;
    shoal_buffer_destroy(&motion->sums);
    free(motion);
    gas_device_of(solver)->motion = NULL;
}

#define LAUNCH(kernel, groups, args)                                                                         \
    shoal_launch(solver->queue, gas_device_of(solver)->motion->kernels[kernel], groups, args,                \
                 sizeof args / sizeof *args, NULL, error)

static uint32_t count_of(const struct gas_device *device)
{
    return (uint32_t)device->problem.n;
}

/* Groups of a launch with a work-item for each particle. */
static size_t all(const struct gas_device *device, enum kernel kernel)
{
    return shoal_kernel_groups(device->motion->kernels[kernel], device->problem.n);
}

enum shoal_status gas_kick_back(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct shoal_arg args[] = {shoal_arg_buffer(device->position), shoal_arg_buffer(device->velocity),
                                     shoal_arg_buffer(device->acceleration),
                                     shoal_arg_buffer(device->settings), shoal_arg_uint(count_of(device))};
    return LAUNCH(KICK_BACK, all(device, KICK_BACK), args);
}

enum shoal_status gas_advance(struct shoal_solver *solver, uint64_t steps_done, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->position),     shoal_arg_buffer(device->velocity),
        shoal_arg_buffer(device->acceleration), shoal_arg_buffer(device->id),
        shoal_arg_buffer(device->image),        shoal_arg_buffer(device->exchange),
        shoal_arg_buffer(device->words),        shoal_arg_buffer(device->settings),
        shoal_arg_uint(count_of(device)),       shoal_arg_uint((uint32_t)(steps_done + 1))};
    return shoal_launch(solver->queue, device->motion->kernels[ADVANCE], all(device, ADVANCE), args,
                        sizeof args / sizeof *args, gas_sample_last(&device->samples), error);
}

/* Computes `*groups` partial sums of squared velocities. */
static enum shoal_status find_kinetic(struct shoal_solver *solver, uint32_t *groups,
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t wanted = all(device, KINETIC);
    *groups = wanted < SUM_GROUPS ? (uint32_t)wanted : SUM_GROUPS;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->position),     shoal_arg_buffer(device->velocity),
        shoal_arg_buffer(device->acceleration), shoal_arg_buffer(device->motion->sums),
        shoal_arg_buffer(device->settings),     shoal_arg_uint(count_of(device))};
    return LAUNCH(KINETIC, *groups, args);
}

enum shoal_status gas_find_limit(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    uint32_t groups;
    enum shoal_status status = find_kinetic(solver, &groups, error);
    if (status)
        return status;
    const struct shoal_arg args[] = {shoal_arg_buffer(device->motion->sums), shoal_arg_buffer(device->words),
                                     shoal_arg_buffer(device->settings), shoal_arg_uint(groups),
                                     shoal_arg_uint(count_of(device))};
    return LAUNCH(LIMIT_MEAN, 1, args);
}

enum shoal_status gas_rescale(struct shoal_solver *solver, uint64_t steps_done, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_rescaling rescaling = gas_rescale_draw(&device->problem, steps_done);
    uint32_t groups;
    enum shoal_status status = find_kinetic(solver, &groups, error);
    if (status)
        return status;
    const struct shoal_arg factor_args[] = {
        shoal_arg_buffer(device->motion->sums), shoal_arg_buffer(device->exchange),
        shoal_arg_buffer(device->settings),     shoal_arg_uint(groups),
        shoal_arg_real(rescaling.keep),         shoal_arg_real(rescaling.change),
        shoal_arg_real(rescaling.normal),       shoal_arg_real(rescaling.squares),
        shoal_arg_real(rescaling.temperature)};
    status = LAUNCH(RESCALE, 1, factor_args);
    if (status)
        return status;
    const struct shoal_arg scale_args[] = {
        shoal_arg_buffer(device->position),     shoal_arg_buffer(device->velocity),
        shoal_arg_buffer(device->acceleration), shoal_arg_buffer(device->motion->sums),
        shoal_arg_buffer(device->settings),     shoal_arg_uint(count_of(device))};
    return LAUNCH(SCALE, all(device, SCALE), scale_args);
}

/* Exchange --------------------------------------------------------------------------------------------- */

/* A rescaling acts in every equilibration too. */
static bool is_exchanging(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    return gas_exchange_entries(problem) || params->thermostat == SHOAL_GAS_RESCALE || params->equilibration;
}

enum shoal_status gas_exchange_sum(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t first,
                                   struct gas_exchange_sums *sums, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t of_place = gas_exchange_entries(&device->problem), places = exchange_places(device);
    const size_t wanted = shoal_kernel_groups(device->motion->kernels[EXCHANGE_SUM], places);
    *sums = (struct gas_exchange_sums){first, 0, wanted < EXCHANGE_GROUPS ? wanted : EXCHANGE_GROUPS};
    if (!is_exchanging(&device->problem))
        return SHOAL_OK;
    sums->entries = of_place ? of_place : 1;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->exchange),      shoal_arg_buffer(buffer),
        shoal_arg_uint((uint32_t)first),         shoal_arg_uint((uint32_t)places),
        shoal_arg_uint((uint32_t)sums->entries), shoal_arg_uint((uint32_t)sums->groups)};
    return LAUNCH(EXCHANGE_SUM, sums->entries * sums->groups, args);
}

void gas_exchange_total(const struct gas_device *device, const struct gas_exchange_sums *sums,
                        const void *parts, double *heat, double impulse[GAS_MAX_DIM][2])
{
    double totals[MOST_EXCHANGED] = {0};
    for (size_t e = 0; e < sums->entries; e++)
        for (size_t g = 0; g < sums->groups; g++)
            totals[e] += gas_sum_at(device, parts, sums->first + e * sums->groups + g);
    *heat = totals[EXCHANGE_HEAT];
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        for (size_t side = 0; side < 2; side++)
            impulse[k][side] = totals[EXCHANGE_IMPULSE(k, side)];
}
