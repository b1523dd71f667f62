/* The thread that writes frames beside a run. The test is for the thread sanitizer too: callers read without
 * a lock what a wait has ended. */
#include "cli/gas/frames.h"
#include "cli/gas/writer/writer.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTICLES = 7, NUMBERS = 2 * PARTICLES, FRAMES = 9, MOST = 20, LOST = 1000 };

static char folder[] = "/tmp/shoal-writer-XXXXXX";

static char *path_of(const char *name)
{
    return cli_sprintf("%s/%s", folder, name);
}

/* A run, its arrays, and what the thread has seen of its frames. */
struct run {
    struct gas_writer *writer;
    double position[NUMBERS], velocity[NUMBERS];
    int32_t image[NUMBERS];
    uint64_t steps[MOST]; /* of the frames that were given */
    size_t given, taken;  /* taken: by the thread */
    size_t texts;         /* written by the thread; read by the test after a wait */
    bool is_held;         /* the thread makes no text before `opens` */
    atomic_bool opens;    /* set by the test */
};

static char *frame_text(void *data, const struct shoal_gas_frame *frame, size_t *bytes)
{
    struct run *run = data;
    while (run->is_held && !atomic_load(&run->opens))
        usleep(1000);
    run->texts++;
    return gas_frame_xyz(frame, "Ar", 1, bytes);
}

static void begin(struct run *run)
{
    static struct shoal_gas_params params;
    const struct piece_files files = {0};
    const struct sample_form form = {.sampling = shoal_workload_find("gas")->sampling, .params = &params};
    shoal_gas_params_init(&params);
    *run = (struct run){.writer = gas_writer_create(&files, &form)};
    atomic_init(&run->opens, false);
}

static void add(struct run *run, const char *path)
{
    assert_true(gas_writer_add_texts(run->writer, path, false, gas_next_xyz, frame_text, run));
}

static struct shoal_gas_frame frame_of(struct run *run, uint64_t step)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        run->position[i] = (double)i + 1e-3 * (double)step;
        run->velocity[i] = -(double)i - 0.5 * (double)step;
        run->image[i] = (int32_t)step;
    }
    return (struct shoal_gas_frame){.step = step,
                                    .time = 0.25 * (double)step,
                                    .particles = PARTICLES,
                                    .dim = 2,
                                    .length = {20, 20},
                                    .position = run->position,
                                    .velocity = run->velocity,
                                    .image = run->image};
}

/* Called by the thread. At the step LOST the device fails. */
static enum shoal_status take(void *data, struct shoal_gas_frame *frame, struct shoal_error *error)
{
    struct run *run = data;
    const uint64_t step = run->steps[run->taken++];
    if (step == LOST)
        return cli_set_error(error, SHOAL_DEVICE_LOST, "the device is gone");
    *frame = frame_of(run, step);
    return SHOAL_OK;
}

static bool give(struct run *run, uint64_t step)
{
    assert_true(run->given < MOST);
    run->steps[run->given++] = step;
    return gas_writer_give(run->writer, take, run, NULL);
}

/* The file has the frames of the steps 0, 10 ... in their order. */
static void assert_frames(const char *path, size_t frames)
{
    struct run expected;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (size_t i = 0; i < frames; i++) {
        char found[4096];
        size_t bytes;
        const struct shoal_gas_frame frame = frame_of(&expected, 10 * i);
        char *text = gas_frame_xyz(&frame, "Ar", 1, &bytes);
        assert_true(bytes < sizeof found);
        assert_int_equal(fread(found, 1, bytes, file), bytes);
        assert_memory_equal(found, text, bytes);
        free(text);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

static void frames_keep_their_order(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("order.xyz");
    begin(&run);
    add(&run, path);
    for (uint64_t step = 0; step < 10 * FRAMES; step += 10)
        assert_true(give(&run, step));
    assert_int_equal(gas_writer_destroy(&run.writer), CLI_OK);
    assert_null(run.writer);
    assert_int_equal(run.texts, FRAMES);
    assert_frames(path, FRAMES);
    free(path);
}

/* The second frame is not written when the caller waits or destroys the writer; before that the caller went
 * on. */
static void frames_are_written_before_a_checkpoint_and_an_end(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("wait.xyz");
    for (int ends = 0; ends < 2; ends++) {
        begin(&run);
        add(&run, path);
        assert_true(give(&run, 0)); /* the first frame is written when the call returns */
        assert_int_equal(run.texts, 1);
        run.is_held = true;
        assert_true(give(&run, 10));
        atomic_store(&run.opens, true);
        if (!ends)
            assert_true(gas_writer_wait(run.writer));
        else
            assert_int_equal(gas_writer_destroy(&run.writer), CLI_OK);
        assert_int_equal(run.texts, 2);
        assert_frames(path, 2);
        if (!ends)
            assert_int_equal(gas_writer_destroy(&run.writer), CLI_OK);
    }
    free(path);
}

/* The run continues, and its exit code tells of the full disk. */
static void a_full_disk_reaches_the_run(void **state)
{
    (void)state;
    struct run run;
    const struct cli_reported *reported = cli_reported_first();
    char *path = path_of("beside.xyz");
    begin(&run);
    add(&run, "/dev/full");
    add(&run, path);
    for (uint64_t step = 0; step < 30; step += 10)
        assert_true(give(&run, step));
    assert_int_equal(gas_writer_destroy(&run.writer), CLI_FAILURE);
    assert_frames(path, 3); /* the other file is whole */
    reported = reported ? reported->next : cli_reported_first();
    assert_non_null(reported);
    assert_non_null(strstr(reported->message, "/dev/full"));
    assert_null(reported->next); /* told once */
    free(path);
}

/* So does a GSD file that the disk takes only in part, and in the middle of the run. */
static void a_gsd_file_keeps_its_whole_frames(void **state)
{
    (void)state;
    struct run run;
    struct rlimit before, small;
    char *path = path_of("run.gsd");
    begin(&run);
    assert_true(gas_writer_add_gsd(run.writer, path, false));
    assert_true(give(&run, 0));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){.rlim_cur = (rlim_t)ftell(file), .rlim_max = before.rlim_max};
    fclose(file);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    for (uint64_t step = 10; step < 200; step += 10)
        assert_true(give(&run, step));
    const int code = gas_writer_destroy(&run.writer);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(code, CLI_FAILURE);
    free(path);
}

/* A file that something else has replaced before the first frame ends the run there. */
static void a_strange_file_ends_the_run(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("strange.xyz");
    begin(&run);
    assert_true(gas_writer_add_texts(run.writer, path, true, gas_next_xyz, frame_text, &run));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a letter\n", file);
    fclose(file);
    assert_false(give(&run, 0));
    assert_non_null(strstr(gas_writer_error(run.writer)->message, path));
    assert_int_equal(run.texts, 0);
    (void)gas_writer_destroy(&run.writer);
    free(path);
}

/* So does a device that fails while its particles are copied, when the next frame is given. */
static void a_lost_device_ends_the_run(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("lost.xyz");
    begin(&run);
    add(&run, path);
    assert_true(give(&run, 0));
    assert_true(give(&run, LOST));
    assert_false(give(&run, 20));
    assert_string_equal(gas_writer_error(run.writer)->message, "the device is gone");
    assert_int_equal(gas_writer_destroy(&run.writer), CLI_OK);
    assert_frames(path, 1);
    free(path);
}

/* Of a last frame nothing else tells. */
static void a_lost_last_frame_is_a_failure(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("last.xyz");
    for (int waits = 0; waits < 2; waits++) {
        begin(&run);
        add(&run, path);
        assert_true(give(&run, 0));
        assert_true(give(&run, LOST));
        if (waits)
            assert_false(gas_writer_wait(run.writer));
        assert_int_equal(gas_writer_destroy(&run.writer), waits ? CLI_OK : cli_exit_code(SHOAL_DEVICE_LOST));
        assert_true(cli_was_reported("the device is gone"));
        assert_frames(path, 1);
    }
    free(path);
}

/* No frame is written of a state that cannot be copied. */
static void a_snapshot_that_does_not_begin_ends_the_run(void **state)
{
    (void)state;
    struct run run;
    char *path = path_of("none.xyz");
    begin(&run);
    add(&run, path);
    for (int i = 0; i < 2; i++)
        assert_false(gas_writer_give_state(run.writer, NULL, NULL));
    assert_non_null(strstr(gas_writer_error(run.writer)->message, "is NULL"));
    assert_int_equal(gas_writer_destroy(&run.writer), CLI_OK);
    assert_int_equal(run.texts, 0);
    free(path);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"order.xyz",   "wait.xyz", "beside.xyz", "run.gsd",
                                        "strange.xyz", "lost.xyz", "last.xyz"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = path_of(names[i]);
        unlink(path);
        free(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_keep_their_order),
        cmocka_unit_test(frames_are_written_before_a_checkpoint_and_an_end),
        cmocka_unit_test(a_full_disk_reaches_the_run),
        cmocka_unit_test(a_gsd_file_keeps_its_whole_frames),
        cmocka_unit_test(a_strange_file_ends_the_run),
        cmocka_unit_test(a_lost_device_ends_the_run),
        cmocka_unit_test(a_lost_last_frame_is_a_failure),
        cmocka_unit_test(a_snapshot_that_does_not_begin_ends_the_run),
    };
    return cmocka_run_group_tests_name("gas-writer", tests, make_folder, remove_folder);
}
