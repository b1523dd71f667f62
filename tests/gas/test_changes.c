/* Changes of temperature, pressure and piston between steps, on the host and on every device under test. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <shoal/gas_changes.h>
#include <string.h>

static struct gas_run_state whole, other;

static double value_of(struct shoal_solver *solver, const char *name)
{
    struct shoal_gas_quantity quantity = {0};
    assert_ok(shoal_gas_get_quantity(solver, name, &quantity, &test_error));
    return quantity.value;
}

/* The schedule of the run so far, in the parameters: the text as it is. The parameters hold it until the next
 * call. */
static void take_schedule(struct shoal_solver *solver, struct shoal_gas_params *params)
{
    static char text[512];
    const char *schedule;
    assert_ok(shoal_gas_get_schedule(solver, &schedule, &test_error));
    assert_true(strlen(schedule) < sizeof text);
    strcpy(text, schedule);
    params->schedule = text;
    params->changeable = false;
}

/* Changes a quantity before, within and after the steps of an equilibration and between single steps, reads
 * frames between, and compares with a run by the schedule that the first run tells, and with a run that is
 * resumed from its checkpoint. */
static void compare(struct shoal_gas_params params, bool on_host, const char *name, double factor)
{
    params.changeable = true;
    struct shoal_gas_params replay = params;
    struct shoal_solver *solver = gas_run_open(&params, on_host);
    double value = value_of(solver, name);
    static const uint64_t steps[] = {0, 3, 9, 1, 1, 20, 64};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        run_steps(solver, steps[i]);
        value *= factor;
        assert_ok(shoal_gas_change(solver, name, value, &test_error));
        assert_true(value_of(solver, name) == value);
        (void)frame_of(solver);
    }
    gas_run_state(solver, &whole);
    gas_run_resumes(solver, &params, on_host, 0, &whole);
    run_steps(solver, 30);
    take_schedule(solver, &replay);
    gas_run_state(solver, &whole);
    shoal_solver_destroy(&solver);
    gas_run(&replay, on_host, 128, &other);
    gas_run_same(&whole, &other);
}

static void runs_repeat_by_their_schedules(void **state)
{
    static const int32_t thermostats[] = {SHOAL_GAS_LANGEVIN, SHOAL_GAS_RESCALE, SHOAL_GAS_CHAIN};
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        params.equilibration = 7;
        for (size_t i = 0; i < (on_host ? 3 : 1); i++) { /* rescaling and chain are work of the host */
            params.thermostat = thermostats[i];
            compare(params, on_host, "temperature", i ? 0.9 : 1.2);
        }
        params.thermostat = SHOAL_GAS_LANGEVIN;
        struct shoal_gas_params pressed = params;
        pressed.pressure = 1.5;
        pressed.pressure_relaxation = 100 * params.dt;
        compare(pressed, on_host, "pressure", 1.1);
        params.method = SHOAL_GAS_ALLPAIRS;
        params.boundary_x = SHOAL_GAS_WALLS;
        params.piston = SHOAL_GAS_X;
        params.piston_pressure = 2;
        compare(params, on_host, "piston-pressure", 1.1);
        params.piston_pressure = NAN;
        params.piston_speed = -0.1;
        if (on_host)
            compare(params, on_host, "piston-speed", 1.1);
    }
}

/* The schedule of the run is part of the one that is told; its quantities stay as it says. */
static void schedules_go_on(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_params();
    gas_run_schedule(&params, "0 field-x 1\n4 temperature 2 over 3\n9 field-x 2\n");
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.boundary_x = SHOAL_GAS_WALLS;
    params.piston = SHOAL_GAS_X;
    params.piston_pressure = 2;
    params.changeable = true;
    struct shoal_solver *solver = gas_run_open(&params, false);
    const char *text;
    run_steps(solver, 6);
    assert_ok(shoal_gas_change(solver, "piston-pressure", 2.25, &test_error));
    assert_ok(shoal_gas_get_schedule(solver, &text, &test_error));
    assert_string_equal(text,
                        "0 field-x 1\n0 piston-pressure 2\n4 temperature 2 over 3\n7 piston-pressure 2.25\n"
                        "9 field-x 2\n");
    assert_status(shoal_gas_change(solver, "temperature", 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "temperature cannot change between steps: the run has none, or a "
                                        "schedule changes it");
    shoal_solver_destroy(&solver);
}

static void wrong_changes_are_refused(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_params();
    struct shoal_gas_quantity quantity = {0};
    struct shoal_solver *solver = gas_run_open(&params, false);
    assert_status(shoal_gas_change(solver, "temperature", 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the run was not made changeable");
    static const char *const lacking[] = {"temperature", "friction", "field-z", "pressure", "piston-speed"};
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        assert_true(isnan(value_of(solver, lacking[i])));
    assert_true(value_of(solver, "field-x") == 0);
    shoal_solver_destroy(&solver);
    params.changeable = true;
    params.thermostat = SHOAL_GAS_RESCALE;
    solver = gas_run_open(&params, false);
    assert_status(shoal_gas_change(solver, "temprature", 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "'temprature' is no quantity of a gas that changes; temperature");
    assert_status(shoal_gas_change(solver, "pressure", 2, &test_error), SHOAL_INVALID);
    assert_ok(shoal_gas_get_quantity(solver, "temperature", &quantity, &test_error));
    assert_true(quantity.changeable && quantity.value == 1 && quantity.least == 0 && quantity.most == 4);
    static const double wrong[] = {-1, 4.1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(shoal_gas_change(solver, "temperature", wrong[i], &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "allowed are 0 to 4");
    }
    assert_status(shoal_gas_change(solver, "temperature", 0, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "velocities cannot be rescaled to temperature 0");
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(runs_repeat_by_their_schedules),
        cmocka_unit_test(schedules_go_on),
        cmocka_unit_test(wrong_changes_are_refused),
    };
    return harness_main("gas_changes", all, sizeof all / sizeof *all);
}
