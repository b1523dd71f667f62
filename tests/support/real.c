#include "real.h"

struct shoal *shoal;
struct shoal_device *device;
struct shoal_queue *queue;

static size_t next_index;

const char real_text[] =
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
    "__kernel GROUP void everything(int i, uint u, long l, ulong ul, float f, double d, real r,\n"
    "    struct pair s, __global const float *in, __global float *out, __global ulong *state)\n"
    "{\n"
    "    if (get_global_id(0) == 0) {\n"
    "        out[0] = (float)i;\n"
    "        out[1] = (float)u;\n"
    "        out[2] = l < 0 ? 1.0f : 0.0f;\n"
    "        out[3] = (float)(ul >> 60);\n"
    "        out[4] = f;\n"
    "        out[5] = (float)d;\n"
    "        out[6] = (float)r;\n"
    "        out[7] = (float)(s.a + 10 * s.b + 100 * s.c);\n"
    "        out[8] = in[1];\n"
    "        out[9] = state ? 1.0f : 0.0f;\n"
    "        out[10] = (float)sizeof(real);\n"
    "    }\n"
    "}\n"
    "__kernel GROUP void noop(void) {}\n";

struct shoal_params real_params(void)
{
    struct shoal_params params = unit_params();
    params.kernel_dir = test_folder();
    return params;
}

void real_reopen(const struct shoal_params *params)
{
    shoal_close(&shoal);
    assert_ok(shoal_open(&shoal, params, &test_error));
    next_index = 0;
}

int real_setup(void **state)
{
    if (unit_setup(state))
        return -1;
    struct shoal_params params = real_params();
    real_reopen(&params);
    return 0;
}

int real_teardown(void **state)
{
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    return unit_teardown(state);
}

bool real_next_device(void)
{
    shoal_queue_destroy(&queue);
    while (next_index < shoal_device_count(shoal)) {
        device = shoal_device_at(shoal, next_index++);
        if (strcmp(shoal_device_get_info(device)->backend, "opencl") == 0) {
            assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &queue, &test_error));
            return true;
        }
    }
    return false;
}

struct shoal_program *real_build(struct shoal_device *on, int64_t real)
{
    const struct shoal_define define = {"REAL", real};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = real_text;
    params.defines = &define;
    params.define_count = 1;
    struct shoal_program *program;
    assert_ok(shoal_program_create(on, &unit_program, &params, &program, &test_error));
    return program;
}

struct shoal_buffer *real_buffer(struct shoal_device *on, size_t bytes)
{
    struct shoal_buffer *buffer;
    assert_ok(shoal_buffer_create(on, bytes, &buffer, &test_error));
    return buffer;
}

void real_launch_add(struct shoal_queue *on, struct shoal_kernel *kernel, uint32_t count,
                     struct shoal_buffer *x, struct shoal_buffer *y, struct shoal_event **event)
{
    const struct shoal_arg args[] = {shoal_arg_uint(count), shoal_arg_buffer(x), shoal_arg_buffer(y)};
    assert_ok(shoal_launch(on, kernel, shoal_kernel_groups(kernel, count), args, 3, event, &test_error));
}

void real_expect_words(struct shoal_queue *on, struct shoal_buffer *buffer, uint32_t count, uint32_t wanted)
{
    uint32_t *words = malloc(count * sizeof *words);
    assert_ok(shoal_buffer_read(on, buffer, 0, words, count * sizeof *words, &test_error));
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(words[i], wanted);
    free(words);
}
