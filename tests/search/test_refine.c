/* Sums of squares that are refined: by the command's parameters on the host and a device, and what is not. */
#include "curve.h"
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/pso.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct shoal_objective *curve_of(const struct curve_fit *fit)
{
    static const char *const names[] = {"t", "y"};
    double *numbers = harness_memory(2 * fit->rows * sizeof *numbers);
    const double *const values[] = {numbers, numbers + fit->rows};
    struct shoal_objective *objective;
    struct shoal_model model;
    curve_rows(fit->rows, numbers, numbers + fit->rows);
    shoal_model_init(&model);
    model.formula = curve_formula;
    model.parameters = curve_ranges;
    model.parameter_count = CURVE_PARAMETERS;
    model.columns = names;
    model.values = values;
    model.column_count = COUNT(names);
    model.rows = fit->rows;
    model.target = "y";
    assert_ok(shoal_objective_from_model(&model, &objective, &test_error));
    return objective;
}

static struct shoal_pso_params params_for(const struct shoal_objective *objective)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = objective;
    params.particles = 40;
    params.update = SHOAL_PSO_SPSO2011;
    params.topology = SHOAL_PSO_RANDOM;
    params.search.iterations = 1000;
    params.search.stagnation = 100;
    params.search.stagnation_tolerance = 1e-4;
    return params;
}

static void run(struct shoal_solver *solver, struct shoal_result *result)
{
    while (harness_step(solver, 100) == 100)
        ;
    assert_ok(shoal_solver_result(solver, result, &test_error));
    assert_true(result->check_passed);
}

/* The curve from three seeds, as SciPy's Levenberg-Marquardt finds it: of 301 points on the device, of 5000
 * on the host. */
static void a_curve_is_fitted(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct curve_fit *fit = &curve_fits[k];
        struct shoal_device *device = k ? test_host_device(harness.shoal) : harness.device;
        struct shoal_objective *objective = curve_of(fit);
        struct shoal_pso_params params = params_for(objective);
        params.search.runs = 3;
        struct shoal_solver *solver = harness_solver("pso", device, &params);
        struct shoal_result result = {0};
        run(solver, &result);
        const struct shoal_field *runs = shoal_result_find(&result, "run_values"),
                                 *x = shoal_result_find(&result, "position");
        for (size_t r = 0; r < params.search.runs; r++)
            assert_near(runs ? runs->reals[r] : result.value, fit->squares, 1e-6 * fit->squares);
        for (size_t p = 0; p < CURVE_PARAMETERS; p++)
            assert_near(x->reals[p], fit->parameters[p], 1e-4 * fit->errors[p]);
        assert_true(shoal_result_find(&result, "refined")->uint > 0);
        shoal_solver_destroy(&solver);
        shoal_objective_destroy(&objective);
        harness_release();
    }
}

enum { ROWS = 40, DIM = 3 };

/* No point of the box nearby has a lower sum of absolute residuals, so that none has: the sum is convex. */
static void assert_least_absolute(const double *numbers, const double *x, double value)
{
    uint32_t state = 1;
    for (size_t k = 0; k < 300; k++) {
        double other[DIM], sum = 0;
        for (size_t d = 0; d < DIM; d++) {
            state = state * 1664525u + 1013904223u;
            other[d] = fmin(x[d] + 1e-3 * ((double)state / 2147483648.0 - 1), 5);
        }
        for (size_t row = 0; row < ROWS; row++) {
            const double *at = numbers + row * (DIM + 1);
            sum += fabs(at[3] - other[0] * at[0] - other[1] * at[1] - other[2] * at[2]);
        }
        test_label("neighbour %zu", k);
        assert_true(sum > value - 1e-7 * value);
    }
}

static void assert_without_refinement(const char *what, struct shoal_pso_params *params)
{
    struct shoal_result result = {0};
    test_label("%s", what);
    struct shoal_solver *solver = harness_solver("pso", test_host_device(harness.shoal), params);
    run(solver, &result);
    assert_null(shoal_result_find(&result, "refined"));
    shoal_solver_destroy(&solver);
}

/* On the host: with the rows of a table, residuals without a rule, and at the edge of the box; by a pattern
 * search for absolute residuals. */
static void tables_and_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        NULL,
        "#define SHAPE DATA_ROWS\n"
        "static inline real objective_residual(const real *x, const real *row)\n"
        "{ return row[3] - x[0] * row[0] - x[1] * row[1] - x[2] * row[2]; }\n",
        "#define SHAPE DATA_ROWS\n#define RULE(r) fabs(r)\n"
        "static inline real objective_residual(const real *x, const real *row)\n"
        "{ return row[3] - x[0] * row[0] - x[1] * row[1] - x[2] * row[2]; }\n"};
    double numbers[ROWS * (DIM + 1)];
    for (size_t row = 0; row < ROWS; row++) {
        double *at = numbers + row * (DIM + 1);
        at[DIM] = 0;
        for (size_t d = 0; d < DIM; d++) {
            at[d] = sin((double)(row * (d + 1)) * 1.7 + (double)d);
            at[DIM] += at[d] * (d == 1 ? 7 : 0.5);
        }
    }
    for (size_t k = 0; k < COUNT(texts); k++) {
        struct shoal_rows rows = {.size = sizeof rows,
                                  .values = numbers,
                                  .rows = ROWS,
                                  .columns = DIM + 1,
                                  .text = texts[k],
                                  .dim = DIM};
        struct shoal_objective *objective;
        struct shoal_result result = {0};
        assert_ok(shoal_objective_from_rows(harness.shoal, &rows, &objective, &test_error));
        struct shoal_pso_params params = params_for(objective);
        params.search.lower = -5;
        params.search.upper = 5; /* the second coordinate of the minimum, 7, is outside */
        params.search.iterations = 30;
        struct shoal_solver *solver = harness_solver("pso", test_host_device(harness.shoal), &params);
        harness_step(solver, 3);
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        const double before = result.value;
        assert_null(shoal_result_find(&result, "refined"));
        run(solver, &result);
        const struct shoal_field *x = shoal_result_find(&result, "position");
        assert_true(result.value < before);
        assert_true(shoal_result_find(&result, "refined")->uint > 0);
        if (k == 2)
            assert_least_absolute(numbers, x->reals, result.value);
        if (k < 2) {
            assert_true(x->reals[1] == 5);
            /* The slope along the others is 0 as far as the sum, some 80, tells: its least change of 16
             * epsilon is that of a slope of some 1e-6. */
            for (size_t d = 0; d < DIM; d += 2) {
                double slope = 0;
                for (size_t row = 0; row < ROWS; row++) {
                    const double *at = numbers + row * (DIM + 1);
                    slope +=
                        at[d] * (at[3] - x->reals[0] * at[0] - x->reals[1] * at[1] - x->reals[2] * at[2]);
                }
                assert_near(slope, 0, 1e-5);
            }
        }
        shoal_solver_destroy(&solver);
        params.search.refine = SHOAL_REFINE_NONE;
        assert_without_refinement("none", &params);
        if (k == 2) {
            params.search.refine = SHOAL_REFINE_AUTO;
            params.search.polish = 20;
            assert_without_refinement("a pattern search of the caller's", &params);
            params.search.refine = SHOAL_REFINE_LEAST_SQUARES;
            assert_status(
                shoal_workload_validate(harness.shoal, shoal_workload_find("pso"), &params, &test_error),
                SHOAL_INVALID);
            assert_contains(test_error.message, "--refine least-squares is for minima of sums of squares");
        }
        shoal_objective_destroy(&objective);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_is_fitted),
        cmocka_unit_test(tables_and_texts),
    };
    return harness_main("search.refine", tests, COUNT(tests));
}
