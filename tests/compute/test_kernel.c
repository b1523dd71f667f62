/* Launches: arguments against the contract, what reaches the kernel, group counts. */
#include "unit.h"

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_queue *queue;
static struct shoal_buffer *in, *out;
static struct shoal_program *program;
static struct shoal_kernel *kernel;
static struct fake_run last_run;
static unsigned char last_values[MAX_ARGS][16];
static unsigned runs;

/* A kernel that keeps what it was given. */
static void keep(const struct fake_run *run)
{
    last_run = *run;
    runs++;
    for (size_t i = 0; i < run->arg_count; i++)
        if (run->args[i].data && run->args[i].bytes <= sizeof last_values[i])
            memcpy(last_values[i], run->args[i].data, run->args[i].bytes);
}

/* y += x, as the contract of "add" says. */
static void add_on_host(const struct fake_run *run)
{
    uint32_t n;
    memcpy(&n, run->args[0].data, sizeof n);
    const uint32_t *x = run->args[1].data;
    uint32_t *y = run->args[2].data;
    for (size_t i = 0; i < run->groups * run->work_group && i < n; i++)
        y[i] += x[i];
}

static void open_kernel(const char *entry, int64_t real)
{
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, 4096, &in, &test_error));
    assert_ok(shoal_buffer_create(device, 4096, &out, &test_error));
    const struct shoal_define define = {"REAL", real};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = unit_text;
    params.defines = &define;
    params.define_count = 1;
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, entry, &kernel, &test_error));
    fake_register_kernel("everything", keep);
    fake_register_kernel("add", add_on_host);
    runs = 0;
}

static void close_kernel(void)
{
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    shoal_buffer_destroy(&in);
    shoal_buffer_destroy(&out);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static enum shoal_status launch(const struct shoal_arg *args, size_t count)
{
    return shoal_launch(queue, kernel, 1, args, count, NULL, &test_error);
}

static void a_kernel_computes(void **state)
{
    (void)state;
    open_kernel("add", 32);
    enum { N = 1000 };
    uint32_t data[N];
    for (uint32_t i = 0; i < N; i++)
        data[i] = i;
    assert_ok(shoal_buffer_write(queue, in, 0, data, sizeof data, &test_error));
    assert_ok(shoal_buffer_fill(queue, out, 0, sizeof data, 5, &test_error));
    const struct shoal_arg args[] = {shoal_arg_uint(N), shoal_arg_buffer(in), shoal_arg_buffer(out)};
    size_t groups = shoal_kernel_groups(kernel, N);
    assert_ok(shoal_launch(queue, kernel, groups, args, 3, NULL, &test_error));
    assert_ok(shoal_launch(queue, kernel, groups, args, 3, NULL, &test_error));
    assert_ok(shoal_buffer_read(queue, out, 0, data, sizeof data, &test_error));
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(data[i], 5 + 2 * i);
    assert_string_equal(fake_last(FAKE_LAUNCH), "fake:0 add groups=16 work_group=64 event=0");
    close_kernel();
}

/* Value of argument `index` as the kernel saw it. */
#define ARG(type, index) (*(const type *)(const void *)last_values[index])

static void every_kind_of_argument_arrives(void **state)
{
    (void)state;
    for (int real = 32; real <= 64; real += 32) {
        open_kernel("everything", real);
        struct unit_pair pair = {1, 2, 3};
        struct shoal_arg args[UNIT_EVERYTHING_ARGS];
        unit_everything_args(args, in, out, &pair);
        assert_ok(shoal_launch(queue, kernel, 3, args, UNIT_EVERYTHING_ARGS, NULL, &test_error));
        assert_int_equal(runs, 1);
        assert_int_equal(last_run.groups, 3);
        assert_int_equal(ARG(int32_t, 0), -1);
        assert_int_equal(ARG(uint32_t, 1), 2);
        assert_true(ARG(int64_t, 2) == INT64_MIN);
        assert_true(ARG(uint64_t, 3) == UINT64_MAX);
        assert_true(ARG(float, 4) == 0.5f);
        assert_true(ARG(double, 5) == 0.1);
        assert_int_equal(last_run.args[6].bytes, real / 8);
        if (real == 64)
            assert_true(ARG(double, 6) == 0.1);
        else
            assert_true(ARG(float, 6) == 0.1f);
        assert_memory_equal(last_values[7], &pair, sizeof pair);
        assert_int_equal(last_run.args[7].bytes, sizeof pair);
        assert_int_equal(last_run.args[8].bytes, 4096);
        assert_non_null(last_run.args[9].data);
        assert_null(last_run.args[10].data);
        close_kernel();
    }
}

/* REAL is resolved when the program is built: a float fits a real of 32 bits and no other. */
static void reals_are_resolved(void **state)
{
    (void)state;
    struct unit_pair pair = {1, 2, 3};
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    for (int real = 32; real <= 64; real += 32) {
        open_kernel("everything", real);
        unit_everything_args(args, in, out, &pair);
        args[6] = shoal_arg_float(0.25f);
        assert_status(launch(args, UNIT_EVERYTHING_ARGS), real == 32 ? SHOAL_OK : SHOAL_INVALID);
        args[6] = shoal_arg_double(0.25);
        assert_status(launch(args, UNIT_EVERYTHING_ARGS), real == 64 ? SHOAL_OK : SHOAL_INVALID);
        args[6] = shoal_arg_real(0.25);
        assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
        args[4] = shoal_arg_real(0.5);
        assert_status(launch(args, UNIT_EVERYTHING_ARGS), real == 32 ? SHOAL_OK : SHOAL_INVALID);
        close_kernel();
    }
}

static void wrong_kinds_are_refused(void **state)
{
    (void)state;
    open_kernel("everything", 32);
    struct unit_pair pair = {1, 2, 3};
    const struct shoal_arg kinds[] = {
        shoal_arg_int(1),     shoal_arg_uint(1),   shoal_arg_long(1), shoal_arg_ulong(1),
        shoal_arg_float(1),   shoal_arg_double(1), shoal_arg_real(1), shoal_arg_struct(&pair, sizeof pair),
        shoal_arg_buffer(in),
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t place = 0; place < UNIT_EVERYTHING_ARGS; place++)
        for (size_t kind = 0; kind < KINDS; kind++) {
            struct shoal_arg args[UNIT_EVERYTHING_ARGS];
            unit_everything_args(args, in, out, &pair);
            args[place] = kinds[kind];
            size_t right = place < KINDS ? place : KINDS - 1;
            bool fits = kind == right || (place == 4 && kind == 6) || (place == 6 && kind == 4);
            assert_status(launch(args, UNIT_EVERYTHING_ARGS), fits ? SHOAL_OK : SHOAL_INVALID);
            if (!fits) {
                char number[32];
                snprintf(number, sizeof number, "argument %zu", place);
                assert_contains(test_error.message, "everything");
                assert_contains(test_error.message, number);
            }
        }
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    unit_everything_args(args, in, out, &pair);
    const uint32_t sizes[] = {0, sizeof pair - 1, sizeof pair + 1, UINT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        args[7] = shoal_arg_struct(&pair, sizes[i]);
        assert_status(launch(args, UNIT_EVERYTHING_ARGS), SHOAL_INVALID);
        assert_contains(test_error.message, "12");
    }
    args[7] = shoal_arg_struct(NULL, sizeof pair);
    assert_status(launch(args, UNIT_EVERYTHING_ARGS), SHOAL_INVALID);
    args[7] = (struct shoal_arg){.type = (enum shoal_type)99};
    assert_status(launch(args, UNIT_EVERYTHING_ARGS), SHOAL_INVALID);
    close_kernel();
}

static void wrong_counts_are_refused(void **state)
{
    (void)state;
    open_kernel("everything", 32);
    struct unit_pair pair = {1, 2, 3};
    struct shoal_arg args[UNIT_EVERYTHING_ARGS + 1];
    unit_everything_args(args, in, out, &pair);
    args[UNIT_EVERYTHING_ARGS] = shoal_arg_int(0);
    const size_t counts[] = {0, UNIT_EVERYTHING_ARGS - 1, UNIT_EVERYTHING_ARGS + 1, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_status(launch(args, counts[i]), SHOAL_INVALID);
        assert_contains(test_error.message, "everything takes 11 arguments");
    }
    assert_status(launch(NULL, UNIT_EVERYTHING_ARGS), SHOAL_INVALID);
    assert_int_equal(fake_count(FAKE_LAUNCH), 0);
    close_kernel();
}

static void group_counts_are_checked(void **state)
{
    (void)state;
    open_kernel("noop", 32);
    const size_t wrong[] = {0, (size_t)1 << 31, (size_t)1 << 32, SIZE_MAX};
    for (size_t i = 0; i < 4; i++)
        assert_status(shoal_launch(queue, kernel, wrong[i], NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_int_equal(fake_count(FAKE_LAUNCH), 0);
    assert_ok(shoal_launch(queue, kernel, ((size_t)1 << 31) - 1, NULL, 0, NULL, &test_error));
    assert_contains(fake_last(FAKE_LAUNCH), "groups=2147483647");
    close_kernel();
}

/* Arguments that did not change are not handed on again; the fake checks that those marked so are the same.
 */
static void changed_arguments_are_seen(void **state)
{
    (void)state;
    open_kernel("everything", 64);
    struct unit_pair pair = {1, 2, 3};
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    unit_everything_args(args, in, out, &pair);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    for (size_t i = 0; i < UNIT_EVERYTHING_ARGS; i++)
        assert_false(kernel->args[i].changed);
    /* The struct is copied by the launch: a change of the caller's counts at the next one. */
    pair.b = 20;
    args[1] = shoal_arg_uint(9);
    args[10] = shoal_arg_buffer(out);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    assert_int_equal(((const struct unit_pair *)(const void *)last_values[7])->b, 20);
    assert_int_equal(ARG(uint32_t, 1), 9);
    assert_non_null(last_run.args[10].data);
    assert_true(kernel->args[10].changed && !kernel->args[9].changed);
    /* 0.0 and -0.0 are equal numbers and different arguments. */
    args[5] = shoal_arg_double(0.0);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    args[5] = shoal_arg_double(-0.0);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    assert_true(kernel->args[5].changed);
    close_kernel();
}

/* A new buffer may lie at the address of one that was destroyed. */
static void a_new_buffer_is_not_the_old_one(void **state)
{
    (void)state;
    open_kernel("add", 32);
    for (uint32_t round = 0; round < 8; round++) {
        const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(in), shoal_arg_buffer(out)};
        uint32_t word = round, result;
        assert_ok(shoal_buffer_write(queue, in, 0, &word, 4, &test_error));
        assert_ok(shoal_buffer_fill(queue, out, 0, 4, 100, &test_error));
        assert_ok(launch(args, 3));
        assert_ok(shoal_buffer_read(queue, out, 0, &result, 4, &test_error));
        assert_int_equal(result, 100 + round);
        shoal_buffer_destroy(&in);
        assert_ok(shoal_buffer_create(device, 4096, &in, &test_error));
    }
    close_kernel();
}

/* After a launch that was refused or failed, the next one must not rely on what that one set. */
static void a_failed_launch_forgets_its_arguments(void **state)
{
    (void)state;
    open_kernel("everything", 32);
    struct unit_pair pair = {1, 2, 3};
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    unit_everything_args(args, in, out, &pair);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));

    args[0] = shoal_arg_int(7);
    args[9] = shoal_arg_int(0); /* wrong: comes after the new value of argument 0 */
    assert_status(launch(args, UNIT_EVERYTHING_ARGS), SHOAL_INVALID);
    args[9] = shoal_arg_buffer(out);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    assert_int_equal(ARG(int32_t, 0), 7);

    args[0] = shoal_arg_int(8);
    fake_fail_call(FAKE_LAUNCH, 1, SHOAL_FAILED);
    assert_status(launch(args, UNIT_EVERYTHING_ARGS), SHOAL_FAILED);
    assert_ok(launch(args, UNIT_EVERYTHING_ARGS));
    assert_int_equal(ARG(int32_t, 0), 8);
    close_kernel();
}

static void arguments_of_entries_are_checked(void **state)
{
    (void)state;
    struct shoal_arg_desc many_args[MAX_ARGS + 1];
    for (int i = 0; i <= MAX_ARGS; i++)
        many_args[i] = (struct shoal_arg_desc){"a", SHOAL_VALUE, "int", 0};
    static const struct shoal_define_desc defines[] = {{"WG", 64, 1, 64, ""}};
    struct shoal_entry_desc entry = {
        .name = "noop", .args = many_args, .arg_count = MAX_ARGS + 1, .work_group = "WG"};
    const struct shoal_program_desc desc = {.name = "unit.many",
                                            .file = "unit/many.cl",
                                            .defines = defines,
                                            .define_count = 1,
                                            .entries = &entry,
                                            .entry_count = 1};
    open_kernel("noop", 32);
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = unit_text;
    struct shoal_program *many;
    struct shoal_kernel *large;
    assert_ok(shoal_program_create(device, &desc, &params, &many, &test_error));
    assert_status(shoal_kernel_create(many, "noop", &large, &test_error), SHOAL_INVALID);
    entry.arg_count = MAX_ARGS;
    assert_ok(shoal_kernel_create(many, "noop", &large, &test_error));
    shoal_kernel_destroy(&large);
    /* A value is a number or a struct whose size is given; any pointer will do. */
    static const char *const types[] = {"struct unknown", "float4", "", NULL};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        many_args[1] = (struct shoal_arg_desc){"b", SHOAL_VALUE, types[i], 0};
        assert_status(shoal_kernel_create(many, "noop", &large, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "noop: argument 1 (b)");
        many_args[1].access = SHOAL_READ;
        assert_ok(shoal_kernel_create(many, "noop", &large, &test_error));
        shoal_kernel_destroy(&large);
    }
    shoal_program_destroy(&many);
    close_kernel();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(a_kernel_computes),
        UNIT_TEST(every_kind_of_argument_arrives),
        UNIT_TEST(reals_are_resolved),
        UNIT_TEST(wrong_kinds_are_refused),
        UNIT_TEST(wrong_counts_are_refused),
        UNIT_TEST(group_counts_are_checked),
        UNIT_TEST(changed_arguments_are_seen),
        UNIT_TEST(a_new_buffer_is_not_the_old_one),
        UNIT_TEST(a_failed_launch_forgets_its_arguments),
        UNIT_TEST(arguments_of_entries_are_checked),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
