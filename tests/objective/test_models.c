/* Models with named parameters: values, derivatives, the quality of a fit, and what is refused. */
#include "curve.h"
#include "unit.h"

#include "objective/model/model.h"

#include <float.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { ROWS = 77 };

/* Three columns and a target over ROWS rows, of which tests change some. */
static double columns[4][ROWS];
static const double *const values[] = {columns[0], columns[1], columns[2], columns[3]};
static const char *const names[] = {"t", "u v", "weight", "y"};

static struct shoal_model make_model(const char *formula, const struct shoal_model_parameter *parameters,
                                     size_t count)
{
    struct shoal_model model;
    for (size_t j = 0; j < ROWS; j++) {
        columns[0][j] = 0.1 + 0.05 * (double)j;
        columns[1][j] = cos((double)(7 * j)) / 2;
        columns[2][j] = (double)(j % 4);
        columns[3][j] = sin((double)(3 * j)) * 2;
    }
    shoal_model_init(&model);
    model.formula = formula;
    model.parameters = parameters;
    model.parameter_count = count;
    model.columns = names;
    model.values = values;
    model.column_count = COUNT(names);
    model.rows = ROWS;
    model.target = "y";
    return model;
}

static const struct shoal_model_parameter ab[] = {{"a", -5, 5}, {"b", 0.5, 2}};

static struct shoal_objective *make(const struct shoal_model *model)
{
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_model(model, &objective, &test_error));
    return objective;
}

static void values_are_sums_of_losses(void **state)
{
    (void)state;
    const double x[] = {1.5, 0.7};
    struct shoal_model model = make_model("a*t^2 - exp(-b*`u v`)", ab, 2);
    for (int loss = SHOAL_LOSS_SQUARES; loss <= SHOAL_LOSS_HUBER; loss++)
        for (int weighted = 0; weighted < 2; weighted++) {
            double wanted = 0;
            model.loss = loss;
            model.delta = 0.75;
            model.weights = weighted ? "weight" : NULL;
            for (size_t j = 0; j < ROWS; j++) {
                const double t = columns[0][j],
                             r = columns[3][j] - (x[0] * t * t - exp(-x[1] * columns[1][j]));
                const double size = fabs(r), part = loss == SHOAL_LOSS_SQUARES    ? r * r
                                                    : loss == SHOAL_LOSS_ABSOLUTE ? size
                                                    : size <= 0.75                ? r * r / 2
                                                                                  : 0.75 * (size - 0.375);
                wanted += part * (weighted ? columns[2][j] : 1);
            }
            struct shoal_objective *objective = make(&model);
            test_label("loss %d, weighted %d", loss, weighted);
            assert_close(shoal_objective_value(objective, x, 2), wanted, 1e-14);
            shoal_objective_destroy(&objective);
        }
}

/* 1/t is infinite in the first row, and log(-1) no number in the fifth. */
static void rows_of_weight_0_may_be_anything(void **state)
{
    (void)state;
    const double x[] = {1.5, 0.7};
    double out[5];
    struct shoal_model given = make_model("a/t + b*log(`u v`)", ab, 2);
    given.weights = "weight";
    for (size_t j = 0; j < ROWS; j++)
        columns[1][j] += 1;
    struct shoal_fit wanted = {.size = sizeof wanted}, fit = {.size = sizeof fit};
    struct shoal_objective *objective = make(&given);
    const double value = shoal_objective_value(objective, x, 2);
    assert_ok(shoal_fit_compute(objective, x, &wanted, &test_error));
    assert_null(wanted.no_errors);
    shoal_objective_destroy(&objective);
    columns[0][0] = 0;
    columns[1][4] = -1;
    objective = make(&given);
    assert_true(shoal_objective_value(objective, x, 2) == value);
    assert_ok(objective->residuals(objective, x, 0, 5, out, &test_error));
    assert_true(out[0] == 0 && out[4] == 0 && isfinite(out[1]));
    assert_ok(shoal_fit_compute(objective, x, &fit, &test_error));
    assert_true(fit.value == wanted.value && fit.rms == wanted.rms && fit.r2 == wanted.r2);
    assert_int_equal(fit.rows, wanted.rows);
    assert_memory_equal(fit.errors, wanted.errors, 2 * sizeof *fit.errors);
    shoal_fit_free(&fit);
    shoal_fit_free(&wanted);
    shoal_objective_destroy(&objective);
}

static void models_tell_what_they_are(void **state)
{
    (void)state;
    const double x[] = {1.5, 0.7};
    double some[2 * 3], model_values[2];
    struct shoal_model given = make_model("a*`u v` + b", ab, 2);
    given.weights = "weight";
    struct shoal_objective *objective = make(&given);
    const struct shoal_model_info *info = shoal_objective_model(objective);
    assert_string_equal(info->formula, given.formula);
    assert_string_equal(info->parameters[1].name, "b");
    assert_true(info->parameters[1].lower == 0.5 && info->parameters[1].upper == 2);
    assert_int_equal(info->column_count, 3);
    assert_int_equal(info->input_count, 1);
    assert_string_equal(info->columns[0], "u v");
    assert_string_equal(info->columns[info->target], "y");
    assert_string_equal(info->columns[info->weights], "weight");
    assert_int_equal(info->rows, ROWS);
    assert_true(objective->lower[1] == 0.5 && objective->upper[0] == 5);
    assert_ok(shoal_model_rows(objective, x, ROWS - 2, 2, some, model_values, &test_error));
    for (size_t j = 0; j < 2; j++) {
        assert_true(some[3 * j] == columns[1][ROWS - 2 + j]);
        assert_true(some[3 * j + info->target] == columns[3][ROWS - 2 + j]);
        assert_true(model_values[j] == 1.5 * some[3 * j] + 0.7);
    }
    assert_status(shoal_model_rows(objective, x, ROWS - 1, 2, some, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "rows 77 to 78");
    shoal_objective_destroy(&objective);
    const struct shoal_objective *other = shoal_objective_find("sphere");
    assert_null(shoal_objective_model(other));
    assert_status(shoal_model_rows(other, x, 0, 1, some, NULL, &test_error), SHOAL_UNSUPPORTED);
    struct shoal_fit fit = {.size = sizeof fit};
    assert_status(shoal_fit_compute(other, x, &fit, &test_error), SHOAL_UNSUPPORTED);
    fit.size = 1;
    assert_status(shoal_fit_compute(other, x, &fit, &test_error), SHOAL_INVALID);
}

/* Any part of the rows has the same residuals, whose squares add up to the value. */
static void residuals_are_roots_of_the_terms(void **state)
{
    (void)state;
    const double x[] = {1.5, 0.7};
    double out[ROWS], again[ROWS], sum = 0;
    struct shoal_model given = make_model("a*t^2 - exp(-b*`u v`)", ab, 2);
    given.weights = "weight";
    struct shoal_objective *objective = make(&given);
    assert_ok(objective->residuals(objective, x, 0, ROWS, out, &test_error));
    for (size_t first = 0; first < ROWS; first += 5)
        assert_ok(objective->residuals(objective, x, first, ROWS - first < 5 ? ROWS - first : 5,
                                       again + first, &test_error));
    assert_memory_equal(out, again, sizeof out);
    for (size_t j = 0; j < ROWS; j++)
        sum += out[j] * out[j];
    assert_close(shoal_objective_value(objective, x, 2), sum, 1e-14);
    shoal_objective_destroy(&objective);
    given.loss = SHOAL_LOSS_ABSOLUTE;
    objective = make(&given);
    assert_null(objective->residuals);
    shoal_objective_destroy(&objective);
}

/* Of each function and operator, by central differences: their error is the third derivative times h^2, and
 * the rounding of a value over h. */
static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    static const char *const formulas[] = {"a + b*t - b/a",
                                           "-a*b*t/(a+7)",
                                           "a^3*b^-2",
                                           "(b*t)^a",
                                           "t^b*2^a",
                                           "sin(a*t)*cos(b*t)",
                                           "tan(a/9) + asin(b/3) + acos(a/9)",
                                           "atan(a*b*t)",
                                           "sinh(a/3)*cosh(b/3)",
                                           "tanh(a*t-b)",
                                           "a*exp(-b*t)*log(b+t)",
                                           "sqrt(b*t)*abs(a)",
                                           "floor(a) + sign(b) + a*b",
                                           "cos2pi(a*t) + sin2pi(b*t)",
                                           "min(a*t, b) + max(a, b*t)",
                                           "sqrt(t-t)*a + b",
                                           "pow(b, a*t)",
                                           "(a - b)^1",
                                           "a*t^2^b"};
    const double points[][2] = {{1.3, 0.9}, {-0.8, 1.7}, {2.1, 0.61}};
    const double h = 1e-5;
    for (size_t f = 0; f < COUNT(formulas); f++) {
        const struct shoal_model given = make_model(formulas[f], ab, 2);
        struct shoal_objective *objective = make(&given);
        const struct model *model = model_of(objective);
        for (size_t i = 0; i < COUNT(points); i++)
            for (size_t p = 0; p < 2; p++) {
                struct model_pass pass;
                double above[ROWS], below[ROWS], x[] = {points[i][0], points[i][1]};
                assert_ok(model_pass_begin(&pass, model, ROWS, x, true, &test_error));
                assert_ok(model_pass_read(&pass, 0, &test_error));
                double moved[] = {x[0], x[1]};
                moved[p] = x[p] + h;
                assert_ok(shoal_model_rows(objective, moved, 0, ROWS, NULL, above, &test_error));
                moved[p] = x[p] - h;
                assert_ok(shoal_model_rows(objective, moved, 0, ROWS, NULL, below, &test_error));
                for (size_t j = 0; j < ROWS; j++) {
                    test_label("%s, point %zu, parameter %zu, row %zu", formulas[f], i, p, j);
                    if (isnan(above[j])) /* a negative base */
                        continue;
                    assert_close(pass.slopes[p * pass.rows.stride + j], (above[j] - below[j]) / (2 * h),
                                 2e-7);
                }
                model_pass_end(&pass);
            }
        shoal_objective_destroy(&objective);
    }
}

static struct shoal_objective *make_curve(size_t rows, double *numbers, const char *weights)
{
    static const char *const curve_names[] = {"t", "y", "w2"};
    const double *const curve_values[] = {numbers, numbers + rows, numbers + 2 * rows};
    struct shoal_model model;
    shoal_model_init(&model);
    model.formula = curve_formula;
    model.parameters = curve_ranges;
    model.parameter_count = CURVE_PARAMETERS;
    model.columns = curve_names;
    model.values = curve_values;
    model.column_count = 3;
    model.rows = rows;
    model.target = "y";
    model.weights = weights;
    return make(&model);
}

/* At the optimum of SciPy. Its covariance is that of J without forming J' J, too: errors agree to about the
 * rounding of its numerical Jacobian. */
static void fits_have_the_errors_of_least_squares(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(curve_fits); i++) {
        const struct curve_fit *known = &curve_fits[i];
        const size_t n = CURVE_PARAMETERS;
        double *numbers = malloc(3 * known->rows * sizeof *numbers);
        curve_rows(known->rows, numbers, numbers + known->rows);
        for (size_t j = 0; j < known->rows; j++)
            numbers[2 * known->rows + j] = 4;
        for (int weighted = 0; weighted < 2; weighted++) {
            struct shoal_objective *objective = make_curve(known->rows, numbers, weighted ? "w2" : NULL);
            struct shoal_fit fit = {.size = sizeof fit};
            assert_ok(shoal_fit_compute(objective, known->parameters, &fit, &test_error));
            assert_int_equal(fit.rows, known->rows);
            assert_int_equal(fit.rank, n);
            assert_null(fit.no_errors);
            const double factor = weighted ? 4 : 1;
            assert_close(fit.value, factor * known->squares, 1e-12);
            assert_close(fit.r2, known->r2, 1e-12);
            assert_close(fit.rms, sqrt(known->squares / (double)known->rows), 1e-12);
            assert_close(fit.deviation, sqrt(factor * known->squares / (double)(known->rows - n)), 1e-12);
            for (size_t p = 0; p < n; p++) {
                assert_near(fit.errors[p], known->errors[p], 1e-6 * known->errors[p]);
                assert_true(fit.correlations[p * n + p] == 1);
                assert_int_equal(fit.at_bound[p], 0);
            }
            assert_near(fit.correlations[n], known->correlation_ba, 1e-6);
            assert_near(fit.correlations[1], known->correlation_ba, 1e-6);
            assert_near(fit.correlations[2 * n + 3], known->correlation_wp, 1e-6);
            shoal_fit_free(&fit);
            shoal_objective_destroy(&objective);
        }
        free(numbers);
    }
}

/* The straight line has its errors in closed form; rows of weight 0 are none. */
static void a_line_has_errors_in_closed_form(void **state)
{
    (void)state;
    struct shoal_model model = make_model("a + b*t", ab, 2);
    const double x[] = {-5, 0.9};
    double w = 0, wt = 0, wtt = 0, squares = 0;
    size_t rows = 0;
    model.weights = "weight";
    struct shoal_objective *objective = make(&model);
    for (size_t j = 0; j < ROWS; j++) {
        const double t = columns[0][j], r = columns[3][j] - (x[0] + x[1] * t), weight = columns[2][j];
        w += weight;
        wt += weight * t;
        wtt += weight * t * t;
        squares += weight * r * r;
        rows += weight > 0;
    }
    struct shoal_fit fit = {.size = sizeof fit};
    assert_ok(shoal_fit_compute(objective, x, &fit, &test_error));
    const double s = sqrt(squares / (double)(rows - 2)), determinant = w * wtt - wt * wt;
    assert_int_equal(fit.rows, rows);
    assert_close(fit.deviation, s, 1e-13);
    assert_close(fit.errors[0], s * sqrt(wtt / determinant), 1e-13);
    assert_close(fit.errors[1], s * sqrt(w / determinant), 1e-13);
    assert_close(fit.correlations[1], -wt / sqrt(w * wtt), 1e-13);
    assert_int_equal(fit.at_bound[0], -1);
    assert_int_equal(fit.at_bound[1], 0);
    shoal_fit_free(&fit);
    shoal_fit_free(&fit);
    shoal_objective_destroy(&objective);
}

static void fits_without_errors_say_why(void **state)
{
    (void)state;
    static const struct shoal_model_parameter three[] = {{"a", -5, 5}, {"b", 0.5, 2}, {"c", 0, 1}};
    static const struct {
        const char *formula, *why;
        size_t count, rows, rank;
        int loss;
    } cases[] = {
        {"a*b*t + c", "rank-deficient", 3, ROWS, 2, SHOAL_LOSS_SQUARES},
        {"a*exp(-b*t)*0 + b*t", "rank-deficient", 2, ROWS, 1, SHOAL_LOSS_SQUARES},
        {"a + b*t", "as many parameters as rows", 2, 2, 2, SHOAL_LOSS_SQUARES},
        {"a + sqrt((b-0.9)*t)", "not finite", 2, ROWS, 0, SHOAL_LOSS_SQUARES},
        {"a + b*t", "least squares", 2, ROWS, 0, SHOAL_LOSS_ABSOLUTE},
        {"a + b*t", "least squares", 2, ROWS, 0, SHOAL_LOSS_HUBER},
    };
    const double x[] = {1.5, 0.9, 0.4};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_model model = make_model(cases[i].formula, three, cases[i].count);
        struct shoal_fit fit = {.size = sizeof fit};
        model.loss = cases[i].loss;
        model.rows = cases[i].rows;
        struct shoal_objective *objective = make(&model);
        test_label("%s", cases[i].formula);
        assert_ok(shoal_fit_compute(objective, x, &fit, &test_error));
        assert_contains(fit.no_errors, cases[i].why);
        assert_int_equal(fit.rank, cases[i].rank);
        for (size_t p = 0; p < cases[i].count; p++)
            assert_true(isnan(fit.errors[p]) && isnan(fit.correlations[p]));
        assert_true(isfinite(fit.rms) && isfinite(fit.r2));
        shoal_fit_free(&fit);
        shoal_objective_destroy(&objective);
    }
}

/* Refusals --------------------------------------------------------------------------------------------- */

static void refuse(const struct shoal_model *model, const char *message)
{
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_model(model, &objective, &test_error), SHOAL_INVALID);
    assert_null(objective);
    assert_contains(test_error.message, message);
}

static void formulas_are_refused_with_the_character(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *message;
    } cases[] = {
        {"", "the model is empty"},
        {"a*wieght + b",
         "model, character 3: \"wieght\" is neither a column, a parameter nor a function; did "
         "you mean \"weight\"?"},
        {"a*b*exq(t)", "character 5: \"exq\" is neither a column, a parameter nor a function; did you mean "
                       "\"exp\"?"},
        {"a*t**b", "character 4: ** is no operator: use ^ for powers"},
        {"a*x[1] + b", "\"x\" is neither"},
        {"a*sum(t) + b", "\"sum\" is neither"},
        {"a + b*`u v", "character 7: a name in backquotes has no end"},
        {"a + b*`exp`", "\"exp\" is neither"},
        {"a + b*exp", "exp is a function: write exp(...)"},
        {"a + b*y", "the model contains its target, y"},
        {"a*t", "parameter b is not in the model"},
        {"2*t", "the model contains no parameter"},
        {"a +", "ends where"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shoal_model model = make_model(cases[i].formula, ab, 2);
        test_label("%s", cases[i].formula);
        refuse(&model, cases[i].message);
    }
    char *longest = malloc(20000);
    memset(longest, '1', 19999);
    longest[19999] = 0;
    const struct shoal_model model = make_model(longest, ab, 2);
    refuse(&model, "the model has 19999 characters");
    free(longest);
}

static void parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct shoal_model_parameter first;
        const char *message;
    } cases[] = {
        {{"t", 0, 1}, "t is a parameter and a column"},
        {{"b", 0, 1}, "parameter b is given twice"},
        {{"pi", 0, 1}, "parameter pi has the name of a function or constant"},
        {{"exp", 0, 1}, "parameter exp has the name of a function or constant"},
        {{"2a", 0, 1}, "parameter 1 has the name '2a'"},
        {{"", 0, 1}, "parameter 1 has the name ''"},
        {{NULL, 0, 1}, "parameter 1 has the name ''"},
        {{"a", 3, 1}, "parameter a has the range 3 to 1, which is reversed"},
        {{"a", -INFINITY, 1}, "ends must be finite"},
        {{"a", 0, NAN}, "ends must be finite"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shoal_model_parameter two[] = {cases[i].first, {"b", 0, 1}};
        const struct shoal_model model = make_model("a*t + b", two, 2);
        refuse(&model, cases[i].message);
    }
    struct shoal_model model = make_model("a*t + b", ab, 0);
    refuse(&model, "a model needs parameters");
    struct shoal_model_parameter many[SHOAL_MODEL_PARAMETERS + 1];
    model.parameters = many;
    model.parameter_count = COUNT(many);
    refuse(&model, "a model of 65 parameters");
}

static void columns_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"t", "u v", "y", "y"};
    struct shoal_model model = make_model("a*t + b", ab, 2);
    model.target = "wieght";
    refuse(&model, "the target, wieght, is no column; did you mean weight?");
    model.target = "nothing";
    refuse(&model, "the target, nothing, is no column: the columns are t, u v, weight, y");
    model.target = "y";
    model.weights = "wt";
    refuse(&model, "the column of weights, wt, is no column");
    model.weights = "y";
    refuse(&model, "y is the target and the column of weights");
    model.weights = NULL;
    model.columns = twice;
    refuse(&model, "columns 3 and 4 have the name y");
    static const char *const inputs[] = {"t", "t", "weight", "y"};
    model.columns = inputs;
    refuse(&model, "columns 1 and 2 have the name t");
    model.columns = names;
    model.column_count = 0;
    refuse(&model, "needs columns");
    model.column_count = COUNT(names);
    model.target = NULL;
    refuse(&model, "needs a target");
    model.target = "y";
    model.formula = NULL;
    refuse(&model, "needs a formula");
    model.formula = "a*t + b";
    model.loss = 3;
    refuse(&model, "no loss 3");
    model.loss = SHOAL_LOSS_HUBER;
    model.delta = 0;
    refuse(&model, "delta of Huber's loss is 0");
}

static void numbers_are_refused(void **state)
{
    (void)state;
    struct shoal_model model = make_model("a*t + b", ab, 2);
    model.rows = 1;
    refuse(&model, "1 row for 2 parameters");
    model.rows = 0;
    refuse(&model, "needs rows");
    model.rows = ROWS;
    columns[1][4] = NAN; /* not in use */
    struct shoal_objective *objective = make(&model);
    shoal_objective_destroy(&objective);
    columns[0][6] = NAN;
    refuse(&model, "row 7 of column t is NaN");
    columns[0][6] = -INFINITY;
    refuse(&model, "row 7 of column t is an infinity");
    columns[0][6] = 1;
    model.weights = "weight";
    columns[2][ROWS - 1] = -1;
    refuse(&model, "row 77: the weight, weight, is -1");
    for (size_t j = 0; j < ROWS; j++)
        columns[2][j] = j == 5;
    refuse(&model, "1 row of positive weight for 2 parameters");
    model.weights = NULL;
    for (size_t j = 0; j < ROWS; j++)
        columns[3][j] = 2.5;
    refuse(&model, "the target, y, is 2.5 in every row");
}

/* Names of columns are in no way part of the text but of its comment, which they cannot end. */
static void names_stay_in_the_comment(void **state)
{
    (void)state;
    static const char *const wild[] = {"t", "*/ oops \\\n/*", "weight", "y"};
    struct shoal_model model = make_model("a*`*/ oops \\\n/*` + b", ab, 2);
    model.columns = wild;
    struct shoal_objective *objective = make(&model);
    const char *end = strstr(objective->text, "*/");
    assert_true(strchr(objective->text, '\n') == end + 2);
    assert_null(strstr(end, "oops"));
    shoal_objective_destroy(&objective);
}

static void lists_of_ranges_are_read(void **state)
{
    (void)state;
    struct model_list list;
    assert_ok(model_list_read("a=0:10, w_2 = -pi : 2*pi,p=min(1,2):1e3", &list, &test_error));
    assert_int_equal(list.count, 3);
    assert_string_equal(list.parameters[0].name, "a");
    assert_string_equal(list.parameters[1].name, "w_2");
    assert_true(list.parameters[0].lower == 0 && list.parameters[0].upper == 10);
    assert_true(list.parameters[1].lower == -M_PI && list.parameters[1].upper == 2 * M_PI);
    assert_true(list.parameters[2].lower == 1 && list.parameters[2].upper == 1000);
    model_list_free(&list);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a parameter has no name: write NAME=LOWER:UPPER"},
        {"a=0:1,", "a parameter has no name"},
        {"=0:1", "a parameter has no name"},
        {"a", "parameter a has no range: write a=LOWER:UPPER"},
        {"a=0:1,b=3", "parameter b has no range"},
        {"a:0=1", "has no range"},
        {"a=x:1", "the lower end of the range of a, 'x', is no number"},
        {"a=0:1:2", "the upper end of the range of a, '1:2', is no number"},
        {"a=0:", "the upper end of the range of a, '', is no number: it is empty"},
        {"a=0:1/0", "it is not constant and finite"},
        {"a=(0:1", "has no range"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i].text);
        assert_status(model_list_read(cases[i].text, &list, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(list.parameters);
    }
}

static void constants_are_numbers(void **state)
{
    (void)state;
    double value = 0;
    assert_ok(expression_constant(" -pi/2 + 2^3", &value, &test_error));
    assert_true(value == -M_PI / 2 + 8);
    static const char *const wrong[] = {"", "x[1]", "1/0", "2*D", "1e999", "3 4", "sum(x[i])"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_status(expression_constant(wrong[i], &value, &test_error), SHOAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(values_are_sums_of_losses),
        UNIT_TEST(rows_of_weight_0_may_be_anything),
        UNIT_TEST(models_tell_what_they_are),
        UNIT_TEST(residuals_are_roots_of_the_terms),
        UNIT_TEST(derivatives_are_those_of_differences),
        UNIT_TEST(fits_have_the_errors_of_least_squares),
        UNIT_TEST(a_line_has_errors_in_closed_form),
        UNIT_TEST(fits_without_errors_say_why),
        UNIT_TEST(formulas_are_refused_with_the_character),
        UNIT_TEST(parameters_are_refused),
        UNIT_TEST(columns_are_refused),
        UNIT_TEST(numbers_are_refused),
        UNIT_TEST(names_stay_in_the_comment),
        UNIT_TEST(lists_of_ranges_are_read),
        UNIT_TEST(constants_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
