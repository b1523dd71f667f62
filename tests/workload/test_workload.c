/* What all workloads have in common: parameters, solvers, runs, checkpoints, verification. A workload that
 * counts stands for any of them; then each registered one runs over the fake backend with every call
 * failing in turn. */
#include "counter.h"
#include "unit.h"

#include "workload/workload.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

static struct shoal *shoal;
static struct shoal_device *device, *host;
static struct counter_params params;

static int open_workload(void **state)
{
    if (unit_setup(state))
        return -1;
    counter_reset();
    counter_init(&params);
    struct shoal_device_info info = fake_gpu("Second GPU");
    fake_add_device(&fake_backend, &info);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    host = shoal_device_at(shoal, 2);
    return 0;
}

static int close_workload(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state) || counters_alive ? -1 : 0;
}

static enum shoal_status validate(void)
{
    return shoal_workload_validate(&counter_workload.face, &params, &test_error);
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
        if (shoal_workload_validate(workload, block, &test_error) != SHOAL_OK)
            continue;
        shoal_workload_make_endless(workload, block, 5);
        assert_ok(shoal_workload_validate(workload, block, &test_error));
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
        assert_ok(shoal_workload_validate(workload, defaults, &test_error));
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
    const size_t sizes[] = {0, sizeof(size_t) - 1, sizeof params + 1, SIZE_MAX};
    struct shoal_solver *solver = (struct shoal_solver *)state;
    for (size_t i = 0; i < 4; i++) {
        params.size = sizes[i];
        assert_status(validate(), SHOAL_INVALID);
        assert_contains(test_error.message, "init function");
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
    struct shoal_result result;
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
    assert_status(shoal_workload_validate(NULL, &params, &test_error), SHOAL_INVALID);
    assert_status(shoal_workload_validate(&counter_workload.face, NULL, &test_error), SHOAL_INVALID);
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

static bool stop_at_once(void *data)
{
    ++*(unsigned *)data;
    return true;
}

struct seen {
    uint64_t done, total;
    double value;     /* the last that was known */
    const char *path; /* file that is looked for in the middle of the run; NULL: none */
    bool there;
};

static void note_progress(void *data, const struct shoal_progress *progress)
{
    struct seen *seen = data;
    struct stat info;
    assert_true(progress->seconds >= 0);
    seen->done = progress->done;
    seen->total = progress->total;
    if (!isnan(progress->value))
        seen->value = progress->value;
    if (seen->path && progress->done < progress->total)
        seen->there = stat(seen->path, &info) == 0;
}

static void runs_end_complete_stopped_or_early(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    for (size_t i = 0; i < 2; i++) {
        struct shoal_report report;
        struct shoal_run_params run;
        counter_init(&params);
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_true(report.result.value == 10 && report.result.steps == 10 && !report.stopped);
        assert_true(report.build_s == (i == 0 ? 0.25 : 0));
        assert_true(report.wall_s >= 0 && report.device_s >= 0 && report.first_launch_s >= 0);
        shoal_report_clear(&report);
        shoal_report_clear(&report);

        struct seen seen = {0};
        shoal_run_params_init(&run);
        run.progress = note_progress;
        run.data = &seen;
        run.chunk = 3;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error));
        assert_true(seen.done == 10 && seen.total == 10 && seen.value >= 1);
        shoal_report_clear(&report);

        unsigned polls = 0;
        shoal_run_params_init(&run);
        run.stop = stop_at_once;
        run.data = &polls;
        assert_status(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error),
                      SHOAL_STOPPED);
        assert_true(report.stopped && report.result.steps == 0 && polls == 1);
        assert_contains(test_error.message, "0 of 10");
        shoal_report_clear(&report);

        params.limit = 4; /* the solver is done before the steps are */
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_int_equal(report.result.steps, 4);
        shoal_report_clear(&report);

        counter_init(&params);
        counter_is_wrong = true;
        assert_status(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error),
                      SHOAL_CHECK_FAILED);
        assert_contains(test_error.message, "the result failed its check: one is missing (counting again)");
        assert_contains(test_error.message, shoal_device_get_info(devices[i])->id);
        assert_int_equal(report.result.steps, 10);
        shoal_report_clear(&report);
        /* What was computed is kept, as far as that can be. */
        shoal_run_params_init(&run);
        run.checkpoint = test_path("wrong.ckp");
        assert_status(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error),
                      SHOAL_CHECK_FAILED);
        shoal_report_clear(&report);
        counter_is_wrong = false;
        run.resume = run.checkpoint;
        run.checkpoint = NULL;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error));
        assert_int_equal(report.result.steps, 10);
        shoal_report_clear(&report);
        counter_is_wrong = true;
        run.checkpoint = "/nowhere/wrong.ckp";
        assert_status(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error),
                      SHOAL_CHECK_FAILED);
        shoal_report_clear(&report);
        counter_is_wrong = false;
    }
    shoal_report_clear(NULL);
}

/* A limit of no time ends a run in front of its first step, as a complete one. */
static void a_time_limit_ends_a_run(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    for (size_t i = 0; i < 2; i++) {
        struct shoal_report report;
        counter_init(&params);
        params.time = 0;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_true(report.timed_out && !report.stopped && report.result.steps == 0);
        shoal_report_clear(&report);
        params.time = 9;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_true(!report.timed_out && report.result.steps == 10);
        shoal_report_clear(&report);
    }
}

/* Nothing may be given back while the device works, so all of it stays; the process ends here. */
static void a_run_that_hangs_is_given_up(void **state)
{
    (void)state;
    struct shoal_report report;
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    const double generous[] = {3600, 1e30, INFINITY};
    for (size_t i = 0; i < sizeof generous / sizeof *generous; i++) {
        run.hang_limit = generous[i];
        assert_ok(shoal_run(&counter_workload.face, device, &params, &run, &report, &test_error));
        shoal_report_clear(&report);
    }
    assert_false(shoal_is_hung(shoal));
    assert_false(shoal_is_hung(NULL));
    run.hang_limit = 0.02;
    fake_hold_finish(true);
    assert_status(shoal_run(&counter_workload.face, device, &params, &run, &report, &test_error),
                  SHOAL_DEVICE_LOST);
    assert_null(report.solver);
    assert_null(report.queue);
    assert_true(shoal_is_hung(shoal));
    assert_contains(test_error.message, "fake:0 (Fake GPU) is lost: counter: the initial state");
    assert_contains(test_error.message, "within 0.02 s");
    assert_contains(test_error.message, "hang-limit");
    /* The device is not asked again; another one, and the host, are not concerned. */
    assert_status(shoal_run(&counter_workload.face, device, &params, &run, &report, &test_error),
                  SHOAL_DEVICE_LOST);
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    shoal_report_clear(&report);
    fake_hold_finish(false);
    while (fake_held())
        continue;
    struct shoal *kept = shoal;
    shoal_close(&shoal);
    assert_true(shoal_is_hung(kept));
    counters_alive = 0;
    fake_reset();
}

/* A run on the host that makes steps while the caller does what comes next. */
static void *run_on_the_host(void *error)
{
    struct shoal_report report;
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.hang_limit = 0.01;
    intptr_t status = shoal_run(&counter_workload.face, host, &params, &run, &report, error);
    shoal_report_clear(&report);
    return (void *)status;
}

/* As long as the host comes forward it may take any time, else it is given up like a device. */
static void a_host_that_hangs_is_given_up(void **state)
{
    (void)state;
    struct shoal_error error = {0};
    pthread_t caller;
    void *status;
    counter_holds = counter_progress = true;
    assert_int_equal(pthread_create(&caller, NULL, run_on_the_host, &error), 0);
    while (counter_progress_seen < 5)
        sched_yield();
    counter_holds = false;
    pthread_join(caller, &status);
    assert_int_equal((intptr_t)status, SHOAL_OK);
    assert_false(shoal_is_hung(shoal));

    counter_holds = true;
    counter_progress = false;
    assert_int_equal((intptr_t)run_on_the_host(&error), SHOAL_DEVICE_LOST);
    assert_contains(error.message, "host (");
    assert_contains(error.message, "counter: the initial state got no further within 0.01 s");
    assert_true(shoal_is_hung(shoal));
    counter_holds = false;
    struct shoal *kept = shoal;
    shoal_close(&shoal);
    assert_true(shoal_is_hung(kept));
    counters_alive = 0;
}

static void checkpoints_are_written_between(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("between.ckpt"));
    struct seen seen = {.path = path};
    struct shoal_report report;
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.progress = note_progress;
    run.data = &seen;
    run.chunk = 3;
    run.checkpoint = path;
    run.checkpoint_every = 1e-9;
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    assert_true(seen.there);
    shoal_report_clear(&report);
    /* Where that cannot be, the run goes on to its end and fails there. */
    run.checkpoint = "/nowhere/between.ckpt";
    assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error), SHOAL_IO);
    assert_int_equal(seen.done, 10);
    shoal_report_clear(&report);
    counter_fails_at = FAIL_VALUE;
    run.checkpoint = NULL;
    assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error), SHOAL_FAILED);
    shoal_report_clear(&report);
}

static void runs_check_their_arguments(void **state)
{
    (void)state;
    struct shoal_report report;
    struct shoal_run_params run;
    assert_status(shoal_run(NULL, host, &params, NULL, &report, &test_error), SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, NULL, &params, NULL, &report, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, host, NULL, NULL, &report, &test_error), SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, host, &params, NULL, NULL, &test_error), SHOAL_INVALID);
    const size_t sizes[] = {0, sizeof(size_t) - 1, sizeof run + 1, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        shoal_run_params_init(&run);
        run.size = sizes[i];
        assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error),
                      SHOAL_INVALID);
    }
    shoal_run_params_init(&run);
    run.size = offsetof(struct shoal_run_params, resume);
    run.resume = run.checkpoint = "/nowhere/at/all";
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    shoal_report_clear(&report);
    params.steps = 0;
    assert_status(shoal_run(&counter_workload.face, host, &params, NULL, &report, &test_error),
                  SHOAL_INVALID);
    assert_null(report.solver);
}

/* Each function of a solver fails: the run ends with its error and an empty report. */
static void each_part_of_a_solver_fails(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    const char *path = test_path("counter.ckpt");
    char kept[512];
    snprintf(kept, sizeof kept, "%s", path);
    for (size_t i = 0; i < 2; i++)
        for (counter_fails_at = FAIL_CREATE; counter_fails_at <= FAIL_SAVE; counter_fails_at++) {
            struct shoal_report report;
            struct shoal_run_params run;
            shoal_run_params_init(&run);
            run.checkpoint = kept;
            char part[32];
            snprintf(part, sizeof part, "injected at %d", (int)counter_fails_at);
            assert_status(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error),
                          SHOAL_FAILED);
            assert_contains(test_error.message, part);
            assert_null(report.solver);
            assert_null(report.queue);
            assert_int_equal(counters_alive, 0);
            struct stat info;
            assert_int_equal(stat(kept, &info), -1);
        }
}

static enum shoal_status run_file(struct shoal_device *on, const char *resume, const char *checkpoint,
                                  uint64_t *steps)
{
    struct shoal_report report;
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.resume = resume;
    run.checkpoint = checkpoint;
    enum shoal_status status = shoal_run(&counter_workload.face, on, &params, &run, &report, &test_error);
    if (!status && steps)
        *steps = report.result.steps;
    shoal_report_clear(&report);
    return status;
}

static void checkpoints_continue_a_run(void **state)
{
    (void)state;
    char path[512], other[512];
    snprintf(path, sizeof path, "%s", test_path("run.ckpt"));
    snprintf(other, sizeof other, "%s", test_path("other.ckpt"));
    params.steps = 4;
    params.label = "a label";
    uint64_t steps = 0;
    assert_ok(run_file(host, NULL, path, &steps));
    params.steps = 9; /* may differ: it is free on resume */
    assert_ok(run_file(host, path, path, &steps));
    assert_int_equal(steps, 9);
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 1); /* no temporary is left */

    params.mode = 1;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--mode up, not down");
    params.mode = 0;
    params.label = "another";
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "\"a label\", not \"another\"");
    params.label = NULL;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "not \"\"");
    params.label = "a label";
    params.flag = true;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--flag no, not yes");
    params.flag = false;
    params.wide = UINT64_MAX;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--wide 0, not 18446744073709551615");
    params.wide = 0;
    params.rate = 0.25;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--rate 0.5, not 0.25");
    params.rate = 0.5;
    params.label = "a label";
    assert_status(run_file(device, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "made with the solver of the host, not of a device");
    params.rate = 0.25;
    params.flag = true;
    assert_status(run_file(device, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "the host, not of a device; --flag no, not yes; --rate 0.5, not 0.25: leave");
    params.rate = 0.5;
    params.flag = false;
    params.steps = 8;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "is of after 9 steps, this run is to end after 8");
    params.steps = 9;
    assert_status(run_file(host, other, NULL, NULL), SHOAL_IO);
    assert_contains(test_error.message, other);
    test_write_text(other, "no checkpoint");
    assert_status(run_file(host, other, NULL, NULL), SHOAL_IO);
    assert_contains(test_error.message, other);
    assert_status(run_file(host, NULL, "/nowhere/at/all.ckpt", NULL), SHOAL_IO);
    assert_contains(test_error.message, "/nowhere/at/all.ckpt");
    counter_fails_at = FAIL_LOAD;
    assert_status(run_file(host, path, NULL, NULL), SHOAL_FAILED);
}

static void verification_finds_a_deviation(void **state)
{
    (void)state;
    struct shoal_verification result;
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
    static const uint64_t few = 64;
    char *block = calloc(1, workload->params_size);
    workload->params_init(block);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        uint64_t value;
        if (option->type != SHOAL_OPTION_UINT || strcmp(option->name, "seed") == 0)
            continue;
        memcpy(&value, block + option->offset, sizeof value);
        if (value == 0 && strcmp(option->name, "particles") == 0)
            memcpy(block + option->offset, &few, sizeof few);
        /* A few more where four are not enough for the others. */
        const uint64_t most = value;
        for (value = 4; value < most && option->min <= 4; value *= 2) {
            memcpy(block + option->offset, &value, sizeof value);
            if (shoal_workload_validate(workload, block, &test_error) == SHOAL_OK)
                break;
            memcpy(block + option->offset, &most, sizeof most);
        }
    }
    assert_ok(shoal_workload_validate(workload, block, &test_error));
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
            void *small = small_params(workload);
            for (unsigned n = 1;; n++) {
                fake_reset_one_gpu();
                unit_log_clear();
                shoal = unit_open();
                struct shoal_report report;
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

#define WORKLOAD_TEST(function) cmocka_unit_test_setup_teardown(function, open_workload, close_workload)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORKLOAD_TEST(registered_workloads_are_complete),
        WORKLOAD_TEST(ranges_are_checked),
        WORKLOAD_TEST(older_parameters_are_completed),
        WORKLOAD_TEST(solvers_check_their_arguments),
        WORKLOAD_TEST(runs_end_complete_stopped_or_early),
        WORKLOAD_TEST(a_time_limit_ends_a_run),
        WORKLOAD_TEST(checkpoints_are_written_between),
        WORKLOAD_TEST(runs_check_their_arguments),
        WORKLOAD_TEST(each_part_of_a_solver_fails),
        WORKLOAD_TEST(checkpoints_continue_a_run),
        WORKLOAD_TEST(verification_finds_a_deviation),
        WORKLOAD_TEST(registered_workloads_survive_failing_calls),
        WORKLOAD_TEST(a_run_that_hangs_is_given_up),
        WORKLOAD_TEST(a_host_that_hangs_is_given_up),
    };
    return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
