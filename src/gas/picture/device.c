/* Pictures on a device: launches of cl/gas/device/picture.cl. */
#include "compute/device.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"
#include "gas/device/device.h"
#include "gas/device/tables/tables.h"
#include "gas/picture/picture.h"

#include <stdlib.h>
#include <string.h>

/* SUM_GROUPS: most work-groups that add up squares. */
enum { SUM_GROUPS = 512, SUM_BYTES = 8 };

extern const struct shoal_program_desc gas_picture_program;

/* What pictures need. Created with the first one, and replaced by larger arrays for larger pictures. */
struct gas_painter {
    struct shoal_kernel *squares, *particles, *pixels;
    struct shoal_buffer *sums, *palette, *planes, *colours;
    struct host_block *block; /* the pixels on the host */
    size_t block_bytes;
    enum shoal_gas_colouring colouring; /* whose palette the device has */
    bool has_palette;
};

void gas_painter_destroy(struct shoal_solver *solver)
{
    struct gas_painter *painter = gas_device_of(solver)->painter;
    if (!painter)
        return;
    shoal_buffer_destroy(&painter->sums);
    shoal_buffer_destroy(&painter->palette);
    shoal_buffer_destroy(&painter->planes);
    shoal_buffer_destroy(&painter->colours);
    host_block_destroy(&painter->block);
    free(painter);
    gas_device_of(solver)->painter = NULL;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_painter *painter = gas_device_of(solver)->painter = calloc(1, sizeof *painter);
    if (!painter)
        return fail_host_memory(error);
    struct defines defines = {.count = 0};
    const struct entry_kernel kernels[] = {{"gas_picture_squares", &painter->squares},
                                           {"gas_picture_particles", &painter->particles},
                                           {"gas_picture_pixels", &painter->pixels}};
    gas_state_defines(solver, &defines);
    enum shoal_status status = programs_build(&solver->programs, &gas_picture_program, &defines, kernels,
                                              COUNT(kernels), NULL, error);
    if (!status)
        status = shoal_buffer_create(solver->device, SUM_GROUPS * SUM_BYTES, &painter->sums, error);
    if (!status)
        status =
            shoal_buffer_create(solver->device, PICTURE_LEVELS * sizeof(uint32_t), &painter->palette, error);
    if (status) /* the next picture tries again */
        gas_painter_destroy(solver);
    return status;
}

/* Replaces *buffer by a new buffer if it has fewer than `bytes` bytes. The queue is finished before the old
 * buffer is destroyed. */
static enum shoal_status grow(struct shoal_solver *solver, struct shoal_buffer **buffer, size_t bytes,
                              struct shoal_error *error)
{
    if (*buffer && shoal_buffer_size(*buffer) >= bytes)
        return SHOAL_OK;
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    if (status)
        return status;
    shoal_buffer_destroy(buffer);
    return shoal_buffer_create(solver->device, bytes, buffer, error);
}

static enum shoal_status prepare(struct shoal_solver *solver, const struct gas_drawing *drawing,
                                 struct shoal_error *error)
{
    struct gas_painter *painter = gas_device_of(solver)->painter;
    const size_t bytes = gas_drawing_pixels(drawing) * sizeof(uint32_t);
    enum shoal_status status =
        grow(solver, &painter->planes, gas_drawing_words(drawing) * sizeof(uint32_t), error);
    if (!status)
        status = grow(solver, &painter->colours, bytes, error);
    if (!status && painter->block_bytes < bytes) {
        host_block_destroy(&painter->block);
        painter->block_bytes = 0;
        status = host_block_create(solver->device, bytes, &painter->block, error);
        if (!status)
            painter->block_bytes = bytes;
    }
    if (!status && !(painter->has_palette && painter->colouring == drawing->colouring)) {
        status = shoal_buffer_write(solver->queue, painter->palette, 0, drawing->palette,
                                    sizeof drawing->palette, error);
        painter->colouring = drawing->colouring;
        painter->has_palette = !status;
    }
    return status;
}

/* Finds the brightest speed by the speeds of the particles. */
static enum shoal_status expose(struct shoal_solver *solver, struct gas_drawing *drawing,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_painter *painter = device->painter;
    const size_t wanted = shoal_kernel_groups(painter->squares, device->problem.n);
    const size_t groups = wanted < SUM_GROUPS ? wanted : SUM_GROUPS;
    unsigned char parts[SUM_GROUPS * SUM_BYTES];
    double sum = 0;
    enum shoal_status status =
        LAUNCH(gas_picture_squares, solver->queue, painter->squares, groups, error,
               .velocity = device->velocity, .sums = painter->sums, .n = (uint32_t)device->problem.n);
    if (!status)
        status = shoal_buffer_read(solver->queue, painter->sums, 0, parts, groups * SUM_BYTES, error);
    for (size_t i = 0; i < groups && !status; i++)
        sum += gas_sum_at(device, parts, i);
    gas_drawing_expose(drawing, sum / (double)device->problem.n);
    return status;
}

enum shoal_status gas_device_draw(struct shoal_solver *solver, struct gas_drawing *drawing,
                                  const uint32_t **pixels, struct shoal_error *error)
{
    enum shoal_status status = gas_collect(solver, GAS_VELOCITIES | GAS_CROSSINGS, error);
    solver = gas_holder(solver);
    struct gas_device *device = gas_device_of(solver);
    if (!status && !device->painter)
        status = create(solver, error);
    struct gas_painter *painter = device->painter;
    struct shoal_buffer *psi = NULL;
    const void *data = NULL;
    if (!status)
        status = prepare(solver, drawing, error);
    if (!status && isnan(drawing->brightest))
        status = expose(solver, drawing, error);
    if (!status && drawing->colouring == SHOAL_GAS_BY_HEXATIC)
        status = gas_tabler_psi(solver, &psi, error);
    if (!status)
        status = shoal_buffer_fill(solver->queue, painter->planes, 0,
                                   gas_drawing_words(drawing) * sizeof(uint32_t), gas_drawing_empty(drawing),
                                   error);
    const uint32_t n = (uint32_t)device->problem.n;
    if (!status)
        status = LAUNCH(gas_picture_particles, solver->queue, painter->particles,
                        shoal_kernel_groups(painter->particles, (size_t)n * drawing->view.lanes), error,
                        .position = device->position, .velocity = device->velocity, .psi = psi,
                        .ids = device->id, .planes = painter->planes, .settings = device->settings,
                        .view = &drawing->view, .inverse = gas_drawing_inverse(drawing),
                        .by_species = drawing->colouring == SHOAL_GAS_BY_SPECIES, .n = n);
    if (!status)
        status = LAUNCH(gas_picture_pixels, solver->queue, painter->pixels,
                        shoal_kernel_groups(painter->pixels, gas_drawing_pixels(drawing)), error,
                        .planes = painter->planes, .palette = painter->palette, .pixels = painter->colours,
                        .view = &drawing->view);
    if (!status)
        status = host_block_read(solver->queue, painter->colours, painter->block,
                                 gas_drawing_pixels(drawing) * sizeof(uint32_t), &data, error);
    *pixels = data;
    return status;
}
