/* Gases with a piston, on the host and on every device under test. */
#include "fixture.h"
#include "harness.h"

#include "gas/picture/picture.h"

#include <math.h>
#include <string.h>

static struct gas_run_state whole, other;

/* The cases differ in all that kernels know of a piston; each builds kernels of its own. */
enum { PLANE_LIST, PLANE_PAIRS, DEEP_LIST, CASES };

/* 211 particles between walls, one of which is a piston that is pressed and pulled. */
static struct shoal_gas_params pressed(int which)
{
    const int32_t axis = SHOAL_GAS_X + which;
    const int32_t precisions[CASES] = {SHOAL_GAS_SINGLE, SHOAL_GAS_MIXED, SHOAL_GAS_DOUBLE};
    struct shoal_gas_params params =
        gas_run_dense(harness.info->fp64 ? precisions[which] : SHOAL_GAS_SINGLE,
                      which == PLANE_PAIRS ? SHOAL_GAS_ALLPAIRS : SHOAL_GAS_LIST);
    params.dim = which == DEEP_LIST ? 3 : 2;
    params.boundary_x = which == PLANE_LIST ? SHOAL_GAS_WALLS : SHOAL_GAS_PERIODIC;
    params.boundary_y = which == PLANE_LIST ? SHOAL_GAS_PERIODIC : SHOAL_GAS_WALLS;
    params.boundary_z = which == DEEP_LIST ? SHOAL_GAS_WALLS : SHOAL_GAS_PERIODIC;
    params.wall_method = which == PLANE_PAIRS ? SHOAL_GAS_W5 : SHOAL_GAS_W3;
    params.piston = axis;
    params.piston_mass = 50;
    params.piston_pressure = 0.8;
    params.piston_stiffness = 3;
    return params;
}

/* A piston that moves inwards whatever the gas does. */
static void drive(struct shoal_gas_params *params, double speed)
{
    params->piston_mass = params->piston_pressure = NAN;
    params->piston_stiffness = 0;
    params->piston_speed = speed;
}

/* Places of the piston, positions and velocities of a device are those of the host, also while a schedule
 * changes the pressure and after an equilibration, in which the piston is held. */
static void steps_of_devices_follow_the_host(void **state)
{
    enum { STEPS = 12 };
    (void)state;
    for (int which = 0; which < CASES; which++) {
        struct shoal_gas_params params = pressed(which);
        if (!harness_takes_case())
            continue;
        test_label("case %d", which);
        if (which == DEEP_LIST)
            gas_run_schedule(&params, "0 piston-pressure 9\n4 piston-pressure 0 over 5\n");
        params.equilibration = which == PLANE_PAIRS ? 5 : 0;
        gas_run(&params, true, STEPS, &whole);
        gas_run(&params, false, STEPS, &other);
        const double allowed = params.precision == SHOAL_GAS_DOUBLE ? 1e-11 : 2e-5;
        assert_true(fabs(whole.thermo.volume / 211 * params.density - 1) > 1e-6);
        assert_near(other.thermo.volume / whole.thermo.volume, 1, 0.1 * allowed);
        assert_near(other.thermo.conserved, whole.thermo.conserved, 100 * allowed * whole.thermo.kinetic);
        assert_at_most(gas_run_deviation(&other, &whole, (size_t)params.dim), allowed);
    }
}

/* A run that a checkpoint interrupts. */
static void go_on(const struct shoal_gas_params *params, bool on_host)
{
    enum { LENGTH = 40, AT = 13 };
    struct shoal_solver *solver = gas_run_open(params, on_host);
    gas_run(params, on_host, LENGTH, &whole);
    run_steps(solver, AT);
    gas_run_resumes(solver, params, on_host, LENGTH - AT, &whole);
    shoal_solver_destroy(&solver);
}

static void runs_continue(void **state)
{
    (void)state;
    for (int which = PLANE_LIST; which <= PLANE_PAIRS; which++)
        for (int on_host = 0; on_host < 2; on_host++) {
            struct shoal_gas_params params = pressed(which);
            if (!harness_takes_case())
                continue;
            params.skin = which == PLANE_LIST ? 0.2 : NAN;
            go_on(&params, on_host);
            drive(&params, -0.7);
            go_on(&params, on_host);
            assert_near(whole.thermo.volume / 211 * params.density,
                        1 - 0.7 * 40 * params.dt / sqrt(211 / params.density), 1e-6);
        }
}

static void runs_take_the_piston_of_a_stage(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = pressed(PLANE_LIST);
        struct shoal_stage_end *end = NULL;
        params.steps = 40;
        params.piston_pressure = 4;
        struct shoal_solver *one = gas_run_open(&params, on_host), *two = gas_run_open(&params, on_host);
        run_steps(one, 40);
        gas_run_state(one, &whole);
        assert_ok(shoal_solver_end_stage(one, &end, &test_error));
        assert_ok(shoal_solver_follow(two, end, &test_error));
        shoal_stage_end_destroy(&end);
        gas_run_state(two, &other);
        assert_near(other.thermo.volume / whole.thermo.volume, 1, 1e-12);
        assert_near(other.thermo.conserved, whole.thermo.conserved, 1e-3);
        assert_true(fabs(whole.thermo.volume / 211 * params.density - 1) > 1e-4);
        shoal_solver_destroy(&one);
        shoal_solver_destroy(&two);
    }
}

/* The gas pushes the piston out, and the energy of both is kept; the check of the result knows where the
 * piston is. */
static void runs_keep_the_energy_of_gas_and_piston(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++)
        for (int which = PLANE_LIST; which <= PLANE_PAIRS; which++) {
            struct shoal_gas_params params = pressed(which);
            struct shoal_result result = {0};
            if (!harness_takes_case())
                continue;
            params.piston_pressure = 0.3;
            params.piston_stiffness = 0;
            params.dt = 0.002;
            struct shoal_solver *solver = gas_run_open(&params, on_host);
            const struct shoal_gas_thermo begin = thermo_of(solver);
            run_steps(solver, 1000);
            const struct shoal_gas_thermo end = thermo_of(solver);
            assert_ok(shoal_solver_result(solver, &result, &test_error));
            assert_true(result.check_passed);
            assert_true(fabs(end.total - begin.total) > 0.015 * begin.kinetic);
            assert_at_most(fabs(end.conserved - begin.conserved), 0.002 * begin.kinetic);
            shoal_solver_destroy(&solver);
        }
}

/* The square of the speed that a particle has along the piston outside of it, by its energy along it. */
static double square_outside(const struct shoal_gas_frame *frame, size_t i, double piston, double stiffness)
{
    const double depth = fmax(0, frame->position[2 * i] - piston), v = frame->velocity[2 * i];
    return v * v + stiffness * depth * depth;
}

/* An ideal gas that a piston presses slowly to half its length heats along the piston only. The adiabatic
 * invariant of a particle of mass 1 and speed v is its action over 2, v L + pi v^2 / (4 w), where w^2 is the
 * stiffness of the piston: for a hard piston the squares of the speeds would grow by 4. A speed deviates by
 * the ratio of the speeds of piston and particle, 0.05, with either sign. */
static void runs_of_slow_halving_heat_along_the_piston(void **state)
{
    enum { STEPS = 12500 };
    (void)state;
    struct shoal_gas_params params = gas_run_params();
    params.particles = 144;
    params.epsilon = 0;
    params.width = params.height = 5;
    params.density = NAN;
    params.boundary_x = SHOAL_GAS_WALLS;
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 0;
    params.dt = 0.004;
    params.wall_stiffness = 1000;
    params.piston = SHOAL_GAS_X;
    params.piston_speed = -0.05;
    struct shoal_solver *solver = gas_run_open(&params, true);
    struct shoal_gas_frame frame = frame_of(solver);
    double wanted = 0, along = 0, across[2] = {0, 0};
    const double reach = 0.25 * acos(-1) / sqrt(params.wall_stiffness);
    for (size_t i = 0; i < params.particles; i++) {
        const double v = sqrt(square_outside(&frame, i, 5, 1000)), invariant = v * (5 + reach * v);
        const double after = (sqrt(2.5 * 2.5 + 4 * reach * invariant) - 2.5) / (2 * reach);
        wanted += after * after;
        across[0] += frame.velocity[2 * i + 1] * frame.velocity[2 * i + 1];
    }
    run_steps(solver, STEPS);
    frame = frame_of(solver);
    assert_near(thermo_of(solver).volume, 12.5, 1e-6);
    for (size_t i = 0; i < params.particles; i++) {
        along += square_outside(&frame, i, 2.5, 1000);
        across[1] += frame.velocity[2 * i + 1] * frame.velocity[2 * i + 1];
    }
    assert_near(along / wanted, 1, 0.02);
    assert_near(across[1] / across[0], 1, 1e-12);
    shoal_solver_destroy(&solver);
}

static void refuse_step(const struct shoal_gas_params *params, bool on_host, const char *part)
{
    uint64_t done;
    struct shoal_solver *solver = gas_run_open(params, on_host);
    assert_status(shoal_solver_step(solver, 4000, &done, &test_error), SHOAL_CHECK_FAILED);
    if (!strstr(test_error.message, part))
        fail_msg("%s", test_error.message);
    shoal_solver_destroy(&solver);
}

static void runs_end_with_the_range(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = pressed(PLANE_LIST), driven = pressed(PLANE_LIST);
        driven.epsilon = 0;
        drive(&driven, -20);
        driven.temperature = 0.01;
        refuse_step(&driven, on_host, "the piston meets the far wall at step 2");
        params.piston_stiffness = 0;
        params.piston_pressure = 0;
        refuse_step(&params, on_host, "the piston gets out of its range at step ");
    }
}

/* Whether a picture has particles in a pixel or beside it: pixels of kernels are rounded otherwise. */
static bool is_drawn(const struct shoal_gas_picture *picture, double x, double y)
{
    const long column = lrint(x - 0.5), row = lrint(y - 0.5);
    for (long at = 0; at < 9; at++) {
        const long near_column = column + at % 3 - 1, near_row = row + at / 3 - 1;
        uint32_t pixel;
        if (near_column < 0 || near_column >= picture->width || near_row < 0 || near_row >= picture->height)
            continue;
        memcpy(&pixel, picture->pixels + 4 * (near_row * picture->width + near_column), sizeof pixel);
        if (pixel != PICTURE_BOX && pixel != PICTURE_OUTSIDE)
            return true;
    }
    return false;
}

/* Pictures and the box reach to a piston that has moved outwards. */
static void look_at_piston(struct shoal_solver *solver, const struct shoal_gas_frame *frame)
{
    struct shoal_gas_picture picture = {.size = sizeof picture};
    double length[3];
    assert_ok(shoal_gas_get_box(solver, length, &test_error));
    assert_near(length[0] * length[1], thermo_of(solver).volume, 1e-6 * length[0] * length[1]);
    assert_true(length[0] <= frame->length[0] && length[2] == 0);
    const struct shoal_gas_view view =
        SHOAL_GAS_VIEW(.width = 300, .height = (uint32_t)lrint(300 * length[1] / length[0]), .radius = 1e-3);
    assert_ok(shoal_gas_draw(solver, &view, &picture, &test_error));
    for (size_t i = 0; i < frame->particles; i++) {
        const double *at = frame->position + 2 * i, scale = 300 / length[0];
        if (at[0] < length[0])
            assert_true(is_drawn(&picture, at[0] * scale, picture.height - at[1] * scale));
    }
}

/* A snapshot has the box of its step, also while the piston moves on. */
static void look_at_snapshot(struct shoal_solver *solver, double length)
{
    struct shoal_gas_snapshot *snapshot = NULL;
    struct shoal_gas_frame frame;
    assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
    run_steps(solver, 5);
    assert_ok(shoal_gas_snapshot_end(snapshot, &frame, &test_error));
    assert_true(frame.length[0] == length);
    shoal_gas_snapshot_destroy(&snapshot);
}

/* A file of frames is a start if its particles are inside of its box. */
static void runs_show_all_up_to_the_piston(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = pressed(PLANE_LIST);
        drive(&params, 2);
        params.temperature = 20;
        params.wall_stiffness = 100; /* soft, so that particles are beyond the piston */
        struct shoal_solver *solver = gas_run_open(&params, on_host);
        const double length = frame_of(solver).length[0];
        run_steps(solver, 40);
        const struct shoal_gas_frame frame = frame_of(solver);
        assert_true(frame.length[0] >= length + 40 * 2 * params.dt * 0.999);
        for (size_t i = 0; i < params.particles; i++)
            assert_true(frame.position[2 * i] <= frame.length[0]);
        look_at_piston(solver, &frame);
        look_at_snapshot(solver, frame.length[0]);
        shoal_solver_destroy(&solver);
    }
}

static void runs_are_advised_without_the_minimiser(void **state)
{
    (void)state;
    struct shoal_gas_params params = pressed(PLANE_LIST);
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 0;
    assert_status(shoal_solver_create(shoal_workload_find("gas"), test_host_device(harness.shoal), NULL,
                                      &params, harness.variant, &(struct shoal_solver *){NULL}, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "start them further apart or at a lower --density");
    assert_null(strstr(test_error.message, "minimise"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(steps_of_devices_follow_the_host),
        cmocka_unit_test(runs_continue),
        cmocka_unit_test(runs_take_the_piston_of_a_stage),
        cmocka_unit_test(runs_keep_the_energy_of_gas_and_piston),
        cmocka_unit_test(runs_of_slow_halving_heat_along_the_piston),
        by_turn(runs_end_with_the_range),
        cmocka_unit_test(runs_show_all_up_to_the_piston),
        cmocka_unit_test(runs_are_advised_without_the_minimiser),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return harness_main("gas piston", all, sizeof all / sizeof *all);
}
