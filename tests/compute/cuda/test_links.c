/* Copies between CUDA devices and from and to the host, over the fake driver. */
#include "fixture.h"

#include "link_scenario.h"

/* The memory of the host that a copy needs is pinned for both devices. */
static void each_path_brings_the_bytes(void **state)
{
    static const struct {
        const char *peers;
        enum shoal_link_path path;
    } cases[] = {
        {"1", SHOAL_LINK_PEER}, {"0", SHOAL_LINK_HOST}, {"2", SHOAL_LINK_HOST}, {"3", SHOAL_LINK_HOST}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum shoal_link_path path;
        setup(state);
        setenv("FAKE_CUDA_DEVICES", "2", 1);
        setenv("FAKE_CUDA_PEERS", cases[i].peers, 1);
        test_label("FAKE_CUDA_PEERS=%s", cases[i].peers);
        struct shoal *shoal = open_fake();
        struct shoal_device *first = shoal_device_at(shoal, 0), *second = shoal_device_at(shoal, 1);
        /* Twice in each direction: access that was given before is no error. */
        for (int round = 0; round < 4; round++) {
            assert_ok(round % 2 ? link_scenario(second, first, &path, &test_error)
                                : link_scenario(first, second, &path, &test_error));
            assert_int_equal(path, cases[i].path);
        }
        assert_ok(link_scenario(first, first, &path, &test_error));
        assert_int_equal(path, SHOAL_LINK_SAME_MEMORY);
        assert_int_equal(fake->calls("cuMemcpyPeerAsync") > 0, cases[i].path == SHOAL_LINK_PEER);
        struct shoal_device *host = test_host_device(shoal);
        assert_ok(link_scenario(host, second, &path, &test_error));
        assert_int_equal(path, SHOAL_LINK_HOST);
        assert_ok(link_scenario(second, host, &path, &test_error));
        assert_int_equal(path, SHOAL_LINK_HOST);
        shoal_close(&shoal);
        assert_nothing_left();
        teardown(state);
    }
}

/* One call of a copy fails; the driver's reason and both devices are named. */
static void each_call_of_a_copy_fails(void **state)
{
    static const struct {
        const char *peers, *failure, *message;
        enum shoal_status status;
    } cases[] = {
        {"1", "cuDeviceCanAccessPeer=1", "cuDeviceCanAccessPeer returned", SHOAL_FAILED},
        {"1", "cuCtxEnablePeerAccess=1", "cuCtxEnablePeerAccess returned", SHOAL_FAILED},
        {"1", "cuCtxEnablePeerAccess=700", "cuda:1 (Fake GPU 1) is lost", SHOAL_DEVICE_LOST},
        {"1", "cuMemcpyPeerAsync=1", "cuMemcpyPeerAsync returned", SHOAL_FAILED},
        {"1", "cuMemcpyPeerAsync=1@2", "cuMemcpyPeerAsync returned", SHOAL_FAILED},
        {"1", "cuLaunchKernel=1", "cuLaunchKernel returned", SHOAL_FAILED},
        {"0", "cuMemHostAlloc=2@5", "no 524289 bytes of pinned host memory", SHOAL_OUT_OF_HOST_MEMORY},
        {"0", "cuMemHostAlloc=1@5", "cuMemHostAlloc returned", SHOAL_FAILED},
        {"0", "cuMemcpyDtoHAsync_v2=1@2", "cuMemcpyDtoHAsync returned", SHOAL_FAILED},
        {"0", "cuMemcpyDtoHAsync_v2=700@1", "cuda:0 (Fake GPU 0) is lost", SHOAL_DEVICE_LOST},
        {"0", "cuMemcpyHtoDAsync_v2=1@3", "cuMemcpyHtoDAsync returned", SHOAL_FAILED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum shoal_link_path path;
        setup(state);
        setenv("FAKE_CUDA_DEVICES", "2", 1);
        setenv("FAKE_CUDA_PEERS", cases[i].peers, 1);
        test_label("FAKE_CUDA_PEERS=%s FAKE_CUDA_FAIL=%s", cases[i].peers, cases[i].failure);
        struct shoal *shoal = open_fake();
        setenv("FAKE_CUDA_FAIL", cases[i].failure, 1);
        assert_status(link_scenario(shoal_device_at(shoal, 0), shoal_device_at(shoal, 1), &path, &test_error),
                      cases[i].status);
        assert_contains(test_error.message, "copy from cuda:0 to cuda:1: ");
        assert_contains(test_error.message, cases[i].message);
        shoal_close(&shoal);
        assert_nothing_left();
        teardown(state);
    }
}

int main(void)
{
    int code = find_fake();
    if (code)
        return code;
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_path_brings_the_bytes),
                                       cmocka_unit_test(each_call_of_a_copy_fails)};
    code = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&log_text);
    return code;
}
