/* Fields of a result, and runs of a given number of steps. */
#include "counter.h"
#include "unit.h"

#include "workload/result.h"

#include <math.h>

static struct shoal_solver *open_counter(struct shoal *shoal, uint64_t steps)
{
    struct shoal_solver *solver;
    struct counter_params params;
    counter_reset();
    counter_init(&params);
    params.steps = steps;
    assert_ok(shoal_solver_create(&counter_workload.face, shoal_device_at(shoal, 1), NULL, &params,
                                  SHOAL_VARIANT_AUTO, &solver, &test_error));
    return solver;
}

static void fields_are_found_by_name(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2, 3};
    struct shoal_result result = {0};
    result_add_text(&result, "function", "sphere");
    result_join_text(&result, "mode", "fast");
    result_add_uint(&result, "steps", "steps", 7);
    result_join_uint(&result, "runs", "", 8);
    result_add_real(&result, "best", "", 0.5);
    result_add_error(&result, "best_error", 0.25, 8, "runs");
    result_join_real(&result, "worst", "", 0.75);
    result_add_reals(&result, "position", numbers, 3);
    assert_int_equal(result.field_count, 8);
    for (size_t i = 0; i < result.field_count; i++)
        assert_int_equal(result.fields[i].place, i == 5                       ? SHOAL_PLACE_ERROR
                                                 : i == 1 || i == 3 || i == 6 ? SHOAL_PLACE_JOINED
                                                                              : SHOAL_PLACE_LINE);
    assert_int_equal(shoal_result_find(&result, "best_error")->count, 8);
    assert_true(shoal_result_number(&result, "best_error") == 0.25);
    assert_string_equal(shoal_result_find(&result, "mode")->text, "fast");
    assert_string_equal(shoal_result_find(&result, "steps")->unit, "steps");
    assert_ptr_equal(shoal_result_find(&result, "position")->reals, numbers);
    assert_int_equal(shoal_result_find(&result, "position")->count, 3);
    assert_true(shoal_result_number(&result, "steps") == 7 && shoal_result_number(&result, "best") == 0.5);
    assert_true(isnan(shoal_result_number(&result, "function")));
    assert_true(isnan(shoal_result_number(&result, "position")));
    assert_true(isnan(shoal_result_number(&result, "none")));
    assert_null(shoal_result_find(&result, "none"));
    assert_null(shoal_result_find(NULL, "best"));
    assert_null(shoal_result_find(&result, NULL));
}

/* What lies behind the array is not written to, and nobody is left to think that the result is whole. */
static void too_many_fields_fail_the_result(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct shoal_solver *solver = open_counter(shoal, 10);
    struct shoal_result result = {0};
    counter_fields = SHOAL_RESULT_FIELDS;
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_int_equal(result.field_count, SHOAL_RESULT_FIELDS);
    counter_fields = SHOAL_RESULT_FIELDS + 5;
    assert_status(shoal_solver_result(solver, &result, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "85 fields, 80 fit");
    assert_int_equal(result.field_count, SHOAL_RESULT_FIELDS);
    shoal_solver_destroy(&solver);
    shoal_close(&shoal);
}

static void runs_make_all_steps_or_fail(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct shoal_solver *solver = open_counter(shoal, 10);
    struct shoal_result result = {0};
    assert_ok(shoal_solver_run(solver, 0, &test_error));
    assert_ok(shoal_solver_run(solver, 4, &test_error));
    assert_ok(shoal_solver_run(solver, 6, &test_error));
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_int_equal(result.steps, 10);
    assert_status(shoal_solver_run(solver, 1, &test_error), SHOAL_INVALID);
    shoal_solver_destroy(&solver);
    solver = open_counter(shoal, 10);
    assert_status(shoal_solver_run(solver, 12, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "complete after 10 of 12 steps");
    counter_fails_at = FAIL_STEP;
    assert_status(shoal_solver_run(solver, 1, &test_error), SHOAL_FAILED);
    assert_status(shoal_solver_run(NULL, 1, &test_error), SHOAL_INVALID);
    shoal_solver_destroy(&solver);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(fields_are_found_by_name),
        UNIT_TEST(too_many_fields_fail_the_result),
        UNIT_TEST(runs_make_all_steps_or_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
