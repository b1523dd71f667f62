/* Each call of the backend fails in turn, with each status: the right one comes back, the record tells which
 * call, nothing is left and nothing is called on what does not exist. */
#include "scenario.h"

static bool use_cache;

/* Calls whose failure is survived: a cache entry is rebuilt or not written, destroying a queue has no status.
 */
static bool is_survived(enum fake_call call, enum shoal_status injected, enum shoal_status status)
{
    if (call == FAKE_PROGRAM_BINARY)
        return true;
    if (call == FAKE_PROGRAM_LOAD)
        return injected != SHOAL_DEVICE_LOST && injected != SHOAL_OUT_OF_DEVICE_MEMORY;
    return call == FAKE_QUEUE_FINISH && status == SHOAL_OK;
}

/* Runs with the nth call failing, for each n; returns the number of calls there are. */
static unsigned fail_each(enum shoal_status injected)
{
    for (unsigned n = 1;; n++) {
        struct scenario o = {0};
        fake_reset_one_gpu();
        unit_log_clear();
        fake_fail_nth(n, injected);
        struct shoal_error error = {0};
        enum shoal_status status = scenario_run(&o, use_cache, &error);
        scenario_destroy(&o);
        enum fake_call failed = fake_failed_call();
        if (fake_live() || fake_breaches())
            print_error("call %u (%s)\n", n, fake_call_name(failed));
        assert_int_equal(fake_live(), 0);
        assert_int_equal(fake_breaches(), 0);
        if (failed == FAKE_CALLS) {
            assert_int_equal(status, SHOAL_OK);
            return n - 1;
        }
        if (is_survived(failed, injected, status)) {
            /* The loss shows at the next call instead, where there is one. */
            if (injected != SHOAL_DEVICE_LOST) {
                assert_int_equal(status, SHOAL_OK);
                assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
            }
            continue;
        }
        if (status != injected || strcmp(error.call, fake_call_name(failed)) != 0)
            print_error("call %u (%s): %s, %s: %s\n", n, fake_call_name(failed), shoal_status_name(status),
                        error.call, error.message);
        assert_int_equal(status, injected);
        assert_int_equal(error.status, injected);
        assert_int_equal(error.native, FAKE_NATIVE_ERROR);
        assert_string_equal(error.call, fake_call_name(failed));
        assert_contains(error.message, injected == SHOAL_DEVICE_LOST && failed != FAKE_OPEN
                                           ? "fake:0 (Fake GPU) is lost"
                                           : "injected failure");
        if (injected == SHOAL_BUILD_FAILED)
            assert_string_equal(error.log, "injected build log\n");
    }
}

static const enum shoal_status statuses[] = {
    SHOAL_FAILED,      SHOAL_OUT_OF_DEVICE_MEMORY, SHOAL_OUT_OF_HOST_MEMORY,
    SHOAL_DEVICE_LOST, SHOAL_BUILD_FAILED,         SHOAL_UNSUPPORTED,
};

static void each_call_fails_in_turn(void **state)
{
    (void)state;
    scenario_prepare();
    use_cache = false;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        assert_in_range(fail_each(statuses[i]), 25, 100);
}

/* With entries in the cache, the load is among the calls; without, the binary is. */
static void each_call_fails_in_turn_with_a_cache(void **state)
{
    (void)state;
    scenario_prepare();
    use_cache = true;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        assert_in_range(fail_each(statuses[i]), 25, 100);
}

/* Without a record nothing is different. */
static void no_record_is_fine(void **state)
{
    (void)state;
    scenario_prepare();
    use_cache = false;
    for (unsigned n = 1;; n++) {
        struct scenario o = {0};
        fake_reset_one_gpu();
        fake_fail_nth(n, SHOAL_FAILED);
        enum shoal_status status = scenario_run(&o, use_cache, NULL);
        scenario_destroy(&o);
        assert_int_equal(fake_live(), 0);
        if (fake_failed_call() == FAKE_CALLS) {
            assert_int_equal(status, SHOAL_OK);
            break;
        }
    }
}

/* Halving rebuilds; each step of it may fail. */
static void each_call_of_a_rebuild_fails_in_turn(void **state)
{
    (void)state;
    for (unsigned n = 1;; n++) {
        fake_reset_one_gpu();
        fake_set_kernel_limit("noop", 7);
        struct shoal *shoal = unit_open();
        struct shoal_device *device = shoal_device_at(shoal, 0);
        struct shoal_program_params params;
        shoal_program_params_init(&params);
        params.text = unit_text;
        struct shoal_program *program;
        fake_fail_nth(n, SHOAL_FAILED);
        enum shoal_status status =
            shoal_program_create(device, &unit_program, &params, &program, &test_error);
        bool failed = fake_failed_call() != FAKE_CALLS;
        assert_int_equal(status, failed ? SHOAL_FAILED : SHOAL_OK);
        shoal_program_destroy(&program);
        shoal_close(&shoal);
        assert_int_equal(fake_live(), 0);
        assert_int_equal(fake_breaches(), 0);
        if (!failed)
            break;
    }
}

/* The same with every launch that fails later instead of at once. */
static void each_launch_fails_later(void **state)
{
    (void)state;
    scenario_prepare();
    use_cache = false;
    struct scenario o = {0};
    fake_fail_later(1, SHOAL_FAILED);
    struct shoal_error error;
    assert_int_equal(scenario_run(&o, use_cache, &error), SHOAL_FAILED);
    assert_string_equal(error.call, "span_end");
    assert_contains(error.message, "everything");
    scenario_destroy(&o);
    fake_fail_later(1, SHOAL_DEVICE_LOST);
    assert_int_equal(scenario_run(&o, use_cache, &error), SHOAL_DEVICE_LOST);
    assert_contains(error.message, "everything");
    scenario_destroy(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_call_fails_in_turn), UNIT_TEST(each_call_fails_in_turn_with_a_cache),
        UNIT_TEST(no_record_is_fine),       UNIT_TEST(each_call_of_a_rebuild_fails_in_turn),
        UNIT_TEST(each_launch_fails_later),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
