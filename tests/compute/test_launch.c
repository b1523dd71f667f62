/* Launches with named arguments: what tools/embed.py writes of everything.cl, and compute/launch.h. */
#include "compute/launch.h"
#include "unit.h"
#include "unit_launches.h"

static struct shoal *shoal;
static struct shoal_queue *queue;
static struct shoal_buffer *in, *out;
static struct shoal_program *program;
static struct shoal_kernel *everything, *add;
static const struct unit_pair pair = {1, 2, 3};

/* What the kernel was given. */
static union {
    int32_t i;
    uint32_t u;
    int64_t l;
    uint64_t ul;
    float f;
    double d;
    struct unit_pair s;
} values[MAX_ARGS];
static void *memory[MAX_ARGS];

static void keep(const struct fake_run *run)
{
    for (size_t i = 0; i < run->arg_count; i++) {
        memory[i] = run->args[i].data;
        if (memory[i] && run->args[i].bytes <= sizeof values[i])
            memcpy(&values[i], memory[i], run->args[i].bytes);
    }
}

static void open_kernels(int64_t real)
{
    shoal = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    const struct shoal_define define = {"REAL", real};
    const struct shoal_program_params params =
        SHOAL_PROGRAM_PARAMS(.text = unit_text, .defines = &define, .define_count = 1);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, 4096, &in, &test_error));
    assert_ok(shoal_buffer_create(device, 8192, &out, &test_error));
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "everything", &everything, &test_error));
    assert_ok(shoal_kernel_create(program, "add", &add, &test_error));
    fake_register_kernel("everything", keep);
    fake_register_kernel("add", keep);
}

static void close_kernels(void)
{
    shoal_kernel_destroy(&everything);
    shoal_kernel_destroy(&add);
    shoal_program_destroy(&program);
    shoal_buffer_destroy(&in);
    shoal_buffer_destroy(&out);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static struct everything_args all_args(void)
{
    return (struct everything_args){.i = -1,
                                    .u = 2,
                                    .l = INT64_MIN,
                                    .ul = UINT64_MAX,
                                    .f = 0.5f,
                                    .d = 0.1,
                                    .r = 0.1,
                                    .s = &pair,
                                    .in = in,
                                    .out = out,
                                    .state = out};
}

static void each_member_arrives_at_its_argument(void **state)
{
    (void)state;
    for (int real = 32; real <= 64; real += 32) {
        open_kernels(real);
        const struct everything_args args = all_args();
        assert_ok(launch_everything(queue, everything, 3, &args, NULL, &test_error));
        assert_contains(fake_last(FAKE_LAUNCH), "everything groups=3");
        assert_int_equal(values[0].i, -1);
        assert_int_equal(values[1].u, 2);
        assert_true(values[2].l == INT64_MIN);
        assert_true(values[3].ul == UINT64_MAX);
        assert_true(values[4].f == 0.5f);
        assert_true(values[5].d == 0.1);
        assert_true(real == 64 ? values[6].d == 0.1 : values[6].f == 0.1f);
        assert_memory_equal(&values[7].s, &pair, sizeof pair);
        assert_true(memory[8] && memory[8] != memory[9] && memory[9] == memory[10]);
        close_kernels();
    }
}

/* By their names, whatever the order in which they are given. */
static void the_order_of_members_is_free(void **state)
{
    (void)state;
    open_kernels(32);
    struct shoal_event *event = NULL;
    assert_ok(LAUNCH(add, queue, add, 1, &test_error, .n = 7, .x = in, .y = out));
    void *const x = memory[1], *const y = memory[2];
    assert_ok(LAUNCH_EVENT(add, queue, add, 1, &event, &test_error, .y = out, .x = in, .n = 8));
    assert_int_equal(values[0].u, 8);
    assert_true(memory[1] == x && memory[2] == y && x != y);
    assert_non_null(event);
    shoal_event_destroy(&event);
    close_kernels();
}

static void a_forgotten_buffer_is_named(void **state)
{
    (void)state;
    open_kernels(32);
    assert_status(LAUNCH(add, queue, add, 1, &test_error, .n = 7, .x = in), SHOAL_INVALID);
    assert_string_equal(test_error.message, "add: argument 2 (y) is NULL");
    struct everything_args args = all_args();
    args.in = NULL;
    assert_status(launch_everything(queue, everything, 1, &args, NULL, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "everything: argument 8 (in) is NULL");
    assert_int_equal(fake_count(FAKE_LAUNCH), 0);
    /* The kernel file says of this one that it may be NULL. */
    args = all_args();
    args.state = NULL;
    assert_ok(launch_everything(queue, everything, 1, &args, NULL, &test_error));
    assert_null(memory[10]);
    /* A struct has no such value. */
    args.s = NULL;
    assert_status(launch_everything(queue, everything, 1, &args, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "argument 7 (s)");
    close_kernels();
}

static void another_kernel_is_refused(void **state)
{
    (void)state;
    open_kernels(32);
    const struct everything_args args = all_args();
    for (int round = 0; round < 2; round++) {
        assert_status(LAUNCH(add, queue, everything, 1, &test_error, .n = 7, .x = in, .y = out),
                      SHOAL_INVALID);
        assert_string_equal(test_error.message, "everything does not take the arguments of add");
        assert_status(launch_everything(queue, add, 1, &args, NULL, &test_error), SHOAL_INVALID);
        assert_string_equal(test_error.message, "add does not take the arguments of everything");
        assert_status(launch_everything(queue, NULL, 1, &args, NULL, &test_error), SHOAL_INVALID);
        assert_int_equal(fake_count(FAKE_LAUNCH), (size_t)round);
        assert_ok(launch_everything(queue, everything, 1, &args, NULL, &test_error));
    }
    close_kernels();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_member_arrives_at_its_argument),
        UNIT_TEST(the_order_of_members_is_free),
        UNIT_TEST(a_forgotten_buffer_is_named),
        UNIT_TEST(another_kernel_is_refused),
    };
    return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
