/* The functions of the benchmark BBOB and their instances, on the host. */
#include "unit.h"

#include "objective/instances/instance.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { FUNCTIONS = 24, POINTS = 2, MAX_DIM = 40 };

static struct shoal_objective *instance(int function, uint64_t number, size_t dim)
{
    char name[16];
    struct shoal_objective *objective = NULL;
    snprintf(name, sizeof name, "bbob-f%d", function);
    test_label("%s instance %d, dim %zu", name, (int)number, dim);
    assert_ok(shoal_objective_from_bbob(name, number, dim, &objective, &test_error));
    return objective;
}

/* Values by COCO 2.8.2 (Python package coco-experiment): a line for each instance and dimension of
 * tests/python/test_bbob.py, which printed them with --values and makes the same points. Numbers are
 * compared to 1e-10: another library or fused multiply-add rounds other digits, and f19 takes cosines of
 * numbers up to 1e6. */
static void values_are_those_of_the_benchmark(void **state)
{
    static const size_t dims[] = {2, 5, 20};
    static const uint64_t numbers[] = {1, 2, 7};
    static const double wanted[FUNCTIONS][COUNT(dims) * COUNT(numbers) * POINTS] = {
#include "bbob_values.inc"
    };
    (void)state;
    for (int f = 1; f <= FUNCTIONS; f++) {
        const double *value = wanted[f - 1];
        for (size_t k = 0; k < COUNT(dims); k++)
            for (size_t n = 0; n < COUNT(numbers); n++) {
                struct shoal_objective *objective = instance(f, numbers[n], dims[k]);
                for (size_t p = 0; p < POINTS; p++, value++) {
                    double x[20];
                    for (size_t i = 0; i < dims[k]; i++)
                        x[i] = 12 * (double)((p * dims[k] + i + 1) * 7919 % 10007) / 10007 - 6;
                    assert_near(shoal_objective_value(objective, x, dims[k]), *value,
                                1e-10 * fmax(1, fabs(*value)));
                }
                shoal_objective_destroy(&objective);
            }
    }
}

/* Row 1 of the table is the minimiser. The benchmark rounds the one of f20 after ten digits. */
static void minima_are_least_values(void **state)
{
    static const size_t dims[] = {2, 7, MAX_DIM};
    (void)state;
    for (int f = 1; f <= FUNCTIONS; f++)
        for (size_t k = 0; k < COUNT(dims); k++) {
            const size_t dim = dims[k];
            struct shoal_objective *objective = instance(f, 3, dim);
            const double *const optimum = instance_of(objective)->numbers + dim;
            const double minimum = shoal_objective_minimum(objective, dim);
            assert_near(shoal_objective_value(objective, optimum, dim), minimum, f == 20 ? 1e-7 : 1e-9);
            for (uint32_t p = 0; p < 40; p++) {
                const double span = p % 2 ? 6 : 0.01;
                double x[MAX_DIM];
                for (uint32_t i = 0; i < dim; i++) {
                    const struct shoal_words words = shoal_random_words(1, 0, p, i, (uint32_t)f);
                    x[i] = optimum[i] + span * (2 * shoal_uniform_double(words.x, words.y) - 1);
                    assert_true(fabs(optimum[i]) <= 5);
                }
                assert_true(shoal_objective_value(objective, x, dim) >= minimum - (f == 20 ? 1e-7 : 0));
            }
            shoal_objective_destroy(&objective);
        }
}

static void pairs_of_functions_share_their_seeds(void **state)
{
    static const int pairs[][2] = {{3, 4}, {17, 18}};
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct shoal_objective *first = instance(pairs[i][0], 7, 5), *second = instance(pairs[i][1], 7, 5);
        assert_true(shoal_objective_minimum(first, 5) == shoal_objective_minimum(second, 5));
        shoal_objective_destroy(&first);
        shoal_objective_destroy(&second);
    }
}

static void an_instance_says_what_it_is(void **state)
{
    const double x[5] = {1, -2, 3, 0.5, 0};
    (void)state;
    const struct shoal_objective *none = shoal_objective_find("bbob-f15");
    assert_non_null(none);
    assert_true(isnan(shoal_objective_value(none, x, 5)) && isnan(shoal_objective_minimum(none, 5)));
    struct shoal_objective *objective = instance(15, 1, 5), *by_default = NULL;
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_string_equal(info->name, "bbob-f15 instance 1");
    assert_int_equal(info->shape, SHOAL_OPAQUE);
    assert_true(info->min_dim == 5 && info->max_dim == 5 && info->lower == -5 && info->upper == 5);
    assert_ok(shoal_objective_from_instance("bbob-f15", NULL, 5, &by_default, &test_error));
    assert_true(shoal_objective_value(by_default, x, 5) == shoal_objective_value(objective, x, 5));
    shoal_objective_destroy(&by_default);
    shoal_objective_destroy(&objective);
    objective = instance(24, 200000, 40);
    shoal_objective_destroy(&objective);
}

/* Values of several instances are differences from their minima. */
static void several_instances_share_an_objective(void **state)
{
    enum { DIM = 5, MOST = 1024 };
    static const uint64_t numbers[3] = {7, 1, 9};
    const double x[DIM] = {1, -2, 3, 0.5, 6};
    (void)state;
    for (int f = 1; f <= FUNCTIONS; f++) {
        char name[16];
        struct shoal_objective *all = NULL;
        snprintf(name, sizeof name, "bbob-f%d", f);
        assert_ok(shoal_objective_from_bbob_instances((const char *const[]){name, name, name}, numbers, 3,
                                                      DIM, &all, &test_error));
        assert_true(shoal_objective_minimum(all, DIM) == 0);
        for (size_t run = 0; run < 6; run++) {
            struct shoal_objective *one = instance(f, numbers[run % 3], DIM);
            const double wanted = shoal_objective_value(one, x, DIM) - shoal_objective_minimum(one, DIM);
            const double got = all->value_of_run(all, run, x, DIM);
            assert_near(got, wanted, 1e-12 * fmax(1000, fabs(wanted)));
            assert_true(run || got == shoal_objective_value(all, x, DIM));
            shoal_objective_destroy(&one);
        }
        shoal_objective_destroy(&all);
    }
    struct shoal_objective *none = NULL;
    const uint64_t wrong[2] = {1, 0};
    static const char *const first[MOST + 1] = {"bbob-f1", "bbob-f1", "bbob-f1"}, *const other[3] = {
                                                                                      "bbob-f1", "bbob-f2",
                                                                                      "sphere"};
    assert_status(shoal_objective_from_bbob_instances(first, numbers, 0, DIM, &none, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "1 to 1024 instances, not 0");
    assert_status(shoal_objective_from_bbob_instances(first, numbers, MOST + 1, DIM, &none, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_objective_from_bbob_instances(first, wrong, 2, DIM, &none, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "instance 0 is asked for");
    assert_status(shoal_objective_from_bbob_instances(first, numbers, 3, 41, &none, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_objective_from_bbob_instances(other, numbers, 3, DIM, &none, &test_error),
                  SHOAL_INVALID);
    assert_null(none);
}

static void wrong_instances_are_refused(void **state)
{
    static const struct {
        const char *function;
        uint64_t number;
        size_t dim;
        const char *words;
    } cases[] = {
        {"bbob-f15", 0, 5, "bbob-f15 has instances 1 to 200000, instance 0 is asked for"},
        {"bbob-f15", 200001, 5, "bbob-f15 has instances 1 to 200000, instance 200001 is asked for"},
        {"bbob-f15", 1, 1, "bbob-f15 has 2 to 40 dimensions, 1 are asked for"},
        {"bbob-f15", 1, 41, "bbob-f15 has 2 to 40 dimensions, 41 are asked for"},
        {"bbob-f25", 1, 5, "bbob-f25 has no numbered instances: bbob-f1 to bbob-f24 have them"},
        {"sphere", 1, 5, "sphere has no numbered instances"},
        {"nk", 1, 5, "nk has no numbered instances"},
    };
    struct shoal_objective *objective = NULL;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i].words);
        assert_status(shoal_objective_from_bbob(cases[i].function, cases[i].number, cases[i].dim, &objective,
                                                &test_error),
                      SHOAL_INVALID);
        assert_null(objective);
        assert_non_null(strstr(test_error.message, cases[i].words));
    }
    assert_status(shoal_objective_from_instance("bbob-f15", "file", 5, &objective, &test_error),
                  SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "leave out --data"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(values_are_those_of_the_benchmark),    UNIT_TEST(minima_are_least_values),
        UNIT_TEST(pairs_of_functions_share_their_seeds), UNIT_TEST(an_instance_says_what_it_is),
        UNIT_TEST(wrong_instances_are_refused),          UNIT_TEST(several_instances_share_an_objective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
