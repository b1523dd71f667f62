/* Philox4x32-10 against its published vectors, arrays of random numbers against the host's. */
#include "harness.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = 16 };

struct vectors {
    uint32_t counters[4 * MAX_VECTORS], keys[2 * MAX_VECTORS], results[4 * MAX_VECTORS];
    uint32_t count;
};

static void load_vectors(struct vectors *vectors)
{
    const char *folder = getenv("SHOAL_TEST_VECTORS");
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s/philox4x32-10.txt", folder ? folder : "tests/vectors");
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s", path);
    vectors->count = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        assert_true(vectors->count < MAX_VECTORS);
        uint32_t *c = vectors->counters + 4 * vectors->count, *k = vectors->keys + 2 * vectors->count,
                 *r = vectors->results + 4 * vectors->count;
        assert_int_equal(sscanf(line, "philox4x32 10 %x %x %x %x %x %x %x %x %x %x", &c[0], &c[1], &c[2],
                                &c[3], &k[0], &k[1], &r[0], &r[1], &r[2], &r[3]),
                         10);
        vectors->count++;
    }
    fclose(file);
    assert_true(vectors->count >= 3);
}

static void host_gives_published_vectors(void **state)
{
    (void)state;
    struct vectors v;
    load_vectors(&v);
    for (uint32_t i = 0; i < v.count; i++) {
        struct shoal_words words;
        memcpy(&words, v.counters + 4 * i, sizeof words);
        words = shoal_philox4x32(words, v.keys[2 * i], v.keys[2 * i + 1]);
        assert_memory_equal(&words, v.results + 4 * i, sizeof words);
    }
}

static void device_gives_published_vectors(void **state)
{
    (void)state;
    struct vectors v;
    load_vectors(&v);
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = harness.variant;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    assert_ok(
        shoal_program_create(harness.device, harness_program("lib.philox"), &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "philox_blocks", &kernel, &test_error));
    struct shoal_buffer *results = harness_buffer(sizeof v.results);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(v.counters, sizeof v.counters)),
                                     shoal_arg_buffer(harness_upload(v.keys, sizeof v.keys)),
                                     shoal_arg_buffer(results), shoal_arg_uint(v.count)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, v.count), args, 4, NULL,
                           &test_error));
    uint32_t got[4 * MAX_VECTORS];
    harness_read(results, got, sizeof got);
    assert_words(got, v.results, 4 * v.count);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
}

static const struct shoal_random_counter counter = {.seed = 0x123456789abcdef0u, .stream = 7, .step = 9};

static void words_are_those_of_the_host(void **state)
{
    (void)state;
    struct shoal_random *random = NULL;
    assert_ok(shoal_random_create(harness.device, SHOAL_TYPE_FLOAT, harness.variant, &random, &test_error));
    for (const size_t *n = harness_sizes(); *n; n++) {
        uint32_t *got = harness_memory((*n + 4) * 4), *wanted = harness_memory((*n + 4) * 4);
        memset(wanted, 0xA5, (*n + 4) * 4);
        for (size_t i = 0; i < *n; i++) {
            const struct shoal_words words =
                shoal_random_words(counter.seed, counter.stream, counter.step, (uint32_t)(i / 4), 0);
            const uint32_t four[] = {words.x, words.y, words.z, words.w};
            wanted[i] = four[i % 4];
        }
        struct shoal_buffer *buffer = harness_buffer((*n + 4) * 4);
        assert_ok(shoal_random_fill_words(random, harness.queue, buffer, *n, &counter, &test_error));
        harness_read(buffer, got, (*n + 4) * 4);
        assert_words(got, wanted, *n + 4);
        harness_release();
    }
    shoal_random_destroy(&random);
}

/* Element i as the host draws it. */
static double host_real(bool normal, bool real64, size_t i)
{
    double pair[2];
    float floats[4];
    if (real64) {
        const struct shoal_words w =
            shoal_random_words(counter.seed, counter.stream, counter.step, (uint32_t)(i / 2), 0);
        if (normal)
            shoal_normal_double(w, &pair[0], &pair[1]);
        else {
            pair[0] = shoal_uniform_double(w.x, w.y);
            pair[1] = shoal_uniform_double(w.z, w.w);
        }
        return pair[i % 2];
    }
    const struct shoal_words w =
        shoal_random_words(counter.seed, counter.stream, counter.step, (uint32_t)(i / 4), 0);
    const uint32_t four[] = {w.x, w.y, w.z, w.w};
    if (!normal)
        return (double)shoal_uniform_float(four[i % 4]);
    shoal_normal_float(w.x, w.y, &floats[0], &floats[1]);
    shoal_normal_float(w.z, w.w, &floats[2], &floats[3]);
    return (double)floats[i % 4];
}

/* Normal numbers: the OpenCL limits of log (3 ulp), sqrt (3) and sinpi (4), and the host's own rounding of pi
 * times the angle, give 20 ulp of the largest number at most; 7 is above every number. */
static void check_reals(enum shoal_type type, bool normal)
{
    const bool real64 = type == SHOAL_TYPE_DOUBLE;
    const size_t bytes = real64 ? 8 : 4;
    const double tolerance = normal ? 20 * (real64 ? 9 * DBL_EPSILON : 7 * (double)FLT_EPSILON) : 0;
    struct shoal_random *random = NULL;
    assert_ok(shoal_random_create(harness.device, type, harness.variant, &random, &test_error));
    for (const size_t *n = harness_sizes(); *n; n++) {
        char *got = harness_memory((*n + 4) * bytes);
        struct shoal_buffer *buffer = harness_buffer((*n + 4) * bytes);
        if (normal)
            assert_ok(
                shoal_random_fill_normal(random, harness.queue, buffer, *n, &counter, 0, 1, &test_error));
        else
            assert_ok(
                shoal_random_fill_uniform(random, harness.queue, buffer, *n, &counter, 0, 1, &test_error));
        harness_read(buffer, got, (*n + 4) * bytes);
        for (size_t i = 0; i < *n; i++) {
            double value = real64 ? ((double *)(void *)got)[i] : (double)((float *)(void *)got)[i];
            double wanted = host_real(normal, real64, i);
            if (!(fabs(value - wanted) <= tolerance))
                fail_msg("element %zu of %zu is %.17g, not %.17g", i, *n, value, wanted);
        }
        for (size_t i = *n * bytes; i < (*n + 4) * bytes; i++)
            assert_int_equal((unsigned char)got[i], 0xA5);
        harness_release();
    }
    shoal_random_destroy(&random);
}

static void uniform_floats_are_those_of_the_host(void **state)
{
    (void)state;
    check_reals(SHOAL_TYPE_FLOAT, false);
}

static void uniform_doubles_are_those_of_the_host(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check_reals(SHOAL_TYPE_DOUBLE, false);
}

static void normal_floats_are_near_those_of_the_host(void **state)
{
    (void)state;
    check_reals(SHOAL_TYPE_FLOAT, true);
}

static void normal_doubles_are_near_those_of_the_host(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check_reals(SHOAL_TYPE_DOUBLE, true);
}

static void limits_of_the_conversions(void **state)
{
    (void)state;
    assert_true(shoal_uniform_float(0) == 0 && shoal_uniform_float(UINT32_MAX) == 1 - FLT_EPSILON / 2);
    assert_true(shoal_uniform_open_float(0) > 0 && shoal_uniform_open_float(UINT32_MAX) < 1);
    assert_true(shoal_uniform_open_float(0) == 1 - shoal_uniform_open_float(UINT32_MAX));
    assert_true(shoal_uniform_double(0, 0) == 0 &&
                shoal_uniform_double(UINT32_MAX, UINT32_MAX) == 1 - DBL_EPSILON / 2);
    assert_true(shoal_uniform_open_double(0, 0) > 0 && shoal_uniform_open_double(UINT32_MAX, UINT32_MAX) < 1);
    for (uint32_t word = 1; word; word <<= 1)
        assert_near(shoal_uniform_double(word, 0), (double)shoal_uniform_float(word), ldexp(1, -24));
    const uint32_t ends[] = {0, 1, UINT32_MAX};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            float a, b;
            double c, d;
            const struct shoal_words words = {ends[i], ends[i], ends[k], ends[k]};
            shoal_normal_float(ends[i], ends[k], &a, &b);
            shoal_normal_double(words, &c, &d);
            assert_true(fabsf(a) <= 6.8f && fabsf(b) <= 6.8f && fabs(c) <= 8.6 && fabs(d) <= 8.6);
        }
}

/* Mean, variance and the tails of the arrays; limits are five standard errors. */
static void moments(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    enum { N = 1000000 };
    const struct shoal_random_counter other = {.seed = counter.seed, .stream = 1, .step = 2};
    struct shoal_random *random = NULL;
    assert_ok(shoal_random_create(harness.device, SHOAL_TYPE_FLOAT, harness.variant, &random, &test_error));
    struct shoal_buffer *buffer = harness_buffer(N * sizeof(float));
    float *got = harness_memory(N * sizeof(float));
    for (int normal = 0; normal < 2; normal++) {
        double mean = 0, square = 0, fourth = 0;
        if (normal)
            assert_ok(shoal_random_fill_normal(random, harness.queue, buffer, N, &other, 3, 2, &test_error));
        else
            assert_ok(
                shoal_random_fill_uniform(random, harness.queue, buffer, N, &other, -1, 5, &test_error));
        harness_read(buffer, got, N * sizeof(float));
        for (size_t i = 0; i < N; i++) {
            double z = normal ? ((double)got[i] - 3) / 2 : ((double)got[i] - 2) / sqrt(3);
            assert_true(normal || (got[i] >= -1 && got[i] <= 5));
            mean += z / N;
            square += z * z / N;
            fourth += z * z * z * z / N;
        }
        assert_near(mean, 0, 5 / sqrt(N));
        assert_near(square, 1, 5 * sqrt((normal ? 2 : 0.8) / N));
        assert_true(fabs(fourth - (normal ? 3 : 1.8)) < 5 * sqrt((normal ? 96 : 5.76) / N));
    }
    shoal_random_destroy(&random);
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_random *random = NULL;
    struct shoal_buffer *small = harness_buffer(16);
    assert_status(shoal_random_create(harness.device, SHOAL_TYPE_UINT, harness.variant, &random, &test_error),
                  SHOAL_INVALID);
    assert_null(random);
    assert_ok(shoal_random_create(harness.device, SHOAL_TYPE_FLOAT, harness.variant, &random, &test_error));
    assert_status(shoal_random_fill_words(random, harness.queue, small, 5, &counter, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_random_fill_words(random, harness.queue, NULL, 1, &counter, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_random_fill_words(random, harness.queue, small, 1, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_random_fill_normal(random, harness.queue, small, 5, &counter, 0, 1, &test_error),
                  SHOAL_INVALID);
    assert_ok(shoal_random_fill_words(random, harness.queue, small, 0, &counter, &test_error));
    assert_ok(shoal_random_fill_uniform(random, harness.queue, small, 0, &counter, 0, 1, &test_error));
    assert_non_null(shoal_random_program(random, 0));
    assert_null(shoal_random_program(random, 1));
    shoal_random_destroy(&random);
    shoal_random_destroy(&random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_gives_published_vectors),
        by_turn(device_gives_published_vectors),
        cmocka_unit_test(words_are_those_of_the_host),
        cmocka_unit_test(uniform_floats_are_those_of_the_host),
        cmocka_unit_test(uniform_doubles_are_those_of_the_host),
        cmocka_unit_test(normal_floats_are_near_those_of_the_host),
        cmocka_unit_test(normal_doubles_are_near_those_of_the_host),
        cmocka_unit_test(limits_of_the_conversions),
        cmocka_unit_test(moments),
        cmocka_unit_test(wrong_arguments),
    };
    return harness_main("philox", tests, sizeof tests / sizeof *tests);
}
