/* The OpenCL backend on every OpenCL device of the machine (PoCL at least); skipped where there is none. */
#include "real.h"

#include <math.h>

static void devices_describe_themselves(void **state)
{
    (void)state;
    size_t count = 0;
    while (real_next_device()) {
        const struct shoal_device_info *info = shoal_device_get_info(device);
        char id[32];
        snprintf(id, sizeof id, "opencl:%zu", count);
        assert_string_equal(info->id, id);
        assert_true(info->name[0] && info->vendor[0] && info->platform[0] && info->driver[0] &&
                    info->compiler[0]);
        assert_true(info->name[0] != ' ' && info->name[strlen(info->name) - 1] != ' ');
        assert_true(info->memory > 0 && info->max_allocation > 0 && info->max_allocation <= info->memory);
        assert_true(info->local_mem > 0 && info->local_mem_max == info->local_mem);
        assert_true(info->units > 0 && info->max_work_group > 0 && info->simd_width > 0);
        assert_false(info->is_host);
        count++;
    }
    bool noted = false;
    for (size_t i = 0; i < shoal_backend_count(shoal); i++)
        noted = noted || (strcmp(shoal_backend_at(shoal, i)->name, "opencl") == 0 &&
                          shoal_backend_at(shoal, i)->available == (count > 0));
    assert_true(noted);
    if (!count)
        skip();
}

static void data_goes_round(void **state)
{
    (void)state;
    while (real_next_device()) {
        enum { COUNT = 1031 };
        uint32_t in[COUNT], out[COUNT];
        for (uint32_t i = 0; i < COUNT; i++)
            in[i] = i * 2654435761u;
        struct shoal_buffer *a = real_buffer(device, sizeof in), *b = real_buffer(device, sizeof in);
        assert_ok(shoal_buffer_write(queue, a, 0, in, sizeof in, &test_error));
        assert_ok(shoal_buffer_fill(queue, b, 0, sizeof in, 0xa5a5a5a5u, &test_error));
        assert_ok(shoal_buffer_copy(queue, a, 4, b, 8, sizeof in - 12, &test_error));
        assert_ok(shoal_buffer_write(queue, b, sizeof in - 1, "\x77", 1, &test_error));
        assert_ok(shoal_buffer_read(queue, b, 0, out, sizeof in, &test_error));
        assert_int_equal(out[0], 0xa5a5a5a5u);
        assert_int_equal(out[1], 0xa5a5a5a5u);
        assert_memory_equal(out + 2, in + 1, sizeof in - 12);
        assert_int_equal(out[COUNT - 1], 0x77a5a5a5u);
        assert_ok(shoal_buffer_copy(queue, a, 0, a, 512, 512, &test_error));
        assert_ok(shoal_buffer_read(queue, a, 512, out, 512, &test_error));
        assert_memory_equal(out, in, 512);
        /* What was written may be changed at once. */
        for (uint32_t i = 0; i < 16; i++) {
            assert_ok(shoal_buffer_write(queue, a, 4 * i, &i, 4, &test_error));
        }
        assert_ok(shoal_buffer_read(queue, a, 0, out, 64, &test_error));
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(out[i], i);
        assert_ok(shoal_queue_flush(queue, &test_error));
        shoal_buffer_destroy(&a);
        shoal_buffer_destroy(&b);
    }
}

static void every_kind_of_argument_arrives(void **state)
{
    (void)state;
    while (real_next_device()) {
        if (!shoal_device_get_info(device)->fp64)
            continue;
        for (int real = 32; real <= 64; real += 32) {
            struct shoal_program *program = real_build(device, real);
            struct shoal_kernel *kernel;
            assert_ok(shoal_kernel_create(program, "everything", &kernel, &test_error));
            struct shoal_buffer *in = real_buffer(device, 64), *out = real_buffer(device, 64);
            const float values[] = {1.5f, 2.5f};
            float got[11];
            assert_ok(shoal_buffer_write(queue, in, 0, values, sizeof values, &test_error));
            struct unit_pair pair = {1, 2, 3};
            struct shoal_arg args[UNIT_EVERYTHING_ARGS];
            unit_everything_args(args, in, out, &pair);
            for (int round = 0; round < 2; round++) {
                assert_ok(shoal_launch(queue, kernel, 1, args, UNIT_EVERYTHING_ARGS, NULL, &test_error));
                pair.c = 9; /* copied by the launch */
                assert_ok(shoal_buffer_read(queue, out, 0, got, sizeof got, &test_error));
                const float wanted[] = {
                    -1, 2, 1, 15, 0.5f, 0.1f, 0.1f, round ? 921.0f : 321.0f, 2.5f, 0, (float)real / 8};
                for (size_t i = 0; i < 11; i++)
                    assert_true(got[i] == wanted[i]);
            }
            args[10] = shoal_arg_buffer(in);
            assert_ok(shoal_launch(queue, kernel, 1, args, UNIT_EVERYTHING_ARGS, NULL, &test_error));
            assert_ok(shoal_buffer_read(queue, out, 0, got, sizeof got, &test_error));
            assert_true(got[9] == 1);
            shoal_buffer_destroy(&in);
            shoal_buffer_destroy(&out);
            shoal_kernel_destroy(&kernel);
            shoal_program_destroy(&program);
        }
    }
}

static void two_queues_are_ordered(void **state)
{
    (void)state;
    while (real_next_device()) {
        enum { COUNT = 1 << 16 };
        struct shoal_queue *second;
        assert_ok(shoal_queue_create(device, 0, &second, &test_error));
        struct shoal_program *program = real_build(device, 32);
        struct shoal_kernel *first_add, *second_add;
        assert_ok(shoal_kernel_create(program, "add", &first_add, &test_error));
        assert_ok(shoal_kernel_create(program, "add", &second_add, &test_error));
        struct shoal_buffer *one = real_buffer(device, 4 * COUNT), *sum = real_buffer(device, 4 * COUNT),
                            *result = real_buffer(device, 4 * COUNT);
        assert_ok(shoal_buffer_fill(queue, one, 0, 4 * COUNT, 1, &test_error));
        assert_ok(shoal_buffer_fill(queue, sum, 0, 4 * COUNT, 0, &test_error));
        assert_ok(shoal_buffer_fill(queue, result, 0, 4 * COUNT, 0, &test_error));
        struct shoal_event *event = NULL;
        for (int i = 0; i < 20; i++) {
            shoal_event_destroy(&event);
            real_launch_add(queue, first_add, COUNT, one, sum, &event);
        }
        /* The second queue must not add before the twentieth is done. */
        assert_ok(shoal_queue_wait(second, event, &test_error));
        real_launch_add(second, second_add, COUNT, sum, result, NULL);
        real_expect_words(second, result, COUNT, 20);
        assert_ok(shoal_event_wait(event, &test_error));
        shoal_event_destroy(&event);
        shoal_kernel_destroy(&first_add);
        shoal_kernel_destroy(&second_add);
        shoal_program_destroy(&program);
        shoal_buffer_destroy(&one);
        shoal_buffer_destroy(&sum);
        shoal_buffer_destroy(&result);
        shoal_queue_destroy(&second);
    }
}

static void spans_and_events_have_times(void **state)
{
    (void)state;
    while (real_next_device()) {
        enum { COUNT = 1 << 18 };
        struct shoal_program *program = real_build(device, 32);
        struct shoal_kernel *add, *noop;
        assert_ok(shoal_kernel_create(program, "add", &add, &test_error));
        assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
        struct shoal_buffer *x = real_buffer(device, 4 * COUNT), *y = real_buffer(device, 4 * COUNT);
        assert_ok(shoal_buffer_fill(queue, x, 0, 4 * COUNT, 1, &test_error));
        assert_ok(shoal_buffer_fill(queue, y, 0, 4 * COUNT, 0, &test_error));
        double empty = -1, whole = 0, start[2], end[2];
        assert_ok(shoal_span_begin(queue, &test_error));
        assert_ok(shoal_span_end(queue, &empty, &test_error));
        assert_true(empty == 0);
        struct shoal_event *first, *last;
        assert_ok(shoal_span_begin(queue, &test_error));
        real_launch_add(queue, add, COUNT, x, y, &first);
        assert_ok(shoal_buffer_fill(queue, x, 0, 4 * COUNT, 2, &test_error));
        real_launch_add(queue, add, COUNT, x, y, &last);
        assert_ok(shoal_span_end(queue, &whole, &test_error));
        assert_ok(shoal_event_times(first, &start[0], &end[0], &test_error));
        assert_ok(shoal_event_times(last, &start[1], &end[1], &test_error));
        assert_true(start[0] <= end[0] && end[0] <= start[1] && start[1] <= end[1]);
        /* The end is taken behind the last command; each is rounded to the nanosecond. */
        assert_true(whole > end[1] - start[0] - 1e-6);
        assert_true(whole > 0 && whole < 60);
        shoal_event_destroy(&first);
        shoal_event_destroy(&last);
        real_expect_words(queue, y, COUNT, 3);
        /* Destroying the queue inside a span leaves nothing behind. */
        assert_ok(shoal_span_begin(queue, &test_error));
        assert_ok(shoal_launch(queue, noop, 1, NULL, 0, NULL, &test_error));
        assert_ok(shoal_queue_finish(queue, &test_error));
        shoal_kernel_destroy(&add);
        shoal_kernel_destroy(&noop);
        shoal_program_destroy(&program);
        shoal_buffer_destroy(&x);
        shoal_buffer_destroy(&y);
    }
}

/* A kernel that does not compile: the message names our file and line, the log is complete. */
static void build_errors_name_our_file_and_line(void **state)
{
    (void)state;
    test_write_text(test_path("unit/program.cl"),
                    "#include \"lib/broken.clh\"\n__kernel void add(void) {}\n");
    test_write_text(test_path("lib/broken.clh"), "/* fine */\n\nint broken = no_such_name;\n");
    while (real_next_device()) {
        struct shoal_program *program;
        struct shoal_program_params params;
        shoal_program_params_init(&params);
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_null(program);
        assert_contains(test_error.message, "lib/broken.clh:3: ");
        assert_contains(test_error.message, "unit/program.cl");
        assert_contains(test_error.message, shoal_device_get_info(device)->id);
        assert_contains(test_error.log, "no_such_name");
        assert_string_equal(test_error.call, "clBuildProgram");
        params.text = "__kernel void add(void)\n{\n    float x = ;\n}\n";
        params.text_name = "mine/wave.cl";
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_contains(test_error.message, "mine/wave.cl:3: ");
        /* A text without the promised entry. */
        params.text = "__kernel void noop(void) {}\n";
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_null(program);
        assert_contains(test_error.message, "add");
        /* The device is as good as before. */
        program = real_build(device, 32);
        shoal_program_destroy(&program);
    }
}

static void allocations_that_are_too_large(void **state)
{
    (void)state;
    while (real_next_device()) {
        const struct shoal_device_info *info = shoal_device_get_info(device);
        struct shoal_buffer *buffer = (struct shoal_buffer *)state;
        const size_t sizes[] = {(size_t)info->max_allocation + 1, SIZE_MAX};
        for (size_t i = 0; i < 2; i++) {
            assert_status(shoal_buffer_create(device, sizes[i], &buffer, &test_error),
                          SHOAL_OUT_OF_DEVICE_MEMORY);
            assert_null(buffer);
            assert_contains(test_error.message, info->id);
        }
        /* The driver's own refusal: past the core's check. NVIDIA's driver allocates at the first use. */
        struct shoal_buffer raw = {.device = device, .bytes = (size_t)1 << 62};
        enum shoal_status status = device->backend->buffer_create(&raw, &test_error);
        if (strstr(info->platform, "NVIDIA") && status == SHOAL_OK) {
            device->backend->buffer_destroy(&raw);
        } else {
            assert_int_equal(status, SHOAL_OUT_OF_DEVICE_MEMORY);
            assert_string_equal(test_error.call, "clCreateBuffer");
            assert_true(test_error.native < 0);
        }
        buffer = real_buffer(device, 16);
        shoal_buffer_destroy(&buffer);
    }
}

/* Compiled programs go to the cache and come back, on drivers that do not cache for themselves. */
static void binaries_are_cached(void **state)
{
    (void)state;
    struct shoal_params params = real_params();
    params.no_cache = false;
    params.cache_dir = test_path("cache");
    real_reopen(&params);
    while (real_next_device()) {
        device->info.self_caching = false;
        for (int round = 0; round < 3; round++) {
            struct shoal_program *program = real_build(device, 32);
            assert_true((shoal_program_build_seconds(program) == 0) == (round == 1));
            struct shoal_kernel *kernel;
            assert_ok(shoal_kernel_create(program, "add", &kernel, &test_error));
            struct shoal_buffer *x = real_buffer(device, 400), *y = real_buffer(device, 400);
            assert_ok(shoal_buffer_fill(queue, x, 0, 400, 5, &test_error));
            assert_ok(shoal_buffer_fill(queue, y, 0, 400, 1, &test_error));
            real_launch_add(queue, kernel, 100, x, y, NULL);
            real_expect_words(queue, y, 100, 6);
            shoal_buffer_destroy(&x);
            shoal_buffer_destroy(&y);
            shoal_kernel_destroy(&kernel);
            shoal_program_destroy(&program);
            assert_ok(shoal_queue_finish(queue, &test_error));
            char path[1024];
            if (round == 1) {
                /* Damage it for the third round. */
                assert_int_equal(test_count_files(test_path("cache"), ".bin", path, sizeof path), 1);
                test_write_text(path, "damaged");
            }
        }
        assert_ok(shoal_cache_clear(shoal, NULL, &test_error));
    }
    assert_true(unit_log_count(SHOAL_LOG_WARNING) <= 1);
}

enum { THREADS = 3, ROUNDS = 6 };

struct worker {
    pthread_t thread;
    struct shoal_device *device;
    enum shoal_status status;
    struct shoal_error error;
    bool right;
};

/* Builds, launches and gives back again and again what the other threads build too. */
static void *build_and_launch(void *argument)
{
    struct worker *worker = argument;
    struct shoal_error *error = &worker->error;
    struct shoal_queue *own = NULL;
    worker->status = shoal_queue_create(worker->device, 0, &own, error);
    for (int round = 0; round < ROUNDS && !worker->status; round++) {
        const uint32_t wanted = 7;
        uint32_t got = 0;
        struct shoal_program *program = NULL;
        struct shoal_kernel *kernel = NULL;
        struct shoal_buffer *x = NULL, *y = NULL;
        struct shoal_program_params params;
        shoal_program_params_init(&params);
        params.text = real_text;
        enum shoal_status status =
            shoal_program_create(worker->device, &unit_program, &params, &program, error);
        if (!status)
            status = shoal_kernel_create(program, "add", &kernel, error);
        if (!status)
            status = shoal_buffer_create(worker->device, sizeof got, &x, error);
        if (!status)
            status = shoal_buffer_create(worker->device, sizeof got, &y, error);
        if (!status)
            status = shoal_buffer_fill(own, x, 0, sizeof got, wanted - 2, error);
        if (!status)
            status = shoal_buffer_fill(own, y, 0, sizeof got, 2, error);
        const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(x), shoal_arg_buffer(y)};
        if (!status)
            status = shoal_launch(own, kernel, 1, args, 3, NULL, error);
        if (!status)
            status = shoal_buffer_read(own, y, 0, &got, sizeof got, error);
        shoal_buffer_destroy(&x);
        shoal_buffer_destroy(&y);
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
        worker->status = status;
        worker->right = worker->right && got == wanted;
    }
    shoal_queue_destroy(&own);
    return NULL;
}

static void threads_share_what_is_built(void **state)
{
    (void)state;
    while (real_next_device()) {
        struct worker workers[THREADS] = {0};
        for (int i = 0; i < THREADS; i++) {
            workers[i].device = device;
            workers[i].right = true;
            assert_int_equal(pthread_create(&workers[i].thread, NULL, build_and_launch, &workers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(workers[i].thread, NULL);
        for (int i = 0; i < THREADS; i++) {
            if (workers[i].status)
                print_error("thread %d: %s\n", i, workers[i].error.message);
            assert_int_equal(workers[i].status, SHOAL_OK);
            assert_true(workers[i].right);
        }
    }
}

static void strict_floating_point_builds(void **state)
{
    (void)state;
    struct shoal_params params = real_params();
    params.strict_fp = true;
    params.sync = true;
    real_reopen(&params);
    while (real_next_device()) {
        struct shoal_program *program = real_build(device, 32);
        struct shoal_kernel *kernel;
        assert_ok(shoal_kernel_create(program, "noop", &kernel, &test_error));
        assert_ok(shoal_launch(queue, kernel, 3, NULL, 0, NULL, &test_error));
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL_TEST(devices_describe_themselves),    REAL_TEST(data_goes_round),
        REAL_TEST(every_kind_of_argument_arrives), REAL_TEST(two_queues_are_ordered),
        REAL_TEST(spans_and_events_have_times),    REAL_TEST(build_errors_name_our_file_and_line),
        REAL_TEST(allocations_that_are_too_large), REAL_TEST(binaries_are_cached),
        REAL_TEST(threads_share_what_is_built),    REAL_TEST(strict_floating_point_builds),
    };
    return cmocka_run_group_tests_name("opencl", tests, NULL, NULL);
}
