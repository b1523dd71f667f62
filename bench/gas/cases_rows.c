/* Positions and velocities in the order of the particles, written to buffers of the device: the host's clock
 * times calls with their forces, which the velocities of the full step need. */
#include "bench/gas/liquid.h"

#include <math.h>
#include <stdlib.h>

enum { PARTICLES = 1048576, NUMBERS = 2 * PARTICLES, CALLS = 16 };

struct run {
    struct shoal_solver *solver;
    struct shoal_gas_params params;
    struct shoal_buffer *position, *velocity;
};

static enum shoal_status write_rows(struct bench *bench, struct shoal_error *error)
{
    const struct run *run = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < CALLS && !status; i++)
        status = shoal_gas_write_particles(run->solver, run->position, run->velocity, error);
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gas");
    enum shoal_status status = bench_liquid(bench, PARTICLES, &run->params, &run->solver, error);
    if (!status)
        status = shoal_buffer_create(bench->device, NUMBERS * sizeof(float), &run->position, error);
    if (!status)
        status = shoal_buffer_create(bench->device, NUMBERS * sizeof(float), &run->velocity, error);
    bench->parts = bench->work = CALLS;
    return status ? status : write_rows(bench, error);
}

/* The largest deviation of the buffer from `wanted`, relative to 1 or the number; NaN if one is. */
static enum shoal_status compare(struct bench *bench, struct shoal_buffer *buffer, const double *wanted,
                                 double *worst, struct shoal_error *error)
{
    float *found = malloc(NUMBERS * sizeof *found);
    if (!found)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the rows");
    const enum shoal_status status =
        shoal_buffer_read(bench->queue, buffer, 0, found, NUMBERS * sizeof *found, error);
    for (size_t i = 0; i < NUMBERS && !status; i++) {
        const double off = fabs((double)found[i] - wanted[i]) / fmax(1, fabs(wanted[i]));
        *worst = off <= *worst || isnan(*worst) ? *worst : off;
    }
    free(found);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_gas_frame frame;
    enum shoal_status status = shoal_gas_get_frame(run->solver, &frame, error);
    if (!status)
        status = compare(bench, run->position, frame.position, &check->error, error);
    if (!status)
        status = compare(bench, run->velocity, frame.velocity, &check->error, error);
    check->passed = check->error < 4e-7; /* some roundings of single precision */
    return status;
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    shoal_buffer_destroy(&run->position);
    shoal_buffer_destroy(&run->velocity);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, NULL, write_rows, check, destroy, NULL};

static const struct bench_case cases[] = {
    {.name = "gas.rows.1m",
     .help = "forces, and positions and velocities of 1048576 particles as rows in buffers of the caller",
     .unit = "s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "gas.rows",
     .device = &ops},
};

const struct bench_case_list bench_gas_rows_cases = {cases, sizeof cases / sizeof *cases};
