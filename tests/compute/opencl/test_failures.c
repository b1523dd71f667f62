/* Each OpenCL call of a whole run fails in turn, over a real driver. Linked so that the library's calls come
 * by here; what is made and given back is counted. */
#include "link_scenario.h"
#include "real.h"
#include "scenario.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

static unsigned countdown; /* 0: nothing fails */
static cl_int failure;
static const char *failed; /* name of the call that was failed; NULL while none was */
static const char *build_log;
static long handles;
static unsigned builds; /* calls of clBuildProgram */

static bool fails(const char *name)
{
    if (!countdown || --countdown)
        return false;
    failed = name;
    return true;
}

static void fail_call_after(unsigned n, cl_int code)
{
    countdown = n;
    failure = code;
    failed = NULL;
}

/* A call that returns its code. */
#define RETURNS_CODE(name, parameters, arguments)                                                            \
    cl_int __real_##name parameters;                                                                         \
    cl_int __wrap_##name parameters;                                                                         \
    cl_int __wrap_##name parameters                                                                          \
    {                                                                                                        \
        return fails(#name) ? failure : __real_##name arguments;                                             \
    }

/* A call that waits: it fails after the wait. Otherwise the driver would go on to use memory that the library
 * gives back because of the failure. */
#define WAITS(name, parameters, arguments)                                                                   \
    cl_int __real_##name parameters;                                                                         \
    cl_int __wrap_##name parameters;                                                                         \
    cl_int __wrap_##name parameters                                                                          \
    {                                                                                                        \
        const cl_int code = __real_##name arguments;                                                         \
        return fails(#name) ? failure : code;                                                                \
    }

/* A command that may make an event. What is in its queue ends before it fails, as on a device that is lost:
 * the library waits for such a device no more and gives back the memory of its copies. */
#define ENQUEUES(name, parameters, arguments)                                                                \
    cl_int __real_##name parameters;                                                                         \
    cl_int __wrap_##name parameters;                                                                         \
    cl_int __wrap_##name parameters                                                                          \
    {                                                                                                        \
        if (fails(#name)) {                                                                                  \
            __real_clFinish(q);                                                                              \
            return failure;                                                                                  \
        }                                                                                                    \
        cl_int made = __real_##name arguments;                                                               \
        handles += made == CL_SUCCESS && event;                                                              \
        return made;                                                                                         \
    }

/* A call that makes an object and puts its code into the last argument. */
#define MAKES(type, name, parameters, arguments)                                                             \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        if (fails(#name)) {                                                                                  \
            *code = failure;                                                                                 \
            return NULL;                                                                                     \
        }                                                                                                    \
        type made = __real_##name arguments;                                                                 \
        handles += made != NULL;                                                                             \
        return made;                                                                                         \
    }

#define COUNTS(name, type, step)                                                                             \
    cl_int __real_##name(type object);                                                                       \
    cl_int __wrap_##name(type object);                                                                       \
    cl_int __wrap_##name(type object)                                                                        \
    {                                                                                                        \
        handles += step;                                                                                     \
        return __real_##name(object);                                                                        \
    }

typedef void(CL_CALLBACK *notify_context)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *notify_program)(cl_program, void *);

RETURNS_CODE(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *count), (n, ids, count))
/* Names that are told in place of those of the driver; NULL: the driver's own. */
static const char *other_driver, *other_version, *other_name;

static cl_int give_text(const char *text, size_t bytes, void *value, size_t *size)
{
    if (size)
        *size = strlen(text) + 1;
    if (value)
        snprintf(value, bytes, "%s", text);
    return CL_SUCCESS;
}

cl_int __real_clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t bytes, void *value,
                                size_t *size);
cl_int __wrap_clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t bytes, void *value,
                                size_t *size);
cl_int __wrap_clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t bytes, void *value,
                                size_t *size)
{
    if (fails("clGetPlatformInfo"))
        return failure;
    return other_driver && what == CL_PLATFORM_NAME ? give_text(other_driver, bytes, value, size)
                                                    : __real_clGetPlatformInfo(id, what, bytes, value, size);
}
RETURNS_CODE(clGetDeviceIDs,
             (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count),
             (p, type, n, ids, count))
cl_int __real_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value, size_t *size);
cl_int __wrap_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value, size_t *size);
cl_int __wrap_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value, size_t *size)
{
    if (fails("clGetDeviceInfo"))
        return failure;
    if (other_driver && what == CL_DRIVER_VERSION)
        return give_text(other_version, bytes, value, size);
    if (other_driver && what == CL_DEVICE_NAME)
        return give_text(other_name, bytes, value, size);
    return __real_clGetDeviceInfo(id, what, bytes, value, size);
}
RETURNS_CODE(clCreateSubDevices,
             (cl_device_id d, const cl_device_partition_property *properties, cl_uint n, cl_device_id *ids,
              cl_uint *count),
             (d, properties, n, ids, count))
RETURNS_CODE(clGetKernelWorkGroupInfo,
             (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t bytes, void *value,
              size_t *size),
             (k, d, what, bytes, value, size))
RETURNS_CODE(clGetProgramInfo, (cl_program p, cl_program_info what, size_t bytes, void *value, size_t *size),
             (p, what, bytes, value, size))
RETURNS_CODE(clGetEventProfilingInfo,
             (cl_event e, cl_profiling_info what, size_t bytes, void *value, size_t *size),
             (e, what, bytes, value, size))
RETURNS_CODE(clBuildProgram,
             (cl_program p, cl_uint n, const cl_device_id *ids, const char *options, notify_program notify,
              void *data),
             ((builds++, p), n, ids, options, notify, data))
RETURNS_CODE(clSetKernelArg, (cl_kernel k, cl_uint index, size_t bytes, const void *value),
             (k, index, bytes, value))
RETURNS_CODE(clFlush, (cl_command_queue q), (q))

WAITS(clFinish, (cl_command_queue q), (q))
WAITS(clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))

ENQUEUES(clEnqueueBarrierWithWaitList, (cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event),
         (q, n, list, event))
ENQUEUES(clEnqueueMarkerWithWaitList, (cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event),
         (q, n, list, event))
ENQUEUES(clEnqueueWriteBuffer,
         (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t bytes, const void *data,
          cl_uint n, const cl_event *list, cl_event *event),
         (q, m, block, offset, bytes, data, n, list, event))
ENQUEUES(clEnqueueReadBuffer,
         (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t bytes, void *data, cl_uint n,
          const cl_event *list, cl_event *event),
         (q, m, block, offset, bytes, data, n, list, event))
ENQUEUES(clEnqueueCopyBuffer,
         (cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
          cl_uint n, const cl_event *list, cl_event *event),
         (q, from, to, from_offset, to_offset, bytes, n, list, event))
ENQUEUES(clEnqueueFillBuffer,
         (cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_bytes, size_t offset,
          size_t bytes, cl_uint n, const cl_event *list, cl_event *event),
         (q, m, pattern, pattern_bytes, offset, bytes, n, list, event))
ENQUEUES(clEnqueueNDRangeKernel,
         (cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global,
          const size_t *local, cl_uint n, const cl_event *list, cl_event *event),
         (q, k, dim, offset, global, local, n, list, event))

MAKES(cl_context, clCreateContext,
      (const cl_context_properties *properties, cl_uint n, const cl_device_id *ids, notify_context notify,
       void *data, cl_int *code),
      (properties, n, ids, notify, data, code))
MAKES(cl_command_queue, clCreateCommandQueue,
      (cl_context c, cl_device_id d, cl_command_queue_properties properties, cl_int *code),
      (c, d, properties, code))
MAKES(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags flags, size_t bytes, void *data, cl_int *code),
      (c, flags, bytes, data, code))
MAKES(cl_program, clCreateProgramWithSource,
      (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *code),
      (c, n, texts, lengths, code))
MAKES(cl_program, clCreateProgramWithBinary,
      (cl_context c, cl_uint n, const cl_device_id *ids, const size_t *lengths, const unsigned char **texts,
       cl_int *states, cl_int *code),
      (c, n, ids, lengths, texts, states, code))
MAKES(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *code), (p, name, code))

MAKES(void *, clEnqueueMapBuffer,
      (cl_command_queue q, cl_mem m, cl_bool block, cl_map_flags flags, size_t offset, size_t bytes,
       cl_uint n, const cl_event *list, cl_event *event, cl_int *code),
      (q, m, block, flags, offset, bytes, n, list, event, code))

COUNTS(clRetainContext, cl_context, 1)
COUNTS(clReleaseContext, cl_context, -1)
COUNTS(clReleaseCommandQueue, cl_command_queue, -1)
COUNTS(clReleaseMemObject, cl_mem, -1)
COUNTS(clReleaseProgram, cl_program, -1)
COUNTS(clReleaseKernel, cl_kernel, -1)
COUNTS(clReleaseEvent, cl_event, -1)
COUNTS(clRetainEvent, cl_event, 1)

cl_int __real_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *data, cl_uint n,
                                      const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *data, cl_uint n,
                                      const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *data, cl_uint n,
                                      const cl_event *list, cl_event *event)
{
    handles--;
    return __real_clEnqueueUnmapMemObject(q, m, data, n, list, event);
}

cl_int __real_clRetainProgram(cl_program p);
cl_int __wrap_clRetainProgram(cl_program p);
cl_int __wrap_clRetainProgram(cl_program p)
{
    if (fails("clRetainProgram"))
        return failure;
    handles++;
    return __real_clRetainProgram(p);
}

/* The log may be a text of the test's. */
cl_int __real_clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t bytes,
                                    void *value, size_t *size);
cl_int __wrap_clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t bytes,
                                    void *value, size_t *size);
cl_int __wrap_clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t bytes,
                                    void *value, size_t *size)
{
    if (fails("clGetProgramBuildInfo"))
        return failure;
    if (!build_log || what != CL_PROGRAM_BUILD_LOG)
        return __real_clGetProgramBuildInfo(p, d, what, bytes, value, size);
    if (size)
        *size = strlen(build_log) + 1;
    if (value)
        snprintf(value, bytes, "%s", build_log);
    return CL_SUCCESS;
}

/* How commands ended, for whoever asks; 0: as they did. */
static cl_int ended;
cl_int __real_clGetEventInfo(cl_event e, cl_event_info what, size_t bytes, void *value, size_t *size);
cl_int __wrap_clGetEventInfo(cl_event e, cl_event_info what, size_t bytes, void *value, size_t *size);
cl_int __wrap_clGetEventInfo(cl_event e, cl_event_info what, size_t bytes, void *value, size_t *size)
{
    if (fails("clGetEventInfo"))
        return failure;
    cl_int code = __real_clGetEventInfo(e, what, bytes, value, size);
    if (ended && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
        memcpy(value, &ended, sizeof ended);
    return code;
}

static bool is_one_of(const char *name, const char *list)
{
    const char *at = name ? strstr(list, name) : NULL;
    return at && strchr(" ", at[strlen(name)]);
}

/* What a run may do without: a device's figure or the whole device, the log, the cache, a kept program. */
static const char may_be_survived[] = "clGetPlatformIDs clGetPlatformInfo clGetDeviceIDs clGetDeviceInfo "
                                      "clGetProgramBuildInfo clGetProgramInfo clRetainProgram "
                                      "clCreateProgramWithBinary clBuildProgram clFinish clGetEventInfo ";
static const char queries[] = "clGetPlatformIDs clGetPlatformInfo clGetDeviceIDs clGetDeviceInfo ";

static bool has_opencl(void)
{
    size_t count = 0;
    struct shoal_device *first;
    struct shoal_params params = unit_params();
    struct shoal *instance;
    assert_ok(shoal_open(&instance, &params, &test_error));
    enum shoal_status status = shoal_device_select(instance, "opencl:0", 0, &first, 1, &count, &test_error);
    shoal_close(&instance);
    return status == SHOAL_OK;
}

static enum shoal_status status_of(const char *name, cl_int code)
{
    bool waits = is_one_of(name, "clFinish clFlush clWaitForEvents clEnqueueReadBuffer ");
    if (code == CL_OUT_OF_HOST_MEMORY)
        return SHOAL_OUT_OF_HOST_MEMORY;
    if (code == CL_DEVICE_NOT_AVAILABLE)
        return SHOAL_DEVICE_LOST;
    if (code == CL_OUT_OF_RESOURCES && waits)
        return SHOAL_DEVICE_LOST;
    if (code == CL_OUT_OF_RESOURCES && strcmp(name, "clCreateBuffer") == 0)
        return SHOAL_OUT_OF_DEVICE_MEMORY;
    return strcmp(name, "clBuildProgram") == 0 ? SHOAL_BUILD_FAILED : SHOAL_FAILED;
}

/* Of the calls, one for each turn, those of the share; a different one for each kind of failure. */
static void fail_each(cl_int code, bool use_cache, bool on_part, unsigned kind)
{
    const struct test_share share = test_read_share("SHOAL_TEST_SHARE");
    for (unsigned n = 1;; n++) {
        if (!test_is_of(share, n + kind))
            continue;
        struct scenario o = {.real = true, .on_part = on_part};
        struct shoal_error error = {0};
        fail_call_after(n, code);
        enum shoal_status status = scenario_run(&o, use_cache, &error);
        scenario_destroy(&o);
        countdown = 0;
        if (!failed) {
            assert_int_equal(status, SHOAL_OK);
            assert_true(n > 60);
            return;
        }
        bool survived = status == SHOAL_OK && is_one_of(failed, may_be_survived);
        bool right =
            status &&
            (is_one_of(failed, queries) ||
             (status == status_of(failed, code) && strcmp(error.call, failed) == 0 && error.native == code));
        if (!(survived || right) || handles)
            print_error("call %u, %s: %s, \"%s\", \"%s\", %ld handles are left\n", n, failed,
                        shoal_status_name(status), error.call, error.message, handles);
        assert_true(survived || right);
        assert_int_equal(error.status, status);
        assert_int_equal(handles, 0);
    }
}

static void each_call_fails_in_turn(void **state)
{
    (void)state;
    if (!has_opencl())
        skip();
    test_write_text(test_path("unit/program.cl"), real_text);
    static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE};
    const unsigned kinds = sizeof codes / sizeof *codes;
    for (unsigned i = 0; i < kinds; i++)
        for (unsigned on_part = 0; on_part <= 1; on_part++)
            fail_each(codes[i], false, on_part, 2 * i + on_part);
    for (unsigned on_part = 0; on_part <= 1; on_part++)
        fail_each(CL_OUT_OF_RESOURCES, true, on_part, 2 * kinds + on_part);
}

/* Copies through memory of the host, between a device and its part, which has another context. */
static void each_call_of_a_copy_fails_in_turn(void **state)
{
    (void)state;
    if (!has_opencl())
        skip();
    static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE};
    unsigned failures = 0;
    for (unsigned n = 1, going = 1; going; n++)
        for (size_t i = 0; i < 2; i++) {
            struct shoal_params params = unit_params();
            struct shoal *instance;
            struct shoal_device *from, *to;
            enum shoal_link_path path = SHOAL_LINK_PEER;
            size_t count;
            assert_ok(shoal_open(&instance, &params, &test_error));
            assert_ok(shoal_device_select(instance, "opencl:0", 0, &from, 1, &count, &test_error));
            assert_ok(shoal_device_select(instance, "opencl:0/1", 0, &to, 1, &count, &test_error));
            fail_call_after(n, codes[i]);
            const enum shoal_status status = link_scenario(from, to, &path, &test_error);
            countdown = 0;
            shoal_close(&instance);
            test_label("call %u, %s: %s", n, failed ? failed : "none", test_error.message);
            assert_int_equal(handles, 0);
            going = failed != NULL;
            failures += going;
            /* The end of a queue that is destroyed may fail in silence; a lost device shows later. */
            if (!going || (status == SHOAL_OK && strcmp(failed, "clFinish") == 0)) {
                assert_int_equal(status, SHOAL_OK);
                assert_int_equal(path, SHOAL_LINK_HOST);
                continue;
            }
            assert_int_equal(status, status_of(failed, codes[i]));
            if (strcmp(failed, "clEnqueueMapBuffer") == 0)
                assert_contains(test_error.message, "copy from opencl:0 to opencl:0/1:0: ");
        }
    assert_in_range(failures, 25, 100);
}

/* No call fails, but a launch did: what its buffers hold is no result. */
static void a_launch_that_ended_badly_is_noticed(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    struct shoal_device *first = NULL;
    struct shoal *instance;
    size_t count = 0;
    assert_ok(shoal_open(&instance, &params, &test_error));
    const bool watched =
        shoal_device_select(instance, "opencl:0", 0, &first, 1, &count, &test_error) == SHOAL_OK &&
        shoal_device_get_info(first)->is_cpu;
    shoal_close(&instance);
    if (!watched)
        skip();
    test_write_text(test_path("unit/program.cl"), real_text);
    struct scenario o = {.real = true};
    ended = -1;
    enum shoal_status status = scenario_run(&o, false, &test_error);
    scenario_destroy(&o);
    ended = 0;
    assert_int_equal(status, SHOAL_FAILED);
    assert_int_equal(test_error.native, -1);
    assert_contains(test_error.message, "opencl:0");
    assert_contains(test_error.message, "a launch ended with error -1");
    assert_int_equal(handles, 0);
    struct scenario again = {.real = true};
    assert_ok(scenario_run(&again, false, &test_error));
    scenario_destroy(&again);
    assert_int_equal(handles, 0);
}

enum { PLACES = 32 }; /* for kept programs: see src/compute/opencl/opencl.h */

/* Each variant has defines of its own. */
static struct shoal_program *build_variant(struct shoal_device *on, int64_t variant, bool is_new)
{
    const struct shoal_define defines[] = {{"COUNT", variant % 17 - 8}, {"A", variant / 17}};
    struct shoal_program_params params;
    struct shoal_program *program;
    shoal_program_params_init(&params);
    params.text = unit_text;
    params.defines = defines;
    params.define_count = 2;
    const unsigned before = builds;
    assert_ok(shoal_program_create(on, &unit_program, &params, &program, &test_error));
    assert_int_equal(builds - before, is_new);
    assert_int_equal(shoal_program_define(program, "COUNT"), variant % 17 - 8);
    return program;
}

static void build_and_destroy(struct shoal_device *on, int64_t variant, bool is_new)
{
    struct shoal_program *program = build_variant(on, variant, is_new);
    shoal_program_destroy(&program);
}

/* What the device keeps is not built again. Programs outlive their place among the kept, and the other way
 * round. */
static void programs_are_built_once(void **state)
{
    (void)state;
    if (!has_opencl())
        skip();
    struct shoal_params params = unit_params();
    struct shoal *instance;
    struct shoal_device *first;
    struct shoal_kernel *kernel;
    size_t count;
    assert_ok(shoal_open(&instance, &params, &test_error));
    assert_ok(shoal_device_select(instance, "opencl:0", 0, &first, 1, &count, &test_error));
    struct shoal_program *second = build_variant(first, 1, true), *same = build_variant(first, 1, false);
    shoal_program_destroy(&second);
    build_and_destroy(first, 0, true);
    for (int64_t variant = 2; variant < PLACES; variant++)
        build_and_destroy(first, variant, true);
    /* There is no place left: the one goes that was not used for longest. */
    build_and_destroy(first, 0, false);
    build_and_destroy(first, PLACES, true);
    build_and_destroy(first, 0, false);
    build_and_destroy(first, PLACES, false);
    build_and_destroy(first, 1, true);
    assert_ok(shoal_kernel_create(same, "noop", &kernel, &test_error));
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&same);
    shoal_close(&instance);
    assert_int_equal(handles, 0);
    /* Nor does another instance get anything of it. */
    assert_ok(shoal_open(&instance, &params, &test_error));
    assert_ok(shoal_device_select(instance, "opencl:0", 0, &first, 1, &count, &test_error));
    build_and_destroy(first, 0, true);
    shoal_close(&instance);
    assert_int_equal(handles, 0);
}

/* A compiler that does not heed #line and numbers the lines of the whole text. */
static void logs_without_our_places_get_them(void **state)
{
    (void)state;
    if (!has_opencl())
        skip();
    test_write_text(test_path("unit/program.cl"), "#include \"unit/a.clh\"\nlast\n");
    test_write_text(test_path("unit/a.clh"), "first\nsecond\n");
    /* 1 #line  2 #line  3 first  4 second  5 #line  6 last */
    build_log =
        "<kernel>:4:7: error: second is wrong\n<kernel>:6:1: warning: last\n<kernel>:99:1: note: beyond\n"
        "In file <kernel>:x";
    for (int strict = 0; strict <= 1; strict++) {
        struct shoal_params params = unit_params();
        params.kernel_dir = test_folder();
        params.strict_fp = strict;
        struct shoal *instance;
        struct shoal_device *first;
        struct shoal_program *program;
        size_t count;
        assert_ok(shoal_open(&instance, &params, &test_error));
        assert_ok(shoal_device_select(instance, "opencl:0", 0, &first, 1, &count, &test_error));
        assert_status(shoal_program_create(first, &unit_program, NULL, &program, &test_error),
                      SHOAL_BUILD_FAILED);
        if (!strict) {
            assert_contains(test_error.message, "unit/a.clh:2: second is wrong");
            assert_contains(test_error.log,
                            "unit/a.clh:2:7: error: second is wrong\nunit/program.cl:2:1: warning");
        } else {
            assert_contains(test_error.message, "unit/a.clh:1: second is wrong"); /* a line in front */
        }
        assert_contains(test_error.log, "<kernel>:99:1: note: beyond\nIn file <kernel>:x");
        shoal_close(&instance);
    }
    build_log = NULL;
    assert_int_equal(handles, 0);
}

/* A driver that is known to compute wrong is named, with the device, which can be used all the same. */
static void drivers_that_compute_wrong_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *driver, *version, *name, *note; /* note NULL: there is none */
    } cases[] = {
        {"rusticl", "22.3.6", "llvmpipe (LLVM 15)", "opencl:0 (rusticl, driver 22.3.6) fails shoal verify"},
        {"rusticl", "25.0.7", "llvmpipe (LLVM 19)", "opencl:0 (rusticl, driver 25.0.7) fails shoal verify"},
        {"rusticl", "25.0.7", "a card", NULL},
        {"Portable Computing Language", "6.0+debian", "cpu", NULL},
        {"Portable Computing Language", "7.0", "cpu", "computes wrong where work-items keep values"},
        {"Portable Computing Language", "7.1+debian", "cpu", "over a barrier"},
        {"Portable Computing Language", "7.10", "cpu", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal *opened;
        other_driver = cases[i].driver;
        other_version = cases[i].version;
        other_name = cases[i].name;
        assert_ok(shoal_open(&opened, NULL, &test_error));
        bool is_named = false;
        for (size_t k = 0; k < shoal_backend_count(opened); k++)
            is_named = is_named || strstr(shoal_backend_at(opened, k)->note,
                                          cases[i].note ? cases[i].note : "opencl:0 (");
        struct shoal_device *found;
        size_t count;
        const bool is_there = !shoal_device_select(opened, "opencl:0", 0, &found, 1, &count, &test_error);
        other_driver = other_version = other_name = NULL;
        shoal_close(&opened);
        assert_true(is_named == (is_there && cases[i].note));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_call_fails_in_turn),
        UNIT_TEST(each_call_of_a_copy_fails_in_turn),
        UNIT_TEST(a_launch_that_ended_badly_is_noticed),
        UNIT_TEST(programs_are_built_once),
        UNIT_TEST(logs_without_our_places_get_them),
        UNIT_TEST(drivers_that_compute_wrong_are_named),
    };
    return cmocka_run_group_tests_name("opencl-failures", tests, NULL, NULL);
}
