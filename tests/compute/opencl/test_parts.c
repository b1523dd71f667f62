/* Parts of OpenCL devices: their own compute units, one context, results of the whole device; PoCL at least.
 * Skipped where no driver divides its device. */
#include "real.h"

#include <pthread.h>
#include <shoal/opencl.h>

enum { COUNT = 1 << 16, ROUNDS = 20 };

/* Parts of the first OpenCL device: two, or one where it has a single compute unit. */
static size_t take_parts(struct shoal_device *parts[2])
{
    size_t count = 0;
    const struct shoal_device_info *info = shoal_device_get_info(device);
    char selector[64];
    snprintf(selector, sizeof selector, "%s/%d", info->id, info->units > 1 ? 2 : 1);
    enum shoal_status status = shoal_device_select(shoal, selector, 0, parts, 2, &count, &test_error);
    if (status)
        assert_status(status, SHOAL_NO_DEVICE);
    return count;
}

static void parts_have_units_of_their_own(void **state)
{
    (void)state;
    size_t divided = 0;
    while (real_next_device()) {
        struct shoal_device *parts[2];
        const struct shoal_device_info *whole = shoal_device_get_info(device);
        const size_t count = take_parts(parts);
        uint32_t units = 0;
        for (size_t i = 0; i < count; i++) {
            const struct shoal_device_info *part = shoal_device_get_info(parts[i]);
            units += part->units;
            assert_string_equal(part->part_of, whole->id);
            assert_string_equal(part->name, whole->name);
            assert_null(part->alias_of);
            assert_int_equal(part->memory, whole->memory);
            assert_true(part->local_mem > 0);
        }
        assert_int_equal(units, count ? whole->units : 0);
        divided += count;
    }
    if (!divided)
        skip();
}

/* A queue of a part, given back as a native handle, is one of that part. */
static void native_queues_find_their_part(void **state)
{
    (void)state;
    while (real_next_device()) {
        struct shoal_device *parts[2];
        cl_context contexts[2] = {NULL, NULL};
        const size_t count = take_parts(parts);
        for (size_t i = 0; i < count; i++) {
            struct shoal_queue *own, *wrapped;
            assert_ok(shoal_queue_create(parts[i], 0, &own, &test_error));
            cl_command_queue native = shoal_opencl_queue_unwrap(own);
            assert_int_equal(
                clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof *contexts, &contexts[i], NULL),
                CL_SUCCESS);
            assert_ok(shoal_opencl_queue_wrap(shoal, native, &wrapped, &test_error));
            assert_ptr_equal(shoal_queue_device(wrapped), parts[i]);
            shoal_queue_destroy(&wrapped);
            shoal_queue_destroy(&own);
        }
        if (count == 2)
            assert_ptr_equal(contexts[0], contexts[1]);
    }
}

/* Adds ones to a buffer ROUNDS times; false: an error, or wrong sums. */
static bool add_ones(struct shoal_device *on)
{
    struct shoal_queue *own = NULL;
    struct shoal_buffer *ones = NULL, *sums = NULL;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    struct shoal_program_params params;
    struct shoal_error error;
    uint32_t *words = malloc(COUNT * sizeof *words);
    shoal_program_params_init(&params);
    params.text = real_text;
    bool good = words && !shoal_queue_create(on, 0, &own, &error) &&
                !shoal_buffer_create(on, COUNT * 4, &ones, &error) &&
                !shoal_buffer_create(on, COUNT * 4, &sums, &error) &&
                !shoal_program_create(on, &unit_program, &params, &program, &error) &&
                !shoal_kernel_create(program, "add", &kernel, &error) &&
                !shoal_buffer_fill(own, ones, 0, COUNT * 4, 1, &error) &&
                !shoal_buffer_fill(own, sums, 0, COUNT * 4, 0, &error);
    const struct shoal_arg args[] = {shoal_arg_uint(COUNT), shoal_arg_buffer(ones), shoal_arg_buffer(sums)};
    for (unsigned round = 0; round < ROUNDS && good; round++)
        good = !shoal_launch(own, kernel, COUNT / 64, args, 3, NULL, &error);
    good = good && !shoal_buffer_read(own, sums, 0, words, COUNT * 4, &error);
    for (size_t i = 0; i < COUNT && good; i++)
        good = words[i] == ROUNDS;
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    shoal_buffer_destroy(&sums);
    shoal_buffer_destroy(&ones);
    shoal_queue_destroy(&own);
    free(words);
    return good;
}

static void *work(void *argument)
{
    return add_ones(argument) ? argument : NULL;
}

/* Each in a thread of its own, while a third one uses the whole device. */
static void parts_work_side_by_side(void **state)
{
    (void)state;
    while (real_next_device()) {
        struct shoal_device *used[3];
        pthread_t threads[3];
        size_t count = take_parts(used);
        used[count++] = device;
        for (size_t i = 0; i < count; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, work, used[i]), 0);
        for (size_t i = 0; i < count; i++) {
            void *result;
            assert_int_equal(pthread_join(threads[i], &result), 0);
            assert_ptr_equal(result, used[i]);
        }
    }
}

/* Of instances that come and go, each makes the parts anew. */
static void instances_have_parts_of_their_own(void **state)
{
    (void)state;
    struct shoal_params params = real_params();
    for (int round = 0; round < 5; round++) {
        while (real_next_device()) {
            struct shoal_device *parts[2];
            const size_t count = take_parts(parts);
            for (size_t i = 0; i < count; i++)
                assert_true(add_ones(parts[i]));
        }
        shoal_queue_destroy(&queue);
        real_reopen(&params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL_TEST(parts_have_units_of_their_own),
        REAL_TEST(native_queues_find_their_part),
        REAL_TEST(parts_work_side_by_side),
        REAL_TEST(instances_have_parts_of_their_own),
    };
    return cmocka_run_group_tests_name("opencl-parts", tests, NULL, NULL);
}
