/* The box and the objective of a search as callers read them from its solver, on the device under test and on
 * the host.
 */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/cmaes.h>
#include <string.h>

enum { DIM = 3 };

static void set(struct shoal_search_params *params)
{
    params->expression = "sum((x[i] - 1)^2)";
    params->dim = DIM;
    params->lower_list = "-5, -6, -7";
    params->upper_list = "5";
    params->precision = SHOAL_FP64;
    params->iterations = 3;
    params->refine = SHOAL_REFINE_NONE;
}

static void values_are_those_of_the_search(void **state)
{
    struct shoal_device *const devices[] = {test_host_device(harness.shoal), harness.device};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct shoal_pso_params params;
        struct shoal_result result = {0};
        double lower[DIM], upper[DIM], x[2 * DIM] = {0}, values[2];
        test_pso_params_init(&params);
        set(&params.search);
        params.search.precision = k && !harness_has_fp64() ? SHOAL_FP32 : SHOAL_FP64;
        params.search.shift = 0.5;
        params.search.rotate = 3;
        params.search.maximise = k;
        struct shoal_solver *solver = harness_solver("pso", devices[k], &params);
        assert_ok(shoal_search_box(solver, lower, upper, DIM, &test_error));
        assert_true(lower[0] == -5 && lower[1] == -6 && lower[2] == -7 && upper[0] == 5 && upper[2] == 5);
        harness_step(solver, 3);
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        memcpy(x + DIM, shoal_result_find(&result, "position")->reals, DIM * sizeof *x);
        assert_ok(shoal_search_values(solver, x, 2, DIM, values, &test_error));
        assert_near(values[1], result.value, k ? 1e-4 * fmax(1, fabs(result.value)) : 0);
        assert_true(values[0] > 0 && values[0] != 3); /* shifted */
        shoal_solver_destroy(&solver);
    }
}

static void others_are_refused(void **state)
{
    struct shoal_ga_params params;
    double x[4] = {0}, values[4];
    (void)state;
    test_ga_params_init(&params);
    set(&params.search);
    struct shoal_solver *solver = harness_solver("ga", test_host_device(harness.shoal), &params);
    assert_status(shoal_search_box(solver, x, values, DIM - 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_search_values(solver, x, 1, DIM + 1, values, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "points of 4 coordinates, and the search has 3");
    shoal_solver_destroy(&solver);
    params.search.lower_list = params.search.upper_list = NULL;
    params.search.variables = "x1-x2 real -5 5, x3 integer 0 9";
    solver = harness_solver("ga", test_host_device(harness.shoal), &params);
    assert_status(shoal_search_box(solver, x, values, DIM, &test_error), SHOAL_UNSUPPORTED);
    assert_status(shoal_search_values(solver, x, 1, DIM, values, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "no plain reals");
    shoal_solver_destroy(&solver);
}

static void is_refused(const char *workload, struct shoal_device *device, const void *params,
                       enum shoal_status wanted, const char *words)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    if (!shoal_device_get_info(device)->is_host)
        assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_status(shoal_solver_create(shoal_workload_find(workload), device, queue, params,
                                      SHOAL_VARIANT_AUTO, &solver, &test_error),
                  wanted);
    assert_contains(test_error.message, words);
    shoal_queue_destroy(&queue);
}

/* Each run of cmaes on a device has the instance of its number. */
static void runs_have_instances_of_their_own(void **state)
{
    enum { RUNS = 3 };
    static const uint64_t numbers[RUNS] = {4, 1, 2};
    static const char *const functions[RUNS] = {"bbob-f8", "bbob-f21", "bbob-f15"};
    struct shoal_objective *objective = NULL;
    struct shoal_cmaes_params params;
    struct shoal_pso_params swarm;
    struct shoal_result result = {0};
    (void)state;
    assert_ok(shoal_objective_from_bbob_instances(functions, numbers, RUNS, DIM, &objective, &test_error));
    test_pso_params_init(&swarm);
    swarm.search.objective = objective;
    swarm.search.dim = DIM;
    swarm.search.iterations = 20;
    swarm.search.refine = SHOAL_REFINE_NONE;
    is_refused("pso", test_host_device(harness.shoal), &swarm, SHOAL_UNSUPPORTED, "are for devices");
    is_refused("pso", harness.device, &swarm, SHOAL_UNSUPPORTED,
               "of pso, or a divided run, takes no objective of several instances");
    shoal_cmaes_params_init(&params);
    params.search = swarm.search;
    params.search.size = sizeof params;
    params.search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params.search.runs = RUNS;
    params.search.refine = SHOAL_REFINE_ALL;
    is_refused("cmaes", harness.device, &params, SHOAL_INVALID, "is not refined");
    params.search.refine = SHOAL_REFINE_NONE;
    struct shoal_solver *solver = harness_solver("cmaes", harness.device, &params);
    harness_step(solver, 20);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    const struct shoal_field *values = shoal_result_find(&result, "run_values");
    for (size_t r = 0; r < RUNS; r++) {
        struct shoal_objective *one = NULL;
        double x[DIM];
        assert_ok(shoal_objective_from_bbob(functions[r], numbers[r], DIM, &one, &test_error));
        assert_ok(shoal_search_run_position(solver, r, x, DIM, &test_error));
        const double wanted = shoal_objective_value(one, x, DIM) - shoal_objective_minimum(one, DIM);
        assert_near(values->reals[r], wanted, 1e-9 * fmax(1, wanted));
        shoal_objective_destroy(&one);
    }
    shoal_solver_destroy(&solver);
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_search),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(runs_have_instances_of_their_own),
    };
    return harness_main("search.values", tests, sizeof tests / sizeof *tests);
}
