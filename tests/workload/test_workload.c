/* What all workloads have in common: parameters, solvers, verification. A workload that counts stands for any
 * of them; then each registered one runs over the fake backend with every call failing in turn. */
#include "fixture.h"

#include <math.h>

static enum shoal_status validate(void)
{
    return shoal_workload_validate(NULL, &counter_workload.face, &params, &test_error);
}

/* Few cities, few rows to train on: the first of these that the workload takes. Its usual ones take the time
 * of a test. */
static void take_little_data(const struct shoal_workload *workload, void *block)
{
    static const char *const kinds[] = {"uniform:64:1", "parity:16:1"};
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        for (size_t k = 0; k < 2 && strcmp(option->name, "generate") == 0; k++) {
            memcpy((char *)block + option->offset, &kinds[k], sizeof kinds[k]);
            if (shoal_workload_validate(NULL, workload, block, &test_error) == SHOAL_OK)
                break;
        }
    }
}

/* Whatever is recorded or ends a run: what is measured is neither. */
static void measured_runs_are_valid(const struct shoal_workload *workload, const void *defaults)
{
    char *block = malloc(workload->params_size);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        if (option->type != SHOAL_OPTION_UINT || option->max < 10)
            continue;
        memcpy(block, defaults, workload->params_size);
        *(uint64_t *)(void *)(block + option->offset) = 10;
        if (shoal_workload_validate(NULL, workload, block, &test_error) != SHOAL_OK)
            continue;
        shoal_workload_make_endless(workload, block, 5);
        assert_ok(shoal_workload_validate(NULL, workload, block, &test_error));
        assert_true(shoal_workload_total_steps(workload, block) > 1000000000);
        assert_true(shoal_workload_warm_up_steps(workload, block) <= 5);
        assert_true(isnan(shoal_workload_time_limit(workload, block)));
    }
    free(block);
}

static void registered_workloads_are_complete(void **state)
{
    (void)state;
    assert_true(shoal_workload_count() > 0);
    assert_null(shoal_workload_at(shoal_workload_count()));
    assert_null(shoal_workload_at(SIZE_MAX));
    assert_null(shoal_workload_find("none"));
    assert_null(shoal_workload_find(""));
    assert_null(shoal_workload_find(NULL));
    assert_null(shoal_program_desc_at(shoal_program_desc_count()));
    for (size_t w = 0; w < shoal_workload_count(); w++) {
        const struct shoal_workload *workload = shoal_workload_at(w);
        assert_ptr_equal(shoal_workload_find(workload->name), workload);
        assert_true(workload->summary[0] && workload->params_init);
        assert_int_equal(workload->size, sizeof *workload);
        void *defaults = calloc(1, workload->params_size);
        workload->params_init(defaults);
        size_t size;
        memcpy(&size, defaults, sizeof size);
        assert_int_equal(size, workload->params_size);
        /* The usual data of a net have 20,000 rows, which take the thread sanitizer 17 s: its share leaves
         * them out. */
        if (!test_is_of(test_read_share("SHOAL_TEST_SHARE"), 0))
            take_little_data(workload, defaults);
        assert_ok(shoal_workload_validate(NULL, workload, defaults, &test_error));
        assert_true(shoal_workload_total_steps(workload, defaults) > 0);
        for (size_t i = 0; i < workload->option_count; i++) {
            const struct shoal_option *option = &workload->options[i];
            assert_true(option->name[0] && option->help[0] && option->unit);
            assert_true(strspn(option->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
                        strlen(option->name));
            assert_true(option->offset >= sizeof size && option->offset < workload->params_size);
            assert_true(option->type != SHOAL_OPTION_CHOICE || option->choices[0]);
            assert_true(option->min <= option->max);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(option->name, workload->options[k].name);
        }
        take_little_data(workload, defaults);
        measured_runs_are_valid(workload, defaults);
        free(defaults);
    }
}

static void ranges_are_checked(void **state)
{
    (void)state;
    assert_ok(validate());
    params.steps = 0;
    assert_status(validate(), SHOAL_INVALID);
    assert_contains(test_error.message, "steps is 0");
    assert_contains(test_error.message, "1 to 1000");
    params.steps = 1001;
    assert_status(validate(), SHOAL_INVALID);
    params.steps = UINT64_MAX;
    assert_status(validate(), SHOAL_INVALID);
    params.steps = 1000;
    params.wide = UINT64_MAX;
    assert_ok(validate());
    const double rates[] = {-1.5, 1.0000001, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < 5; i++) {
        params.rate = rates[i];
        assert_status(validate(), SHOAL_INVALID);
        assert_contains(test_error.message, "rate");
    }
    params.rate = -1;
    params.limit = 9.5;
    assert_status(validate(), SHOAL_INVALID);
    params.limit = 9;
    assert_ok(validate());
    const int32_t choices[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) {
        params.mode = choices[i];
        assert_status(validate(), SHOAL_INVALID);
        assert_contains(test_error.message, "mode");
    }
    params.mode = 1;
    assert_ok(validate());
    params.flag = true;
    assert_status(validate(), SHOAL_INVALID);
    assert_contains(test_error.message, "flag does not go");
}

static void older_parameters_are_completed(void **state)
{
    (void)state;
    const size_t sizes[] = {0, sizeof(size_t) - 1, sizeof params + 8192, SIZE_MAX};
    struct shoal_solver *solver = (struct shoal_solver *)state;
    for (size_t i = 0; i < 4; i++) {
        params.size = sizes[i];
        assert_status(validate(), SHOAL_INVALID);
        assert_contains(test_error.message, "call shoal_counter_params_init");
        assert_status(shoal_solver_create(&counter_workload.face, host, NULL, &params, SHOAL_VARIANT_AUTO,
                                          &solver, &test_error),
                      SHOAL_INVALID);
        assert_null(solver);
    }
    /* What an older caller does not know is not looked at. */
    params.size = offsetof(struct counter_params, rate);
    params.rate = 77;
    assert_ok(validate());
    assert_ok(shoal_solver_create(&counter_workload.face, host, NULL, &params, SHOAL_VARIANT_AUTO, &solver,
                                  &test_error));
    const struct counter_params *kept = solver->params;
    assert_true(kept->rate == 0.5 && isnan(kept->limit) && kept->size == sizeof params);
    shoal_solver_destroy(&solver);
}

static void solvers_check_their_arguments(void **state)
{
    (void)state;
    struct shoal_queue *queue;
    struct shoal_solver *solver = (struct shoal_solver *)state;
    struct shoal_result result = {0};
    uint64_t done;
    size_t count;
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    const enum shoal_variant any = SHOAL_VARIANT_AUTO;
    assert_status(shoal_solver_create(NULL, host, NULL, &params, any, &solver, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_create(&counter_workload.face, NULL, NULL, &params, any, &solver, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_solver_create(&counter_workload.face, host, NULL, NULL, any, &solver, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_solver_create(&counter_workload.face, host, NULL, &params, any, NULL, &test_error),
                  SHOAL_INVALID);
    assert_status(
        shoal_solver_create(&counter_workload.face, host, queue, &params, any, &solver, &test_error),
        SHOAL_INVALID);
    assert_null(solver);
    assert_status(
        shoal_solver_create(&counter_workload.face, device, NULL, &params, any, &solver, &test_error),
        SHOAL_INVALID);
    struct shoal_queue *far;
    assert_ok(shoal_queue_create(shoal_device_at(shoal, 1), 0, &far, &test_error));
    assert_status(
        shoal_solver_create(&counter_workload.face, device, far, &params, any, &solver, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "another device");
    shoal_queue_destroy(&far);
    assert_status(shoal_workload_validate(NULL, NULL, &params, &test_error), SHOAL_INVALID);
    assert_status(shoal_workload_validate(NULL, &counter_workload.face, NULL, &test_error), SHOAL_INVALID);
    assert_ok(shoal_solver_create(&counter_workload.face, device, queue, &params, any, &solver, &test_error));
    assert_status(shoal_solver_step(NULL, 1, &done, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_step(solver, 1, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_result(NULL, &result, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_result(solver, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_save(NULL, "x", &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_save(solver, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_load(NULL, "x", &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_load(solver, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_state(NULL, NULL, 0, &count, &test_error), SHOAL_INVALID);
    assert_status(shoal_solver_state(solver, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    double values[2];
    assert_ok(shoal_solver_state(solver, NULL, 0, &count, &test_error));
    assert_int_equal(count, 2);
    assert_status(shoal_solver_state(solver, values, 1, &count, &test_error), SHOAL_INVALID);
    assert_ok(shoal_solver_state(solver, values, 2, &count, &test_error));
    assert_true(shoal_solver_build_seconds(solver) == 0.25);
    assert_true(shoal_solver_build_seconds(NULL) == 0);
    shoal_solver_destroy(&solver);
    assert_null(solver);
    shoal_solver_destroy(&solver);
    shoal_solver_destroy(NULL);
    shoal_queue_destroy(&queue);
}

static void verification_finds_a_deviation(void **state)
{
    (void)state;
    struct shoal_verification result = {0};
    const enum shoal_variant any = SHOAL_VARIANT_AUTO;
    assert_ok(shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error));
    assert_true(result.passed && result.deviation == 0 && result.steps == 5);
    assert_string_equal(result.what, "the count");
    assert_ok(shoal_workload_verify(&counter_workload.face, device, &params, 500, any, &result, &test_error));
    assert_int_equal(result.steps, 10); /* the run has no more */
    assert_ok(shoal_workload_verify(&counter_workload.face, host, &params, 5, any, &result, &test_error));
    counter_device_offset = 0.5;
    assert_status(
        shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error),
        SHOAL_CHECK_FAILED);
    assert_true(!result.passed && result.deviation > 0.01 && result.worst == 1);
    counter_device_offset = NAN;
    assert_status(
        shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error),
        SHOAL_CHECK_FAILED);
    assert_false(result.passed);
    counter_device_offset = 0;
    /* One number in a hundred may go another way. */
    counter_state_size = 1000;
    counter_outliers = 10;
    assert_ok(shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error));
    assert_true(result.deviation == 0);
    counter_outliers = 11;
    assert_status(
        shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error),
        SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "the count deviate");
    counter_outliers = 0;
    counter_fails_at = FAIL_STATE;
    assert_status(
        shoal_workload_verify(&counter_workload.face, device, &params, 5, any, &result, &test_error),
        SHOAL_FAILED);
    counter_fails_at = FAIL_NOWHERE;
    assert_status(shoal_workload_verify(NULL, device, &params, 5, any, &result, &test_error), SHOAL_INVALID);
    assert_status(shoal_workload_verify(&counter_workload.face, NULL, &params, 5, any, &result, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_workload_verify(&counter_workload.face, device, NULL, 5, any, &result, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_workload_verify(&counter_workload.face, device, &params, 5, any, NULL, &test_error),
                  SHOAL_INVALID);
}

/* A run with few steps and small sizes: the least that the options allow, within reason. So few particles,
 * where the workload is left their number, that a gas takes all pairs: lists wait for steps that the fake
 * does not make, tests/gas/test_device.c has them. */
static void *small_params(const struct shoal_workload *workload)
{
    static const uint64_t few = 64, steps = 4;
    static const char *const start = "0.5, 0.5"; /* a point of a search */
    char *block = calloc(1, workload->params_size);
    workload->params_init(block);
    take_little_data(workload, block);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        uint64_t value;
        if (strcmp(option->name, "start") == 0 && strcmp(option->unit, "POINTS") == 0)
            memcpy(block + option->offset, &start, sizeof start);
        if (option->type != SHOAL_OPTION_UINT || strcmp(option->name, "seed") == 0)
            continue;
        memcpy(&value, block + option->offset, sizeof value);
        if (value == 0 && strcmp(option->name, "particles") == 0)
            memcpy(block + option->offset, &few, sizeof few);
        if (value == 0 && (strcmp(option->name, "iterations") == 0 || strcmp(option->name, "epochs") == 0))
            memcpy(block + option->offset, &steps, sizeof steps);
        /* A few more where four are not enough for the others. */
        const uint64_t most = value;
        for (value = 4; value < most && option->min <= 4; value *= 2) {
            memcpy(block + option->offset, &value, sizeof value);
            if (shoal_workload_validate(NULL, workload, block, &test_error) == SHOAL_OK)
                break;
            memcpy(block + option->offset, &most, sizeof most);
        }
    }
    assert_ok(shoal_workload_validate(NULL, workload, block, &test_error));
    return block;
}

/* Every registered workload over the fake: its kernels do nothing there, so the result is wrong; but
 * whatever call fails, the run ends with that status and leaves nothing. */
static void registered_workloads_survive_failing_calls(void **state)
{
    (void)state;
    static const enum shoal_status statuses[] = {SHOAL_FAILED, SHOAL_OUT_OF_DEVICE_MEMORY, SHOAL_DEVICE_LOST};
    shoal_close(&shoal);
    for (size_t w = 0; w < shoal_workload_count(); w++)
        for (size_t s = 0; s < 3; s++) {
            const struct shoal_workload *workload = shoal_workload_at(w);
            /* In quick each workload has one of the statuses. */
            if (workload->flags & SHOAL_WORKLOAD_HOST_ONLY || (getenv("SHOAL_TEST_SHARE") && s != w % 3))
                continue;
            void *small = small_params(workload);
            for (unsigned n = 1;; n++) {
                fake_reset_one_gpu();
                unit_log_clear();
                shoal = unit_open();
                struct shoal_report report = {0};
                struct shoal_run_params run;
                shoal_run_params_init(&run);
                run.chunk = 2;
                run.checkpoint = test_path("run.ckpt");
                fake_fail_nth(n, statuses[s]);
                enum shoal_status status =
                    shoal_run(workload, shoal_device_at(shoal, 0), small, &run, &report, &test_error);
                bool struck = fake_failed_call() != FAKE_CALLS;
                enum fake_call call = fake_failed_call();
                shoal_report_clear(&report);
                shoal_close(&shoal);
                /* A wrong result is told before a copy of it that was not written, which the log has. */
                if (struck && status == SHOAL_CHECK_FAILED && strstr(unit_log(), "injected"))
                    status = statuses[s];
                if ((struck && status != statuses[s]) || fake_live() || fake_breaches())
                    print_error("%s, call %u (%s): %s: %s\n", workload->name, n, fake_call_name(call),
                                shoal_status_name(status), test_error.message);
                assert_int_equal(fake_live(), 0);
                assert_int_equal(fake_breaches(), 0);
                if (!struck) {
                    assert_true(status == SHOAL_OK || status == SHOAL_CHECK_FAILED);
                    break;
                }
                assert_int_equal(status, statuses[s]);
                assert_true(n < 5000);
            }
            free(small);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORKLOAD_TEST(registered_workloads_are_complete),
        WORKLOAD_TEST(ranges_are_checked),
        WORKLOAD_TEST(older_parameters_are_completed),
        WORKLOAD_TEST(solvers_check_their_arguments),
        WORKLOAD_TEST(verification_finds_a_deviation),
        WORKLOAD_TEST(registered_workloads_survive_failing_calls),
    };
    return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
