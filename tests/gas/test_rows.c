/* Positions and velocities in buffers of the caller, on every device under test, against frames. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>

/* In single precision a number is rounded, twice 2^-24 of its size. In mixed precision the settings of the
 * kernels are of single precision: the grid spacing of positions, and half of dt. */
static double near_of(int32_t precision)
{
    return precision == SHOAL_GAS_DOUBLE ? 1e-13 : 4e-7;
}

static double number_at(const void *rows, int32_t precision, size_t at)
{
    return precision == SHOAL_GAS_SINGLE ? (double)((const float *)rows)[at] : ((const double *)rows)[at];
}

static struct shoal_buffer *buffer_of(size_t numbers, int32_t precision)
{
    struct shoal_buffer *buffer = NULL;
    const size_t bytes = numbers * (precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double));
    assert_ok(shoal_buffer_create(harness.device, bytes, &buffer, &test_error));
    assert_ok(shoal_buffer_fill(harness.queue, buffer, 0, bytes, 0xffffffffu, &test_error)); /* NaN */
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    return buffer;
}

static void compare(struct shoal_buffer *buffer, const double *wanted, size_t numbers, int32_t precision)
{
    void *rows = harness_memory(shoal_buffer_size(buffer));
    assert_ok(shoal_buffer_read(harness.queue, buffer, 0, rows, shoal_buffer_size(buffer), &test_error));
    for (size_t at = 0; at < numbers; at++)
        assert_near(number_at(rows, precision, at), wanted[at],
                    near_of(precision) * fmax(1, fabs(wanted[at])));
}

static void check(const struct shoal_gas_params *params)
{
    if (!harness_takes_case())
        return;
    struct shoal_solver *solver = gas_run_open(params, false);
    for (int look = 0; look < 2; look++) { /* before the first step, and when the particles are sorted */
        const struct shoal_gas_frame frame = frame_of(solver);
        const size_t numbers = frame.particles * frame.dim;
        struct shoal_buffer *position = buffer_of(numbers, params->precision),
                            *velocity = buffer_of(numbers, params->precision);
        assert_ok(shoal_gas_write_particles(solver, position, look ? NULL : velocity, &test_error));
        if (look)
            assert_ok(shoal_gas_write_particles(solver, NULL, velocity, &test_error));
        assert_ok(shoal_queue_finish(harness.queue, &test_error));
        compare(position, frame.position, numbers, params->precision);
        compare(velocity, frame.velocity, numbers, params->precision);
        shoal_buffer_destroy(&position);
        shoal_buffer_destroy(&velocity);
        if (!look)
            run_steps(solver, 10);
    }
    shoal_solver_destroy(&solver);
    harness_release();
}

static void rows_are_frames(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (size_t dim = 2; dim <= 3; dim++) {
            struct shoal_gas_params params = gas_run_dense(*precision, SHOAL_GAS_LIST);
            params.dim = dim;
            params.cutoff = 1.8; /* below half of the box in 3D */
            check(&params);
            params.boundary_x = SHOAL_GAS_WALLS;
            params.boundary_y = SHOAL_GAS_OPEN;
            params.field_y = -0.5;
            params.method = SHOAL_GAS_ALLPAIRS;
            check(&params);
        }
}

static void wrong_buffers_are_refused(void **state)
{
    (void)state;
    const struct shoal_gas_params params = gas_run_params();
    struct shoal_solver *solver = gas_run_open(&params, false), *host = gas_run_open(&params, true);
    struct shoal_buffer *small = buffer_of(73, SHOAL_GAS_SINGLE), *large = buffer_of(74, SHOAL_GAS_SINGLE);
    assert_status(shoal_gas_write_particles(solver, small, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "position has 292 bytes, but needs 296");
    assert_status(shoal_gas_write_particles(solver, large, small, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "velocity has 292 bytes, but needs 296");
    assert_status(shoal_gas_write_particles(solver, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "position or velocity");
    assert_status(shoal_gas_write_particles(host, large, NULL, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "shoal_gas_get_frame");
    shoal_buffer_destroy(&small);
    shoal_buffer_destroy(&large);
    shoal_solver_destroy(&solver);
    shoal_solver_destroy(&host);
}

int main(void)
{
    const struct CMUnitTest all[] = {by_turn(rows_are_frames), cmocka_unit_test(wrong_buffers_are_refused)};
    return harness_main("gas_rows", all, sizeof all / sizeof *all);
}
