/* A cache in the folder of a test, over the fake backend, and what its last builds did. */
#ifndef TESTS_COMPUTE_CACHE_FIXTURE_H
#define TESTS_COMPUTE_CACHE_FIXTURE_H

#include "unit.h"

#include "base/file.h"
#include "compute/program/cache.h"

static struct shoal *shoal;
static struct shoal_device *device;

static inline void open_cache(const char *dir)
{
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = dir;
    shoal = unit_open_with(&params);
    device = shoal_device_at(shoal, 0);
    fake_clear_records();
    unit_log_clear();
}

static inline const char *cache_path(void)
{
    return test_path("cache");
}

static inline void build_text(const char *text, const char *name, int64_t count)
{
    const struct shoal_define define = {"COUNT", count};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = text;
    params.text_name = name;
    params.defines = &define;
    params.define_count = 1;
    struct shoal_program *program;
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    struct shoal_kernel *kernel;
    assert_ok(shoal_kernel_create(program, "add", &kernel, &test_error));
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
}

static inline void build(void)
{
    build_text(unit_text, NULL, 1);
}

/* Did the last builds compile, or come from the cache? */
static inline void expect_calls(size_t built, size_t loaded)
{
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), built);
    assert_int_equal(fake_count(FAKE_PROGRAM_LOAD), loaded);
    fake_clear_records();
}

static inline void expect_warnings(size_t count)
{
    if (unit_log_count(SHOAL_LOG_WARNING) != count)
        print_error("%s", unit_log());
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), count);
    assert_int_equal(unit_log_count(SHOAL_LOG_ERROR), 0);
}

static inline const char *first_entry(void)
{
    static char path[1024];
    assert_int_equal(test_count_files(cache_path(), ".bin", path, sizeof path), 1);
    return path;
}

/* Replaces the entry by `bytes` of `data` and builds: the entry is rebuilt, with one warning. */
static inline void expect_repair(const char *path, const char *data, size_t bytes)
{
    test_write_file(path, data, bytes);
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    expect_warnings(1);
    assert_contains(unit_log(), path);
    build();
    expect_calls(0, 1);
    expect_warnings(1);
    shoal_close(&shoal);
}

#endif
