/* Copies of the state on a device. They are copied on the device first, which takes it some microseconds, and
 * go to pinned memory through a queue of their own, while the queue of the run continues. */
#include "compute/device.h"
#include "base/error.h"
#include "gas/device/device.h"
#include "gas/frames/frames.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 5 }; /* numbers, positions, velocities, accelerations, crossings */

struct gas_copy {
    struct shoal_queue *queue; /* only for copies to the host */
    struct shoal_buffer *buffer;
    struct host_block *block;
    size_t begins[PARTS + 1]; /* where each part begins in the buffer and the block */
    bool is_copying;
};

static void set_bytes(const struct gas_device *device, size_t bytes[PARTS])
{
    const size_t n = device->problem.n;
    bytes[0] = n * sizeof(uint32_t);
    bytes[1] = n * device->position_bytes;
    bytes[2] = bytes[3] = n * device->velocity_bytes;
    bytes[4] = n * device->problem.dim * sizeof(int32_t);
}

/* Checks that the device has room for the run and the copy, and the host for the snapshot. */
static enum shoal_status check_memory(struct shoal_solver *holder, double bytes, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(holder);
    const double run = gas_device_bytes(holder), arrays = arrays_bytes(&device->arrays),
                 block = bytes + gas_snapshot_bytes(&device->problem);
    const bool is_cpu = shoal_device_get_info(holder->device)->is_cpu;
    const enum shoal_status status =
        arrays_check(&device->arrays, run - arrays + bytes, "the particles and a copy of them",
                     "lower --particles", error);
    return status ? status : gas_check_host(&device->problem, is_cpu ? run + bytes + block : block, error);
}

static enum shoal_status create(struct shoal_solver *holder, struct gas_copy **out, struct shoal_error *error)
{
    size_t bytes[PARTS];
    struct gas_copy *copy = *out = calloc(1, sizeof *copy);
    if (!copy)
        return fail_host_memory(error);
    set_bytes(gas_device_of(holder), bytes);
    for (size_t part = 0; part < PARTS; part++) /* a multiple of the longest type */
        copy->begins[part + 1] = copy->begins[part] + (bytes[part] + 31) / 32 * 32;
    enum shoal_status status = check_memory(holder, (double)copy->begins[PARTS], error);
    if (!status)
        status = shoal_queue_create(holder->device, 0, &copy->queue, error);
    if (!status)
        status = shoal_buffer_create(holder->device, copy->begins[PARTS], &copy->buffer, error);
    if (!status)
        status = host_block_create(holder->device, copy->begins[PARTS], &copy->block, error);
    if (status)
        gas_copy_destroy(out);
    return status;
}

/* Waits for the copy to the host, if there is one. */
static enum shoal_status settle(struct gas_copy *copy, struct shoal_error *error)
{
    const enum shoal_status status = copy->is_copying ? shoal_queue_finish(copy->queue, error) : SHOAL_OK;
    copy->is_copying = false;
    return status;
}

enum shoal_status gas_copy_begin(struct shoal_solver *solver, struct gas_copy **pointer,
                                 struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    struct shoal_buffer *const sources[PARTS] = {device->id, device->position, device->velocity,
                                                 device->acceleration, device->image};
    size_t bytes[PARTS];
    set_bytes(device, bytes);
    enum shoal_status status = *pointer ? settle(*pointer, error) : create(holder, pointer, error);
    struct gas_copy *copy = *pointer;
    if (!status)
        status = gas_find_forces(solver, false, error);
    for (size_t part = 0; part < PARTS && !status; part++)
        status = shoal_buffer_copy(holder->queue, sources[part], 0, copy->buffer, copy->begins[part],
                                   bytes[part], error);
    if (!status)
        status = shoal_queue_finish(holder->queue, error);
    if (!status)
        status = host_block_begin_read(copy->queue, copy->buffer, copy->block, copy->begins[PARTS], error);
    if (status)
        return status;
    copy->is_copying = true;
    return shoal_queue_flush(copy->queue, error);
}

enum shoal_status gas_copy_end(struct gas_copy *copy, const struct gas_problem *problem, double *position,
                               double *velocity, int32_t *image, struct shoal_error *error)
{
    const char *data = host_block_data(copy->block);
    enum shoal_status status = settle(copy, error);
    if (status)
        return status;
    const struct gas_particle_data parts = {.id = data + copy->begins[0],
                                            .position = data + copy->begins[1],
                                            .velocity = data + copy->begins[2],
                                            .acceleration = data + copy->begins[3]};
    memcpy(image, data + copy->begins[4], problem->n * problem->dim * sizeof *image);
    return gas_place_particles(problem, &parts, position, velocity, error);
}

void gas_copy_destroy(struct gas_copy **pointer)
{
    struct gas_copy *copy = *pointer;
    *pointer = NULL;
    if (!copy)
        return;
    const enum shoal_status status = settle(copy, NULL); /* the run reports a failure of the device */
    (void)status;
    shoal_queue_destroy(&copy->queue);
    host_block_destroy(&copy->block);
    shoal_buffer_destroy(&copy->buffer);
    free(copy);
}
