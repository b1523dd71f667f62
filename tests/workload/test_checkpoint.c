/* Checkpoint files: what was written comes back, and nothing else does. */
#include "unit.h"

#include "base/error.h"
#include "base/input.h"
#include "workload/checkpoint/checkpoint.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const double position[] = {1, 2, 3, 4, 5};

static void write_one(const char *path)
{
    struct checkpoint checkpoint = {0};
    checkpoint_add(&checkpoint, "workload", "pso", 3);
    checkpoint_add(&checkpoint, "position", position, sizeof position);
    checkpoint_add(&checkpoint, "nothing", NULL, 0);
    assert_ok(checkpoint_write(&checkpoint, path, &test_error));
}

static void sections_come_back(void **state)
{
    (void)state;
    const char *path = test_path("a.ckpt");
    write_one(path);
    write_one(path); /* over itself */
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 1);
    struct checkpoint checkpoint;
    void *file;
    assert_ok(checkpoint_read(&checkpoint, path, &file, &test_error));
    assert_int_equal(checkpoint.count, 3);
    assert_null(checkpoint_find(&checkpoint, "velocity"));
    double got[5];
    assert_ok(checkpoint_get(&checkpoint, "position", got, sizeof got, &test_error));
    assert_memory_equal(got, position, sizeof got);
    assert_ok(checkpoint_get(&checkpoint, "nothing", NULL, 0, &test_error));
    assert_status(checkpoint_get(&checkpoint, "position", got, sizeof got - 1, &test_error), SHOAL_IO);
    assert_contains(test_error.message, path);
    assert_contains(test_error.message, "\"position\"");
    assert_status(checkpoint_get(&checkpoint, "velocity", got, sizeof got, &test_error), SHOAL_IO);
    free(file);
}

/* The last number first. A source that fails has put the others. */
static bool source_fails;

static enum shoal_status put_numbers(const void *data, struct checkpoint_sink *sink,
                                     struct shoal_error *error)
{
    enum { LAST = sizeof position - sizeof *position };
    enum shoal_status status = checkpoint_put(sink, LAST, (const char *)data + LAST, sizeof *position, error);
    if (!status)
        status = checkpoint_put(sink, 0, data, LAST, error);
    return status || !source_fails ? status : fail(error, SHOAL_DEVICE_LOST, "the device is lost");
}

static struct checkpoint with_source(bool is_streamed)
{
    struct checkpoint checkpoint = {.is_streamed = is_streamed};
    void *own = malloc(sizeof position);
    assert_non_null(own);
    memcpy(own, position, sizeof position);
    checkpoint_add(&checkpoint, "before", "pso", 3);
    assert_ok(checkpoint_add_source(&checkpoint, "position", sizeof position, put_numbers, own, &test_error));
    checkpoint_add(&checkpoint, "behind", "gas", 3);
    return checkpoint;
}

/* To memory, a file and a pipe, which has no places. */
static void sources_are_asked_when_they_are_written(void **state)
{
    (void)state;
    struct checkpoint whole = with_source(false), streamed = with_source(true);
    void *bytes, *same;
    size_t size, same_size, length;
    char *file;
    assert_ok(checkpoint_to_memory(&whole, &bytes, &size, &test_error));
    assert_ok(checkpoint_to_memory(&streamed, &same, &same_size, &test_error));
    assert_int_equal(size, same_size);
    assert_memory_equal(bytes, same, size);
    assert_ok(checkpoint_write(&streamed, test_path("a.ckpt"), &test_error));
    assert_ok(read_input(test_path("a.ckpt"), "checkpoint", INPUT_DATA_MOST, &file, &length, &test_error));
    assert_int_equal(length, size);
    assert_memory_equal(bytes, file, size);
    free(file);
    assert_int_equal(mkfifo(test_path("pipe"), 0600), 0);
    const int pipe = open(test_path("pipe"), O_RDWR | O_CLOEXEC);
    assert_ok(checkpoint_write(&streamed, test_path("pipe"), &test_error));
    assert_int_equal(read(pipe, same, size), size);
    assert_memory_equal(bytes, same, size);
    close(pipe);
    /* The file is as before. */
    source_fails = true;
    assert_status(checkpoint_write(&streamed, test_path("a.ckpt"), &test_error), SHOAL_DEVICE_LOST);
    assert_status(checkpoint_write(&streamed, test_path("new.ckpt"), &test_error), SHOAL_DEVICE_LOST);
    free(same);
    assert_status(checkpoint_to_memory(&streamed, &same, &same_size, &test_error), SHOAL_DEVICE_LOST);
    struct checkpoint none = {0};
    assert_status(checkpoint_add_source(&none, "position", sizeof position, put_numbers,
                                        calloc(1, sizeof position), &test_error),
                  SHOAL_DEVICE_LOST);
    assert_int_equal(none.count, 0);
    source_fails = false;
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 2);
    assert_status(checkpoint_write(&streamed, test_path("none/a.ckpt"), &test_error), SHOAL_IO);
    assert_status(checkpoint_write(&streamed, "/dev/full", &test_error), SHOAL_IO);
    checkpoint_clear(&whole);
    checkpoint_clear(&streamed);
    free(bytes);
}

/* The file is not written without what has no room. */
static void sections_without_room_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "a name of 24 characters.", "twice"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct checkpoint checkpoint = {0};
        checkpoint_add(&checkpoint, "twice", NULL, 0);
        checkpoint_add_copy(&checkpoint, names[i], calloc(1, 8), 8);
        assert_status(checkpoint_write(&checkpoint, test_path("a.ckpt"), &test_error), SHOAL_FAILED);
        checkpoint_clear(&checkpoint);
    }
    struct checkpoint many = {0};
    void *bytes = NULL;
    size_t size;
    for (int i = 0; i <= CHECKPOINT_SECTIONS; i++) {
        char name[CHECKPOINT_NAME];
        snprintf(name, sizeof name, "section %d", i);
        checkpoint_add_copy(&many, name, calloc(1, 8), 8);
    }
    assert_int_equal(many.count, CHECKPOINT_SECTIONS);
    assert_status(checkpoint_to_memory(&many, &bytes, &size, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "not for \"section 128\"");
    assert_null(bytes);
    checkpoint_clear(&many);
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
}

static enum shoal_status parse(const void *bytes, size_t size)
{
    struct checkpoint checkpoint;
    return checkpoint_parse(&checkpoint, bytes, size, "some.ckpt", &test_error);
}

/* Makes the hash at the end good again. */
static void rehash(char *bytes, size_t size)
{
    uint64_t hash = XXH3_64bits(bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
}

static void damage_is_found(void **state)
{
    (void)state;
    const char *path = test_path("a.ckpt");
    write_one(path);
    size_t size;
    char *bytes = input_read(path, INPUT_DATA_MOST, &size);
    assert_non_null(bytes);
    assert_ok(parse(bytes, size));
    for (size_t length = 0; length < size; length++)
        assert_status(parse(bytes, length), SHOAL_IO);
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 1;
        assert_status(parse(bytes, size), SHOAL_IO);
        bytes[at] ^= 1;
    }
    /* With a good hash: what is in the way then is said. */
    static const struct {
        size_t at;
        unsigned char change;
        const char *part;
    } cases[] = {{8, 0x40, "format"},                                    /* version */
                 {12, 0xff, "byte order"},   {16 + 24, 0xff, "damaged"}, /* size of the first section */
                 {16 + 31, 0x80, "damaged"},                             /* the same, near 2^63 */
                 {16 + 23, 0x41, "damaged"},                             /* a name without end */
                 {16, 0x77, "damaged"}};                                 /* an empty name in the middle */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *copy = malloc(size);
        memcpy(copy, bytes, size);
        copy[cases[i].at] = (char)(copy[cases[i].at] ^ cases[i].change);
        if (cases[i].at == 16)
            memset(copy + 16, 0, 24);
        rehash(copy, size);
        assert_status(parse(copy, size), SHOAL_IO);
        assert_contains(test_error.message, cases[i].part);
        assert_contains(test_error.message, "some.ckpt");
        free(copy);
    }
    free(bytes);
}

static void files_that_are_no_checkpoints(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    void *file = state;
    assert_status(checkpoint_read(&checkpoint, test_path("none.ckpt"), &file, &test_error), SHOAL_IO);
    assert_null(file);
    assert_int_equal(test_error.native, ENOENT);
    assert_contains(test_error.message, "none.ckpt");
    test_write_text(test_path("text.ckpt"), "SHOAL, but not quite");
    assert_status(checkpoint_read(&checkpoint, test_path("text.ckpt"), &file, &test_error), SHOAL_IO);
    assert_null(file);
    assert_contains(test_error.message, "is not a checkpoint");
    assert_status(checkpoint_read(&checkpoint, test_folder(), &file, &test_error), SHOAL_IO);

    struct checkpoint empty = {0};
    assert_status(checkpoint_write(&empty, test_path("text.ckpt/a.ckpt"), &test_error), SHOAL_IO);
    assert_contains(test_error.message, "text.ckpt/a.ckpt");
    assert_ok(checkpoint_write(&empty, test_path("empty.ckpt"), &test_error));
    assert_ok(checkpoint_read(&checkpoint, test_path("empty.ckpt"), &file, &test_error));
    assert_int_equal(checkpoint.count, 0);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(sections_come_back),
        UNIT_TEST(sources_are_asked_when_they_are_written),
        UNIT_TEST(sections_without_room_are_refused),
        UNIT_TEST(damage_is_found),
        UNIT_TEST(files_that_are_no_checkpoints),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
