/* Checkpoints of the gas on every device under test: a run that was saved and loaded goes on with the same
 * bits, whatever was going on when it was saved. */
#include "fixture.h"
#include "harness.h"

#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <shoal/gas_changes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gas_run_state whole, resumed;

/* At a step between rebuilds of the list, between rescalings, between samples. */
static const uint64_t saved_at[] = {0, 1, 13, 50, 77};
enum { LENGTH = 90 };

static void load(struct shoal_solver *solver)
{
    assert_ok(shoal_solver_load(solver, test_path("gas"), &test_error));
}

static void check(const struct shoal_gas_params *params)
{
    if (!harness_takes_case())
        return;
    struct shoal_solver *uninterrupted = gas_run_open(params, false);
    run_steps(uninterrupted, LENGTH);
    gas_run_state(uninterrupted, &whole);
    for (size_t i = 0; i < sizeof saved_at / sizeof *saved_at; i++) {
        struct shoal_solver *first = gas_run_open(params, false), *second = gas_run_open(params, false);
        run_steps(first, saved_at[i]);
        assert_ok(shoal_solver_save(first, test_path("gas"), &test_error));
        load(second);
        run_steps(second, LENGTH - saved_at[i]);
        gas_run_state(second, &resumed);
        gas_run_same(&resumed, &whole);
        /* Saving has changed nothing; and a solver that is anywhere can be sent back. */
        run_steps(first, LENGTH - saved_at[i]);
        gas_run_state(first, &resumed);
        gas_run_same(&resumed, &whole);
        load(first);
        run_steps(first, LENGTH - saved_at[i]);
        gas_run_state(first, &resumed);
        gas_run_same(&resumed, &whole);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
    shoal_solver_destroy(&uninterrupted);
}

static void all_pairs_continue(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        const struct shoal_gas_params params = gas_run_dense(*precision, SHOAL_GAS_ALLPAIRS);
        check(&params);
    }
}

static void lists_continue(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        struct shoal_gas_params params = gas_run_dense(*precision, SHOAL_GAS_LIST);
        params.skin = 0.2;
        check(&params);
    }
}

static void thermostats_continue(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, method);
        params.thermostat = SHOAL_GAS_LANGEVIN;
        check(&params);
        params.thermostat = SHOAL_GAS_RESCALE;
        params.relaxation = 0.1;
        check(&params);
        params.thermostat = SHOAL_GAS_CHAIN;
        check(&params);
        params.thermostat = SHOAL_GAS_NVE;
        params.equilibration = 60;
        check(&params);
    }
}

/* The temperature of the thermostat goes on from where it was; and a ramp of another length is another run.
 */
static void ramps_continue(void **state)
{
    (void)state;
    for (int32_t thermostat = SHOAL_GAS_LANGEVIN; thermostat <= SHOAL_GAS_RESCALE; thermostat++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        params.thermostat = thermostat;
        params.relaxation = thermostat == SHOAL_GAS_RESCALE ? 0.1 : NAN;
        params.equilibration = 10;
        params.steps = LENGTH;
        params.temperature_end = 0.5;
        check(&params);
    }
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.temperature_end = 3;
        params.steps = 40;
        struct shoal_solver *first = gas_run_open(&params, on_host);
        run_steps(first, 20);
        assert_ok(shoal_solver_save(first, test_path("gas"), &test_error));
        params.steps = 50;
        struct shoal_solver *second = gas_run_open(&params, on_host);
        assert_status(shoal_solver_load(second, test_path("gas"), &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, "over 40 steps, not 50: resume it with --steps 40"));
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

/* A run goes on in the middle of its changes, and a start from its checkpoint has the velocities of the full
 * step, which depend on the field then. */
static void schedules_continue(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, method);
        params.thermostat = method == SHOAL_GAS_LIST ? SHOAL_GAS_LANGEVIN : SHOAL_GAS_RESCALE;
        params.equilibration = 10;
        gas_run_schedule(&params, "0 temperature 3 over 50\n5 field-x 9 over 70\n60 temperature 1\n");
        check(&params);
    }
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        gas_run_schedule(&params, "0 field-x 200 over 40\n");
        struct shoal_solver *first = gas_run_open(&params, on_host);
        run_steps(first, 20);
        assert_ok(shoal_solver_save(first, test_path("gas"), &test_error));
        gas_run_state(first, &whole);
        params.schedule = NULL;
        params.start_file = test_path("gas");
        params.density = NAN;
        params.particles = 0;
        params.field_x = 100;
        struct shoal_solver *second = gas_run_open(&params, on_host);
        gas_run_state(second, &resumed);
        assert_at_most(gas_run_deviation(&resumed, &whole, params.dim), 1e-6);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

static void walls_and_histograms_continue(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_ALLPAIRS);
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.wall_left = SHOAL_GAS_WALL_THERMAL;
    params.wall_top = SHOAL_GAS_WALL_DAMPING;
    params.rdf_bins = 40;
    params.speed_bins = 30;
    params.profile_axis = SHOAL_GAS_Y;
    params.msd = true;
    check(&params);
}

/* The result, averages and histograms included, is that of the uninterrupted run. */
static void results_continue(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_ALLPAIRS);
    struct shoal_result wanted = {0}, got = {0};
    struct shoal_gas_histogram histogram;
    double counts[2][32];
    params.steps = LENGTH;
    params.equilibration = 20;
    params.speed_bins = 32;
    params.msd = true;
    struct shoal_solver *first = gas_run_open(&params, false), *second = gas_run_open(&params, false);
    run_steps(first, 33);
    assert_ok(shoal_solver_save(first, test_path("gas"), &test_error));
    load(second);
    run_steps(first, LENGTH - 33);
    run_steps(second, LENGTH - 33);
    assert_ok(shoal_solver_result(first, &wanted, &test_error));
    assert_ok(shoal_solver_result(second, &got, &test_error));
    assert_true(wanted.check_passed && got.check_passed);
    assert_true(wanted.value == got.value && wanted.steps == got.steps);
    assert_int_equal(wanted.field_count, got.field_count);
    assert_true(shoal_result_number(&wanted, "diffusion_error") > 0);
    for (size_t i = 0; i < wanted.field_count; i++)
        if (wanted.fields[i].type == SHOAL_FIELD_REAL && !strstr(wanted.fields[i].name, "_s"))
            assert_memory_equal(&wanted.fields[i].real, &got.fields[i].real, sizeof(double));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(shoal_gas_get_histogram(i ? second : first, SHOAL_GAS_SPEEDS, &histogram, &test_error));
        assert_int_equal(histogram.bins, 32);
        memcpy(counts[i], histogram.value, sizeof counts[i]);
    }
    /* Nothing from before step 0. */
    double share = 0;
    for (size_t b = 0; b < 32; b++)
        share += counts[0][b] * histogram.width;
    assert_true(share > 0.99 && share < 1 + 1e-9);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    shoal_solver_destroy(&first);
    shoal_solver_destroy(&second);
}

/* Spoils what is read last of the checkpoint. */
static void spoil(bool on_host)
{
    static const char none[64];
    struct checkpoint checkpoint;
    void *file;
    assert_ok(checkpoint_read(&checkpoint, test_path("gas"), &file, &test_error));
    for (size_t i = 0; i < checkpoint.count; i++)
        if (strcmp(checkpoint.sections[i].name, on_host ? "rebuilds" : "list") == 0) {
            checkpoint.sections[i].data = none;
            checkpoint.sections[i].bytes -= on_host;
        }
    assert_ok(checkpoint_write(&checkpoint, test_path("gas"), &test_error));
    free(file);
}

static void a_failed_load_leaves_no_counts(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        struct shoal_gas_histogram histogram;
        double counts[2][16];
        params.steps = LENGTH;
        params.rdf_bins = params.speed_bins = params.profile_bins = 16;
        params.profile_axis = SHOAL_GAS_X;
        struct shoal_solver *first = gas_run_open(&params, on_host), *second = gas_run_open(&params, on_host);
        run_steps(first, 40);
        assert_ok(shoal_solver_save(first, test_path("gas"), &test_error));
        spoil(on_host);
        assert_status(shoal_solver_load(second, test_path("gas"), &test_error), SHOAL_IO);
        run_steps(second, 40);
        for (int kind = SHOAL_GAS_RDF; kind < GAS_HISTOGRAMS; kind++) {
            for (size_t i = 0; i < 2; i++) {
                assert_ok(shoal_gas_get_histogram(i ? second : first, (enum shoal_gas_histogram_kind)kind,
                                                  &histogram, &test_error));
                assert_int_equal(histogram.bins, 16);
                memcpy(counts[i], histogram.value, sizeof counts[i]);
            }
            assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
        }
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

/* What no run has seen is refused. */
static void damaged_sections_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *section;
        size_t at; /* which of its numbers of 64 bits */
        double value;
    } damage[] = {
        {"msd", 0, NAN},      {"msd", 1, -1},      {"msd", 12, -1},     {"msd groups", 9, -1e-3},
        {"origin", 3, -40},   {"origins", 5, 1e9}, {"origins", 5, NAN}, {"origins velocity", 7, INFINITY},
        {"changes", 1, 4.01}, {"changes", 1, -1}};
    struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_ALLPAIRS);
    params.msd = params.vacf = params.changeable = true;
    params.temperature = 1; /* may rise to 4, for which the run is prepared */
    params.thermostat = SHOAL_GAS_LANGEVIN;
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 40);
    assert_ok(shoal_gas_change(solver, "temperature", 4, &test_error));
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        struct checkpoint checkpoint;
        void *file;
        double *changed = NULL;
        assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
        assert_ok(checkpoint_read(&checkpoint, test_path("gas"), &file, &test_error));
        for (size_t s = 0; s < checkpoint.count; s++)
            if (strcmp(checkpoint.sections[s].name, damage[i].section) == 0) {
                changed = harness_memory(checkpoint.sections[s].bytes);
                memcpy(changed, checkpoint.sections[s].data, checkpoint.sections[s].bytes);
                changed[damage[i].at] = damage[i].value;
                checkpoint.sections[s].data = changed;
            }
        assert_non_null(changed);
        assert_ok(checkpoint_write(&checkpoint, test_path("gas"), &test_error));
        free(file);
        struct shoal_solver *other = gas_run_open(&params, true);
        assert_status(shoal_solver_load(other, test_path("gas"), &test_error), SHOAL_IO);
        assert_contains(test_error.message, "is damaged");
        run_steps(other, 10);
        shoal_solver_destroy(&other);
    }
    shoal_solver_destroy(&solver);
    harness_release();
}

/* Makes the steps behind the checkpoint `from`, NULL: none, and writes one of the end to `to`. */
static void run_to(struct shoal_gas_params params, bool on_host, uint64_t end, const char *from,
                   const char *to, struct shoal_result *result)
{
    params.steps = end;
    struct shoal_solver *solver = gas_run_open(&params, on_host);
    uint64_t done;
    if (from)
        assert_ok(shoal_solver_load(solver, from, &test_error));
    assert_ok(shoal_solver_step(solver, end, &done, &test_error));
    assert_ok(shoal_solver_result(solver, result, &test_error));
    assert_int_equal(result->steps, end);
    /* Texts and lists end with the solver. */
    for (size_t i = 0; i < result->field_count; i++)
        if (result->fields[i].type == SHOAL_FIELD_REALS || result->fields[i].type == SHOAL_FIELD_TEXT)
            result->fields[i] = (struct shoal_field){.name = result->fields[i].name};
    assert_ok(shoal_solver_save(solver, to, &test_error));
    shoal_solver_destroy(&solver);
}

static size_t read_all(const char *name, char *bytes, size_t most)
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, most, file);
    assert_true(feof(file));
    fclose(file);
    return count;
}

/* Where a run ends between two samples is nothing that the one that goes on may know of. */
static void check_ends(const struct shoal_gas_params *params, bool on_host)
{
    enum { MOST = 1 << 18 };
    static char in_one[MOST], in_parts[MOST];
    struct shoal_result one = {0}, part = {0}, parts = {0};
    run_to(*params, on_host, LENGTH, NULL, test_path("whole"), &one);
    run_to(*params, on_host, 33, NULL, test_path("gas"), &part);
    run_to(*params, on_host, 59, test_path("gas"), test_path("first"), &part);
    run_to(*params, on_host, LENGTH, test_path("first"), test_path("gas"), &parts);
    const size_t bytes = read_all(test_path("whole"), in_one, MOST);
    assert_int_equal(read_all(test_path("gas"), in_parts, MOST), bytes);
    assert_memory_equal(in_one, in_parts, bytes);
    static const char *const names[] = {"temperature",   "temperature_error",   "pressure",
                                        "wall_pressure", "wall_pressure_error", "energy_slope"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double wanted = shoal_result_number(&one, names[i]),
                     got = shoal_result_number(&parts, names[i]);
        assert_memory_equal(&wanted, &got, sizeof got);
    }
    assert_true(shoal_result_number(&one, "wall_pressure") > 0);
}

static void ends_between_samples_leave_no_trace(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++)
        for (uint64_t thermo = 0; thermo <= 7; thermo += 7) {
            if (!harness_takes_case())
                continue;
            struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, method);
            params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
            params.wall_left = SHOAL_GAS_WALL_THERMAL;
            params.wall_top = SHOAL_GAS_WALL_DAMPING;
#if SHOAL_THESES
            limit_speeds(&params, SHOAL_GAS_LIMIT_ENERGY, NAN);
#endif
            params.speed_bins = 16;
            params.profile_axis = SHOAL_GAS_Y;
            params.msd = true;
            params.thermo = thermo;
            check_ends(&params, false);
            check_ends(&params, true);
        }
}

/* Lets the device take other values than those that gases like this take, or ends that. */
static void retune(const struct shoal_gas_params *params, bool begin)
{
    enum { MOST = 16 };
    static struct {
        char program[64], define[128];
    } changed[MOST];
    static size_t count;
    struct shoal_tunable tunable;
    for (size_t i = 0; i < count; i++)
        assert_ok(shoal_tuning_try(harness.device, changed[i].program, changed[i].define, NULL, &test_error));
    count = 0;
    if (!begin)
        return;
    shoal_tuning_watch(harness.device);
    struct shoal_solver *solver = gas_run_open(params, false);
    shoal_solver_destroy(&solver);
    while (shoal_tuning_watched(harness.device, count, &tunable)) {
        const int64_t value = tunable.tries[tunable.value == tunable.tries[0]];
        assert_true(count < MOST && tunable.try_count > 1 && value != tunable.value);
        snprintf(changed[count].program, sizeof changed->program, "%s", tunable.program);
        snprintf(changed[count].define, sizeof changed->define, "%s", tunable.define);
        count++;
        assert_ok(shoal_tuning_try(harness.device, tunable.program, tunable.define, &value, &test_error));
    }
}

/* A run goes on with what it began with; one that begins takes what is tuned. */
static void tuning_may_change(void **state)
{
    (void)state;
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++) {
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, method);
        const bool lists = method == SHOAL_GAS_LIST;
        struct shoal_solver *solver = gas_run_open(&params, false);
        const double skin = lists ? timing_of(solver).skin : 0;
        run_steps(solver, 50);
        assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
        run_steps(solver, LENGTH - 50);
        gas_run_state(solver, &whole);
        shoal_solver_destroy(&solver);
        retune(&params, true);
        solver = gas_run_open(&params, false);
        assert_true(!lists || timing_of(solver).skin != skin);
        run_steps(solver, 3);
        load(solver);
        assert_true(!lists || timing_of(solver).skin == skin);
        /* Once more, from the solver that took over what was saved. */
        run_steps(solver, LENGTH - 60);
        assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
        shoal_solver_destroy(&solver);
        solver = gas_run_open(&params, false);
        load(solver);
        assert_true(!lists || timing_of(solver).skin == skin);
        run_steps(solver, 10);
        gas_run_state(solver, &resumed);
        gas_run_same(&resumed, &whole);
        shoal_solver_destroy(&solver);
        if (lists) {
            params.skin = 0.4;
            solver = gas_run_open(&params, false);
            assert_true(timing_of(solver).skin == 0.4);
            shoal_solver_destroy(&solver);
        }
        retune(&params, false);
    }
}

static void keep_method(struct shoal_gas_params params, int32_t method)
{
    params.method = method;
    struct shoal_solver *solver = gas_run_open(&params, false);
    assert_ok(shoal_solver_remember(solver, &test_error));
    shoal_solver_destroy(&solver);
}

/* Also where another method was found to be faster meanwhile. */
static void methods_may_change(void **state)
{
    (void)state;
    for (int32_t first = SHOAL_GAS_ALLPAIRS; first <= SHOAL_GAS_LIST; first++) {
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_AUTO);
        keep_method(params, first);
        struct shoal_solver *solver = gas_run_open(&params, false);
        run_steps(solver, 50);
        assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
        run_steps(solver, LENGTH - 50);
        gas_run_state(solver, &whole);
        assert_true(isnan(timing_of(solver).skin) == (first == SHOAL_GAS_ALLPAIRS));
        shoal_solver_destroy(&solver);
        keep_method(params, SHOAL_GAS_ALLPAIRS + SHOAL_GAS_LIST - first);
        solver = gas_run_open(&params, false);
        assert_true(isnan(timing_of(solver).skin) == (first == SHOAL_GAS_LIST));
        load(solver);
        assert_true(isnan(timing_of(solver).skin) == (first == SHOAL_GAS_ALLPAIRS));
        run_steps(solver, LENGTH - 50);
        gas_run_state(solver, &resumed);
        gas_run_same(&resumed, &whole);
        shoal_solver_destroy(&solver);
    }
}

/* The solver goes on from its own start then. */
static void other_gases_are_refused(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_ALLPAIRS);
    struct shoal_solver *solver = gas_run_open(&params, false);
    uint64_t done;
    run_steps(solver, 5);
    assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
    shoal_solver_destroy(&solver);
    params.particles = 212;
    solver = gas_run_open(&params, false);
    assert_true(shoal_solver_load(solver, test_path("gas"), &test_error) != SHOAL_OK);
    assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(all_pairs_continue),
        cmocka_unit_test(lists_continue),
        cmocka_unit_test(thermostats_continue),
        cmocka_unit_test(ramps_continue),
        cmocka_unit_test(schedules_continue),
        cmocka_unit_test(walls_and_histograms_continue),
        cmocka_unit_test(results_continue),
        cmocka_unit_test(ends_between_samples_leave_no_trace),
        cmocka_unit_test(tuning_may_change),
        cmocka_unit_test(methods_may_change),
        cmocka_unit_test(a_failed_load_leaves_no_counts),
        cmocka_unit_test(damaged_sections_are_refused),
        cmocka_unit_test(other_gases_are_refused),
    };
    return harness_main("gas_checkpoint", all, sizeof all / sizeof *all);
}
