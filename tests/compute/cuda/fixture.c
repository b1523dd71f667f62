#include "fixture.h"

#include <dlfcn.h>

const struct fake_cuda *fake;
struct text log_text;

static void keep_log(void *data, enum shoal_log_level level, const char *message)
{
    (void)data;
    text_printf(&log_text, "%d %s\n", (int)level, message);
}

struct shoal *open_with(struct shoal_params *params)
{
    static const struct backend *const backends[] = {&cuda_backend};
    struct shoal *shoal = NULL;
    params->log = keep_log;
    params->log_level = SHOAL_LOG_DEBUG;
    if (shoal_open_with(&shoal, params, backends, 1, &test_error))
        print_error("shoal_open: %s\n", test_error.message);
    return shoal;
}

struct shoal *open_fake(void)
{
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    return open_with(&params);
}

void assert_nothing_left(void)
{
    struct fake_cuda_counts counts = fake->counts();
    assert_int_equal(counts.contexts, 0);
    assert_int_equal(counts.allocations, 0);
    assert_int_equal(counts.pinned, 0);
    assert_int_equal(counts.streams, 0);
    assert_int_equal(counts.events, 0);
    assert_int_equal(counts.modules, 0);
    assert_int_equal(counts.depth, 0);
    assert_int_equal(counts.pending, 0);
}

int setup(void **state)
{
    static const char *const settings[] = {
        "FAKE_CUDA_FAIL",    "FAKE_CUDA_DEVICES", "FAKE_CUDA_VERSION",  "FAKE_CUDA_ARCH",
        "FAKE_CUDA_MODE",    "FAKE_CUDA_MEMORY",  "FAKE_NVRTC_VERSION", "FAKE_CUDA_MAX_THREADS",
        "FAKE_CUDA_CLUSTER", "FAKE_CUDA_GROUPS",  "FAKE_CUDA_PEERS",    "FAKE_CUDA_COOPERATIVE"};
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        unsetenv(settings[i]);
    fake->reset();
    text_free(&log_text);
    return test_begin(state);
}

int teardown(void **state)
{
    return test_end(state);
}

const struct shoal_backend_info *note(const struct shoal *shoal, size_t index)
{
    const struct shoal_backend_info *info = shoal_backend_at(shoal, index);
    assert_non_null(info);
    assert_string_equal(info->name, "cuda");
    return info;
}

struct shoal_program *build(struct shoal_device *device, const char *text)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = text;
    params.text_name = "scenario.cl";
    struct shoal_program *program = NULL;
    assert_ok(shoal_program_create(device, &scenario_desc, &params, &program, &test_error));
    return program;
}

struct add_pair add_pair_of(struct shoal *shoal, struct shoal_program *program, unsigned queue_flags)
{
    struct add_pair o = {.shoal = shoal, .device = shoal_device_at(shoal, 0), .program = program};
    assert_ok(shoal_queue_create(o.device, queue_flags, &o.queue, &test_error));
    assert_ok(shoal_buffer_create(o.device, 4096, &o.buffer, &test_error));
    assert_ok(shoal_kernel_create(o.program, "add_pair", &o.kernel, &test_error));
    return o;
}

struct add_pair open_add_pair(unsigned queue_flags)
{
    struct shoal *shoal = open_fake();
    return add_pair_of(shoal, build(shoal_device_at(shoal, 0), scenario_text), queue_flags);
}

enum shoal_status launch_add_pair(const struct add_pair *o, struct shoal_queue *queue,
                                  struct shoal_event **event)
{
    const struct scenario_pair pair = {.small = 1};
    const struct shoal_arg args[] = {shoal_arg_buffer(o->buffer), shoal_arg_struct(&pair, sizeof pair),
                                     shoal_arg_uint(9)};
    return shoal_launch(queue, o->kernel, 1, args, 3, event, &test_error);
}

void close_add_pair(struct add_pair *o)
{
    shoal_kernel_destroy(&o->kernel);
    shoal_buffer_destroy(&o->buffer);
    shoal_queue_destroy(&o->queue);
    shoal_program_destroy(&o->program);
    shoal_close(&o->shoal);
    assert_nothing_left();
}

int find_fake(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NODELETE);
    fake = library ? dlsym(library, FAKE_CUDA_SYMBOL) : NULL;
    if (!fake)
        fprintf(stderr, "the fake libcuda.so.1 is not in LD_LIBRARY_PATH\n");
    return fake ? 0 : 99;
}
