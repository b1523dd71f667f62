/* Measuring the roofs: what is checked and how it fails. The fake's kernels fill in what a device computes.
 */
#include "unit.h"

#include "measure/measure.h"

#include <math.h>

/* The linker replaces the library's clock: seconds pass ten times as fast, and so do the batches, which have
 * a least time. */
double __real_clock_seconds(void);
double __wrap_clock_seconds(void);

double __wrap_clock_seconds(void)
{
    return 10 * __real_clock_seconds();
}

enum { PERIOD = 64 };

static float fma_sums[PERIOD], root_sums[PERIOD];
static double fma_sums64[PERIOD];

static void make_sums(void)
{
    for (int i = 0; i < PERIOD; i++) {
        double fma = 0, roots = 0;
        for (int chain = 0; chain < 16; chain++)
            fma += measure_fma_value(i + PERIOD * chain, 4096);
        for (int chain = 0; chain < 8; chain++) {
            double x = 1 + i + PERIOD * chain;
            for (int step = 0; step < 512; step++)
                x += 1 / sqrt(x);
            roots += x;
        }
        fma_sums64[i] = fma;
        fma_sums[i] = (float)fma;
        root_sums[i] = (float)roots;
    }
}

static void run_fma(const struct fake_run *run)
{
    bool fp64 = run->args[1].bytes == sizeof(double);
    for (size_t i = 0; i < run->groups * run->work_group; i++)
        if (fp64)
            ((double *)run->args[0].data)[i] = fma_sums64[i % PERIOD];
        else
            ((float *)run->args[0].data)[i] = fma_sums[i % PERIOD];
}

static void run_roots(const struct fake_run *run)
{
    for (size_t i = 0; i < run->groups * run->work_group; i++)
        ((float *)run->args[0].data)[i] = root_sums[i % PERIOD];
}

static void run_copy(const struct fake_run *run)
{
    memcpy(run->args[1].data, run->args[0].data, run->args[0].bytes);
}

/* One word is not copied. */
static void run_bad_copy(const struct fake_run *run)
{
    memcpy((char *)run->args[1].data, run->args[0].data, run->args[0].bytes - sizeof(uint32_t));
}

/* A machine that is busy has no figure. */
static bool measured(double figure)
{
    return figure > 0 || isnan(figure);
}

static struct shoal *shoal;

static void open_with_kernels(void)
{
    fake_register_kernel("measure_fma", run_fma);
    fake_register_kernel("measure_sfu", run_roots);
    fake_register_kernel("measure_copy", run_copy);
    shoal = unit_open();
}

static int setup(void **state)
{
    unit_setup(state);
    make_sums();
    open_with_kernels();
    return 0;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

static bool all_zero(const struct shoal_roofs *roofs)
{
    return roofs->fp32_flops == 0 && roofs->fp64_flops == 0 && roofs->sfu_ops == 0 &&
           roofs->copy_bytes == 0 && roofs->launch_s == 0 && roofs->copy_buffer == 0;
}

static void every_roof_of_a_device(void **state)
{
    (void)state;
    struct shoal_roofs roofs;
    assert_ok(shoal_measure_roofs(shoal_device_at(shoal, 0), &roofs, &test_error));
    assert_true(measured(roofs.fp32_flops) && measured(roofs.fp64_flops) && measured(roofs.sfu_ops) &&
                measured(roofs.copy_bytes));
    assert_true(measured(roofs.launch_s) && measured(roofs.launch_sync_s) && roofs.seconds > 0);
    /* An eighth of the fake's 64 MiB. */
    assert_int_equal(roofs.copy_buffer, 8 << 20);
    assert_int_equal(roofs.threads, 0);
}

static void device_without_doubles(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Half a GPU");
    struct shoal_roofs roofs;
    info.fp64 = false;
    shoal_close(&shoal);
    fake_reset();
    fake_add_device(&fake_backend, &info);
    open_with_kernels();
    assert_ok(shoal_measure_roofs(shoal_device_at(shoal, 0), &roofs, &test_error));
    assert_true(measured(roofs.fp32_flops) && roofs.fp64_flops == 0);
}

/* A kernel that was left out, or computes something else, has no rate. */
static void wrong_results(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        fake_kernel_fn run;
        const char *message;
    } wrong[] = {{"measure_fma", NULL, "fp32 measurement"},
                 {"measure_sfu", NULL, "special-function measurement"},
                 {"measure_copy", NULL, "copy measurement"},
                 {"measure_copy", run_bad_copy, "copy measurement"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shoal_roofs roofs;
        fake_register_kernel("measure_fma", run_fma);
        fake_register_kernel("measure_sfu", run_roots);
        fake_register_kernel("measure_copy", run_copy);
        fake_register_kernel(wrong[i].entry, wrong[i].run);
        assert_status(shoal_measure_roofs(shoal_device_at(shoal, 0), &roofs, &test_error),
                      SHOAL_CHECK_FAILED);
        assert_contains(test_error.message, wrong[i].message);
        assert_contains(test_error.message, "fake:0");
        assert_true(all_zero(&roofs));
    }
}

static void calls_that_fail(void **state)
{
    (void)state;
    static const struct {
        enum fake_call call;
        unsigned count; /* first calls that are tried */
    } calls[] = {{FAKE_QUEUE_CREATE, 1},  {FAKE_BUFFER_CREATE, 3}, {FAKE_PROGRAM_BUILD, 1},
                 {FAKE_KERNEL_CREATE, 1}, {FAKE_LAUNCH, 2},        {FAKE_QUEUE_FINISH, 2},
                 {FAKE_BUFFER_READ, 1},   {FAKE_BUFFER_FILL, 2},   {FAKE_BUFFER_WRITE, 1}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (unsigned n = 1; n <= calls[i].count; n++) {
            struct shoal_roofs roofs;
            fake_fail_call(calls[i].call, n, SHOAL_FAILED);
            assert_status(shoal_measure_roofs(shoal_device_at(shoal, 0), &roofs, &test_error), SHOAL_FAILED);
            assert_true(all_zero(&roofs));
        }
}

static void roofs_of_the_host(void **state)
{
    (void)state;
    struct shoal_roofs roofs;
    struct shoal_device *host = shoal_device_at(shoal, shoal_device_count(shoal) - 1);
    assert_true(shoal_device_get_info(host)->is_host);
    assert_ok(shoal_measure_roofs(host, &roofs, &test_error));
    assert_true(measured(roofs.fp32_flops) && measured(roofs.fp64_flops) && measured(roofs.sfu_ops) &&
                measured(roofs.copy_bytes));
    assert_true(measured(roofs.launch_s) && measured(roofs.launch_sync_s) && roofs.threads > 0);
    assert_true(*shoal_host_compiler() != 0);
}

/* Batches of as many repeats as asked for, fed with times. */
struct batches {
    const double *times; /* of one repeat, in turn */
    size_t count, next;
};

static enum shoal_status take_batch(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    struct batches *batches = data;
    (void)error;
    *seconds = (double)repeats * batches->times[batches->next++ % batches->count];
    return SHOAL_OK;
}

static void samples_that_disagree(void **state)
{
    (void)state;
    static const double idle[] = {1.01e-3, 1e-3, 1.05e-3, 1.02e-3}, busy[] = {1e-3, 2e-3, 5e-3, 1.9e-3},
                        late[] = {1e-3, 1e-3, 1e-3, 9e-3};
    const struct {
        const double *times;
        double seconds;
    } cases[] = {{idle, 1e-3}, {busy, NAN}, {late, 1e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batches batches = {cases[i].times, 4, 0};
        double seconds = 0;
        assert_ok(measure_best(take_batch, &batches, &seconds, &test_error));
        assert_true(isnan(cases[i].seconds) ? isnan(seconds) : fabs(seconds - cases[i].seconds) < 1e-9);
    }
}

/* One impossible figure, or one that samples disagree on, and the row is busy. */
static void busy_rows(void **state)
{
    (void)state;
    const struct shoal_roofs idle = {.fp32_flops = 100e9,
                                     .fp64_flops = 1e9,
                                     .sfu_ops = 10e9,
                                     .copy_bytes = 20e9,
                                     .launch_s = 1e-6,
                                     .launch_sync_s = 50e-6};
    assert_false(measure_is_busy(&idle));
    struct shoal_roofs roofs = idle;
    roofs.fp64_flops = 0;
    assert_false(measure_is_busy(&roofs));
    double *const figures[] = {&roofs.fp32_flops, &roofs.fp64_flops, &roofs.sfu_ops,
                               &roofs.copy_bytes, &roofs.launch_s,   &roofs.launch_sync_s};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        roofs = idle;
        *figures[i] = NAN;
        assert_true(measure_is_busy(&roofs));
    }
    roofs = idle;
    roofs.launch_s = 1.1e-3;
    assert_true(measure_is_busy(&roofs));
    roofs = idle;
    roofs.launch_sync_s = 1.1e-3;
    assert_true(measure_is_busy(&roofs));
    roofs = idle;
    roofs.fp64_flops = 0.49e9;
    assert_true(measure_is_busy(&roofs));
    roofs = idle;
    roofs.copy_bytes = 0.09e9;
    assert_true(measure_is_busy(&roofs));
}

/* Opens two GPUs beside the host. */
static void open_pair(enum fake_peers peers)
{
    shoal_close(&shoal);
    fake_reset_one_gpu();
    const struct shoal_device_info info = fake_gpu("Fake GPU");
    fake_add_device(&fake_backend, &info);
    fake_set_peers(peers);
    shoal = unit_open();
}

static void links(void **state)
{
    (void)state;
    static const struct {
        size_t from, to;
        enum fake_peers peers;
        enum shoal_link_path path;
    } cases[] = {{0, 1, FAKE_PEERS, SHOAL_LINK_PEER},
                 {1, 0, FAKE_NO_PEERS, SHOAL_LINK_HOST},
                 {2, 0, FAKE_PEERS, SHOAL_LINK_HOST},
                 {1, 2, FAKE_PEERS, SHOAL_LINK_HOST}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_pair(cases[i].peers);
        struct shoal_device *from = shoal_device_at(shoal, cases[i].from),
                            *to = shoal_device_at(shoal, cases[i].to);
        struct shoal_link link = {.size = 0};
        assert_ok(shoal_measure_link(from, to, &link, &test_error));
        assert_int_equal(link.size, sizeof link);
        assert_int_equal(link.path, cases[i].path);
        assert_true(measured(link.bytes_per_s) && measured(link.latency_s));
        /* An eighth of the fake's memory. */
        assert_int_equal(link.copy_bytes, 8 << 20);
        double seconds[4] = {0};
        assert_ok(shoal_measure_copies(from, to, 1000, 5, seconds, 3, &test_error));
        assert_true(seconds[0] > 0 && seconds[1] > 0 && seconds[2] > 0 && seconds[3] == 0);
    }
}

static void links_that_fail(void **state)
{
    (void)state;
    static const enum fake_call calls[] = {FAKE_QUEUE_CREATE, FAKE_BUFFER_CREATE, FAKE_BUFFER_WRITE,
                                           FAKE_BUFFER_READ,  FAKE_BLOCK_CREATE,  FAKE_ENQUEUE_READ,
                                           FAKE_ENQUEUE_WRITE};
    struct shoal_link link = {.size = 0, .latency_s = 7};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (unsigned n = 1; n <= 2; n++) {
            open_pair(FAKE_NO_PEERS);
            if (n == 2 && calls[i] == FAKE_BLOCK_CREATE)
                continue; /* there is one block */
            fake_fail_call(calls[i], n, SHOAL_FAILED);
            assert_status(
                shoal_measure_link(shoal_device_at(shoal, 0), shoal_device_at(shoal, 1), &link, &test_error),
                SHOAL_FAILED);
        }
    open_pair(FAKE_PEERS_TEAR);
    assert_status(
        shoal_measure_link(shoal_device_at(shoal, 1), shoal_device_at(shoal, 0), &link, &test_error),
        SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "a copy from fake:1 to fake:0 left other bytes than were sent");
    assert_true(link.latency_s == 7);
}

static void bad_arguments(void **state)
{
    (void)state;
    struct shoal_roofs roofs;
    struct shoal_link link = {.size = 0};
    struct shoal *other = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    assert_status(shoal_measure_link(device, device, &link, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_link(device, shoal_device_at(other, 1), &link, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "needs two devices of one instance");
    double seconds;
    struct shoal_device *host = test_host_device(shoal);
    assert_status(shoal_measure_copies(host, host, 8, 1, &seconds, 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_copies(device, host, 0, 1, &seconds, 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_copies(device, host, 8, 0, &seconds, 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_copies(device, host, SIZE_MAX / 2, 3, &seconds, 1, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_measure_copies(device, host, 8, 1, &seconds, 0, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "0 samples of 1 pieces of 8 bytes");
    shoal_close(&other);
    assert_status(shoal_measure_roofs(NULL, &roofs, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_roofs(shoal_device_at(shoal, 0), NULL, &test_error), SHOAL_INVALID);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_roof_of_a_device), TEST(device_without_doubles), TEST(wrong_results),
        TEST(calls_that_fail),        TEST(roofs_of_the_host),      TEST(links),
        TEST(links_that_fail),        TEST(samples_that_disagree),  TEST(busy_rows),
        TEST(bad_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
