/* Searches that go on from a checkpoint have the bits of those that were never interrupted, whatever `shoal
 * tune` found meanwhile: methods, with other tiles and other orders of sums, and values of the same method.
 */
#include "harness.h"
#include "searches.h"

#include <shoal/shoal.h>
#include <stdio.h>
#include <string.h>

enum { HALF = 50, LENGTH = 100, MOST = 64 * 64 * 2 };

struct outcome {
    double state[MOST], value;
    size_t count;
};

static struct outcome whole, resumed, others;
static int different; /* pairs of methods that round in different ways */

static void finish(struct shoal_solver *solver, uint64_t steps, struct outcome *outcome)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_run(solver, steps, &test_error));
    assert_ok(shoal_solver_state(solver, outcome->state, MOST, &outcome->count, &test_error));
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    outcome->value = result.value;
    shoal_solver_destroy(&solver);
}

static bool differ(const struct outcome *a, const struct outcome *b)
{
    return a->count != b->count || a->value != b->value ||
           memcmp(a->state, b->state, a->count * sizeof *a->state) != 0;
}

static void assert_method(struct shoal_solver *solver, const char *name)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_string_equal(shoal_result_find(&result, "method")->text, name);
}

static struct shoal_pso_params search(const char *function, uint64_t particles)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = shoal_objective_find(function);
    assert_non_null(params.search.objective);
    params.particles = particles;
    params.search.iterations = LENGTH;
    params.search.seed = 2;
    return params;
}

static void remember(struct shoal_pso_params params, int32_t method)
{
    params.method = method;
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_remember(solver, &test_error));
    shoal_solver_destroy(&solver);
}

/* Saves half-way as `before`, goes on as `after` would be. */
static void check_methods(struct shoal_pso_params params, int32_t before, const char *name, int32_t after,
                          const char *other)
{
    remember(params, before);
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_run(solver, HALF, &test_error));
    assert_method(solver, name);
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &whole);
    remember(params, after);
    solver = harness_solver("pso", harness.device, &params);
    assert_method(solver, other);
    finish(solver, LENGTH, &others);
    if (differ(&others, &whole))
        different++;
    solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_load(solver, test_path("search"), &test_error));
    assert_method(solver, name);
    /* Once more, from the solver that took over what was saved. */
    assert_ok(shoal_solver_run(solver, 3, &test_error));
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    shoal_solver_destroy(&solver);
    solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_load(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF - 3, &resumed);
    assert_false(differ(&resumed, &whole));
}

static void methods_may_change(void **state)
{
    (void)state;
    const struct shoal_pso_params rows = search("f6", 64);
    check_methods(rows, SHOAL_PSO_ROWS, "rows", SHOAL_PSO_THREAD, "thread");
    struct shoal_pso_params terms = search("griewank", 60);
    terms.search.dim = 32;
    terms.search.precision = SHOAL_FP32;
    check_methods(terms, SHOAL_PSO_LANES, "lanes", SHOAL_PSO_FUSED, "fused");
    check_methods(terms, SHOAL_PSO_FUSED, "fused", SHOAL_PSO_THREAD, "thread");
    check_methods(terms, SHOAL_PSO_THREAD, "thread", SHOAL_PSO_ONCHIP, "onchip");
    assert_true(different > 0); /* else the above shows nothing */
}

/* Also where only the evaluator of swarms that take the pipeline was measured: nothing is stored for the
 * swarm.
 */
static void evaluators_may_change(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("f6", 128), batches = search("f6", 128);
    batches.topology = SHOAL_PSO_RING; /* another class of swarms, the same of points */
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_run(solver, HALF, &test_error));
    assert_method(solver, "rows");
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &whole);
    remember(batches, SHOAL_PSO_THREAD);
    solver = harness_solver("pso", harness.device, &params);
    assert_method(solver, "thread");
    finish(solver, LENGTH, &others);
    assert_true(differ(&others, &whole));
    solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_load(solver, test_path("search"), &test_error));
    assert_method(solver, "rows");
    finish(solver, LENGTH - HALF, &resumed);
    assert_false(differ(&resumed, &whole));
}

/* The evaluator of the pattern search belongs to the run too, although a checkpoint comes before the search.
 */
static void polish_may_not_change(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("f6", 64), batches = search("f6", 32); /* of 2 dim points */
    params.method = SHOAL_PSO_ROWS;
    params.search.polish = 100; /* not enough to reach the minimum */
    remember(batches, SHOAL_PSO_ROWS);
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_run(solver, HALF, &test_error));
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &whole);
    remember(batches, SHOAL_PSO_THREAD);
    solver = harness_solver("pso", harness.device, &params);
    finish(solver, LENGTH, &others);
    assert_int_equal(memcmp(others.state, whole.state, whole.count * sizeof *whole.state), 0);
    assert_true(others.value != whole.value); /* else the rest shows nothing */
    solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_load(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &resumed);
    assert_false(differ(&resumed, &whole));
}

/* Defines of one method: as gas_checkpoint has it for gases. */
static void values_may_change(void **state)
{
    (void)state;
    enum { VALUES = 16 };
    struct shoal_pso_params params = search("f6", 256);
    struct shoal_tunable tunable;
    params.method = SHOAL_PSO_ROWS;
    shoal_tuning_watch(harness.device);
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_run(solver, HALF, &test_error));
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &whole);
    size_t changed = 0;
    for (; shoal_tuning_watched(harness.device, changed, &tunable); changed++) {
        const int64_t value = tunable.tries[tunable.value == tunable.tries[0]];
        assert_ok(shoal_tuning_try(harness.device, tunable.program, tunable.define, &value, &test_error));
    }
    assert_in_range(changed, 1, VALUES);
    solver = harness_solver("pso", harness.device, &params);
    assert_ok(shoal_solver_load(solver, test_path("search"), &test_error));
    finish(solver, LENGTH - HALF, &resumed);
    assert_false(differ(&resumed, &whole));
    for (size_t i = 0; i < changed && shoal_tuning_watched(harness.device, i, &tunable); i++)
        assert_ok(shoal_tuning_try(harness.device, tunable.program, tunable.define, NULL, &test_error));
}

/* Versions before names kept the numbers of methods. */
static void old_choices_are_read(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("sphere", 64);
    params.search.dim = 8;
    params.search.precision = SHOAL_FP32;
    params.topology = SHOAL_PSO_RING;
    char sizes[128];
    snprintf(sizes, sizeof sizes,
             "particles=2^6 islands=2^0 dim=2^3 shape=%d precision=%d update=0 topology=%d synchronous=1",
             (int)SHOAL_PER_DIMENSION, (int)SHOAL_FP32, (int)SHOAL_PSO_RING);
    for (int round = 0; round < 2; round++) {
        static const int32_t numbers[] = {SHOAL_PSO_LANES, SHOAL_PSO_BLOCK};
        static const char *const names[] = {"lanes", "block"};
        assert_ok(shoal_tuning_set(harness.device, "pso.engine", sizes, numbers[round], &test_error));
        struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
        assert_method(solver, names[round]);
        shoal_solver_destroy(&solver);
    }
    /* What is no method, and what does not fit, is no answer; a name stands before them. */
    static const int64_t wrong[] = {-1, SHOAL_PSO_AUTO, SHOAL_PSO_WARP2, SHOAL_PSO_ROWS + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_ok(shoal_tuning_set(harness.device, "pso.engine", sizes, wrong[i], &test_error));
        struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
        assert_method(solver, "onchip");
        shoal_solver_destroy(&solver);
    }
    assert_ok(shoal_tuning_set(harness.device, "pso.engine", sizes, SHOAL_PSO_BLOCK, &test_error));
    remember(params, SHOAL_PSO_MOD);
    struct shoal_solver *solver = harness_solver("pso", harness.device, &params);
    assert_method(solver, "mod");
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_may_change),    cmocka_unit_test(evaluators_may_change),
        cmocka_unit_test(polish_may_not_change), cmocka_unit_test(values_may_change),
        cmocka_unit_test(old_choices_are_read),
    };
    return harness_main("pso_tuned", tests, sizeof tests / sizeof *tests);
}
