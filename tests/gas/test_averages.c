/* Tables of a gas in long runs on the host, against what is known of their averages. */
#include "fixture.h"
#include "harness.h"

#include <math.h>

/* A gas without forces in a field between walls: density exp(-m g y / T), temperature T, pressure density T
 * in each direction, no flow. Particles need a time of height^2 / (pi^2 D) = 6 to forget their places; of 60
 * such times the scatter of a slice of 100 particles is 1.3 %. */
static void test_gravity(void **state)
{
    (void)state;
    enum { SLICES = 5 };
    struct shoal_gas_params params = gas_run_tables(500, 2, SHOAL_GAS_SINGLE);
    params.mass = 1;
    params.epsilon = 0;
    params.density = 1;
    params.boundary_y = SHOAL_GAS_WALLS;
    params.height = 8;
    params.field_y = -0.2;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 1;
    params.dt = 0.05;
    params.equilibration = 0;
    params.thermo = 20;
    struct shoal_solver *solver = gas_run_open(&params, true);
    const double mean = exp(-0.2 * params.height / SLICES);
    double sum = 0;
    run_steps(solver, 8000);
    const struct shoal_gas_table table = gas_run_table(solver, SHOAL_GAS_PROFILES);
    const double *density = gas_run_column(&table, "density"),
                 *temperature = gas_run_column(&table, "temperature");
    const double *across = gas_run_column(&table, "pressure_yy"),
                 *along = gas_run_column(&table, "pressure_xx");
    const double *flow = gas_run_column(&table, "flow_x"),
                 *flow_error = gas_run_column(&table, "flow_x_error");
    assert_int_equal(table.rows, SLICES);
    for (size_t s = 0; s < SLICES; s++)
        sum += density[s] / SLICES;
    assert_near(sum, 1, 1e-12);
    for (size_t s = 0; s < SLICES; s++) {
        const double expected = SLICES * pow(mean, (double)s) * (1 - mean) / (1 - pow(mean, SLICES));
        assert_near(density[s], expected, 0.05 * expected);
        assert_near(temperature[s], 1, 0.03);
        assert_near(across[s], density[s], 0.05 * density[s]);
        assert_near(along[s], density[s], 0.05 * density[s]);
        assert_true(fabs(flow[s]) < 5 * flow_error[s] && flow_error[s] < 0.02);
    }
    shoal_solver_destroy(&solver);
}

/* S(k) of particles at random places is 1. */
static void test_structure(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_tables(400, 2, SHOAL_GAS_SINGLE);
    params.epsilon = 0;
    params.density = 1;
    params.structure_bins = 12;
    params.structure_range = 9;
    params.pressure_tensor = params.profile_all = false;
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 0;
    params.dt = 0.1;
    params.thermo = 40; /* the particles move so far that each sample has other places */
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 8000);
    const struct shoal_gas_table table = gas_run_table(solver, SHOAL_GAS_STRUCTURE);
    const double *s = gas_run_column(&table, "s"), *error = gas_run_column(&table, "s_error"),
                 *k = gas_run_column(&table, "k");
    for (size_t row = 0; row < table.rows; row++) {
        assert_near(s[row], 1, 5 * error[row]);
        assert_true(error[row] < 0.15);
        assert_true(k[row] > (double)row * 0.75 && k[row] < (double)(row + 1) * 0.75);
    }
    shoal_solver_destroy(&solver);
}

/* Free particles with the Langevin thermostat: autocorrelation 2 T / m exp(-friction t), displacement 4 D (t
 * - (1 - exp(-friction t)) / friction), D = T / (m friction). Five standard errors of groups; the trapezoidal
 * rule over times of 0.2 and more adds 1 %. */
static void test_free_motion(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_tables(1000, 2, SHOAL_GAS_SINGLE);
    params.mass = 2;
    params.epsilon = 0;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 0.5;
    params.temperature = 1.5;
    params.dt = 0.05;
    params.thermo = 4;
    params.pressure_tensor = params.profile_all = false;
    params.profile_axis = SHOAL_GAS_NO_AXIS;
    params.profile_bins = 0;
    params.vacf = true;
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 4000);
    const struct shoal_gas_table table = gas_run_table(solver, SHOAL_GAS_MOTION);
    const double *time = gas_run_column(&table, "time"), *vacf = gas_run_column(&table, "vacf"),
                 *msd = gas_run_column(&table, "msd");
    const double *vacf_error = gas_run_column(&table, "vacf_error"),
                 *msd_error = gas_run_column(&table, "msd_error");
    const double *origins = gas_run_column(&table, "origins"), d = 1.5 / (2 * 0.5);
    assert_int_equal(table.rows, 1 + 8 + 4 * 6 + 3); /* 1000 samples: up to 7 times 128 */
    assert_true(time[0] == 0 && msd[0] == 0 && origins[0] == 126 && origins[8] == 125 &&
                origins[table.rows - 1] == 1);
    for (size_t row = 0; row < table.rows && origins[row] >= 4; row++) {
        const double kept = exp(-0.5 * time[row]);
        assert_near(vacf[row], 1.5 * kept, 5 * vacf_error[row] + 0.002);
        assert_near(msd[row], 4 * d * (time[row] - (1 - kept) / 0.5), 5 * msd_error[row] + 0.001);
    }
    const struct gas_diffusion found =
        gas_origins_diffusion(&gas_common_of(solver)->tables.origins, gas_common_of(solver)->problem, 0.2);
    assert_near(found.vacf, d, 5 * found.vacf_error + 0.01 * d);
    assert_near(found.msd, d, 5 * found.msd_error);
    assert_true(found.vacf_error < 0.15 * d && found.msd_error < 0.15 * d);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_free_motion),
    };
    return harness_main("gas-averages", tests, sizeof tests / sizeof *tests);
}
