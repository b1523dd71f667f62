/* Failures of the CUDA backend over the fake driver: what is missing, what is refused, every call in turn. */
#include "fixture.h"

/* Settings under which there is no device, and a part of the reason. */
static void test_no_device(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *reason;
    } cases[] = {
        {"FAKE_CUDA_DEVICES", "0", "CUDA_VISIBLE_DEVICES"},
        {"FAKE_CUDA_FAIL", "cuInit=999", "kernel module is loaded"},
        {"FAKE_CUDA_FAIL", "cuInit=803", "restart the machine"},
        {"FAKE_CUDA_FAIL", "cuDriverGetVersion=1", "cuInit returned 1"},
        {"FAKE_CUDA_FAIL", "cuDeviceGetCount=1", "shows no device"},
        {"FAKE_CUDA_FAIL", "cuDeviceGet=1", "device 0 does not answer"},
        {"FAKE_CUDA_FAIL", "cuDeviceGetName=1", "device 0 does not answer"},
        {"FAKE_CUDA_FAIL", "cuDeviceTotalMem_v2=1", "device 0 does not answer"},
        {"FAKE_CUDA_MODE", "2", "closed to computations"},
        {"FAKE_CUDA_ARCH", "70", "too old for NVRTC 13.0"},
        {"SHOAL_NVRTC", "/nonexistent/libnvrtc.so", "SHOAL_NVRTC=/nonexistent/libnvrtc.so is not"},
    };
    char *nvrtc = strdup(getenv("SHOAL_NVRTC"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup(NULL);
        setenv(cases[i].name, cases[i].value, 1);
        struct shoal *shoal = open_fake();
        assert_non_null(shoal);
        assert_int_equal(shoal_device_count(shoal), 1);
        assert_false(note(shoal, 0)->available);
        assert_contains(note(shoal, 0)->note, cases[i].reason);
        shoal_close(&shoal);
        assert_nothing_left();
        setenv("SHOAL_NVRTC", nvrtc, 1);
    }
    free(nvrtc);
}

static void test_image_refused(void **state)
{
    (void)state;
    setenv("FAKE_CUDA_VERSION", "12040", 1);
    setenv("FAKE_CUDA_FAIL", "cuModuleLoadDataEx=222", 1);
    struct shoal *shoal = open_fake();
    assert_contains(note(shoal, 0)->note, "NVRTC is newer than the driver");
    assert_status(scenario_run(shoal_device_at(shoal, 0), &test_error), SHOAL_BUILD_FAILED);
    assert_contains(test_error.message, "the driver (CUDA 12.4) does not take what NVRTC 13.0 compiled");
    shoal_close(&shoal);
    assert_nothing_left();
}

static void test_out_of_memory(void **state)
{
    (void)state;
    setenv("FAKE_CUDA_MEMORY", "1000000", 1);
    struct shoal *shoal = open_fake();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    struct shoal_buffer *first = NULL, *second = NULL;
    assert_ok(shoal_buffer_create(device, 600000, &first, &test_error));
    assert_status(shoal_buffer_create(device, 600000, &second, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "has no room for 600000 bytes: 400000 of 1000000 are free");
    assert_null(second);
    shoal_buffer_destroy(&first);
    assert_ok(shoal_buffer_create(device, 600000, &second, &test_error));
    shoal_buffer_destroy(&second);
    shoal_close(&shoal);
    assert_nothing_left();
}

static void test_lost_device(void **state)
{
    (void)state;
    struct add_pair o = open_add_pair(0);
    struct shoal_buffer *another = NULL;
    setenv("FAKE_CUDA_FAIL", "kernel=700", 1);
    assert_ok(launch_add_pair(&o, o.queue, NULL));
    assert_status(shoal_queue_finish(o.queue, &test_error), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "cuda:0 (Fake GPU 0) is lost");
    assert_contains(test_error.message, "an illegal memory access was encountered");
    assert_contains(test_error.message, "add_pair");
    assert_string_equal(test_error.call, "cuStreamSynchronize");
    assert_int_equal(test_error.native, 700);
    assert_status(launch_add_pair(&o, o.queue, NULL), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_write(o.queue, o.buffer, 0, "word", 4, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_create(o.device, 4, &another, &test_error), SHOAL_DEVICE_LOST);
    close_add_pair(&o);
}

/* Calls whose failure costs nothing but a message. */
static bool is_tolerated(const char *symbol)
{
    static const char *const names[] = {"cuGetErrorName",     "cuGetErrorString", "cuCtxGetCurrent",
                                        "cuCtxPopCurrent_v2", "cuMemGetInfo_v2",  "cuDeviceGetAttribute"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(symbol, names[i]) == 0)
            return true;
    return strstr(symbol, "Destroy") || strstr(symbol, "Free") || strstr(symbol, "Unload") ||
           strstr(symbol, "Release");
}

/* Opens, runs and closes with `symbol` failing once. */
static void fail_once(const char *symbol, unsigned call, cu_result code)
{
    char setting[96];
    setup(NULL);
    snprintf(setting, sizeof setting, "%s=%u@%u", symbol, code, call);
    setenv("FAKE_CUDA_FAIL", setting, 1);
    struct shoal *shoal = open_fake();
    assert_non_null(shoal);
    enum shoal_status status = SHOAL_NO_DEVICE;
    bool listed = shoal_device_count(shoal) == 2;
    if (listed) {
        struct shoal_device *device = shoal_device_at(shoal, 0);
        error_reset(&test_error);
        status = scenario_run(device, &test_error);
        /* The destructor of a queue can only log. */
        bool logged = log_text.data && strstr(log_text.data, "the last commands of a queue failed");
        if (status == SHOAL_OK && !logged && !is_tolerated(symbol))
            fail_msg("%s: the scenario does not notice", setting);
        if (status && (test_error.status != status || !*test_error.message ||
                       strstr(test_error.message, "wrong result")))
            fail_msg("%s: %s: \"%s\"", setting, shoal_status_name(status), test_error.message);
        if (code >= 700 && status && status != SHOAL_DEVICE_LOST)
            fail_msg("%s: %s: %s", setting, shoal_status_name(status), test_error.message);
        if (status == SHOAL_DEVICE_LOST && !atomic_load(&device->lost))
            fail_msg("%s: the device is not marked as lost", setting);
    }
    shoal_close(&shoal);
    assert_nothing_left();
    fake->reset();
}

static void test_every_call_fails(void **state)
{
    (void)state;
    enum { MOST = 4 };
    struct shoal *shoal = open_fake();
    assert_ok(scenario_run(shoal_device_at(shoal, 0), &test_error));
    shoal_close(&shoal);
    static const cu_result codes[] = {1, DRIVER_OUT_OF_MEMORY, DRIVER_ILLEGAL_ADDRESS};
    const struct test_share share = test_read_share("SHOAL_TEST_SHARE");
    unsigned counts[128], numbered = 0;
    for (size_t i = 0; fake->symbols[i]; i++)
        counts[i] = fake->calls(fake->symbols[i]);
    for (size_t i = 0; fake->symbols[i]; i++)
        for (unsigned call = 1; call <= counts[i] && call <= MOST; call++)
            for (size_t code = 0; code < sizeof codes / sizeof *codes; code++)
                if (test_is_of(share, numbered++))
                    fail_once(fake->symbols[i], call, codes[code]);
    assert_true(numbered > 150);
}

int main(void)
{
    int code = find_fake();
    if (code)
        return code;
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_no_device),   FAKE_TEST(test_image_refused),    FAKE_TEST(test_out_of_memory),
        FAKE_TEST(test_lost_device), FAKE_TEST(test_every_call_fails),
    };
    code = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&log_text);
    return code;
}
