/* Models in the optimiser: from the ranges of the parameters to the least-squares optimum and its errors. */
#include "curve.h"
#include "unit.h"

#include <shoal/optimise.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void set_curve(struct shoal_optimiser *optimiser, size_t rows, double *numbers)
{
    static const char *const names[] = {"t", "y"};
    const double *const values[] = {numbers, numbers + rows};
    struct shoal_model model;
    curve_rows(rows, numbers, numbers + rows);
    shoal_model_init(&model);
    model.formula = curve_formula;
    model.parameters = curve_ranges;
    model.parameter_count = CURVE_PARAMETERS;
    model.columns = names;
    model.values = values;
    model.column_count = COUNT(names);
    model.rows = rows;
    model.target = "y";
    assert_ok(shoal_optimiser_set_model(optimiser, &model, &test_error));
}

static void assert_optimal(const struct curve_fit *known, const double *x, double value)
{
    assert_near(value, known->squares, 1e-6 * known->squares);
    for (size_t p = 0; p < CURVE_PARAMETERS; p++) {
        test_label("parameter %s", curve_ranges[p].name);
        assert_near(x[p], known->parameters[p], known->errors[p]);
    }
}

/* Without a box: the ranges are. */
static void a_curve_is_fitted(void **state)
{
    (void)state;
    const struct curve_fit *known = &curve_fits[0];
    static const char *const algorithms[] = {"pso", "ga"};
    double *numbers = malloc(2 * known->rows * sizeof *numbers), x[CURVE_PARAMETERS], value;
    for (size_t i = 0; i < COUNT(algorithms); i++) {
        struct shoal_optimiser *optimiser;
        struct shoal_fit fit = {.size = sizeof fit};
        assert_ok(shoal_optimiser_create(CURVE_PARAMETERS, &optimiser, &test_error));
        assert_ok(shoal_optimiser_set_algorithm(optimiser, algorithms[i], &test_error));
        assert_status(shoal_optimiser_fit(optimiser, &fit, &test_error), SHOAL_INVALID);
        set_curve(optimiser, known->rows, numbers);
        memset(numbers, 0, 2 * known->rows * sizeof *numbers); /* it has been copied */
        assert_status(shoal_optimiser_fit(optimiser, &fit, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "no position yet");
        shoal_optimiser_params(optimiser)->evaluations = 15000;
        shoal_optimiser_params(optimiser)->polish = 5000;
        assert_true(shoal_optimise(optimiser, x, &value, &test_error) > 0);
        test_label("%s", algorithms[i]);
        assert_optimal(known, x, value);
        assert_ok(shoal_optimiser_fit(optimiser, &fit, &test_error));
        assert_close(fit.value, value, 1e-12); /* summed in another order */
        assert_int_equal(fit.rank, CURVE_PARAMETERS);
        for (size_t p = 0; p < CURVE_PARAMETERS; p++)
            assert_near(fit.errors[p], known->errors[p], 0.01 * known->errors[p]);
        shoal_fit_free(&fit);
        shoal_optimiser_destroy(&optimiser);
    }
    free(numbers);
}

/* A line whose optimum is far beyond the bound of its slope: the first steps from within are too long, and
 * those that are damped more lead to the bound, where the rest is a mean. */
static void a_line_ends_at_its_bound(void **state)
{
    (void)state;
    enum { ROWS = 199 };
    static const struct shoal_model_parameter ranges[] = {{"a", -5, 5}, {"b", -5, 5}};
    static const char *const names[] = {"t", "y"};
    double t[ROWS], y[ROWS], x[2], value, mean = 0, squares = 0;
    const double *const values[] = {t, y};
    struct shoal_model model;
    for (size_t j = 0; j < ROWS; j++) {
        t[j] = 0.002 * (double)j;
        y[j] = 3 - 9 * t[j] + 0.15 * curve_noise(j);
        mean += (y[j] + 5 * t[j]) / ROWS;
    }
    for (size_t j = 0; j < ROWS; j++)
        squares += (y[j] + 5 * t[j] - mean) * (y[j] + 5 * t[j] - mean);
    shoal_model_init(&model);
    model.formula = "a*t + b";
    model.parameters = ranges;
    model.parameter_count = 2;
    model.columns = names;
    model.values = values;
    model.column_count = 2;
    model.rows = ROWS;
    model.target = "y";
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct shoal_optimiser *optimiser;
        struct shoal_fit fit = {.size = sizeof fit};
        assert_ok(shoal_optimiser_create(2, &optimiser, &test_error));
        assert_ok(shoal_optimiser_set_model(optimiser, &model, &test_error));
        shoal_optimiser_params(optimiser)->evaluations = 60;
        shoal_optimiser_params(optimiser)->seed = seed;
        shoal_optimiser_params(optimiser)->refine = SHOAL_REFINE_LEAST_SQUARES;
        assert_true(shoal_optimise(optimiser, x, &value, &test_error) > 0);
        test_label("seed %d", (int)seed);
        assert_true(x[0] == -5);
        assert_near(x[1], mean, 1e-8);
        assert_near(value, squares, 1e-12 * squares);
        assert_ok(shoal_optimiser_fit(optimiser, &fit, &test_error));
        assert_int_equal(fit.at_bound[0], -1);
        assert_int_equal(fit.at_bound[1], 0);
        shoal_fit_free(&fit);
        shoal_optimiser_destroy(&optimiser);
    }
}

static void dimensions_are_those_of_the_model(void **state)
{
    (void)state;
    double numbers[2 * 20], x[4], value;
    struct shoal_optimiser *optimiser;
    struct shoal_fit fit = {.size = sizeof fit};
    assert_ok(shoal_optimiser_create(4, &optimiser, &test_error));
    set_curve(optimiser, 20, numbers);
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) == SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "model");
    assert_status(shoal_optimiser_set_model(optimiser, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_fit(optimiser, NULL, &test_error), SHOAL_INVALID);
    assert_ok(shoal_optimiser_set_function(optimiser, "sphere", &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 100;
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) > 0);
    assert_status(shoal_optimiser_fit(optimiser, &fit, &test_error), SHOAL_UNSUPPORTED);
    shoal_optimiser_destroy(&optimiser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(a_curve_is_fitted),
        UNIT_TEST(a_line_ends_at_its_bound),
        UNIT_TEST(dimensions_are_those_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
