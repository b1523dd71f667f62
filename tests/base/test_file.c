/* Files written whole: their mode, what is there after a failure, and when they are flushed. */
#include "unit.h"

#include "base/file.h"
#include "base/input.h"
#include "base/packed/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char calls[200]; /* the first of the functions below, since `begin` */
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;
static int fsync_code; /* errno with which fsync fails; 0: it works */
static char folder[] = "/tmp/shoal-file-XXXXXX";

/* Instead of the functions of those names: see meson.build. */
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_fsync(int file);

static void add_call(const char *name)
{
    pthread_mutex_lock(&calls_lock);
    if (strlen(calls) + strlen(name) < sizeof calls)
        strcat(calls, name);
    pthread_mutex_unlock(&calls_lock);
}

int __wrap_rename(const char *from, const char *to)
{
    add_call("rename ");
    return __real_rename(from, to);
}

int __wrap_fsync(int file)
{
    struct stat info;
    assert_int_equal(fstat(file, &info), 0);
    add_call(S_ISDIR(info.st_mode) ? "fsync-folder " : "fsync-file ");
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

/* A process that writes "name" and waits in the middle, until it is killed. */
static pid_t start_writer(void)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t process = fork();
    if (process == 0) {
        struct file_writer writer;
        const bool begun = file_writer_open(&writer, "name", FILE_OF_USER) == 0 &&
                           file_writer_add(&writer, "half", 4) == 0 && write(ready[1], "1", 1) == 1;
        if (begun)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_true(process > 0);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return process;
}

static void files_of_killed_writers_are_removed(void **state)
{
    (void)state;
    const pid_t killed = start_writer(), living = start_writer();
    assert_int_equal(entries(), 2);
    assert_int_equal(put(FILE_OF_USER, "first"), 0);
    assert_int_equal(entries(), 3); /* both are at work */
    kill(killed, SIGKILL);
    assert_int_equal(waitpid(killed, NULL, 0), killed);
    /* One of another name leaves it alone. */
    assert_int_equal(write_file_atomically("nam", FILE_OF_USER, NULL, NULL, 0), 0);
    assert_int_equal(write_file_atomically("name.1", FILE_OF_USER, NULL, NULL, 0), 0);
    assert_int_equal(unlink("nam") | unlink("name.1"), 0);
    assert_int_equal(entries(), 3);
    assert_int_equal(put(FILE_OF_USER, "second"), 0);
    assert_int_equal(entries(), 2);
    kill(living, SIGKILL);
    assert_int_equal(waitpid(living, NULL, 0), living);
    assert_int_equal(put(FILE_OF_USER, "third"), 0);
    expect("third", 0644);
}

static void put_beside(const char *name)
{
    const int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    close(file);
}

/* The last number that a process can have is 2^22. */
static void what_may_be_of_a_living_writer_stays(void **state)
{
    (void)state;
    char own[64], others[64];
    snprintf(own, sizeof own, "name.%d-fff0.tmp", (int)getpid());
    snprintf(others, sizeof others, "name.%d-0000.tmp", (int)getppid());
    static const char *const strangers[] = {"name.tmp",          "name.4194999-0.tm",  "name.4194999.tmp",
                                            "name.4194999-0000", "name.-7-0000.tmp",   "name.0-0000.tmp",
                                            "name.x-0000.tmp",   "name.4194999-zz.tmp"};
    const size_t count = sizeof strangers / sizeof *strangers;
    for (size_t i = 0; i < count; i++)
        put_beside(strangers[i]);
    put_beside(others);                  /* the number of another process */
    put_beside("name.4194998-0000.tmp"); /* of another host, which has it locked */
    assert_int_equal(mkdir("name.4194997-0000.tmp", 0700), 0);
    assert_int_equal(symlink("name.tmp", "name.4194996-0000.tmp"), 0);
    const int held = open("name.4194998-0000.tmp", O_RDONLY);
    assert_int_equal(flock(held, LOCK_EX), 0);
    put_beside(own);                     /* of an earlier process of our number */
    put_beside("name.4194999-0000.tmp"); /* of one that is gone */
    assert_int_equal(put(FILE_OF_USER, "text"), 0);
    assert_int_equal(entries(), count + 5);
    assert_int_equal(access(own, F_OK), -1);
    assert_int_equal(access("name.4194999-0000.tmp", F_OK), -1);
    close(held); /* the other host's writer is gone */
    assert_int_equal(put(FILE_OF_USER, "text"), 0);
    assert_int_equal(access("name.4194998-0000.tmp", F_OK), -1);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(unlink(strangers[i]), 0);
    assert_int_equal(unlink(others) | unlink("name.4194996-0000.tmp") | rmdir("name.4194997-0000.tmp"), 0);
    expect("text", 0644);
}

static void names_may_be_as_long_as_the_system_takes(void **state)
{
    (void)state;
    char name[NAME_MAX + 2], left[NAME_MAX + 1];
    memset(name, 'n', sizeof name);
    name[NAME_MAX] = '\0';
    snprintf(left, sizeof left, "%.*s.4194999-0000.tmp", NAME_MAX - 20, name);
    put_beside(left);
    assert_int_equal(write_file_atomically(name, FILE_OF_USER, NULL, NULL, 0), 0);
    assert_int_equal(access(left, F_OK), -1);
    assert_int_equal(unlink(name), 0);
    name[NAME_MAX] = 'n';
    name[NAME_MAX + 1] = '\0';
    assert_int_equal(write_file_atomically(name, FILE_OF_USER, NULL, NULL, 0), ENAMETOOLONG);
    assert_int_equal(entries(), 0);
}

enum { THREADS = 4, WRITES = 200 };

static void *write_often(void *wrong)
{
    for (int i = 0; i < WRITES; i++)
        if (write_file_atomically("name", FILE_CACHE, NULL, NULL, 0) != 0)
            atomic_fetch_add((atomic_int *)wrong, 1);
    return NULL;
}

/* Threads, and processes, that write one file at once never remove the file of each other. */
static void writers_at_once_leave_each_other_alone(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    atomic_int wrong = 0;
    int status;
    const pid_t process = fork();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, &wrong), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    if (process == 0)
        _exit(wrong != 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
    assert_int_equal(wrong, 0);
    assert_int_equal(entries(), 1);
}

/* Many files in one folder: names are not read for each, and what was left is removed soon all the same. */
static void a_full_folder_is_looked_at_now_and_then(void **state)
{
    (void)state;
    enum { FILES = 500 };
    char name[32];
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "frame%d", i);
        put_beside(name);
    }
    assert_int_equal(put(FILE_CACHE, ""), 0);
    put_beside("name.4194999-0000.tmp");
    int writes = 0;
    for (; access("name.4194999-0000.tmp", F_OK) == 0 && writes < FILES; writes++)
        assert_int_equal(put(FILE_CACHE, ""), 0);
    assert_in_range(writes, 2, FILES / 64 + 2);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "frame%d", i);
        unlink(name);
    }
}

/* Pieces larger than the packer's room, which no packing makes small, and what a writer that is stopped
 * behind a piece has left. */
static void packed_files_hold_what_was_added(void **state)
{
    (void)state;
    enum { PIECES = 5, PIECE = 100003 };
    char *text = malloc(PIECES * PIECE), *found;
    struct file_writer writer;
    struct text packed = {0};
    size_t bytes;
    bool is_cut;
    uint32_t word = 1;
    assert_non_null(text);
    for (size_t i = 0; i < PIECES * PIECE; i++)
        text[i] = (char)((word = word * 1664525u + 1013904223u) >> 24);
    assert_int_equal(file_writer_open(&writer, "name", FILE_OF_USER), 0);
    assert_int_equal(file_writer_pack(&writer), 0);
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(file_writer_add(&writer, text + i * PIECE, PIECE), 0);
    assert_int_equal(file_writer_close(&writer, true), 0);
    assert_ok(read_input_unpacked("name", "file", &found, &bytes, &test_error));
    assert_int_equal(bytes, PIECES * PIECE);
    assert_memory_equal(found, text, bytes);
    free(found);
    /* Each piece is whole once it is added; streams may follow each other. */
    struct packer *packer = packer_create();
    assert_non_null(packer);
    for (size_t i = 1; i <= PIECES; i++) {
        assert_true(
            packer_add(packer, text + (i - 1) * PIECE, PIECE, i == 3 ? PACK_END : PACK_WHOLE, &packed));
        found = malloc(packed.length);
        assert_non_null(found);
        memcpy(found, packed.data, packed.length);
        bytes = packed.length;
        assert_ok(input_unpack_cut("name", &found, &bytes, &is_cut, &test_error));
        assert_int_equal(bytes, i * PIECE);
        assert_memory_equal(found, text, bytes);
        assert_int_equal(is_cut, i != 3);
        free(found);
    }
    packer_destroy(&packer);
    packer_destroy(&packer);
    text_free(&packed);
    assert_true(pack_is_asked_for("a/run.xyz.gz") && !pack_is_asked_for("run.gz.xyz") &&
                !pack_is_asked_for(".gz"));
    free(text);
}

#define FILE_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(modes_are_those_of_other_files),
        FILE_TEST(a_file_is_flushed_before_its_rename_and_its_folder_after),
        FILE_TEST(a_file_that_is_not_written_leaves_the_one_before),
        FILE_TEST(links_stay_and_what_they_name_is_replaced),
        FILE_TEST(files_of_killed_writers_are_removed),
        FILE_TEST(what_may_be_of_a_living_writer_stays),
        FILE_TEST(names_may_be_as_long_as_the_system_takes),
        FILE_TEST(writers_at_once_leave_each_other_alone),
        FILE_TEST(a_full_folder_is_looked_at_now_and_then),
        FILE_TEST(packed_files_hold_what_was_added),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
