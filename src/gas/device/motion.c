/* Integration of the particles by given forces: launches of cl/gas/device/motion.cl. */
#include "gas/device/motion.h"
#include "base/error.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "gas/model/thermostat.h"

#include <math.h>
#include <stdlib.h>

/* SUM_GROUPS, on CPUs CPU_SUM_GROUPS: most work-groups that compute a sum, each of which writes a partial sum
 * of SUM_BYTES bytes. On a GPU each work-item adds few numbers, one after the other: 8192 work-items took
 * 59 us for the kinetic energy of 1,048,576 particles on an H200, since every number waits for memory. */
enum { SUM_GROUPS = 512, CPU_SUM_GROUPS = 128, SUM_BYTES = 8 };

enum kernel {
    ADVANCE,
    KICK_BACK,
    KINETIC,
    RESCALE_FACTOR,
    CHAIN_FACTOR,
    SCALE,
    RESIZE,
    EXCHANGE_SUM,
    KERNELS
};

struct gas_motion {
    struct shoal_kernel *kernels[KERNELS], *limit_mean; /* limit_mean: NULL unless a limiter needs the mean */
    struct shoal_buffer *sums;
};

void gas_sum_defines(const struct shoal_solver *solver, struct defines *defines)
{
    enum { GPU_WORK_GROUP = 256 };
    if (!is_plain_cpu(solver->device))
        define_add(defines, "WG", GPU_WORK_GROUP);
}

size_t gas_exchange_entries(const struct gas_problem *problem)
{
    const bool has_heat = problem->params->thermostat == SHOAL_GAS_LANGEVIN || problem->rules.limit;
    return EXCHANGE_ENTRIES(problem->any_wall, has_heat, problem->dim);
}

/* Number of places in the exchange: n, or 1 if only rescalings exchange heat, for which one entry is enough.
 */
static size_t exchange_places(const struct gas_device *device)
{
    return gas_exchange_entries(&device->problem) ? device->problem.n : 1;
}

/* Builds the kernel that computes the limit of kinetic energies from their mean, with the work-group size of
 * the other kernels. */
static enum shoal_status build_limit_mean(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_motion *motion = gas_device_of(solver)->motion;
    const struct entry_kernel kernel = {"gas_limit_mean", &motion->limit_mean};
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    define_add(&defines, "WG", shoal_kernel_work_group(motion->kernels[KINETIC]));
    return programs_build(&solver->programs, gas_device_of(solver)->problem.rules.mean, &defines, &kernel, 1,
                          NULL, error);
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
        {"gas_advance", &own[ADVANCE]},    {"gas_kick_back", &own[KICK_BACK]},
        {"gas_kinetic", &own[KINETIC]},    {"gas_rescale", &own[RESCALE_FACTOR]},
        {"gas_chain", &own[CHAIN_FACTOR]}, {"gas_scale", &own[SCALE]},
        {"gas_resize", &own[RESIZE]},      {"gas_exchange_sum", &own[EXCHANGE_SUM]}};
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    gas_sum_defines(solver, &defines);
    enum shoal_status status =
        programs_build(&solver->programs, &gas_motion_program, &defines, kernels, KERNELS, NULL, error);
    if (!status && device->problem.rules.mean)
        status = build_limit_mean(solver, error);
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

static uint32_t count_of(const struct gas_device *device)
{
    return (uint32_t)device->problem.n;
}

/* Number of work-groups of a launch of `kernel` with a work-item for each particle. */
static size_t all(const struct gas_device *device, enum kernel kernel)
{
    return shoal_kernel_groups(device->motion->kernels[kernel], device->problem.n);
}

enum shoal_status gas_kick_back(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    return LAUNCH(gas_kick_back, solver->queue, device->motion->kernels[KICK_BACK], all(device, KICK_BACK),
                  error, .position = device->position, .velocity = device->velocity,
                  .acceleration = device->acceleration, .settings = device->settings, .n = count_of(device));
}

enum shoal_status gas_advance(struct shoal_solver *solver, uint64_t steps_done, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct shoal_kernel *kernel = device->motion->kernels[ADVANCE];
    const struct gas_range own = gas_own_range(solver);
    return LAUNCH_EVENT(gas_advance, solver->queue, kernel, shoal_kernel_groups(kernel, gas_count(own)),
                        gas_sample_last(&device->samples), error, .position = device->position,
                        .velocity = device->velocity, .acceleration = device->acceleration, .ids = device->id,
                        .image = device->image, .exchange = device->exchange, .words = device->words,
                        .settings = device->settings, .begin = own.begin, .end = own.end,
                        .step = (uint32_t)(steps_done + 1));
}

/* Enqueues the computation of `*groups` partial sums of the squared velocities. */
static enum shoal_status find_kinetic(struct shoal_solver *solver, uint32_t *groups,
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t wanted = all(device, KINETIC),
                 most = is_plain_cpu(solver->device) ? CPU_SUM_GROUPS : SUM_GROUPS;
    *groups = (uint32_t)(wanted < most ? wanted : most);
    return LAUNCH(gas_kinetic, solver->queue, device->motion->kernels[KINETIC], *groups, error,
                  .position = device->position, .velocity = device->velocity,
                  .acceleration = device->acceleration, .sums = device->motion->sums,
                  .settings = device->settings, .n = count_of(device));
}

enum shoal_status gas_find_limit(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    uint32_t groups;
    enum shoal_status status = find_kinetic(solver, &groups, error);
    if (status)
        return status;
    return device->problem.rules.launch_mean(solver, device->motion->limit_mean, device->motion->sums, groups,
                                             error);
}

/* Enqueues the computation of the factor of the stochastic rescaling or of the chain from `groups` partial
 * sums of the squared velocities. words: as in gas_find_rescaling. */
static enum shoal_status find_factor(struct shoal_solver *solver, uint64_t steps_done,
                                     struct shoal_buffer *words, uint32_t groups, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct shoal_kernel **kernels = device->motion->kernels;
    if (gas_chain_acts(gas_params(solver), steps_done)) {
        const struct gas_chain_move move = gas_chain_move_at(&device->problem, steps_done);
        return LAUNCH(gas_chain, solver->queue, kernels[CHAIN_FACTOR], 1, error, .sums = device->motion->sums,
                      .exchange = device->exchange, .words = words, .chain = device->chain,
                      .settings = device->settings, .count = groups, .span = move.span,
                      .relaxation = move.relaxation, .temperature = move.temperature,
                      .degrees = move.degrees);
    }
    const struct gas_rescaling rescaling = gas_rescale_draw(&device->problem, steps_done);
    return LAUNCH(gas_rescale, solver->queue, kernels[RESCALE_FACTOR], 1, error, .sums = device->motion->sums,
                  .exchange = device->exchange, .words = words, .settings = device->settings, .count = groups,
                  .keep = rescaling.keep, .change = rescaling.change, .normal = rescaling.normal,
                  .squares = rescaling.squares, .temperature = rescaling.temperature);
}

enum shoal_status gas_find_rescaling(struct shoal_solver *solver, uint64_t steps_done,
                                     struct shoal_buffer *words, struct shoal_error *error)
{
    uint32_t groups;
    enum shoal_status status = find_kinetic(solver, &groups, error);
    return status ? status : find_factor(solver, steps_done, words, groups, error);
}

struct shoal_buffer *gas_rescaling_factor(const struct gas_device *device)
{
    return device->motion->sums;
}

enum shoal_status gas_scale(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    return LAUNCH(gas_scale, solver->queue, device->motion->kernels[SCALE], all(device, SCALE), error,
                  .position = device->position, .velocity = device->velocity,
                  .acceleration = device->acceleration, .sums = device->motion->sums,
                  .settings = device->settings, .n = count_of(device));
}

enum shoal_status gas_rescale(struct shoal_solver *solver, uint64_t steps_done, struct shoal_error *error)
{
    const enum shoal_status status = gas_find_rescaling(solver, steps_done, NULL, error);
    return status ? status : gas_scale(solver, error);
}

/* Box -------------------------------------------------------------------------------------------------- */

/* A launch of gas_resize leaves velocities of the full step, from which the kick by the forces in the new box
 * makes those of the state. */
enum shoal_status gas_resize(struct shoal_solver *solver, const double length[GAS_MAX_DIM],
                             struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct gas_method *method = gas_device_method(solver);
    struct gas_problem *problem = &device->problem;
    double factor[GAS_MAX_DIM];
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        factor[k] = length[k] / problem->length[k];
    gas_set_box(problem, length);
    enum shoal_status status =
        device->precision == SHOAL_GAS_DOUBLE ? SHOAL_OK : gas_check_grid(problem, error);
    /* The kernel needs the new lengths, by which it keeps positions of double precision inside the box. */
    if (!status)
        status = gas_fit_box(solver, error);
    if (!status)
        status = LAUNCH(gas_resize, solver->queue, device->motion->kernels[RESIZE], all(device, RESIZE),
                        error, .position = device->position, .velocity = device->velocity,
                        .acceleration = device->acceleration, .settings = device->settings,
                        .n = count_of(device), .x = factor[0], .y = factor[1], .z = factor[2]);
    if (!status && method->moved)
        method->moved(solver, INFINITY);
    /* A measurement follows, which needs the energies, too. */
    if (!status)
        status = method->forces(solver, method->keeps_energies, error);
    return status ? status : gas_kick_back(solver, error);
}

/* Exchange --------------------------------------------------------------------------------------------- */

/* Whether particles exchange heat or impulse with walls or a thermostat at any step of the run. An
 * equilibration always does: its thermostat rescales velocities. */
static bool is_exchanging(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    return gas_exchange_entries(problem) || gas_scales_velocities(params) || params->equilibration;
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
    return LAUNCH(gas_exchange_sum, solver->queue, device->motion->kernels[EXCHANGE_SUM],
                  sums->entries * sums->groups, error, .exchange = device->exchange, .sums = buffer,
                  .first = (uint32_t)first, .places = (uint32_t)places, .entries = (uint32_t)sums->entries,
                  .groups = (uint32_t)sums->groups);
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
