/* Reductions against serial ones in double precision. */
#include "harness.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum fill { RANDOM, WHOLE, SORTED, REVERSED, EQUAL, EXTREMES, SOME_NAN, ALL_NAN, INFINITE, FILLS };
static const char *const fill_names[] = {"random",   "whole numbers", "sorted",  "reversed",       "equal",
                                         "extremes", "some NaN",      "all NaN", "infinite or NaN"};

static double element(enum fill fill, size_t i, size_t n, uint32_t word)
{
    static const double extremes[] = {0.0, -0.0, INFINITY, (double)FLT_MAX, -(double)FLT_MAX, (double)FLT_MIN,
                                      1.0, -1.0};
    switch (fill) {
    case RANDOM:
        return (double)shoal_uniform_float(word) - 0.25;
    case WHOLE:
        return (double)(word % 17) - 8; /* sums below 2^24 are exact in any order */
    case SORTED:
        return (double)i;
    case REVERSED:
        return (double)(n - i);
    case EQUAL:
        return 2.5;
    case EXTREMES:
        return extremes[word % 8];
    case SOME_NAN:
        return word % 3 ? NAN : (double)(word % 1000);
    case INFINITE:
        return word % 3 ? NAN : INFINITY;
    case ALL_NAN:
    case FILLS:
        break;
    }
    return NAN;
}

struct input {
    void *data;
    double *exact; /* the same numbers */
    size_t n;
};

static struct input make_input(enum shoal_type type, enum fill fill, size_t n)
{
    struct input input = {harness_memory(n * 8), harness_memory(n * 8), n};
    uint32_t *words = harness_memory(n * 4);
    harness_words(words, n, (uint32_t)fill);
    for (size_t i = 0; i < n; i++) {
        double value = element(fill, i, n, words[i]);
        if (type == SHOAL_TYPE_DOUBLE) {
            ((double *)input.data)[i] = value;
        } else {
            ((float *)input.data)[i] = (float)value;
            value = (double)(float)value;
        }
        input.exact[i] = value;
    }
    return input;
}

struct expected {
    double sum, size; /* size: sum of magnitudes */
    double least;
    uint32_t index;
};

static struct expected expect(const struct input *input, size_t offset, size_t n)
{
    struct expected e = {0, 0, NAN, UINT32_MAX};
    for (size_t i = 0; i < n; i++) {
        double value = input->exact[offset + i];
        e.sum += value;
        e.size += fabs(value);
        if (e.index == UINT32_MAX || value < e.least || (isnan(e.least) && !isnan(value))) {
            e.least = value;
            e.index = (uint32_t)i;
        }
    }
    return e;
}

enum { RESULT_OFFSET = 3, RESULTS = 5 };

/* Runs into a guarded result and returns it as a double. */
static double run(struct shoal_reduce *reduce, enum shoal_type type, struct shoal_buffer *data, size_t offset,
                  size_t n, struct shoal_buffer *indices, uint32_t *index)
{
    const size_t bytes = type == SHOAL_TYPE_DOUBLE ? 8 : 4;
    unsigned char got[RESULTS * 8];
    uint32_t got_index[RESULTS];
    struct shoal_buffer *result = harness_buffer(RESULTS * bytes);
    const struct shoal_reduce_args args = {data, offset, n, result, indices, RESULT_OFFSET};
    assert_ok(shoal_reduce_run(reduce, harness.queue, &args, &test_error));
    harness_read(result, got, RESULTS * bytes);
    for (size_t i = 0; i < RESULTS * bytes; i++)
        if (i / bytes != RESULT_OFFSET)
            assert_int_equal(got[i], 0xA5);
    if (indices) {
        harness_read(indices, got_index, sizeof got_index);
        *index = got_index[RESULT_OFFSET];
    }
    double value;
    float narrow;
    if (bytes == 8) {
        memcpy(&value, got + RESULT_OFFSET * bytes, 8);
    } else {
        memcpy(&narrow, got + RESULT_OFFSET * bytes, 4);
        value = (double)narrow;
    }
    return value;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_value(enum shoal_reduction reduction, enum shoal_type type, enum fill fill, double got,
                        uint32_t index, const struct expected *wanted, size_t n)
{
    bool good;
    double tolerance = 0;
    if (reduction != SHOAL_SUM) {
        good = same(got, wanted->least) && (reduction == SHOAL_MIN || index == wanted->index);
    } else if (fill == EXTREMES) {
        /* FLT_MAX + FLT_MAX is infinite or not by the order. */
        good = true;
    } else {
        /* A result comes from chains of up to 16384 additions (one work-item that adds up the results of as
         * many groups); rounding errors add up like a random walk: 128 half units, times 4 for safety.
         * Numbers that are multiples of a power of two and sum below the mantissa are exact. */
        if (fill != WHOLE)
            tolerance = 256 * wanted->size * (type == SHOAL_TYPE_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON);
        good = same(got, wanted->sum) || fabs(got - wanted->sum) <= tolerance;
    }
    if (!good)
        fail_msg("%s, n = %zu: %.17g at %u, not %.17g at %u (tolerance %g)", fill_names[fill], n, got,
                 (unsigned)index, reduction == SHOAL_SUM ? wanted->sum : wanted->least,
                 (unsigned)wanted->index, tolerance);
}

static void check_size(struct shoal_reduce *reduce, enum shoal_reduction reduction, enum shoal_type type,
                       enum fill fill, size_t n)
{
    static const size_t offsets[] = {0, 1, 6};
    const size_t bytes = type == SHOAL_TYPE_DOUBLE ? 8 : 4;
    struct input input = make_input(type, fill, n + 6);
    struct shoal_buffer *data = harness_upload(input.data, (n + 6) * bytes);
    struct shoal_buffer *indices = reduction == SHOAL_ARGMIN ? harness_buffer(RESULTS * 4) : NULL;
    for (size_t i = 0; i < 3; i++) {
        const struct expected wanted = expect(&input, offsets[i], n);
        uint32_t index = 0;
        double first = run(reduce, type, data, offsets[i], n, indices, &index);
        check_value(reduction, type, fill, first, index, &wanted, n);
        for (int again = 0; again < 2 && !harness.tiny; again++) {
            double second = run(reduce, type, data, offsets[i], n, indices, &index);
            assert_true(memcmp(&first, &second, sizeof first) == 0 || (isnan(first) && isnan(second)));
        }
    }
    harness_release();
}

/* All ways to share out the elements; the library would take the one for the device. */
enum layout { FAR_APART, SIDE_BY_SIDE, VECTORS };

static void use_layout(enum layout layout)
{
    assert_ok(shoal_tuning_set(harness.device, "lib.reduce", "CHUNKED", layout == SIDE_BY_SIDE, &test_error));
    assert_ok(
        shoal_tuning_set(harness.device, "lib.reduce", "VECTORS", layout == VECTORS ? 4 : 0, &test_error));
}

static void check_layout(enum shoal_reduction reduction, enum shoal_type type)
{
    struct shoal_reduce *reduce = NULL;
    const size_t *sizes = harness_sizes();
    size_t largest = 0;
    for (const size_t *n = sizes; *n; n++)
        largest = *n > largest ? *n : largest;
    assert_ok(
        shoal_reduce_create(harness.device, reduction, type, largest, harness.variant, &reduce, &test_error));
    for (int fill = 0; fill < FILLS; fill++)
        for (const size_t *n = sizes; *n; n++)
            check_size(reduce, reduction, type, (enum fill)fill, *n);
    check_size(reduce, reduction, type, RANDOM, 0);
    shoal_reduce_destroy(&reduce);
}

static void check_reduction(enum shoal_reduction reduction, enum shoal_type type)
{
    const bool has_vectors = reduction == SHOAL_ARGMIN && type == SHOAL_TYPE_FLOAT;
    for (int layout = FAR_APART; layout <= (has_vectors ? VECTORS : SIDE_BY_SIDE); layout++) {
        if (!harness_takes_case())
            continue;
        use_layout((enum layout)layout);
        check_layout(reduction, type);
    }
}

static void sum_of_floats(void **state)
{
    (void)state;
    check_reduction(SHOAL_SUM, SHOAL_TYPE_FLOAT);
}

static void sum_of_doubles(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check_reduction(SHOAL_SUM, SHOAL_TYPE_DOUBLE);
}

static void min_of_floats(void **state)
{
    (void)state;
    check_reduction(SHOAL_MIN, SHOAL_TYPE_FLOAT);
}

static void min_of_doubles(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check_reduction(SHOAL_MIN, SHOAL_TYPE_DOUBLE);
}

static void argmin_of_floats(void **state)
{
    (void)state;
    check_reduction(SHOAL_ARGMIN, SHOAL_TYPE_FLOAT);
}

static void argmin_of_doubles(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check_reduction(SHOAL_ARGMIN, SHOAL_TYPE_DOUBLE);
}

/* Few different values: the lowest index must win within a work-item, a group and the table of groups. */
static void ties_go_to_the_lowest_index(void **state)
{
    (void)state;
    const size_t n = harness.tiny ? 300 : 300000;
    struct shoal_reduce *reduce = NULL;
    assert_ok(shoal_reduce_create(harness.device, SHOAL_ARGMIN, SHOAL_TYPE_FLOAT, n, harness.variant, &reduce,
                                  &test_error));
    for (size_t first = 0; first < n; first = 2 * first + 1) {
        float *data = harness_memory(n * sizeof *data);
        for (size_t i = 0; i < n; i++)
            data[i] = i < first ? 1.0f : i % 3 ? 0.0f : -0.0f;
        struct shoal_buffer *buffer = harness_upload(data, n * sizeof *data);
        struct shoal_buffer *indices = harness_buffer(RESULTS * 4);
        uint32_t index = 0;
        run(reduce, SHOAL_TYPE_FLOAT, buffer, 0, n, indices, &index);
        assert_int_equal(index, first);
        harness_release();
    }
    shoal_reduce_destroy(&reduce);
}

static void check_words(struct shoal_reduce *reduce, size_t n, bool largest)
{
    const size_t offset = 3;
    uint32_t *words = harness_memory((n + offset) * 4);
    uint64_t wanted = 0, got[3];
    harness_words(words, n + offset, 0);
    if (largest)
        memset(words, 0xff, (n + offset) * 4);
    for (size_t i = 0; i < n; i++)
        wanted += words[offset + i];
    struct shoal_buffer *data = harness_upload(words, (n + offset) * 4), *result = harness_buffer(sizeof got);
    const struct shoal_reduce_args args = {data, offset, n, result, NULL, 1};
    assert_ok(shoal_reduce_run(reduce, harness.queue, &args, &test_error));
    harness_read(result, got, sizeof got);
    assert_true(got[1] == wanted);
    assert_true(got[0] == 0xA5A5A5A5A5A5A5A5u && got[2] == got[0]);
    harness_release();
}

static void sum_of_words(void **state)
{
    (void)state;
    struct shoal_reduce *reduce = NULL;
    use_layout(0);
    assert_ok(shoal_reduce_create(harness.device, SHOAL_SUM, SHOAL_TYPE_UINT, 1000003, harness.variant,
                                  &reduce, &test_error));
    check_words(reduce, 0, false);
    for (const size_t *n = harness_sizes(); *n; n++) {
        check_words(reduce, *n, false);
        check_words(reduce, *n, true);
    }
    shoal_reduce_destroy(&reduce);
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_reduce *reduce = NULL;
    struct shoal_device *device = harness.device;
    assert_status(
        shoal_reduce_create(device, SHOAL_MIN, SHOAL_TYPE_UINT, 4, harness.variant, &reduce, &test_error),
        SHOAL_INVALID);
    assert_status(
        shoal_reduce_create(device, SHOAL_SUM, SHOAL_TYPE_LONG, 4, harness.variant, &reduce, &test_error),
        SHOAL_INVALID);
    assert_status(
        shoal_reduce_create(device, SHOAL_SUM, SHOAL_TYPE_FLOAT, 0, harness.variant, &reduce, &test_error),
        SHOAL_INVALID);
    assert_status(shoal_reduce_create(device, SHOAL_SUM, SHOAL_TYPE_FLOAT, (size_t)SHOAL_PRIMITIVE_MAX + 1,
                                      harness.variant, &reduce, &test_error),
                  SHOAL_INVALID);
    assert_null(reduce);
    assert_ok(shoal_reduce_create(device, SHOAL_ARGMIN, SHOAL_TYPE_FLOAT, 8, harness.variant, &reduce,
                                  &test_error));
    struct shoal_buffer *data = harness_buffer(32), *one = harness_buffer(4), *index = harness_buffer(4);
    const struct shoal_reduce_args wrong[] = {
        {data, 0, 9, one, index, 0}, {data, 1, 8, one, index, 0}, {data, SIZE_MAX, 8, one, index, 0},
        {data, 0, 8, one, index, 1}, {data, 0, 8, one, NULL, 0},  {data, 0, 8, data, index, 0},
        {data, 0, 8, one, one, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_status(shoal_reduce_run(reduce, harness.queue, &wrong[i], &test_error), SHOAL_INVALID);
    assert_status(shoal_reduce_run(reduce, harness.queue, NULL, &test_error), SHOAL_INVALID);
    assert_non_null(shoal_reduce_program(reduce, 0));
    assert_null(shoal_reduce_program(reduce, 1));
    shoal_reduce_destroy(&reduce);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_of_floats),
        cmocka_unit_test(sum_of_doubles),
        cmocka_unit_test(min_of_floats),
        cmocka_unit_test(min_of_doubles),
        cmocka_unit_test(argmin_of_floats),
        cmocka_unit_test(argmin_of_doubles),
        cmocka_unit_test(ties_go_to_the_lowest_index),
        cmocka_unit_test(sum_of_words),
        cmocka_unit_test(wrong_arguments),
    };
    return harness_main("reduce", tests, sizeof tests / sizeof *tests);
}
