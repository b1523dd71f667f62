/* Queues, buffers, events, asynchronous errors, lost devices. */
#include "unit.h"

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_queue *queue;
static struct shoal_buffer *buffer, *second;
static struct shoal_program *program;
static struct shoal_kernel *noop, *add;

enum { BYTES = 64 };

static void open_with_params(const struct shoal_params *params, unsigned flags)
{
    shoal = unit_open_with(params);
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, flags, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, BYTES, &buffer, &test_error));
    assert_ok(shoal_buffer_create(device, BYTES, &second, &test_error));
    program = unit_build(device);
    assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
    assert_ok(shoal_kernel_create(program, "add", &add, &test_error));
    fake_clear_records();
}

static void open_all(unsigned flags)
{
    struct shoal_params params = unit_params();
    open_with_params(&params, flags);
}

static void close_all(void)
{
    shoal_kernel_destroy(&noop);
    shoal_kernel_destroy(&add);
    shoal_program_destroy(&program);
    shoal_buffer_destroy(&buffer);
    shoal_buffer_destroy(&second);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static enum shoal_status launch_noop(struct shoal_event **event)
{
    return shoal_launch(queue, noop, 1, NULL, 0, event, &test_error);
}

static enum shoal_status launch_add(void)
{
    const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(buffer), shoal_arg_buffer(second)};
    return shoal_launch(queue, add, 1, args, 3, NULL, &test_error);
}

static void queues_check_their_arguments(void **state)
{
    (void)state;
    open_all(0);
    struct shoal_queue *other = queue;
    assert_status(shoal_queue_create(NULL, 0, &other, &test_error), SHOAL_INVALID);
    assert_status(shoal_queue_create(device, 0, NULL, &test_error), SHOAL_INVALID);
    other = queue;
    assert_status(shoal_queue_create(device, 2, &other, &test_error), SHOAL_INVALID);
    assert_null(other);
    assert_status(shoal_queue_create(device, ~0u, &other, &test_error), SHOAL_INVALID);
    assert_status(shoal_queue_flush(NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_queue_finish(NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_queue_wait(NULL, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_queue_wait(queue, NULL, &test_error), SHOAL_INVALID);
    assert_null(shoal_queue_device(NULL));
    assert_ptr_equal(shoal_queue_device(queue), device);
    assert_int_equal(fake_record_count(), 0);
    assert_ok(shoal_queue_flush(queue, &test_error));
    assert_ok(shoal_queue_finish(queue, NULL));
    assert_string_equal(fake_sequence(), "queue_flush queue_finish");
    close_all();
    shoal_queue_destroy(NULL);
    shoal_queue_destroy(&queue);
    shoal_buffer_destroy(NULL);
    shoal_buffer_destroy(&buffer);
    struct shoal_event *event = NULL;
    shoal_event_destroy(NULL);
    shoal_event_destroy(&event);
}

static void destroying_a_queue_waits(void **state)
{
    (void)state;
    open_all(0);
    struct shoal_queue *other;
    assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &other, &test_error));
    assert_string_equal(fake_last(FAKE_QUEUE_CREATE), "fake:0 flags=1");
    fake_clear_records();
    shoal_queue_destroy(&other);
    assert_null(other);
    assert_string_equal(fake_sequence(), "queue_finish queue_destroy");
    assert_ok(shoal_queue_create(device, 0, &other, &test_error));
    fake_fail_call(FAKE_QUEUE_FINISH, 1, SHOAL_FAILED);
    unit_log_clear();
    shoal_queue_destroy(&other);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "fake:0");
    close_all();
    /* The device is opened once, at its first use, for all of them. */
    assert_int_equal(fake_count(FAKE_DEVICE_OPEN), 0);
}

static void buffers_have_sizes_and_limits(void **state)
{
    (void)state;
    open_all(0);
    uint64_t most = shoal_device_get_info(device)->max_allocation;
    struct shoal_buffer *other = buffer;
    assert_status(shoal_buffer_create(device, 0, &other, &test_error), SHOAL_INVALID);
    assert_null(other);
    assert_status(shoal_buffer_create(NULL, 4, &other, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_create(device, 4, NULL, &test_error), SHOAL_INVALID);
    const size_t large[] = {(size_t)most + 1, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        other = buffer;
        assert_status(shoal_buffer_create(device, large[i], &other, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
        assert_null(other);
        assert_contains(test_error.message, "fake:0 (Fake GPU)");
    }
    assert_int_equal(fake_record_count(), 0);
    /* The device itself may have less than its limit. */
    fake_fail_call(FAKE_BUFFER_CREATE, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
    other = buffer;
    assert_status(shoal_buffer_create(device, 4, &other, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_null(other);
    assert_int_equal(test_error.native, FAKE_NATIVE_ERROR);
    assert_ok(shoal_buffer_create(device, (size_t)most, &other, &test_error));
    assert_int_equal(shoal_buffer_size(other), most);
    shoal_buffer_destroy(&other);
    assert_null(other);
    assert_int_equal(shoal_buffer_size(NULL), 0);
    close_all();
}

static void data_goes_round(void **state)
{
    (void)state;
    open_all(0);
    uint32_t in[BYTES / 4], out[BYTES / 4];
    for (uint32_t i = 0; i < BYTES / 4; i++)
        in[i] = i * 0x01010101u;
    assert_ok(shoal_buffer_write(queue, buffer, 0, in, BYTES, &test_error));
    assert_ok(shoal_buffer_copy(queue, buffer, 8, second, 0, BYTES - 8, &test_error));
    assert_ok(shoal_buffer_fill(queue, second, BYTES - 8, 8, 0xfeedbeef, &test_error));
    assert_ok(shoal_buffer_read(queue, second, 0, out, BYTES, &test_error));
    assert_memory_equal(out, in + 2, BYTES - 8);
    assert_int_equal(out[BYTES / 4 - 1], 0xfeedbeef);
    assert_int_equal(out[BYTES / 4 - 2], 0xfeedbeef);
    /* Ranges inside a buffer, and up to its last byte. */
    assert_ok(shoal_buffer_write(queue, buffer, BYTES - 1, "x", 1, &test_error));
    assert_ok(shoal_buffer_copy(queue, buffer, 0, buffer, BYTES / 2, BYTES / 2, &test_error));
    assert_ok(shoal_buffer_copy(queue, buffer, BYTES / 2, buffer, 0, BYTES / 2, &test_error));
    assert_ok(shoal_buffer_read(queue, buffer, BYTES - 4, out, 4, &test_error));
    assert_int_equal(out[0], in[BYTES / 8 - 1]);
    close_all();
}

static void empty_transfers_do_nothing(void **state)
{
    (void)state;
    open_all(0);
    const size_t offsets[] = {0, BYTES};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(shoal_buffer_write(queue, buffer, offsets[i], NULL, 0, &test_error));
        assert_ok(shoal_buffer_copy(queue, buffer, offsets[i], second, offsets[i], 0, &test_error));
        assert_ok(shoal_buffer_copy(queue, buffer, offsets[i], buffer, offsets[i], 0, &test_error));
        assert_ok(shoal_buffer_fill(queue, buffer, offsets[i], 0, 1, &test_error));
    }
    assert_int_equal(fake_record_count(), 0);
    /* A read of nothing still waits. */
    assert_ok(shoal_buffer_read(queue, buffer, 0, NULL, 0, &test_error));
    assert_string_equal(fake_sequence(), "queue_finish");
    close_all();
}

static void ranges_are_checked(void **state)
{
    (void)state;
    open_all(0);
    char data[BYTES];
    static const struct {
        size_t offset, bytes;
    } wrong[] = {
        {0, BYTES + 1},
        {BYTES, 1},
        {BYTES + 1, 0},
        {1, BYTES},
        {SIZE_MAX, 1},
        {SIZE_MAX, 0},
        {1, SIZE_MAX},
        {0, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX},
        {SIZE_MAX - 3, 4},
        {4, SIZE_MAX - 3},
        {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1},
        {BYTES, SIZE_MAX - BYTES + 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        size_t offset = wrong[i].offset, bytes = wrong[i].bytes;
        assert_status(shoal_buffer_write(queue, buffer, offset, data, bytes, &test_error), SHOAL_INVALID);
        assert_status(shoal_buffer_read(queue, buffer, offset, data, bytes, &test_error), SHOAL_INVALID);
        assert_status(shoal_buffer_copy(queue, buffer, offset, second, 0, bytes, &test_error), SHOAL_INVALID);
        assert_status(shoal_buffer_copy(queue, second, 0, buffer, offset, bytes, &test_error), SHOAL_INVALID);
        assert_status(shoal_buffer_fill(queue, buffer, offset, bytes, 0, &test_error), SHOAL_INVALID);
    }
    static const size_t misaligned[][2] = {{1, 4}, {2, 4}, {0, 3}, {0, 5}, {3, 1}};
    for (size_t i = 0; i < sizeof misaligned / sizeof *misaligned; i++)
        assert_status(shoal_buffer_fill(queue, buffer, misaligned[i][0], misaligned[i][1], 0, &test_error),
                      SHOAL_INVALID);
    static const size_t overlapping[][3] = {{0, 0, 1}, {0, 4, 8}, {4, 0, 8}};
    for (size_t i = 0; i < 3; i++)
        assert_status(shoal_buffer_copy(queue, buffer, overlapping[i][0], buffer, overlapping[i][1],
                                        overlapping[i][2], &test_error),
                      SHOAL_INVALID);
    assert_int_equal(fake_record_count(), 0);
    close_all();
}

static void missing_pointers_are_refused(void **state)
{
    (void)state;
    open_all(0);
    char data[4];
    assert_status(shoal_buffer_write(NULL, buffer, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_write(queue, NULL, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_write(queue, buffer, 0, NULL, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_read(NULL, buffer, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_read(queue, NULL, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_read(queue, buffer, 0, NULL, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_copy(NULL, buffer, 0, second, 0, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_copy(queue, NULL, 0, second, 0, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_copy(queue, buffer, 0, NULL, 0, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_fill(NULL, buffer, 0, 4, 0, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_fill(queue, NULL, 0, 4, 0, &test_error), SHOAL_INVALID);
    assert_status(shoal_launch(NULL, noop, 1, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_launch(queue, NULL, 1, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    double a, b;
    assert_status(shoal_event_wait(NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_event_times(NULL, &a, &b, &test_error), SHOAL_INVALID);
    assert_status(shoal_span_begin(NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_span_end(NULL, &a, &test_error), SHOAL_INVALID);
    assert_int_equal(fake_record_count(), 0);
    /* Without a record the status alone comes back. */
    assert_int_equal(shoal_buffer_write(queue, NULL, 0, data, 4, NULL), SHOAL_INVALID);
    close_all();
}

static void objects_of_two_devices_do_not_mix(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Second GPU");
    fake_add_device(&fake_backend, &info);
    open_all(SHOAL_QUEUE_PROFILING);
    struct shoal_device *far = shoal_device_at(shoal, 1);
    struct shoal_buffer *far_buffer;
    struct shoal_queue *far_queue;
    struct shoal_event *event;
    char data[4] = {0};
    assert_ok(shoal_buffer_create(far, BYTES, &far_buffer, &test_error));
    assert_ok(shoal_queue_create(far, 0, &far_queue, &test_error));
    assert_ok(launch_noop(&event));
    fake_clear_records();
    assert_status(shoal_buffer_write(queue, far_buffer, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "fake:1");
    assert_contains(test_error.message, "fake:0");
    assert_status(shoal_buffer_read(queue, far_buffer, 0, data, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_fill(queue, far_buffer, 0, 4, 0, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_copy(queue, far_buffer, 0, buffer, 0, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_buffer_copy(queue, buffer, 0, far_buffer, 0, 4, &test_error), SHOAL_INVALID);
    assert_status(shoal_launch(far_queue, noop, 1, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "noop");
    assert_status(shoal_queue_wait(far_queue, event, &test_error), SHOAL_INVALID);
    const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(far_buffer),
                                     shoal_arg_buffer(second)};
    assert_status(shoal_launch(queue, add, 1, args, 3, NULL, &test_error), SHOAL_INVALID);
    assert_int_equal(fake_record_count(), 0);
    shoal_event_destroy(&event);
    shoal_queue_destroy(&far_queue);
    shoal_buffer_destroy(&far_buffer);
    close_all();
}

static void events_and_waits(void **state)
{
    (void)state;
    open_all(SHOAL_QUEUE_PROFILING);
    struct shoal_queue *other;
    assert_ok(shoal_queue_create(device, 0, &other, &test_error));
    struct shoal_event *first = NULL, *last = NULL, *plain = NULL;
    assert_ok(launch_noop(&first));
    assert_ok(launch_noop(&last));
    fake_clear_records();
    assert_ok(shoal_queue_wait(other, last, &test_error));
    assert_ok(shoal_event_wait(last, &test_error));
    assert_string_equal(fake_sequence(), "queue_wait event_wait");
    double start[2], end[2];
    assert_ok(shoal_event_times(first, &start[0], &end[0], &test_error));
    assert_ok(shoal_event_times(last, &start[1], &end[1], &test_error));
    assert_true(start[0] < end[0] && end[0] <= start[1] && start[1] < end[1]);
    assert_status(shoal_event_times(first, NULL, &end[0], &test_error), SHOAL_INVALID);
    assert_status(shoal_event_times(first, &start[0], NULL, &test_error), SHOAL_INVALID);
    /* No times from a queue without profiling. */
    assert_ok(shoal_launch(other, noop, 1, NULL, 0, &plain, &test_error));
    assert_status(shoal_event_times(plain, &start[0], &end[0], &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "SHOAL_QUEUE_PROFILING");
    assert_ok(shoal_event_wait(plain, &test_error));
    shoal_event_destroy(&first);
    assert_null(first);
    shoal_event_destroy(&last);
    shoal_event_destroy(&plain);
    shoal_queue_destroy(&other);
    close_all();
}

static void a_failed_launch_leaves_no_event(void **state)
{
    (void)state;
    open_all(0);
    struct shoal_event *event = (struct shoal_event *)state;
    fake_fail_call(FAKE_LAUNCH, 1, SHOAL_FAILED);
    assert_status(launch_noop(&event), SHOAL_FAILED);
    assert_null(event);
    event = (struct shoal_event *)state;
    assert_status(shoal_launch(queue, noop, 0, NULL, 0, &event, &test_error), SHOAL_INVALID);
    assert_null(event);
    close_all();
}

/* An accepted launch fails on the device: the next finish, read or span end says so, with the names. */
static void asynchronous_errors_name_the_launches(void **state)
{
    (void)state;
    open_all(SHOAL_QUEUE_PROFILING);
    char data[4];
    double seconds;
    for (int way = 0; way < 4; way++) {
        assert_ok(launch_add());
        assert_ok(shoal_queue_finish(queue, &test_error)); /* all good until here */
        fake_fail_later(2, SHOAL_FAILED);
        if (way == 3)
            assert_ok(shoal_span_begin(queue, &test_error));
        assert_ok(launch_noop(NULL));
        assert_ok(launch_noop(NULL)); /* the bad one */
        assert_ok(shoal_buffer_fill(queue, buffer, 0, 4, 0, &test_error));
        switch (way) {
        case 0:
            assert_status(shoal_queue_finish(queue, &test_error), SHOAL_FAILED);
            break;
        case 1:
            assert_status(shoal_buffer_read(queue, buffer, 0, data, 4, &test_error), SHOAL_FAILED);
            break;
        case 2:
            assert_status(shoal_buffer_read(queue, buffer, 0, NULL, 0, &test_error), SHOAL_FAILED);
            break;
        default:
            assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_FAILED);
        }
        assert_contains(test_error.message, "noop, noop");
        assert_lacks(test_error.message, "add");
        assert_contains(test_error.message, "2");
        assert_contains(test_error.message, "--sync");
        assert_int_equal(test_error.native, FAKE_NATIVE_ERROR);
        /* Told once; the queue goes on. */
        assert_ok(shoal_queue_finish(queue, &test_error));
    }
    close_all();
}

static void long_histories_name_the_latest(void **state)
{
    (void)state;
    open_all(0);
    fake_fail_later(100, SHOAL_FAILED);
    assert_ok(launch_add());
    for (int i = 0; i < 998; i++)
        assert_ok(launch_noop(NULL));
    assert_ok(launch_add());
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "1000");
    assert_contains(test_error.message, "noop, noop, noop, add");
    assert_ok(launch_noop(NULL));
    assert_ok(shoal_queue_finish(queue, &test_error));
    close_all();
}

static void sync_mode_names_the_kernel(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    params.sync = true;
    open_with_params(&params, 0);
    struct shoal_event *event = NULL;
    assert_ok(launch_noop(&event));
    assert_string_equal(fake_sequence(), "launch queue_finish");
    shoal_event_destroy(&event);
    fake_fail_later(2, SHOAL_FAILED);
    assert_ok(launch_noop(NULL));
    assert_status(launch_add(), SHOAL_FAILED);
    assert_contains(test_error.message, "add");
    assert_lacks(test_error.message, "noop");
    assert_lacks(test_error.message, "--sync");
    /* No event of a launch that failed. */
    fake_fail_later(1, SHOAL_FAILED);
    event = (struct shoal_event *)state;
    assert_status(launch_noop(&event), SHOAL_FAILED);
    assert_null(event);
    assert_ok(launch_add());
    close_all();
}

/* Every call on a device that is gone fails at once, without a call of the driver, in every queue. */
static void a_lost_device_stays_lost(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Healthy GPU");
    fake_add_device(&fake_backend, &info);
    open_all(SHOAL_QUEUE_PROFILING);
    struct shoal_queue *other;
    struct shoal_event *event;
    assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &other, &test_error));
    assert_ok(launch_noop(&event));
    fake_lose_device("fake:0");
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "fake:0 (Fake GPU)");
    assert_contains(test_error.message, "noop");
    fake_clear_records();

    char data[4] = {0};
    double a, b;
    struct shoal_queue *new_queue = other;
    struct shoal_buffer *new_buffer = buffer;
    struct shoal_program *new_program = program;
    struct shoal_kernel *new_kernel = noop;
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = unit_text;
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "fake:0 (Fake GPU)");
    assert_status(shoal_queue_flush(other, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_queue_wait(other, event, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_span_begin(other, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_span_end(other, &a, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_write(other, buffer, 0, data, 4, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_read(other, buffer, 0, data, 4, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_copy(other, buffer, 0, second, 0, 4, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_fill(other, buffer, 0, 4, 0, &test_error), SHOAL_DEVICE_LOST);
    assert_status(launch_noop(NULL), SHOAL_DEVICE_LOST);
    assert_status(shoal_event_wait(event, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_event_times(event, &a, &b, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_queue_create(device, 0, &new_queue, &test_error), SHOAL_DEVICE_LOST);
    assert_null(new_queue);
    assert_status(shoal_buffer_create(device, 4, &new_buffer, &test_error), SHOAL_DEVICE_LOST);
    assert_null(new_buffer);
    assert_status(shoal_program_create(device, &unit_program, &params, &new_program, &test_error),
                  SHOAL_DEVICE_LOST);
    assert_null(new_program);
    assert_status(shoal_kernel_create(program, "noop", &new_kernel, &test_error), SHOAL_DEVICE_LOST);
    assert_null(new_kernel);
    assert_int_equal(fake_record_count(), 0);

    /* The other device does not care. */
    struct shoal_device *healthy = shoal_device_at(shoal, 1);
    assert_ok(shoal_queue_create(healthy, 0, &new_queue, &test_error));
    assert_ok(shoal_queue_finish(new_queue, &test_error));
    shoal_queue_destroy(&new_queue);
    shoal_event_destroy(&event);
    shoal_queue_destroy(&other);
    close_all();
}

static void a_device_that_does_not_open_is_tried_again(void **state)
{
    (void)state;
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    fake_fail_call(FAKE_DEVICE_OPEN, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_status(shoal_queue_create(device, 0, &queue, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_null(queue);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_int_equal(fake_count(FAKE_DEVICE_OPEN), 2);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(queues_check_their_arguments),
        UNIT_TEST(destroying_a_queue_waits),
        UNIT_TEST(buffers_have_sizes_and_limits),
        UNIT_TEST(data_goes_round),
        UNIT_TEST(empty_transfers_do_nothing),
        UNIT_TEST(ranges_are_checked),
        UNIT_TEST(missing_pointers_are_refused),
        UNIT_TEST(objects_of_two_devices_do_not_mix),
        UNIT_TEST(events_and_waits),
        UNIT_TEST(a_failed_launch_leaves_no_event),
        UNIT_TEST(asynchronous_errors_name_the_launches),
        UNIT_TEST(long_histories_name_the_latest),
        UNIT_TEST(sync_mode_names_the_kernel),
        UNIT_TEST(a_lost_device_stays_lost),
        UNIT_TEST(a_device_that_does_not_open_is_tried_again),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
