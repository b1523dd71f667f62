/* What the host solver's gas must show over a run: fluctuations, distributions, pressures. Seeds are fixed,
 * so a test gives the same figures each time; bounds are about four standard errors. */
#include "fixture.h"
#include "unit.h"

#include "cli/gas/verify/plasma.h"
#include "cli/gas/verify/state_points.h"

#include <math.h>
#include <shoal/rng.h>

/* Thermostats ------------------------------------------------------------------------------------------ */

static void test_thermostats(void **state)
{
    (void)state;
    for (int32_t thermostat = SHOAL_GAS_LANGEVIN; thermostat <= SHOAL_GAS_RESCALE; thermostat++) {
        struct shoal_gas_params params = host_params(36);
        params.density = 0.3;
        params.temperature = 1.3;
        params.thermostat = thermostat;
        params.friction = thermostat == SHOAL_GAS_LANGEVIN ? 5 : NAN;
        params.relaxation = thermostat == SHOAL_GAS_RESCALE ? 0.05 : NAN;
        struct shoal_solver *solver = host_open(&params, 1);
        const double degrees = gas_host_of(solver)->problem.degrees;
        assert_int_equal(degrees, thermostat == SHOAL_GAS_LANGEVIN ? 72 : 70);
        const struct host_means means = host_average(solver, 2000, 60000, 20);
        const double temperature = 2 * means.kinetic / degrees;
        const double share = means.kinetic_variance / (means.kinetic * means.kinetic) * degrees / 2;
        print_message("thermostat %d: T %.4f, var(K) / <K>^2 over 2 / f %.3f, conserved within %.2g\n",
                      (int)thermostat, temperature, share, means.conserved_spread);
        /* 3000 samples, about 1.5 steps of the correlation: sqrt(2 / 2000) of the variance, sqrt(2 / f /
         * 2000) of the mean. */
        assert_near(share, 1, 0.13);
        assert_near(temperature, 1.3, 0.02);
        /* In 300 units of time 36 particles exchange thousands of units of heat. */
        assert_at_most(means.conserved_spread, 1);
        shoal_solver_destroy(&solver);
    }
}

static void test_equilibration(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(400);
    params.density = 0.5;
    params.temperature = 0.8;
    params.equilibration = 1000;
    struct shoal_solver *solver = host_open(&params, 0);
    run_steps(solver, 1000);
    assert_int_equal(thermo_of(solver).step, 0);
    const struct host_means means = host_average(solver, 0, 500, 10);
    /* sqrt(2 / f) of one rescaled state, which the run without thermostat keeps. */
    assert_near(2 * means.kinetic / gas_host_of(solver)->problem.degrees, 0.8, 0.11);
    shoal_solver_destroy(&solver);
}

/* Ideal gas -------------------------------------------------------------------------------------------- */

static struct shoal_gas_params ideal_params(uint64_t particles)
{
    struct shoal_gas_params params = host_params(particles);
    params.epsilon = 0;
    params.density = 0.5;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    return params;
}

/* Without forces the pressure is exact, and the walls feel it. */
static void test_ideal_pressure(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_params(200);
    params.wall_method = SHOAL_GAS_W3;
    params.dt = 0.02;
    struct shoal_solver *solver = host_open(&params, 0);
    const struct gas_problem *problem = &gas_host_of(solver)->problem;
    const struct host_means means = host_average(solver, 0, 50000, 1000);
    assert_near(means.pressure, means.kinetic / problem->volume, 1e-12);
    /* Each particle crosses the box 50 times and more; the end of its way counts half. */
    assert_near(means.wall_pressure / means.pressure, 1, 0.01);
    shoal_solver_destroy(&solver);
}

/* Thermal walls bring any gas to Maxwell's law at their temperature. */
static void test_thermal_walls(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_params(2000);
    params.density = 20; /* a box of 10 */
    params.temperature = 3;
    params.wall_temperature = 1;
    params.wall_left = params.wall_right = params.wall_bottom = params.wall_top = SHOAL_GAS_WALL_THERMAL;
    params.dt = 0.01;
    struct shoal_solver *solver = host_open(&params, 0);
    const struct gas_problem *problem = &gas_host_of(solver)->problem;
    const double before = thermo_of(solver).conserved;
    const struct host_means means = host_average(solver, 8000, 8000, 200);
    /* 2000 particles, renewed about each 10 units of time: 16000 independent ones, and two degrees each. */
    assert_near(2 * means.kinetic / problem->degrees, 1, 0.03);
    assert_near(means.wall_pressure / means.pressure, 1, 0.02);
    assert_near(thermo_of(solver).conserved, before, 1e-7);
    shoal_solver_destroy(&solver);
}

static void test_speeds(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++) {
        struct shoal_gas_params params = host_params(1000);
        params.dim = dim;
        params.density = 0.3;
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.friction = 20;
        params.speed_bins = 40;
        params.thermo = 40;
        params.steps = 1200;
        struct shoal_solver *solver = host_open(&params, 0);
        struct shoal_gas_histogram speeds;
        run_steps(solver, params.steps);
        assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_SPEEDS, &speeds, &test_error));
        assert_int_equal(speeds.samples, 31);
        double integral = 0, squares = 0;
        size_t used = 0;
        for (size_t b = 0; b < speeds.bins; b++) {
            const double expected = speeds.theory[b] * speeds.width * 1000 * 31;
            const double found = speeds.value[b] * speeds.width * 1000 * 31;
            integral += speeds.value[b] * speeds.width;
            if (expected > 20) {
                squares += (found - expected) * (found - expected) / expected;
                used++;
            }
        }
        print_message("dim %d: chi^2 %.1f of %zu bins\n", (int)dim, squares, used);
        assert_near(integral, 1, 1e-4);
        /* Samples 40 steps, 4 relaxation times, apart are independent. */
        assert_true(used > 25);
        assert_at_most(squares, (double)used + 4 * sqrt(2 * (double)used));
        shoal_solver_destroy(&solver);
    }
}

/* Displacements ---------------------------------------------------------------------------------------- */

/* Free flight: dim T t^2 / m, T of the velocities that the gas has. Momentum is kept: n - 1 particles' worth
 * of degrees of freedom. */
static void test_ballistic(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++) {
        struct shoal_gas_params params = host_params(500);
        params.dim = dim;
        params.epsilon = 0;
        params.density = 0.7;
        params.mass = 1.7;
        params.temperature = 1.3;
        params.msd = true;
        params.thermo = 100;
        struct shoal_solver *solver = host_open(&params, 0);
        struct shoal_gas_msd msd;
        run_steps(solver, 4000);
        const double temperature = thermo_of(solver).temperature;
        assert_near(temperature, 1.3, 4 * 1.3 * sqrt(2 / (double)(dim * 500)));
        assert_ok(shoal_gas_get_msd(solver, &msd, &test_error));
        assert_int_equal(msd.samples, 41);
        for (size_t i = 0; i < msd.samples; i++) {
            const double t = msd.sample[i].time;
            const double expected = (double)dim * temperature * t * t / params.mass * 499.0 / 500;
            assert_near(msd.sample[i].total, expected, 1e-9 * expected);
        }
        shoal_solver_destroy(&solver);
    }
}

/* An ideal gas in the left half of a box spreads into vacuum: the density is n0 / 2 erfc((x - x0) / s), s =
 * sqrt(2 T / m) t, until particles meet the wall at x = 40. Counts of bins deviate by their Poisson error,
 * and the sum of 19 squares by sqrt(2 19); the last bin, where few particles are, is left out. */
static void test_expansion(void **state)
{
    enum { BINS = 20 };
    (void)state;
    struct shoal_gas_params params = ideal_params(8000);
    params.density = NAN;
    params.width = params.height = 40;
    params.mass = 2;
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 0;
    params.start_part = 0.5;
    params.dt = 0.05;
    struct shoal_solver *solver = host_open(&params, 0);
    const double time = 100 * params.dt, spread = sqrt(2 / params.mass) * time;
    double counts[BINS] = {0}, squares = 0, before = 0;
    struct shoal_gas_frame frame = frame_of(solver);
    for (size_t i = 0; i < frame.particles; i++)
        assert_true(frame.position[2 * i] < 20);
    run_steps(solver, 100);
    frame = frame_of(solver);
    for (size_t i = 0; i < frame.particles; i++)
        counts[(int)(frame.position[2 * i] / 40 * BINS)]++;
    for (int b = 0; b < BINS - 1; b++) {
        /* the integral of erfc(z) is z erfc(z) - exp(-z^2) / sqrt(pi) */
        const double z = ((b + 1) * 2.0 - 20) / spread, low = -20 / spread;
        const double after = z * erfc(z) - exp(-z * z) / sqrt(acos(-1));
        const double first = low * erfc(low) - exp(-low * low) / sqrt(acos(-1));
        const double to_here = 8000 / 20.0 * 0.5 * spread * (after - first), expected = to_here - before;
        squares += (counts[b] - expected) * (counts[b] - expected) / expected;
        before = to_here;
    }
    assert_at_most(squares, BINS - 1 + 4 * sqrt(2.0 * (BINS - 1)));
    shoal_solver_destroy(&solver);
}

/* Friction and noise: D = T / (m friction), here with the exact factor (g / 2) coth(g / 2), g = friction dt,
 * of BAOAB without forces. */
static void test_brownian(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++) {
        struct shoal_gas_params params = host_params(4000);
        params.dim = dim;
        params.epsilon = 0;
        params.density = 0.5;
        params.mass = 1.5;
        params.temperature = 1.2;
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.friction = 4;
        params.dt = 0.02;
        params.msd = true;
        params.thermo = 25;
        struct shoal_solver *solver = host_open(&params, 0);
        struct shoal_gas_msd msd;
        run_steps(solver, 1500);
        assert_ok(shoal_gas_get_msd(solver, &msd, &test_error));
        const double half = 0.5 * params.friction * params.dt;
        const double expected = params.temperature / (params.mass * params.friction) * half / tanh(half);
        print_message("dim %d: D %.4f +- %.4f, expected %.4f\n", (int)dim, msd.diffusion, msd.diffusion_error,
                      expected);
        assert_true(msd.diffusion_error > 0.005 * expected && msd.diffusion_error < 0.05 * expected);
        assert_near(msd.diffusion, expected, 4 * msd.diffusion_error);
        shoal_solver_destroy(&solver);
    }
}

/* Pressures -------------------------------------------------------------------------------------------- */

static void test_wall_pressure(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_W3; method <= SHOAL_GAS_W5; method += 2) {
        struct shoal_gas_params params = host_params(100);
        params.density = 0.5;
        params.temperature = 1.5;
        params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
        params.wall_method = method;
        params.wall_stiffness = method == SHOAL_GAS_W5 ? 3000 : NAN;
        params.equilibration = 2000;
        struct shoal_solver *solver = host_open(&params, 0);
        const struct host_means means = host_average(solver, 2000, 25000, 25);
        print_message("W%d: pressure by virial %.4f, on the walls %.4f\n", method + 1, means.pressure,
                      means.wall_pressure);
        /* d/dt of sum m r v has no mean, so the two differ by its change over the run alone: of 100 particles
         * in a box of 14 about 100 x 14 / 125 of 2 P V = 530. Soft walls are 0.03 outside. */
        assert_near(means.wall_pressure / means.pressure, 1, method == SHOAL_GAS_W3 ? 0.025 : 0.04);
        shoal_solver_destroy(&solver);
    }
}

/* Clausius: 2 <K> = |A| m <sum d / (d + eps^2)> over the pairs of a gas that nothing but its attraction holds
 * together; the virial here is the negative of the right side. */
static void test_free_log_gas(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(30);
    params.potential = SHOAL_GAS_LOG;
    params.attraction = 0.5;
    params.softening = 1;
    params.width = params.height = 400;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.dt = 0.02;
    double position[60], velocity[60];
    struct shoal_solver *solver = host_open(&params, 1);
    for (uint32_t i = 0; i < 30; i++) {
        const struct shoal_words words = shoal_random_words(11, SHOAL_STREAM_TEST, 0, i, 0);
        shoal_normal_double(words, &velocity[2 * i], &velocity[2 * i + 1]);
        position[2 * i] = 195 + 10 * shoal_uniform_double(words.x, words.z);
        position[2 * i + 1] = 195 + 10 * shoal_uniform_double(words.y, words.w);
    }
    host_place(solver, position, velocity);
    const struct host_means means = host_average(solver, 5000, 50000, 10);
    print_message("2 <K> %.2f, virial %.2f\n", 2 * means.kinetic, means.virial);
    /* sum m r v stays below 30 x 20 x 3, over 1000 units of time. */
    assert_near(-means.virial / (2 * means.kinetic), 1, 0.03);
    assert_at_most(means.conserved_spread, 0.1);
    shoal_solver_destroy(&solver);
}

/* A trapped plasma at q^2 = 2 T, with forces by all pairs and by fast multipoles. */
static void test_plasma(void **state)
{
    (void)state;
    for (int by_fmm = 0; by_fmm < 2; by_fmm++) {
        struct plasma plasma;
        struct shoal_gas_params params = plasma_params(100, by_fmm ? 2000 : 10000);
        params.method = by_fmm ? SHOAL_GAS_FMM : SHOAL_GAS_AUTO;
        plasma_begin(&plasma, &params);
        struct shoal_solver *solver = host_open(&params, 1);
        run_steps(solver, params.equilibration + params.steps);
        double error;
        const double squares = plasma_squares(&plasma, &error), exact = plasma_exact_squares(&plasma);
        const double density = plasma_density_deviation(&plasma), pairs = plasma_pair_deviation(&plasma);
        print_message("plasma: sum of r^2 %.5g +- %.2g (%.5g), density %.2f, g(r) %.2f\n", squares, error,
                      exact, density, pairs);
        assert_true(plasma.seen == plasma.frames && error < (by_fmm ? 5e-3 : 2e-3) * exact);
        assert_near(squares, exact, 4 * error);
        assert_at_most(density, 2);
        assert_at_most(pairs, 2);
        shoal_solver_destroy(&solver);
    }
}

/* Points of the table with fewer particles: a pressure that a run of seconds gives. */
static void test_state_points(void **state)
{
    (void)state;
    static const size_t points[] = {2, 5};
    for (size_t p = 0; p < 2; p++) {
        const struct gas_state_point *point = &gas_state_points[points[p]];
        struct shoal_gas_params params = gas_state_point_params(point, 256, 25, SHOAL_GAS_LANGEVIN);
        struct shoal_solver *solver = host_open(&params, 0);
        struct shoal_result result = {0};
        run_steps(solver, params.equilibration + params.steps);
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        assert_true(result.check_passed);
        const struct gas_averages *averages = gas_common_of(solver)->averages;
        const struct gas_average pressure = gas_averages_get(averages, GAS_MEAN_PRESSURE);
        const struct gas_average energy = gas_averages_get(averages, GAS_MEAN_POTENTIAL);
        print_message("T %.1f, density %.2f: P %.5f +- %.5f (%.5f), U / N %.4f +- %.4f (%.4f)\n",
                      point->temperature, point->density, pressure.mean, pressure.error, point->pressure,
                      energy.mean, energy.error, point->energy);
        /* Momentum is not kept: the kinetic part has no factor (N - 1) / N. */
        const double shift = point->density * point->temperature / GAS_STATE_POINT_PARTICLES;
        assert_at_most(pressure.error, 0.02 * point->pressure);
        assert_near(pressure.mean, point->pressure + shift, 4 * hypot(pressure.error, point->pressure_error));
        assert_near(energy.mean, point->energy, 4 * hypot(energy.error, point->energy_error));
        shoal_solver_destroy(&solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_thermostats),   GAS_TEST(test_equilibration), GAS_TEST(test_ideal_pressure),
        GAS_TEST(test_thermal_walls), GAS_TEST(test_speeds),        GAS_TEST(test_wall_pressure),
        GAS_TEST(test_free_log_gas),  GAS_TEST(test_state_points),  GAS_TEST(test_ballistic),
        GAS_TEST(test_brownian),      GAS_TEST(test_expansion),     GAS_TEST(test_plasma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
