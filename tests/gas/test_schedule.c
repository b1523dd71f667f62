/* Schedules: the values of quantities from step to step, and what is refused. */
#include "fixture.h"

#include "gas/model/problem.h"
#include "unit.h"

#include <math.h>

static void walls(void)
{
    input.boundary_x = input.boundary_y = SHOAL_GAS_WALLS;
}

static void schedule(const char *text)
{
    test_write_text(test_path("schedule"), text);
    input.schedule = test_path("schedule");
    input.thermostat = SHOAL_GAS_LANGEVIN;
}

static double value(enum gas_quantity quantity, uint64_t step)
{
    return gas_value_at(&built.timetable, &input, quantity, step);
}

/* A value holds from its step on; a change over steps begins at the value before; a quantity without a line
 * keeps the value of its option. */
static void test_schedules(void **state)
{
    (void)state;
    input.friction = 3;
    schedule("# a comment\n\n2 temperature 5\n4 temperature 1 over 4 # slowly\n8 temperature 2\n"
             "8 temperature 7\n0 field-x -1\n");
    refuse_as(SHOAL_IO, "schedule: line 7: step 0 follows step 8: order the lines by their steps");
    input.friction = 3;
    schedule("\xef\xbb\xbf# a comment\r\n\r\n2 temperature 5\r\n4 temperature 1 over 4 # slowly\r\n"
             "4 field-x -2 over 2\n8 temperature 2\n8 temperature 7");
    make();
    const double wanted[] = {1, 1, 5, 5, 5, 4, 3, 2, 7, 7};
    for (uint64_t step = 0; step < 10; step++)
        assert_close(value(GAS_TEMPERATURE, step), wanted[step], 1e-14);
    assert_true(value(GAS_FRICTION, 9) == 3 && value(GAS_FIELD, 5) == -1 &&
                value(GAS_FIELD, 4000000000) == -2);
    assert_true(gas_hottest(&built) == 7 && built.degrees == 2 * 4096.0);
    assert_true(gas_is_pushed(&built, 0) && !gas_is_pushed(&built, 1));
    /* The lines themselves, in place of a file. */
    init_input();
    static const char *const texts[] = {
        "2 temperature 5; 4 temperature 1 over 4 # slowly; ;8 temperature 7",
        "# by steps; slowly\n2 temperature 5 # then; 3 friction 1\n4 temperature 1 over 4;8 temperature 7\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        input.thermostat = SHOAL_GAS_LANGEVIN;
        input.schedule = texts[i];
        make();
        for (uint64_t step = 0; step < 8; step++)
            assert_close(value(GAS_TEMPERATURE, step), wanted[step], 1e-14);
        assert_true(value(GAS_TEMPERATURE, 8) == 7);
        init_input();
    }
    input.schedule = "";
    make();
    assert_false(gas_has_schedule(&built));
    init_input();
    schedule("0 temperature 0 over 5\n");
    input.equilibration = 20; /* has the temperature of step 0 */
    make();
    init_input();
    schedule("0 field-y 1\n");
    input.thermostat = SHOAL_GAS_NVE;
    make(); /* the momentum along y is not conserved */
    assert_true(built.degrees == 2 * 4096.0 - 1);
}

static void test_refused_schedules(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "schedule: the schedule has no line STEP NAME VALUE"},
        {"# nothing\n", "no line STEP NAME VALUE"},
        {"5 temperature\n", "line 1: a line is STEP NAME VALUE, or STEP NAME VALUE over STEPS"},
        {"5 temperature 1 until 7\n", "line 1: a line is STEP NAME VALUE"},
        {"5 temperature 1 over\n", "line 1: a line is STEP NAME VALUE"},
        {"5 temperature 1 over 7 8\n", "'8' follows the end of the change"},
        {"\n-5 temperature 1\n", "line 2: '-5' should be a step"},
        {"1.5 temperature 1\n", "'1.5' should be a step"},
        {"5000000000 temperature 1\n", "step 5000000000 is beyond the last possible step 4294967040"},
        {"5 temprature 1\n",
         "'temprature' cannot change during a run; temperature, friction, field-x, field-y, "
         "field-z, trap, pressure, piston-pressure and piston-speed can: did you mean temperature?"},
        {"5 quux 1\n", "pressure, piston-pressure and piston-speed can"},
        {"5 piston-pressure 1\n", "piston-pressure needs --piston-pressure, which holds before the change"},
        {"5 pressure 1\n", "pressure needs --pressure, which keeps it before the change"},
        {"5 temperature hot\n", "'hot' should be a value"},
        {"5 temperature inf\n", "'inf', which is not finite"},
        {"5 temperature -1\n", "temperature is -1, allowed are 0 to 1e+12"},
        {"5 temperature 1 over 0\n", "a change takes 1 to 4294967040 steps, not 0"},
        {"5 temperature 1 over x\n", "'x' should be the number of steps of a change"},
        {"5 temperature 1 over 4\n8 temperature 2\n", "line 2: temperature still changes until step 9"},
        {"5 field-z 1\n", "field-z needs --dim 3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        schedule(cases[i].text);
        refuse_as(SHOAL_IO, cases[i].part);
    }
    schedule("5 friction 1\n");
    input.thermostat = SHOAL_GAS_RESCALE;
    refuse_as(SHOAL_IO, "friction needs --thermostat langevin");
    schedule("5 temperature 0\n");
    input.thermostat = SHOAL_GAS_RESCALE;
    refuse_as(SHOAL_IO, "velocities cannot be rescaled to temperature 0");
    schedule("5 temperature 1\n6 temperature 0\n");
    input.thermostat = SHOAL_GAS_CHAIN;
    refuse_as(SHOAL_IO, "line 2: velocities cannot be rescaled to temperature 0");
    schedule("0 temperature 0\n");
    input.equilibration = 20;
    refuse_as(SHOAL_IO, "velocities cannot be rescaled to temperature 0");
    schedule("5 temperature 2\n");
    input.thermostat = SHOAL_GAS_NVE;
    refuse_as(SHOAL_IO, "temperature needs --thermostat langevin, rescale or chain");
    schedule("5 temperature 2\n");
    input.temperature_end = 3;
    refuse_as(SHOAL_IO, "temperature and --temperature-end both set the temperature: leave one out");
    schedule("5 trap 2\n");
    refuse("which periodic axes lack: take --boundary-x and --boundary-y walls or open");
    walls();
    input.wall_method = SHOAL_GAS_W4;
    input.epsilon = 0;
    input.trap = 1;
    refuse("w4 is exact under a constant acceleration, not in a trap");
    input.thermostat = SHOAL_GAS_LANGEVIN;
    input.schedule = "5 temperature 2;5 temprature 1;";
    refuse_as(SHOAL_IO, "--schedule: line 2: 'temprature' cannot change during a run");
    input.thermostat = SHOAL_GAS_LANGEVIN;
    input.schedule = ";";
    refuse_as(SHOAL_IO, "--schedule: the schedule has no line STEP NAME VALUE");
    input.schedule = "/nowhere/at/all";
    refuse_as(SHOAL_IO, "cannot read schedule /nowhere/at/all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_schedules),
        GAS_TEST(test_refused_schedules),
    };
    return cmocka_run_group_tests_name("gas-schedule", tests, NULL, NULL);
}
