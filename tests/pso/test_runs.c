/* Whole particle swarms on every device under test and on the host: they converge, repeat, resume, stop. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/theses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shoal_workload *pso;
static struct shoal_device *host;

static struct shoal_pso_params small_params(void)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.dim = 10;
    params.particles = 256;
    params.search.iterations = 300;
    return params;
}

static bool has_fp64(const struct shoal_device *device)
{
    return shoal_device_get_info(device)->fp64 || device == host;
}

/* A run that must succeed; returns its result with a copy of the position. */
struct outcome {
    double value;
    double position[64], trace[64];
    size_t trace_count;
    uint64_t steps, reached;
};

static struct outcome take_outcome(const struct shoal_result *result)
{
    struct outcome outcome = {.value = result->value, .steps = result->steps};
    assert_true(result->check_passed);
    const struct shoal_field *position = shoal_result_find(result, "position");
    assert_non_null(position);
    assert_true(position->count <= 64);
    memcpy(outcome.position, position->reals, position->count * sizeof(double));
    const struct shoal_field *trace = shoal_result_find(result, "trace"),
                             *reached = shoal_result_find(result, "reached");
    if (trace) {
        assert_true(trace->count <= 64);
        memcpy(outcome.trace, trace->reals, trace->count * sizeof(double));
        outcome.trace_count = trace->count;
    }
    outcome.reached = reached ? reached->uint : UINT64_MAX;
    return outcome;
}

static void assert_same_outcome(const struct outcome *a, const struct outcome *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static struct outcome run_with(struct shoal_device *device, const struct shoal_pso_params *params,
                               const struct shoal_run_params *run)
{
    struct shoal_report report = {0};
    assert_ok(shoal_run(pso, device, params, run, &report, &test_error));
    struct outcome outcome = take_outcome(&report.result);
    assert_true(report.first_launch_s >= 0 && report.wall_s >= report.device_s && report.device_s > 0);
    shoal_report_clear(&report);
    return outcome;
}

static struct outcome run(struct shoal_device *device, const struct shoal_pso_params *params)
{
    return run_with(device, params, NULL);
}

/* What a correct swarm of 256 reaches in 1000 steps in 10 dimensions with a wide margin, and a broken one
 * does not: without the pull to the swarm's best, with the constants swapped or with stale bests it stays
 * orders of magnitude above. Rastrigin and Griewank end in one of their best local minima. */
static void converge(struct shoal_device *device)
{
    static const struct {
        const char *function;
        double threshold;
    } cases[] = {
        {"sphere", 1e-12}, {"rosenbrock", 8}, {"rastrigin", 12}, {"ackley", 1e-5}, {"griewank", 0.2}};
    for (size_t f = 0; f < sizeof cases / sizeof *cases; f++)
        for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++)
            for (uint64_t seed = 1; seed <= 2; seed++) {
                struct shoal_pso_params params = small_params();
                if ((precision == SHOAL_FP64 && (!has_fp64(device) || device == host)) ||
                    !harness_takes_case())
                    continue;
                params.search.objective = shoal_objective_find(cases[f].function);
                params.search.precision = precision;
                params.search.iterations = 1000;
                params.search.seed = seed;
                struct outcome outcome = run(device, &params);
                test_label("%s on %s, seed %d", cases[f].function, shoal_device_get_info(device)->id,
                           (int)seed);
                assert_at_most(outcome.value, cases[f].threshold);
                assert_int_equal(outcome.steps, 1000);
            }
}

static void repeat(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    struct outcome first = run(device, &params), second = run(device, &params);
    assert_same_outcome(&first, &second);
    params.search.seed = (uint64_t)1 << 40; /* differs from seed 0 in its upper word only */
    struct outcome high = run(device, &params);
    params.search.seed = 0;
    struct outcome low = run(device, &params);
    assert_memory_not_equal(first.position, high.position, sizeof first.position);
    assert_memory_not_equal(low.position, high.position, sizeof low.position);
}

static void odd_sizes(struct shoal_device *device)
{
    static const uint64_t particles[] = {1, 2, 33, 257}, dims[] = {1, 2, 31};
    for (size_t m = 0; m < 4; m++)
        for (size_t n = 0; n < 3; n++) {
            if (!harness_takes_case())
                continue;
            struct shoal_pso_params params = small_params();
            params.particles = particles[m];
            params.search.dim = dims[n];
            params.search.iterations = 20;
            params.search.trace = 1;
            struct outcome outcome = run(device, &params);
            assert_int_equal(outcome.trace_count, 21);
            assert_true(outcome.trace[20] == outcome.value);
            for (size_t i = 1; i < outcome.trace_count; i++)
                assert_true(outcome.trace[i] <= outcome.trace[i - 1]);
        }
}

/* As many particles as several groups take, and more than one round of groups. */
static void large_swarm(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    params.particles = 100003;
    params.search.dim = 3;
    params.search.iterations = 30;
    struct outcome outcome = run(device, &params);
    assert_true(outcome.value < 1);
}

static void verify(struct shoal_device *device)
{
    for (size_t f = 0; f < shoal_objective_count(); f++)
        for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++) {
            struct shoal_pso_params params = small_params();
            struct shoal_verification result = {0};
            /* Tables have tests of their own. */
            if ((precision == SHOAL_FP64 && !has_fp64(device)) ||
                shoal_objective_get_info(shoal_objective_at(f))->shape != SHOAL_PER_DIMENSION ||
                !harness_takes_case())
                continue;
            params.search.function = (int32_t)f;
            params.search.precision = precision;
            params.particles = 300;
            assert_ok(shoal_workload_verify(pso, device, &params, 10, harness.variant, &result, &test_error));
            assert_true(result.passed);
            assert_int_equal(result.steps, 10);
            assert_true(device == host ? result.deviation == 0 : result.deviation > 0);
        }
}

/* Checkpoints ------------------------------------------------------------------------------------------- */

static struct outcome outcome_of(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    return take_outcome(&result);
}

static void resume(struct shoal_device *device)
{
    static const uint64_t cuts[] = {0, 1, 2, 7, 40};
    for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++) {
        struct shoal_pso_params params = small_params();
        if (precision == SHOAL_FP64 && !has_fp64(device))
            continue;
        params.search.precision = precision;
        params.particles = 600; /* more than one group */
        params.search.iterations = 40;
        params.search.trace = 3;
        struct outcome whole = run(device, &params);
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
            if (!harness_takes_case())
                continue;
            struct shoal_solver *first = harness_solver("pso", device, &params),
                                *second = harness_solver("pso", device, &params);
            assert_int_equal(harness_step(first, cuts[i]), cuts[i]);
            assert_ok(shoal_solver_save(first, test_path("resume"), &test_error));
            struct outcome before = outcome_of(first);
            shoal_solver_destroy(&first);
            /* Into a solver that has gone another way already. */
            harness_step(second, 5);
            assert_ok(shoal_solver_load(second, test_path("resume"), &test_error));
            struct outcome after = outcome_of(second);
            assert_same_outcome(&before, &after);
            assert_int_equal(harness_step(second, 1000), 40 - cuts[i]);
            after = outcome_of(second);
            assert_same_outcome(&whole, &after);
            assert_int_equal(harness_step(second, 1), 0);
            shoal_solver_destroy(&second);
        }
    }
}

/* A longer run may go on from a shorter one's end, a run with other options may not. */
static void resume_options(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    struct shoal_run_params run_params;
    shoal_run_params_init(&run_params);
    struct outcome whole = run(device, &params);
    params.search.iterations = 100;
    run_params.checkpoint = test_path("short");
    run_with(device, &params, &run_params);
    params.search.iterations = 300;
    run_params.resume = test_path("short");
    run_params.checkpoint = NULL;
    struct outcome resumed = run_with(device, &params, &run_params);
    assert_same_outcome(&whole, &resumed);

    struct shoal_report report = {0};
    params.search.iterations = 50;
    assert_status(shoal_run(pso, device, &params, &run_params, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "step 100");
    params.search.iterations = 300;
    params.social = 1.5;
    assert_status(shoal_run(pso, device, &params, &run_params, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--social unset, not 1.5");
    params = small_params();
    params.search.dim = 11;
    assert_status(shoal_run(pso, device, &params, &run_params, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--dim 10");
    assert_contains(test_error.message, test_path("short"));
    assert_null(report.solver);
}

static unsigned char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = harness_memory(*bytes);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    fclose(file);
    return data;
}

static void check_refused(struct shoal_solver *solver, const char *path, enum shoal_status status,
                          const char *part)
{
    assert_status(shoal_solver_load(solver, path, &test_error), status);
    assert_contains(test_error.message, part);
}

static void damaged_checkpoints(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    params.particles = 3;
    params.search.dim = 2;
    struct shoal_solver *solver = harness_solver("pso", device, &params);
    harness_step(solver, 4);
    assert_ok(shoal_solver_save(solver, test_path("good"), &test_error));
    struct outcome before = outcome_of(solver);
    size_t bytes;
    unsigned char *data = read_file(test_path("good"), &bytes);

    check_refused(solver, test_path("absent"), SHOAL_IO, "No such file");
    test_write_file(test_path("bad"), "a letter to a friend", 20);
    check_refused(solver, test_path("bad"), SHOAL_IO, "not a checkpoint");
    test_write_file(test_path("bad"), data, 0);
    check_refused(solver, test_path("bad"), SHOAL_IO, "not a checkpoint");
    /* Every length and every byte: none is taken for whole. */
    for (size_t length = 8; length < bytes; length += length < 64 ? 1 : 61) {
        test_write_file(test_path("bad"), data, length);
        check_refused(solver, test_path("bad"), SHOAL_IO, "damaged");
    }
    for (size_t i = 0; i < bytes; i += i < 64 ? 1 : 61) {
        data[i] ^= 0x10;
        test_write_file(test_path("bad"), data, bytes);
        assert_status(shoal_solver_load(solver, test_path("bad"), &test_error), SHOAL_IO);
        data[i] ^= 0x10;
    }
    /* The other kind of solver. */
    struct shoal_solver *other = harness_solver("pso", device == host ? harness.device : host, &params);
    check_refused(other, test_path("good"), SHOAL_INVALID, "solver");
    shoal_solver_destroy(&other);

    assert_ok(shoal_solver_load(solver, test_path("good"), &test_error));
    struct outcome after = outcome_of(solver);
    assert_same_outcome(&before, &after);
    assert_status(shoal_solver_save(solver, "/nonexistent/folder/file", &test_error), SHOAL_IO);
    assert_contains(test_error.message, "/nonexistent/folder/file");
    shoal_solver_destroy(&solver);
    harness_release();
}

/* Ends of a run ----------------------------------------------------------------------------------------- */

struct watch {
    uint64_t polls, stop_at;
    uint64_t done, total, calls;
};

static bool stop(void *data)
{
    struct watch *watch = data;
    return ++watch->polls > watch->stop_at;
}

static void progress(void *data, const struct shoal_progress *progress)
{
    struct watch *watch = data;
    if (progress->phase)
        return;
    assert_true(progress->done >= watch->done && progress->done <= progress->total);
    watch->done = progress->done;
    watch->total = progress->total;
    watch->calls++;
}

static void stopping(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    struct watch watch = {.stop_at = 4};
    struct shoal_run_params run_params;
    struct shoal_report report = {0};
    shoal_run_params_init(&run_params);
    run_params.chunk = 10;
    run_params.stop = stop;
    run_params.progress = progress;
    run_params.data = &watch;
    run_params.checkpoint = test_path("stopped");
    assert_status(shoal_run(pso, device, &params, &run_params, &report, &test_error), SHOAL_STOPPED);
    /* A poll in front of the first step, that step, and three chunks before the poll that says so. */
    assert_int_equal(report.result.steps, 31);
    assert_int_equal(watch.done, 31);
    assert_int_equal(watch.total, 300);
    assert_int_equal(watch.calls, 4);
    assert_true(report.stopped && report.result.check_passed && isfinite(report.result.value));
    assert_true(report.result.work == 256.0 * 32);
    assert_true(report.timed_work == report.result.work);
    shoal_report_clear(&report);
    /* And nothing was lost. */
    shoal_run_params_init(&run_params);
    run_params.resume = test_path("stopped");
    struct outcome resumed = run_with(device, &params, &run_params), whole = run(device, &params);
    assert_same_outcome(&whole, &resumed);
}

/* The step at which a run ends does not depend on how often it is looked at. */
static void target(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    struct shoal_run_params run_params;
    params.search.objective = shoal_objective_find("sphere");
    params.particles = 600;
    params.search.target = 1e-3;
    params.search.trace = 10;
    shoal_run_params_init(&run_params);
    struct outcome free_running = run(device, &params);
    assert_true(free_running.value <= 1e-3);
    assert_true(free_running.reached == free_running.steps && free_running.steps < 300);
    for (uint64_t chunk = 1; chunk < 300; chunk += 49) {
        run_params.chunk = chunk;
        struct outcome chunked = run_with(device, &params, &run_params);
        assert_same_outcome(&free_running, &chunked);
    }
    /* One step earlier it was not reached. */
    params.search.target = NAN;
    params.search.iterations = free_running.steps - 1;
    assert_true(run(device, &params).value > 1e-3);
    params.search.iterations++;
    params.search.target = 1e-3;
    struct outcome at_end = run(device, &params);
    assert_same_outcome(&free_running, &at_end);
}

static void box(struct shoal_device *device)
{
    struct shoal_pso_params params = small_params();
    params.search.objective = shoal_objective_find("sphere");
    params.search.lower = 2;
    params.search.upper = 3;
    /* The least value of a box that leaves the minimum out is in its corner. */
    struct outcome outcome = run(device, &params);
    assert_near(outcome.value, 40, 1e-3);
    params.search.lower = 1e9;
    params.search.upper = 1e15;
    outcome = run(device, &params);
    assert_true(outcome.position[0] >= 1e9);
}

/* Parameters -------------------------------------------------------------------------------------------- */

static void check_invalid(const struct shoal_pso_params *params, const char *part)
{
    assert_status(shoal_workload_validate(NULL, pso, params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, part);
}

/* What only the objective can tell is refused when a solver is made. */
static void check_not_made(const struct shoal_pso_params *params, const char *part)
{
    struct shoal_solver *solver;
    assert_status(shoal_solver_create(pso, harness.device, harness.queue, params, SHOAL_VARIANT_AUTO, &solver,
                                      &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, part);
}

static void test_options(void **state)
{
    (void)state;
    struct shoal_pso_params params = small_params();
    assert_ok(shoal_workload_validate(NULL, pso, &params, &test_error));
    params.particles = (uint64_t)1 << 40;
    check_invalid(&params, "particles");
    params = small_params();
    params.search.function = (int32_t)shoal_objective_count();
    check_invalid(&params, "function");
    params = small_params();
    params.velocity_limit = -1;
    check_invalid(&params, "velocity-limit");
    params = small_params();
    params.search.target = INFINITY;
    check_invalid(&params, "target");
    params = small_params();
    params.search.lower = 3;
    params.search.upper = 2;
    check_invalid(&params, "box is empty");
    params = small_params();
    params.search.lower = 10; /* above the function's own upper end */
    check_not_made(&params, "box is empty");
    params = small_params();
    params.search.lower = params.search.upper = 1;
    check_not_made(&params, "there is nothing to search");
    params = small_params();
    params.search.objective = shoal_objective_find("rosenbrock");
    params.search.dim = 1;
    check_not_made(&params, "rosenbrock needs --dim 2");
    params = small_params();
    params.search.seed = UINT64_MAX;
    assert_ok(shoal_workload_validate(NULL, pso, &params, &test_error));
    params.search.size = sizeof params + 8192;
    check_invalid(&params, "size");
    params.search.size = 0;
    check_invalid(&params, "size");
    /* A program that knows only the first fields gets the defaults of the others. */
    params = small_params();
    params.social = NAN;
    params.search.size = offsetof(struct shoal_pso_params, inertia);
    assert_ok(shoal_workload_validate(NULL, pso, &params, &test_error));
}

static void test_queue(void **state)
{
    (void)state;
    struct shoal_pso_params params = small_params();
    struct shoal_solver *solver;
    assert_status(
        shoal_solver_create(pso, harness.device, NULL, &params, SHOAL_VARIANT_AUTO, &solver, &test_error),
        SHOAL_INVALID);
    assert_status(shoal_solver_create(pso, test_host_device(harness.shoal), harness.queue, &params,
                                      SHOAL_VARIANT_AUTO, &solver, &test_error),
                  SHOAL_INVALID);
    assert_null(solver);
    shoal_solver_destroy(&solver);
}

/* Every test runs on the device under test and on the host. */
#define ON_BOTH(name)                                                                                        \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        host = test_host_device(harness.shoal);                                                              \
        name(harness.device);                                                                                \
        name(host);                                                                                          \
    }
ON_BOTH(converge)
ON_BOTH(repeat)
ON_BOTH(odd_sizes)
ON_BOTH(large_swarm)
ON_BOTH(verify)
ON_BOTH(resume)
ON_BOTH(resume_options)
ON_BOTH(damaged_checkpoints)
ON_BOTH(stopping)
ON_BOTH(target)
ON_BOTH(box)

/* The method that a run takes by itself. */
static const char *method_of(const struct shoal_pso_params *params)
{
    static char name[32];
    struct shoal_report report = {0};
    assert_ok(shoal_run(pso, harness.device, params, NULL, &report, &test_error));
    const struct shoal_field *field = shoal_result_find(&report.result, "method");
    assert_non_null(field);
    snprintf(name, sizeof name, "%s", field->text);
    shoal_report_clear(&report);
    return name;
}

static void test_choice(void **state)
{
    (void)state;
    struct shoal_pso_params params = small_params();
    params.search.iterations = 3;
    params.particles = 100000;
    params.search.dim = 30;
    assert_string_equal(method_of(&params), "fused");
    params.topology = SHOAL_PSO_RING;
    assert_string_not_equal(method_of(&params), "fused");
    params = small_params();
    params.search.iterations = 3;
    params.search.islands = 4;
    assert_string_equal(method_of(&params), "onchip");
#if SHOAL_THESES
    params.random = SHOAL_PSO_GLOB; /* neither "fused" nor "onchip" has that */
    assert_string_not_equal(method_of(&params), "fused");
    assert_string_not_equal(method_of(&params), "onchip");
#endif
    params.method = SHOAL_PSO_BLOCK;
    assert_string_equal(method_of(&params), "block");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_converge),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_large_swarm),
        cmocka_unit_test(test_verify),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_options),
        cmocka_unit_test(test_damaged_checkpoints),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_box),
        by_turn(test_choice),
    };
    pso = shoal_workload_find("pso");
    return harness_main("pso", tests, sizeof tests / sizeof *tests);
}
