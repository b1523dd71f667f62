/* The runner over the fake backend and the host: what it does, never how fast. */
#include "unit.h"

#include "bench/runner/bench.h"

#include <math.h>

/* What the cases of these tests are told to do, and what was done to them. */
static struct {
    enum shoal_status create_status, run_status;
    unsigned fail_check; /* the nth check does not pass; 0: all do */
    bool native;
    unsigned created, prepared, runs, checks, destroyed;
    uint32_t threads[4];
    enum shoal_variant variants[4];
} plan;

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    plan.threads[plan.created % 4] = bench->threads;
    plan.variants[plan.created % 4] = bench->variant;
    plan.created++;
    bench->work = 1000;
    bench->roof_work = 2000;
    bench->native = plan.native && bench->variant != SHOAL_VARIANT_CL;
    bench->build_s = 0.25;
    return plan.create_status == SHOAL_OK ? SHOAL_OK
                                          : bench_fail(error, plan.create_status, "the case cannot be made");
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    (void)bench;
    (void)error;
    assert_int_equal(plan.prepared, plan.runs); /* once before each repetition */
    plan.prepared++;
    return SHOAL_OK;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    (void)bench;
    plan.runs++;
    return plan.run_status == SHOAL_OK ? SHOAL_OK : bench_fail(error, plan.run_status, "the run failed");
}

static enum shoal_status check(struct bench *bench, struct bench_check *result, struct shoal_error *error)
{
    (void)bench;
    (void)error;
    plan.checks++;
    result->passed = plan.checks != plan.fail_check;
    result->error = 1e-6 * plan.checks;
    if (!result->passed)
        strcpy(result->detail, "seven is not eight");
    return SHOAL_OK;
}

static void destroy(struct bench *bench)
{
    (void)bench;
    plan.destroyed++;
}

static const struct bench_ops plain = {create, NULL, run, check, destroy};
static const struct bench_ops prepared = {create, prepare, run, check, destroy};

static struct bench_case one_case(void)
{
    return (struct bench_case){.name = "test.plain.1",
                               .help = "nothing",
                               .unit = "bytes/s",
                               .precision = "fp32",
                               .roof = SHOAL_ROOF_COPY_BYTES,
                               .device = &plain,
                               .host = &plain};
}

static struct {
    size_t rows, skipped;
    struct shoal_error last;
} seen;

static void see(void *data, const struct bench_case *bench_case, struct shoal_device *device,
                const struct result_row *row, const struct shoal_error *error)
{
    assert_null(data);
    assert_non_null(bench_case);
    assert_non_null(device);
    seen.last = *error;
    seen.rows += row != NULL;
    seen.skipped += row == NULL;
}

static struct shoal *shoal;
static struct results results;

static int setup(void **state)
{
    static const struct shoal_roofs roofs = {.copy_bytes = 1e9, .launch_s = 1e-5};
    char *argv[] = {(char *)"shoal"};
    unit_setup(state);
    memset(&plan, 0, sizeof plan);
    memset(&seen, 0, sizeof seen);
    shoal = unit_open();
    assert_ok(results_begin(&results, "Fake CPU", 1, argv, &test_error));
    for (size_t i = 0; i < shoal_device_count(shoal); i++)
        assert_ok(results_add_device(&results, shoal_device_at(shoal, i), &roofs, &test_error));
    return 0;
}

static int teardown(void **state)
{
    results_clear(&results);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static struct shoal_device *device(const char *id)
{
    struct shoal_device *found = NULL;
    size_t count;
    assert_ok(shoal_device_select(shoal, id, 0, &found, 1, &count, &test_error));
    return found;
}

static enum shoal_status run_case(const struct bench_case *bench_case, const char *id,
                                  const struct bench_options *options)
{
    static const struct bench_options standard = {.seconds = 0};
    return bench_case_run(bench_case, shoal, device(id), options ? options : &standard, &results, see, NULL);
}

static void a_row_with_its_roof(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    one.clock = BENCH_WALL_TIME; /* the fake's own clock stands still */
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    assert_int_equal(results.row_count, 1);
    const struct result_row *row = &results.rows[0];
    assert_string_equal(row->name, "test.plain.1");
    assert_string_equal(row->device, "fake:0");
    assert_string_equal(row->variant, "cl");
    assert_int_equal(row->check, RESULT_PASSED);
    assert_true(row->value > 0 && row->min <= row->value && row->value <= row->max);
    assert_true(row->samples >= 3 && row->higher_is_better && row->build_s == 0.25);
    assert_near(row->roof, 0.5e9, 1);
    assert_near(row->share, row->value / row->roof, 1e-12 * row->share);
    assert_int_equal(plan.checks, 2); /* after the first repetition and after the last */
    assert_true(row->error == 2e-6);
    assert_true(plan.created == 1 && plan.destroyed == 1);
}

static void time_of_launches_against_their_roof(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    one.clock = BENCH_WALL_TIME;
    one.unit = "s";
    one.roof = SHOAL_ROOF_LAUNCH;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    const struct result_row *row = &results.rows[0];
    assert_false(row->higher_is_better);
    assert_near(row->roof, 2000 * 1e-5, 1e-12);
    assert_near(row->share, row->roof / row->value, 1e-12 * row->share);
}

static enum shoal_status create_parts(struct bench *bench, struct shoal_error *error)
{
    assert_string_equal(bench->data, "data of the case");
    bench->compiler = "cc -O9";
    enum shoal_status status = create(bench, error);
    bench->parts = 100;
    return status;
}

static void time_of_one_part(void **state)
{
    (void)state;
    static const struct bench_ops parts = {create_parts, NULL, run, check, destroy};
    struct bench_case one = one_case();
    one.clock = BENCH_WALL_TIME;
    one.unit = "s";
    one.device = &parts;
    one.data = "data of the case";
    one.published = 3;
    one.published_on = "an abacus";
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    const struct result_row *row = &results.rows[0];
    assert_near(row->value, row->wall_s / 100, 1e-12 * row->value);
    assert_near(row->roof, 2000 / 1e9 / 100, 1e-15);
    assert_true(row->published == 3);
    assert_string_equal(row->published_on, "an abacus");
    assert_string_equal(row->compiler, "cc -O9");
}

static void large_cases_are_not_for_cpus(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    const struct bench_options large = {.large = true, .one_row = true};
    one.large = true;
    assert_int_equal(run_case(&one, "host", NULL), SHOAL_OK);
    assert_true(results.row_count == 0 && seen.skipped == 1 && plan.created == 0);
    assert_contains(seen.last.message, "full name test.plain.1");
    assert_int_equal(run_case(&one, "host", &large), SHOAL_OK);
    assert_int_equal(results.row_count, 1);
    one.clock = BENCH_WALL_TIME;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK); /* no CPU */
    assert_int_equal(results.row_count, 2);
}

static void failed_check_has_no_figure(unsigned which)
{
    struct bench_case one = one_case();
    plan.fail_check = which;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_CHECK_FAILED);
    assert_int_equal(results.row_count, 1);
    const struct result_row *row = &results.rows[0];
    assert_int_equal(row->check, RESULT_FAILED);
    assert_true(isnan(row->value) && isnan(row->min) && isnan(row->max) && isnan(row->spread));
    assert_true(isnan(row->device_s) && isnan(row->wall_s) && isnan(row->first_launch_s));
    assert_true(row->roof == 0 && row->share == 0 && row->samples == 0);
    assert_int_equal(seen.last.status, SHOAL_CHECK_FAILED);
    assert_contains(seen.last.message, "test.plain.1");
    assert_contains(seen.last.message, "seven is not eight");
    assert_int_equal(plan.destroyed, 1);
}

static void check_fails_at_first(void **state)
{
    (void)state;
    failed_check_has_no_figure(1);
    assert_int_equal(plan.runs, 1); /* nothing is measured that is wrong */
}

static void check_fails_at_last(void **state)
{
    (void)state;
    failed_check_has_no_figure(2);
}

static void unsupported_is_left_out(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    plan.create_status = SHOAL_UNSUPPORTED;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    plan.create_status = SHOAL_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    assert_true(results.row_count == 0 && seen.skipped == 2 && plan.destroyed == 2);
    assert_contains(seen.last.message, "cannot be made");
}

static void failures_are_returned(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    plan.create_status = SHOAL_BUILD_FAILED;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_BUILD_FAILED);
    plan.create_status = SHOAL_OK;
    plan.run_status = SHOAL_DEVICE_LOST;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_DEVICE_LOST);
    assert_true(results.row_count == 0 && plan.destroyed == 2);
}

static void failing_calls_of_the_queue(void **state)
{
    (void)state;
    static const enum fake_call calls[] = {FAKE_QUEUE_CREATE, FAKE_SPAN_BEGIN, FAKE_SPAN_END};
    struct bench_case one = one_case();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        fake_fail_call(calls[i], 1, SHOAL_FAILED);
        assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_FAILED);
    }
    assert_int_equal(results.row_count, 0);
    assert_int_equal(plan.created, plan.destroyed);
}

static const struct bench_case *case_of(const char *name)
{
    for (size_t i = 0; i < bench_case_count(); i++)
        if (strcmp(bench_case_at(i)->name, name) == 0)
            return bench_case_at(i);
    print_error("there is no case %s\n", name);
    assert_true(false);
    return NULL;
}

/* Runs as they are measured: a second row only for the solver that took native text. The fake's kernels
 * compute nothing, so all rows say that their check failed. */
static void runs_without_native_text_have_one_row(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("With native text");
    info.local_mem = info.local_mem_max = 48 << 10;
    shoal_close(&shoal);
    fake_reset();
    fake_add_device(&fake_other_backend, &info);
    shoal = unit_open();
    run_case(case_of("gas.allpairs.log-1024"), "other:0", NULL);
    assert_int_equal(results.row_count, 1);
    assert_string_equal(results.rows[0].variant, "cl");
    run_case(case_of("pso.onchip.40x30"), "other:0", NULL);
    assert_int_equal(results.row_count, 3);
    assert_string_equal(results.rows[1].variant, "cu");
    assert_string_equal(results.rows[2].variant, "cl");
}

static void native_text_has_a_row_of_its_own(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    const struct bench_options cl_only = {.variant = SHOAL_VARIANT_CL};
    const struct bench_options one_row = {.one_row = true};
    plan.native = true;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    assert_int_equal(results.row_count, 2);
    assert_string_equal(results.rows[0].variant, "cu");
    assert_string_equal(results.rows[1].variant, "cl");
    assert_int_equal(plan.variants[1], SHOAL_VARIANT_CL);
    assert_int_equal(run_case(&one, "fake:0", &cl_only), SHOAL_OK);
    assert_int_equal(results.row_count, 3);
    assert_int_equal(run_case(&one, "fake:0", &one_row), SHOAL_OK);
    assert_int_equal(results.row_count, 4);
    assert_string_equal(results.rows[3].variant, "cu");
}

static void host_on_one_and_all_threads(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    uint32_t all = shoal_device_get_info(device("host"))->units;
    char variant[16];
    assert_int_equal(run_case(&one, "host", NULL), SHOAL_OK);
    assert_int_equal(results.row_count, all > 1 ? 2 : 1);
    assert_int_equal(plan.threads[0], 1);
    assert_string_equal(results.rows[0].variant, "t1");
    const struct result_row *last = &results.rows[results.row_count - 1];
    snprintf(variant, sizeof variant, "t%u", all);
    assert_string_equal(last->variant, variant);
    assert_true(last->share > 0);
    assert_true(all == 1 || results.rows[0].share == 0); /* the roofs are those of all threads */
    assert_true(last->device_s == 0 && last->wall_s > 0);
}

static void no_rows_where_a_case_has_no_form(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    one.host = NULL;
    assert_int_equal(run_case(&one, "host", NULL), SHOAL_OK);
    one.device = NULL;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    assert_true(results.row_count == 0 && seen.rows == 0 && seen.skipped == 0 && plan.created == 0);
}

static void prepare_precedes_each_repetition(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    one.device = &prepared;
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_OK);
    assert_int_equal(plan.prepared, plan.runs);
    assert_true(plan.runs >= 4);
}

static bool stop_at_once(void *data)
{
    (void)data;
    return true;
}

static void stop_ends_the_case(void **state)
{
    (void)state;
    struct bench_case one = one_case();
    const struct bench_options options = {.stop = stop_at_once, .seconds = 1000};
    plan.native = true;
    assert_int_equal(run_case(&one, "fake:0", &options), SHOAL_STOPPED);
    assert_int_equal(results.row_count, 0);
    assert_int_equal(plan.created, 1); /* no second row either */
    assert_int_equal(plan.destroyed, 1);
}

static enum shoal_status emit(struct bench *bench, struct bench_sink *sink, struct shoal_error *error)
{
    static const double samples[] = {2e-5, 1e-5, 4e-5};
    struct bench_figure figure = {.suffix = "-raw",
                                  .variant = "cl",
                                  .unit = "s",
                                  .samples = samples,
                                  .sample_count = 3,
                                  .check = {.passed = true}};
    (void)bench;
    (void)error;
    bench_emit(sink, &figure);
    figure.suffix = "-bad";
    figure.check.passed = false;
    bench_emit(sink, &figure);
    return SHOAL_OK;
}

static void case_that_measures_itself(void **state)
{
    (void)state;
    struct bench_case one = {.name = "test.own.1",
                             .help = "own samples",
                             .unit = "s",
                             .precision = "",
                             .roof = SHOAL_ROOF_LAUNCH,
                             .measure = emit};
    assert_int_equal(run_case(&one, "host", NULL), SHOAL_OK);
    assert_int_equal(results.row_count, 0);
    assert_int_equal(run_case(&one, "fake:0", NULL), SHOAL_CHECK_FAILED);
    assert_int_equal(results.row_count, 2);
    assert_string_equal(results.rows[0].name, "test.own.1-raw");
    assert_true(results.rows[0].value == 2e-5 && results.rows[0].min == 1e-5 && results.rows[0].max == 4e-5);
    assert_near(results.rows[0].share, 0.5, 1e-12);
    assert_true(isnan(results.rows[1].value));
    assert_int_equal(results.rows[1].check, RESULT_FAILED);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_row_with_its_roof),
        TEST(time_of_launches_against_their_roof),
        TEST(time_of_one_part),
        TEST(large_cases_are_not_for_cpus),
        TEST(check_fails_at_first),
        TEST(check_fails_at_last),
        TEST(unsupported_is_left_out),
        TEST(failures_are_returned),
        TEST(failing_calls_of_the_queue),
        TEST(native_text_has_a_row_of_its_own),
        TEST(runs_without_native_text_have_one_row),
        TEST(host_on_one_and_all_threads),
        TEST(no_rows_where_a_case_has_no_form),
        TEST(prepare_precedes_each_repetition),
        TEST(stop_ends_the_case),
        TEST(case_that_measures_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
