/* The neighbour list method on every device under test: forces of all pairs, whatever the list goes through.
 * Checkpoints: test_gas_checkpoint.c. */
#include "fixture.h"
#include "harness.h"

#include "gas/methods/list.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct gas_run_state listed, wanted;

/* The skin that CPUs choose for list_params(). GPUs choose wider ones for few particles, which are built less
 * often and have neighbours that are further apart in memory. */
static const double cpu_skin = 0.75;

static struct shoal_gas_params list_params(void)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = 500;
    params.density = 0.4;
    params.cutoff = 2.5;
    params.method = SHOAL_GAS_LIST;
    return params;
}

/* Largest deviations from a solver in double precision: rounding of fp32, which a few steps enlarge. */
static double tolerance_of(int32_t precision)
{
    return precision == SHOAL_GAS_DOUBLE ? 1e-11 : precision == SHOAL_GAS_MIXED ? 1e-5 : 2e-5;
}

/* The same steps by the host, which goes through all pairs in double. */
static void check_against_host(const struct shoal_gas_params *params, uint64_t steps)
{
    if (!harness_takes_case())
        return;
    const double tolerance = tolerance_of(params->precision);
    struct shoal_gas_params reference = *params;
    reference.method = SHOAL_GAS_AUTO;
    reference.precision = SHOAL_GAS_DOUBLE;
    reference.skin = NAN;
    gas_run(params, false, steps, &listed);
    gas_run(&reference, true, steps, &wanted);
    test_label("%d particles in %d dimensions, precision %d, %d steps", (int)params->particles,
               (int)params->dim, (int)params->precision, (int)steps);
    assert_at_most(gas_run_deviation(&listed, &wanted, (size_t)params->dim), tolerance);
    const double n = (double)params->particles;
    assert_near(listed.thermo.potential / n, wanted.thermo.potential / n, tolerance);
    assert_near(listed.thermo.kinetic / n, wanted.thermo.kinetic / n, tolerance);
    assert_near(listed.thermo.pressure, wanted.thermo.pressure, 10 * tolerance);
}

static void forces_are_those_of_all_pairs(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 15, 16, 17, 31, 33, 127, 129, 500};
    static const int32_t starts[] = {SHOAL_GAS_LATTICE, SHOAL_GAS_RANDOM, SHOAL_GAS_DROPLET};
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (size_t i = 0; i < (harness.tiny ? 3 : sizeof sizes / sizeof *sizes); i++)
            for (size_t s = 0; s < (sizes[i] < 100 ? 1 : 3); s++) {
                struct shoal_gas_params params = list_params();
                params.precision = *precision;
                params.particles = sizes[i];
                params.start = starts[s];
                if (sizes[i] < 30) { /* a box of twice the cutoff */
                    params.density = NAN;
                    params.width = params.height = 6;
                }
                check_against_host(&params, 3);
            }
}

static void three_dimensions(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        struct shoal_gas_params params = list_params();
        params.dim = 3;
        params.particles = harness.tiny ? 108 : 500;
        params.density = 0.8442;
        params.cutoff = harness.tiny ? 2 : 2.5;
        params.temperature = 1.44;
        params.precision = *precision;
        check_against_host(&params, harness.tiny ? 1 : 12);
    }
}

static void laws_and_cuts(void **state)
{
    (void)state;
    for (int32_t cut = SHOAL_GAS_CUT_TRUNCATED; cut <= SHOAL_GAS_CUT_SMOOTHED; cut++) {
        struct shoal_gas_params params = list_params();
        params.cut = cut;
        check_against_host(&params, 4);
    }
    struct shoal_gas_params params = list_params();
    params.potential = SHOAL_GAS_WCA;
    params.cutoff = NAN;
    params.mass = 2.5;
    check_against_host(&params, 8);
}

/* Walls and open sides, where positions are laid out otherwise. */
static void boundaries(void **state)
{
    (void)state;
    struct shoal_gas_params params = list_params();
    params.boundary_x = SHOAL_GAS_WALLS;
    params.boundary_y = SHOAL_GAS_OPEN;
    params.temperature = 3;
    check_against_host(&params, 10);
}

/* A start whose temperature promises a list of long life, and particles that are a hundred times faster: the
 * list is left again and again. */
static struct shoal_gas_params fast_start(void)
{
    enum { SIDE = 12, N = SIDE * SIDE };
    struct shoal_gas_params params = list_params();
    double position[2 * N], velocity[2 * N];
    for (size_t i = 0; i < N; i++) {
        position[2 * i] = 1.5 * ((double)(i % SIDE) + 0.5);
        position[2 * i + 1] = 1.5 * ((double)(i / SIDE) + 0.5);
        velocity[2 * i] = sin(12.9898 * (double)i);
        velocity[2 * i + 1] = cos(78.233 * (double)i);
    }
    gas_run_start(&params, position, velocity, N, 1.5 * SIDE, 1.5 * SIDE);
    params.temperature = 1e-4;
    params.skin = 0.1;
    return params;
}

static void violations_are_repaired(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = fast_start();
        params.precision = *precision;
        struct shoal_solver *solver = gas_run_open(&params, false);
        run_steps(solver, 60);
        gas_run_state(solver, &listed);
        const struct shoal_gas_timing timing = timing_of(solver);
        shoal_solver_destroy(&solver);
        assert_true(timing.violations > 2);
        assert_true(timing.rebuilds > timing.violations);
        params.method = SHOAL_GAS_AUTO;
        gas_run(&params, true, 60, &wanted);
        /* Errors have grown for 60 steps of collisions. */
        assert_at_most(gas_run_deviation(&listed, &wanted, 2), 100 * tolerance_of(*precision));
        /* What was learnt: from step 64 on the list is made anew in time. */
        params.method = SHOAL_GAS_LIST;
        solver = gas_run_open(&params, false);
        run_steps(solver, 256);
        const struct shoal_gas_timing learnt = timing_of(solver);
        run_steps(solver, 200);
        const struct shoal_gas_timing later = timing_of(solver);
        const uint64_t rebuilds = later.rebuilds - learnt.rebuilds,
                       violations = later.violations - learnt.violations;
        if (rebuilds < 10 || violations > rebuilds / 4)
            fail_msg("%llu of %llu rebuilds came too late, at an interval of %g",
                     (unsigned long long)violations, (unsigned long long)rebuilds, later.rebuild_interval);
        shoal_solver_destroy(&solver);
    }
}

/* Compares what samples of a solver, whose sums were enqueued behind their steps, say with measurements of
 * another one, which takes no samples. Some of the steps were not made when they should have been. */
static void check_samples(struct shoal_gas_params params)
{
    params.thermo = 4;
    struct shoal_solver *solver = gas_run_open(&params, false);
    params.thermo = 0;
    struct shoal_solver *other = gas_run_open(&params, false);
    const struct gas_common *common = gas_common_of(solver);
    for (uint64_t step = 4; step <= 80; step += 4) {
        struct shoal_gas_thermo measured = {0};
        double impulse;
        run_steps(solver, 4);
        run_steps(other, 4);
        const struct shoal_gas_thermo *sample = &common->clock.last;
        assert_int_equal(sample->step, step);
        assert_ok(gas_common_of(other)->stepper->measure(other, &measured, &impulse, &test_error));
        assert_memory_equal(&measured.kinetic, &sample->kinetic, sizeof measured.kinetic);
        assert_memory_equal(&measured.potential, &sample->potential, sizeof measured.potential);
        assert_memory_equal(&measured.pressure, &sample->pressure, sizeof measured.pressure);
        assert_memory_equal(&measured.conserved, &sample->conserved, sizeof measured.conserved);
        assert_memory_equal(measured.momentum, sample->momentum, sizeof measured.momentum);
        assert_memory_equal(&measured.max_speed, &sample->max_speed, sizeof measured.max_speed);
    }
    assert_true(timing_of(solver).violations > 2);
    shoal_solver_destroy(&solver);
    shoal_solver_destroy(&other);
}

static void samples_are_of_their_state(void **state)
{
    (void)state;
    struct shoal_gas_params params = fast_start();
    check_samples(params);
    params.thermostat = SHOAL_GAS_LANGEVIN;
    check_samples(params);
    params = fast_start();
    params.boundary_x = SHOAL_GAS_WALLS;
    check_samples(params);
}

/* Numbers that launches left before the list was built stop none of those after it, and hide no particle that
 * has gone too far, however large they are. */
static void stops_end_with_their_list(void **state)
{
    (void)state;
    const uint32_t stops[] = {UINT32_MAX - 1, UINT32_MAX};
    const struct shoal_gas_params params = fast_start();
    gas_run(&params, false, 60, &wanted);
    struct shoal_solver *solver = gas_run_open(&params, false);
    const struct gas_device *device = gas_device_of(solver);
    uint32_t words[GAS_WORDS] = {0}, at = 0;
    while (!words[WORD_FROZEN]) {
        run_steps(solver, 1);
        assert_true(++at < 60);
        harness_read(device->words, words, sizeof words);
    }
    assert_ok(shoal_buffer_write(harness.queue, device->words, WORD_STOP * sizeof *words, stops, sizeof stops,
                                 &test_error));
    run_steps(solver, 60 - at);
    gas_run_state(solver, &listed);
    assert_true(timing_of(solver).violations > 2);
    gas_run_same(&listed, &wanted);
    shoal_solver_destroy(&solver);
}

static void lists_of_one_step(void **state)
{
    (void)state;
    struct shoal_gas_params params = list_params();
    params.skin = 0.002;
    check_against_host(&params, 10);
}

/* Hardly any force, and all particles on their way to one place: lists that had room for few fill up. */
static void full_lists_are_repaired(void **state)
{
    (void)state;
    enum { N = 96, STEPS = 200 };
    const double pi = 3.14159265358979324, width = 100, dt = 0.01;
    double position[2 * N], velocity[2 * N];
    for (size_t i = 0; i < N; i++) {
        const double angle = 2 * pi * (double)i / N, radius = 44 + 0.05 * (double)(i % 7);
        position[2 * i] = 50 + radius * cos(angle);
        position[2 * i + 1] = 50 + radius * sin(angle);
        velocity[2 * i] = -20 * cos(angle);
        velocity[2 * i + 1] = -20 * sin(angle);
    }
    struct shoal_gas_params params = list_params();
    gas_run_start(&params, position, velocity, N, width, width);
    params.epsilon = 1e-12;
    params.cutoff = 10;
    params.dt = dt;
    struct shoal_solver *solver = gas_run_open(&params, false);
    run_steps(solver, STEPS);
    gas_run_state(solver, &listed);
    const struct shoal_gas_timing timing = timing_of(solver);
    assert_true(timing.mean_neighbours > 60);
    for (size_t i = 0; i < 2 * N; i++)
        assert_near(listed.numbers[i], position[i] + velocity[i] * dt * STEPS, 1e-3);
    shoal_solver_destroy(&solver);
}

/* skin: NaN for the one that the device chooses. least: number of rebuilds that are exceeded. */
static void check_pieces(int32_t precision, double skin, uint64_t least)
{
    static const uint64_t pieces[] = {1, 2, 7, 31, 64, 1, 1, 13, 50, 100, 30};
    static struct gas_run_state whole, cut;
    struct shoal_gas_params params = list_params();
    params.precision = precision;
    params.temperature = 3;
    params.skin = skin;
    gas_run(&params, false, 300, &whole);
    struct shoal_solver *solver = gas_run_open(&params, false);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        run_steps(solver, pieces[i]);
        gas_run_state(solver, &cut);
    }
    assert_true(timing_of(solver).rebuilds > least);
    shoal_solver_destroy(&solver);
    gas_run_same(&cut, &whole);
}

static void pieces_are_the_whole(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        if (!harness_takes_case())
            continue;
        check_pieces(*precision, cpu_skin, 10);
        if (harness.info->is_gpu)
            check_pieces(*precision, NAN, 1);
    }
}

/* Velocities are rescaled every third step, or after the tenth of twenty first steps alone. But for the chain
 * a list is to last eleven steps and is left after about seven, so that the device comes later to the steps
 * of the next lists, and to the rescalings before them, than the host has enqueued them. */
static void rescaled_pieces_are_the_whole(void **state)
{
    (void)state;
    static const uint64_t pieces[] = {1, 2, 7, 31, 1, 1, 17};
    static const int32_t thermostats[] = {SHOAL_GAS_RESCALE, SHOAL_GAS_NVE, SHOAL_GAS_CHAIN};
    static struct gas_run_state whole, cut;
    for (size_t kind = 0; kind < sizeof thermostats / sizeof *thermostats; kind++) {
        const bool is_chain = thermostats[kind] == SHOAL_GAS_CHAIN,
                   is_first = thermostats[kind] == SHOAL_GAS_NVE;
        struct shoal_gas_params params = fast_start();
        params.thermostat = thermostats[kind];
        params.equilibration = is_first ? 20 : 0;
        params.temperature = is_chain ? 0.5 : 0.04;
        params.relaxation = is_first ? 0.5 : 0.15;
        params.field_x = 0.1;
        if (harness.tiny) {
            check_against_host(&params, 5);
            continue;
        }
        gas_run(&params, false, 60, &whole);
        struct shoal_solver *solver = gas_run_open(&params, false);
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            run_steps(solver, pieces[i]);
            gas_run_state(solver, &cut);
        }
        assert_true(is_chain || timing_of(solver).violations > 2);
        shoal_solver_destroy(&solver);
        gas_run_same(&cut, &whole);
        params.method = SHOAL_GAS_AUTO;
        params.precision = SHOAL_GAS_DOUBLE;
        gas_run(&params, true, 60, &wanted);
        assert_at_most(gas_run_deviation(&cut, &wanted, 2), 100 * tolerance_of(SHOAL_GAS_SINGLE));
    }
}

/* Writes a checkpoint anew, whose list is said to be valid. */
static void make_valid(const char *path)
{
    struct checkpoint checkpoint;
    struct list_state changed;
    void *file;
    assert_ok(checkpoint_read(&checkpoint, path, &file, &test_error));
    for (size_t i = 0; i < checkpoint.count; i++)
        if (strcmp(checkpoint.sections[i].name, "list") == 0) {
            assert_int_equal(checkpoint.sections[i].bytes, sizeof changed);
            memcpy(&changed, checkpoint.sections[i].data, sizeof changed);
            assert_int_equal(changed.is_invalid, 1);
            changed.is_invalid = 0;
            checkpoint.sections[i].data = &changed;
        }
    assert_ok(checkpoint_write(&checkpoint, path, &test_error));
    free(file);
}

/* A solver whose last rebuild held the gas is sent back to a step after which steps wait for a new list: the
 * list has the room that it had, and the run goes on with the same bits. A checkpoint with such steps and a
 * valid list is refused. */
static void waiting_gases_are_loaded(void **state)
{
    (void)state;
    enum { LENGTH = 60 };
    uint32_t words[GAS_WORDS] = {0}, at = 0;
    struct shoal_gas_params params = fast_start();
    params.thermostat = SHOAL_GAS_RESCALE;
    params.temperature = 0.04;
    params.relaxation = 0.15;
    gas_run(&params, false, LENGTH, &wanted);
    struct shoal_solver *solver = gas_run_open(&params, false);
    const struct gas_list *list = solver->method.state;
    while (!words[WORD_FROZEN]) {
        run_steps(solver, 1);
        assert_true(++at < LENGTH);
        harness_read(gas_device_of(solver)->words, words, sizeof words);
    }
    assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
    const uint32_t capacity = list->neighbours->capacity;
    list->neighbours->sort->holds = true;
    assert_ok(shoal_solver_load(solver, test_path("gas"), &test_error));
    assert_int_equal(list->neighbours->capacity, capacity);
    run_steps(solver, LENGTH - at);
    gas_run_state(solver, &listed);
    gas_run_same(&listed, &wanted);
    make_valid(test_path("gas"));
    assert_status(shoal_solver_load(solver, test_path("gas"), &test_error), SHOAL_IO);
    assert_contains(test_error.message, "is not the state of a neighbour list");
    shoal_solver_destroy(&solver);
}

/* A run with windows of 2^bits particles, in two halves by a checkpoint, too. expected: the bits after steps.
 */
static void check_window(const struct shoal_gas_params *params, int64_t bits, uint32_t expected)
{
    const uint64_t steps = harness.tiny ? 3 : 40;
    assert_ok(shoal_tuning_set(harness.device, "gas.list-build", "WINDOW_BITS", bits, &test_error));
    check_against_host(params, steps);
    struct shoal_solver *solver = gas_run_open(params, false);
    const struct gas_list *list = solver->method.state;
    run_steps(solver, steps);
    assert_int_equal(list->neighbours->window_bits, expected);
    assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
    run_steps(solver, steps);
    gas_run_state(solver, &wanted);
    shoal_solver_destroy(&solver);
    solver = gas_run_open(params, false);
    assert_ok(shoal_solver_load(solver, test_path("gas"), &test_error));
    run_steps(solver, steps);
    gas_run_state(solver, &listed);
    gas_run_same(&listed, &wanted);
    shoal_solver_destroy(&solver);
}

/* List entries that count in windows, some of which are too small for the gas: then the list gets wider
 * entries. CPUs have no windows. */
static void entries_count_in_windows(void **state)
{
    (void)state;
    if (harness.info->is_cpu && !harness.info->is_gpu)
        skip();
    struct shoal_gas_params params = list_params();
    params.particles = harness.tiny ? 60 : 500;
    params.skin = cpu_skin;
    for (int64_t bits = 4; bits <= 16; bits += 4)
        check_window(&params, bits, bits < 8 ? 32 : (uint32_t)bits);
    /* more particles than a window has, and a periodic border between neighbours */
    params.particles = 96;
    params.density = NAN;
    params.width = 6;
    params.height = 120;
    check_window(&params, 5, 5);
    gas_run(&params, false, 20, &listed);
    assert_ok(shoal_tuning_set(harness.device, "gas.list-build", "WINDOW_BITS", 32, &test_error));
    gas_run(&params, false, 20, &wanted);
    gas_run_same(&listed, &wanted);
}

static void energy_stays(void **state)
{
    (void)state;
    struct shoal_gas_params params = list_params();
    struct shoal_solver *solver = gas_run_open(&params, false);
    run_steps(solver, 200);
    gas_run_state(solver, &wanted);
    run_steps(solver, 3000);
    gas_run_state(solver, &listed);
    /* Velocity Verlet at this step keeps the energy of a particle to about 1e-4, fp32 adds as much as a
     * random walk of rounding errors would. */
    assert_near(listed.thermo.total / 500, wanted.thermo.total / 500, 5e-4);
    for (size_t k = 0; k < 2; k++)
        assert_near(listed.thermo.momentum[k], 0, 1e-3);
    shoal_solver_destroy(&solver);
}

/* Gases of up to so many particles make the steps of a list in one launch. */
static void allow_runs(int64_t particles)
{
    assert_ok(shoal_tuning_set(harness.device, "gas.list_run", "particles", particles, &test_error));
}

static void from_here_a_launch_is_a_step(void **state)
{
    (void)state;
    allow_runs(0);
}

/* Where the two ways go through the neighbours in the same order, they come to nearly the same bits. */
static void compare_with_single_steps(void)
{
    static struct gas_run_state runs, steps;
    struct shoal_gas_params params = list_params();
    params.particles = harness.tiny ? 40 : 500;
    params.temperature = 3;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.boundary_x = SHOAL_GAS_WALLS;
    gas_run(&params, false, harness.tiny ? 5 : 150, &runs);
    allow_runs(0);
    gas_run(&params, false, harness.tiny ? 5 : 150, &steps);
    assert_at_most(gas_run_deviation(&runs, &steps, 2), 1e-3);
}

/* As many groups as a cluster may have, most of them without particles, and fewer work-items in each than
 * there are groups: what a class of larger gases had tuned may come to this. */
static void groups_without_particles(void)
{
    static const uint64_t sizes[] = {1, 2, 5, 17, 33, 100};
    static const char *const names[] = {"GROUPS", "LANES"};
    static const int64_t values[] = {16, 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_ok(shoal_tuning_set(harness.device, "gas.list_run", names[i], values[i], &test_error));
    allow_runs(1 << 16);
    for (size_t i = 0; i < (harness.tiny ? 2 : sizeof sizes / sizeof *sizes); i++) {
        struct shoal_gas_params params = list_params();
        params.particles = sizes[i];
        params.density = NAN;
        params.width = params.height = sizes[i] < 30 ? 6 : 15;
        check_against_host(&params, 3);
    }
}

/* All of it once more where a launch makes the steps of a list: on GPUs and simulators. Groups of many
 * work-items make no sense on CPUs, and PoCL 3.1 compiles some of those wrongly. */
static void many_steps_in_one_launch(void **state)
{
    static void (*const tests[])(void **) = {forces_are_those_of_all_pairs,
                                             three_dimensions,
                                             laws_and_cuts,
                                             boundaries,
                                             lists_of_one_step,
                                             violations_are_repaired,
                                             samples_are_of_their_state,
                                             full_lists_are_repaired,
                                             pieces_are_the_whole,
                                             rescaled_pieces_are_the_whole,
                                             energy_stays,
                                             entries_count_in_windows};
    if (harness.info->is_cpu && !harness.info->is_gpu)
        skip();
    allow_runs(1 << 16);
    for (size_t i = 0; i < (harness.tiny ? 2 : sizeof tests / sizeof *tests); i++)
        tests[i](state);
    compare_with_single_steps();
    groups_without_particles();
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(from_here_a_launch_is_a_step),
        cmocka_unit_test(forces_are_those_of_all_pairs),
        cmocka_unit_test(three_dimensions),
        cmocka_unit_test(laws_and_cuts),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(lists_of_one_step),
        cmocka_unit_test(violations_are_repaired),
        cmocka_unit_test(samples_are_of_their_state),
        cmocka_unit_test(stops_end_with_their_list),
        cmocka_unit_test(full_lists_are_repaired),
        cmocka_unit_test(pieces_are_the_whole),
        cmocka_unit_test(rescaled_pieces_are_the_whole),
        cmocka_unit_test(waiting_gases_are_loaded),
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(entries_count_in_windows),
        cmocka_unit_test(many_steps_in_one_launch),
    };
    static const struct CMUnitTest few[] = {cmocka_unit_test(from_here_a_launch_is_a_step),
                                            cmocka_unit_test(forces_are_those_of_all_pairs),
                                            cmocka_unit_test(three_dimensions),
                                            cmocka_unit_test(rescaled_pieces_are_the_whole),
                                            cmocka_unit_test(entries_count_in_windows),
                                            cmocka_unit_test(many_steps_in_one_launch)};
    const char *sizes = getenv("SHOAL_TEST_SIZES");
    return sizes && strcmp(sizes, "tiny") == 0 ? harness_main("gas list", few, sizeof few / sizeof *few)
                                               : harness_main("gas list", all, sizeof all / sizeof *all);
}
