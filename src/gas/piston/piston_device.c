/* The piston on a device: launches of cl/gas/device/piston.cl. */
#include "gas/piston/piston_device.h"
#include "base/error.h"
#include "compute/launch.h"
#include "gas/piston/piston.h"

#include <math.h>
#include <stdlib.h>

/* SUM_GROUPS: most work-groups that add up depths. */
enum { SUM_GROUPS = 128 };

struct gas_piston_device {
    struct shoal_kernel *sums_kernel, *move_kernel;
    struct shoal_buffer *sums; /* [groups] of long */
    size_t groups;
    double saved[PISTON_NUMBERS]; /* section of the checkpoint that is being written */
};

enum shoal_status gas_piston_start(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct defines defines = {.count = 0};
    if (!device->problem.piston.acts)
        return SHOAL_OK;
    struct gas_piston_device *piston = device->piston = calloc(1, sizeof *piston);
    if (!piston)
        return fail_host_memory(error);
    const struct entry_kernel kernels[] = {{"gas_piston_sums", &piston->sums_kernel},
                                           {"gas_piston_move", &piston->move_kernel}};
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    enum shoal_status status = programs_build(&solver->programs, &gas_piston_program, &defines, kernels,
                                              sizeof kernels / sizeof *kernels, NULL, error);
    if (status)
        return status;
    const size_t wanted = shoal_kernel_groups(piston->sums_kernel, device->problem.n);
    piston->groups = wanted < SUM_GROUPS ? wanted : SUM_GROUPS;
    return shoal_buffer_create(solver->device, piston->groups * sizeof(int64_t), &piston->sums, error);
}

void gas_piston_destroy(struct shoal_solver *solver)
{
    struct gas_device *device = gas_device_of(solver);
    if (device->piston)
        shoal_buffer_destroy(&device->piston->sums);
    free(device->piston);
    device->piston = NULL;
}

static enum shoal_status add_depths(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_piston_device *piston = device->piston;
    return LAUNCH(gas_piston_sums, solver->queue, piston->sums_kernel, piston->groups, error,
                  .position = device->position, .sums = piston->sums, .settings = device->settings,
                  .n = (uint32_t)device->problem.n);
}

/* Splits a number into one that is exact in the format of the settings, and the rest. */
static void split(const struct gas_device *device, double value, double parts[2])
{
    parts[0] = device->precision == SHOAL_GAS_DOUBLE ? value : (double)(float)value;
    parts[1] = value - parts[0];
}

enum shoal_status gas_piston_place(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct gas_piston *piston = &device->problem.piston;
    double numbers[PISTON_NUMBERS] = {0};
    if (!device->piston)
        return SHOAL_OK;
    if (device->precision == SHOAL_GAS_DOUBLE) {
        numbers[PISTON_PLACE] = piston->now.place;
    } else {
        const double steps = piston->now.place / gas_grid_unit(&device->problem, piston->axis);
        const uint32_t place = BOX_BEGIN + (uint32_t)rint(steps);
        numbers[PISTON_PLACE] = place >> 16;
        numbers[PISTON_PLACE + 1] = place & 65535u;
        numbers[PISTON_REST] = steps - rint(steps);
    }
    split(device, piston->now.speed, numbers + PISTON_SPEED);
    split(device, piston->now.work, numbers + PISTON_WORK);
    const uint32_t words[] = {0, UINT32_MAX}; /* WORD_PISTON, WORD_PISTON_END */
    enum shoal_status status = gas_settings_put(solver, SET_PISTON, PISTON_NUMBERS, numbers, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->words, WORD_PISTON * sizeof *words, words,
                                    sizeof words, error);
    if (!status)
        status = add_depths(solver, error);
    return status ? status : gas_piston_read(solver, error);
}

enum shoal_status gas_piston_follow(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_piston_device *piston = device->piston;
    if (!piston)
        return SHOAL_OK;
    enum shoal_status status =
        LAUNCH(gas_piston_move, solver->queue, piston->move_kernel, 1, error, .sums = piston->sums,
               .settings = device->settings, .words = device->words, .groups = (uint32_t)piston->groups,
               .step = (uint32_t)step, .moves = !gas_is_equilibrating(&device->common));
    return status ? status : add_depths(solver, error);
}

static enum shoal_status read_numbers(const struct shoal_solver *solver, double numbers[PISTON_NUMBERS],
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const bool is_double = device->precision == SHOAL_GAS_DOUBLE;
    const size_t bytes = is_double ? sizeof(double) : sizeof(float);
    float narrow[PISTON_NUMBERS];
    enum shoal_status status =
        shoal_buffer_read(solver->queue, device->settings, SET_PISTON * bytes,
                          is_double ? (void *)numbers : narrow, PISTON_NUMBERS * bytes, error);
    for (size_t i = 0; i < PISTON_NUMBERS && !status && !is_double; i++)
        numbers[i] = (double)narrow[i];
    return status;
}

/* The state that numbers of the device mean. */
static struct gas_piston_state state_of(const struct gas_device *device, const double numbers[PISTON_NUMBERS])
{
    const size_t axis = device->problem.piston.axis;
    const double steps = 65536 * numbers[PISTON_PLACE] + numbers[PISTON_PLACE + 1] - BOX_BEGIN;
    return (struct gas_piston_state){.place = device->precision == SHOAL_GAS_DOUBLE
                                                  ? numbers[PISTON_PLACE]
                                                  : (steps + numbers[PISTON_REST]) *
                                                        gas_grid_unit(&device->problem, axis),
                                     .speed = numbers[PISTON_SPEED] + numbers[PISTON_SPEED + 1],
                                     .work = numbers[PISTON_WORK] + numbers[PISTON_WORK + 1]};
}

enum shoal_status gas_piston_read(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct gas_problem *problem = &device->problem;
    const double length = problem->length[problem->piston.axis];
    double numbers[PISTON_NUMBERS], sum = 0;
    uint32_t end;
    int64_t sums[SUM_GROUPS];
    if (!device->piston)
        return SHOAL_OK;
    enum shoal_status status = read_numbers(solver, numbers, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->piston->sums, 0, sums,
                                   device->piston->groups * sizeof *sums, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->words, WORD_PISTON_END * sizeof end, &end,
                                   sizeof end, error);
    if (status)
        return status;
    for (size_t g = 0; g < device->piston->groups; g++)
        sum += (double)sums[g];
    problem->piston.now = state_of(device, numbers);
    problem->piston.force =
        problem->wall_stiffness * sum *
        (device->precision == SHOAL_GAS_DOUBLE ? length / (double)PISTON_STEPS
                                               : gas_grid_unit(problem, problem->piston.axis));
    return end == UINT32_MAX ? SHOAL_OK : gas_piston_fail(problem, end, error);
}

enum shoal_status gas_piston_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct gas_piston_device *piston = gas_device_of(solver)->piston;
    if (!piston)
        return SHOAL_OK;
    checkpoint_add(checkpoint, "piston", piston->saved, sizeof piston->saved);
    return read_numbers(solver, piston->saved, error);
}

enum shoal_status gas_piston_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    double numbers[PISTON_NUMBERS];
    if (!device->piston)
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, "piston", numbers, sizeof numbers, error);
    if (status)
        return status;
    const struct gas_piston_state state = state_of(device, numbers);
    bool sound = gas_piston_is_sound(&device->problem.piston, &state) && fabs(numbers[PISTON_REST]) <= 0.5;
    for (size_t k = 0; k < 2 && device->precision != SHOAL_GAS_DOUBLE; k++)
        sound = sound && numbers[PISTON_PLACE + k] >= 0 && numbers[PISTON_PLACE + k] < 65536;
    if (!sound)
        return checkpoint_damaged(checkpoint, error);
    status = gas_settings_put(solver, SET_PISTON, PISTON_NUMBERS, numbers, error);
    if (!status)
        status = add_depths(solver, error);
    return status ? status : gas_piston_read(solver, error);
}
