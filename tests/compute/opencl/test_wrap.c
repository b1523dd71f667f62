/* Native OpenCL handles, both ways: our kernels on another program's memory, another program on ours. */
#include "real.h"

#include <shoal/opencl.h>
#include <unistd.h>

/* Native objects of this queue's context, as another program would make them. */
struct foreign {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_mem memory;
};

static struct foreign make_foreign(cl_command_queue of, cl_command_queue_properties properties, size_t bytes)
{
    struct foreign foreign = {0};
    cl_int code;
    assert_int_equal(clGetCommandQueueInfo(of, CL_QUEUE_DEVICE, sizeof foreign.id, &foreign.id, NULL),
                     CL_SUCCESS);
    foreign.context = clCreateContext(NULL, 1, &foreign.id, NULL, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    foreign.queue = clCreateCommandQueue(foreign.context, foreign.id, properties, &code);
    assert_int_equal(code, CL_SUCCESS);
    foreign.memory = clCreateBuffer(foreign.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    return foreign;
}

static void release_foreign(struct foreign *foreign)
{
    clReleaseMemObject(foreign->memory);
    clReleaseCommandQueue(foreign->queue);
    clReleaseContext(foreign->context);
}

static cl_uint queue_references(cl_command_queue native)
{
    cl_uint count = 0;
    clGetCommandQueueInfo(native, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static cl_uint memory_references(cl_mem native)
{
    cl_uint count = 0;
    clGetMemObjectInfo(native, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

/* The driver's threads let go of what a finished command held a little later, of the last one perhaps never.
 */
static void expect_references(struct foreign *foreign, cl_uint queues, cl_uint memories)
{
    for (int tries = 0; tries < 2000; tries++) {
        if (queue_references(foreign->queue) <= queues + 1 && memory_references(foreign->memory) == memories)
            return;
        usleep(1000);
    }
    assert_in_range(queue_references(foreign->queue), queues, queues + 1);
    assert_int_equal(memory_references(foreign->memory), memories);
}

/* Our kernels on the memory of another program, in its queue. */
static void kernels_run_on_foreign_memory(void **state)
{
    (void)state;
    enum { COUNT = 1000, BYTES = COUNT * 4 };
    while (real_next_device()) {
        struct foreign foreign = make_foreign(shoal_opencl_queue_unwrap(queue), 0, BYTES);
        size_t listed = shoal_device_count(shoal);
        struct shoal_queue *wrapped, *again;
        assert_ok(shoal_opencl_queue_wrap(shoal, foreign.queue, &wrapped, &test_error));
        assert_ok(shoal_opencl_queue_wrap(shoal, foreign.queue, &again, &test_error));
        struct shoal_device *stand_in = shoal_queue_device(wrapped);
        assert_ptr_equal(shoal_queue_device(again), stand_in);
        assert_ptr_not_equal(stand_in, device);
        assert_int_equal(shoal_device_count(shoal), listed);
        assert_string_equal(shoal_device_get_info(stand_in)->name, shoal_device_get_info(device)->name);
        assert_ptr_equal(shoal_opencl_queue_unwrap(wrapped), foreign.queue);
        expect_references(&foreign, 3, 1);

        struct shoal_buffer *memory;
        assert_ok(shoal_opencl_buffer_wrap(stand_in, foreign.memory, &memory, &test_error));
        assert_int_equal(shoal_buffer_size(memory), BYTES);
        assert_ptr_equal(shoal_opencl_buffer_unwrap(memory), foreign.memory);
        expect_references(&foreign, 3, 2);

        struct shoal_program *program = real_build(stand_in, 32);
        struct shoal_kernel *kernel;
        assert_ok(shoal_kernel_create(program, "add", &kernel, &test_error));
        cl_uint words[COUNT];
        for (cl_uint i = 0; i < COUNT; i++)
            words[i] = i;
        assert_int_equal(
            clEnqueueWriteBuffer(foreign.queue, foreign.memory, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
            CL_SUCCESS);
        struct shoal_buffer *ones = real_buffer(stand_in, BYTES);
        assert_ok(shoal_buffer_fill(wrapped, ones, 0, BYTES, 1, &test_error));
        real_launch_add(wrapped, kernel, COUNT, ones, memory, NULL);
        assert_ok(shoal_queue_finish(wrapped, &test_error));
        assert_int_equal(
            clEnqueueReadBuffer(foreign.queue, foreign.memory, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
            CL_SUCCESS);
        for (cl_uint i = 0; i < COUNT; i++)
            assert_int_equal(words[i], i + 1);

        /* No profiling was asked of that queue; memory of one context is no memory of another. */
        assert_status(shoal_span_begin(wrapped, &test_error), SHOAL_INVALID);
        struct shoal_buffer *none = (struct shoal_buffer *)state;
        assert_status(shoal_opencl_buffer_wrap(device, foreign.memory, &none, &test_error), SHOAL_INVALID);
        assert_null(none);
        assert_contains(test_error.message, "context");
        assert_status(shoal_buffer_fill(queue, memory, 0, 4, 0, &test_error), SHOAL_INVALID);

        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
        shoal_buffer_destroy(&ones);
        shoal_buffer_destroy(&memory);
        shoal_queue_destroy(&wrapped);
        shoal_queue_destroy(&again);
        /* The wrappers gave back what they took, and no more. */
        expect_references(&foreign, 1, 1);
        assert_int_equal(clFinish(foreign.queue), CL_SUCCESS);
        release_foreign(&foreign);
    }
}

/* The other way: another program works on our memory, in our context. */
static void foreign_code_runs_on_our_memory(void **state)
{
    (void)state;
    while (real_next_device()) {
        struct shoal_buffer *buffer = real_buffer(device, 64), *same;
        cl_command_queue native = shoal_opencl_queue_unwrap(queue);
        cl_mem memory = shoal_opencl_buffer_unwrap(buffer);
        assert_non_null(native);
        assert_non_null(memory);
        assert_ok(shoal_buffer_fill(queue, buffer, 0, 64, 7, &test_error));
        cl_uint words[16];
        assert_int_equal(clEnqueueReadBuffer(native, memory, CL_TRUE, 0, 64, words, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(words[15], 7);

        cl_context context;
        cl_device_id id;
        cl_int code;
        clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
        clGetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
        cl_command_queue own = clCreateCommandQueue(context, id, CL_QUEUE_PROFILING_ENABLE, &code);
        assert_int_equal(code, CL_SUCCESS);
        struct shoal_queue *wrapped;
        assert_ok(shoal_opencl_queue_wrap(shoal, own, &wrapped, &test_error));
        clReleaseCommandQueue(own); /* the wrapper keeps it */
        assert_ptr_equal(shoal_queue_device(wrapped), device);
        assert_ok(shoal_opencl_buffer_wrap(device, memory, &same, &test_error));
        double seconds;
        assert_ok(shoal_span_begin(wrapped, &test_error));
        assert_ok(shoal_buffer_fill(wrapped, same, 0, 64, 8, &test_error));
        assert_ok(shoal_span_end(wrapped, &seconds, &test_error));
        shoal_buffer_destroy(&same);
        real_expect_words(queue, buffer, 16, 8);
        shoal_queue_destroy(&wrapped);
        shoal_buffer_destroy(&buffer);
    }
}

static void images_are_no_buffers(void **state)
{
    (void)state;
    while (real_next_device()) {
        const cl_image_format format = {CL_RGBA, CL_FLOAT};
        const cl_image_desc shape = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
        cl_context context;
        cl_int code = clGetCommandQueueInfo(shoal_opencl_queue_unwrap(queue), CL_QUEUE_CONTEXT,
                                            sizeof context, &context, NULL);
        assert_int_equal(code, CL_SUCCESS);
        cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
        if (code != CL_SUCCESS)
            continue; /* a device need not have images */
        struct shoal_buffer *buffer;
        assert_status(shoal_opencl_buffer_wrap(device, image, &buffer, &test_error), SHOAL_INVALID);
        assert_null(buffer);
        assert_contains(test_error.message, "image");
        clReleaseMemObject(image);
    }
}

static void wrong_native_objects_are_refused(void **state)
{
    (void)state;
    assert_null(shoal_opencl_queue_unwrap(NULL));
    assert_null(shoal_opencl_buffer_unwrap(NULL));
    struct shoal_device *host = shoal_device_at(shoal, shoal_device_count(shoal) - 1);
    while (real_next_device()) {
        struct foreign foreign =
            make_foreign(shoal_opencl_queue_unwrap(queue), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 16);
        struct shoal_queue *wrapped = queue;
        struct shoal_buffer *buffer = (struct shoal_buffer *)state;
        assert_status(shoal_opencl_queue_wrap(shoal, foreign.queue, &wrapped, &test_error), SHOAL_INVALID);
        assert_null(wrapped);
        assert_contains(test_error.message, "in-order");
        assert_status(shoal_opencl_queue_wrap(NULL, foreign.queue, &wrapped, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_queue_wrap(shoal, NULL, &wrapped, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_queue_wrap(shoal, foreign.queue, NULL, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_buffer_wrap(NULL, foreign.memory, &buffer, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_buffer_wrap(device, NULL, &buffer, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_buffer_wrap(device, foreign.memory, NULL, &test_error), SHOAL_INVALID);
        assert_status(shoal_opencl_buffer_wrap(host, foreign.memory, &buffer, &test_error), SHOAL_INVALID);
        assert_null(buffer);
        expect_references(&foreign, 1, 1);
        release_foreign(&foreign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL_TEST(kernels_run_on_foreign_memory),
        REAL_TEST(foreign_code_runs_on_our_memory),
        REAL_TEST(images_are_no_buffers),
        REAL_TEST(wrong_native_objects_are_refused),
    };
    return cmocka_run_group_tests_name("opencl-wrap", tests, NULL, NULL);
}
