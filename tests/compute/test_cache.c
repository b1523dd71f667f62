/* Disk cache of compiled kernels: keys, damage, permissions, disks that are full or not there. */
#include "cache_fixture.h"

#include "base/file.h"
#include "base/input.h"
#include "compute/program/cache.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_second_build_is_a_load(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    build();
    expect_calls(0, 1);
    shoal_close(&shoal);
    open_cache(cache_path());
    build();
    expect_calls(0, 1);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 1);
    expect_warnings(0);

    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = unit_text;
    struct shoal_program *program;
    for (int cached = 0; cached <= 1; cached++) {
        assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
        if (cached)
            assert_true(shoal_program_build_seconds(program) == 0);
        else
            assert_true(shoal_program_build_seconds(program) > 0);
        shoal_program_destroy(&program);
    }
    shoal_close(&shoal);
}

static void whatever_changes_the_code_changes_the_key(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    build_text("add everything noop \n", NULL, 1);
    expect_calls(1, 0);
    build_text(unit_text, NULL, 2);
    expect_calls(1, 0);
    build_text(unit_text, "other.cl", 1); /* named in the code's messages */
    expect_calls(1, 0);
    shoal_close(&shoal);

    struct shoal_device_info changes[7];
    for (size_t i = 0; i < 7; i++)
        changes[i] = fake_gpu("Fake GPU");
    changes[0].driver = "1.1";
    changes[1].compiler = "fake compiler 1.1";
    changes[2].name = "Fake GPU 2";
    changes[3].platform = "Fake Platform 2";
    changes[4].architecture = 90;
    for (size_t i = 0; i < 5; i++) {
        fake_reset();
        fake_add_device(&fake_backend, &changes[i]);
        open_cache(cache_path());
        build();
        expect_calls(1, 0);
        shoal_close(&shoal);
    }
    /* The other backend, with its prelude. */
    fake_reset();
    fake_add_device(&fake_other_backend, &changes[5]);
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    shoal_close(&shoal);
    /* Strict floating point. */
    fake_reset();
    fake_add_device(&fake_backend, &changes[6]);
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = cache_path();
    params.strict_fp = true;
    shoal = unit_open_with(&params);
    device = shoal_device_at(shoal, 0);
    build();
    expect_calls(1, 0);
    shoal_close(&shoal);
    assert_int_equal(test_count_files(cache_path(), ".bin", NULL, 0), 11);

    /* What does not change the code does not: a second card of the model, its memory, its place. */
    fake_reset();
    struct shoal_device_info info = fake_gpu("Fake GPU");
    info.memory *= 2;
    fake_add_device(&fake_backend, &info);
    fake_add_device(&fake_backend, &info);
    open_cache(cache_path());
    device = shoal_device_at(shoal, 1);
    build();
    expect_calls(0, 1);
    shoal_close(&shoal);
}

/* Of the code in an entry of that path. */
static const char *key_of(const char *path)
{
    static char key[CACHE_KEY_LENGTH];
    snprintf(key, sizeof key, "%.32s", strrchr(path, '/') + 1);
    return key;
}

static void damaged_entries_are_rebuilt(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    shoal_close(&shoal);
    const char *path = first_entry();
    size_t bytes;
    char *good = input_read(path, INPUT_DATA_MOST, &bytes);
    char *bad = malloc(bytes + 1);
    memcpy(bad, good, bytes);
    bad[bytes] = 'x';
    const size_t lengths[] = {0, 1, 31, 32, 63, 64, 65, bytes - 1, bytes + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        expect_repair(path, bad, lengths[i]);
    /* Each byte of the header, some of the content. */
    for (size_t at = 0; at < bytes; at += at < 64 ? 1 : 37) {
        memcpy(bad, good, bytes);
        bad[at] ^= 0x40;
        size_t got;
        assert_null(cache_parse(bad, bytes, key_of(path), &got));
        if (at % 8 == 0)
            expect_repair(path, bad, bytes);
    }
    size_t got = 0;
    const char *payload = cache_parse(good, bytes, key_of(path), &got);
    assert_ptr_equal(payload, good + (bytes - got));
    free(bad);
    free(good);
}

static void entries_the_driver_refuses_are_rebuilt(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    fake_clear_records();
    fake_fail_call(FAKE_PROGRAM_LOAD, 1, SHOAL_FAILED);
    build();
    expect_calls(1, 1);
    expect_warnings(1);
    build();
    expect_calls(0, 1);
    /* A sound file with an image that is none. */
    cache_write(shoal, key_of(first_entry()), "no image", 8);
    build();
    expect_calls(1, 1);
    build();
    expect_calls(0, 1);
    shoal_close(&shoal);
}

/* A device that is gone or full is not the fault of the entry. */
static void failures_of_the_device_are_no_damage(void **state)
{
    (void)state;
    static const enum shoal_status statuses[] = {SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY};
    for (size_t i = 0; i < 2; i++) {
        open_cache(cache_path());
        build();
        fake_clear_records();
        fake_fail_call(FAKE_PROGRAM_LOAD, 1, statuses[i]);
        struct shoal_program_params params;
        shoal_program_params_init(&params);
        const struct shoal_define define = {"COUNT", 1};
        params.defines = &define;
        params.define_count = 1;
        params.text = unit_text;
        struct shoal_program *program = (struct shoal_program *)state;
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      statuses[i]);
        assert_null(program);
        expect_calls(0, 1);
        expect_warnings(0);
        first_entry();
        shoal_close(&shoal);
    }
}

static void no_binary_is_a_warning(void **state)
{
    (void)state;
    open_cache(cache_path());
    fake_fail_call(FAKE_PROGRAM_BINARY, 1, SHOAL_FAILED);
    build();
    expect_calls(1, 0);
    expect_warnings(1);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 0);
    build();
    expect_calls(1, 0);
    shoal_close(&shoal);
}

static void unreadable_entries_are_replaced(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    char path[1024];
    snprintf(path, sizeof path, "%s", first_entry());
    shoal_close(&shoal);
    if (geteuid() != 0) {
        chmod(path, 0);
        open_cache(cache_path());
        build();
        expect_calls(1, 0);
        expect_warnings(1);
        build();
        expect_calls(0, 1);
        shoal_close(&shoal);
    }
    /* A folder in its place cannot be removed: built each time, said once. */
    unlink(path);
    mkdir(path, 0700);
    test_write_text(test_path("cache/%s/file", strrchr(path, '/') + 1), "x");
    open_cache(cache_path());
    build();
    build();
    expect_calls(2, 0);
    expect_warnings(1);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 1); /* no temporary is left */
    shoal_close(&shoal);
}

static void an_entry_survives_a_process_without_files(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    struct rlimit limit, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    build();
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    expect_calls(1, 0);
    expect_warnings(1);
    build();
    expect_calls(0, 1);
    shoal_close(&shoal);
}

static void folders_are_private(void **state)
{
    (void)state;
    mode_t old = umask(0);
    open_cache(test_path("a/b/cache"));
    build();
    umask(old);
    shoal_close(&shoal);
    static const char *const folders[] = {"a", "a/b", "a/b/cache"};
    struct stat info;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(stat(test_path("%s", folders[i]), &info), 0);
        assert_int_equal(info.st_mode & 07777, 0700);
    }
    char path[1024];
    assert_int_equal(test_count_files(test_path("a/b/cache"), ".bin", path, sizeof path), 1);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
}

/* Builds three programs where nothing can be written: all succeed, one warning in all, nothing is left. */
static void expect_only_a_warning(const char *dir)
{
    open_cache(dir);
    for (int64_t i = 1; i <= 3; i++)
        build_text(unit_text, NULL, i);
    expect_calls(3, 0);
    expect_warnings(1);
    assert_contains(unit_log(), dir);
    assert_contains(unit_log(), "--cache-dir");
    shoal_close(&shoal);
}

static void folders_that_cannot_be_written(void **state)
{
    (void)state;
    test_write_text(test_path("file"), "x");
    expect_only_a_warning(test_path("file"));
    expect_only_a_warning(test_path("file/cache"));
    expect_only_a_warning("/proc/shoal-cache");
    if (geteuid() != 0) {
        mkdir(test_path("locked"), 0500);
        expect_only_a_warning(test_path("locked"));
        expect_only_a_warning(test_path("locked/cache"));
    }
}

static void a_limit_on_file_sizes(void **state)
{
    (void)state;
    struct rlimit old, small = {16, 16};
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    mkdir(cache_path(), 0700);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    open_cache(cache_path());
    build();
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    expect_calls(1, 0);
    expect_warnings(1);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 0);
    build();
    expect_calls(1, 0); /* and once there is room again it is written */
    first_entry();
    shoal_close(&shoal);
}

static bool write_proc(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

/* A mount table of our own; in a user namespace where we are not root. False where the kernel allows neither.
 */
static bool leave_mount_table(void)
{
    char user[32], group[32];
    snprintf(user, sizeof user, "0 %ld 1", (long)geteuid());
    snprintf(group, sizeof group, "0 %ld 1", (long)getegid());
    if (unshare(CLONE_NEWNS) != 0 &&
        (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_proc("/proc/self/uid_map", user) ||
         !write_proc("/proc/self/setgroups", "deny") || !write_proc("/proc/self/gid_map", group)))
        return false;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* A disk of one page. */
static void a_full_disk(void **state)
{
    (void)state;
    mkdir(cache_path(), 0700);
    if (!leave_mount_table() || mount("tmpfs", cache_path(), "tmpfs", 0, "size=4k,mode=700") != 0)
        skip();
    test_write_text(test_path("cache/filler"), "x"); /* takes the page */
    open_cache(cache_path());
    build();
    build_text(unit_text, NULL, 2);
    expect_calls(2, 0);
    expect_warnings(1);
    assert_contains(unit_log(), strerror(ENOSPC));
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 1);
    /* The tuning store tells its caller. */
    assert_status(shoal_tuning_set(device, "unit.program", "WG", 32, &test_error), SHOAL_IO);
    assert_int_equal(test_error.native, ENOSPC);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 2); /* and tuning.lock */
    shoal_close(&shoal);
    umount(cache_path());
}

static void some_devices_cache_for_themselves(void **state)
{
    (void)state;
    fake_reset();
    struct shoal_device_info info = fake_gpu("Fake GPU");
    info.self_caching = true;
    fake_add_device(&fake_backend, &info);
    open_cache(cache_path());
    build();
    build();
    expect_calls(2, 0);
    assert_int_equal(fake_count(FAKE_PROGRAM_BINARY), 0);
    assert_int_equal(access(cache_path(), F_OK), -1);
    shoal_close(&shoal);
}

static void no_cache_means_none(void **state)
{
    (void)state;
    setenv("XDG_CACHE_HOME", test_path("xdg"), 1);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    build();
    build();
    expect_calls(2, 0);
    assert_int_equal(access(test_path("xdg"), F_OK), -1);
    shoal_close(&shoal);
}

static void the_folder_is_counted_and_cleared(void **state)
{
    (void)state;
    struct shoal_cache_info info = {0};
    uint64_t removed = 9;
    open_cache(cache_path());
    /* Nothing there yet. */
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_int_equal(info.entries, 0);
    assert_ok(shoal_cache_clear(shoal, &removed, &test_error));
    assert_int_equal(removed, 0);

    for (int64_t i = 1; i <= 4; i++)
        build_text(unit_text, NULL, i);
    assert_ok(shoal_tuning_set(device, "unit.program", "WG", 32, &test_error));
    test_write_text(test_path("cache/other.bin"), "not ours");
    test_write_text(test_path("cache/note.txt"), "not ours");
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_string_equal(info.path, cache_path());
    assert_int_equal(info.entries, 4);
    assert_true(info.bytes > 4 * strlen(unit_text));
    assert_ok(shoal_cache_clear(shoal, &removed, &test_error));
    assert_int_equal(removed, 4);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 4);
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_int_equal(info.entries, 0);
    int64_t value;
    assert_true(shoal_tuning_get(device, "unit.program", "WG", &value));
    build();
    fake_clear_records();
    build();
    expect_calls(0, 1);
    assert_ok(shoal_cache_clear(shoal, NULL, NULL));
    assert_status(shoal_cache_get_info(NULL, &info, &test_error), SHOAL_INVALID);
    assert_status(shoal_cache_get_info(shoal, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_cache_clear(NULL, NULL, &test_error), SHOAL_INVALID);
    shoal_close(&shoal);

    test_write_text(test_path("file"), "x");
    open_cache(test_path("file"));
    assert_status(shoal_cache_get_info(shoal, &info, &test_error), SHOAL_IO);
    assert_contains(test_error.message, test_path("file"));
    assert_status(shoal_cache_clear(shoal, &removed, &test_error), SHOAL_IO);
    shoal_close(&shoal);
}

/* A writer that died leaves its temporary: it is no entry, and clearing takes it away. */
static void temporaries_of_dead_writers_are_cleared(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    test_write_text(test_path("cache/%s.Xy12Zw", strrchr(first_entry(), '/') + 1), "half");
    struct shoal_cache_info info = {0};
    assert_ok(shoal_cache_get_info(shoal, &info, &test_error));
    assert_int_equal(info.entries, 1);
    uint64_t removed;
    assert_ok(shoal_cache_clear(shoal, &removed, &test_error));
    assert_int_equal(removed, 1);
    assert_int_equal(test_count_files(cache_path(), "", NULL, 0), 0);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(the_second_build_is_a_load),
        UNIT_TEST(whatever_changes_the_code_changes_the_key),
        UNIT_TEST(damaged_entries_are_rebuilt),
        UNIT_TEST(entries_the_driver_refuses_are_rebuilt),
        UNIT_TEST(failures_of_the_device_are_no_damage),
        UNIT_TEST(no_binary_is_a_warning),
        UNIT_TEST(unreadable_entries_are_replaced),
        UNIT_TEST(an_entry_survives_a_process_without_files),
        UNIT_TEST(folders_are_private),
        UNIT_TEST(folders_that_cannot_be_written),
        UNIT_TEST(a_limit_on_file_sizes),
        UNIT_TEST(some_devices_cache_for_themselves),
        UNIT_TEST(no_cache_means_none),
        UNIT_TEST(the_folder_is_counted_and_cleared),
        UNIT_TEST(temporaries_of_dead_writers_are_cleared),
        UNIT_TEST(a_full_disk), /* last: it may leave us in another mount table */
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
