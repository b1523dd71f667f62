/* Thermostats and walls of the gas as physics sees them, on every device under test: temperatures, their
 * fluctuations, fluxes, pressures. Tolerances are five standard deviations of what the runs average over. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>

/* Kinetic energies that a run's samples have. */
struct moments {
    uint64_t count;
    double sum, squares, wall_sum, wall_count;
    double first_conserved, worst_conserved;
};

static bool take(void *data, const void *sample, const char **failure)
{
    struct moments *moments = data;
    const struct shoal_gas_thermo *thermo = sample;
    (void)failure;
    if (moments->count++ == 0)
        moments->first_conserved = thermo->conserved;
    moments->sum += thermo->kinetic;
    moments->squares += thermo->kinetic * thermo->kinetic;
    moments->worst_conserved =
        fmax(moments->worst_conserved, fabs(thermo->conserved - moments->first_conserved));
    if (!isnan(thermo->wall_pressure)) {
        moments->wall_sum += thermo->wall_pressure;
        moments->wall_count++;
    }
    return false;
}

static struct moments sample(struct shoal_gas_params params, uint64_t steps)
{
    struct moments moments = {0};
    params.steps = steps;
    struct shoal_solver *solver = gas_run_open(&params, false);
    shoal_solver_on_sample(solver, take, &moments);
    run_steps(solver, params.equilibration + steps);
    shoal_solver_destroy(&solver);
    return moments;
}

static double mean_of(const struct moments *moments)
{
    return moments->sum / (double)moments->count;
}

static double variance_of(const struct moments *moments)
{
    const double mean = mean_of(moments);
    return moments->squares / (double)moments->count - mean * mean;
}

/* Mean and variance of the kinetic energy with f degrees are canonical; `independent`: number of independent
 * samples. */
static void check_canonical(const struct moments *moments, double degrees, double temperature,
                            double independent)
{
    const double mean = mean_of(moments), wanted = 0.5 * degrees * temperature;
    const double spread = variance_of(moments) / (mean * mean) * degrees / 2;
    assert_near(mean / wanted, 1, 5 * sqrt(2 / degrees / independent));
    assert_near(spread, 1, 5 * sqrt(2 / independent));
}

static struct shoal_gas_params ideal_gas(uint64_t particles)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = particles;
    params.epsilon = 0;
    params.dt = 0.05;
    params.thermo = 10;
    return params;
}

/* Samples of a run are new but for exp(-2). Without forces the thermostats are exact for any dt: the time
 * between samples takes two steps. */
static void check_thermostat(struct shoal_gas_params params, double degrees)
{
    params.dt = 0.25;
    params.thermo = 2;
    params.mass = 25; /* as far in a step as those of mass 1 in 0.05 */
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        params.precision = *precision;
        params.temperature = 1.5;
        const struct moments moments = sample(params, 4000);
        check_canonical(&moments, degrees, 1.5, 0.75 * 2000);
        assert_true(moments.worst_conserved < 1e-4 * mean_of(&moments) * 2);
    }
}

/* K forgets at 2 friction, and there is a sample every 0.5. */
static void langevin_is_canonical(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_gas(64);
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 2;
    check_thermostat(params, 128);
}

static void rescaling_is_canonical(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_gas(32);
    params.thermostat = SHOAL_GAS_RESCALE;
    params.relaxation = 0.25;
    check_thermostat(params, 62);
}

/* The kinetic energy of an interacting gas under the chain forgets in less than 0.4, twice the time between
 * samples, which 20000 steps of 0.005 have 250 times. */
static void a_chain_is_canonical(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        struct shoal_gas_params params = gas_run_params();
        params.precision = *precision;
        params.particles = 64;
        params.density = 0.6;
        params.thermostat = SHOAL_GAS_CHAIN;
        params.relaxation = 0.2;
        params.temperature = 1.5;
        params.thermo = 40;
        params.equilibration = 500;
        const struct moments moments = sample(params, 20000);
        check_canonical(&moments, 126, 1.5, 250);
        assert_true(moments.worst_conserved < 2e-2 * mean_of(&moments));
    }
}

/* Independent particles in a trap: the mean of their energy in the trap is n T in two dimensions, with the
 * variance n T^2 of a sample. The trap has the period 3.1, and friction 2 makes a sample each 5 new. */
static void a_trap_holds_a_gas(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_gas(256);
    double sum = 0, count = 0;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.density = 4; /* 8 wide, so that no particle is far from the middle at the start */
    params.trap = 4;
    params.temperature = 2;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 2;
    struct shoal_solver *solver = gas_run_open(&params, false);
    for (run_steps(solver, 400); count < 100; count++) {
        run_steps(solver, 100);
        sum += thermo_of(solver).potential;
    }
    shoal_solver_destroy(&solver);
    assert_near(sum / count / (256 * 2), 1, 5 * sqrt(1.0 / 256 / 100));
}

/* Sums over the samples of a ramp: of T over the temperature wanted, less 1, and of its square. */
struct ramp {
    double from, to, end, lag; /* lag: time by which the gas follows */
    double off, squares, count, first_conserved, worst_conserved;
};

static bool follow(void *data, const void *sample, const char **failure)
{
    struct ramp *ramp = data;
    const struct shoal_gas_thermo *thermo = sample;
    const double wanted = ramp->from + (ramp->to - ramp->from) * (thermo->time - ramp->lag) / ramp->end;
    const double off = thermo->temperature / wanted - 1;
    (void)failure;
    if (thermo->step == 0)
        ramp->first_conserved = thermo->conserved;
    ramp->worst_conserved = fmax(ramp->worst_conserved, fabs(thermo->conserved - ramp->first_conserved));
    if (thermo->time < 10 * ramp->lag)
        return false;
    ramp->off += off;
    ramp->squares += off * off;
    ramp->count++;
    return false;
}

/* An ideal gas follows a ramp in the time in which its energy relaxes: 1 / (2 friction), or `relaxation`. Its
 * temperature fluctuates by T sqrt(2 / f), and 600 samples of a ramp of 60 relaxation times have at least 25
 * independent ones. */
static void ramps_are_followed(void **state)
{
    (void)state;
    for (int32_t thermostat = SHOAL_GAS_LANGEVIN; thermostat <= SHOAL_GAS_RESCALE; thermostat++)
        for (int is_cooling = 0; is_cooling < 2; is_cooling++) {
            struct shoal_gas_params params = ideal_gas(1024);
            params.thermostat = thermostat;
            params.friction = thermostat == SHOAL_GAS_LANGEVIN ? 0.5 : NAN;
            params.relaxation = thermostat == SHOAL_GAS_RESCALE ? 1 : NAN;
            params.temperature = is_cooling ? 3 : 0.5;
            params.temperature_end = is_cooling ? 0.5 : 3;
            params.steps = 1200;
            params.dt = 0.05;
            params.thermo = 2;
            struct ramp ramp = {
                .from = params.temperature, .to = params.temperature_end, .end = 60, .lag = 1};
            struct shoal_solver *solver = gas_run_open(&params, false);
            shoal_solver_on_sample(solver, follow, &ramp);
            run_steps(solver, params.steps);
            shoal_solver_destroy(&solver);
            test_label("thermostat %d, %s", (int)thermostat, is_cooling ? "cooling" : "heating");
            assert_int_equal(ramp.count, 501);
            assert_near(ramp.off / ramp.count, 0, 5 * sqrt(2.0 / 2048 / 25));
            assert_near(ramp.squares / ramp.count, 2.0 / 2048, 5 * 2.0 / 2048 * sqrt(2.0 / 25));
            assert_true(ramp.worst_conserved < 1e-4 * 1024 * 3);
        }
}

/* The same with forces: the temperature is that of full steps, whatever dt. */
static void liquids_have_the_temperature_asked_for(void **state)
{
    (void)state;
    const int32_t thermostats[] = {SHOAL_GAS_LANGEVIN, SHOAL_GAS_RESCALE};
    for (size_t t = 0; t < 2; t++) {
        struct shoal_gas_params params = gas_run_params();
        params.particles = 64;
        params.density = 0.6;
        params.thermostat = thermostats[t];
        params.friction = thermostats[t] == SHOAL_GAS_LANGEVIN ? 5 : NAN;
        params.relaxation = 0.1;
        params.temperature = 1;
        params.thermo = 20;
        params.equilibration = 500;
        const struct moments moments = sample(params, 10000);
        const double degrees = thermostats[t] == SHOAL_GAS_RESCALE ? 126 : 128;
        /* 500 samples, one each 0.1: K forgets in 0.1 or less. */
        check_canonical(&moments, degrees, 1, 250);
        assert_true(moments.worst_conserved < 2e-2 * mean_of(&moments));
    }
}

/* A cold gas without collisions between hot walls gets their temperature, and n T as pressure; what it got is
 * booked. */
static void thermal_walls_heat(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_gas(256);
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.wall_left = params.wall_right = params.wall_bottom = params.wall_top = SHOAL_GAS_WALL_THERMAL;
    params.wall_temperature = 2;
    params.temperature = 0.5;
    params.density = 4;
    params.equilibration = 0;
    params.dt = 0.1; /* between walls particles fly straight: no error comes with dt */
    params.thermo = 5;
    const struct moments cold = sample(params, 5);
    const struct moments warm = sample(params, 10000);
    assert_true(mean_of(&cold) < 1.2 * 256 * 0.5);
    /* The box is 8 wide, a particle crosses it in about 6: 1000 / 6 independent samples. */
    const double mean = mean_of(&warm) / 256;
    assert_near(mean / 2, 1, 5 * sqrt(1.0 / 256 / 160) + 0.01);
    assert_true(warm.worst_conserved < 1e-3 * mean_of(&warm));
    /* n T on the walls. */
    const double pressure = warm.wall_sum / warm.wall_count;
    assert_near(pressure / (4 * 2), 1, 0.05);
}

static void damping_walls_cool(void **state)
{
    (void)state;
    struct shoal_gas_params params = ideal_gas(64);
    struct gas_run_state begin, end;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.wall_left = params.wall_right = params.wall_bottom = params.wall_top = SHOAL_GAS_WALL_DAMPING;
    params.wall_damping = 0.8;
    gas_run(&params, false, 0, &begin);
    gas_run(&params, false, 2000, &end);
    assert_true(end.thermo.kinetic < 0.1 * begin.thermo.kinetic);
    assert_near(end.thermo.conserved, begin.thermo.conserved, 1e-4 * begin.thermo.kinetic);
}

/* A gas under its weight between elastic walls keeps its energy, by every method that says so. */
static void weight_is_carried(void **state)
{
    (void)state;
    const struct {
        int32_t method;
        double allowed;
    } cases[] = {{SHOAL_GAS_W3, 1e-4}, {SHOAL_GAS_W4, 1e-4}, {SHOAL_GAS_W5, 2e-2}};
    for (size_t i = 0; i < 3; i++) {
        struct shoal_gas_params params = ideal_gas(64);
        params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
        params.wall_method = cases[i].method;
        params.dt = 0.01;
        params.field_y = -1;
        params.wall_stiffness = cases[i].method == SHOAL_GAS_W5 ? 200 : NAN;
        const struct moments moments = sample(params, 4000);
        test_label("W%d", (int)cases[i].method + 1);
        assert_at_most(moments.worst_conserved, cases[i].allowed * mean_of(&moments));
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(langevin_is_canonical), cmocka_unit_test(rescaling_is_canonical),
        cmocka_unit_test(ramps_are_followed),    cmocka_unit_test(liquids_have_the_temperature_asked_for),
        cmocka_unit_test(thermal_walls_heat),    cmocka_unit_test(damping_walls_cool),
        cmocka_unit_test(weight_is_carried),     cmocka_unit_test(a_chain_is_canonical),
        cmocka_unit_test(a_trap_holds_a_gas),
    };
    return harness_main("gas_thermostat", all, sizeof all / sizeof *all);
}
