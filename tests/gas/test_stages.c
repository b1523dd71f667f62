/* Runs in stages, on the host and on every device under test. */
#include "fixture.h"
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct gas_run_state before, after, whole, resumed;

static struct shoal_stage_end *end_of(struct shoal_solver *solver)
{
    struct shoal_stage_end *end = NULL;
    assert_ok(shoal_solver_end_stage(solver, &end, &test_error));
    return end;
}

/* A solver at the begin of a stage; `end` goes. */
static struct shoal_solver *follow(const struct shoal_gas_params *params, bool on_host,
                                   struct shoal_stage_end *end)
{
    struct shoal_solver *solver = gas_run_open(params, on_host);
    assert_ok(shoal_solver_follow(solver, end, &test_error));
    shoal_stage_end_destroy(&end);
    return solver;
}

/* Positions, velocities and energies are those of the end, steps and times go on, whatever changes. */
static void check_border(const struct shoal_gas_params *first, const struct shoal_gas_params *second,
                         bool on_host)
{
    const double allowed = on_host || first->precision == SHOAL_GAS_DOUBLE ? 1e-13 : 1e-6;
    struct shoal_solver *one = gas_run_open(first, on_host);
    run_steps(one, first->equilibration + first->steps);
    gas_run_state(one, &before);
    struct shoal_solver *two = follow(second, on_host, end_of(one));
    shoal_solver_destroy(&one);
    gas_run_state(two, &after);
    assert_at_most(gas_run_deviation(&after, &before, first->dim), allowed);
    const double scale = before.thermo.kinetic + fabs(before.thermo.potential);
    assert_near(after.thermo.total, before.thermo.total, 100 * allowed * scale);
    assert_int_equal(after.thermo.step, first->steps);
    /* Time ends at 0 in an equilibration, and here at what it was. */
    assert_near(after.thermo.time + (double)second->equilibration * second->dt,
                (double)first->steps * first->dt, 1e-12);
    if (!second->equilibration)
        assert_true(after.thermo.conserved == before.thermo.conserved);
    run_steps(two, second->equilibration + second->steps);
    gas_run_state(two, &after);
    assert_int_equal(after.thermo.step, first->steps + second->steps);
    assert_near(after.thermo.time, (double)first->steps * first->dt + (double)second->steps * second->dt,
                1e-12);
    /* Displacements are since the begin of the stage. */
    struct shoal_gas_msd msd;
    assert_ok(shoal_gas_get_msd(two, &msd, &test_error));
    assert_true(msd.sample[0].time == 0 && msd.sample[0].total == 0);
    assert_near(msd.sample[msd.samples - 1].time, (double)(second->steps / 7 * 7) * second->dt, 1e-12);
    /* What the thermostats of both stages added is booked: only the integrator's error is left. */
    assert_near(after.thermo.conserved, before.thermo.conserved, 0.02 * scale);
    shoal_solver_destroy(&two);
}

static void stages_go_on(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++)
        for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
            if (!harness_takes_case() || (on_host && *precision != SHOAL_GAS_SINGLE))
                continue;
            struct shoal_gas_params first = gas_run_dense(*precision, SHOAL_GAS_LIST), second = first;
            first.thermostat = SHOAL_GAS_LANGEVIN;
            first.equilibration = 20;
            first.steps = 50;
            first.dt = 0.004;
            first.boundary_x = second.boundary_x = SHOAL_GAS_WALLS;
            first.wall_left = second.wall_left = SHOAL_GAS_WALL_DAMPING;
            first.speed_bins = 12;
            second.thermostat = SHOAL_GAS_RESCALE;
            second.relaxation = 0.1;
            second.temperature = 1;
            second.temperature_end = 3;
            second.steps = 60;
            second.dt = 0.002;
            second.rdf_bins = 9;
            first.msd = second.msd = true;
            test_label("%s, precision %d", on_host ? "host" : "device", (int)*precision);
            check_border(&first, &second, on_host);
            second.equilibration = 10;
            second.thermostat = SHOAL_GAS_NVE;
            second.temperature_end = NAN;
            check_border(&first, &second, on_host);
        }
}

/* A checkpoint of the second stage, and of the end of the first one, lead to the same bits. */
static void stages_are_resumed(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++)
        for (int on_host = 0; on_host < 2; on_host++) {
            struct shoal_gas_params first = gas_run_dense(SHOAL_GAS_SINGLE, method), second;
            if (!harness_takes_case())
                continue;
            first.thermostat = SHOAL_GAS_LANGEVIN;
            first.steps = 60; /* of which it makes 40 */
            second = first;
            second.steps = 50;
            second.temperature_end = 0.5;
            second.speed_bins = 16;
            struct shoal_solver *one = gas_run_open(&first, on_host);
            run_steps(one, 40);
            assert_ok(shoal_solver_save(one, test_path("one"), &test_error));
            struct shoal_solver *two = follow(&second, on_host, end_of(one));
            run_steps(two, 23);
            assert_ok(shoal_solver_save(two, test_path("two"), &test_error));
            run_steps(two, 27);
            gas_run_state(two, &whole);
            struct shoal_solver *middle = gas_run_open(&second, on_host);
            assert_ok(shoal_solver_load(middle, test_path("two"), &test_error));
            run_steps(middle, 27);
            gas_run_state(middle, &resumed);
            gas_run_same(&resumed, &whole);
            struct shoal_solver *border = gas_run_open(&first, on_host);
            assert_ok(shoal_solver_load(border, test_path("one"), &test_error));
            struct shoal_solver *again = follow(&second, on_host, end_of(border));
            run_steps(again, 50);
            gas_run_state(again, &resumed);
            gas_run_same(&resumed, &whole);
            /* A checkpoint of the first stage sends a solver of a later one back to it. */
            struct shoal_solver *back = follow(&first, on_host, end_of(two));
            assert_ok(shoal_solver_load(back, test_path("one"), &test_error));
            run_steps(back, 20);
            run_steps(one, 20);
            gas_run_state(back, &resumed);
            gas_run_state(one, &whole);
            gas_run_same(&resumed, &whole);
            shoal_solver_destroy(&back);
            shoal_solver_destroy(&one);
            shoal_solver_destroy(&two);
            shoal_solver_destroy(&middle);
            shoal_solver_destroy(&border);
            shoal_solver_destroy(&again);
        }
}

/* With a strong friction velocities are nothing but random numbers: each stage has its own. */
static void random_numbers_are_new(void **state)
{
    (void)state;
    static struct gas_run_state stages[3];
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_params();
        params.epsilon = 0;
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.friction = 1e6;
        params.steps = 1;
        struct shoal_stage_end *end = NULL;
        for (size_t s = 0; s < 3; s++) {
            struct shoal_solver *solver = s ? follow(&params, on_host, end) : gas_run_open(&params, on_host);
            run_steps(solver, 1);
            gas_run_state(solver, &stages[s]);
            end = end_of(solver);
            shoal_solver_destroy(&solver);
        }
        shoal_stage_end_destroy(&end);
        for (size_t i = stages[0].count / 2; i < stages[0].count; i++) {
            assert_true(stages[0].numbers[i] != stages[1].numbers[i]);
            assert_true(stages[1].numbers[i] != stages[2].numbers[i]);
        }
    }
}

static void refuse_to_follow(const struct shoal_gas_params *params, const struct shoal_stage_end *end,
                             const char *part)
{
    struct shoal_solver *solver = gas_run_open(params, true);
    assert_status(shoal_solver_follow(solver, end, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, part));
    shoal_solver_destroy(&solver);
}

static void what_differs_is_refused(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_params(), other;
    params.equilibration = 5;
    struct shoal_stage_end *end = NULL;
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 4);
    assert_status(shoal_solver_end_stage(solver, &end, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "within its equilibration"));
    run_steps(solver, 3);
    end = end_of(solver);
    assert_status(shoal_solver_follow(solver, end, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "has made no step"));
    shoal_solver_destroy(&solver);
    other = params;
    other.particles = 40;
    refuse_to_follow(&other, end, "the stage before had --particles 37, not 40: that cannot change between");
    other = params;
    other.seed = 3;
    refuse_to_follow(&other, end, "--seed 1, not 3");
    other = params;
    other.epsilon = 2;
    refuse_to_follow(&other, end, "--epsilon 1, not 2");
    struct shoal_pso_params search;
    test_pso_params_init(&search);
    struct shoal_solver *pso = harness_solver("pso", test_host_device(harness.shoal), &search);
    assert_status(shoal_solver_follow(pso, end, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "of workload \"gas\", this one of \"pso\""));
    shoal_stage_end_destroy(&end);
    assert_status(shoal_solver_end_stage(pso, &end, &test_error), SHOAL_UNSUPPORTED);
    assert_null(end);
    shoal_solver_destroy(&pso);
}

/* Between stages particles may be moved and the field may change. */
static void particles_are_set(void **state)
{
    (void)state;
    static double position[2 * 37], velocity[2 * 37];
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_params();
        struct shoal_gas_frame frame;
        params.precision = SHOAL_GAS_DOUBLE;
        struct shoal_solver *one = gas_run_open(&params, on_host);
        run_steps(one, 5);
        assert_ok(shoal_gas_get_frame(one, &frame, &test_error));
        assert_int_equal(frame.particles * frame.dim, 2 * 37);
        for (size_t i = 0; i < 2 * 37; i++) {
            position[i] = frame.position[i] + (i % 2 ? 0 : 2 * frame.length[0]);
            velocity[i] = 0;
        }
        const int32_t image = frame.image[0];
        assert_status(shoal_gas_set_particles(one, position, NULL, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "has begun its run"));
        params.field_y = 1;
        struct shoal_solver *two = follow(&params, on_host, end_of(one));
        shoal_solver_destroy(&one);
        assert_ok(shoal_gas_set_particles(two, position, velocity, &test_error));
        run_steps(two, 0);
        assert_ok(shoal_gas_get_frame(two, &frame, &test_error));
        assert_int_equal(frame.image[0], image + 2);
        assert_int_equal(frame.step, 5);
        for (size_t i = 0; i < 2 * 37; i++) {
            const double box = i % 2 ? 0 : 2 * frame.length[0];
            assert_near(frame.position[i] + box, position[i], 1e-12);
            assert_true(frame.velocity[i] == 0);
        }
        /* In a first stage, crossings count, too. */
        struct shoal_solver *begin = gas_run_open(&params, on_host);
        assert_ok(shoal_gas_set_particles(begin, position, velocity, &test_error));
        run_steps(begin, 0);
        assert_ok(shoal_gas_get_frame(begin, &frame, &test_error));
        for (size_t i = 0; i < 2 * 37; i++)
            assert_int_equal(frame.image[i], i % 2 ? 0 : 2);
        shoal_solver_destroy(&begin);
        /* Pair forces keep the momentum, to which the field adds. */
        run_steps(two, 3);
        struct shoal_gas_thermo thermo;
        assert_ok(shoal_gas_get_thermo(two, &thermo, &test_error));
        assert_near(thermo.momentum[1], 37 * 3 * params.dt, 1e-9);
        shoal_solver_destroy(&two);
        struct shoal_solver *three = gas_run_open(&params, on_host);
        gas_common_of(three)->problem->image = calloc(2 * 37, sizeof(int32_t));
        gas_common_of(three)->problem->image[0] = INT32_MAX;
        assert_status(shoal_gas_set_particles(three, position, NULL, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "more than a run can count"));
        gas_common_of(three)->problem->image[0] = 0;
        velocity[3] = NAN;
        assert_status(shoal_gas_set_particles(three, NULL, velocity, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "velocities: that of particle 2 along y is nan"));
        position[2] = INFINITY;
        assert_status(shoal_gas_set_particles(three, position, NULL, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "positions: particle 2 is at x = inf, outside the box"));
        memcpy(position + 2, position, 2 * sizeof *position);
        assert_status(shoal_gas_set_particles(three, position, NULL, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "particles 1 and 2 start in the same place"));
        shoal_solver_destroy(&three);
    }
}

/* Given velocities set the bins of the histogram of speeds as those of a file do, also after a resume. */
static void given_velocities_set_the_speeds(void **state)
{
    (void)state;
    enum { SIDE = 4, MANY = SIDE * SIDE, BINS = 5 };
    static double position[2 * MANY], velocity[2 * MANY], value[4][BINS], width[4];
    for (size_t i = 0; i < 2 * (size_t)MANY; i++) {
        position[i] = 5 * (double)(i % 2 ? i / 2 % SIDE : i / 2 / SIDE);
        velocity[i] = i % 2 ? 0 : i % 4 ? 30 : -30;
    }
    for (int on_host = 0; on_host < 2; on_host++) {
        for (int way = 0; way < 4; way++) {
            struct shoal_gas_params params = gas_run_params();
            struct shoal_gas_histogram histogram;
            params.dt = 1e-4;
            params.steps = 8;
            params.thermo = 2;
            params.speed_bins = BINS;
            params.precision = SHOAL_GAS_DOUBLE;
            if (way == 0) {
                gas_run_start(&params, position, velocity, MANY, 20, 20);
            } else {
                params.particles = MANY;
                params.density = MANY / 400.0;
            }
            struct shoal_solver *solver = gas_run_open(&params, on_host);
            if (way == 1 || way == 2)
                assert_ok(shoal_gas_set_particles(solver, position, velocity, &test_error));
            if (way == 3)
                assert_ok(shoal_solver_load(solver, test_path("given"), &test_error));
            run_steps(solver, way == 3 ? 4 : way == 2 ? 4 : 8);
            if (way == 2)
                assert_ok(shoal_solver_save(solver, test_path("given"), &test_error));
            assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_SPEEDS, &histogram, &test_error));
            memcpy(value[way], histogram.value, sizeof value[way]);
            width[way] = histogram.width;
            if (way != 2) {
                struct shoal_result result = {0};
                assert_ok(shoal_solver_result(solver, &result, &test_error));
                assert_string_equal(result.unused, "temperature");
                assert_non_null(strstr(result.title, " at the start"));
            }
            shoal_solver_destroy(&solver);
        }
        assert_true(width[0] > 20);
        for (int way = 1; way < 4; way++)
            assert_near(width[way], width[0], 1e-12 * width[0]);
        for (size_t b = 0; b < BINS; b++) {
            assert_near(value[1][b], value[0][b], 1e-12);
            assert_near(value[3][b], value[0][b], 1e-12);
        }
        assert_true(value[0][1] > 0);
    }
}

/* shoal_run: the same through its parameters, and the name of the stage in the checkpoint. */
static void runs_have_stages(void **state)
{
    (void)state;
    const struct shoal_workload *gas = shoal_workload_find("gas");
    struct shoal_gas_params params = gas_run_params();
    struct shoal_run_params run;
    struct shoal_report report = {0};
    struct shoal_checkpoint *checkpoint;
    uint64_t begin;
    params.steps = 30;
    shoal_run_params_init(&run);
    run.checkpoint = test_path("run");
    assert_ok(shoal_run(gas, harness.device, &params, &run, &report, &test_error));
    assert_ok(shoal_checkpoint_open(run.checkpoint, &checkpoint, &test_error));
    assert_null(shoal_checkpoint_stage(checkpoint, &begin));
    assert_int_equal(begin, 0);
    shoal_checkpoint_close(&checkpoint);
    struct shoal_stage_end *end = end_of(report.solver);
    shoal_report_clear(&report);
    run.follows = end;
    run.stage = "cold one";
    run.stage_begin = 30;
    params.steps = 12;
    params.thermostat = SHOAL_GAS_RESCALE;
    assert_ok(shoal_run(gas, harness.device, &params, &run, &report, &test_error));
    assert_int_equal(report.result.steps, 12);
    shoal_report_clear(&report);
    assert_ok(shoal_checkpoint_open(run.checkpoint, &checkpoint, &test_error));
    assert_string_equal(shoal_checkpoint_stage(checkpoint, &begin), "cold one");
    assert_int_equal(begin, 30);
    shoal_checkpoint_close(&checkpoint);
    run.resume = run.checkpoint;
    assert_status(shoal_run(gas, harness.device, &params, &run, &report, &test_error), SHOAL_INVALID);
    run.follows = NULL;
    assert_ok(shoal_run(gas, harness.device, &params, &run, &report, &test_error));
    assert_int_equal(report.result.steps, 12);
    assert_int_equal(thermo_of(report.solver).step, 42);
    shoal_report_clear(&report);
    shoal_stage_end_destroy(&end);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(stages_go_on),
        cmocka_unit_test(stages_are_resumed),
        cmocka_unit_test(random_numbers_are_new),
        cmocka_unit_test(what_differs_is_refused),
        cmocka_unit_test(particles_are_set),
        cmocka_unit_test(runs_have_stages),
        cmocka_unit_test(given_velocities_set_the_speeds),
    };
    return harness_main("gas_stages", all, sizeof all / sizeof *all);
}
