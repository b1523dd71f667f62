/* Steps of the gas on every device under test: each rule against the host solver, and what must hold whatever
 * the rounding. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct gas_run_state device_state, host_state;

/* Against the host ------------------------------------------------------------------------------------- */

/* A rule: what differs from gas_run_params. */
struct rule {
    const char *name;
    void (*set)(struct shoal_gas_params *params);
};

static void set_boundaries(struct shoal_gas_params *params, int32_t boundary)
{
    params->boundary_x = params->boundary_y = boundary;
    if (params->dim == 3)
        params->boundary_z = boundary;
}
static void set_walls(struct shoal_gas_params *params, int32_t method)
{
    set_boundaries(params, SHOAL_GAS_WALLS);
    params->wall_method = method;
    params->temperature = 4; /* many collisions in few steps */
}
static void set_periodic(struct shoal_gas_params *params)
{
    params->temperature = 4;
}
static void set_w2(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W2);
}
static void set_w3(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W3);
}
static void set_w4(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W4);
    params->epsilon = 0;
    params->field_y = -3;
    params->field_x = 0.5;
}
static void set_w5(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W5);
    params->wall_stiffness = 300;
}
static void set_strip(struct shoal_gas_params *params)
{
    params->boundary_y = SHOAL_GAS_WALLS;
    params->field_y = -2;
    params->field_x = 0.3;
    params->temperature = 4;
}
static void set_thermal(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W3);
    params->wall_left = params->wall_top = SHOAL_GAS_WALL_THERMAL;
    params->wall_right = SHOAL_GAS_WALL_DAMPING;
    params->wall_temperature = 2;
}
static void set_thermal_w2(struct shoal_gas_params *params)
{
    set_thermal(params);
    params->wall_method = SHOAL_GAS_W2;
}
static void set_langevin(struct shoal_gas_params *params)
{
    params->thermostat = SHOAL_GAS_LANGEVIN;
    params->friction = 5;
}
static void set_langevin_walls(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W3);
    set_langevin(params);
}
static void set_rescale(struct shoal_gas_params *params)
{
    params->thermostat = SHOAL_GAS_RESCALE;
    params->relaxation = 0.1;
    params->temperature = 2;
}
/* Before every second step. */
static void set_chain(struct shoal_gas_params *params)
{
    params->thermostat = SHOAL_GAS_CHAIN;
    params->relaxation = 0.1;
    params->equilibration = harness.tiny ? 1 : 5;
    params->temperature = 2;
}
static void set_chain_minimise(struct shoal_gas_params *params)
{
    params->thermostat = SHOAL_GAS_CHAIN;
    params->relaxation = 0.1;
    params->minimise = 3;
}
static void set_equilibration(struct shoal_gas_params *params)
{
    params->equilibration = 21;
    params->relaxation = 0.1;
}
static void set_open(struct shoal_gas_params *params)
{
    set_boundaries(params, SHOAL_GAS_OPEN);
    params->potential = SHOAL_GAS_LOG;
    params->cutoff = NAN;
}
static void set_euler(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W3);
    params->integrator = SHOAL_GAS_EULER;
}
/* Behind an equilibration, which has the first temperature. */
static void set_langevin_ramp(struct shoal_gas_params *params)
{
    set_langevin(params);
    params->equilibration = harness.tiny ? 1 : 5;
    params->steps = 70;
    params->temperature_end = 9;
}
static void set_rescale_ramp(struct shoal_gas_params *params)
{
    set_rescale(params);
    params->steps = 70;
    params->temperature_end = 0.2;
}
static void set_trap(struct shoal_gas_params *params)
{
    set_boundaries(params, SHOAL_GAS_OPEN);
    params->trap = 3;
}
/* The chain acts from the first step on, and the trap adds to the velocities of the full step. */
static void set_chain_trap(struct shoal_gas_params *params)
{
    set_trap(params);
    params->thermostat = SHOAL_GAS_CHAIN;
    params->relaxation = 0.1;
}
/* Friction, temperature and field have another value in each step. */
static void set_langevin_schedule(struct shoal_gas_params *params)
{
    set_langevin(params);
    params->equilibration = harness.tiny ? 1 : 5;
    gas_run_schedule(params, "0 temperature 2\n0 friction 1 over 60\n0 field-x 4 over 30\n"
                             "10 temperature 0.5 over 60\n40 field-x -4\n");
}
/* Steps of lists have texts of their own, a native one for CUDA. */
static void set_listed_schedule(struct shoal_gas_params *params)
{
    set_langevin_schedule(params);
    if (!harness.tiny)
        params->method = SHOAL_GAS_LIST;
}
/* A trap and a field change without a thermostat, and the field moves the middle of the trap. */
static void set_trap_schedule(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W5);
    params->field_x = 0;
    gas_run_schedule(params, "1 trap 8 over 40\n2 field-y 3 # up\n\n60 trap 0\n");
}
#if SHOAL_THESES
static void set_w1(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W1);
}
static void set_thermal_w1(struct shoal_gas_params *params)
{
    set_thermal(params);
    params->wall_method = SHOAL_GAS_W1;
}
static void set_l1(struct shoal_gas_params *params)
{
    limit_speeds(params, SHOAL_GAS_LIMIT_ENERGY, 2);
}
/* The limit depends on the velocities of the full step, and these on the field of the step. */
static void set_l1_schedule(struct shoal_gas_params *params)
{
    set_walls(params, SHOAL_GAS_W3);
    limit_speeds(params, SHOAL_GAS_LIMIT_ENERGY, 2);
    gas_run_schedule(params, "0 field-x 40 over 40\n");
}
static void set_l2(struct shoal_gas_params *params)
{
    limit_speeds(params, SHOAL_GAS_LIMIT_JUMP, 1.02);
}
#endif

static const struct rule rules[] = {
    {"periodic", set_periodic},
#if SHOAL_THESES
    {"W1", set_w1},
#endif
    {"W2", set_w2},
    {"W3", set_w3},
    {"W4", set_w4},
    {"W5", set_w5},
    {"walls along x, field", set_strip},
    {"thermal and damping walls", set_thermal},
#if SHOAL_THESES
    {"thermal walls, W1", set_thermal_w1},
#endif
    {"thermal walls, W2", set_thermal_w2},
    {"langevin", set_langevin},
    {"langevin between walls", set_langevin_walls},
    {"rescaling", set_rescale},
    {"equilibration", set_equilibration},
#if SHOAL_THESES
    {"L1", set_l1},
    {"L2", set_l2},
#endif
    {"open", set_open},
    {"euler", set_euler},
    {"ramp of langevin", set_langevin_ramp},
    {"ramp of rescaling", set_rescale_ramp},
    {"trap", set_trap},
    {"schedule of langevin", set_langevin_schedule},
    {"schedule of a trap", set_trap_schedule},
    {"chain", set_chain},
    {"schedule of langevin, lists", set_listed_schedule},
    {"chain in a trap", set_chain_trap},
    {"chain after a minimisation", set_chain_minimise},
#if SHOAL_THESES
    {"L1, schedule of a field", set_l1_schedule},
#endif
};

/* Rounding of a step, grown by 60 steps of trajectories that part, with a margin of 10 over the largest value
 * seen; a wrong rule is off by 1e-2 and more. */
static double allowed(int32_t precision)
{
    return precision == SHOAL_GAS_DOUBLE ? 1e-11 : 1e-4;
}

static void check_rule(const struct rule *rule, uint64_t dim, int32_t precision)
{
    struct shoal_gas_params params = gas_run_params();
    const uint64_t steps = harness.tiny ? 2 : 60;
    int limiter = 0;
    char kind[32];
    params.dim = dim;
    params.particles = harness.tiny ? 5 : 37;
    params.precision = precision;
    if (harness.tiny) {
        params.cutoff = 1.5;
    }
    rule->set(&params);
#if SHOAL_THESES
    limiter = params.thesis ? params.thesis->limiter : 0;
#endif
    snprintf(kind, sizeof kind, "limiter %d", limiter);
    if (!harness_takes_case_of(kind))
        return;
    gas_run(&params, false, steps, &device_state);
    gas_run(&params, true, steps, &host_state);
    test_label("%s, %dD, precision %d", rule->name, (int)dim, (int)precision);
    assert_at_most(gas_run_deviation(&device_state, &host_state, dim), allowed(precision));
    const double scale = fabs(host_state.thermo.kinetic) + fabs(host_state.thermo.potential);
    const double heat = (device_state.thermo.total - device_state.thermo.conserved) -
                        (host_state.thermo.total - host_state.thermo.conserved);
    assert_near(heat, 0, 10 * allowed(precision) * scale);
    const double got = device_state.thermo.wall_pressure, wanted = host_state.thermo.wall_pressure;
    assert_int_equal(isnan(got), isnan(wanted));
    if (!isnan(wanted))
        assert_near(got, wanted, 100 * allowed(precision) * fabs(wanted));
}

/* Building kernels takes most of the time: not every rule in every precision and dimension. */
static void rules_equal_the_host(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        /* The simulator takes the kernels of a minimisation only without optimisation: gas-minimise. */
        if (harness.tiny && rules[r].set == set_chain_minimise)
            continue;
        check_rule(&rules[r], 2, SHOAL_GAS_SINGLE);
        if (harness.tiny)
            continue;
        if (r % 4 == 1)
            check_rule(&rules[r], 3, SHOAL_GAS_SINGLE);
        if (harness.info->fp64 && r % 2 == 0)
            check_rule(&rules[r], 2 + r / 2 % 2, SHOAL_GAS_DOUBLE);
        if (harness.info->fp64 && r % 6 == 0)
            check_rule(&rules[r], 2, SHOAL_GAS_MIXED);
    }
}

/* What `shoal verify` does. */
static void first_steps_are_verified(void **state)
{
    (void)state;
    const struct shoal_workload *gas = shoal_workload_find("gas");
    struct shoal_verification result = {0};
    if (harness.tiny)
        skip();
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (uint64_t dim = 2; dim <= 3; dim++) {
            if (!harness_takes_case())
                continue;
            struct shoal_gas_params params = gas_run_params();
            params.particles = 500;
            params.dim = dim;
            params.density = 0.7;
            params.precision = *precision;
            params.method = dim == 2 ? SHOAL_GAS_LIST : SHOAL_GAS_ALLPAIRS;
            assert_ok(shoal_workload_verify(gas, harness.device, &params, 20, SHOAL_VARIANT_AUTO, &result,
                                            &test_error));
            assert_int_equal(result.steps, 20);
        }
}

/* Pieces ----------------------------------------------------------------------------------------------- */

static void pieces_change_nothing(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    static struct gas_run_state whole, cut;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = gas_run_params();
        rules[r].set(&params);
        gas_run(&params, false, 50, &whole);
        struct shoal_solver *solver = gas_run_open(&params, false);
        for (uint64_t piece = 1; piece <= 9; piece++)
            run_steps(solver, piece);
        gas_run_state(solver, &cut); /* looking changes nothing either */
        run_steps(solver, 5);
        gas_run_state(solver, &cut);
        shoal_solver_destroy(&solver);
        /* The time of the sample before is that of other samples. */
        cut.thermo.wall_pressure = whole.thermo.wall_pressure = 0;
        gas_run_same(&cut, &whole);
    }
}

/* Conservation ----------------------------------------------------------------------------------------- */

/* Positions come back when velocities are reversed: 200 steps there, 200 back, through a file. */
static void time_can_be_reversed(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    static struct gas_run_state begin, there, back;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = gas_run_params();
        double folded[2 * 37], reversed[2 * 37];
        params.precision = *precision;
        const double width = sqrt(37 / params.density);
        gas_run(&params, false, 0, &begin);
        gas_run(&params, false, 200, &there);
        for (size_t at = 0; at < 2 * 37; at++) {
            folded[at] = there.numbers[at] - width * floor(there.numbers[at] / width);
            reversed[at] = -there.numbers[2 * 37 + at];
        }
        gas_run_start(&params, folded, reversed, 37, width, width);
        gas_run(&params, false, 200, &back);
        double worst = 0;
        for (size_t at = 0; at < 2 * 37; at++) {
            const double off = back.numbers[at] - begin.numbers[at];
            worst = fmax(worst, fabs(off - width * rint(off / width)));
        }
        /* Rounding of 400 steps; fixed-point positions and velocities in fp32 in the first two. */
        assert_true(worst < (*precision == SHOAL_GAS_DOUBLE ? 1e-9 : 2e-3));
    }
}

static void momentum_and_energy_are_kept(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    static struct gas_run_state begin, end;
    struct shoal_gas_params params = gas_run_params();
    params.dt = 0.002;
    gas_run(&params, false, 0, &begin);
    gas_run(&params, false, 2000, &end);
    for (size_t k = 0; k < 2; k++)
        assert_near(end.thermo.momentum[k], 0, 1e-3);
    assert_near(end.thermo.total, begin.thermo.total, 2e-3 * begin.thermo.kinetic);
}

/* Small and strange ------------------------------------------------------------------------------------ */

static void few_particles_move(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    for (size_t n = 1; n <= 3; n++) {
        struct shoal_gas_params params = gas_run_params();
        const double position[] = {5, 5, 6.1, 5, 5, 6.2}, velocity[] = {0.5, 0.25, -0.5, 0, 0.125, 3};
        gas_run_start(&params, position, velocity, n, 10, 10);
        gas_run(&params, false, 100, &device_state);
        gas_run(&params, true, 100, &host_state);
        assert_true(gas_run_deviation(&device_state, &host_state, 2) < 1e-5);
        if (n == 1) { /* nothing but straight on */
            assert_near(device_state.numbers[0], 5 + 0.5 * 0.5, 1e-6);
            assert_near(device_state.numbers[1], 5 + 0.5 * 0.25, 1e-6);
        }
    }
}

/* On the border itself, and across it. */
static void borders_are_nothing_special(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    const double position[] = {0, 0, 9.999999999, 5, 5, 10, 1.5, 0, 8.7, 0.1};
    const double velocity[] = {-1, 1, 1, 0, 0, 1, 0, -1, 0.3, -0.37};
    const int32_t boundaries[] = {SHOAL_GAS_PERIODIC, SHOAL_GAS_WALLS, SHOAL_GAS_OPEN};
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (size_t b = 0; b < 3; b++) {
            if (!harness_takes_case())
                continue;
            struct shoal_gas_params params = gas_run_params();
            params.precision = *precision;
            params.boundary_x = params.boundary_y = boundaries[b];
            gas_run_start(&params, position, velocity, 5, 10, 10);
            gas_run(&params, false, 100, &device_state);
            gas_run(&params, true, 100, &host_state);
            test_label("boundary %d, precision %d", (int)boundaries[b], (int)*precision);
            assert_at_most(gas_run_deviation(&device_state, &host_state, 2), 1e-4);
        }
}

/* Ends ------------------------------------------------------------------------------------------------- */

static void must_fail_on(const struct shoal_gas_params *params, bool host, const char *message)
{
    struct shoal_solver *solver = gas_run_open(params, host);
    uint64_t done;
    assert_status(shoal_solver_step(solver, 1000, &done, &test_error), SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, message);
    shoal_solver_destroy(&solver);
}

static void must_fail(const struct shoal_gas_params *params, const char *message)
{
    must_fail_on(params, false, message);
}

static void explosions_are_named(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    const double position[] = {5, 5, 8, 5, 2, 2}, velocity[] = {0, 0, 400, 0, 0, 0};
    struct shoal_gas_params params = gas_run_params();
    gas_run_start(&params, position, velocity, 3, 10, 10);
    must_fail(&params, "exploded at step 1: particle 2");
    params.equilibration = 10;
    must_fail(&params, "exploded at step -9: particle 2");
    params = gas_run_params();
    params.dt = 0.2;
    must_fail(&params, "lower --dt (0.2)");
}

/* A thermal wall draws a velocity anew, whatever came; that is no way out of an explosion. The first velocity
 * is infinite in fp32, its square in fp64 too. */
static void thermal_walls_hide_no_explosion(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    const double position[] = {5, 5, 9.99, 5, 5, 9.99},
                 velocity[][6] = {{0, 0, 1e300, 0, 0, 0}, {0, 0, 0, 0, -1e300, 50}};
    static const char *const messages[] = {"exploded at step 1: particle 2",
                                           "exploded at step 1: particle 3"};
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (size_t which = 0; which < 2; which++) {
            if (!harness_takes_case())
                continue;
            struct shoal_gas_params params = gas_run_params();
            params.precision = *precision;
            set_walls(&params, SHOAL_GAS_W3);
            params.wall_left = params.wall_right = params.wall_top = params.wall_bottom =
                SHOAL_GAS_WALL_THERMAL;
            gas_run_start(&params, position, velocity[which], 3, 10, 10);
            must_fail_on(&params, false, messages[which]);
            must_fail_on(&params, true, messages[which]);
        }
}

static void escapes_are_named(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    const double position[] = {5, 5, 2, 2}, velocity[] = {0, 0, -1, 0};
    struct shoal_gas_params params = gas_run_params();
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.dt = 0.01;
    /* From 2 to -5 takes 700 steps. */
    gas_run_start(&params, position, velocity, 2, 10, 10);
    must_fail(&params, "particle 2 is more than half a box outside of the box after step 70");
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(rules_equal_the_host),
        cmocka_unit_test(first_steps_are_verified),
        by_turn(pieces_change_nothing),
        cmocka_unit_test(time_can_be_reversed),
        cmocka_unit_test(momentum_and_energy_are_kept),
        cmocka_unit_test(few_particles_move),
        cmocka_unit_test(borders_are_nothing_special),
        cmocka_unit_test(explosions_are_named),
        cmocka_unit_test(thermal_walls_hide_no_explosion),
        cmocka_unit_test(escapes_are_named),
    };
    return harness_main("gas_motion", all, sizeof all / sizeof *all);
}
