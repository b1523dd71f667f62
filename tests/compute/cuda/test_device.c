/* The CUDA backend on real devices: the scenario of the fake, the driver's view of every kernel's arguments,
 * both variants, the cache. Skipped (77) without a CUDA device. */
#include "scenario.h"
#include "test.h"

#include "compute/backend.h"
#include "compute/cuda/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static struct shoal *shoal;
static struct shoal_device *device;

static void log_line(void *data, enum shoal_log_level level, const char *message)
{
    (void)data;
    (void)level;
    print_message("%s\n", message);
}

static enum shoal_status open_cuda(struct shoal **out, const char *cache_dir)
{
    static const struct backend *const backends[] = {&cuda_backend};
    struct shoal_params params;
    shoal_params_init(&params);
    params.log = log_line;
    params.cache_dir = cache_dir;
    params.no_cache = cache_dir == NULL;
    return shoal_open_with(out, &params, backends, 1, &test_error);
}

static void test_scenario(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_ok(scenario_run(device, &test_error));
}

static void check_params(const struct shoal_program *program, const struct shoal_kernel *kernel)
{
    const struct shoal_entry_desc *entry = kernel->entry;
    const struct cuda_kernel *native = kernel->native;
    const struct cuda_driver *driver = cuda_driver(device);
    size_t offset, bytes;
    bool pushed;
    if (!driver->cuFuncGetParamInfo)
        return;
    assert_ok(cuda_enter(device, &pushed, &test_error));
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        cu_result code = driver->cuFuncGetParamInfo(native->function, i, &offset, &bytes);
        if (code || bytes != arg_desc_bytes(&entry->args[i], program->real64))
            fail_msg("%s: argument %u (%s) has %zu bytes, the contract says %u (result %u)", entry->name, i,
                     entry->args[i].name, bytes, arg_desc_bytes(&entry->args[i], program->real64), code);
    }
    if (driver->cuFuncGetParamInfo(native->function, entry->arg_count, &offset, &bytes) == DRIVER_SUCCESS)
        fail_msg("%s has more than the %u arguments of its contract", entry->name, entry->arg_count);
    cuda_leave(device, pushed);
}

static void check_program(const struct shoal_program_desc *desc, enum shoal_variant variant, int real)
{
    const struct shoal_define define = {"REAL", real};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = variant;
    params.defines = &define;
    params.define_count = real != 0;
    struct shoal_program *program = NULL;
    assert_ok(shoal_program_create(device, desc, &params, &program, &test_error));
    for (uint32_t i = 0; i < desc->entry_count; i++) {
        struct shoal_kernel *kernel = NULL;
        assert_ok(shoal_kernel_create(program, desc->entries[i].name, &kernel, &test_error));
        check_params(program, kernel);
        shoal_kernel_destroy(&kernel);
    }
    shoal_program_destroy(&program);
}

static bool has_real(const struct shoal_program_desc *desc)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, "REAL") == 0)
            return true;
    return false;
}

static void test_params(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        for (int native = 0; native <= (desc->native != NULL); native++)
            for (int real = has_real(desc) ? 32 : 0; real <= (has_real(desc) ? 64 : 0); real += 32)
                check_program(desc, native ? SHOAL_VARIANT_CU : SHOAL_VARIANT_CL, real);
    }
}

static double build_seconds(struct shoal *instance)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = scenario_text;
    struct shoal_program *program = NULL;
    assert_ok(
        shoal_program_create(shoal_device_at(instance, 0), &scenario_desc, &params, &program, &test_error));
    double seconds = shoal_program_build_seconds(program);
    shoal_program_destroy(&program);
    return seconds;
}

static void test_cache(void **state)
{
    (void)state;
    struct shoal *first = NULL, *second = NULL;
    assert_ok(open_cuda(&first, test_folder()));
    assert_true(build_seconds(first) > 0);
    shoal_close(&first);
    assert_ok(open_cuda(&second, test_folder()));
    assert_true(build_seconds(second) == 0);
    assert_ok(scenario_run(shoal_device_at(second, 0), &test_error));
    shoal_close(&second);
}

static void test_allocation_too_large(void **state)
{
    (void)state;
    const struct shoal_device_info *info = shoal_device_get_info(device);
    struct shoal_buffer *first = NULL, *second = NULL;
    enum shoal_status status = shoal_buffer_create(device, info->memory / 4 * 3, &first, &test_error);
    if (status) /* somebody else uses the device */
        assert_int_equal(status, SHOAL_OUT_OF_DEVICE_MEMORY);
    else
        assert_int_equal(shoal_buffer_create(device, info->memory / 4 * 3, &second, &test_error),
                         SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "has no room for");
    shoal_buffer_destroy(&first);
    assert_ok(scenario_run(device, &test_error));
}

/* A native text with more local memory than can be declared. */
static const char native_text[] = "extern \"C\" __constant__ unsigned reverse_dynamic_local = 81920;\n"
                                  "extern \"C\" __global__ void __launch_bounds__(WG) reverse(const unsigned "
                                  "*in, unsigned *out, unsigned n)\n"
                                  "{\n"
                                  "    extern __shared__ unsigned words[];\n"
                                  "    for (unsigned i = threadIdx.x; i < n; i += WG)\n"
                                  "        words[i] = in[i];\n"
                                  "    __syncthreads();\n"
                                  "    for (unsigned i = threadIdx.x; i < n; i += WG)\n"
                                  "        out[i] = words[n - 1 - i];\n"
                                  "}\n";

static const struct shoal_define_desc native_defines[] = {{"WG", 256, 32, 1024, "work-items of a group"}};
static const struct shoal_arg_desc native_args[] = {
    {"in", SHOAL_READ, "uint", 0}, {"out", SHOAL_READ_WRITE, "uint", 0}, {"n", SHOAL_VALUE, "uint", 0}};
static const struct shoal_entry_desc native_entry = {
    .name = "reverse", .args = native_args, .arg_count = 3, .work_group = "WG"};
static const struct shoal_program_desc native_desc = {.name = "test.reverse",
                                                      .file = "reverse.cl",
                                                      .native = "cuda/reverse.cu",
                                                      .defines = native_defines,
                                                      .define_count = 1,
                                                      .entries = &native_entry,
                                                      .entry_count = 1};

static void test_native_text(void **state)
{
    (void)state;
    enum { N = 20480 };
    if (shoal_device_get_info(device)->local_mem_max < N * sizeof(uint32_t))
        skip();
    test_write_text(test_path("cuda/reverse.cu"), native_text);
    static const struct backend *const backends[] = {&cuda_backend};
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    params.kernel_dir = test_folder();
    struct shoal *instance = NULL;
    assert_ok(shoal_open_with(&instance, &params, backends, 1, &test_error));
    struct shoal_device *first = shoal_device_at(instance, 0);
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    struct shoal_queue *queue = NULL;
    struct shoal_buffer *in = NULL, *out = NULL;
    assert_ok(shoal_program_create(first, &native_desc, NULL, &program, &test_error));
    assert_true(shoal_program_is_native(program));
    assert_ok(shoal_kernel_create(program, "reverse", &kernel, &test_error));
    assert_ok(shoal_queue_create(first, 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(first, N * sizeof(uint32_t), &in, &test_error));
    assert_ok(shoal_buffer_create(first, N * sizeof(uint32_t), &out, &test_error));
    uint32_t words[N];
    for (uint32_t i = 0; i < N; i++)
        words[i] = 7 * i + 1;
    assert_ok(shoal_buffer_write(queue, in, 0, words, sizeof words, &test_error));
    const struct shoal_arg args[] = {shoal_arg_buffer(in), shoal_arg_buffer(out), shoal_arg_uint(N)};
    assert_ok(shoal_launch(queue, kernel, 1, args, 3, NULL, &test_error));
    assert_ok(shoal_buffer_read(queue, out, 0, words, sizeof words, &test_error));
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(words[i], 7 * (N - 1 - i) + 1);
    shoal_buffer_destroy(&in);
    shoal_buffer_destroy(&out);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    shoal_queue_destroy(&queue);
    shoal_close(&instance);
}

/* Last: the device does not answer in this process afterwards. */
static void test_lost_device(void **state)
{
    (void)state;
    static const char text[] =
        "#ifndef WG\n#define WG 64\n#endif\n"
        "struct pair { ulong big; uint small, pad; };\n"
        "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
        "void mix8(__global const float *a, __global const uint *b, __global float *out,\n"
        "          __global ulong *more, int i, uint n, float f, ulong k) { }\n"
        "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
        "void add_pair(__global uint *out, struct pair pair, uint n)\n"
        "{ out[pair.big] = n; }\n";
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = text;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    struct shoal_queue *queue = NULL;
    assert_ok(shoal_program_create(device, &scenario_desc, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "add_pair", &kernel, &test_error));
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    const struct scenario_pair pair = {.big = (uint64_t)1 << 55};
    const struct shoal_arg args[] = {shoal_arg_buffer(NULL), shoal_arg_struct(&pair, sizeof pair),
                                     shoal_arg_uint(1)};
    assert_ok(shoal_launch(queue, kernel, 1, args, 3, NULL, &test_error));
    assert_int_equal(shoal_queue_finish(queue, &test_error), SHOAL_DEVICE_LOST);
    print_message("%s\n", test_error.message);
    assert_contains(test_error.message, "add_pair");
    assert_int_equal(shoal_launch(queue, kernel, 1, args, 3, NULL, &test_error), SHOAL_DEVICE_LOST);
    shoal_queue_destroy(&queue);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, test_begin, test_end)

int main(void)
{
    if (open_cuda(&shoal, NULL)) {
        fprintf(stderr, "%s\n", test_error.message);
        return 1;
    }
    if (!shoal_backend_at(shoal, 0)->available) {
        printf("skipped: %s\n", shoal_backend_at(shoal, 0)->note);
        shoal_close(&shoal);
        return SKIPPED;
    }
    device = shoal_device_at(shoal, 0);
    const struct shoal_device_info *info = shoal_device_get_info(device);
    print_message("%s: %s, %s, %s\n", info->id, info->name, info->driver, info->compiler);
    const struct CMUnitTest tests[] = {
        TEST(test_scenario),    TEST(test_params),      TEST(test_cache), TEST(test_allocation_too_large),
        TEST(test_native_text), TEST(test_lost_device),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    shoal_close(&shoal);
    return failed;
}
