/* The store of tuned values. */
#include "unit.h"

#include "compute/cache.h"
#include "compute/tune.h"

#include <sys/stat.h>

static struct shoal *shoal;
static struct shoal_device *device;

static const char *cache_path(void)
{
    return unit_path("cache");
}

static void open_store(void)
{
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = cache_path();
    shoal = unit_open_with(&params);
    device = shoal_device_at(shoal, 0);
}

static void expect(const char *program, const char *define, int64_t wanted)
{
    int64_t value = ~wanted;
    assert_true(shoal_tuning_get(device, program, define, &value));
    assert_true(value == wanted);
}

static void expect_none(const char *program, const char *define)
{
    int64_t value = 77;
    assert_false(shoal_tuning_get(device, program, define, &value));
    assert_int_equal(value, 77);
}

static void values_last(void **state)
{
    (void)state;
    open_store();
    expect_none("lib.sum", "WG");
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 128, &unit_error));
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 256, &unit_error));
    assert_ok(shoal_tuning_set(device, "lib.sum", "ITEMS", INT64_MIN, &unit_error));
    assert_ok(shoal_tuning_set(device, "lib.scan", "WG", INT64_MAX, &unit_error));
    expect("lib.sum", "WG", 256);
    shoal_close(&shoal);
    open_store();
    expect("lib.sum", "WG", 256);
    expect("lib.sum", "ITEMS", INT64_MIN);
    expect("lib.scan", "WG", INT64_MAX);
    expect_none("lib.scan", "ITEMS");
    expect_none("lib", "WG");
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    shoal_close(&shoal);
    struct stat info;
    assert_int_equal(stat(unit_path("cache/tuning.txt"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(unit_count_files(cache_path(), "", NULL, 0), 1);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    open_store();
    int64_t value;
    assert_false(shoal_tuning_get(NULL, "a", "b", &value));
    assert_false(shoal_tuning_get(device, NULL, "b", &value));
    assert_false(shoal_tuning_get(device, "a", NULL, &value));
    assert_false(shoal_tuning_get(device, "a", "b", NULL));
    assert_status(shoal_tuning_set(NULL, "a", "b", 1, &unit_error), SHOAL_INVALID);
    assert_status(shoal_tuning_set(device, NULL, "b", 1, &unit_error), SHOAL_INVALID);
    assert_status(shoal_tuning_set(device, "a", NULL, 1, &unit_error), SHOAL_INVALID);
    shoal_close(&shoal);
}

/* One model with one driver shares its values; another does not see them. */
static void values_belong_to_a_model(void **state)
{
    (void)state;
    fake_reset();
    struct shoal_device_info info = fake_gpu("Same");
    fake_add_device(&fake_backend, &info);
    fake_add_device(&fake_backend, &info);
    info.driver = "2.0";
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("Different");
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("Same");
    fake_add_device(&fake_other_backend, &info);
    open_store();
    device = shoal_device_at(shoal, 1);
    assert_string_equal(shoal_device_get_info(device)->id, "fake:0");
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 32, &unit_error));
    static const bool known[] = {false, true, true, false, false, false};
    for (size_t i = 0; i < 6; i++) {
        int64_t value;
        assert_int_equal(shoal_tuning_get(shoal_device_at(shoal, i), "lib.sum", "WG", &value), known[i]);
    }
    shoal_close(&shoal);
}

static void without_a_cache_they_last_for_the_instance(void **state)
{
    (void)state;
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 32, &unit_error));
    expect("lib.sum", "WG", 32);
    shoal_close(&shoal);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    expect_none("lib.sum", "WG");
    shoal_close(&shoal);
}

static void two_processes_do_not_lose_values(void **state)
{
    (void)state;
    open_store();
    struct shoal *first = shoal;
    struct shoal_device *first_device = device;
    open_store();
    assert_ok(shoal_tuning_set(first_device, "lib.sum", "WG", 32, &unit_error));
    assert_ok(shoal_tuning_set(device, "lib.scan", "WG", 64, &unit_error));
    shoal_close(&shoal);
    shoal_close(&first);
    open_store();
    expect("lib.sum", "WG", 32);
    expect("lib.scan", "WG", 64);
    shoal_close(&shoal);
}

static void odd_names_stay_on_their_line(void **state)
{
    (void)state;
    fake_reset();
    struct shoal_device_info info = fake_gpu("a=b|c\nd=5\re");
    info.driver = "=1=\n";
    fake_add_device(&fake_backend, &info);
    open_store();
    assert_ok(shoal_tuning_set(device, "p=q", "x\ny", 3, &unit_error));
    shoal_close(&shoal);
    open_store();
    expect("p=q", "x\ny", 3);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    shoal_close(&shoal);
}

static void bad_lines_are_left_out_with_one_warning(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\n\nfake Fake GPU|1.0|lib.sum|WG=64\nnonsense\n=5\nx=\nx=1.5\nx=1 \nx=0x10\n"
        "x=99999999999999999999\nfake Fake GPU|1.0|lib.scan|WG=-3";
    unit_write_text(unit_path("cache/tuning.txt"), text);
    open_store();
    expect("lib.sum", "WG", 64);
    expect("lib.scan", "WG", -3);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "tuning.txt");
    assert_contains(unit_log(), "7 lines");
    shoal_close(&shoal);

    size_t bad;
    struct tuning tuning = {0};
    assert_true(tuning_parse(&tuning, text, &bad));
    assert_int_equal(bad, 7);
    assert_int_equal(tuning.count, 2);
    assert_true(tuning_parse(&tuning, text, &bad));
    assert_int_equal(tuning.count, 2);
    tuning_free(&tuning);
    assert_int_equal(tuning.count, 0);
    tuning_free(&tuning);
}

static void a_store_that_cannot_be_used(void **state)
{
    (void)state;
    /* A folder where the file should be. */
    unit_write_text(unit_path("cache/tuning.txt/x"), "x");
    open_store();
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "tuning.txt");
    expect_none("lib.sum", "WG");
    assert_status(shoal_tuning_set(device, "lib.sum", "WG", 32, &unit_error), SHOAL_IO);
    assert_contains(unit_error.message, "tuning.txt");
    assert_true(unit_error.native != 0);
    expect("lib.sum", "WG", 32); /* known to this run all the same */
    assert_int_equal(unit_count_files(cache_path(), "", NULL, 0), 1);
    shoal_close(&shoal);
}

/* A wild value in the file must not break a build. */
static void wild_values_do_not_break_a_build(void **state)
{
    (void)state;
    static const char *const values[] = {"0",    "-1", "9223372036854775807", "-9223372036854775808",
                                         "1023", "1"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "fake Fake GPU|1.0|unit.program|WG=%s\nfake Fake GPU|1.0|unit.program|REAL=%s\n"
                 "fake Fake GPU|1.0|unit.program REAL=32 COUNT=4 A=1 limit|WG=%s\n",
                 values[i], values[i], values[i]);
        unit_write_text(unit_path("cache/tuning.txt"), text);
        unit_write_text(unit_path("unit/program.cl"), unit_text);
        struct shoal_params params = unit_params();
        params.no_cache = false;
        params.cache_dir = cache_path();
        params.kernel_dir = unit_folder();
        shoal = unit_open_with(&params);
        device = shoal_device_at(shoal, 0);
        struct shoal_program *program;
        assert_ok(shoal_program_create(device, &unit_program, NULL, &program, &unit_error));
        int64_t size = shoal_program_define(program, "WG");
        assert_true(size >= 1 && size <= 256);
        shoal_program_destroy(&program);
        shoal_close(&shoal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(values_last),
        UNIT_TEST(arguments_are_checked),
        UNIT_TEST(values_belong_to_a_model),
        UNIT_TEST(without_a_cache_they_last_for_the_instance),
        UNIT_TEST(two_processes_do_not_lose_values),
        UNIT_TEST(odd_names_stay_on_their_line),
        UNIT_TEST(bad_lines_are_left_out_with_one_warning),
        UNIT_TEST(a_store_that_cannot_be_used),
        UNIT_TEST(wild_values_do_not_break_a_build),
    };
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
