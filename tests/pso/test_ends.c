/* Ends of runs, many runs, and what is refused, on every method and on the host. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shoal_workload *pso;

/* The host is the last of them. */
static const struct {
    const char *name;
    int32_t method;
} methods[] = {{"fused", SHOAL_PSO_FUSED},
               {"onchip", SHOAL_PSO_ONCHIP},
               {"pipeline", SHOAL_PSO_THREAD},
               {"host", SHOAL_PSO_AUTO}};

enum { HOST = sizeof methods / sizeof *methods - 1, METHODS = HOST + 1 };

static struct shoal_device *device_of(size_t method)
{
    return method == HOST ? test_host_device(harness.shoal) : harness.device;
}

/* Of the devices' methods a share, the host always: what they are compared with is one of them. */
static bool takes_engine(size_t method)
{
    return method == HOST || harness_takes_case();
}

static struct shoal_pso_params small_params(size_t method)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.particles = 33;
    params.search.dim = 4;
    params.search.iterations = 60;
    params.search.precision = harness.info->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    params.method = methods[method].method;
    return params;
}

static uint64_t field_of(const struct shoal_result *result, const char *name)
{
    const struct shoal_field *field = shoal_result_find(result, name);
    return field ? field->uint : UINT64_MAX;
}

/* What a run came to, without pointers into it. */
struct end {
    double value, work;
    uint64_t steps, reached, restarts, polish, not_finite;
};

static struct end run(size_t method, const struct shoal_pso_params *params)
{
    struct shoal_report report = {0};
    const enum shoal_status status = shoal_run(pso, device_of(method), params, NULL, &report, &test_error);
    if (status)
        fail_msg("%s: %s %s", methods[method].name, test_error.message, test_error.log);
    const struct end end = {.value = report.result.value,
                            .work = report.result.work,
                            .steps = report.result.steps,
                            .reached = field_of(&report.result, "reached"),
                            .restarts = field_of(&report.result, "restarts"),
                            .polish = field_of(&report.result, "polish"),
                            .not_finite = field_of(&report.result, "not_finite")};
    shoal_report_clear(&report);
    return end;
}

static void evaluations(void **state)
{
    (void)state;
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.evaluations = 33 * 5; /* step 0 and four more */
        assert_int_equal(run(e, &params).steps, 4);
        params.search.evaluations = 33 * 5 + 1;
        assert_int_equal(run(e, &params).steps, 5);
        params.search.evaluations = 33;
        const struct end end = run(e, &params);
        assert_int_equal(end.steps, 0);
        assert_true(end.work == 33);
    }
}

/* All methods find the same step, as they make the same search. */
static void target(void **state)
{
    (void)state;
    struct end ends[METHODS];
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.target = 20;
        ends[e] = run(e, &params);
        assert_true(ends[e].value <= 20 && ends[e].steps < 60);
        assert_int_equal(ends[e].reached, ends[e].steps);
        assert_int_equal(ends[e].steps, ends[0].steps);
        params.search.target = 1e9; /* the first draw is good enough */
        assert_int_equal(run(e, &params).steps, 0);
        params.search.maximise = true;
        params.search.target = 100;
        const struct end largest = run(e, &params);
        assert_true(largest.value >= 100 && largest.steps < 60);
    }
}

static void stagnation(void **state)
{
    (void)state;
    struct end first = {0};
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.stagnation = 3;
        params.search.stagnation_tolerance = 0.2;
        const struct end end = run(e, &params);
        assert_true(end.steps >= 3 && end.steps < 60);
        first = e ? first : end;
        assert_int_equal(end.steps, first.steps);
        /* Never in the first steps. */
        params.search.stagnation = 60;
        assert_int_equal(run(e, &params).steps, 60);
    }
}

static void restarts(void **state)
{
    (void)state;
    struct end first = {0};
    for (size_t e = 1; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.islands = 2;
        params.search.restart = 3;
        params.search.stagnation_tolerance = 0.2;
        params.search.iterations = 25;
        const struct end end = run(e, &params);
        first = e > 1 ? first : end;
        assert_true(end.restarts > 0);
        assert_int_equal(end.restarts, first.restarts);
        assert_int_equal(end.steps, 25);
    }
}

/* Runs -----------------------------------------------------------------------------------------------------
 */

static struct shoal_solver *stepped(size_t method, const struct shoal_pso_params *params, uint64_t steps)
{
    struct shoal_solver *solver = harness_solver("pso", device_of(method), params);
    harness_step(solver, steps);
    return solver;
}

/* Run r of many is the run of seed + r alone. */
static void runs_alone(void **state)
{
    (void)state;
    enum { RUNS = 3 };
    for (size_t e = 1; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        size_t all_count, count;
        params.topology = SHOAL_PSO_RING;
        params.search.runs = RUNS;
        params.search.islands = 2;
        params.search.exchange = 2;
        struct shoal_solver *together = stepped(e, &params, 7);
        const double *all = harness_state(together, &all_count);
        params.search.runs = 1;
        for (size_t r = 0; r < RUNS; r++) {
            params.search.seed = 1 + r;
            struct shoal_solver *alone = stepped(e, &params, 7);
            const double *one = harness_state(alone, &count);
            assert_int_equal(all_count, RUNS * count);
            const size_t particles = 2 * params.particles;
            for (size_t row = 0; row < count / particles; row++)
                assert_memory_equal(all + (row * RUNS + r) * particles, one + row * particles,
                                    particles * sizeof *one);
            shoal_solver_destroy(&alone);
        }
        shoal_solver_destroy(&together);
        harness_release();
    }
}

/* Each run stops at its own step, and the trace of all keeps its values from there on. */
static void runs_end_alone(void **state)
{
    (void)state;
    for (size_t e = 1; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.target = 15;
        params.search.trace = 2;
        uint64_t longest = 0;
        double work = 0;
        for (params.search.seed = 1; params.search.seed <= 4; params.search.seed++) {
            const struct end end = run(e, &params);
            longest = end.steps > longest ? end.steps : longest;
            work += end.work;
        }
        params.search.seed = 1;
        params.search.runs = 4;
        const struct end end = run(e, &params);
        assert_int_equal(end.steps, longest);
        assert_true(end.work == work);
    }
}

/* Objectives without values ---------------------------------------------------------------------------- */

static struct shoal_objective *objective_of(const char *term)
{
    char text[512];
    struct shoal_objective *objective;
    snprintf(text, sizeof text,
             "#define SHAPE PER_DIMENSION\n"
             "#define TERMS 1\n"
             "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
             "{ term[0] = %s; (void)next; (void)d; (void)dim; }\n"
             "static inline real objective_finish(const real *sum, uint dim) { (void)dim; return sum[0]; }\n",
             term);
    assert_ok(shoal_objective_from_text(harness.shoal, text, "nan.clh", &objective, &test_error));
    return objective;
}

static void not_finite(void **state)
{
    (void)state;
    struct shoal_objective *never = objective_of("(real)NAN"),
                           *half = objective_of("d == 0u && x > R(0.0) ? (real)INFINITY : x * x");
    struct end first = {0};
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        struct shoal_report report = {0};
        params.search.lower = -1;
        params.search.upper = 1;
        params.search.iterations = 9;
        params.search.objective = never;
        assert_status(shoal_run(pso, device_of(e), &params, NULL, &report, &test_error), SHOAL_CHECK_FAILED);
        assert_contains(test_error.message, "has no finite value");
        shoal_report_clear(&report);
        params.search.objective = half;
        const struct end end = run(e, &params);
        first = e ? first : end;
        assert_true(end.not_finite > 0 && end.not_finite < 330);
        assert_int_equal(end.not_finite, first.not_finite);
    }
    shoal_objective_destroy(&never);
    shoal_objective_destroy(&half);
}

/* The optimiser on a device ---------------------------------------------------------------------------- */

static struct shoal_optimiser *optimiser_on_device(const struct shoal_objective *objective)
{
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(4, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_objective(optimiser, objective, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -1, 1, &test_error));
    assert_ok(shoal_optimiser_set_device(optimiser, harness.device, &test_error));
    struct shoal_pso_params *params = shoal_optimiser_pso(optimiser);
    params->search.precision = harness.info->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    params->particles = 40;
    params->update = SHOAL_PSO_INERTIA;
    params->topology = SHOAL_PSO_RANDOM;
    params->bounds = SHOAL_PSO_BOUNCE;
    params->search.refine = SHOAL_REFINE_AUTO;
    params->search.evaluations = 40 * 50;
    return optimiser;
}

/* It makes the search of the workload, and says of a device that reports other values than the host finds
 * what is wrong with them. */
static void optimiser(void **state)
{
    (void)state;
    struct shoal_objective *right = objective_of("x * x"),
                           *wrong = objective_of("\n#if REAL == 32\n"
                                                 "x * x + R(0.5)\n"
                                                 "#else\n"
                                                 "x * x\n"
                                                 "#endif\n"),
                           *half = objective_of("d == 0u && x > R(0.0) ? (real)INFINITY : x * x"),
                           *never = objective_of("(real)NAN");
    double x[4], value, best_x[4], best;
    struct shoal_optimiser *search = optimiser_on_device(right);
    assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    struct shoal_pso_params params = *shoal_optimiser_pso(search);
    params.search.objective = right;
    params.search.lower = -1;
    params.search.upper = 1;
    const struct end end = run(HOST, &params);
    assert_int_equal(shoal_optimiser_evaluations(search), end.work);
    assert_true(value < 0.1 && fabs(value - end.value) < 1e-3);
    assert_true(shoal_optimiser_best(search, best_x, &best) && best == value);
    assert_memory_equal(best_x, x, sizeof x);
    shoal_optimiser_destroy(&search);

    search = optimiser_on_device(half);
    shoal_optimiser_params(search)->polish = 100;
    assert_false(shoal_optimiser_best(search, best_x, &best));
    assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_in_range(shoal_optimiser_not_finite(search), 1, 40 * 50);
    assert_in_range(shoal_optimiser_evaluations(search), 40 * 50 + 1, 40 * 50 + 100);
    shoal_optimiser_destroy(&search);

    search = optimiser_on_device(never);
    shoal_optimiser_params(search)->time = 0;
    assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_TIME);
    assert_true(isnan(value));
    shoal_optimiser_params(search)->time = NAN;
    shoal_optimiser_reset(search);
    assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "has no finite value");
    shoal_optimiser_destroy(&search);

    search = optimiser_on_device(wrong);
    shoal_optimiser_params(search)->precision = SHOAL_FP32;
    assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_int_equal(test_error.status, SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, harness.info->id);
    assert_contains(test_error.message, "failed its check: the best value is off by 2, at most ");
    assert_lacks(test_error.message, "\n");
    shoal_optimiser_destroy(&search);
    shoal_objective_destroy(&right);
    shoal_objective_destroy(&wrong);
    shoal_objective_destroy(&half);
    shoal_objective_destroy(&never);
}

/* Sizes ------------------------------------------------------------------------------------------------ */

static void test_memory(void **state)
{
    (void)state;
    struct shoal_pso_params params = small_params(0);
    struct shoal_solver *solver;
    params.method = SHOAL_PSO_AUTO;
    params.particles = (uint64_t)1 << 26;
    params.search.dim = (uint64_t)1 << 20;
    params.search.precision = SHOAL_FP32;
    assert_status(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant, &solver,
                                      &test_error),
                  SHOAL_OUT_OF_DEVICE_MEMORY);
    /* Three times positions of 2^48 bytes, and less for the rest. */
    assert_contains(test_error.message, "need at least 84442");
    assert_contains(test_error.message, " bytes on ");
    assert_contains(test_error.message, harness.info->id);
}

/* Bytes that the message about too many particles says. */
static double bytes_needed(const struct shoal_objective *objective, uint64_t polish)
{
    struct shoal_pso_params params = small_params(0);
    struct shoal_solver *solver;
    params.method = SHOAL_PSO_AUTO;
    params.particles = (uint64_t)1 << 26;
    params.search.objective = objective;
    params.search.dim = 4096;
    params.search.polish = polish;
    assert_status(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant, &solver,
                                      &test_error),
                  SHOAL_OUT_OF_DEVICE_MEMORY);
    const char *number = strstr(test_error.message, "need at least ");
    assert_non_null(number);
    return atof(number + strlen("need at least "));
}

/* A table that a text reads counts, once for the steps and once for the pattern search. */
static void test_memory_of_tables(void **state)
{
    (void)state;
    static const char head[] = "#define SHAPE OPAQUE\n#define LOWER -1\n#define UPPER 1\n";
    enum { NUMBERS = (1 << 20) + 8 };
    struct shoal_objective *plain, *reads;
    char text[400];
    double *numbers = calloc(NUMBERS, sizeof *numbers);
    assert_non_null(numbers);
    snprintf(text, sizeof text,
             "%sstatic inline real objective_value(const real *x, uint dim) { return x[0]; }\n", head);
    assert_ok(shoal_objective_from_text(harness.shoal, text, "plain", &plain, &test_error));
    snprintf(
        text, sizeof text,
        "%s#define TABLE\nstatic inline real objective_value(const real *x, __global const real *table, uint "
        "dim) { return x[0] * table[0]; }\n",
        head);
    assert_ok(shoal_objective_from_text_table(harness.shoal, text, "reads", numbers, NUMBERS, 1, &reads,
                                              &test_error));
    const double real = harness.info->fp64 ? 8 : 4, bytes = bytes_needed(plain, 0);
    assert_true(bytes_needed(reads, 0) == bytes + NUMBERS * real);
    assert_true(bytes_needed(reads, 100) == bytes + 2 * NUMBERS * real);
    shoal_objective_destroy(&plain);
    shoal_objective_destroy(&reads);
    free(numbers);
}

static void test_huge_dim(void **state)
{
    (void)state;
    static const int32_t taken[] = {SHOAL_PSO_AUTO, SHOAL_PSO_FUSED, SHOAL_PSO_THREAD, SHOAL_PSO_BLOCK_MAJOR};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (!harness_takes_case())
            continue;
        struct shoal_pso_params params = small_params(0);
        params.method = taken[i];
        params.search.function = 0;
        params.particles = 2;
        params.search.dim = 1000000;
        params.search.iterations = 2;
        params.search.precision = SHOAL_FP32;
        const struct end end = run(0, &params);
        assert_int_equal(end.steps, 2);
        assert_true(isfinite(end.value));
    }
    /* Who holds a whole position says how much that may be. */
    struct shoal_pso_params params = small_params(0);
    struct shoal_solver *solver;
    params.method = SHOAL_PSO_THREAD_NAIVE;
    params.search.dim = 1000000;
    assert_status(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant, &solver,
                                      &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "dimensions");
}

/* Polish ----------------------------------------------------------------------------------------------- */

static void polish(void **state)
{
    (void)state;
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        params.search.objective = shoal_objective_find("rosenbrock");
        params.search.iterations = 20;
        const struct end rough = run(e, &params);
        params.search.polish = 4000;
        for (int32_t rule = SHOAL_POLISH_PATTERN; rule <= SHOAL_POLISH_NELDER_MEAD; rule++) {
            params.search.polish_rule = rule;
            const struct end fine = run(e, &params);
            test_label("%s %d", methods[e].name, rule);
            assert_at_most(fine.value, 1e-3 * rough.value);
            assert_true(fine.polish > 0 && fine.polish <= 4000);
            assert_int_equal(fine.steps, 20);
        }
        /* The budget of the steps is not that of the simplex. */
        params.search.evaluations = 200;
        assert_true(run(e, &params).polish > 200);
        params.search.evaluations = 0;
        if (e == 0)
            continue;
        params.search.runs = 2;
        params.search.shift = 1;
        assert_true(run(e, &params).polish <= 8000);
    }
}

/* Stops at one poll, counted from 0. */
/* Stops a run at poll number `polls` after step `step`. How often a run is polled before that depends on how
 * long its steps take. */
struct stopper {
    uint64_t step;
    size_t polls;
    bool counts;
};

static void see_step(void *data, const struct shoal_progress *progress)
{
    struct stopper *stopper = data;
    stopper->counts = stopper->counts || (!progress->phase && progress->done == stopper->step);
}

static bool stops(void *data)
{
    struct stopper *stopper = data;
    return stopper->counts && (!stopper->polls || !--stopper->polls);
}

/* The pattern search is polled before each batch of points. */
static void polish_stopped(void **state)
{
    (void)state;
    for (size_t e = 0; e < METHODS; e++) {
        if (!takes_engine(e))
            continue;
        struct shoal_pso_params params = small_params(e);
        struct shoal_run_params run_params;
        struct shoal_report report = {0};
        struct shoal_result result = {0};
        struct stopper stopper = {.step = 20, .polls = 13};
        params.search.objective = shoal_objective_find("rosenbrock");
        params.search.iterations = 20;
        params.search.polish = 400;
        const struct end whole = run(e, &params);
        shoal_run_params_init(&run_params);
        run_params.chunk = 30;
        run_params.stop = stops;
        run_params.progress = see_step;
        run_params.data = &stopper;
        assert_status(shoal_run(pso, device_of(e), &params, &run_params, &report, &test_error),
                      SHOAL_STOPPED);
        assert_int_equal(report.result.steps, 20);
        assert_in_range(field_of(&report.result, "polish"), 1, 100);
        assert_true(report.result.value > whole.value);
        /* Another result goes on. */
        assert_ok(shoal_solver_result(report.solver, &result, &test_error));
        assert_int_equal(field_of(&result, "polish"), whole.polish);
        assert_true(result.value == whole.value);
        shoal_report_clear(&report);
    }
}

/* Time and stop end a call of the optimiser, and the next one goes on. */
static void optimiser_polish(void **state)
{
    (void)state;
    enum { DIM = 200 };
    static double x[DIM];
    double value;
    struct shoal_optimiser *search;
    assert_ok(shoal_optimiser_create(DIM, &search, &test_error));
    assert_ok(shoal_optimiser_set_function(search, "sphere", &test_error));
    assert_ok(shoal_optimiser_set_device(search, harness.device, &test_error));
    struct shoal_pso_params *params = shoal_optimiser_pso(search);
    params->search.precision = harness.info->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    params->particles = params->search.evaluations = 40;
    params->search.polish = 1000000;
    params->search.time = 0.02;
    uint64_t polished = 40;
    size_t calls = 0;
    while (calls < 3 && shoal_optimise(search, x, &value, &test_error) == SHOAL_OPTIMISE_TIME) {
        calls += shoal_optimiser_evaluations(search) > polished;
        polished = shoal_optimiser_evaluations(search);
    }
    assert_int_equal(calls, 3);
    shoal_optimiser_destroy(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations),    cmocka_unit_test(target),
        cmocka_unit_test(stagnation),     cmocka_unit_test(restarts),
        cmocka_unit_test(runs_alone),     cmocka_unit_test(runs_end_alone),
        cmocka_unit_test(not_finite),     cmocka_unit_test(polish),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_huge_dim),
        cmocka_unit_test(optimiser),      cmocka_unit_test(test_memory_of_tables),
        cmocka_unit_test(polish_stopped), cmocka_unit_test(optimiser_polish),
    };
    pso = shoal_workload_find("pso");
    return harness_main("ends", tests, sizeof tests / sizeof *tests);
}
