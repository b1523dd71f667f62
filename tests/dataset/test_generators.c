/* Generated data sets against their rules, computed another time in the plainest form. */
#include "unit.h"

#include <math.h>
#include <shoal/dataset.h>
#include <shoal/rng.h>

static struct shoal_dataset *generate(const char *kind, size_t rows, size_t inputs, size_t hidden,
                                      size_t classes, double wrong, uint64_t seed)
{
    struct shoal_dataset_generator generator;
    struct shoal_dataset *dataset = NULL;
    shoal_dataset_generator_init(&generator);
    generator.kind = kind;
    generator.rows = rows;
    generator.inputs = inputs;
    generator.hidden = hidden;
    generator.classes = classes;
    generator.wrong = wrong;
    generator.seed = seed;
    assert_ok(shoal_dataset_generate(&generator, &dataset, &test_error));
    return dataset;
}

static double value_at(const struct shoal_dataset *dataset, size_t row, size_t column)
{
    double value;
    assert_ok(shoal_dataset_read(dataset, column, row, 1, &value, &test_error));
    return value;
}

static uint32_t word_at(uint64_t seed, uint32_t stream, uint32_t step, uint32_t index, uint32_t number)
{
    const struct shoal_words words = shoal_random_words(seed, stream, step, index, number / 4);
    return number % 4 == 0 ? words.x : number % 4 == 1 ? words.y : number % 4 == 2 ? words.z : words.w;
}

static void parity_of_bits(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = generate("parity", 0, 5, 0, 0, 0, 1);
    assert_int_equal(shoal_dataset_get_info(dataset)->rows, 32);
    assert_int_equal(shoal_dataset_get_info(dataset)->bytes, 32); /* six bits a row */
    for (size_t row = 0; row < 32; row++) {
        for (size_t k = 0; k < 5; k++)
            assert_true(value_at(dataset, row, k) == (row >> (4 - k) & 1));
        assert_true(value_at(dataset, row, 5) == __builtin_popcountl(row) % 2);
    }
    shoal_dataset_destroy(&dataset);
    dataset = generate("parity", 40, 130, 0, 0, 0, 7);
    for (uint32_t row = 0; row < 40; row++) {
        unsigned ones = 0;
        for (uint32_t k = 0; k < 130; k++) {
            const unsigned bit = word_at(7, SHOAL_STREAM_DATASET_ROW, 0, row, k / 32) >> k % 32 & 1;
            assert_true(value_at(dataset, row, k) == bit);
            ones += bit;
        }
        assert_true(value_at(dataset, row, 130) == ones % 2);
    }
    shoal_dataset_destroy(&dataset);
}

static void two_spirals(void **state)
{
    (void)state;
    for (size_t rows = 194; rows <= 1000; rows += 806) {
        struct shoal_dataset *dataset = generate("spirals", rows, 0, 0, 0, 0, 1);
        for (size_t row = 0; row < rows; row++) {
            const double i = (double)(row / 2) * 96 / (double)(rows / 2 - 1), r = 6.5 * (104 - i) / 104,
                         side = row % 2 ? -1 : 1;
            /* Both sines are within some ulp of the exact one. */
            assert_near(value_at(dataset, row, 0), side * r * sin(i * M_PI / 16), 1e-14);
            assert_near(value_at(dataset, row, 1), side * r * cos(i * M_PI / 16), 1e-14);
            assert_true(value_at(dataset, row, 2) == (row % 2 == 0));
        }
        /* Angles of 0, 1/2 and 1 turn are exact. */
        for (size_t row = 0; row < rows && rows == 194; row += 32)
            assert_true(value_at(dataset, row, 0) == 0 && !signbit(value_at(dataset, row, 0)));
        shoal_dataset_destroy(&dataset);
    }
}

static void random_numbers_and_classes(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = generate("random", 500, 7, 0, 3, 0, 5);
    const struct shoal_dataset_column *target = shoal_dataset_column_at(dataset, 7);
    for (uint32_t row = 0; row < 500; row++) {
        for (uint32_t k = 0; k < 7; k++)
            assert_true(value_at(dataset, row, k) ==
                        ldexp(word_at(5, SHOAL_STREAM_DATASET_ROW, 0, row, k), -32));
        const uint64_t word = shoal_random_words(5, SHOAL_STREAM_DATASET_ROW, 0, row, 1u << 31).x;
        assert_true(value_at(dataset, row, 7) == floor((double)word * 3 / 4294967296.0));
    }
    assert_int_equal(target->category_count, 3);
    assert_string_equal(target->categories[2], "c2");
    assert_int_equal(target->counts[0] + target->counts[1] + target->counts[2], 500);
    shoal_dataset_destroy(&dataset);
}

enum { INPUTS = 35, HIDDEN = 9, CLASSES = 12, ROWS = 2000 };

/* The class of one row by the rule of docs/data.md. */
static int taught(const struct shoal_dataset *dataset, size_t row, uint64_t seed)
{
    double greatest = -INFINITY, hidden[HIDDEN];
    int best = 0;
    for (uint32_t j = 0; j < HIDDEN; j++) {
        hidden[j] = 0;
        for (uint32_t i = 0; i < INPUTS; i++) {
            const double weight = 2.0 * (word_at(seed, SHOAL_STREAM_DATASET_NET, 0, j, i) >> 24) - 255;
            hidden[j] += value_at(dataset, row, i) > 0 ? weight : -weight;
        }
        hidden[j] = fmax(-256 * 5, fmin(256 * 5, hidden[j]));
    }
    for (uint32_t k = 0; k < CLASSES; k++) {
        double sum = 0;
        for (uint32_t j = 0; j < HIDDEN; j++)
            sum += (2.0 * (word_at(seed, SHOAL_STREAM_DATASET_NET, 1, k, j) >> 24) - 255) * hidden[j];
        if (sum > greatest) {
            greatest = sum;
            best = (int)k;
        }
    }
    return best;
}

static void a_teacher_and_wrong_labels(void **state)
{
    (void)state;
    struct shoal_dataset *right = generate("teacher", ROWS, INPUTS, HIDDEN, CLASSES, 0, 3),
                         *some = generate("teacher", ROWS, INPUTS, HIDDEN, CLASSES, 0.25, 3),
                         *all = generate("teacher", ROWS, INPUTS, HIDDEN, CLASSES, 1, 3);
    unsigned wrong = 0, by_class[CLASSES] = {0};
    for (size_t row = 0; row < ROWS; row++) {
        const int label = (int)value_at(right, row, INPUTS), other = (int)value_at(some, row, INPUTS);
        if (row < 100)
            assert_int_equal(label, taught(right, row, 3));
        wrong += other != label;
        by_class[((int)value_at(all, row, INPUTS) - label + CLASSES) % CLASSES]++;
    }
    /* Four standard deviations of a share of 1/4; of one class of eleven about five. */
    assert_near(wrong, 0.25 * ROWS, 4 * sqrt(ROWS * 0.25 * 0.75));
    assert_int_equal(by_class[0], 0);
    for (int k = 1; k < CLASSES; k++)
        assert_near(by_class[k], ROWS / 11.0, 5 * sqrt(ROWS / 11.0));
    assert_int_equal(shoal_dataset_get_info(right)->target_width, CLASSES);
    assert_string_equal(shoal_dataset_column_at(right, INPUTS)->categories[3], "c03");
    shoal_dataset_destroy(&right);
    shoal_dataset_destroy(&some);
    shoal_dataset_destroy(&all);
}

static void sizes_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        size_t rows, inputs, hidden, classes;
        double wrong;
        const char *message;
    } cases[] = {
        {NULL, 0, 0, 0, 0, 0, "'' is none of xor, parity"},
        {"net", 0, 0, 0, 0, 0, "'net' is none of"},
        {"xor", 0, 3, 0, 0, 0, "inputs: xor has no such size"},
        {"parity", 0, 0, 0, 3, 0, "classes: parity has no such size"},
        {"parity", 0, 21, 0, 0, 0, "21 bits have too many"},
        {"teacher", 0, 4097, 0, 0, 0, "inputs: 4097 is not between 1 and 4096"},
        {"teacher", 0, 0, 0, 1, 0, "classes: 1 is not between 2 and 4096"},
        {"teacher", 0, 0, 0, 0, 1.5, "wrong: 1.5 is not between 0 and 1"},
        {"teacher", 0, 0, 0, 0, NAN, "wrong: nan is not between 0 and 1"},
        {"random", 0, 0, 0, 0, 0.5, "wrong: random has no wrong labels"},
        {"spirals", 2, 0, 0, 0, 0, "an even number from 4 on, not 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        struct shoal_dataset_generator generator;
        struct shoal_dataset *dataset;
        shoal_dataset_generator_init(&generator);
        generator.kind = cases[i].kind;
        generator.rows = cases[i].rows;
        generator.inputs = cases[i].inputs;
        generator.hidden = cases[i].hidden;
        generator.classes = cases[i].classes;
        generator.wrong = cases[i].wrong;
        assert_status(shoal_dataset_generate(&generator, &dataset, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(dataset);
    }
    struct shoal_dataset_generator generator;
    struct shoal_dataset *dataset;
    shoal_dataset_generator_init(&generator);
    generator.kind = "xor";
    generator.rows = (size_t)1 << 60;
    assert_status(shoal_dataset_generate(&generator, &dataset, &test_error), SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, "lower rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(parity_of_bits),
        UNIT_TEST(two_spirals),
        UNIT_TEST(random_numbers_and_classes),
        UNIT_TEST(a_teacher_and_wrong_labels),
        UNIT_TEST(sizes_that_are_refused),
    };
    return cmocka_run_group_tests_name("generated data sets", tests, NULL, NULL);
}
