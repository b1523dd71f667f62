/* Positions and velocities as rows in buffers of the caller on a device: launches of cl/gas/device/rows.cl.
 */
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"
#include "gas/device/device.h"
#include "gas/frames/frames.h"

extern const struct shoal_program_desc gas_rows_program;

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct defines defines = {.count = 0};
    const struct entry_kernel kernels[] = {{"gas_rows", &gas_device_of(solver)->rows}};
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    return programs_build(&solver->programs, &gas_rows_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Checks that a buffer, which may be NULL, has room for a row of each particle. */
static enum shoal_status check(const struct gas_device *device, const struct shoal_buffer *buffer,
                               const char *name, struct shoal_error *error)
{
    const size_t number = device->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double);
    const size_t bytes = device->problem.n * device->problem.dim * number;
    if (!buffer || shoal_buffer_size(buffer) >= bytes)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "shoal_gas_write_particles: %s has %zu bytes, but needs %zu", name,
                shoal_buffer_size(buffer), bytes);
}

enum shoal_status gas_write_rows(struct shoal_solver *solver, struct shoal_buffer *position,
                                 struct shoal_buffer *velocity, struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    struct gas_device *device = gas_device_of(holder);
    enum shoal_status status = check(device, position, "position", error);
    if (!status)
        status = check(device, velocity, "velocity", error);
    if (!status && !device->rows)
        status = build(holder, error);
    if (!status)
        status = gas_find_forces(solver, false, error);
    return status
               ? status
               : LAUNCH(gas_rows, holder->queue, device->rows,
                        shoal_kernel_groups(device->rows, device->problem.n), error,
                        .position = device->position, .velocity = device->velocity,
                        .acceleration = device->acceleration, .ids = device->id, .places = position,
                        .motions = velocity, .settings = device->settings, .n = (uint32_t)device->problem.n);
}
