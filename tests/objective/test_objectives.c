/* Objectives on the host: built-in functions, formulas, functions of the caller, and what is refused. */
#include "unit.h"

#include "objective/objective.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Built-in functions --------------------------------------------------------------------------------------
 */

static void built_in_functions_have_names_in_order(void **state)
{
    (void)state;
    static const char *const wanted[] = {"f1", "f2", "f3", "f4", "f6", "f7", "f8", "f9", "f10"};
    const size_t count = shoal_objective_count();
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(shoal_objective_find(shoal_objective_get_info(shoal_objective_at(i))->name),
                         shoal_objective_at(i));
    assert_null(shoal_objective_at(count));
    size_t reals = 0;
    for (; objective_real_names[reals]; reals++)
        assert_string_equal(shoal_objective_get_info(shoal_objective_at(reals))->name,
                            objective_real_names[reals]);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(shoal_objective_get_info(shoal_objective_at(i))->variables == NULL, i < reals);
        assert_string_equal(shoal_objective_get_info(shoal_objective_at(i))->name, objective_names[i]);
    }
    assert_null(objective_names[count]);
    assert_null(shoal_objective_find("cube"));
    assert_null(shoal_objective_find(NULL));
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_non_null(shoal_objective_find(wanted[i]));
}

/* The least value is that at the minimiser, and nothing near it is less. */
static void minima_are_minima(void **state)
{
    (void)state;
    enum { DIM = 5 };
    for (size_t f = 0; f < shoal_objective_count(); f++) {
        const struct shoal_objective *objective = shoal_objective_at(f);
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        double x[DIM];
        if (info->shape != SHOAL_PER_DIMENSION || isnan(info->minimiser))
            continue;
        for (size_t dim = info->min_dim; dim <= DIM; dim++) {
            const double least = shoal_objective_minimum(objective, dim);
            for (size_t d = 0; d < dim; d++)
                x[d] = info->minimiser;
            assert_true(info->minimiser > info->lower && info->minimiser < info->upper);
            test_label("%s", info->name);
            assert_near(shoal_objective_value(objective, x, dim), least, 1e-12 * (double)dim);
            for (size_t d = 0; d < dim; d++)
                for (int side = -1; side <= 1; side += 2) {
                    x[d] = info->minimiser + side * 0.01;
                    assert_true(shoal_objective_value(objective, x, dim) > least);
                    x[d] = info->minimiser;
                }
        }
    }
}

static void f2_is_least_at_alternating_points(void **state)
{
    (void)state;
    /* a + b = 3 pi / 2 + 2 pi k, 2 a b / 3 = 3 pi / 2 + 2 pi l: a and b are the roots of t^2 - (a + b) t + a
     * b. */
    const struct shoal_objective *f2 = shoal_objective_find("f2");
    const double sum = 3.5 * M_PI, product = 1.5 * 5.5 * M_PI, root = sqrt(sum * sum / 4 - product);
    double x[9];
    for (size_t dim = 2; dim <= COUNT(x); dim++) {
        for (size_t d = 0; d < dim; d++)
            x[d] = d % 2 ? sum / 2 - root : sum / 2 + root;
        assert_true(fabs(shoal_objective_value(f2, x, dim) + 2 * (double)(dim - 1)) < 1e-13 * (double)dim);
        assert_true(shoal_objective_minimum(f2, dim) == -2 * (double)(dim - 1));
    }
    assert_true(isnan(shoal_objective_get_info(f2)->minimiser));
}

/* Functions of the thesis on genetic algorithms (P. Pospichal, Brno 2009). */
static void functions_of_the_genetic_thesis(void **state)
{
    (void)state;
    static const struct {
        size_t dim;
        double x[4], michalewicz, griewank;
    } cases[] = {
        {2, {0, 0}, 0, 6.02142074},
        {2, {1, 2}, -8.547019002e-06, 5.812082685},
        {2, {-1.2, 1}, -2.549664712e-05, 5.515992599},
        {2, {3, -4}, -0.0004495399092, 5.793189848},
        {2, {2.20290552, 1.57079633}, -1.80130341, 6.625334567},
        {4, {0.5, 1.5, 2.5, 0.25}, -0.8231033441, 10.36924267},
    };
    const struct shoal_objective *const functions[] = {shoal_objective_find("michalewicz"),
                                                       shoal_objective_find("griewank-100")};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_near(shoal_objective_value(functions[0], cases[i].x, cases[i].dim), cases[i].michalewicz,
                    1e-8);
        assert_near(shoal_objective_value(functions[1], cases[i].x, cases[i].dim), cases[i].griewank, 1e-8);
    }
}

static void least_values_of_michalewicz_are_of_each_coordinate(void **state)
{
    (void)state;
    static const struct {
        size_t dim;
        double least;
    } known[] = {{1, -0.8013034101}, {2, -1.8013034101}, {5, -4.6876581791}, {10, -9.6601517156}};
    const struct shoal_objective *michalewicz = shoal_objective_find("michalewicz");
    double x[40] = {0}, before = 0;
    for (size_t i = 0; i < COUNT(known); i++)
        assert_near(shoal_objective_minimum(michalewicz, known[i].dim), known[i].least, 1e-10);
    for (size_t d = 0; d < COUNT(x); d++) {
        double least = 0;
        for (int i = 1; i < 200000; i++) {
            x[d] = M_PI * i / 200000;
            least = fmin(least, -sin(x[d]) * pow(sin((double)(d + 1) * x[d] * x[d] / M_PI), 20));
        }
        const double sum = shoal_objective_minimum(michalewicz, d + 1), own = sum - before;
        test_label("coordinate %zu", d);
        assert_true(own <= least + 1e-13);
        assert_near(own, least, 1e-6);
        before = sum;
    }
}

static void nothing_is_below_the_least_values_of_griewank_100(void **state)
{
    (void)state;
    const struct shoal_objective *griewank = shoal_objective_find("griewank-100");
    const double one[] = {-0.48070340384985}, two[] = {5, 2.39045521452293};
    const double least[] = {shoal_objective_minimum(griewank, 1), shoal_objective_minimum(griewank, 2)};
    double x[2];
    assert_near(shoal_objective_value(griewank, one, 1), least[0], 1e-14);
    assert_near(shoal_objective_value(griewank, two, 2), least[1], 1e-14);
    for (int i = -200; i <= 200; i++)
        for (int k = -200; k <= 200; k++) {
            x[0] = i / 40.0;
            x[1] = k / 40.0;
            assert_true(shoal_objective_value(griewank, x, 1) > least[0] - 1e-15);
            assert_true(shoal_objective_value(griewank, x, 2) > least[1] - 1e-15);
        }
    assert_true(isnan(shoal_objective_minimum(griewank, 3)));
}

static void ellipsoid_has_weight_one_in_one_dimension(void **state)
{
    (void)state;
    const struct shoal_objective *ellipsoid = shoal_objective_find("ellipsoid");
    const double x[] = {2, 1, 1};
    assert_true(shoal_objective_value(ellipsoid, x, 1) == 4);
    assert_near(shoal_objective_value(ellipsoid, x, 3), 4 + 1e3 + 1e6, 1e-9);
}

static void sizes_of_f5_have_no_value_without_rows(void **state)
{
    (void)state;
    const struct shoal_objective *f6 = shoal_objective_find("f6");
    const double x[16] = {0};
    assert_int_equal(shoal_objective_get_info(f6)->shape, SHOAL_DATA_ROWS);
    assert_int_equal(shoal_objective_get_info(f6)->min_dim, 16);
    assert_true(isnan(shoal_objective_value(f6, x, 16)));
}

/* Formulas ------------------------------------------------------------------------------------------------
 */

static double value_of(const char *formula, const double *x, size_t dim)
{
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_expression(formula, &objective, &test_error));
    const double value = shoal_objective_value(objective, x, dim);
    shoal_objective_destroy(&objective);
    assert_null(objective);
    return value;
}

static void formulas_are_their_built_in_functions(void **state)
{
    (void)state;
    static const struct {
        const char *name, *formula;
    } twins[] = {
        {"sphere", "sum(x[i]^2)"},
        {"rosenbrock", "sum(100*(x[i+1] - x[i]^2)^2 + (1 - x[i])^2)"},
        {"rastrigin", "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)"},
        {"ackley", "20 + e - 20*exp(-0.2*sqrt(sum(x[i]^2)/D)) - exp(sum(cos(2*pi*x[i]))/dim)"},
        {"griewank", "1 + sum(x[i]^2/4000) - prod(cos(x[i]/sqrt(i)))"},
        {"ellipsoid", "sum(10^(6*(i - 1)/(D - 1))*x[i]^2)"},
        {"schwefel", "sum(418.9828872724338 - x[i]*sin(sqrt(abs(x[i]))))"},
        {"styblinski-tang", "sum(pow(x[i], 4) - 16*x[i]^2 + 5*x[i])/2"},
        {"f1", "sum(sin(x[i]) + sin(2*x[i]/3))"},
        {"f2", "sum(sin(x[i] + x[i+1]) + sin(2*x[i]*x[i+1]/3))"},
    };
    double x[71]; /* more than two blocks */
    for (size_t t = 0; t < COUNT(twins); t++) {
        const struct shoal_objective *built_in = shoal_objective_find(twins[t].name);
        const struct shoal_objective_info *info = shoal_objective_get_info(built_in);
        for (size_t dim = 2; dim <= COUNT(x); dim += 23) {
            double size = 1;
            for (size_t d = 0; d < dim; d++) {
                x[d] = info->lower + (info->upper - info->lower) * (0.5 + 0.5 * sin(1.7 * (double)d + 0.3));
                size += fabs(x[d] * x[d]);
            }
            const double wanted = shoal_objective_value(built_in, x, dim),
                         got = value_of(twins[t].formula, x, dim);
            test_label("%s", twins[t].formula);
            assert_near(got, wanted, 1e-12 * fmax(size, fabs(wanted)));
        }
    }
}

static void formulas_follow_the_grammar(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        double wanted;
    } cases[] = {
        {"0*sum(1) + 2 + 3*4 - 6/4", 12.5},
        {"0*sum(1) - 2^2", -4},
        {"0*sum(1) + 2^3^2", 512},
        {"0*sum(1) + (-2)^3 + 2^-1", -7.5},
        {"0*sum(1) + 8/4/2 - 3 - 2", -4},
        {"0*sum(1) + - -1 + +1", 2},
        {"\tsum ( x [ i ] )\n", 6},
        {"sum(i)", 6},
        {"sum(x[i]*x[i+1])", 8},
        {"prod(x[i]) + D + dim", 12},
        {"sum(x[i])/D + sum(1)*sum(x[i]^2) - prod(x[i+1])", 38},
        {"sum(sign(x[i] - 2))", 0},
        {"sum(sign(sqrt(-x[i])))", 0},
        {"sum(floor(x[i]/2) + min(x[i], 2) + max(x[i], i))", 13},
        {"sum(cos2pi(x[i]/4) + sin2pi(x[i]/4))", -1},
        {"sum(x[i]^-1*6)", 11},
        {"1.5e1*sum(.5)", 22.5},
        {"sum(abs(2 - x[i]) + exp(0) + log(e) + tan(0) + asin(0) + acos(1) + atan(0) + sinh(0) + cosh(0) + "
         "tanh(0))",
         11},
        {"x[3] - 2*x[ 1 ]", 1},
        {"(x[1]-1)^2 + 100*(x[2]-x[1]^2)^2 + sum(x[i]^2)", 114},
        {"sum(x[2]*x[i] - x[3]) / x[02]", 1.5},
        {"x[3]^2*prod(x[1] + x[i]) - sum(x[3]*x[i+1])", 201},
    };
    static const double x[] = {1, 2, 3};
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i].formula);
        assert_near(value_of(cases[i].formula, x, 3), cases[i].wanted, 1e-13);
    }
}

static void formulas_tell_their_facts(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_expression("sum(x[i]*x[i+1])", &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_string_equal(info->name, "expression");
    assert_string_equal(info->formula, "sum(x[i]*x[i+1])");
    assert_int_equal(info->shape, SHOAL_PER_DIMENSION);
    assert_int_equal(info->min_dim, 2);
    assert_true(isnan(info->lower) && isnan(info->upper) && isnan(info->minimum));
    shoal_objective_destroy(&objective);
}

/* The largest index is the least dimension, and without sums the only one. */
static void single_coordinates_ask_for_their_dimension(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        size_t least, most, singles;
    } cases[] = {
        {"sum(x[i])", 1, 1 << 20, 0},          {"x[1]", 1, 1, 1},
        {"x[7]*x[2] + x[7]", 7, 7, 2},         {"sum(x[i]*x[5])", 5, 1 << 20, 1},
        {"x[1] + sum(x[i+1])", 2, 1 << 20, 1}, {"x[1048576]", 1 << 20, 1 << 20, 1},
    };
    static const double x[] = {1, 2, 3};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = NULL;
        test_label("%s", cases[i].formula);
        assert_ok(shoal_objective_from_expression(cases[i].formula, &objective, &test_error));
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        assert_int_equal(info->min_dim, cases[i].least);
        assert_int_equal(info->max_dim, cases[i].most);
        assert_int_equal(objective->singles, cases[i].singles);
        assert_true(isnan(shoal_objective_value(objective, x, COUNT(x))) == (cases[i].least > COUNT(x)));
        shoal_objective_destroy(&objective);
    }
}

/* A list that is not of plain reals makes them objectives over genes. */
static void formulas_over_variables(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *list;
        size_t least, most;
    } good[] = {
        {"sum(x[i])", "x1-x10 bit", 10, 10},
        {"x[3]*x[1]", "x1-x10 bit", 10, 10},
        {"x[3]", "x1-xD bit", 3, 1 << 20},
        {"sum(x[i])", "x1-xD order", 2, 65536},
        {"sum(x[i]*x[i+1])", "x1-xD bit", 2, 1 << 20},
    };
    static const struct {
        const char *formula, *list, *message;
    } bad[] = {
        {"x[7]+sum(x[i])", "x1-x5 bit, y bit", "the expression needs 7 variables, the list has 6"},
        {"x[7]+", "x1-x9 bit", "expression, column 6: the expression ends where"},
        {"x[7]", "x1-x9 bite", "column 7: "},
        {"x[7]", "x1-xD bit, y bit", "column 4: xD is for a list of one kind"},
        {"x[7]", NULL, "a list of variables is expected"},
    };
    struct shoal_objective *objective = NULL;
    for (size_t i = 0; i < COUNT(good); i++) {
        test_label("%s over %s", good[i].formula, good[i].list);
        assert_ok(shoal_objective_from_expression_variables(good[i].formula, good[i].list, &objective,
                                                            &test_error));
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        assert_string_equal(info->variables, good[i].list);
        assert_int_equal(info->shape, SHOAL_OPAQUE);
        assert_int_equal(info->min_dim, good[i].least);
        assert_int_equal(info->max_dim, good[i].most);
        shoal_objective_destroy(&objective);
    }
    assert_ok(shoal_objective_from_expression_variables("sum(x[i])", "x1-x4 real -5 5, y real", &objective,
                                                        &test_error));
    assert_null(shoal_objective_get_info(objective)->variables);
    assert_int_equal(shoal_objective_get_info(objective)->shape, SHOAL_PER_DIMENSION);
    shoal_objective_destroy(&objective);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_status(
            shoal_objective_from_expression_variables(bad[i].formula, bad[i].list, &objective, &test_error),
            SHOAL_INVALID);
        assert_contains(test_error.message, bad[i].message);
        assert_null(objective);
    }
    /* Coded reals are the nearest that their code has: 0, 1/3, 2/3 and 1. */
    const double x[] = {0.4, 0.9, 1};
    assert_ok(shoal_objective_from_expression_variables("sum(x[i])", "x1-xD real 0 1 gray 2", &objective,
                                                        &test_error));
    assert_near(shoal_objective_value(objective, x, 3), 1 / 3.0 + 2, 1e-15);
    shoal_objective_destroy(&objective);
}

/* What stands in the kernel text decides what it costs. */
static void kernel_texts_are_as_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *part;
    } cases[] = {
        {"sum(cos(2*pi*x[i]))", "return cos2pi(x);"},
        {"sum(sin(x[i]*pi*4))", "return sin2pi(R(2.0) * x);"},
        {"sum(cos(-pi*(x[i] - 1)/D))", "cos2pi(R(-0.5) * ((x - R(1.0)) / size))"},
        {"sum(cos(x[i]/sqrt(i)))", "(x * rsqrt(index))"},
        {"sum(x[i]^2)", "return expression_power_2(x);"},
        {"sum(x[i]^5)", "return x4 * x;"},
        {"sum(x[i]^0.5 + x[i]^-0.5)", "return sqrt(x) + rsqrt(x);"},
        {"sum(10^x[i] + 2^x[i] + e^x[i])", "return exp10(x) + exp2(x) + exp(x);"},
        {"sum(x[i]/4)", "return x * R(0.25);"},
        {"sum(2*3*x[i])", "return R(6.0) * x;"},
        {"sum(1e20*x[i])", "return R(1e+20) * x;"},
        {"sum(x[i+1])*prod(x[i])", "term[1] *= expression_term_1(next, next, index + R(1.0), size);"},
        {"sum(x[i] - 1 - (2 - x[i]*2*(3*x[i])) + 4)",
         "return x - R(1.0) - (R(2.0) - (x * R(2.0) * (R(3.0) * x))) + R(4.0);"},
        {"prod(x[i])", "#define TERM_0 PRODUCT"},
        {"x[9] + x[4]*sum(x[9]*x[i])", "#define SINGLES 2\n#define MIN_DIM 9\n"},
        {"x[9] + x[4]*sum(x[9]*x[i])", "    return j == 0 ? 8u : 3u;\n"},
        {"x[9] + x[4]*sum(x[9]*x[i])", "    return single[0] + (single[1] * sum[0]);\n"},
        {"x[9] + x[4]*sum(x[9]*x[i])", "    return single[0] * x;\n"},
        /* Factors that are no numbers of a kernel text. */
        {"sum(cos(x[i]/0))", "return cos((x / R(0.0)));"},
        {"sum(sin(0*x[i]))", "return sin((R(0.0) * x));"},
        {"sum(sin(x[i]*1e200*1e200))", "return sin((x * R("},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = NULL;
        assert_ok(shoal_objective_from_expression(cases[i].formula, &objective, &test_error));
        assert_contains(objective->text, cases[i].part);
        shoal_objective_destroy(&objective);
    }
}

static void a_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "cs_CZ.UTF-8", "fr_FR.UTF-8"};
    static const double x[] = {1, 2, 3};
    for (size_t i = 0; i < COUNT(locales) && !setlocale(LC_ALL, locales[i]); i++)
        continue;
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_expression("sum(0.5*x[i])", &objective, &test_error));
    assert_true(shoal_objective_value(objective, x, 3) == 3);
    assert_contains(objective->text, "return R(0.5) * x;");
    shoal_objective_destroy(&objective);
    setlocale(LC_ALL, "C");
}

static void formulas_are_refused_with_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *message;
    } cases[] = {
        {"", "the expression is empty"},
        {" \n", "the expression is empty"},
        {"3*D", "neither a sum(...) or prod(...) over i nor a coordinate such as x[1]"},
        {"sum(", "column 5: the expression ends where a number"},
        {"sum(x[i]", "column 9: the expression ends where an operator or \")\""},
        {"sum(x[i]**2)", "column 9: ** is no operator: use ^ for powers"},
        {"sum(x[i] * *2)", "column 12: \"*\" where a number"},
        {"sum(x[j])", "column 5: use x as x[i], x[i+1] or x[3]"},
        {"sum(x[i+2])", "column 5: use x as x[i], x[i+1] or x[3]"},
        {"sum(x(i))", "column 5: use x as x[i], x[i+1] or x[3]"},
        {"2*x[0]", "column 3: coordinates are x[1] to x[1048576]"},
        {"x[1048577]", "column 1: coordinates are x[1] to x[1048576]"},
        {"x[99999999999999999999999999]", "column 1: coordinates are x[1] to x[1048576]"},
        {"x[-1]", "column 1: use x as"},
        {"x[2+1]", "column 4: \"+\" where \"]\""},
        {"x[2.5]", "column 4: \".\" where \"]\""},
        {"x[2", "column 4: the expression ends where \"]\""},
        {"1 + x[i]", "column 5: x[i] is allowed only inside"},
        {"i", "column 1: i is allowed only inside"},
        {"sum(foo(x[i]))", "column 5: \"foo\" is no name or function"},
        {"sum(2x[i])", "column 6: \"x\" where an operator"},
        {"sum(x[i])+", "column 11: the expression ends"},
        {"sum(1 + prod(i))", "column 9: sums and products cannot be nested"},
        {"sum(1))", "column 7: \")\" where an operator or the end"},
        {"sum(1) @", "column 8: \"@\" where"},
        {"sum(\x80)", "column 5: a character that has no place here"},
        {"sum(x[i], 2)", "column 9: \",\" where"},
        {"sum(pow(x[i]))", "column 13: \")\" where an operator or \",\""},
        {"sum(sin x[i])", "column 9: \"x\" where \"(\""},
        {"sum(1e999)", "column 5: this number is too large"},
        {"sum(0x10)", "column 5: this is no decimal number"},
        {"sum(1)+sum(1)+sum(1)+sum(1)+sum(1)", "column 29: more than 4 sums and products"},
        {"((((((((((((((((((((((((((((((((sum(1)", "nested deeper than 32 levels"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = (void *)&cases;
        assert_status(shoal_objective_from_expression(cases[i].formula, &objective, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(objective);
    }
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_expression(NULL, &objective, &test_error), SHOAL_INVALID);
}

static void long_formulas_are_refused(void **state)
{
    (void)state;
    char formula[17000];
    struct shoal_objective *objective = NULL;
    memset(formula, ' ', sizeof formula - 1);
    formula[sizeof formula - 1] = '\0';
    assert_status(shoal_objective_from_expression(formula, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "16999 characters");
    size_t at = (size_t)sprintf(formula, "sum(0");
    while (at < 4000)
        at += (size_t)sprintf(formula + at, "+x[i]");
    sprintf(formula + at, ")");
    assert_ok(shoal_objective_from_expression(formula, &objective, &test_error));
    shoal_objective_destroy(&objective);
    while (at < 16000)
        at += (size_t)sprintf(formula + at, "+i");
    sprintf(formula + at, ")");
    assert_status(shoal_objective_from_expression(formula, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "more than 2048 parts");
    at = (size_t)sprintf(formula, "x[1]");
    for (int j = 2; j <= 64; j++)
        at += (size_t)sprintf(formula + at, "+x[%d]", j);
    assert_ok(shoal_objective_from_expression(formula, &objective, &test_error));
    shoal_objective_destroy(&objective);
    sprintf(formula + at, "+x[65]");
    assert_status(shoal_objective_from_expression(formula, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "more than 64 single coordinates");
}

/* Functions of the caller ---------------------------------------------------------------------------------
 */

static double weighted(const double *x, size_t dim, void *data)
{
    return *(double *)data * x[dim - 1];
}

static void functions_of_the_caller_are_called(void **state)
{
    (void)state;
    double weight = 3;
    const double x[] = {1, 2};
    struct shoal_objective *objective = NULL;
    struct shoal_kernel_text text;
    assert_ok(shoal_objective_from_callback(weighted, &weight, "weighted", &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_string_equal(info->name, "weighted");
    assert_int_equal(info->shape, SHOAL_CALLBACK);
    assert_true(shoal_objective_value(objective, x, 2) == 6);
    assert_true(isnan(shoal_objective_minimum(objective, 2)));
    assert_status(objective_kernel_text(objective, &text, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "weighted is a C function: it runs on the host device only");
    shoal_objective_destroy(&objective);
    assert_null(objective);
    assert_ok(shoal_objective_from_callback(weighted, &weight, NULL, &objective, &test_error));
    assert_string_equal(shoal_objective_get_info(objective)->name, "callback");
    shoal_objective_destroy(&objective);
    assert_status(shoal_objective_from_callback(NULL, NULL, "none", &objective, &test_error), SHOAL_INVALID);
}

static void built_in_functions_are_never_destroyed(void **state)
{
    (void)state;
    struct shoal_objective *objective = (struct shoal_objective *)shoal_objective_find("sphere");
    shoal_objective_destroy(&objective);
    assert_null(objective);
    shoal_objective_destroy(&objective);
    shoal_objective_destroy(NULL);
    assert_non_null(shoal_objective_find("sphere"));
}

static void sources_hold_an_objective(void **state)
{
    (void)state;
    static const char file[] = "pso/methods/fused.cl", formula[] = "sum((x[i] - 77.5)^2)";
    struct shoal_objective *objective = NULL;
    char *text = NULL;
    assert_ok(shoal_objective_from_expression(formula, &objective, &test_error));
    assert_ok(shoal_objective_kernel_source(NULL, objective, file, &text, &test_error));
    assert_contains(text, "77.5");
    assert_null(strstr(text, "objective/builtin/sphere.clh"));
    free(text);
    /* One that holds none is as it is. */
    assert_ok(shoal_objective_kernel_source(NULL, objective, "lib/scan.cl", &text, &test_error));
    assert_null(strstr(text, "77.5"));
    free(text);
    assert_status(shoal_objective_kernel_source(NULL, objective, "none.cl", &text, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_objective_kernel_source(NULL, NULL, file, &text, &test_error), SHOAL_INVALID);
    shoal_objective_destroy(&objective);
    const double weight = 2;
    assert_ok(shoal_objective_from_callback(weighted, (void *)&weight, "weighted", &objective, &test_error));
    assert_status(shoal_objective_kernel_source(NULL, objective, file, &text, &test_error),
                  SHOAL_UNSUPPORTED);
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(built_in_functions_have_names_in_order),
        UNIT_TEST(minima_are_minima),
        UNIT_TEST(f2_is_least_at_alternating_points),
        UNIT_TEST(ellipsoid_has_weight_one_in_one_dimension),
        UNIT_TEST(sizes_of_f5_have_no_value_without_rows),
        UNIT_TEST(formulas_are_their_built_in_functions),
        UNIT_TEST(formulas_follow_the_grammar),
        UNIT_TEST(functions_of_the_genetic_thesis),
        UNIT_TEST(least_values_of_michalewicz_are_of_each_coordinate),
        UNIT_TEST(nothing_is_below_the_least_values_of_griewank_100),
        UNIT_TEST(formulas_tell_their_facts),
        UNIT_TEST(formulas_over_variables),
        UNIT_TEST(single_coordinates_ask_for_their_dimension),
        UNIT_TEST(kernel_texts_are_as_by_hand),
        UNIT_TEST(a_locale_changes_nothing),
        UNIT_TEST(formulas_are_refused_with_the_column),
        UNIT_TEST(long_formulas_are_refused),
        UNIT_TEST(functions_of_the_caller_are_called),
        UNIT_TEST(built_in_functions_are_never_destroyed),
        UNIT_TEST(sources_hold_an_objective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
