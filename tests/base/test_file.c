/* Files written whole: their mode, what is there after a failure, and when they are flushed. */
#include "unit.h"

#include "base/file.h"
#include "base/input.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char calls[200]; /* of the functions below, since `begin` */
static int fsync_code;  /* errno with which fsync fails; 0: it works */
static char folder[] = "/tmp/shoal-file-XXXXXX";

/* Instead of the functions of those names: see meson.build. */
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_fsync(int file);

int __wrap_rename(const char *from, const char *to)
{
    strcat(calls, "rename ");
    return __real_rename(from, to);
}

int __wrap_fsync(int file)
{
    struct stat info;
    assert_int_equal(fstat(file, &info), 0);
    strcat(calls, S_ISDIR(info.st_mode) ? "fsync-folder " : "fsync-file ");
    errno = fsync_code;
    return fsync_code ? -1 : 0;
}

static int begin(void **state)
{
    calls[0] = '\0';
    fsync_code = 0;
    umask(022);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return unit_setup(state) || !mkdtemp(folder) || chdir(folder) != 0 ? -1 : 0;
}

static size_t entries(void)
{
    size_t count = 0;
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    for (const struct dirent *entry; (entry = readdir(listed));)
        count += *entry->d_name != '.';
    closedir(listed);
    return count;
}

static int end(void **state)
{
    unlink("name");
    return rmdir(folder) || chdir("/") || unit_teardown(state) ? -1 : 0;
}

static int put(enum file_purpose purpose, const char *text)
{
    const void *const parts[] = {text};
    const size_t sizes[] = {strlen(text)};
    calls[0] = '\0';
    return write_file_atomically("name", purpose, parts, sizes, 1);
}

static void expect(const char *text, mode_t mode)
{
    size_t bytes;
    struct stat info;
    char *found = input_read("name", INPUT_TEXT_MOST, &bytes);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
    assert_int_equal(stat("name", &info), 0);
    assert_int_equal(info.st_mode & 07777, mode);
    assert_int_equal(entries(), 1);
}

static void modes_are_those_of_other_files(void **state)
{
    (void)state;
    const mode_t masks[] = {0, 022, 027, 077};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const mode_t before = umask(masks[i]);
        unlink("name");
        assert_int_equal(put(FILE_OF_USER, "user"), 0);
        expect("user", 0666 & ~masks[i]);
        assert_int_equal(chmod("name", 0664), 0);
        assert_int_equal(put(FILE_OF_USER, "again"), 0);
        expect("again", 0664);
        assert_int_equal(put(FILE_CACHE, "cache"), 0);
        expect("cache", 0600);
        umask(before);
    }
}

static void a_file_is_flushed_before_its_rename_and_its_folder_after(void **state)
{
    (void)state;
    assert_int_equal(put(FILE_OF_USER, "user"), 0);
    assert_string_equal(calls, "fsync-file rename fsync-folder ");
    calls[0] = '\0';
    assert_int_equal(put(FILE_CACHE, "cache"), 0);
    assert_string_equal(calls, "rename ");
}

static void a_file_that_is_not_written_leaves_the_one_before(void **state)
{
    (void)state;
    struct file_writer writer;
    assert_int_equal(put(FILE_OF_USER, "before"), 0);
    fsync_code = EIO;
    assert_int_equal(put(FILE_OF_USER, "after"), EIO);
    fsync_code = 0;
    assert_int_equal(file_writer_open(&writer, "name", FILE_OF_USER), 0);
    assert_int_equal(file_writer_add(&writer, "after", 5), 0);
    assert_int_equal(file_writer_close(&writer, false), 0);
    expect("before", 0644);
    assert_int_equal(file_writer_open(&writer, "none/name", FILE_OF_USER), ENOENT);
    assert_int_equal(file_writer_close(&writer, true), ENOENT);
}

static void expect_target(const char *path, const char *expected)
{
    char *target = file_target(path);
    assert_non_null(target);
    assert_string_equal(target, expected);
    free(target);
}

static void links_stay_and_what_they_name_is_replaced(void **state)
{
    (void)state;
    char name[64];
    assert_int_equal(mkdir("links", 0700), 0);
    assert_int_equal(symlink("second", "links/first"), 0);
    assert_int_equal(symlink("../name", "links/second"), 0);
    expect_target("links/first", "links/../name");
    expect_target("name", "name");
    for (int i = 0; i < 2; i++) { /* it is not there, then it is */
        const void *const parts[] = {"text"};
        const size_t sizes[] = {4};
        assert_int_equal(write_file_atomically("links/first", FILE_OF_USER, parts, sizes, 1), 0);
        const ssize_t length = readlink("links/first", name, sizeof name);
        assert_int_equal(length, 6);
        assert_memory_equal(name, "second", 6);
        size_t bytes;
        char *found = input_read("name", INPUT_TEXT_MOST, &bytes);
        assert_non_null(found);
        assert_string_equal(found, "text");
        free(found);
    }
    unlink("links/first");
    unlink("links/second");
    assert_int_equal(symlink("loop", "links/loop"), 0);
    assert_null(file_target("links/loop"));
    assert_int_equal(errno, ELOOP);
    unlink("links/loop");
    assert_int_equal(rmdir("links"), 0);
    assert_int_equal(entries(), 1);
}

#define FILE_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(modes_are_those_of_other_files),
        FILE_TEST(a_file_is_flushed_before_its_rename_and_its_folder_after),
        FILE_TEST(a_file_that_is_not_written_leaves_the_one_before),
        FILE_TEST(links_stay_and_what_they_name_is_replaced),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
