/* Steps of a portfolio of turns on a device that fail. */
#include "unit.h"

#include "portfolio/turns/turns.h"

#include <shoal/portfolio.h>

/* A later step whose call fails is made by the next call, once: an arm has the evaluations of an unfailed
 * run. */
static void a_step_of_an_arm_fails(void **state)
{
    (void)state;
    enum { STEPS = 7 };
    struct shoal_portfolio_params params;
    shoal_portfolio_params_init(&params);
    params.search.dim = 3;
    params.search.iterations = 100;
    params.turns = SHOAL_PORTFOLIO_STEPS;
    struct shoal *shoal = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    struct shoal_queue *queue;
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    uint64_t wanted = 0;
    for (unsigned number = 0;; number++) {
        struct shoal_solver *solver;
        uint64_t done;
        assert_ok(shoal_solver_create(shoal_workload_find("portfolio"), device, queue, &params,
                                      SHOAL_VARIANT_AUTO, &solver, &test_error));
        assert_ok(shoal_solver_step(solver, STEPS - 1, &done, &test_error));
        fake_fail_nth(number, SHOAL_FAILED);
        const enum shoal_status status = shoal_solver_step(solver, 1, &done, &test_error);
        const bool has_failed = number && fake_failed_call() != FAKE_CALLS;
        fake_fail_nth(0, SHOAL_OK);
        assert_int_equal(status != SHOAL_OK, has_failed);
        if (status)
            assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
        const struct portfolio_turns *turns = portfolio_turns_of(solver);
        const uint64_t evaluations = turns->states[0].evaluations;
        assert_int_equal(turns->steps, STEPS);
        assert_int_equal(turns->states[0].told, turns->states[0].lived);
        wanted = number ? wanted : evaluations;
        assert_int_equal(evaluations, wanted);
        shoal_solver_destroy(&solver);
        if (number && !has_failed)
            break;
    }
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_step_of_an_arm_fails, unit_setup, unit_teardown),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
