/* Sorts particles by cell, on the device or, as in the thesis, on the host. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "compute/launch.h"
#include "gas/thesis/cells.h"

#include <omp.h>
#include <shoal/primitives.h>
#include <stdlib.h>

enum kernel { KEY, GATHER, OFFSETS, PLACE, KERNELS };

struct cells_sort {
    const struct cells_zones *zones;
    enum shoal_gas_sort where;
    struct shoal_kernel *kernels[KERNELS];
    struct shoal_buffer *offsets, *cell, *relative;
    /* Buffers into which a sort writes. After the sort they are swapped with the buffers of struct gas_device
     * that have the same names. */
    struct shoal_buffer *position, *velocity, *acceleration, *id;
    /* The following members are for sorts on the device. */
    struct shoal_sort *radix;
    struct shoal_buffer *key, *place;
    unsigned bits;
    /* The following members are for sorts on the host: arrays before and after the sort. */
    char *old_position, *position_out, *old_velocity, *velocity_out, *old_acceleration, *acceleration_out;
    uint32_t *old_id, *id_out, *order, *host_offsets;
    struct arrays arrays, host_arrays;
    double sort_s, transfer_s;
    struct thread_choice choice; /* threads for sorts on the host */
};

struct shoal_buffer *cells_sort_offsets(const struct cells_sort *sort)
{
    return sort->offsets;
}

struct shoal_buffer *cells_sort_cell(const struct cells_sort *sort)
{
    return sort->cell;
}

struct shoal_buffer *cells_sort_relative(const struct cells_sort *sort)
{
    return sort->relative;
}

void cells_sort_seconds(const struct cells_sort *sort, double *sort_s, double *transfer_s)
{
    *sort_s = sort->sort_s;
    *transfer_s = sort->transfer_s;
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, struct cells_sort *sort,
                               struct shoal_error *error)
{
    const struct entry_kernel kernels[KERNELS] = {{"gas_cells_key", &sort->kernels[KEY]},
                                                  {"gas_cells_gather", &sort->kernels[GATHER]},
                                                  {"gas_cells_offsets", &sort->kernels[OFFSETS]},
                                                  {"gas_cells_place", &sort->kernels[PLACE]}};
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    return programs_build(&solver->programs, &gas_cells_sort_program, &defines, kernels, KERNELS, NULL,
                          error);
}

static enum shoal_status allocate_buffers(struct shoal_solver *solver, struct cells_sort *sort,
                                          struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const double padded = (double)device->padded;
    const size_t word = sizeof(uint32_t);
    const size_t real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    const bool on_device = sort->where == SHOAL_GAS_SORT_DEVICE;
    const struct array list[] = {
        {&sort->offsets, (double)sort->zones->cells + 2, word},
        {&sort->cell, padded, word},
        {&sort->relative, padded * 2, real},
        {&sort->position, padded, device->position_bytes},
        {&sort->velocity, padded, device->velocity_bytes},
        {&sort->acceleration, padded, device->velocity_bytes},
        {&sort->id, padded, word},
        {&sort->key, on_device ? padded : 1, word},
        {&sort->place, on_device ? padded : 1, word},
    };
    sort->arrays.queue = solver->queue;
    ARRAYS_SET(&sort->arrays, list);
    return arrays_create(&sort->arrays, error);
}

double cells_sort_bytes(const struct gas_device *device)
{
    const double real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    const double copies = (double)device->position_bytes + 2 * (double)device->velocity_bytes;
    return (double)device->padded * (copies + 4 * sizeof(uint32_t) + 2 * real);
}

static enum shoal_status allocate_host(const struct gas_device *device, struct cells_sort *sort,
                                       struct shoal_error *error)
{
    const double n = (double)device->problem.n;
    const struct array list[] = {
        {&sort->old_position, n, device->position_bytes},
        {&sort->position_out, n, device->position_bytes},
        {&sort->old_velocity, n, device->velocity_bytes},
        {&sort->velocity_out, n, device->velocity_bytes},
        {&sort->old_acceleration, n, device->velocity_bytes},
        {&sort->acceleration_out, n, device->velocity_bytes},
        {&sort->old_id, n, sizeof(uint32_t)},
        {&sort->id_out, n, sizeof(uint32_t)},
        {&sort->order, n, sizeof(uint32_t)},
        {&sort->host_offsets, (double)sort->zones->cells + 2, sizeof(uint32_t)},
    };
    ARRAYS_SET(&sort->host_arrays, list);
    /* A further thread is worth its cost for 16384 particles. */
    const size_t wanted = device->problem.n / 16384 + 1, most = (size_t)omp_get_max_threads();
    sort->choice.most = (int)(wanted < most ? wanted : most);
    return arrays_create(&sort->host_arrays, error);
}

enum shoal_status cells_sort_create(struct shoal_solver *solver, const struct cells_zones *zones,
                                    struct cells_sort **out, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct cells_sort *sort = *out = calloc(1, sizeof *sort);
    if (!sort)
        return fail_host_memory(error);
    sort->zones = zones;
    sort->where = (enum shoal_gas_sort)gas_thesis_of(gas_params(solver))->sort;
    while (zones->cells >> sort->bits)
        sort->bits++;
    enum shoal_status status = build(solver, sort, error);
    if (!status)
        status = allocate_buffers(solver, sort, error);
    if (!status)
        status = sort->where == SHOAL_GAS_SORT_DEVICE
                     ? shoal_sort_create(solver->device, device->problem.n, SHOAL_SORT_AUTO,
                                         solver->programs.variant, &sort->radix, error)
                     : allocate_host(device, sort, error);
    for (size_t i = 0; sort->radix && shoal_sort_program(sort->radix, i); i++)
        solver->programs.build_seconds += shoal_program_build_seconds(shoal_sort_program(sort->radix, i));
    if (status)
        cells_sort_destroy(out);
    return status;
}

void cells_sort_destroy(struct cells_sort **out)
{
    struct cells_sort *sort = *out;
    if (!sort)
        return;
    shoal_sort_destroy(&sort->radix);
    arrays_destroy(&sort->arrays);
    arrays_destroy(&sort->host_arrays);
    free(sort);
    *out = NULL;
}

/* Run -------------------------------------------------------------------------------------------------- */

static size_t groups_of(const struct cells_sort *sort, enum kernel kernel, size_t items)
{
    return shoal_kernel_groups(sort->kernels[kernel], items);
}

static enum shoal_status find_places(struct shoal_solver *solver, struct cells_sort *sort,
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const uint32_t n = (uint32_t)device->problem.n;
    const struct shoal_sort_args pairs = {
        .keys = sort->key,
        .values = sort->place,
        .keys_out = sort->key,
        .values_out = sort->place,
        .n = n,
        .end_bit = sort->bits,
    };
    enum shoal_status status =
        LAUNCH_EVENT(gas_cells_key, solver->queue, sort->kernels[KEY], groups_of(sort, KEY, n),
                     gas_sample_first(&gas_device_of(solver)->samples), error, .position = device->position,
                     .id = device->id, .key = sort->key, .place = sort->place, .settings = device->settings,
                     .grid = &sort->zones->grid, .n = n);
    if (!status)
        status = shoal_sort_run(sort->radix, solver->queue, &pairs, error);
    if (!status)
        status = LAUNCH(gas_cells_offsets, solver->queue, sort->kernels[OFFSETS],
                        groups_of(sort, OFFSETS, (size_t)n + 1), error, .key = sort->key,
                        .offsets = sort->offsets, .cells = sort->zones->cells, .n = n);
    return status;
}

static enum shoal_status sort_on_device(struct shoal_solver *solver, struct cells_sort *sort,
                                        struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const uint32_t n = (uint32_t)device->problem.n;
    enum shoal_status status = find_places(solver, sort, error);
    return status ? status
                  : LAUNCH(gas_cells_gather, solver->queue, sort->kernels[GATHER], groups_of(sort, GATHER, n),
                           error, .place = sort->place, .position = device->position,
                           .velocity = device->velocity, .acceleration = device->acceleration,
                           .id = device->id, .position_out = sort->position, .velocity_out = sort->velocity,
                           .acceleration_out = sort->acceleration, .id_out = sort->id, .n = n);
}

/* An array of the particles that is copied from the buffer `from` to `old`, sorted into `sorted`, and copied
 * to the buffer `to`. */
struct copied {
    struct shoal_buffer *from, *to;
    char *old, *sorted;
    size_t bytes; /* bytes of a particle */
};

static void permute(const struct copied *array, const uint32_t *order, size_t n, struct thread_choice *choice)
{
    const size_t words = array->bytes / sizeof(uint32_t);
    const uint32_t *old = (const uint32_t *)(const void *)array->old;
    uint32_t *sorted = (uint32_t *)(void *)array->sorted;
#pragma omp parallel num_threads(thread_choice_threads(choice))
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n; i++)
            for (size_t w = 0; w < words; w++)
                sorted[i * words + w] = old[order[i] * words + w];
        thread_choice_work(choice, start);
    }
}

static enum shoal_status sort_arrays(struct cells_sort *sort, const struct gas_device *device,
                                     const struct copied *arrays, size_t count, struct shoal_error *error)
{
    const struct cells_host host = {
        sort->zones,  device->precision, device->problem.n,  sort->old_position,
        sort->old_id, sort->order,       sort->host_offsets, thread_choice_threads(&sort->choice)};
    const enum shoal_status status =
        sort->where == SHOAL_GAS_SORT_V1 ? cells_sort_v1(&host, error) : cells_sort_v2(&host, error);
    thread_choice_begin(&sort->choice);
    for (size_t a = 0; !status && a < count; a++)
        permute(&arrays[a], sort->order, device->problem.n, &sort->choice);
    thread_choice_end(&sort->choice);
    return status;
}

static enum shoal_status sort_on_host(struct shoal_solver *solver, struct cells_sort *sort,
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t n = device->problem.n, moved = device->velocity_bytes;
    const struct copied arrays[] = {
        {device->position, sort->position, sort->old_position, sort->position_out, device->position_bytes},
        {device->velocity, sort->velocity, sort->old_velocity, sort->velocity_out, moved},
        {device->acceleration, sort->acceleration, sort->old_acceleration, sort->acceleration_out, moved},
        {device->id, sort->id, (char *)sort->old_id, (char *)sort->id_out, sizeof(uint32_t)},
    };
    const size_t count = sizeof arrays / sizeof *arrays;
    /* Waits first, so that forces that are still in the queue do not count as time of the sort. */
    enum shoal_status status = shoal_queue_finish(solver->queue, error);
    const double begin = clock_seconds();
    for (size_t a = 0; a < count && !status; a++)
        status =
            shoal_buffer_read(solver->queue, arrays[a].from, 0, arrays[a].old, n * arrays[a].bytes, error);
    const double here = clock_seconds();
    if (!status)
        status = sort_arrays(sort, device, arrays, count, error);
    const double sorted = clock_seconds();
    for (size_t a = 0; a < count && !status; a++)
        status =
            shoal_buffer_write(solver->queue, arrays[a].to, 0, arrays[a].sorted, n * arrays[a].bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, sort->offsets, 0, sort->host_offsets,
                                    ((size_t)sort->zones->cells + 2) * sizeof *sort->host_offsets, error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    sort->sort_s += sorted - here;
    sort->transfer_s += here - begin + clock_seconds() - sorted;
    return status;
}

enum shoal_status cells_sort_run(struct shoal_solver *solver, struct cells_sort *sort,
                                 struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const uint32_t n = (uint32_t)device->problem.n;
    enum shoal_status status = sort->where == SHOAL_GAS_SORT_DEVICE ? sort_on_device(solver, sort, error)
                                                                    : sort_on_host(solver, sort, error);
    if (status)
        return status;
    buffers_swap(&device->position, &sort->position);
    buffers_swap(&device->velocity, &sort->velocity);
    buffers_swap(&device->acceleration, &sort->acceleration);
    buffers_swap(&device->id, &sort->id);
    return LAUNCH(gas_cells_place, solver->queue, sort->kernels[PLACE], groups_of(sort, PLACE, n), error,
                  .position = device->position, .cell = sort->cell, .relative = sort->relative,
                  .settings = device->settings, .grid = &sort->zones->grid, .n = n);
}
