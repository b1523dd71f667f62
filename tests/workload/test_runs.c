/* Runs of any workload: how they end, hang, fail and go on from checkpoints, with the workload that counts.
 */
#include "fixture.h"

#include "base/error.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

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
    char phases[160]; /* one behind the other */
};

static void note_progress(void *data, const struct shoal_progress *progress)
{
    struct seen *seen = data;
    struct stat info;
    assert_true(progress->seconds >= 0);
    if (progress->phase) {
        const size_t length = strlen(seen->phases);
        snprintf(seen->phases + length, sizeof seen->phases - length, "%s, ", progress->phase);
        return;
    }
    seen->done = progress->done;
    seen->total = progress->total;
    if (!isnan(progress->value))
        seen->value = progress->value;
    if (seen->path && progress->done < progress->total)
        seen->there = stat(seen->path, &info) == 0;
}

/* The initial state may be most of the work. */
static void times_hold_the_initial_state(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    counter_start_s = 0.02;
    for (size_t i = 0; i < 2; i++) {
        struct shoal_report report = {0};
        params.time = NAN;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_true(report.wall_s >= counter_start_s && report.first_launch_s < counter_start_s);
        assert_true(i == 0 || report.device_s == report.wall_s);
        shoal_report_clear(&report);
        params.time = counter_start_s / 2;
        assert_ok(shoal_run(&counter_workload.face, devices[i], &params, NULL, &report, &test_error));
        assert_true(report.timed_out && report.result.steps == 0 && report.wall_s >= counter_start_s);
        shoal_report_clear(&report);
    }
}

static void runs_end_complete_stopped_or_early(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    for (size_t i = 0; i < 2; i++) {
        struct shoal_report report = {0};
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
        assert_string_equal(
            seen.phases,
            "reads its input and builds kernels, initial state and first step, checks the result, ");
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

static enum shoal_status refuse_checkpoint(void *data, struct shoal_error *error)
{
    ++*(unsigned *)data;
    return fail(error, SHOAL_FAILED, "a file is lost");
}

/* Files of the caller that are lost end the run, and no checkpoint is written without them. */
static void lost_files_leave_no_checkpoint(void **state)
{
    (void)state;
    for (int between = 0; between < 2; between++) {
        struct shoal_report report = {0};
        struct stat info;
        unsigned calls = 0;
        const struct shoal_run_params run =
            SHOAL_RUN_PARAMS(.checkpoint = test_path("lost.ckp"), .checkpoint_every = between ? 1e-9 : 0,
                             .chunk = 3, .on_checkpoint = refuse_checkpoint, .checkpoint_data = &calls);
        counter_init(&params);
        assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error),
                      SHOAL_FAILED);
        assert_string_equal(test_error.message, "a file is lost");
        assert_true(calls == 1 && stat(run.checkpoint, &info) != 0);
        assert_int_equal(report.result.steps, between ? 0 : 10);
        shoal_report_clear(&report);
    }
}

/* A limit of no time ends a run in front of its first step, as a complete one. */
static void a_time_limit_ends_a_run(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    for (size_t i = 0; i < 2; i++) {
        struct shoal_report report = {0};
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
    struct shoal_report report = {0};
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
    assert_contains(test_error.message, "raise --hang-limit (0: none)");
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
    struct shoal_report report = {0};
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

    /* A function of the caller takes its time, as where nobody reads the output. Steps come forward except in
     * it: how soon the thread begins does not matter. */
    counter_holds = counter_calls = true;
    assert_int_equal(pthread_create(&caller, NULL, run_on_the_host, &error), 0);
    usleep(200000);
    counter_holds = false;
    pthread_join(caller, &status);
    assert_int_equal((intptr_t)status, SHOAL_OK);
    assert_false(shoal_is_hung(shoal));

    counter_holds = true;
    counter_calls = counter_progress = false;
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
    struct shoal_report report = {0};
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.progress = note_progress;
    run.data = &seen;
    run.chunk = 3;
    run.checkpoint = path;
    run.checkpoint_every = 1e-9;
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    assert_true(seen.there);
    assert_contains(seen.phases, "checks the result, writes the checkpoint, ");
    shoal_report_clear(&report);
    /* Where that cannot be, the run goes on to its end, and its result is there. */
    run.checkpoint = "/nowhere/between.ckpt";
    assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error), SHOAL_IO);
    assert_int_equal(seen.done, 10);
    assert_non_null(report.solver); /* with its result */
    assert_int_equal(report.result.steps, 10);
    shoal_report_clear(&report);
    counter_fails_at = FAIL_VALUE;
    run.checkpoint = NULL;
    assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error), SHOAL_FAILED);
    shoal_report_clear(&report);
    /* A value that is not asked for is not computed. */
    run.value_every = INFINITY;
    seen.value = -1;
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    assert_true(seen.done == 10 && seen.value == -1);
    shoal_report_clear(&report);
    counter_fails_at = 0;
    run.value_every = 0;
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    assert_true(seen.value == 10);
    shoal_report_clear(&report);
}

struct turns {
    uint64_t calls, steps; /* steps: asked for until the next call */
    enum shoal_status status;
};

static enum shoal_status count_turns(void *data, struct shoal_solver *solver, uint64_t *steps,
                                     struct shoal_error *error)
{
    struct turns *turns = data;
    assert_non_null(solver);
    assert_int_equal(*steps, 0);
    *steps = turns->steps;
    turns->calls++;
    return turns->status ? fail(error, turns->status, "the view") : SHOAL_OK;
}

/* After the first of ten steps, then before each chunk, or as often as the function itself asks. */
static void calls_are_made_between_steps(void **state)
{
    (void)state;
    static const struct {
        double every;
        uint64_t chunk, steps, calls;
    } cases[] = {{0, 3, 0, 3}, {0, 3, 1, 9}, {0, 3, 2, 5}, {0, 100, 0, 1}, {1e9, 1, 0, 1}, {1e9, 3, 1, 9}};
    struct shoal_device *const devices[] = {device, host};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        struct turns turns = {.steps = cases[i / 2].steps};
        struct shoal_report report = {0};
        struct shoal_run_params run;
        shoal_run_params_init(&run);
        run.chunk = cases[i / 2].chunk;
        run.between = count_turns;
        run.between_data = &turns;
        run.between_every = cases[i / 2].every;
        assert_ok(shoal_run(&counter_workload.face, devices[i % 2], &params, &run, &report, &test_error));
        assert_int_equal(turns.calls, cases[i / 2].calls);
        assert_int_equal(report.result.steps, 10);
        shoal_report_clear(&report);
        turns.status = SHOAL_IO;
        assert_status(shoal_run(&counter_workload.face, devices[i % 2], &params, &run, &report, &test_error),
                      SHOAL_IO);
        shoal_report_clear(&report);
    }
}

/* What is read may be another file when the run goes on: without its hash there is no checkpoint. The memory
 * of this process is a regular file whose first page cannot be read. */
static void a_file_without_hash_guards_no_checkpoint(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("unguarded.ckpt"));
    static const char message[] = "no checkpoint is written, since the content that it depends on is not "
                                  "known: --file /proc/self/mem cannot be read: Input/output error";
    struct seen seen = {.path = path};
    struct shoal_report report = {0};
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.progress = note_progress;
    run.data = &seen;
    run.chunk = 3;
    run.checkpoint = path;
    run.checkpoint_every = 1e-9;
    params.file = "/proc/self/mem";
    assert_status(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, message);
    assert_false(seen.there);
    assert_int_equal(report.result.steps, 10); /* the result is there */
    assert_status(shoal_solver_save(report.solver, path, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, message);
    assert_int_equal(access(path, F_OK), -1);
    shoal_report_clear(&report);
    /* Without a checkpoint it is no matter. */
    run.checkpoint = NULL;
    assert_ok(shoal_run(&counter_workload.face, host, &params, &run, &report, &test_error));
    shoal_report_clear(&report);
}

static void runs_check_their_arguments(void **state)
{
    (void)state;
    struct shoal_report report = {0};
    struct shoal_run_params run;
    assert_status(shoal_run(NULL, host, &params, NULL, &report, &test_error), SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, NULL, &params, NULL, &report, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, host, NULL, NULL, &report, &test_error), SHOAL_INVALID);
    assert_status(shoal_run(&counter_workload.face, host, &params, NULL, NULL, &test_error), SHOAL_INVALID);
    const size_t sizes[] = {0, sizeof(size_t) - 1, sizeof run + 1, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        struct {
            struct shoal_run_params run;
            unsigned char more; /* of a newer program, which sets it */
        } newer = {.more = 1};
        shoal_run_params_init(&newer.run);
        newer.run.size = sizes[i];
        assert_status(shoal_run(&counter_workload.face, host, &params, &newer.run, &report, &test_error),
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

/* Each function of a solver fails: the run ends with its error and an empty report, which has the result
 * where only the checkpoint is missing. */
static void each_part_of_a_solver_fails(void **state)
{
    (void)state;
    struct shoal_device *const devices[] = {device, host};
    const char *path = test_path("counter.ckpt");
    char kept[512];
    snprintf(kept, sizeof kept, "%s", path);
    for (size_t i = 0; i < 2; i++)
        for (counter_fails_at = FAIL_CREATE; counter_fails_at <= FAIL_SAVE; counter_fails_at++) {
            struct shoal_report report = {0};
            struct shoal_run_params run;
            shoal_run_params_init(&run);
            run.checkpoint = kept;
            char part[32];
            snprintf(part, sizeof part, "injected at %d", (int)counter_fails_at);
            assert_status(shoal_run(&counter_workload.face, devices[i], &params, &run, &report, &test_error),
                          SHOAL_FAILED);
            assert_contains(test_error.message, part);
            assert_int_equal(report.solver != NULL, counter_fails_at == FAIL_SAVE);
            shoal_report_clear(&report);
            assert_null(report.queue);
            assert_int_equal(counters_alive, 0);
            struct stat info;
            assert_int_equal(stat(kept, &info), -1);
        }
}

static enum shoal_status run_file(struct shoal_device *on, const char *resume, const char *checkpoint,
                                  uint64_t *steps)
{
    struct shoal_report report = {0};
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

/* Of a workload that does not say where its checkpoints hold their steps, any fits. */
static void assert_steps_are_optional(const char *path)
{
    struct workload silent = counter_workload;
    struct checkpoint checkpoint;
    void *file = NULL;
    silent.steps_section = silent.steps_options = NULL;
    assert_ok(checkpoint_read(&checkpoint, path, &file, &test_error));
    assert_ok(solver_match(silent.host, &silent.face, &params, &checkpoint, &test_error));
    free(file);
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
    assert_contains(test_error.message, "is at step 9, this run ends at 8: raise --steps");
    assert_steps_are_optional(path);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORKLOAD_TEST(runs_end_complete_stopped_or_early),
        WORKLOAD_TEST(times_hold_the_initial_state),
        WORKLOAD_TEST(lost_files_leave_no_checkpoint),
        WORKLOAD_TEST(a_time_limit_ends_a_run),
        WORKLOAD_TEST(checkpoints_are_written_between),
        WORKLOAD_TEST(calls_are_made_between_steps),
        WORKLOAD_TEST(a_file_without_hash_guards_no_checkpoint),
        WORKLOAD_TEST(runs_check_their_arguments),
        WORKLOAD_TEST(each_part_of_a_solver_fails),
        WORKLOAD_TEST(checkpoints_continue_a_run),
        WORKLOAD_TEST(a_run_that_hangs_is_given_up),
        WORKLOAD_TEST(a_host_that_hangs_is_given_up),
    };
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
