/* Gases at constant pressure, on the host and on every device under test. */
#include "fixture.h"
#include "harness.h"

#include "gas/observe/barostat.h"
#include "searches.h"

#include <math.h>
#include <string.h>

static struct gas_run_state whole, other;

/* 211 particles, whose box changes before every second step. */
static struct shoal_gas_params pressed(int32_t precision, int32_t method)
{
    struct shoal_gas_params params = gas_run_dense(precision, method);
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.pressure = 1.5;
    params.pressure_relaxation = 100 * params.dt;
    return params;
}

/* An ideal gas at a pressure. Its compressibility is 1 / P; that of the parameters is as large, so that
 * volumes forget in 1, which is 50 steps. */
static struct shoal_gas_params ideal(uint64_t particles, double cutoff, int32_t coupling)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = particles;
    params.epsilon = 0;
    params.cutoff = cutoff;
    params.density = 0.6;
    params.temperature = 1.5;
    params.dt = 0.02;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 2;
    params.pressure = 0.9;
    params.pressure_coupling = coupling;
    params.compressibility = 1 / 0.9;
    params.pressure_relaxation = 1;
    return params;
}

/* The volume of an ideal gas has a gamma distribution: mean (n + 1) T / P, variance mean^2 / (n + 1).
 * Compares mean and variance of `steps` steps, with a volume every `every` steps, with these. 50 steps make
 * an independent volume; the step of the Langevin equation adds 1 % to the variance. */
static void expect_volumes(struct shoal_solver *solver, int steps, int every, double particles)
{
    const double count = (double)steps / every, independent = steps / 50.0, shape = particles + 1;
    double sum = 0, squares = 0;
    for (int step = 0; step < steps; step += every) {
        run_steps(solver, (uint64_t)every);
        const double volume = thermo_of(solver).volume;
        sum += volume;
        squares += volume * volume;
    }
    const double mean = sum / count, wanted = shape * 1.5 / 0.9;
    assert_near(mean / wanted, 1, 3 * sqrt(1 / shape / independent));
    assert_near((squares / count - mean * mean) / (mean * mean) * shape, 1, 3 * sqrt(2 / independent) + 0.01);
}

static void an_ideal_gas_has_its_volume(void **state)
{
    (void)state;
    const struct shoal_gas_params params = ideal(32, 0.5, SHOAL_GAS_PRESSURE_ISOTROPIC);
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 2000);
    expect_volumes(solver, 40000, 5, 32);
    shoal_solver_destroy(&solver);
}

/* So has one whose lengths change on their own, although they wander: in 150 relaxation times the logarithm
 * of the ratio of two lengths moves by sqrt(2 * 150 / 128), which is 1.5. */
static void axes_have_the_same_volume(void **state)
{
    (void)state;
    const struct shoal_gas_params params = ideal(128, 0.4, SHOAL_GAS_PRESSURE_AXES);
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 500);
    expect_volumes(solver, 150 * 50, 10, 128);
    const struct shoal_gas_frame frame = frame_of(solver);
    assert_true(fabs(log(frame.length[0] / frame.length[1])) > 0.1);
    shoal_solver_destroy(&solver);
}

/* A triangular lattice in a box that is 4 % too wide and 4 % too low: with `axes` the box finds the ratio of
 * the lattice, 10 : 10 sqrt(3 / 4), within 1 %; one that keeps its shape does not. The conserved energy is
 * kept. */
static void a_crystal_gets_its_box(void **state)
{
    (void)state;
    enum { SIDE = 10 };
    const double width = 1.1 * 1.04 * SIDE, height = 1.1 * 0.96 * sqrt(0.75) * SIDE;
    double position[SIDE * SIDE * 2], velocity[SIDE * SIDE * 2];
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        position[2 * i] = width / SIDE * ((double)(i % SIDE) + 0.5 * (double)(i / SIDE % 2));
        position[2 * i + 1] = height / SIDE * (double)(i / SIDE);
        velocity[2 * i] = 0.3 * sin((double)(3 * i));
        velocity[2 * i + 1] = 0.3 * sin((double)(7 * i + 1));
    }
    for (int32_t coupling = SHOAL_GAS_PRESSURE_ISOTROPIC; coupling <= SHOAL_GAS_PRESSURE_AXES; coupling++) {
        struct shoal_gas_params params = gas_run_params();
        gas_run_start(&params, position, velocity, (size_t)SIDE * SIDE, width, height);
        params.particles = 0;
        params.density = NAN;
        params.cutoff = 2;
        params.dt = 0.005;
        params.temperature = 0.02;
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.pressure = 1;
        params.pressure_coupling = coupling;
        params.compressibility = 0.02;
        params.pressure_relaxation = 1;
        struct shoal_solver *solver = gas_run_open(&params, true);
        const struct shoal_gas_thermo begin = thermo_of(solver);
        double ratio = 0;
        run_steps(solver, 1500);
        for (int k = 0; k < 50; k++) {
            run_steps(solver, 10);
            const struct shoal_gas_frame frame = frame_of(solver);
            ratio += frame.length[0] / frame.length[1] * sqrt(0.75) / 50;
        }
        test_label("coupling %d: ratio %g", (int)coupling, ratio);
        if (coupling == SHOAL_GAS_PRESSURE_AXES)
            assert_near(ratio, 1, 0.01);
        else
            assert_near(ratio, 1.04 / 0.96, 1e-9);
        const struct shoal_gas_thermo end = thermo_of(solver);
        assert_true(fabs(end.total - begin.total) > 0.1 * begin.kinetic);
        assert_at_most(fabs(end.conserved - begin.conserved), 0.05 * begin.kinetic);
        shoal_solver_destroy(&solver);
    }
}

/* Boxes, positions and velocities of a device are those of the host. */
static void devices_follow_the_host(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++)
            for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
                struct shoal_gas_params params = pressed(*precision, method);
                if (!harness_takes_case())
                    continue;
                params.dim = dim;
                params.pressure_coupling = (int32_t)dim % 2 ^ method % 2;
                params.thermostat = SHOAL_GAS_LANGEVIN + (int32_t)(dim + (uint64_t)*precision) % 3;
                test_label("%d dimensions, method %d, precision %d", (int)dim, (int)method, (int)*precision);
                gas_run(&params, true, 20, &whole);
                gas_run(&params, false, 20, &other);
                const double allowed = *precision == SHOAL_GAS_DOUBLE ? 1e-11 : 2e-5;
                assert_true(fabs(whole.thermo.volume / 211 * params.density - 1) > 1e-4);
                assert_near(other.thermo.volume / whole.thermo.volume, 1, allowed);
                assert_near(other.thermo.conserved, whole.thermo.conserved,
                            100 * allowed * whole.thermo.kinetic);
                assert_at_most(gas_run_deviation(&other, &whole, (size_t)dim), allowed);
            }
}

/* Before it is saved at step 14, the run has changed its box, but has not made the step behind the change, as
 * if the step had been cut. The change is not repeated. */
static void save_and_go_on(const struct shoal_gas_params *params, bool on_host, uint64_t at)
{
    enum { LENGTH = 40 };
    struct shoal_solver *solver = gas_run_open(params, on_host);
    gas_run(params, on_host, LENGTH, &whole);
    run_steps(solver, at);
    if (at == 14)
        assert_ok(gas_barostat_act(solver, &test_error));
    gas_run_resumes(solver, params, on_host, LENGTH - at, &whole);
    shoal_solver_destroy(&solver);
}

static void runs_continue(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++)
        for (int on_host = 0; on_host < 2; on_host++)
            for (uint64_t at = 13; at < 15; at++) {
                struct shoal_gas_params params = pressed(SHOAL_GAS_SINGLE, method);
                if (!harness_takes_case())
                    continue;
                params.rdf_bins = 11;
                params.pressure_coupling = at == 14 ? SHOAL_GAS_PRESSURE_AXES : SHOAL_GAS_PRESSURE_ISOTROPIC;
                params.skin = method == SHOAL_GAS_LIST ? 0.2 : NAN;
                params.thermostat = SHOAL_GAS_RESCALE;
                params.relaxation = 0.1;
                save_and_go_on(&params, on_host, at);
            }
}

/* A stage of constant volume begins with the box at the end of the stage before, and is resumed in it. */
static void a_stage_takes_the_box(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params first = pressed(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST), second;
        struct shoal_stage_end *end = NULL;
        first.steps = 40;
        second = first;
        second.pressure = second.pressure_relaxation = NAN;
        second.thermostat = SHOAL_GAS_NVE;
        struct shoal_solver *one = gas_run_open(&first, on_host), *two = gas_run_open(&second, on_host);
        run_steps(one, 40);
        gas_run_state(one, &whole);
        assert_ok(shoal_solver_end_stage(one, &end, &test_error));
        assert_ok(shoal_solver_follow(two, end, &test_error));
        shoal_stage_end_destroy(&end);
        gas_run_state(two, &other);
        assert_true(other.thermo.volume == whole.thermo.volume);
        assert_true(fabs(whole.thermo.volume * first.density / 211 - 1) > 1e-4);
        assert_at_most(gas_run_deviation(&other, &whole, 2), 1e-6);
        shoal_solver_destroy(&one);
        one = gas_run_open(&second, on_host);
        run_steps(two, 10);
        assert_ok(shoal_solver_save(two, test_path("gas"), &test_error));
        assert_ok(shoal_solver_load(one, test_path("gas"), &test_error));
        run_steps(one, 20);
        run_steps(two, 20);
        gas_run_state(one, &other);
        gas_run_state(two, &whole);
        gas_run_same(&other, &whole);
        shoal_solver_destroy(&one);
        shoal_solver_destroy(&two);
    }
}

/* Ranges and wave vectors of a stage are those of the box that it takes. */
static void samples_fit_the_box(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params first = pressed(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST), second;
        struct shoal_stage_end *end = NULL;
        first.pressure = 4;
        first.steps = 40;
        second = first;
        second.pressure = second.pressure_relaxation = NAN;
        second.structure_bins = 5;
        second.structure_range = 4;
        second.thermo = 4;
        struct shoal_solver *one = gas_run_open(&first, on_host), *two = gas_run_open(&second, on_host);
        const double start = frame_of(one).length[0];
        run_steps(one, 40);
        const double length = frame_of(one).length[0];
        assert_true(length < 0.999 * start);
        assert_ok(shoal_solver_end_stage(one, &end, &test_error));
        assert_ok(shoal_solver_follow(two, end, &test_error));
        run_steps(two, 8);
        const struct gas_problem *problem = gas_common_of(two)->problem;
        const struct gas_waves *waves = &gas_common_of(two)->tables.waves;
        assert_true(waves->length[0] == length && problem->length[0] == length);
        for (size_t i = 0; i < waves->count; i++) {
            const double x = 2 * acos(-1) * waves->waves[i][0] / length,
                         y = 2 * acos(-1) * waves->waves[i][1] / problem->length[1];
            assert_int_equal((size_t)(hypot(x, y) / 4 * 5), waves->bin[i]);
        }
        struct shoal_gas_table whole_table = {.size = sizeof whole_table}, table = whole_table;
        assert_ok(shoal_solver_save(two, test_path("waves"), &test_error));
        struct shoal_solver *three = gas_run_open(&second, on_host);
        assert_ok(shoal_solver_load(three, test_path("waves"), &test_error));
        run_steps(two, 8);
        run_steps(three, 8);
        assert_ok(shoal_gas_get_table(two, SHOAL_GAS_STRUCTURE, &whole_table, &test_error));
        assert_ok(shoal_gas_get_table(three, SHOAL_GAS_STRUCTURE, &table, &test_error));
        assert_int_equal(table.rows, whole_table.rows);
        for (size_t c = 0; c < table.columns; c++)
            assert_memory_equal(table.column[c], whole_table.column[c], table.rows * sizeof(double));
        shoal_solver_destroy(&three);
        shoal_solver_destroy(&two);
        second.structure_bins = 0;
        second.structure_range = NAN;
        second.cluster_distance = 0.4999 * start;
        two = gas_run_open(&second, on_host);
        assert_status(shoal_solver_follow(two, end, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "the stage before left another box, in which "
                                                   "--cluster-distance "));
        shoal_stage_end_destroy(&end);
        shoal_solver_destroy(&one);
        shoal_solver_destroy(&two);
    }
}

/* A thin gas is pressed to a third of its volume: cells and lists follow, so that forces and energy at the
 * end are right; the conserved energy is kept while the gas loses energy. */
static void a_gas_is_compressed(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = pressed(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        struct shoal_result result = {0};
        params.particles = 700;
        params.density = 0.2;
        params.thermostat = SHOAL_GAS_RESCALE;
        params.relaxation = 0.2;
        params.pressure_relaxation = 0.25;
        params.rdf_bins = 20;
        params.rdf_range = 4;
        params.pressure = 3;
        struct shoal_solver *solver = gas_run_open(&params, on_host);
        const struct shoal_gas_thermo begin = thermo_of(solver);
        run_steps(solver, 600);
        const struct shoal_gas_thermo end = thermo_of(solver);
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        assert_true(result.check_passed);
        assert_true(end.volume < 0.5 * begin.volume);
        assert_true(fabs(end.total - begin.total) > 0.3 * begin.kinetic);
        assert_at_most(fabs(end.conserved - begin.conserved), 0.05 * begin.kinetic);
        struct shoal_gas_frame frame = frame_of(solver);
        assert_true(frame.length[0] * frame.length[1] == end.volume);
        shoal_solver_destroy(&solver);
    }
}

static void refuse_step(struct shoal_gas_params params, bool on_host, const char *part)
{
    uint64_t done;
    struct shoal_solver *solver = gas_run_open(&params, on_host);
    assert_status(shoal_solver_step(solver, 2000, &done, &test_error), SHOAL_CHECK_FAILED);
    if (!strstr(test_error.message, part))
        fail_msg("%s", test_error.message);
    shoal_solver_destroy(&solver);
}

static void wrong_boxes_are_refused(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = pressed(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        params.particles = 40;
        params.pressure = 20;
        params.cutoff = 4;
        refuse_step(params, on_host, "below two cutoffs of 4: take more --particles, or lower --cutoff");
        params.compressibility = 2;
        refuse_step(params, on_host, "at once at step ");
        params.equilibration = 100;
        params.compressibility = 1e9;
        refuse_step(params, on_host, "would become 0 or less at step -");
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(an_ideal_gas_has_its_volume),
        cmocka_unit_test(axes_have_the_same_volume),
        cmocka_unit_test(a_crystal_gets_its_box),
        by_turn(devices_follow_the_host),
        cmocka_unit_test(runs_continue),
        cmocka_unit_test(a_stage_takes_the_box),
        cmocka_unit_test(samples_fit_the_box),
        cmocka_unit_test(a_gas_is_compressed),
        cmocka_unit_test(wrong_boxes_are_refused),
    };
    return harness_main("gas_barostat", all, sizeof all / sizeof *all);
}
