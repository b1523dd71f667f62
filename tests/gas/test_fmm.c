/* A gas whose forces are computed by fast multipoles, on every device under test and on the host. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 500, STEPS = 3 };

static double position[2 * MOST], velocity[2 * MOST];
static struct gas_run_state found, wanted;

/* Places of particles. */
enum places { EVEN, ON_A_LINE, CLUSTERS, IN_A_SPOT };

static uint64_t many(void)
{
    return harness.tiny ? 70 : MOST;
}

/* A gas with velocities of its own in a box of the side `length`. */
static struct shoal_gas_params gas(enum places places, uint64_t n, int32_t precision)
{
    struct shoal_gas_params params = gas_run_params();
    const double length = places == CLUSTERS ? 20000 : 40;
    for (uint32_t i = 0; i < n; i++) {
        const struct shoal_words words = shoal_random_words(5, SHOAL_STREAM_TEST, 0, i, 0);
        const double u = shoal_uniform_double(words.x, words.z), v = shoal_uniform_double(words.y, words.w);
        shoal_normal_double(words, &velocity[2 * i], &velocity[2 * i + 1]);
        const double wide = places == IN_A_SPOT ? 1e-3 : places == CLUSTERS ? 20 : 40;
        position[2 * i] = places == CLUSTERS ? 5000 + (i % 2 ? 1e4 : 0) : places == IN_A_SPOT ? 17 : 0;
        position[2 * i + 1] = places == CLUSTERS ? 7000 : places == EVEN ? 0 : 17;
        position[2 * i] += wide * u;
        position[2 * i + 1] += places == ON_A_LINE ? 0 : wide * v;
    }
    gas_run_start(&params, position, velocity, n, length, length);
    params.cutoff = NAN;
    params.potential = SHOAL_GAS_LOG;
    params.softening = 0.5;
    params.attraction = 1 / (double)n;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.method = SHOAL_GAS_FMM;
    params.accuracy = 1e-2;
    params.precision = precision;
    params.dt = places == CLUSTERS ? 0.05 : 0.005; /* longer than the grid of fixed-point positions */
    return params;
}

/* |sum of the forces| over the sum of their lengths. */
static double sum_of_forces(struct shoal_solver *solver, size_t n)
{
    double *const acceleration = harness_memory(2 * n * sizeof *acceleration);
    double x = 0, y = 0, lengths = 0;
    assert_ok(gas_common_of(solver)->stepper->get_accelerations(solver, acceleration, &test_error));
    for (size_t i = 0; i < n; i++) {
        const double mass = gas_mass(gas_common_of(solver)->problem, i);
        x += mass * acceleration[2 * i];
        y += mass * acceleration[2 * i + 1];
        lengths += mass * hypot(acceleration[2 * i], acceleration[2 * i + 1]);
    }
    return lengths > 0 ? hypot(x, y) / lengths : 0;
}

/* Runs, and compares with the steps of the host by the direct sum. */
static void check_on(const struct shoal_gas_params *params, bool on_host)
{
    struct shoal_gas_params direct = *params;
    struct shoal_result result = {0};
    const double n = (double)params->particles;
    direct.method = SHOAL_GAS_AUTO;
    direct.accuracy = 1e-4; /* the default */
    struct shoal_solver *solver = gas_run_open(params, on_host);
    run_steps(solver, STEPS);
    gas_run_state(solver, &found);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    assert_at_most(shoal_result_number(&result, "force_error"), params->accuracy);
    assert_string_equal(timing_of(solver).method, "fmm");
    assert_at_most(sum_of_forces(solver, params->particles), 1e-5);
    shoal_solver_destroy(&solver);
    gas_run(&direct, true, STEPS, &wanted);
    assert_at_most(gas_run_deviation(&found, &wanted, 2), 0.02 * params->accuracy + 2e-6);
    assert_near(found.thermo.potential / n, wanted.thermo.potential / n, params->accuracy);
    assert_near(found.thermo.pressure, wanted.thermo.pressure,
                params->accuracy * (1 + fabs(wanted.thermo.pressure)));
}

static void check(const struct shoal_gas_params *params)
{
    if (!harness_takes_case())
        return;
    test_label("%d particles, potential %d, precision %d", (int)params->particles, (int)params->potential,
               (int)params->precision);
    check_on(params, false);
    check_on(params, true);
    harness_release();
}

/* Few cases on the device, each of which builds kernels of its own. */
static void steps_are_those_of_the_direct_sum(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas(EVEN, many(), SHOAL_GAS_SINGLE);
    check(&params);
    params.potential = SHOAL_GAS_GRAVITY;
    check_on(&params, true);
    params.potential = SHOAL_GAS_LOG_REPULSION;
    check_on(&params, true);
    if (!harness_has_fp64())
        return;
    params = gas(EVEN, many(), SHOAL_GAS_DOUBLE);
    params.species = "P=0.5,N=0.5:charge=-1.5:mass=3";
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.attraction = -0.5;
    params.accuracy = harness.tiny ? 1e-2 : 1e-4;
    check(&params);
}

static void odd_places(void **state)
{
    (void)state;
    for (enum places places = ON_A_LINE; places <= IN_A_SPOT; places++) {
        const struct shoal_gas_params params = gas(places, many() / 2, SHOAL_GAS_SINGLE);
        check(&params);
    }
    for (uint64_t n = 1; n <= 3; n++) {
        const struct shoal_gas_params params = gas(EVEN, n, SHOAL_GAS_SINGLE);
        check(&params);
    }
}

/* A resumed run has the same bits as one without a break. */
static void checkpoints_continue(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas(EVEN, many(), SHOAL_GAS_SINGLE);
        if (!harness_takes_case())
            continue;
        params.thermostat = SHOAL_GAS_LANGEVIN;
        struct shoal_solver *first = gas_run_open(&params, on_host), *second = gas_run_open(&params, on_host);
        run_steps(first, 2);
        assert_ok(shoal_solver_save(first, test_path("fmm"), &test_error));
        assert_ok(shoal_solver_load(second, test_path("fmm"), &test_error));
        run_steps(first, 2);
        run_steps(second, 2);
        gas_run_state(first, &wanted);
        gas_run_state(second, &found);
        gas_run_same(&found, &wanted);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

/* What the precision of a device refuses; tests/gas/test_problem.c has what no device does. */
static void accuracy_of_single_precision(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas(EVEN, 5, SHOAL_GAS_SINGLE);
    struct shoal_solver *solver = NULL;
    params.accuracy = 1e-8;
    assert_status(shoal_solver_create(shoal_workload_find("gas"), harness.device, harness.queue, &params,
                                      harness.variant, &solver, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "single precision cannot have --accuracy 1e-08, but 1e-05 at best");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_direct_sum),
        by_turn(odd_places),
        cmocka_unit_test(checkpoints_continue),
        cmocka_unit_test(accuracy_of_single_precision),
    };
    return harness_main("gas fmm", tests, sizeof tests / sizeof *tests);
}
