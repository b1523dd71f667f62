/* The store of tuned values. */
#include "unit.h"

#include "compute/program/cache.h"
#include "compute/tune.h"

#include <math.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static struct shoal *shoal;
static struct shoal_device *device;

static const char *cache_path(void)
{
    return test_path("cache");
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
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 128, &test_error));
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 256, &test_error));
    assert_ok(shoal_tuning_set(device, "lib.sum", "ITEMS", INT64_MIN, &test_error));
    assert_ok(shoal_tuning_set(device, "lib.scan", "WG", INT64_MAX, &test_error));
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
    assert_int_equal(stat(test_path("cache/tuning.txt"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 2); /* and tuning.lock */
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
    assert_status(shoal_tuning_set(NULL, "a", "b", 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_tuning_set(device, NULL, "b", 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_tuning_set(device, "a", NULL, 1, &test_error), SHOAL_INVALID);
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
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 32, &test_error));
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
    assert_ok(shoal_tuning_set(device, "lib.sum", "WG", 32, &test_error));
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
    assert_ok(shoal_tuning_set(first_device, "lib.sum", "WG", 32, &test_error));
    assert_ok(shoal_tuning_set(device, "lib.scan", "WG", 64, &test_error));
    shoal_close(&shoal);
    shoal_close(&first);
    open_store();
    expect("lib.sum", "WG", 32);
    expect("lib.scan", "WG", 64);
    shoal_close(&shoal);
}

enum { WRITERS = 4, WRITTEN = 25 };

static void *write_values(void *data)
{
    struct shoal_device *own = data;
    struct shoal_error error;
    char name[32];
    for (int64_t i = 0; i < WRITTEN; i++) {
        snprintf(name, sizeof name, "%p %d", data, (int)i);
        if (shoal_tuning_set(own, "lib.sum", name, i, &error))
            return data;
    }
    return NULL;
}

/* Each instance has the file to itself between reading and renaming, as processes have. */
static void writers_at_once_do_not_lose_values(void **state)
{
    (void)state;
    struct shoal *writers[WRITERS];
    pthread_t threads[WRITERS];
    for (size_t w = 0; w < WRITERS; w++) {
        open_store();
        writers[w] = shoal;
    }
    for (size_t w = 0; w < WRITERS; w++)
        assert_int_equal(pthread_create(&threads[w], NULL, write_values, shoal_device_at(writers[w], 0)), 0);
    for (size_t w = 0; w < WRITERS; w++) {
        void *failed;
        assert_int_equal(pthread_join(threads[w], &failed), 0);
        assert_null(failed);
    }
    open_store();
    for (size_t w = 0; w < WRITERS; w++)
        for (int64_t i = 0; i < WRITTEN; i++) {
            char name[32];
            snprintf(name, sizeof name, "%p %d", (void *)shoal_device_at(writers[w], 0), (int)i);
            expect("lib.sum", name, i);
        }
    shoal_close(&shoal);
    for (size_t w = 0; w < WRITERS; w++)
        shoal_close(&writers[w]);
}

static void odd_names_stay_on_their_line(void **state)
{
    (void)state;
    fake_reset();
    struct shoal_device_info info = fake_gpu("a=b|c\nd=5\re");
    info.driver = "=1=\n";
    fake_add_device(&fake_backend, &info);
    open_store();
    assert_ok(shoal_tuning_set(device, "p=q", "x\ny", 3, &test_error));
    shoal_close(&shoal);
    open_store();
    expect("p=q", "x\ny", 3);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    shoal_close(&shoal);
}

static void names_last(void **state)
{
    (void)state;
    char name[TUNING_NAME_SIZE];
    open_store();
    assert_false(tuning_get_name(device, "lib.sum", "n=4^5", name));
    assert_ok(tuning_set_name(device, "lib.sum", "n=4^5", "two-pass2", &test_error));
    assert_ok(shoal_tuning_set(device, "lib.sum", "n=4^6", 3, &test_error));
    shoal_close(&shoal);
    open_store();
    assert_true(tuning_get_name(device, "lib.sum", "n=4^5", name));
    assert_string_equal(name, "two-pass2");
    expect_none("lib.sum", "n=4^5");
    assert_false(tuning_get_name(device, "lib.sum", "n=4^6", name));
    /* One takes the place of the other. */
    assert_ok(shoal_tuning_set(device, "lib.sum", "n=4^5", 7, &test_error));
    assert_false(tuning_get_name(device, "lib.sum", "n=4^5", name));
    expect("lib.sum", "n=4^5", 7);
    assert_ok(tuning_set_name(device, "lib.sum", "n=4^5", "one", &test_error));
    expect_none("lib.sum", "n=4^5");
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    shoal_close(&shoal);
}

static void bad_lines_are_left_out_with_one_warning(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\n\nfake Fake GPU|1.0|lib.sum|WG=64\nnonsense\n=5\nx=\nx=1.5\nx=1 \nx=0x10\n"
        "x=99999999999999999999\nfake Fake GPU|1.0|lib.scan|WG=-3";
    test_write_text(test_path("cache/tuning.txt"), text);
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
    test_write_text(test_path("cache/tuning.txt/x"), "x");
    open_store();
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "tuning.txt");
    expect_none("lib.sum", "WG");
    assert_status(shoal_tuning_set(device, "lib.sum", "WG", 32, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "tuning.txt");
    assert_true(test_error.native != 0);
    expect("lib.sum", "WG", 32);                                      /* known to this run all the same */
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 2); /* and tuning.lock */
    shoal_close(&shoal);
    /* What is no file has a reason in words. */
    assert_int_equal(unlink(test_path("cache/tuning.txt/x")), 0);
    assert_int_equal(rmdir(test_path("cache/tuning.txt")), 0);
    assert_int_equal(mkfifo(test_path("cache/tuning.txt"), 0600), 0);
    open_store();
    assert_contains(unit_log(), "tuning.txt: ");
    assert_lacks(unit_log(), "Unknown error");
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
        test_write_text(test_path("cache/tuning.txt"), text);
        test_write_text(test_path("unit/program.cl"), unit_text);
        struct shoal_params params = unit_params();
        params.no_cache = false;
        params.cache_dir = cache_path();
        params.kernel_dir = test_folder();
        shoal = unit_open_with(&params);
        device = shoal_device_at(shoal, 0);
        struct shoal_program *program;
        assert_ok(shoal_program_create(device, &unit_program, NULL, &program, &test_error));
        int64_t size = shoal_program_define(program, "WG");
        assert_true(size >= 1 && size <= 256 && (size & (size - 1)) == 0);
        shoal_program_destroy(&program);
        shoal_close(&shoal);
    }
}

static void values_out_of_range_are_left_out_with_a_line(void **state)
{
    (void)state;
    test_write_text(test_path("cache/tuning.txt"), "fake Fake GPU|1.0|unit.program|COUNT=9\n"
                                                   "fake Fake GPU|1.0|unit.program|WG=96\n"
                                                   "fake Fake GPU|1.0|unit.program|A x=2^3=7\n");
    open_store();
    unit_log_clear();
    for (int i = 0; i < 2; i++) { /* one line each */
        const struct tuning_question question = {"unit.program", "A", "x=2^3", -7, 0, 1, NULL, 0};
        assert_int_equal(choose_define(device, &unit_program, "COUNT", 5).value, 5);
        assert_int_equal(choose_define(device, &unit_program, "WG", 32).value, 32);
        assert_int_equal(tuning_ask(device, &question), -7);
    }
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 3);
    assert_contains(unit_log(),
                    "tuning.txt: fake Fake GPU|1.0|unit.program|COUNT=9 is left out: it must be -8 to 8");
    assert_contains(unit_log(), "|WG=96 is left out: it must be a power of two");
    assert_contains(unit_log(), "|A x=2^3=7 is left out: it must be 0 to 1");
    shoal_close(&shoal);
}

static const int64_t tries[] = {1, 2};

static int64_t ask(const char *program, const char *name, const char *sizes)
{
    const struct tuning_question question = {program, name, sizes, -7, 0, 1000, tries, 2};
    return tuning_ask(device, &question);
}

static void set(const char *program, const char *define, int64_t value)
{
    assert_ok(shoal_tuning_set(device, program, define, value, &test_error));
}

static void powers(void **state)
{
    (void)state;
    assert_int_equal(tuning_power(4, 0), 0);
    assert_int_equal(tuning_power(4, 3.99), 0);
    assert_int_equal(tuning_power(4, 4), 1);
    assert_int_equal(tuning_power(4, 65536), 8);
    assert_int_equal(tuning_power(4, 262143), 8);
    assert_int_equal(tuning_power(2, 262143), 17);
    assert_int_equal(tuning_power(2, INFINITY), 512);
    assert_int_equal(tuning_power(2, NAN), 0);
}

/* Own class, nearest class, no class, rule. */
/* A part has the values of the whole device until it is tuned itself, and those of parts as large as it. */
static void parts_have_values_of_their_own(void **state)
{
    (void)state;
    const int64_t five = 5;
    char name[TUNING_NAME_SIZE];
    struct shoal_device *parts[2], *other;
    size_t count;
    open_store();
    struct shoal_device *whole = shoal_device_at(shoal, 0);
    assert_ok(shoal_device_select(shoal, "fake:0/2", 0, parts, 2, &count, &test_error));
    assert_ok(shoal_device_select(shoal, "fake:0/3+1:0", 0, &other, 1, &count, &test_error));
    set("lib.sum", "WG", 1);
    set("lib.scan", "WG n=4^5", 2);
    assert_ok(tuning_set_name(whole, "lib.sum", "n=4^5", "one", &test_error));
    for (size_t i = 0; i < 2; i++) {
        device = parts[i];
        expect("lib.sum", "WG", 1);
        assert_int_equal(ask("lib.sum", "WG", "n=4^5"), 1);
        assert_int_equal(ask("lib.scan", "WG", "n=4^5"), 2);
        assert_true(tuning_get_name(device, "lib.sum", "n=4^5", name));
        assert_string_equal(name, "one");
    }
    set("lib.sum", "WG", 3);
    set("lib.scan", "WG", 4);
    assert_ok(tuning_set_name(device, "lib.sum", "n=4^5", "two", &test_error));
    device = parts[0];
    expect("lib.sum", "WG", 3);
    assert_int_equal(ask("lib.scan", "WG", "n=4^5"), 4);
    assert_true(tuning_get_name(device, "lib.sum", "n=4^5", name));
    assert_string_equal(name, "two");
    device = other;
    expect("lib.sum", "WG", 1);
    device = whole;
    assert_int_equal(ask("lib.scan", "WG", "n=4^5"), 2);
    assert_ok(shoal_tuning_try(parts[0], "lib.sum", "WG", &five, &test_error));
    expect("lib.sum", "WG", 1);
    device = parts[0];
    expect("lib.sum", "WG", 5);
    shoal_close(&shoal);
}

static void the_nearest_class_counts(void **state)
{
    (void)state;
    open_store();
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5 points=4^3"), -7);
    set("lib.sum", "WG", 1);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5 points=4^3"), 1);
    set("lib.sum", "WG real=32 rows=4^8 points=4^3", 8);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5 points=4^3"), 1); /* three steps of four away */
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^6 points=4^3"), 8);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^6 points=4^4"), 1);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^10 points=4^3"), 8);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^11 points=4^3"), 1);
    set("lib.sum", "WG real=32 rows=4^5 points=4^3", 5);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5 points=4^3"), 5);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^6 points=4^3"), 5);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^7 points=4^3"), 8);
    /* Of two as near that of the smaller problem, whichever was stored first. */
    set("lib.sum", "WG real=32 rows=4^12 points=4^3", 12);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^10 points=4^3"), 8);
    set("lib.sum", "WG real=32 rows=4^2 points=4^3", 2);
    set("lib.sum", "WG real=32 rows=4^0 points=4^3", 0);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^1 points=4^3"), 0);
    /* All but sizes is the same; other names and programs have values of their own. */
    assert_int_equal(ask("lib.sum", "WG", "real=64 rows=4^5 points=4^3"), 1);
    assert_int_equal(ask("lib.sum", "WG", "rows=4^5 points=4^3"), 1);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5"), 1);
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^5 points=4^3 more=1"), 1);
    assert_int_equal(ask("lib.sum", "W", "real=32 rows=4^5 points=4^3"), -7);
    assert_int_equal(ask("lib", "WG", "real=32 rows=4^5 points=4^3"), -7);
    /* Steps of two count half of those of four. */
    set("lib.scan", "WG dim=2^4", 4);
    assert_int_equal(ask("lib.scan", "WG", "dim=2^8"), 4);
    assert_int_equal(ask("lib.scan", "WG", "dim=2^0"), 4);
    assert_int_equal(ask("lib.scan", "WG", "dim=2^9"), -7);
    assert_int_equal(ask("lib.scan", "WG", "dim=4^4"), -7);
    /* What is out of range is no answer, of whatever class. */
    set("lib.scan", "WG dim=2^8", 1001);
    assert_int_equal(ask("lib.scan", "WG", "dim=2^8"), 4);
    set("lib.scan", "ITEMS", -1);
    assert_int_equal(ask("lib.scan", "ITEMS", "dim=2^8"), -7);
    /* And it lasts. */
    shoal_close(&shoal);
    open_store();
    assert_int_equal(ask("lib.sum", "WG", "real=32 rows=4^7 points=4^3"), 8);
    expect("lib.sum", "WG", 1);
    expect("lib.sum", "WG real=32 rows=4^5 points=4^3", 5);
    shoal_close(&shoal);
}

/* Files of versions without classes, and files that somebody edited. */
static void classes_in_old_and_damaged_files(void **state)
{
    (void)state;
    test_write_text(test_path("cache/tuning.txt"),
                    "# Work-group sizes found by `shoal tune`: device|driver|program|define=value\n"
                    "fake Fake GPU|1.0|lib.sum|WG=64\n"
                    "fake Fake GPU|1.0|pso.evaluator|rows points=6 dim=2 rows=9=3\n"
                    "fake Fake GPU|1.0|gas.method|particles=2^12 neighbours=2^3 dim=2=1\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^=128\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^x=128\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^-1=128\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^99999999999999999999=128\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^5 m=128\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^5\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^6=\n"
                    "fake Fake GPU|1.0|lib.sum|WG n=4^6=12.5\n"
                    "fake Fake GPU|1.0|lib.scan|WG n=4^6=12\n");
    open_store();
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "3 lines are not of the form key=number or key=name");
    expect("lib.sum", "WG", 64);
    expect("pso.evaluator", "rows points=6 dim=2 rows=9", 3);
    expect("gas.method", "particles=2^12 neighbours=2^3 dim=2", 1);
    for (unsigned n = 0; n < 20; n++) {
        char sizes[16];
        snprintf(sizes, sizeof sizes, "n=4^%u", n);
        assert_int_equal(ask("lib.sum", "WG", sizes), 64);
        assert_int_equal(ask("lib.scan", "WG", sizes), n >= 4 && n <= 8 ? 12 : -7);
    }
    shoal_close(&shoal);
}

/* For this instance, in front of what is stored, and never in the file. */
static void values_are_tried(void **state)
{
    (void)state;
    const int64_t five = 5;
    open_store();
    set("lib.sum", "WG", 64);
    assert_ok(shoal_tuning_try(device, "lib.sum", "WG", &five, &test_error));
    assert_ok(shoal_tuning_try(device, "lib.sum", "WG n=4^3", &five, &test_error));
    expect("lib.sum", "WG", 5);
    assert_int_equal(ask("lib.sum", "WG", "n=4^4"), 5);
    set("lib.sum", "WG", 128); /* the others of the file are written too */
    set("lib.scan", "WG", 32);
    expect("lib.sum", "WG", 5);
    shoal_close(&shoal);
    open_store();
    expect("lib.sum", "WG", 128);
    assert_int_equal(ask("lib.sum", "WG", "n=4^4"), 128);
    shoal_close(&shoal);
}

static void tries_end(void **state)
{
    (void)state;
    const int64_t five = 5;
    open_store();
    set("lib.sum", "WG", 64);
    assert_ok(shoal_tuning_try(device, "lib.sum", "WG", &five, &test_error));
    assert_ok(shoal_tuning_try(device, "lib.sum", "ITEMS", &five, &test_error));
    assert_ok(shoal_tuning_try(device, "lib.sum", "WG", NULL, &test_error));
    assert_ok(shoal_tuning_try(device, "lib.sum", "ITEMS", NULL, &test_error));
    assert_ok(shoal_tuning_try(device, "lib.sum", "absent", NULL, &test_error));
    expect("lib.sum", "WG", 64);
    expect_none("lib.sum", "ITEMS");
    assert_status(shoal_tuning_try(NULL, "a", "b", &five, &test_error), SHOAL_INVALID);
    assert_status(shoal_tuning_try(device, NULL, "b", &five, &test_error), SHOAL_INVALID);
    assert_status(shoal_tuning_try(device, "a", NULL, &five, &test_error), SHOAL_INVALID);
    shoal_close(&shoal);
}

/* What was asked for, once each, with what was answered. */
static void questions_are_noted(void **state)
{
    (void)state;
    struct shoal_tunable tunable;
    open_store();
    (void)ask("lib.sum", "WG", "n=4^3");
    assert_false(shoal_tuning_watched(device, 0, &tunable));
    shoal_tuning_watch(device);
    set("lib.sum", "WG", 64);
    for (size_t i = 0; i < 40; i++) {
        char sizes[16];
        snprintf(sizes, sizeof sizes, "n=4^%zu", i % 20);
        (void)ask("lib.sum", "WG", sizes);
    }
    (void)ask("lib.scan", "WG", "n=4^0");
    const struct tuning_question idle = {"lib.idle", "WG", "n=4^0", 1, 0, 9, NULL, 0};
    assert_int_equal(tuning_ask(device, &idle), 1);
    assert_true(shoal_tuning_watched(device, 3, &tunable));
    assert_string_equal(tunable.program, "lib.sum");
    assert_string_equal(tunable.define, "WG n=4^3");
    assert_int_equal(tunable.value, 64);
    assert_ptr_equal(tunable.tries, tries);
    assert_int_equal(tunable.try_count, 2);
    assert_true(shoal_tuning_watched(device, 20, &tunable));
    assert_string_equal(tunable.program, "lib.scan");
    assert_int_equal(tunable.value, -7);
    assert_false(shoal_tuning_watched(device, 21, &tunable));
    assert_false(shoal_tuning_watched(NULL, 0, &tunable));
    assert_false(shoal_tuning_watched(device, 0, NULL));
    shoal_tuning_watch(device);
    assert_false(shoal_tuning_watched(device, 0, &tunable));
    shoal_tuning_watch(NULL);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(values_last),
        UNIT_TEST(arguments_are_checked),
        UNIT_TEST(values_belong_to_a_model),
        UNIT_TEST(parts_have_values_of_their_own),
        UNIT_TEST(without_a_cache_they_last_for_the_instance),
        UNIT_TEST(two_processes_do_not_lose_values),
        UNIT_TEST(writers_at_once_do_not_lose_values),
        UNIT_TEST(odd_names_stay_on_their_line),
        UNIT_TEST(names_last),
        UNIT_TEST(bad_lines_are_left_out_with_one_warning),
        UNIT_TEST(a_store_that_cannot_be_used),
        UNIT_TEST(wild_values_do_not_break_a_build),
        UNIT_TEST(values_out_of_range_are_left_out_with_a_line),
        UNIT_TEST(powers),
        UNIT_TEST(the_nearest_class_counts),
        UNIT_TEST(classes_in_old_and_damaged_files),
        UNIT_TEST(values_are_tried),
        UNIT_TEST(tries_end),
        UNIT_TEST(questions_are_noted),
    };
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
