/* The box and the objective of a search as callers read them from its solver, on the device under test and on
 * the host.
 */
#include "harness.h"
#include "searches.h"

#include <math.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_search),
        cmocka_unit_test(others_are_refused),
    };
    return harness_main("search.values", tests, sizeof tests / sizeof *tests);
}
