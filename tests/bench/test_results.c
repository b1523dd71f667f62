/* Statistics, result files, the comparison with a baseline, names of cases. */
#include "unit.h"

#include "bench/runner/bench.h"
#include "cli/cli.h"
#include "cli/output/stats.h"

#include <ctype.h>
#include <math.h>
#include <sys/stat.h>

static void quartiles_and_median(void **state)
{
    (void)state;
    double odd[] = {5, 1, 4, 2, 3};
    struct stats stats = stats_of(odd, 5);
    assert_int_equal(stats.count, 5);
    assert_true(stats.median == 3 && stats.min == 1 && stats.max == 5);
    assert_near(stats.spread, (4.0 - 2.0) / 2 / 3, 1e-15);
    double even[] = {40, 10, 20, 30};
    stats = stats_of(even, 4);
    assert_true(stats.median == 25);
    assert_near(stats.spread, (32.5 - 17.5) / 2 / 25, 1e-15);
}

static void one_slow_sample_does_not_widen_the_spread(void **state)
{
    (void)state;
    double samples[] = {1, 1, 1, 1, 1, 1, 1, 1, 1000};
    struct stats stats = stats_of(samples, 9);
    assert_true(stats.median == 1 && stats.spread == 0 && stats.max == 1000);
}

static void few_samples(void **state)
{
    (void)state;
    double one[] = {7};
    struct stats stats = stats_of(one, 1);
    assert_true(stats.median == 7 && stats.min == 7 && stats.max == 7 && stats.spread == 0);
    stats = stats_of(NULL, 0);
    assert_true(isnan(stats.median) && isnan(stats.spread) && stats.count == 0);
}

static struct result_row row_of(double value, double spread, bool higher)
{
    return (struct result_row){.name = (char *)"lib.sum.f32",
                               .device = (char *)"fake:0",
                               .variant = (char *)"cl",
                               .precision = (char *)"fp32",
                               .unit = (char *)(higher ? "bytes/s" : "s"),
                               .value = value,
                               .higher_is_better = higher,
                               .samples = 9,
                               .min = value * 0.9,
                               .max = value * 1.1,
                               .spread = spread,
                               .bound = SHOAL_ROOF_COPY_BYTES,
                               .roof = 2 * value,
                               .share = 0.5,
                               .check = RESULT_PASSED,
                               .error = 1e-7,
                               .device_s = 0.5,
                               .wall_s = 0.6,
                               .build_s = 0.1,
                               .first_launch_s = 0.2,
                               .published = value / 8,
                               .published_on = (char *)"GTX660Ti",
                               .compiler = (char *)"cc -O3",
                               .figures = {{"frames", "1/s", 4}, {"thesis flop", "flop/s", 1e9}},
                               .figure_count = 2};
}

static bool is_worse(double now, double now_spread, double before, double before_spread, bool higher)
{
    struct result_row row = row_of(now, now_spread, higher), baseline = row_of(before, before_spread, higher);
    struct regression regression;
    assert_true(regression_compare(&row, &baseline, &regression));
    return regression.worse;
}

static void loss_of_a_rate_is_at_most_all_of_it(void **state)
{
    (void)state;
    const struct {
        double now, before, loss;
        bool higher;
    } cases[] = {{3.0, 6.6, 0.545, true}, {6.6, 3.0, -1.2, true}, {2, 1, 1, false}, {1, 2, -0.5, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct result_row row = row_of(cases[i].now, 0, cases[i].higher),
                                before = row_of(cases[i].before, 0, cases[i].higher);
        struct regression regression;
        assert_true(regression_compare(&row, &before, &regression));
        assert_near(regression.loss, cases[i].loss, 1e-3);
    }
}

static void busy_above_half_of_the_threads(void **state)
{
    (void)state;
    assert_false(result_machine_is_busy(&(struct result_machine){.load = 2, .threads = 4}));
    assert_true(result_machine_is_busy(&(struct result_machine){.load = 2.01, .threads = 4}));
    assert_false(result_machine_is_busy(&(struct result_machine){.load = NAN, .threads = 4}));
    char *load = result_machine_load(&(struct result_machine){.load = 3.1, .threads = 4});
    assert_contains(load, "load 3.10 in the minute before the start, of 4 threads: other programs");
    free(load);
}

static void regression_needs_five_percent(void **state)
{
    (void)state;
    assert_false(is_worse(95.1, 0, 100, 0, true));
    assert_true(is_worse(94.9, 0, 100, 0, true));
    assert_false(is_worse(104.9, 0, 100, 0, false));
    assert_true(is_worse(105.1, 0, 100, 0, false));
    assert_false(is_worse(1000, 0, 1, 0, true));
    assert_false(is_worse(1, 0, 1000, 0, false));
}

static void regression_allows_three_spreads_of_both(void **state)
{
    (void)state;
    assert_false(is_worse(83, 0.02, 100, 0.04, true)); /* 17 % < 3 x (2 % + 4 %) */
    assert_true(is_worse(81, 0.02, 100, 0.04, true));
    assert_true(is_worse(94, 0.001, 100, 0.001, true)); /* 0.6 % would be less than the 5 % */
}

static void figure_that_is_gone_is_worse(void **state)
{
    (void)state;
    assert_true(is_worse(NAN, NAN, 100, 0.5, true));
}

static void rows_that_cannot_be_compared(void **state)
{
    (void)state;
    struct result_row row = row_of(1, 0, true), baseline = row_of(NAN, 0, true);
    struct regression regression;
    assert_false(regression_compare(&row, &baseline, &regression));
    baseline = row_of(1, 0, true);
    baseline.unit = (char *)"pairs/s";
    assert_false(regression_compare(&row, &baseline, &regression));
}

static void fill(struct results *results)
{
    char *argv[] = {(char *)"/some/where/shoal", (char *)"bench", (char *)"--filter", (char *)"lib.*",
                    (char *)"it's"};
    const struct shoal_roofs roofs = {.fp32_flops = 1e12,
                                      .sfu_ops = 1e11,
                                      .copy_bytes = 1e9,
                                      .launch_s = 5e-6,
                                      .launch_sync_s = 1e-5,
                                      .copy_buffer = 1 << 20};
    struct result_row good = row_of(123.456789012345, 0.0123, true), failed = row_of(NAN, NAN, false);
    assert_ok(results_begin(results, "Fake CPU", 5, argv, &test_error));
    assert_ok(results_add_named_device(results, "fake:0", "Fake GPU", "1.0", &roofs, &test_error));
    assert_ok(results_add_named_device(results, "fake:1", "Other", "2.0", NULL, &test_error));
    assert_ok(results_add_row(results, &good, &test_error));
    failed.check = RESULT_FAILED;
    failed.min = failed.max = NAN;
    failed.roof = failed.share = 0;
    failed.bound = SHOAL_ROOF_NONE;
    failed.published = 0;
    failed.published_on = failed.compiler = NULL;
    failed.figure_count = 0;
    failed.name = (char *)"lib.scan.u32";
    assert_ok(results_add_row(results, &failed, &test_error));
}

static void round_trip(void **state)
{
    (void)state;
    struct results written, read;
    char *path = NULL;
    fill(&written);
    assert_string_equal(written.command, "shoal bench --filter 'lib.*' 'it'\\''s'");
    assert_ok(results_write(&written, test_path("run.json"), &path, &test_error));
    assert_string_equal(path, test_path("run.json"));
    assert_ok(results_read(&read, path, &test_error));
    assert_string_equal(read.commit, written.commit);
    assert_string_equal(read.date, written.date);
    assert_string_equal(read.command, written.command);
    assert_string_equal(read.machine.processor, "Fake CPU");
    assert_string_equal(read.machine.name, written.machine.name);
    assert_string_equal(read.machine.kernel, written.machine.kernel);
    assert_true(read.machine.threads >= 1 && read.machine.threads == written.machine.threads);
    assert_true(read.machine.load == written.machine.load);
    assert_int_equal(read.device_count, 2);
    assert_true(read.devices[0].roofs.fp32_flops == 1e12 && read.devices[0].roofs.fp64_flops == 0);
    assert_near(read.devices[0].roofs.launch_s, 5e-6, 1e-18);
    assert_true(read.devices[1].roofs.copy_bytes == 0);
    assert_int_equal(read.row_count, 2);
    const struct result_row *row = &read.rows[0], *source = &written.rows[0];
    assert_string_equal(row->name, source->name);
    assert_string_equal(row->unit, "bytes/s");
    assert_true(row->value == source->value && row->spread == source->spread && row->min == source->min);
    assert_true(row->higher_is_better && row->samples == 9 && row->check == RESULT_PASSED);
    assert_int_equal(row->bound, SHOAL_ROOF_COPY_BYTES);
    assert_true(row->roof == source->roof && row->share == 0.5 && row->device_s == 0.5);
    assert_true(row->published == source->published);
    assert_string_equal(row->published_on, "GTX660Ti");
    assert_string_equal(row->compiler, "cc -O3");
    assert_int_equal(row->figure_count, 2);
    assert_string_equal(row->figures[1].name, "thesis flop");
    assert_string_equal(row->figures[1].unit, "flop/s");
    assert_true(row->figures[0].value == 4 && row->figures[1].value == 1e9);
    assert_ptr_equal(results_row(&read, source), row);
    row = &read.rows[1];
    assert_true(row->published == 0 && !*row->published_on && !*row->compiler && row->figure_count == 0);
    assert_true(isnan(row->value) && isnan(row->min) && row->check == RESULT_FAILED && row->share == 0);
    results_clear(&written);
    results_clear(&read);
    free(path);
}

static void failed_row_is_null_in_the_file(void **state)
{
    (void)state;
    struct results results;
    fill(&results);
    cJSON *json = results_json(&results);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows"), *row = cJSON_GetArrayItem(rows, 1);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "value")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "min")));
    assert_string_equal(cJSON_GetObjectItem(row, "check")->valuestring, "fail");
    cJSON_Delete(json);
    results_clear(&results);
}

/* Files of before, and rows that reproduce no figure. */
static void keys_that_may_be_missing(void **state)
{
    (void)state;
    static const char *const optional[] = {"published", "published_on", "compiler", "figures"};
    struct results results, read;
    fill(&results);
    cJSON *json = results_json(&results), *rows = cJSON_GetObjectItem(json, "rows");
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        assert_true(cJSON_HasObjectItem(cJSON_GetArrayItem(rows, 0), optional[i]));
        assert_false(cJSON_HasObjectItem(cJSON_GetArrayItem(rows, 1), optional[i]));
    }
    cJSON_SetNumberHelper(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "published"), 5);
    cJSON_ReplaceItemInObject(cJSON_GetArrayItem(rows, 0), "compiler", cJSON_CreateNumber(5));
    char *text = cJSON_Print(json);
    assert_status(results_parse(&read, text, "run.json", &test_error), SHOAL_IO);
    assert_contains(test_error.message, "rows[0]: \"compiler\"");
    cJSON_free(text);
    cJSON_Delete(json);
    results_clear(&results);
}

static void folder_gets_a_named_file(void **state)
{
    (void)state;
    struct results results, read;
    char *path = NULL;
    fill(&results);
    free(results.date);
    results.date = strdup("2026-11-21T04:05:06Z");
    assert_ok(results_write(&results, test_folder(), &path, &test_error));
    assert_contains(path, "-2026-11-21T040506Z.json");
    assert_int_equal(test_count_files(test_folder(), ".json", NULL, 0), 1);
    assert_ok(results_read(&read, path, &test_error));
    results_clear(&results);
    results_clear(&read);
    free(path);
}

static void write_that_fails_leaves_nothing(void **state)
{
    (void)state;
    struct results results;
    fill(&results);
    assert_status(results_write(&results, test_path("missing/run.json"), NULL, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "missing/run.json");
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
    results_clear(&results);
}

static void refuse(const char *text, const char *message)
{
    struct results results;
    assert_status(results_parse(&results, text, "run.json", &test_error), SHOAL_IO);
    assert_contains(test_error.message, "run.json: ");
    assert_contains(test_error.message, message);
    assert_null(results.rows);
    assert_null(results.commit);
}

static void damaged_files(void **state)
{
    (void)state;
    refuse("", "no JSON object");
    refuse("[1]", "no JSON object");
    refuse("{\"schema\": 2}", "schema 1");
    refuse("{\"schema\": 1, \"commit\": \"a\", \"date\": \"b\", \"command\": \"c\"}", "\"devices\"");
    refuse(
        "{\"schema\": 1, \"commit\": 5, \"date\": \"b\", \"command\": \"c\", \"devices\": [], \"rows\": []}",
        "\"commit\"");
    refuse("{\"schema\": 1, \"commit\": \"a\", \"date\": \"b\", \"command\": \"c\", \"devices\": [], "
           "\"rows\": [7]}",
           "rows[0]: ");
    refuse("{\"schema\": 1, \"commit\": \"a\", \"date\": \"b\", \"command\": \"c\", "
           "\"devices\": [{\"id\": \"x\", \"name\": \"y\", \"driver\": \"z\"}], \"rows\": []}",
           "devices[0]: \"roofs\"");
    struct results results;
    assert_status(results_read(&results, test_path("none.json"), &test_error), SHOAL_IO);
    assert_contains(test_error.message, "none.json");
    assert_status(results_read(&results, test_folder(), &test_error), SHOAL_IO);
}

static void every_missing_key_is_named(void **state)
{
    (void)state;
    static const char *const keys[] = {"case",   "device",  "variant",        "precision", "value",
                                       "unit",   "better",  "samples",        "min",       "max",
                                       "roof",   "share",   "check",          "error",     "device_s",
                                       "wall_s", "build_s", "first_launch_s", "bound"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct results results;
        fill(&results);
        cJSON *json = results_json(&results);
        cJSON_DeleteItemFromObject(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rows"), 0), keys[i]);
        char *text = cJSON_Print(json);
        refuse(text, keys[i]);
        cJSON_free(text);
        cJSON_Delete(json);
        results_clear(&results);
    }
}

static void roofs_have_names(void **state)
{
    (void)state;
    for (int roof = SHOAL_ROOF_NONE; roof <= SHOAL_ROOF_LAUNCH; roof++) {
        enum shoal_roof found;
        assert_true(result_roof_find(result_roof_name((enum shoal_roof)roof), &found));
        assert_int_equal(found, roof);
    }
    enum shoal_roof found;
    assert_false(result_roof_find("speed", &found));
}

static void filter(void **state)
{
    (void)state;
    assert_true(bench_matches(NULL, "lib.sum.f32"));
    assert_true(bench_matches("lib", "lib.sum.f32"));
    assert_true(bench_matches("lib.sum", "lib.sum.f32"));
    assert_true(bench_matches("lib.sum.f32", "lib.sum.f32"));
    assert_true(bench_matches("*.f32", "lib.sum.f32"));
    assert_true(bench_matches("lib.s?m.*", "lib.sum.f32"));
    assert_false(bench_matches("lib.su", "lib.sum.f32"));
    assert_false(bench_matches("sum", "lib.sum.f32"));
    assert_false(bench_matches("lib.sum.f32.x", "lib.sum.f32"));
    assert_false(bench_matches("", "lib.sum.f32"));
}

/* workload.method.size, each once, with a program that exists. */
static void cases_are_named_well(void **state)
{
    (void)state;
    assert_true(bench_case_count() > 0);
    assert_null(bench_case_at(bench_case_count()));
    for (size_t i = 0; i < bench_case_count(); i++) {
        const struct bench_case *one = bench_case_at(i);
        size_t dots = 0;
        for (const char *c = one->name; *c; c++) {
            /* Decimal fractions are rates, behind -, or densities. */
            const size_t at = (size_t)(c - one->name);
            dots += *c == '.' && !(at > 1 && isdigit(c[-1]) && isdigit(c[1]) && strchr("-o", c[-2]));
            /* Instances have names such as E100k.0, C1k.0, E1M.0 and kroA100. */
            dots -= *c == '.' && at > 0 && strchr("kM", c[-1]) && isdigit(c[1]);
            assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.' || *c == '-' ||
                        strchr("ACEM", *c));
        }
        assert_int_equal(dots, 2);
        assert_true(one->help && *one->help && one->unit && *one->unit && one->precision);
        assert_true(one->measure || one->device || one->host);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(one->name, bench_case_at(j)->name);
        assert_true(!one->program || bench_program(one->program));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(quartiles_and_median),
        UNIT_TEST(one_slow_sample_does_not_widen_the_spread),
        UNIT_TEST(few_samples),
        UNIT_TEST(loss_of_a_rate_is_at_most_all_of_it),
        UNIT_TEST(busy_above_half_of_the_threads),
        UNIT_TEST(regression_needs_five_percent),
        UNIT_TEST(regression_allows_three_spreads_of_both),
        UNIT_TEST(figure_that_is_gone_is_worse),
        UNIT_TEST(rows_that_cannot_be_compared),
        UNIT_TEST(round_trip),
        UNIT_TEST(failed_row_is_null_in_the_file),
        UNIT_TEST(keys_that_may_be_missing),
        UNIT_TEST(folder_gets_a_named_file),
        UNIT_TEST(write_that_fails_leaves_nothing),
        UNIT_TEST(damaged_files),
        UNIT_TEST(every_missing_key_is_named),
        UNIT_TEST(roofs_have_names),
        UNIT_TEST(filter),
        UNIT_TEST(cases_are_named_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
