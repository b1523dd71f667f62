/* The swarm read back from a device and put there again: results, states, checkpoints. */
#include "base/error.h"
#include "pso/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sections of a checkpoint need not be aligned. */
static double real_at(const struct pso_swarm *swarm, const void *reals, size_t index)
{
    double wide;
    float narrow;
    if (swarm->precision == SHOAL_FP64) {
        memcpy(&wide, (const char *)reals + index * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, (const char *)reals + index * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

/* `count` numbers as they are; *out is malloc'ed. */
static enum shoal_status read_raw(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t first,
                                  size_t count, size_t element, void **out, struct shoal_error *error)
{
    *out = malloc(count ? count * element : 1);
    if (!*out)
        return fail_host_memory(error);
    if (!count)
        return SHOAL_OK;
    return shoal_buffer_read(solver->queue, buffer, first * element, *out, count * element, error);
}

/* `count` reals as doubles. */
static enum shoal_status read_reals(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t first,
                                    size_t count, double *out, struct shoal_error *error)
{
    const struct pso_swarm *swarm = solver->state;
    void *raw;
    enum shoal_status status = read_raw(solver, buffer, first, count, swarm->real, &raw, error);
    for (size_t i = 0; i < count && !status; i++)
        out[i] = real_at(swarm, raw, i);
    free(raw);
    return status;
}

/* The group whose best is the swarm's, by the rule of the kernel: least value, then lowest particle. */
static enum shoal_status find_leader(struct shoal_solver *solver, size_t row, size_t *leader, double *value,
                                     struct shoal_error *error)
{
    const struct pso_swarm *swarm = solver->state;
    void *values = NULL, *indices = NULL;
    enum shoal_status status =
        read_raw(solver, swarm->group_value, row, swarm->groups, swarm->real, &values, error);
    if (!status)
        status = read_raw(solver, swarm->group_index, row, swarm->groups, sizeof(uint32_t), &indices, error);
    *leader = 0;
    for (size_t g = 1; g < swarm->groups && !status; g++) {
        double here = real_at(swarm, values, g), least = real_at(swarm, values, *leader);
        const uint32_t *index = indices;
        if (here < least || (here == least && index[g] < index[*leader]))
            *leader = g;
    }
    if (!status)
        *value = real_at(swarm, values, *leader);
    free(values);
    free(indices);
    return status;
}

/* Entries that the steps so far have written: the last one is made when the next step begins. */
static size_t trace_written(const struct shoal_solver *solver)
{
    const struct pso_swarm *swarm = solver->state;
    uint64_t interval = pso_params(solver)->trace;
    return interval ? (size_t)((swarm->steps + interval - 1) / interval) : 0;
}

enum shoal_status pso_device_result(struct shoal_solver *solver, struct shoal_result *out,
                                    struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    struct pso_outcome outcome = {.position = swarm->position,
                                  .trace = swarm->trace_out,
                                  .steps = swarm->steps,
                                  .precision = swarm->precision};
    size_t row = (size_t)(swarm->steps & 1) * swarm->groups, leader, written = trace_written(solver);
    enum shoal_status status = find_leader(solver, row, &leader, &outcome.best, error);
    if (!status)
        status = read_reals(solver, swarm->group_position, (row + leader) * swarm->dim, swarm->dim,
                            swarm->position, error);
    if (!status)
        status = read_reals(solver, swarm->trace, 0, written, swarm->trace_out, error);
    if (status)
        return status;
    if (written < pso_trace_count(pso_params(solver), swarm->steps))
        swarm->trace_out[written] = outcome.best;
    pso_fill_result(pso_params(solver), &outcome, out);
    return SHOAL_OK;
}

/* Copies numbers between the tiles of the device, of `rows` rows each, and plain rows of one number for each
 * particle. */
static void copy_tiles(const struct pso_swarm *swarm, size_t rows, char *tiled, char *plain, bool to_plain)
{
    for (size_t tile = 0; tile < swarm->tiles; tile++) {
        size_t first = tile * swarm->tile, left = swarm->particles - first;
        size_t bytes = (left < swarm->tile ? left : swarm->tile) * swarm->real;
        for (size_t row = 0; row < rows; row++) {
            char *in_tile = tiled + (tile * rows + row) * swarm->tile * swarm->real;
            char *in_row = plain + (row * swarm->particles + first) * swarm->real;
            memcpy(to_plain ? in_row : in_tile, to_plain ? in_tile : in_row, bytes);
        }
    }
}

/* A buffer of tiles as `rows` rows; *out is malloc'ed. */
static enum shoal_status read_rows(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t rows,
                                   void **out, struct shoal_error *error)
{
    const struct pso_swarm *swarm = solver->state;
    void *tiled;
    *out = NULL;
    enum shoal_status status =
        read_raw(solver, buffer, 0, rows * swarm->tiles * swarm->tile, swarm->real, &tiled, error);
    if (!status)
        *out = malloc(rows * swarm->particles * swarm->real);
    if (!status && !*out)
        status = fail_host_memory(error);
    if (!status)
        copy_tiles(swarm, rows, tiled, *out, true);
    free(tiled);
    return status;
}

/* The reverse; the particles behind the last one stand at 0. */
static enum shoal_status write_rows(struct shoal_solver *solver, struct shoal_buffer *buffer, size_t rows,
                                    const void *in, struct shoal_error *error)
{
    const struct pso_swarm *swarm = solver->state;
    size_t bytes = rows * swarm->tiles * swarm->tile * swarm->real;
    char *tiled = calloc(1, bytes);
    if (!tiled)
        return fail_host_memory(error);
    copy_tiles(swarm, rows, tiled, (char *)in, false);
    enum shoal_status status = shoal_buffer_write(solver->queue, buffer, 0, tiled, bytes, error);
    free(tiled);
    return status;
}

size_t pso_device_state_count(const struct shoal_solver *solver)
{
    const struct pso_swarm *swarm = solver->state;
    return 2 * swarm->particles * swarm->dim;
}

enum shoal_status pso_device_get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct pso_swarm *swarm = solver->state;
    struct shoal_buffer *buffers[] = {swarm->x, swarm->v};
    size_t count = swarm->particles * swarm->dim;
    enum shoal_status status = SHOAL_OK;
    for (size_t part = 0; part < 2 && !status; part++) {
        void *raw;
        status = read_rows(solver, buffers[part], swarm->dim, &raw, error);
        for (size_t i = 0; i < count && !status; i++)
            values[part * count + i] = real_at(swarm, raw, i);
        free(raw);
    }
    return status;
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

struct section {
    const char *name;
    struct shoal_buffer *buffer;
    size_t rows;
};

enum { SECTIONS = 4 };

static void list_sections(const struct pso_swarm *swarm, struct section sections[SECTIONS])
{
    sections[0] = (struct section){"x", swarm->x, swarm->dim};
    sections[1] = (struct section){"v", swarm->v, swarm->dim};
    sections[2] = (struct section){"p", swarm->p, swarm->dim};
    sections[3] = (struct section){"best", swarm->best, 1};
}

void pso_free_copies(struct pso_swarm *swarm)
{
    for (size_t i = 0; i < sizeof swarm->copies / sizeof *swarm->copies; i++) {
        free(swarm->copies[i]);
        swarm->copies[i] = NULL;
    }
}

enum shoal_status pso_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    struct section sections[SECTIONS];
    enum shoal_status status = SHOAL_OK;
    list_sections(swarm, sections);
    pso_free_copies(swarm);
    checkpoint_add(checkpoint, "step", &swarm->steps, sizeof swarm->steps);
    for (size_t i = 0; i < SECTIONS && !status; i++) {
        status = read_rows(solver, sections[i].buffer, sections[i].rows, &swarm->copies[i], error);
        checkpoint_add(checkpoint, sections[i].name, swarm->copies[i],
                       sections[i].rows * swarm->particles * swarm->real);
    }
    size_t trace = trace_written(solver);
    if (!status)
        status = read_raw(solver, swarm->trace, 0, trace, swarm->real, &swarm->copies[SECTIONS], error);
    checkpoint_add(checkpoint, "trace", swarm->copies[SECTIONS], trace * swarm->real);
    return status;
}

/* The groups' tables follow from the particles' bests: the swarm's best is entered for every group. */
static enum shoal_status write_tables(struct shoal_solver *solver, const char *best, const char *p,
                                      struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    size_t groups = swarm->groups, leader = 0, real = swarm->real;
    double least = INFINITY;
    for (size_t i = 0; i < swarm->particles; i++) {
        double value = real_at(swarm, best, i);
        if (value < least) {
            least = value;
            leader = i;
        }
    }
    char *values = malloc(groups * real), *positions = malloc(groups * swarm->dim * real);
    uint32_t *indices = malloc(groups * sizeof *indices);
    uint32_t done[2] = {0, 0};
    done[swarm->steps & 1] = (uint32_t)swarm->steps;
    enum shoal_status status = values && positions && indices ? SHOAL_OK : fail_host_memory(error);
    for (size_t g = 0; g < groups && !status; g++) {
        memcpy(values + g * real, best + leader * real, real);
        indices[g] = (uint32_t)leader;
        for (size_t d = 0; d < swarm->dim; d++)
            memcpy(positions + (g * swarm->dim + d) * real, p + (d * swarm->particles + leader) * real, real);
    }
    size_t row = (size_t)(swarm->steps & 1) * groups;
    if (!status)
        status =
            shoal_buffer_write(solver->queue, swarm->group_value, row * real, values, groups * real, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, swarm->group_index, row * sizeof *indices, indices,
                                    groups * sizeof *indices, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, swarm->group_position, row * swarm->dim * real, positions,
                                    groups * swarm->dim * real, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, swarm->done, 0, done, sizeof done, error);
    free(values);
    free(positions);
    free(indices);
    return status;
}

enum shoal_status pso_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct pso_swarm *swarm = solver->state;
    struct section sections[SECTIONS];
    const void *data[SECTIONS], *trace = NULL;
    uint64_t steps;
    list_sections(swarm, sections);
    swarm->drawn = swarm->reached = false;
    swarm->steps = 0;
    enum shoal_status status = pso_check_steps(pso_params(solver), checkpoint, &steps, error);
    for (size_t i = 0; i < SECTIONS && !status; i++)
        status = checkpoint_expect(checkpoint, sections[i].name,
                                   sections[i].rows * swarm->particles * swarm->real, &data[i], error);
    if (status)
        return status;
    swarm->steps = steps;
    size_t trace_bytes = trace_written(solver) * swarm->real;
    status = checkpoint_expect(checkpoint, "trace", trace_bytes, &trace, error);
    if (!status && trace_bytes)
        status = shoal_buffer_write(solver->queue, swarm->trace, 0, trace, trace_bytes, error);
    for (size_t i = 0; i < SECTIONS && !status; i++)
        status = write_rows(solver, sections[i].buffer, sections[i].rows, data[i], error);
    if (!status)
        status = write_tables(solver, data[3], data[2], error);
    swarm->drawn = !status;
    if (status)
        swarm->steps = 0;
    return status;
}
