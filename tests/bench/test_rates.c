/* Rates of devices: which figures there are, what is checked and how each failure is told. The fake's kernels
 * do nothing, as if a compiler had removed their work, unless a test gives them some.
 */
#include "unit.h"

#include "measure/rates.h"

#include <math.h>

enum { MOST = 100 };

static struct shoal *shoal;
/* What the measurement gave: reasons are copied. */
static struct shoal_rate rates[MOST];
static char reasons[MOST][160];
static size_t count, most;

static bool keep(void *data, const struct shoal_rate *rate)
{
    assert_ptr_equal(data, rates);
    assert_true(count < MOST);
    rates[count] = *rate;
    snprintf(reasons[count], sizeof reasons[count], "%s", rate->reason);
    rates[count].reason = reasons[count];
    return ++count < most;
}

static enum shoal_status measure(unsigned parts)
{
    struct shoal_rates_params params;
    shoal_rates_params_init(&params);
    params.parts = parts;
    params.figure_seconds = 1e-4;
    params.seconds = 1000;
    params.give = keep;
    params.data = rates;
    count = 0;
    return shoal_measure_rates(shoal_device_at(shoal, 0), &params, &test_error);
}

static int setup(void **state)
{
    unit_setup(state);
    shoal = unit_open();
    most = MOST;
    return 0;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

static void assert_measured(const struct shoal_rate *rate)
{
    assert_string_equal(rate->reason, "");
    assert_true(rate->least > 0 && rate->least <= rate->value && rate->value <= rate->most);
    assert_true(rate->samples >= 3);
}

static void assert_lacking(const struct shoal_rate *rate, const char *reason)
{
    assert_contains(rate->reason, reason);
    assert_true(isnan(rate->value) && isnan(rate->least) && isnan(rate->most));
    assert_int_equal(rate->samples, 0);
}

/* Kernels that leave everything as it is have no rate; transfers and launches have one. */
static void work_that_is_missing_is_seen(void **state)
{
    (void)state;
    assert_status(measure(SHOAL_RATES_ALL), SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "fake:0: the fp64 measurement computed");
    /* 27 figures, and 5 kinds of transfers of 10 sizes from 4 KiB to 1 GiB. */
    assert_int_equal(count, 27 + 5 * 10);
    for (size_t i = 0; i < count; i++) {
        const bool is_launch = strcmp(rates[i].part, "launches") == 0;
        for (size_t k = 0; k < i; k++)
            assert_false(strcmp(rates[i].part, rates[k].part) == 0 && rates[i].bytes == rates[k].bytes &&
                         strcmp(rates[i].name, rates[k].name) == 0);
        assert_true((rates[i].bytes > 0) == (strcmp(rates[i].part, "transfers") == 0));
        if (is_launch || (rates[i].bytes && rates[i].bytes <= 8 << 20))
            assert_measured(&rates[i]);
        else if (rates[i].bytes)
            assert_lacking(&rates[i], "more than an eighth of the device's memory");
        else
            assert_lacking(&rates[i], "its rate would mean nothing");
    }
}

/* The value that matrix.cu leaves for a work-item: see rates_compute.c. */
static uint32_t matrix_word(size_t item)
{
    static const uint32_t depths[] = {8, 16, 16, 32};
    const char *define = strstr(fake_built_defines(), "FORMAT=");
    assert_non_null(define);
    uint32_t word = 0;
    for (uint32_t chain = 0; chain < 8; chain++)
        word += 4 * ((uint32_t)(item % 64) + chain + 1024 * depths[define[7] - '0']);
    return word;
}

static void run_matrix(const struct fake_run *run)
{
    uint32_t *out = run->args[0].data;
    out[0] = 1;
    for (size_t i = 0; i < run->groups * run->work_group; i++)
        out[1 + i] = matrix_word(i);
}

/* The last work-item has another value. */
static void run_bad_matrix(const struct fake_run *run)
{
    run_matrix(run);
    ((uint32_t *)run->args[0].data)[run->groups * run->work_group]++;
}

static void run_without_matrix(const struct fake_run *run)
{
    ((uint32_t *)run->args[0].data)[0] = 0;
}

static void values_are_checked(void **state)
{
    (void)state;
    fake_register_kernel("measure_matrix", run_matrix);
    assert_ok(measure(SHOAL_RATES_MATRIX));
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(rates[i].unit, "op/s");
        assert_measured(&rates[i]);
    }
    fake_register_kernel("measure_matrix", run_bad_matrix);
    assert_status(measure(SHOAL_RATES_MATRIX), SHOAL_CHECK_FAILED);
    assert_int_equal(count, 4);
    assert_contains(test_error.message, "the tf32 measurement computed");
    fake_register_kernel("measure_matrix", run_without_matrix);
    assert_ok(measure(SHOAL_RATES_MATRIX));
    for (size_t i = 0; i < count; i++)
        assert_lacking(&rates[i], "through CUDA");
    fake_register_kernel("measure_chains", run_without_matrix);
    assert_status(measure(SHOAL_RATES_COMPUTE), SHOAL_CHECK_FAILED); /* measure_fma */
    assert_lacking(&rates[4], "no half precision (cl_khr_fp16)");
    assert_lacking(&rates[10], "cl_khr_integer_dot_product");
}

static void a_failed_figure_leaves_the_others(void **state)
{
    (void)state;
    fake_register_kernel("measure_matrix", run_matrix);
    static const enum fake_call calls[] = {FAKE_PROGRAM_BUILD, FAKE_KERNEL_CREATE, FAKE_BUFFER_CREATE,
                                           FAKE_BUFFER_FILL,   FAKE_LAUNCH,        FAKE_QUEUE_FINISH,
                                           FAKE_BUFFER_READ};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        fake_fail_call(calls[i], 1, SHOAL_FAILED);
        assert_status(measure(SHOAL_RATES_MATRIX), SHOAL_FAILED);
        assert_int_equal(count, 4);
        assert_lacking(&rates[0], "");
        assert_true(*rates[0].reason != 0);
        assert_measured(&rates[3]);
    }
    static const enum fake_call transfers[] = {FAKE_BUFFER_WRITE, FAKE_BUFFER_READ, FAKE_BLOCK_CREATE,
                                               FAKE_ENQUEUE_WRITE, FAKE_ENQUEUE_READ};
    for (size_t i = 0; i < sizeof transfers / sizeof *transfers; i++) {
        fake_fail_call(transfers[i], 1, SHOAL_FAILED);
        assert_status(measure(SHOAL_RATES_TRANSFERS), SHOAL_FAILED);
        assert_int_equal(count, 50);
    }
    fake_fail_call(FAKE_QUEUE_CREATE, 1, SHOAL_FAILED);
    assert_status(measure(SHOAL_RATES_MATRIX), SHOAL_FAILED);
    assert_int_equal(count, 0);
    fake_lose_device("fake:0");
    assert_status(measure(SHOAL_RATES_LAUNCHES), SHOAL_DEVICE_LOST);
    assert_int_equal(count, 0);
}

static void ends(void **state)
{
    (void)state;
    struct shoal_rates_params params;
    most = 2;
    assert_status(measure(SHOAL_RATES_ALL), SHOAL_STOPPED);
    assert_int_equal(count, 2);
    shoal_rates_params_init(&params);
    params.give = keep;
    params.data = rates;
    params.seconds = 1e-12;
    most = MOST;
    count = 0;
    assert_ok(shoal_measure_rates(shoal_device_at(shoal, 0), &params, &test_error));
    assert_int_equal(count, 77);
    for (size_t i = 0; i < count; i++)
        assert_lacking(&rates[i], "no time left of the 1e-12 s");
}

static void device_without_doubles(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Half a GPU");
    info.fp64 = false;
    shoal_close(&shoal);
    fake_reset();
    fake_add_device(&fake_backend, &info);
    shoal = unit_open();
    assert_status(measure(SHOAL_RATES_COMPUTE), SHOAL_CHECK_FAILED);
    assert_lacking(&rates[0], "no double precision");
    assert_lacking(&rates[1], "no double precision");
}

static void bad_arguments(void **state)
{
    (void)state;
    struct shoal_device *device = shoal_device_at(shoal, 0);
    const struct shoal_rates_params good = SHOAL_RATES_PARAMS(.give = keep, .data = rates);
    struct shoal_rates_params bad[6];
    for (size_t i = 0; i < 6; i++)
        bad[i] = good;
    bad[0].give = NULL;
    bad[1].parts = 0;
    bad[2].parts = 128;
    bad[3].figure_seconds = 0;
    bad[4].seconds = NAN;
    bad[5].most_bytes = 4095;
    for (size_t i = 0; i < 6; i++)
        assert_status(shoal_measure_rates(device, &bad[i], &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "buffers of 4095 bytes");
    assert_status(shoal_measure_rates(NULL, &good, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_rates(device, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_measure_rates(test_host_device(shoal), &good, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "no kernels");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(work_that_is_missing_is_seen),
                                       TEST(values_are_checked),
                                       TEST(a_failed_figure_leaves_the_others),
                                       TEST(ends),
                                       TEST(device_without_doubles),
                                       TEST(bad_arguments)};
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
