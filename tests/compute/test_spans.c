/* Times of the device: marked spans, and first launches apart from them. */
#include "base/integer.h"
#include "compute/queue.h"
#include "unit.h"

#include <time.h>

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_queue *queue;
static struct shoal_buffer *buffer;
static struct shoal_program *program;
static struct shoal_kernel *noop, *add;

static void open_spans(unsigned flags)
{
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, flags, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, 64, &buffer, &test_error));
    program = unit_build(device);
    assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
    assert_ok(shoal_kernel_create(program, "add", &add, &test_error));
}

static void close_spans(void)
{
    shoal_kernel_destroy(&noop);
    shoal_kernel_destroy(&add);
    shoal_program_destroy(&program);
    shoal_buffer_destroy(&buffer);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static enum shoal_status launch_noop(void)
{
    return shoal_launch(queue, noop, 1, NULL, 0, NULL, &test_error);
}

static enum shoal_status launch_add(void)
{
    const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(buffer), shoal_arg_buffer(buffer)};
    return shoal_launch(queue, add, 1, args, 3, NULL, &test_error);
}

static void spans_measure(void **state)
{
    (void)state;
    open_spans(SHOAL_QUEUE_PROFILING);
    double seconds = -1;
    assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_INVALID);
    assert_ok(shoal_span_begin(queue, &test_error));
    assert_status(shoal_span_begin(queue, &test_error), SHOAL_INVALID);
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    assert_true(seconds == 0);
    assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_INVALID);

    assert_ok(launch_noop());
    assert_ok(shoal_span_begin(queue, &test_error));
    assert_ok(launch_noop());
    assert_ok(launch_add());
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    assert_true(seconds > 1.9e-3 && seconds < 2.1e-3);

    assert_ok(shoal_span_begin(queue, &test_error));
    assert_status(shoal_span_end(queue, NULL, &test_error), SHOAL_INVALID);
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    close_spans();

    open_spans(0);
    assert_status(shoal_span_begin(queue, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "SHOAL_QUEUE_PROFILING");
    assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_INVALID);
    close_spans();
}

static const double driver_seconds = 0.03;

/* The fake queue gives each launch a millisecond. */
static void take_long_once(const struct fake_run *run)
{
    static bool done;
    (void)run;
    if (!done)
        nanosleep(&(struct timespec){.tv_nsec = (long)(driver_seconds * 1e9)}, NULL);
    done = true;
}

/* Drivers may compile at a first launch, which is no time of the device, nor of a run. */
static void first_launches_are_timed_apart(void **state)
{
    (void)state;
    open_spans(SHOAL_QUEUE_PROFILING);
    fake_register_kernel("noop", take_long_once);
    struct shoal_event *event;
    double seconds, begin, end;
    queue->times_first_launches = true;
    assert_ok(shoal_span_begin(queue, &test_error));
    assert_ok(launch_add());
    const double start = queue_clock(queue), host = queue_clock(NULL);
    for (int i = 0; i < 3; i++) {
        assert_ok(shoal_launch(queue, noop, 1, NULL, 0, &event, &test_error));
        assert_ok(shoal_event_times(event, &begin, &end, &test_error));
        assert_near(end - begin, 1e-3, 1e-6);
        shoal_event_destroy(&event);
    }
    assert_true(queue->first_launch_s > driver_seconds - 2e-3);
    assert_near(queue_clock(NULL) - host - (queue_clock(queue) - start), queue->first_launch_s, 1e-3);
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    assert_near(seconds, 4e-3, 1e-6);

    /* Whatever fails between, the span is over, and the launch left nothing. */
    const enum fake_call calls[] = {FAKE_SPAN_END, FAKE_LAUNCH, FAKE_QUEUE_FINISH, FAKE_EVENT_TIMES,
                                    FAKE_SPAN_BEGIN};
    for (size_t i = 0; i < COUNT(calls); i++) {
        noop->launched = false;
        assert_ok(shoal_span_begin(queue, &test_error));
        fake_fail_call(calls[i], 1, SHOAL_FAILED);
        assert_status(launch_noop(), SHOAL_FAILED);
        assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_INVALID);
        assert_ok(launch_noop());
    }
    close_spans();
}

static void a_span_that_fails_is_over(void **state)
{
    (void)state;
    open_spans(SHOAL_QUEUE_PROFILING);
    double seconds = -1;
    fake_fail_call(FAKE_SPAN_BEGIN, 1, SHOAL_FAILED);
    assert_status(shoal_span_begin(queue, &test_error), SHOAL_FAILED);
    assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_INVALID);
    assert_ok(shoal_span_begin(queue, &test_error));
    fake_fail_call(FAKE_SPAN_END, 1, SHOAL_FAILED);
    assert_status(shoal_span_end(queue, &seconds, &test_error), SHOAL_FAILED);
    assert_ok(shoal_span_begin(queue, &test_error));
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    close_spans();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(spans_measure),
        UNIT_TEST(first_launches_are_timed_apart),
        UNIT_TEST(a_span_that_fails_is_over),
    };
    return cmocka_run_group_tests_name("spans", tests, NULL, NULL);
}
