/* Sums and moves of the minimiser on a device: launches of cl/gas/device/minimise.cl. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "gas/device/motion.h"

#include <math.h>
#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_minimise, gas_minimise_sums, .local_bytes_per_item = 16, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums of forces and velocities by which the minimiser adapts its step"),
    ENTRY(gas_minimise, gas_minimise_move, .roof = SHOAL_ROOF_COPY_BYTES, .help = "a step of the minimiser"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_minimise, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_minimise),
    GAS_MOTION_DEFINE_DESCS(gas_minimise),
};

const struct shoal_program_desc gas_minimise_program =
    PROGRAM("gas.minimise", gas_minimise, 0, defines, entries);

/* SUM_GROUPS: number of work-groups that compute a sum, each of which writes a partial sum of SUM_BYTES
 * bytes. MOST_SUMS: number of partial sums of a step of the minimiser. */
enum { SUM_GROUPS = 128, SUM_BYTES = 8, MOST_SUMS = SUM_GROUPS * FIRE_SUMS };

struct gas_minimiser {
    struct shoal_kernel *sums, *move;
    struct shoal_buffer *parts;
};

enum shoal_status gas_minimiser_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_minimiser *minimiser = gas_device_of(solver)->minimiser = calloc(1, sizeof *minimiser);
    struct defines given = {.count = 0};
    if (!minimiser)
        return fail_host_memory(error);
    const struct entry_kernel kernels[] = {{"gas_minimise_sums", &minimiser->sums},
                                           {"gas_minimise_move", &minimiser->move}};
    gas_state_defines(solver, &given);
    gas_motion_defines(solver, &given);
    enum shoal_status status = programs_build(&solver->programs, &gas_minimise_program, &given, kernels,
                                              COUNT(kernels), NULL, error);
    if (!status)
        status = shoal_buffer_create(solver->device, (size_t)MOST_SUMS * SUM_BYTES, &minimiser->parts, error);
    return status;
}

void gas_minimiser_destroy(struct shoal_solver *solver)
{
    struct gas_minimiser *minimiser = gas_device_of(solver)->minimiser;
    if (!minimiser)
        return;
    shoal_buffer_destroy(&minimiser->parts);
    free(minimiser);
    gas_device_of(solver)->minimiser = NULL;
}

static enum shoal_status launch_sums(struct shoal_solver *solver, double limit, uint32_t step, size_t groups,
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_minimiser *minimiser = device->minimiser;
    return LAUNCH(gas_minimise_sums, solver->queue, minimiser->sums, groups, error,
                  .position = device->position, .velocity = device->velocity,
                  .acceleration = device->acceleration, .ids = device->id, .words = device->words,
                  .sums = minimiser->parts, .settings = device->settings, .limit = limit,
                  .n = (uint32_t)device->problem.n, .step = step);
}

enum shoal_status gas_fire_sums(struct shoal_solver *solver, double limit, uint32_t step,
                                struct gas_fire_sums *sums, struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    const struct gas_minimiser *minimiser = device->minimiser;
    const size_t wanted = shoal_kernel_groups(minimiser->sums, device->problem.n);
    const size_t groups = wanted < SUM_GROUPS ? wanted : SUM_GROUPS;
    double parts[MOST_SUMS], totals[FIRE_SUMS] = {0};
    enum shoal_status status = gas_find_forces(solver, false, error);
    if (!status)
        status = launch_sums(holder, limit, step, groups, error);
    if (!status)
        status = shoal_buffer_read(holder->queue, minimiser->parts, 0, parts, groups * FIRE_SUMS * SUM_BYTES,
                                   error);
    if (status)
        return status;
    for (size_t group = 0; group < groups; group++)
        for (size_t s = 0; s < FIRE_SUMS; s++) {
            const double part = gas_sum_at(device, parts, group * FIRE_SUMS + s);
            totals[s] = s < FIRE_FASTEST2 ? totals[s] + part : fmax(totals[s], part);
        }
    *sums = (struct gas_fire_sums){.power = totals[FIRE_POWER],
                                   .velocity2 = totals[FIRE_VELOCITY2],
                                   .push2 = totals[FIRE_PUSH2],
                                   .fastest = sqrt(totals[FIRE_FASTEST2]),
                                   .largest = totals[FIRE_LARGEST]};
    return SHOAL_OK;
}

/* Moves the particles of a solver that is not divided. */
static enum shoal_status move_own(struct shoal_solver *solver, void *data, struct shoal_error *error)
{
    const struct gas_fire_move *move = data;
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_method *method = gas_device_method(solver);
    const struct gas_range own = gas_own_range(solver);
    struct shoal_kernel *kernel = device->minimiser->move;
    if (method->moved)
        method->moved(solver, move->farthest);
    enum shoal_status status = LAUNCH(
        gas_minimise_move, solver->queue, kernel, shoal_kernel_groups(kernel, gas_count(own)), error,
        .position = device->position, .velocity = device->velocity, .acceleration = device->acceleration,
        .ids = device->id, .image = device->image, .words = device->words, .settings = device->settings,
        .limit = move->limit, .keep = move->keep, .push = move->push, .dt = move->dt, .back = move->back,
        .fastest = move->fastest, .begin = own.begin, .end = own.end, .step = move->step);
    return status ? status : gas_gather(solver, GAS_POSITIONS, true, error);
}

enum shoal_status gas_fire_move(struct shoal_solver *solver, const struct gas_fire_move *move,
                                struct shoal_error *error)
{
    struct gas_fire_move own = *move;
    return solver->shares ? solver->shares->each(solver, move_own, &own, error)
                          : move_own(solver, &own, error);
}
