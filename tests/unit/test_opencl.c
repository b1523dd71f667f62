/* The OpenCL backend on every OpenCL device of the machine (PoCL at least); skipped where there is none. */
#include "unit.h"

#include <math.h>
#include <shoal/opencl.h>
#include <unistd.h>

static struct shoal *shoal;
static struct shoal_device *device; /* the one under test */
static struct shoal_queue *queue;

static const char kernel_text[] =
    "#ifndef WG\n#define WG 64\n#endif\n"
    "#if REAL == 64\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
    "#define GROUP __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
    "struct pair { uint a, b, c; };\n"
    "__kernel GROUP void add(uint n, __global const uint *x, __global uint *y)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        y[i] += x[i];\n"
    "}\n"
    "__kernel GROUP void everything(int i, uint u, long l, ulong ul, float f, double d, real r, struct pair "
    "s,\n"
    "    __global const float *in, __global float *out, __global ulong *state)\n"
    "{\n"
    "    if (get_global_id(0) == 0) {\n"
    "        out[0] = (float)i; out[1] = (float)u; out[2] = l < 0 ? 1.0f : 0.0f; out[3] = (float)(ul >> "
    "60);\n"
    "        out[4] = f; out[5] = (float)d; out[6] = (float)r; out[7] = (float)(s.a + 10 * s.b + 100 * "
    "s.c);\n"
    "        out[8] = in[1]; out[9] = state ? 1.0f : 0.0f; out[10] = (float)sizeof(real);\n"
    "    }\n"
    "}\n"
    "__kernel GROUP void noop(void) {}\n";

static int close_all(void **state)
{
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static struct shoal_params real_params(void)
{
    struct shoal_params params = unit_params();
    params.kernel_dir = unit_folder();
    return params;
}

static void open_real(const struct shoal_params *params)
{
    assert_ok(shoal_open(&shoal, params, &unit_error));
}

/* The nth OpenCL device, with a queue; false after the last. */
static bool next_device(size_t n)
{
    shoal_queue_destroy(&queue);
    for (size_t i = 0; i < shoal_device_count(shoal); i++) {
        device = shoal_device_at(shoal, i);
        if (strcmp(shoal_device_get_info(device)->backend, "opencl") == 0 && n-- == 0) {
            assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &queue, &unit_error));
            return true;
        }
    }
    return false;
}

#define EACH_DEVICE(n) (size_t n = 0; next_device(n); n++)

static int open_all(void **state)
{
    if (unit_setup(state))
        return -1;
    struct shoal_params params = real_params();
    open_real(&params);
    return 0;
}

static struct shoal_program *build(struct shoal_device *on, int64_t real)
{
    const struct shoal_define define = {"REAL", real};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = kernel_text;
    params.defines = &define;
    params.define_count = 1;
    struct shoal_program *program;
    assert_ok(shoal_program_create(on, &unit_program, &params, &program, &unit_error));
    return program;
}

static struct shoal_buffer *buffer_of(struct shoal_device *on, size_t bytes)
{
    struct shoal_buffer *buffer;
    assert_ok(shoal_buffer_create(on, bytes, &buffer, &unit_error));
    return buffer;
}

static void devices_describe_themselves(void **state)
{
    (void)state;
    size_t count = 0;
    for
        EACH_DEVICE(n)
        {
            const struct shoal_device_info *info = shoal_device_get_info(device);
            char id[32];
            snprintf(id, sizeof id, "opencl:%zu", n);
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
    for
        EACH_DEVICE(n)
        {
            enum { COUNT = 1031 };
            uint32_t in[COUNT], out[COUNT];
            for (uint32_t i = 0; i < COUNT; i++)
                in[i] = i * 2654435761u;
            struct shoal_buffer *a = buffer_of(device, sizeof in), *b = buffer_of(device, sizeof in);
            assert_ok(shoal_buffer_write(queue, a, 0, in, sizeof in, &unit_error));
            assert_ok(shoal_buffer_fill(queue, b, 0, sizeof in, 0xa5a5a5a5u, &unit_error));
            assert_ok(shoal_buffer_copy(queue, a, 4, b, 8, sizeof in - 12, &unit_error));
            assert_ok(shoal_buffer_write(queue, b, sizeof in - 1, "\x77", 1, &unit_error));
            assert_ok(shoal_buffer_read(queue, b, 0, out, sizeof in, &unit_error));
            assert_int_equal(out[0], 0xa5a5a5a5u);
            assert_int_equal(out[1], 0xa5a5a5a5u);
            assert_memory_equal(out + 2, in + 1, sizeof in - 12);
            assert_int_equal(out[COUNT - 1], 0x77a5a5a5u);
            assert_ok(shoal_buffer_copy(queue, a, 0, a, 512, 512, &unit_error));
            assert_ok(shoal_buffer_read(queue, a, 512, out, 512, &unit_error));
            assert_memory_equal(out, in, 512);
            /* What was written may be changed at once. */
            for (uint32_t i = 0; i < 16; i++) {
                assert_ok(shoal_buffer_write(queue, a, 4 * i, &i, 4, &unit_error));
            }
            assert_ok(shoal_buffer_read(queue, a, 0, out, 64, &unit_error));
            for (uint32_t i = 0; i < 16; i++)
                assert_int_equal(out[i], i);
            assert_ok(shoal_queue_flush(queue, &unit_error));
            shoal_buffer_destroy(&a);
            shoal_buffer_destroy(&b);
        }
}

static void every_kind_of_argument_arrives(void **state)
{
    (void)state;
    for
        EACH_DEVICE(n)
        {
            if (!shoal_device_get_info(device)->fp64)
                continue;
            for (int real = 32; real <= 64; real += 32) {
                struct shoal_program *program = build(device, real);
                struct shoal_kernel *kernel;
                assert_ok(shoal_kernel_create(program, "everything", &kernel, &unit_error));
                struct shoal_buffer *in = buffer_of(device, 64), *out = buffer_of(device, 64);
                const float values[] = {1.5f, 2.5f};
                float got[11];
                assert_ok(shoal_buffer_write(queue, in, 0, values, sizeof values, &unit_error));
                struct unit_pair pair = {1, 2, 3};
                struct shoal_arg args[UNIT_EVERYTHING_ARGS];
                unit_everything_args(args, in, out, &pair);
                for (int round = 0; round < 2; round++) {
                    assert_ok(shoal_launch(queue, kernel, 1, args, UNIT_EVERYTHING_ARGS, NULL, &unit_error));
                    pair.c = 9; /* copied by the launch */
                    assert_ok(shoal_buffer_read(queue, out, 0, got, sizeof got, &unit_error));
                    const float wanted[] = {
                        -1, 2, 1, 15, 0.5f, 0.1f, 0.1f, round ? 921.0f : 321.0f, 2.5f, 0, (float)real / 8};
                    for (size_t i = 0; i < 11; i++)
                        assert_true(got[i] == wanted[i]);
                }
                args[10] = shoal_arg_buffer(in);
                assert_ok(shoal_launch(queue, kernel, 1, args, UNIT_EVERYTHING_ARGS, NULL, &unit_error));
                assert_ok(shoal_buffer_read(queue, out, 0, got, sizeof got, &unit_error));
                assert_true(got[9] == 1);
                shoal_buffer_destroy(&in);
                shoal_buffer_destroy(&out);
                shoal_kernel_destroy(&kernel);
                shoal_program_destroy(&program);
            }
        }
}

static void launch_add(struct shoal_queue *on, struct shoal_kernel *kernel, uint32_t count,
                       struct shoal_buffer *x, struct shoal_buffer *y, struct shoal_event **event)
{
    const struct shoal_arg args[] = {shoal_arg_uint(count), shoal_arg_buffer(x), shoal_arg_buffer(y)};
    assert_ok(shoal_launch(on, kernel, shoal_kernel_groups(kernel, count), args, 3, event, &unit_error));
}

static void expect_words(struct shoal_queue *on, struct shoal_buffer *buffer, uint32_t count, uint32_t wanted)
{
    uint32_t *words = malloc(count * sizeof *words);
    assert_ok(shoal_buffer_read(on, buffer, 0, words, count * sizeof *words, &unit_error));
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(words[i], wanted);
    free(words);
}

static void two_queues_are_ordered(void **state)
{
    (void)state;
    for
        EACH_DEVICE(n)
        {
            enum { COUNT = 1 << 16 };
            struct shoal_queue *second;
            assert_ok(shoal_queue_create(device, 0, &second, &unit_error));
            struct shoal_program *program = build(device, 32);
            struct shoal_kernel *first_add, *second_add;
            assert_ok(shoal_kernel_create(program, "add", &first_add, &unit_error));
            assert_ok(shoal_kernel_create(program, "add", &second_add, &unit_error));
            struct shoal_buffer *one = buffer_of(device, 4 * COUNT), *sum = buffer_of(device, 4 * COUNT),
                                *result = buffer_of(device, 4 * COUNT);
            assert_ok(shoal_buffer_fill(queue, one, 0, 4 * COUNT, 1, &unit_error));
            assert_ok(shoal_buffer_fill(queue, sum, 0, 4 * COUNT, 0, &unit_error));
            assert_ok(shoal_buffer_fill(queue, result, 0, 4 * COUNT, 0, &unit_error));
            struct shoal_event *event = NULL;
            for (int i = 0; i < 20; i++) {
                shoal_event_destroy(&event);
                launch_add(queue, first_add, COUNT, one, sum, &event);
            }
            /* The second queue must not add before the twentieth is done. */
            assert_ok(shoal_queue_wait(second, event, &unit_error));
            launch_add(second, second_add, COUNT, sum, result, NULL);
            expect_words(second, result, COUNT, 20);
            assert_ok(shoal_event_wait(event, &unit_error));
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
    for
        EACH_DEVICE(n)
        {
            enum { COUNT = 1 << 18 };
            struct shoal_program *program = build(device, 32);
            struct shoal_kernel *add, *noop;
            assert_ok(shoal_kernel_create(program, "add", &add, &unit_error));
            assert_ok(shoal_kernel_create(program, "noop", &noop, &unit_error));
            struct shoal_buffer *x = buffer_of(device, 4 * COUNT), *y = buffer_of(device, 4 * COUNT);
            assert_ok(shoal_buffer_fill(queue, x, 0, 4 * COUNT, 1, &unit_error));
            assert_ok(shoal_buffer_fill(queue, y, 0, 4 * COUNT, 0, &unit_error));
            double empty = -1, whole = 0, start[2], end[2];
            assert_ok(shoal_span_begin(queue, &unit_error));
            assert_ok(shoal_span_end(queue, &empty, &unit_error));
            assert_true(empty == 0);
            struct shoal_event *first, *last;
            assert_ok(shoal_span_begin(queue, &unit_error));
            launch_add(queue, add, COUNT, x, y, &first);
            assert_ok(shoal_buffer_fill(queue, x, 0, 4 * COUNT, 2, &unit_error));
            launch_add(queue, add, COUNT, x, y, &last);
            assert_ok(shoal_span_end(queue, &whole, &unit_error));
            assert_ok(shoal_event_times(first, &start[0], &end[0], &unit_error));
            assert_ok(shoal_event_times(last, &start[1], &end[1], &unit_error));
            assert_true(start[0] <= end[0] && end[0] <= start[1] && start[1] <= end[1]);
            /* The end is taken behind the last command; each is rounded to the nanosecond. */
            assert_true(whole > end[1] - start[0] - 1e-6);
            assert_true(whole > 0 && whole < 60);
            shoal_event_destroy(&first);
            shoal_event_destroy(&last);
            expect_words(queue, y, COUNT, 3);
            /* Destroying the queue inside a span leaves nothing behind. */
            assert_ok(shoal_span_begin(queue, &unit_error));
            assert_ok(shoal_launch(queue, noop, 1, NULL, 0, NULL, &unit_error));
            assert_ok(shoal_queue_finish(queue, &unit_error));
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
    unit_write_text(unit_path("unit/program.cl"),
                    "#include \"lib/broken.clh\"\n__kernel void add(void) {}\n");
    unit_write_text(unit_path("lib/broken.clh"), "/* fine */\n\nint broken = no_such_name;\n");
    for
        EACH_DEVICE(n)
        {
            struct shoal_program *program;
            struct shoal_program_params params;
            shoal_program_params_init(&params);
            assert_status(shoal_program_create(device, &unit_program, &params, &program, &unit_error),
                          SHOAL_BUILD_FAILED);
            assert_null(program);
            assert_contains(unit_error.message, "lib/broken.clh:3");
            assert_contains(unit_error.message, "unit/program.cl");
            assert_contains(unit_error.message, shoal_device_get_info(device)->id);
            assert_contains(unit_error.log, "no_such_name");
            assert_string_equal(unit_error.call, "clBuildProgram");
            params.text = "__kernel void add(void)\n{\n    float x = ;\n}\n";
            params.text_name = "mine/wave.cl";
            assert_status(shoal_program_create(device, &unit_program, &params, &program, &unit_error),
                          SHOAL_BUILD_FAILED);
            assert_contains(unit_error.message, "mine/wave.cl:3");
            /* A text without the promised entry. */
            params.text = "__kernel void noop(void) {}\n";
            assert_int_not_equal(shoal_program_create(device, &unit_program, &params, &program, &unit_error),
                                 SHOAL_OK);
            assert_null(program);
            assert_contains(unit_error.message, "add");
            /* The device is as good as before. */
            program = build(device, 32);
            shoal_program_destroy(&program);
        }
}

static void allocations_that_are_too_large(void **state)
{
    (void)state;
    for
        EACH_DEVICE(n)
        {
            const struct shoal_device_info *info = shoal_device_get_info(device);
            struct shoal_buffer *buffer = (struct shoal_buffer *)state;
            const size_t sizes[] = {(size_t)info->max_allocation + 1, SIZE_MAX};
            for (size_t i = 0; i < 2; i++) {
                assert_status(shoal_buffer_create(device, sizes[i], &buffer, &unit_error),
                              SHOAL_OUT_OF_DEVICE_MEMORY);
                assert_null(buffer);
                assert_contains(unit_error.message, info->id);
            }
            /* The driver's own refusal: past the core's check. */
            struct shoal_buffer raw = {.device = device, .bytes = (size_t)1 << 62};
            enum shoal_status status = device->backend->buffer_create(&raw, &unit_error);
            assert_int_equal(status, SHOAL_OUT_OF_DEVICE_MEMORY);
            assert_string_equal(unit_error.call, "clCreateBuffer");
            assert_true(unit_error.native < 0);
            buffer = buffer_of(device, 16);
            shoal_buffer_destroy(&buffer);
        }
}

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
    for
        EACH_DEVICE(n)
        {
            struct foreign foreign = make_foreign(shoal_opencl_queue_unwrap(queue), 0, BYTES);
            size_t listed = shoal_device_count(shoal);
            struct shoal_queue *wrapped, *again;
            assert_ok(shoal_opencl_queue_wrap(shoal, foreign.queue, &wrapped, &unit_error));
            assert_ok(shoal_opencl_queue_wrap(shoal, foreign.queue, &again, &unit_error));
            struct shoal_device *stand_in = shoal_queue_device(wrapped);
            assert_ptr_equal(shoal_queue_device(again), stand_in);
            assert_ptr_not_equal(stand_in, device);
            assert_int_equal(shoal_device_count(shoal), listed);
            assert_string_equal(shoal_device_get_info(stand_in)->name, shoal_device_get_info(device)->name);
            assert_ptr_equal(shoal_opencl_queue_unwrap(wrapped), foreign.queue);
            expect_references(&foreign, 3, 1);

            struct shoal_buffer *memory;
            assert_ok(shoal_opencl_buffer_wrap(stand_in, foreign.memory, &memory, &unit_error));
            assert_int_equal(shoal_buffer_size(memory), BYTES);
            assert_ptr_equal(shoal_opencl_buffer_unwrap(memory), foreign.memory);
            expect_references(&foreign, 3, 2);

            struct shoal_program *program = build(stand_in, 32);
            struct shoal_kernel *kernel;
            assert_ok(shoal_kernel_create(program, "add", &kernel, &unit_error));
            cl_uint words[COUNT];
            for (cl_uint i = 0; i < COUNT; i++)
                words[i] = i;
            assert_int_equal(
                clEnqueueWriteBuffer(foreign.queue, foreign.memory, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
                CL_SUCCESS);
            struct shoal_buffer *ones = buffer_of(stand_in, BYTES);
            assert_ok(shoal_buffer_fill(wrapped, ones, 0, BYTES, 1, &unit_error));
            launch_add(wrapped, kernel, COUNT, ones, memory, NULL);
            assert_ok(shoal_queue_finish(wrapped, &unit_error));
            assert_int_equal(
                clEnqueueReadBuffer(foreign.queue, foreign.memory, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
                CL_SUCCESS);
            for (cl_uint i = 0; i < COUNT; i++)
                assert_int_equal(words[i], i + 1);

            /* No profiling was asked of that queue; memory of one context is no memory of another. */
            assert_status(shoal_span_begin(wrapped, &unit_error), SHOAL_INVALID);
            struct shoal_buffer *none = (struct shoal_buffer *)state;
            assert_status(shoal_opencl_buffer_wrap(device, foreign.memory, &none, &unit_error),
                          SHOAL_INVALID);
            assert_null(none);
            assert_contains(unit_error.message, "context");
            assert_status(shoal_buffer_fill(queue, memory, 0, 4, 0, &unit_error), SHOAL_INVALID);

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
    for
        EACH_DEVICE(n)
        {
            struct shoal_buffer *buffer = buffer_of(device, 64), *same;
            cl_command_queue native = shoal_opencl_queue_unwrap(queue);
            cl_mem memory = shoal_opencl_buffer_unwrap(buffer);
            assert_non_null(native);
            assert_non_null(memory);
            assert_ok(shoal_buffer_fill(queue, buffer, 0, 64, 7, &unit_error));
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
            assert_ok(shoal_opencl_queue_wrap(shoal, own, &wrapped, &unit_error));
            clReleaseCommandQueue(own); /* the wrapper keeps it */
            assert_ptr_equal(shoal_queue_device(wrapped), device);
            assert_ok(shoal_opencl_buffer_wrap(device, memory, &same, &unit_error));
            double seconds;
            assert_ok(shoal_span_begin(wrapped, &unit_error));
            assert_ok(shoal_buffer_fill(wrapped, same, 0, 64, 8, &unit_error));
            assert_ok(shoal_span_end(wrapped, &seconds, &unit_error));
            shoal_buffer_destroy(&same);
            expect_words(queue, buffer, 16, 8);
            shoal_queue_destroy(&wrapped);
            shoal_buffer_destroy(&buffer);
        }
}

static void wrong_native_objects_are_refused(void **state)
{
    (void)state;
    assert_null(shoal_opencl_queue_unwrap(NULL));
    assert_null(shoal_opencl_buffer_unwrap(NULL));
    struct shoal_device *host = shoal_device_at(shoal, shoal_device_count(shoal) - 1);
    for
        EACH_DEVICE(n)
        {
            struct foreign foreign =
                make_foreign(shoal_opencl_queue_unwrap(queue), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 16);
            struct shoal_queue *wrapped = queue;
            struct shoal_buffer *buffer = (struct shoal_buffer *)state;
            assert_status(shoal_opencl_queue_wrap(shoal, foreign.queue, &wrapped, &unit_error),
                          SHOAL_INVALID);
            assert_null(wrapped);
            assert_contains(unit_error.message, "in-order");
            assert_status(shoal_opencl_queue_wrap(NULL, foreign.queue, &wrapped, &unit_error), SHOAL_INVALID);
            assert_status(shoal_opencl_queue_wrap(shoal, NULL, &wrapped, &unit_error), SHOAL_INVALID);
            assert_status(shoal_opencl_queue_wrap(shoal, foreign.queue, NULL, &unit_error), SHOAL_INVALID);
            assert_status(shoal_opencl_buffer_wrap(NULL, foreign.memory, &buffer, &unit_error),
                          SHOAL_INVALID);
            assert_status(shoal_opencl_buffer_wrap(device, NULL, &buffer, &unit_error), SHOAL_INVALID);
            assert_status(shoal_opencl_buffer_wrap(device, foreign.memory, NULL, &unit_error), SHOAL_INVALID);
            assert_status(shoal_opencl_buffer_wrap(host, foreign.memory, &buffer, &unit_error),
                          SHOAL_INVALID);
            assert_null(buffer);
            expect_references(&foreign, 1, 1);
            release_foreign(&foreign);
        }
}

/* Compiled programs go to the cache and come back, on drivers that do not cache for themselves. */
static void binaries_are_cached(void **state)
{
    (void)state;
    shoal_close(&shoal);
    struct shoal_params params = real_params();
    params.no_cache = false;
    params.cache_dir = unit_path("cache");
    open_real(&params);
    for
        EACH_DEVICE(n)
        {
            device->info.self_caching = false;
            for (int round = 0; round < 3; round++) {
                struct shoal_program *program = build(device, 32);
                assert_true((shoal_program_build_seconds(program) == 0) == (round == 1));
                struct shoal_kernel *kernel;
                assert_ok(shoal_kernel_create(program, "add", &kernel, &unit_error));
                struct shoal_buffer *x = buffer_of(device, 400), *y = buffer_of(device, 400);
                assert_ok(shoal_buffer_fill(queue, x, 0, 400, 5, &unit_error));
                assert_ok(shoal_buffer_fill(queue, y, 0, 400, 1, &unit_error));
                launch_add(queue, kernel, 100, x, y, NULL);
                expect_words(queue, y, 100, 6);
                shoal_buffer_destroy(&x);
                shoal_buffer_destroy(&y);
                shoal_kernel_destroy(&kernel);
                shoal_program_destroy(&program);
                assert_ok(shoal_queue_finish(queue, &unit_error));
                char path[1024];
                if (round == 1) {
                    /* Damage it for the third round. */
                    assert_int_equal(unit_count_files(unit_path("cache"), ".bin", path, sizeof path), 1);
                    unit_write_text(path, "damaged");
                }
            }
            assert_ok(shoal_cache_clear(shoal, NULL, &unit_error));
        }
    assert_true(unit_log_count(SHOAL_LOG_WARNING) <= 1);
}

static void strict_floating_point_builds(void **state)
{
    (void)state;
    shoal_close(&shoal);
    struct shoal_params params = real_params();
    params.strict_fp = true;
    params.sync = true;
    open_real(&params);
    for
        EACH_DEVICE(n)
        {
            struct shoal_program *program = build(device, 32);
            struct shoal_kernel *kernel;
            assert_ok(shoal_kernel_create(program, "noop", &kernel, &unit_error));
            assert_ok(shoal_launch(queue, kernel, 3, NULL, 0, NULL, &unit_error));
            shoal_kernel_destroy(&kernel);
            shoal_program_destroy(&program);
        }
}

#define OPENCL_TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPENCL_TEST(devices_describe_themselves),
        OPENCL_TEST(data_goes_round),
        OPENCL_TEST(every_kind_of_argument_arrives),
        OPENCL_TEST(two_queues_are_ordered),
        OPENCL_TEST(spans_and_events_have_times),
        OPENCL_TEST(build_errors_name_our_file_and_line),
        OPENCL_TEST(allocations_that_are_too_large),
        OPENCL_TEST(kernels_run_on_foreign_memory),
        OPENCL_TEST(foreign_code_runs_on_our_memory),
        OPENCL_TEST(wrong_native_objects_are_refused),
        OPENCL_TEST(binaries_are_cached),
        OPENCL_TEST(strict_floating_point_builds),
    };
    return cmocka_run_group_tests_name("opencl", tests, NULL, NULL);
}
