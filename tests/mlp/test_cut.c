/* Epochs on the host whose updates take long end between two of them where the run must end. */
#include "runs.h"

#include "mlp/mlp.h"
#include "workload/workload.h"

/* Answers yes to every second question. */
static bool ends_soon(void *data)
{
    return ++*(unsigned *)data % 2 == 0;
}

/* Each update is asked for, and the next call goes on behind it. */
static void long_epochs_end_between_updates(void **state)
{
    enum { UPDATES = 6 };
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_result result[2] = {0};
    unsigned asked = 0;
    uint64_t done = 0, calls = 0;
    params.hidden = "900,900";
    params.epochs = 1;
    struct shoal_solver *whole = create(&params), *cut = create(&params);
    assert_ok(shoal_solver_step(whole, 1, &done, &test_error));
    assert_int_equal(done, 1);
    cut->must_end = ends_soon;
    cut->end_data = &asked;
    for (done = 0; !done && calls < UPDATES; calls++)
        assert_ok(shoal_solver_step(cut, 1, &done, &test_error));
    assert_int_equal(done, 1);
    assert_int_equal(calls, UPDATES);
    assert_ok(shoal_solver_result(whole, &result[0], &test_error));
    assert_ok(shoal_solver_result(cut, &result[1], &test_error));
    assert_true(result[0].value == result[1].value && result[0].work == result[1].work);
    shoal_solver_destroy(&cut);
    shoal_solver_destroy(&whole);
}

/* A run that must end has the figures by which it is judged, and says what is left out. */
static void figures_that_take_long_are_left_out(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_result result = {0};
    uint64_t done = 0;
    struct shoal_solver *solver = create(&params);
    assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
    mlp_run_of(solver)->most_figures_s = 0;
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_non_null(shoal_result_find(&result, "training_accuracy"));
    const double value = result.value;
    solver->timed_out = true;
    result = (struct shoal_result){0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.value == value && result.check_passed);
    assert_null(shoal_result_find(&result, "training_accuracy"));
    assert_non_null(shoal_result_find(&result, "test_accuracy"));
    assert_contains(result.note, "no figures of the training rows");
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {HOST_TEST(long_epochs_end_between_updates),
                                       HOST_TEST(figures_that_take_long_are_left_out)};
    return cmocka_run_group_tests_name("mlp cut", tests, NULL, NULL);
}
