/* The CUDA backend over the fake driver and the fake NVRTC (fake/fake.h): results and housekeeping. */
#include "fixture.h"

#include "compute/clock.h"
#include "compute/launch.h"

#include <shoal/cuda.h>
#include <sys/stat.h>

static void test_scenario(void **state)
{
    (void)state;
    struct shoal *shoal = open_fake();
    assert_int_equal(shoal_device_count(shoal), 2);
    assert_int_equal(fake->counts().contexts, 0); /* retained with the first use */
    assert_ok(scenario_run(shoal_device_at(shoal, 0), &test_error));
    assert_ok(scenario_run(shoal_device_at(shoal, 0), &test_error));
    assert_int_equal(fake->counts().contexts, 1);
    assert_int_equal(fake->calls("cuDevicePrimaryCtxRetain"), 1);
    shoal_close(&shoal);
    assert_nothing_left();
    assert_null(log_text.data);
}

static void test_info(void **state)
{
    (void)state;
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    struct shoal *shoal = open_fake();
    assert_int_equal(shoal_device_count(shoal), 3);
    const struct shoal_device_info *info = shoal_device_get_info(shoal_device_at(shoal, 1));
    assert_string_equal(info->id, "cuda:1");
    assert_string_equal(info->name, "Fake GPU 1");
    assert_contains(info->driver, "CUDA 13.0");
    assert_string_equal(info->compiler, "NVRTC 13.0, sm_90");
    assert_int_equal(info->memory, 1 << 30);
    assert_int_equal(info->local_mem, 48 << 10);
    assert_int_equal(info->local_mem_max, 227 << 10);
    assert_int_equal(info->units, 132);
    assert_int_equal(info->max_work_group, 1024);
    assert_int_equal(info->simd_width, 32);
    assert_int_equal(info->architecture, 90);
    assert_int_equal(info->pci.bus, 6);
    assert_int_equal(info->pci.device, 1);
    assert_true(info->has_pci && info->fp64 && info->int64_atomics && info->correct_division && info->is_gpu);
    assert_false(info->is_cpu || info->is_host || info->self_caching || info->alias_of);
    assert_true(note(shoal, 0)->available);
    assert_string_equal(note(shoal, 0)->note, "CUDA 13.0, NVRTC 13.0");
    shoal_close(&shoal);
}

static const struct cuda_program *native_program(const struct shoal_program *program)
{
    return program->native;
}

static void test_newer_device_takes_ptx(void **state)
{
    (void)state;
    setenv("FAKE_CUDA_ARCH", "103", 1);
    struct shoal *shoal = open_fake();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    assert_string_equal(shoal_device_get_info(device)->compiler, "NVRTC 13.0, compute_90");
    assert_ok(scenario_run(device, &test_error));
    struct shoal_program *program = build(device, scenario_text);
    assert_contains(native_program(program)->image.data, "--gpu-architecture=compute_90");
    shoal_program_destroy(&program);
    shoal_close(&shoal);
    assert_nothing_left();
}

static void test_options(void **state)
{
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        struct shoal_params params;
        shoal_params_init(&params);
        params.no_cache = true;
        params.strict_fp = strict;
        struct shoal *shoal = open_with(&params);
        struct shoal_program *program = build(shoal_device_at(shoal, 0), scenario_text);
        const char *image = native_program(program)->image.data + FAKE_CUBIN_HEADER;
        assert_contains(image, "--gpu-architecture=sm_90 ");
        assert_contains(image, "-default-device");
        assert_contains(image, "#define WG 64\n#line 1 \"scenario.cl\"\n");
        assert_contains(image, "#line 1 \"cuda/prelude.cuh\"\n");
        assert_true(!!strstr(image, "--fmad=false") == (strict == 1));
        assert_true(!!strstr(image, "--prec-div=false --prec-sqrt=false") == (strict == 0));
        shoal_program_destroy(&program);
        shoal_close(&shoal);
    }
}

static void test_build_log(void **state)
{
    (void)state;
    struct shoal *shoal = open_fake();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    struct text text = {0};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    text_printf(&text, "%s#error no\n", scenario_text);
    params.text = text.data;
    struct shoal_program *program = NULL;
    assert_status(shoal_program_create(device, &scenario_desc, &params, &program, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_null(program);
    assert_contains(test_error.message, "scenario.cl does not compile for CUDA: scenario.cl:7: told to fail");
    assert_string_equal(test_error.log, "scenario.cl(7): error: told to fail\n");
    assert_null(log_text.data);
    text_free(&text);
    text_printf(&text, "%s#warning no\n", scenario_text);
    program = build(device, text.data);
    assert_contains(log_text.data, "scenario.cl(3): warning: told to warn");
    shoal_program_destroy(&program);
    text_free(&text);
    shoal_close(&shoal);
    assert_nothing_left();
}

static void test_context_stack(void **state)
{
    (void)state;
    struct shoal *shoal = open_fake();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    assert_ok(scenario_run(device, &test_error));
    /* A context that is not shoal's stays current around each call. */
    const struct cuda_driver *driver = cuda_driver(device);
    void *foreign = fake->foreign_context();
    cu_context current;
    assert_ok(scenario_run(device, &test_error));
    assert_int_equal(driver->cuCtxGetCurrent(&current), DRIVER_SUCCESS);
    assert_ptr_equal(current, foreign);
    driver->cuCtxPopCurrent_v2(&current);
    /* Where the thread has the device's context already, nothing is pushed. */
    driver->cuCtxPushCurrent_v2(cuda_device(device)->context);
    unsigned pushed = fake->calls("cuCtxPushCurrent_v2");
    assert_ok(scenario_run(device, &test_error));
    assert_int_equal(fake->calls("cuCtxPushCurrent_v2"), pushed);
    driver->cuCtxPopCurrent_v2(&current);
    shoal_close(&shoal);
    assert_nothing_left();
}

/* One launch is one driver call and the look at the current context. */
static void test_launch_is_bare(void **state)
{
    (void)state;
    struct add_pair o = open_add_pair(0);
    assert_ok(launch_add_pair(&o, o.queue, NULL));
    fake->reset();
    for (int i = 0; i < 10; i++)
        assert_ok(launch_add_pair(&o, o.queue, NULL));
    for (size_t i = 0; fake->symbols[i]; i++) {
        const char *symbol = fake->symbols[i];
        bool expected = strcmp(symbol, "cuLaunchKernel") == 0 || strstr(symbol, "Current") != NULL;
        assert_int_equal(fake->calls(symbol), expected ? 10 : 0);
    }
    close_add_pair(&o);
}

/* The fake's clock: a millisecond for each command. */
static void test_times(void **state)
{
    (void)state;
    struct add_pair o = open_add_pair(SHOAL_QUEUE_PROFILING);
    struct shoal_queue *const queue = o.queue, *other;
    struct shoal_buffer *const buffer = o.buffer;
    struct shoal_event *event;
    double seconds, start, end;
    assert_ok(shoal_queue_create(o.device, 0, &other, &test_error));
    assert_ok(shoal_buffer_fill(queue, buffer, 0, 64, 1, &test_error));
    assert_ok(shoal_queue_finish(queue, &test_error));
    assert_ok(shoal_span_begin(queue, &test_error));
    /* Before the first command and after the last one that was waited for, time does not count. */
    assert_ok(shoal_buffer_fill(other, buffer, 0, 64, 1, &test_error));
    assert_ok(shoal_queue_finish(other, &test_error));
    assert_ok(launch_add_pair(&o, queue, &event));
    assert_ok(shoal_buffer_fill(queue, buffer, 0, 64, 1, &test_error));
    assert_ok(shoal_queue_finish(queue, &test_error));
    assert_ok(shoal_buffer_fill(other, buffer, 0, 64, 1, &test_error));
    assert_ok(shoal_queue_finish(other, &test_error));
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    assert_true(seconds > 1.99e-3 && seconds < 2.01e-3);
    assert_ok(shoal_event_times(event, &start, &end, &test_error));
    assert_true(start > 1.99e-3 && start < 2.01e-3 && end - start > 0.99e-3 && end - start < 1.01e-3);
    shoal_event_destroy(&event);
    /* A read counts as well. */
    assert_ok(shoal_span_begin(queue, &test_error));
    uint32_t word;
    assert_ok(shoal_buffer_read(queue, buffer, 0, &word, sizeof word, &test_error));
    assert_ok(shoal_span_end(queue, &seconds, &test_error));
    assert_true(seconds > 0.99e-3 && seconds < 1.01e-3);
    /* An event without profiling orders queues but has no times. */
    assert_ok(launch_add_pair(&o, other, &event));
    assert_ok(shoal_queue_wait(queue, event, &test_error));
    assert_ok(shoal_event_wait(event, &test_error));
    assert_status(shoal_event_times(event, &start, &end, &test_error), SHOAL_INVALID);
    shoal_event_destroy(&event);
    /* Without times nothing is recorded before a launch. */
    kernel_omit_times(o.kernel);
    const unsigned records = fake->calls("cuEventRecord");
    assert_ok(launch_add_pair(&o, queue, &event));
    assert_int_equal(fake->calls("cuEventRecord") - records, 1);
    assert_ok(shoal_event_wait(event, &test_error));
    assert_status(shoal_event_times(event, &start, &end, &test_error), SHOAL_INVALID);
    shoal_event_destroy(&event);
    shoal_queue_destroy(&other);
    close_add_pair(&o);
}

/* A queue that times first launches times that of a kernel which omits times, too, and no later one. */
static void test_first_launch_is_timed(void **state)
{
    (void)state;
    struct add_pair o = open_add_pair(SHOAL_QUEUE_PROFILING);
    struct shoal_event *event;
    queue_time_first_launches(o.queue, true);
    kernel_omit_times(o.kernel);
    fake->reset();
    assert_ok(launch_add_pair(&o, o.queue, NULL));
    assert_int_equal(fake->calls("cuEventRecord"), 2);
    assert_ok(launch_add_pair(&o, o.queue, &event));
    assert_int_equal(fake->calls("cuEventRecord"), 3);
    shoal_event_destroy(&event);
    close_add_pair(&o);
}

static void test_work_group_is_halved(void **state)
{
    (void)state;
    setenv("FAKE_CUDA_MAX_THREADS", "40", 1);
    struct shoal *shoal = open_fake();
    struct shoal_program *program = build(shoal_device_at(shoal, 0), scenario_text);
    assert_int_equal(shoal_program_define(program, "WG"), 32);
    shoal_program_destroy(&program);
    assert_ok(scenario_run(shoal_device_at(shoal, 0), &test_error));
    shoal_close(&shoal);
    assert_nothing_left();
}

/* cuda/scenario.cu in the test's folder, which has a place for the cache too. */
static void write_native(const char *constant)
{
    struct text text = {0};
    text_printf(&text, "// native text\n%s%s", constant, scenario_text);
    test_write_text(test_path("cuda/scenario.cu"), text.data);
    text_free(&text);
}

static enum shoal_status create_native(struct shoal *shoal, struct shoal_program **program)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = SHOAL_VARIANT_CU;
    return shoal_program_create(shoal_device_at(shoal, 0), &scenario_desc, &params, program, &test_error);
}

static void test_native_text_and_dynamic_local(void **state)
{
    (void)state;
    write_native("extern \"C\" __constant__ unsigned mix8_dynamic_local = 100000;\n");
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    params.kernel_dir = test_folder();
    struct shoal *shoal = open_with(&params);
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    assert_ok(create_native(shoal, &program));
    assert_true(shoal_program_is_native(program));
    assert_lacks(native_program(program)->image.data + FAKE_CUBIN_HEADER, "prelude.cuh");
    assert_ok(shoal_kernel_create(program, "mix8", &kernel, &test_error));
    assert_int_equal(((struct cuda_kernel *)kernel->native)->dynamic_local, 100000);
    shoal_kernel_destroy(&kernel);
    assert_ok(shoal_kernel_create(program, "add_pair", &kernel, &test_error));
    assert_int_equal(((struct cuda_kernel *)kernel->native)->dynamic_local, 0);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    /* More than the device has. */
    write_native("extern \"C\" __constant__ unsigned mix8_dynamic_local = 300000;\n");
    shoal_close(&shoal);
    params.kernel_dir = test_folder();
    shoal = open_with(&params);
    assert_status(create_native(shoal, &program), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "mix8 needs 300000 bytes of local memory, the device has 232448");
    shoal_close(&shoal);
    assert_nothing_left();
}

static struct shoal *open_native(struct shoal_program **program)
{
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    params.kernel_dir = test_folder();
    struct shoal *shoal = open_with(&params);
    assert_ok(create_native(shoal, program));
    return shoal;
}

/* Launches a cluster. */
static void run_groups(struct shoal_device *device, struct shoal_kernel *kernel, size_t groups)
{
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    uint32_t words[2];
    const struct scenario_pair pair = {.small = 5};
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, 4096, &buffer, &test_error));
    assert_ok(shoal_buffer_fill(queue, buffer, 0, 4096, 2, &test_error));
    const struct shoal_arg args[] = {shoal_arg_buffer(buffer), shoal_arg_struct(&pair, sizeof pair),
                                     shoal_arg_uint(1)};
    assert_ok(shoal_launch(queue, kernel, groups, args, 3, NULL, &test_error));
    assert_ok(shoal_buffer_read(queue, buffer, 0, words, sizeof words, &test_error));
    assert_int_equal(words[0], 7);
    assert_int_equal(words[1], 2);
    shoal_buffer_destroy(&buffer);
    shoal_queue_destroy(&queue);
}

/* Clusters of more than 8 groups have to be asked for, others not, and below compute capability 9 there is no
 * attribute to look at. */
static void test_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *architecture;
        size_t groups;
        unsigned looks, asks;
        size_t resident;
    } cases[] = {
        {"// cluster_dims(16, 1, 1)\n", "90", 16, 1, 1, 0}, /* the device has room for 12 groups */
        {"// cluster_dims(9, 1, 1)\n", "90", 9, 1, 1, 27},
        {"// cluster_dims(8, 1, 1)\n", "90", 8, 1, 0, 24},
        {"", "90", 1, 1, 0, 396},
        {"", "80", 1, 0, 0, 396},
    };
    setenv("FAKE_CUDA_CLUSTER", "12", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_native(cases[i].text);
        struct shoal_program *program = NULL;
        struct shoal_kernel *kernel = NULL;
        setenv("FAKE_CUDA_ARCH", cases[i].architecture, 1);
        struct shoal *shoal = open_native(&program);
        const unsigned looks = fake->calls("cuFuncGetAttribute"), asks = fake->calls("cuFuncSetAttribute");
        assert_ok(shoal_kernel_create(program, "add_pair", &kernel, &test_error));
        assert_int_equal(fake->calls("cuFuncGetAttribute") - looks, cases[i].looks);
        assert_int_equal(fake->calls("cuFuncSetAttribute") - asks, cases[i].asks);
        assert_int_equal(shoal_kernel_resident(kernel), cases[i].resident);
        run_groups(shoal_device_at(shoal, 0), kernel, cases[i].groups);
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
        shoal_close(&shoal);
        assert_nothing_left();
    }
}

static const char groups_wait[] = "extern \"C\" __constant__ unsigned add_pair_together = 1;\n";

/* A kernel whose groups wait for each other is launched by the call that starts all of them or none. */
static void test_groups_that_wait(void **state)
{
    (void)state;
    for (unsigned together = 0; together < 2; together++) {
        write_native(together ? groups_wait : "");
        struct shoal_program *program = NULL;
        struct shoal_kernel *kernel = NULL;
        struct shoal *shoal = open_native(&program);
        assert_ok(shoal_kernel_create(program, "add_pair", &kernel, &test_error));
        assert_int_equal(shoal_kernel_resident(kernel), 396);
        const unsigned before = fake->calls("cuLaunchCooperativeKernel");
        run_groups(shoal_device_at(shoal, 0), kernel, 3);
        assert_int_equal(fake->calls("cuLaunchCooperativeKernel") - before, together);
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
        shoal_close(&shoal);
        assert_nothing_left();
    }
}

/* Where the device or its driver cannot start groups together, none that wait for each other are resident. */
static void test_groups_that_cannot_wait(void **state)
{
    (void)state;
    for (unsigned cooperative = 0; cooperative < 2; cooperative++)
        for (unsigned together = 0; together < 2; together++) {
            write_native(together ? groups_wait : "");
            struct shoal_program *program = NULL;
            struct shoal_kernel *kernel = NULL;
            setenv("FAKE_CUDA_COOPERATIVE", cooperative ? "1" : "0", 1);
            struct shoal *shoal = open_native(&program);
            if (cooperative)
                cuda_device(shoal_device_at(shoal, 0))->cuda->driver.cuLaunchCooperativeKernel = NULL;
            assert_ok(shoal_kernel_create(program, "add_pair", &kernel, &test_error));
            assert_int_equal(shoal_kernel_resident(kernel), together ? 0 : 396);
            shoal_kernel_destroy(&kernel);
            shoal_program_destroy(&program);
            shoal_close(&shoal);
            assert_nothing_left();
        }
}

static const char starts_early[] = "extern \"C\" __constant__ unsigned add_pair_starts_early = 1;\n";

/* A kernel that waits itself for the launch before may start before that one has ended, where architecture
 * and driver can do this, and if its times are not measured. `native`: the kernel has a native text; `event`:
 * of the launch. */
static void test_early_starts(void **state)
{
    (void)state;
    enum event { NONE, PLAIN, TIMED, OMITTED }; /* OMITTED: the kernel omits times which the queue measures */
    static const struct {
        bool says_so, native, has_call;
        enum event event;
        const char *architecture;
        unsigned early;
    } cases[] = {
        {true, true, true, NONE, "90", 1},    {true, false, true, NONE, "90", 1},
        {true, true, true, NONE, "103", 1},   {false, true, true, NONE, "90", 0},
        {false, false, true, NONE, "90", 0},  {true, true, false, NONE, "90", 0},
        {true, true, true, PLAIN, "90", 1},   {true, true, true, TIMED, "90", 0},
        {true, true, true, OMITTED, "90", 1}, {true, true, true, NONE, "80", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *says = cases[i].says_so ? starts_early : "";
        setenv("FAKE_CUDA_ARCH", cases[i].architecture, 1);
        struct shoal_program *program = NULL;
        struct shoal *shoal;
        struct text text = {0};
        text_printf(&text, "%s%s", says, scenario_text);
        if (cases[i].native) {
            write_native(says);
            shoal = open_native(&program);
        } else {
            shoal = open_fake();
            program = build(shoal_device_at(shoal, 0), text.data);
        }
        text_free(&text);
        if (!cases[i].has_call)
            cuda_device(shoal_device_at(shoal, 0))->cuda->driver.cuLaunchKernelEx = NULL;
        struct add_pair o = add_pair_of(shoal, program, cases[i].event >= TIMED ? SHOAL_QUEUE_PROFILING : 0);
        if (cases[i].event == OMITTED)
            kernel_omit_times(o.kernel);
        struct shoal_event *event = NULL;
        const unsigned early = fake->calls("cuLaunchKernelEx"), plain = fake->calls("cuLaunchKernel");
        assert_ok(launch_add_pair(&o, o.queue, cases[i].event ? &event : NULL));
        assert_int_equal(fake->calls("cuLaunchKernelEx") - early, cases[i].early);
        assert_int_equal(fake->calls("cuLaunchKernel") - plain, !cases[i].early);
        assert_ok(shoal_queue_finish(o.queue, &test_error));
        shoal_event_destroy(&event);
        close_add_pair(&o);
    }
}

/* Kernels whose text asks for a launch of another kind, which fails. */
static void test_failing_launches(void **state)
{
    (void)state;
    static const struct {
        const char *text, *call;
    } cases[] = {{groups_wait, "cuLaunchCooperativeKernel"}, {starts_early, "cuLaunchKernelEx"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char failure[64];
        write_native(cases[i].text);
        struct shoal_program *program = NULL;
        struct shoal *shoal = open_native(&program);
        struct add_pair o = add_pair_of(shoal, program, 0);
        snprintf(failure, sizeof failure, "%s=1", cases[i].call);
        setenv("FAKE_CUDA_FAIL", failure, 1);
        assert_status(launch_add_pair(&o, o.queue, NULL), SHOAL_FAILED);
        assert_string_equal(test_error.call, cases[i].call);
        assert_contains(test_error.message, "add_pair, 1 groups of 64: cuda:0 (Fake GPU 0)");
        unsetenv("FAKE_CUDA_FAIL");
        assert_ok(launch_add_pair(&o, o.queue, NULL));
        assert_ok(shoal_queue_finish(o.queue, &test_error));
        close_add_pair(&o);
    }
}

/* What a kernel with dynamic local memory in a wide cluster asks the driver, each failing in turn. */
static void test_failures_of_native_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *failure, *call;
    } cases[] = {
        {"cuModuleGetFunction=1", "cuModuleGetFunction"},
        {"cuModuleGetGlobal_v2=1", "cuModuleGetGlobal"},
        {"cuMemcpyDtoH_v2=1", "cuMemcpyDtoH"},
        {"cuFuncSetAttribute=1", "cuFuncSetAttribute"},
        {"cuFuncGetAttribute=1", "cuFuncGetAttribute"},
        {"cuFuncSetAttribute=1@2", "cuFuncSetAttribute"},
        {"cuOccupancyMaxActiveClusters=1", "cuOccupancyMaxActiveClusters"},
    };
    write_native("// cluster_dims(16, 1, 1)\n"
                 "extern \"C\" __constant__ unsigned mix8_dynamic_local = 100000;\n");
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    struct shoal *shoal = open_native(&program);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("FAKE_CUDA_FAIL", cases[i].failure, 1);
        assert_int_not_equal(shoal_kernel_create(program, "mix8", &kernel, &test_error), SHOAL_OK);
        assert_null(kernel);
        assert_string_equal(test_error.call, cases[i].call);
        assert_contains(test_error.message, "cuda:0 (Fake GPU 0)");
        unsetenv("FAKE_CUDA_FAIL");
        assert_ok(shoal_kernel_create(program, "mix8", &kernel, &test_error));
        shoal_kernel_destroy(&kernel);
    }
    shoal_program_destroy(&program);
    shoal_close(&shoal);
    assert_nothing_left();
}

static void test_cache(void **state)
{
    (void)state;
    write_native("");
    for (int architecture = 90; architecture <= 100; architecture += 10) { /* a cubin, then PTX */
        setenv("FAKE_CUDA_ARCH", architecture == 90 ? "90" : "100", 1);
        for (int run = 0; run < 2; run++) {
            struct shoal_params params;
            shoal_params_init(&params);
            params.cache_dir = test_folder();
            struct shoal *shoal = open_with(&params);
            struct shoal_program *program = build(shoal_device_at(shoal, 0), scenario_text);
            assert_true((shoal_program_build_seconds(program) == 0) == (run == 1));
            assert_ok(scenario_run(shoal_device_at(shoal, 0), &test_error));
            /* What is no image does not reach the driver. */
            unsigned loads = fake->calls("cuModuleLoadDataEx");
            static const char cubin[] = "\x7f"
                                        "ELF\2\1 cut off";
            struct shoal_program broken = {.device = program->device, .desc = &scenario_desc};
            assert_status(cuda_program_load(&broken, cubin, sizeof cubin, &test_error), SHOAL_FAILED);
            assert_status(cuda_program_load(&broken, "a.b\0c", 5, &test_error), SHOAL_FAILED);
            assert_int_equal(fake->calls("cuModuleLoadDataEx"), loads);
            shoal_program_destroy(&program);
            shoal_close(&shoal);
            assert_nothing_left();
        }
    }
    assert_null(log_text.data);
}

static void test_wrapping_checks(void **state)
{
    (void)state;
    struct shoal *shoal = open_fake();
    struct shoal_device *device = shoal_device_at(shoal, 0), *host = shoal_device_at(shoal, 1);
    struct shoal_queue *queue = NULL;
    struct shoal_buffer *buffer = NULL;
    shoal_cuda_stream stream;
    shoal_cuda_pointer memory;
    assert_status(shoal_cuda_queue_wrap(host, NULL, 0, &queue, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "host is not a CUDA device");
    assert_status(shoal_cuda_queue_wrap(NULL, NULL, 0, &queue, &test_error), SHOAL_INVALID);
    assert_status(shoal_cuda_queue_wrap(device, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_cuda_queue_wrap(device, NULL, 64, &queue, &test_error), SHOAL_INVALID);
    assert_status(shoal_cuda_buffer_wrap(host, 64, 64, &buffer, &test_error), SHOAL_INVALID);
    assert_status(shoal_cuda_buffer_wrap(device, 0, 64, &buffer, &test_error), SHOAL_INVALID);
    assert_status(shoal_cuda_buffer_wrap(device, 64, 0, &buffer, &test_error), SHOAL_INVALID);
    assert_null(queue);
    assert_null(buffer);
    assert_false(shoal_cuda_queue_unwrap(NULL, &stream));
    assert_false(shoal_cuda_buffer_unwrap(NULL, &memory));
    shoal_close(&shoal);
    assert_nothing_left();
}

int main(void)
{
    int code = find_fake();
    if (code)
        return code;
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_scenario),
        FAKE_TEST(test_info),
        FAKE_TEST(test_newer_device_takes_ptx),
        FAKE_TEST(test_options),
        FAKE_TEST(test_build_log),
        FAKE_TEST(test_context_stack),
        FAKE_TEST(test_launch_is_bare),
        FAKE_TEST(test_times),
        FAKE_TEST(test_first_launch_is_timed),
        FAKE_TEST(test_work_group_is_halved),
        FAKE_TEST(test_native_text_and_dynamic_local),
        FAKE_TEST(test_clusters),
        FAKE_TEST(test_groups_that_wait),
        FAKE_TEST(test_groups_that_cannot_wait),
        FAKE_TEST(test_early_starts),
        FAKE_TEST(test_failing_launches),
        FAKE_TEST(test_failures_of_native_kernels),
        FAKE_TEST(test_cache),
        FAKE_TEST(test_wrapping_checks),
    };
    code = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&log_text);
    return code;
}
