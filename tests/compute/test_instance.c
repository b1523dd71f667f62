/* Opening and closing, parameters, environment, log levels, the device list. */
#include "compute/log.h"
#include "unit.h"

#include <stddef.h>

static const struct backend *const fakes[] = {&fake_other_backend, &fake_backend};

static void defaults(void **state)
{
    (void)state;
    struct shoal_params params;
    memset(&params, 0xff, sizeof params);
    shoal_params_init(&params);
    assert_int_equal(params.size, sizeof params);
    assert_null(params.log);
    assert_null(params.log_data);
    assert_int_equal(params.log_level, SHOAL_LOG_WARNING);
    assert_null(params.cache_dir);
    assert_null(params.kernel_dir);
    assert_false(params.no_cache);
    assert_false(params.sync);
    assert_false(params.strict_fp);
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    assert_status(shoal_open_with(NULL, &params, fakes, 2, &test_error), SHOAL_INVALID);
    const size_t sizes[] = {0, 1, sizeof(size_t) - 1, sizeof params + 8192, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct shoal *shoal = (struct shoal *)&params;
        params.size = sizes[i];
        assert_status(shoal_open_with(&shoal, &params, fakes, 2, &test_error), SHOAL_INVALID);
        assert_null(shoal);
        assert_contains(test_error.message, "shoal_params_init");
    }
    assert_int_equal(fake_record_count(), 0);
}

/* A program compiled against an older header hands over a shorter struct. */
static void older_parameters_are_accepted(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    params.cache_dir = test_path("cache");
    params.size = offsetof(struct shoal_params, no_cache); /* the rest does not exist for it */
    params.sync = params.strict_fp = true;
    struct shoal *shoal = unit_open_with(&params);
    assert_false(shoal->sync);
    assert_false(shoal->strict_fp);
    struct shoal_cache_info info = {0};
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_string_equal(info.path, test_path("cache"));
    shoal_close(&shoal);

    setenv("XDG_CACHE_HOME", test_folder(), 1);
    params.size = sizeof params.size;
    shoal = unit_open_with(&params);
    assert_null(shoal->log);
    shoal_close(&shoal);
}

static void no_parameters_are_fine(void **state)
{
    (void)state;
    setenv("XDG_CACHE_HOME", test_folder(), 1);
    struct shoal *shoal = unit_open_with(NULL);
    shoal_log(shoal, SHOAL_LOG_ERROR, "nobody listens");
    shoal_close(&shoal);
}

static void closing_is_forgiving(void **state)
{
    (void)state;
    shoal_close(NULL);
    struct shoal *shoal = NULL;
    shoal_close(&shoal);
    shoal = unit_open();
    shoal_close(&shoal);
    assert_null(shoal);
    shoal_close(&shoal);
    assert_int_equal(fake_count(FAKE_CLOSE), 2);
    assert_int_equal(fake_count(FAKE_DEVICE_CLOSE), 1);
}

static void without_drivers_the_host_is_there(void **state)
{
    (void)state;
    fake_reset();
    struct shoal *shoal = unit_open();
    assert_int_equal(shoal_device_count(shoal), 1);
    const struct shoal_device_info *info = shoal_device_get_info(shoal_device_at(shoal, 0));
    assert_string_equal(info->id, "host");
    assert_string_equal(info->backend, "host");
    assert_string_equal(info->platform, "OpenMP");
    assert_true(info->is_host && info->is_cpu && !info->is_gpu && info->fp64);
    assert_true(info->units >= 1 && info->memory > 0 && info->max_allocation > 0);
    assert_true(info->name[0] && info->driver[0] && info->compiler[0]);
    assert_null(info->alias_of);

    assert_int_equal(shoal_backend_count(shoal), 3);
    assert_string_equal(shoal_backend_at(shoal, 0)->name, "other");
    assert_false(shoal_backend_at(shoal, 0)->available);
    assert_string_equal(shoal_backend_at(shoal, 0)->note, "no fake device was set up");
    assert_string_equal(shoal_backend_at(shoal, 2)->name, "host");
    assert_true(shoal_backend_at(shoal, 2)->available);
    assert_null(shoal_backend_at(shoal, 3));
    assert_null(shoal_backend_at(shoal, SIZE_MAX));
    shoal_close(&shoal);
}

static void devices_are_listed_in_order(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("  Second\n");
    info.vendor = " V ";
    info.driver = NULL;
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("Third");
    fake_add_device(&fake_other_backend, &info);
    struct shoal *shoal = unit_open();
    static const char *const ids[] = {"other:0", "fake:0", "fake:1", "host"};
    assert_int_equal(shoal_device_count(shoal), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(shoal_device_get_info(shoal_device_at(shoal, i))->id, ids[i]);
    assert_null(shoal_device_at(shoal, 4));
    assert_null(shoal_device_at(shoal, SIZE_MAX));

    const struct shoal_device_info *second = shoal_device_get_info(shoal_device_at(shoal, 2));
    assert_string_equal(second->name, "Second");
    assert_string_equal(second->vendor, "V");
    assert_string_equal(second->driver, "");
    assert_string_equal(second->backend, "fake");
    assert_int_equal(second->max_work_group, 256);
    /* Nothing is opened before it is used. */
    assert_int_equal(fake_count(FAKE_DEVICE_OPEN), 0);
    shoal_close(&shoal);
}

static void add_with_pci(const struct backend *backend, uint32_t bus, bool has_pci)
{
    struct shoal_device_info info = fake_gpu("Card");
    info.has_pci = has_pci;
    info.pci.bus = bus;
    fake_add_device(backend, &info);
}

static void one_card_seen_twice_is_an_alias(void **state)
{
    (void)state;
    fake_reset();
    add_with_pci(&fake_other_backend, 3, true);
    add_with_pci(&fake_other_backend, 4, true);
    add_with_pci(&fake_backend, 4, true);
    add_with_pci(&fake_backend, 3, true);
    add_with_pci(&fake_backend, 3, true); /* a third platform shows the same card */
    add_with_pci(&fake_backend, 4, false);
    add_with_pci(&fake_backend, 5, true);
    struct shoal *shoal = unit_open();
    static const char *const preferred[] = {NULL, NULL, "other:1", "other:0", "other:0", NULL, NULL, NULL};
    assert_int_equal(shoal_device_count(shoal), 8);
    for (size_t i = 0; i < 8; i++) {
        const char *alias = shoal_device_get_info(shoal_device_at(shoal, i))->alias_of;
        if (preferred[i])
            assert_string_equal(alias, preferred[i]);
        else
            assert_null(alias);
    }
    shoal_close(&shoal);
}

static void the_host_device_has_no_queues(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct shoal_device *host = shoal_device_at(shoal, shoal_device_count(shoal) - 1);
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    struct shoal_program *program;
    assert_status(shoal_queue_create(host, 0, &queue, &test_error), SHOAL_UNSUPPORTED);
    assert_null(queue);
    assert_status(shoal_buffer_create(host, 4, &buffer, &test_error), SHOAL_UNSUPPORTED);
    assert_null(buffer);
    assert_status(shoal_program_create(host, &unit_program, NULL, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_null(program);
    shoal_close(&shoal);
}

static void messages_are_filtered_by_level(void **state)
{
    (void)state;
    for (int level = SHOAL_LOG_ERROR; level <= SHOAL_LOG_DEBUG; level++) {
        struct shoal_params params = unit_params();
        params.log_level = (enum shoal_log_level)level;
        struct shoal *shoal = unit_open_with(&params);
        unit_log_clear();
        for (int sent = SHOAL_LOG_ERROR; sent <= SHOAL_LOG_DEBUG; sent++) {
            shoal_log(shoal, (enum shoal_log_level)sent, "number %d", sent);
            shoal_log_text(shoal, (enum shoal_log_level)sent, "line\nline");
            assert_int_equal(unit_log_count((enum shoal_log_level)sent), sent <= level ? 2 : 0);
        }
        assert_contains(unit_log(), "0 number 0\n0 line\nline\n");
        shoal_close(&shoal);
    }
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    static char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    unit_log_clear();
    shoal_log(shoal, SHOAL_LOG_ERROR, "%s", longer);
    assert_in_range(strlen(unit_log()), 500, sizeof longer);
    shoal_close(&shoal);
}

static void expect_cache_dir(const char *wanted)
{
    struct shoal_params params = unit_params();
    params.no_cache = false;
    struct shoal *shoal = unit_open_with(&params);
    struct shoal_cache_info info = {0};
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_string_equal(info.path, wanted);
    assert_int_equal(info.entries, 0);
    assert_int_equal(info.bytes, 0);
    shoal_close(&shoal);
}

static void the_cache_folder_is_found(void **state)
{
    (void)state;
    const char *old_home = getenv("HOME");
    char *home = strdup(old_home ? old_home : "");
    unsetenv("HOME");
    expect_cache_dir("");
    setenv("HOME", "relative", 1);
    expect_cache_dir("");
    setenv("HOME", test_path("home"), 1);
    expect_cache_dir(test_path("home/.cache/shoal"));
    setenv("XDG_CACHE_HOME", "not/absolute", 1); /* to be ignored, says the base directory specification */
    expect_cache_dir(test_path("home/.cache/shoal"));
    setenv("XDG_CACHE_HOME", test_path("xdg"), 1);
    expect_cache_dir(test_path("xdg/shoal"));
    setenv("SHOAL_CACHE_DIR", test_path("own"), 1);
    expect_cache_dir(test_path("own"));
    setenv("HOME", home, 1);
    free(home);

    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = test_path("param");
    struct shoal *shoal = unit_open_with(&params);
    /* The environment is read in shoal_open only. */
    setenv("SHOAL_CACHE_DIR", test_path("late"), 1);
    struct shoal_cache_info info = {0};
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_string_equal(info.path, test_path("param"));
    shoal_close(&shoal);

    params.no_cache = true;
    shoal = unit_open_with(&params);
    memset(&info, 0xff, sizeof info);
    info.size = sizeof info;
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_string_equal(info.path, "");
    assert_int_equal(info.entries, 0);
    uint64_t removed = 7;
    assert_ok(shoal_cache_clear(shoal, &removed, &test_error));
    assert_int_equal(removed, 0);
    shoal_close(&shoal);
}

static void a_failing_driver_ends_the_opening(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    for (unsigned n = 1; n <= 2; n++) {
        fake_reset_one_gpu();
        fake_fail_call(FAKE_OPEN, n, SHOAL_FAILED);
        struct shoal *shoal = (struct shoal *)&params;
        assert_status(shoal_open_with(&shoal, &params, fakes, 2, &test_error), SHOAL_FAILED);
        assert_null(shoal);
        assert_string_equal(test_error.call, "open");
        assert_int_equal(test_error.native, FAKE_NATIVE_ERROR);
    }
}

static void several_instances_live_side_by_side(void **state)
{
    (void)state;
    struct shoal *first = unit_open(), *second = unit_open();
    struct shoal_buffer *buffer;
    struct shoal_queue *queue;
    struct shoal_device *device = shoal_device_at(second, 0);
    assert_ok(shoal_queue_create(shoal_device_at(first, 0), 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, 4, &buffer, &test_error));
    uint32_t word;
    assert_status(shoal_buffer_read(queue, buffer, 0, &word, 4, &test_error), SHOAL_INVALID);
    shoal_queue_destroy(&queue);
    shoal_close(&first);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_buffer_read(queue, buffer, 0, &word, 4, &test_error));
    shoal_queue_destroy(&queue);
    shoal_buffer_destroy(&buffer);
    shoal_close(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(defaults),
        UNIT_TEST(wrong_parameters_are_refused),
        UNIT_TEST(older_parameters_are_accepted),
        UNIT_TEST(no_parameters_are_fine),
        UNIT_TEST(closing_is_forgiving),
        UNIT_TEST(without_drivers_the_host_is_there),
        UNIT_TEST(devices_are_listed_in_order),
        UNIT_TEST(one_card_seen_twice_is_an_alias),
        UNIT_TEST(the_host_device_has_no_queues),
        UNIT_TEST(messages_are_filtered_by_level),
        UNIT_TEST(long_messages_are_cut),
        UNIT_TEST(the_cache_folder_is_found),
        UNIT_TEST(a_failing_driver_ends_the_opening),
        UNIT_TEST(several_instances_live_side_by_side),
    };
    return cmocka_run_group_tests_name("instance", tests, NULL, NULL);
}
