/* Objectives on the host: built-in functions, formulas, texts, functions of the caller, and what is refused.
 */
#include "unit.h"

#include "objective/code.h"
#include "objective/objective.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <shoal/shoal.h>
#include <sys/stat.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct shoal *shoal;

static int setup(void **state)
{
    const int failed = unit_setup(state);
    /* No compiler of the developer's. */
    unsetenv("CC");
    setenv("TMPDIR", test_folder(), 1);
    shoal = failed ? NULL : unit_open();
    return failed;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    unsetenv("CC");
    unsetenv("TMPDIR");
    return unit_teardown(state);
}

/* The instance reads $CC when it is opened. */
static void open_with_compiler(const char *compiler)
{
    shoal_close(&shoal);
    setenv("CC", compiler, 1);
    shoal = unit_open();
}

/* Built-in functions --------------------------------------------------------------------------------------
 */

static void built_in_functions_have_names_in_order(void **state)
{
    (void)state;
    static const char *const wanted[] = {"f1", "f2", "f3", "f4", "f6", "f7", "f8", "f9", "f10"};
    size_t count = 0;
    for (; objective_names[count]; count++) {
        const struct shoal_objective *objective = shoal_objective_at(count);
        assert_non_null(objective);
        assert_string_equal(shoal_objective_get_info(objective)->name, objective_names[count]);
        assert_ptr_equal(shoal_objective_find(objective_names[count]), objective);
    }
    assert_int_equal(count, shoal_objective_count());
    assert_null(shoal_objective_at(count));
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
            if (!(fabs(shoal_objective_value(objective, x, dim) - least) < 1e-12 * (double)dim))
                fail_msg("%s: %.17g at the minimiser, not %.17g", info->name,
                         shoal_objective_value(objective, x, dim), least);
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

static void ellipsoid_has_weight_one_in_one_dimension(void **state)
{
    (void)state;
    const struct shoal_objective *ellipsoid = shoal_objective_find("ellipsoid");
    const double x[] = {2, 1, 1};
    assert_true(shoal_objective_value(ellipsoid, x, 1) == 4);
    assert_true(fabs(shoal_objective_value(ellipsoid, x, 3) - (4 + 1e3 + 1e6)) < 1e-9);
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
            if (!(fabs(got - wanted) <= 1e-12 * fmax(size, fabs(wanted))))
                fail_msg("%s is %.17g, not %.17g", twins[t].formula, got, wanted);
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
    };
    static const double x[] = {1, 2, 3};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double got = value_of(cases[i].formula, x, 3);
        if (!(fabs(got - cases[i].wanted) < 1e-13))
            fail_msg("%s is %.17g, not %g", cases[i].formula, got, cases[i].wanted);
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
        {"3*D", "no sum(...) or prod(...)"},
        {"sum(", "column 5: the expression ends where a number"},
        {"sum(x[i]", "column 9: the expression ends where an operator or \")\""},
        {"sum(x[j])", "column 5: use x as x[i] or x[i+1]"},
        {"sum(x[i+2])", "column 5: use x as x[i] or x[i+1]"},
        {"sum(x(i))", "column 5: use x as x[i] or x[i+1]"},
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
}

/* Texts ---------------------------------------------------------------------------------------------------
 */

static const char opaque[] = "#define SHAPE OPAQUE /* the whole */\n"
                             "#define LOWER (R(-2.5))\n"
                             "#define UPPER 4.5f // not read by kernels\n"
                             "#define MINIMUM -1e-3\n"
                             "#define MIN_DIM 3\n"
                             "static inline real objective_value(const real *x, uint dim)\n"
                             "{\n"
                             "    return x[0] + x[dim - 1];\n"
                             "}\n";

static void the_embedded_texts_give_the_textbook_values(void **state)
{
    (void)state;
    static const char *const names[] = {"ackley", "griewank", "rosenbrock", "f2"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct shoal_objective *built_in = shoal_objective_find(names[i]);
        struct shoal_kernel_text text;
        struct shoal_objective *objective = NULL;
        double x[9];
        assert_ok(objective_kernel_text(built_in, &text, &test_error));
        assert_ok(shoal_objective_from_text(shoal, text.text, names[i], &objective, &test_error));
        assert_int_equal(shoal_objective_get_info(objective)->min_dim,
                         shoal_objective_get_info(built_in)->min_dim);
        for (size_t d = 0; d < COUNT(x); d++)
            x[d] = sin(3 * (double)d + 0.5);
        for (size_t dim = 2; dim <= COUNT(x); dim++)
            assert_true(
                fabs(shoal_objective_value(objective, x, dim) - shoal_objective_value(built_in, x, dim)) <
                1e-13 * (1 + fabs(shoal_objective_value(built_in, x, dim))));
        shoal_objective_destroy(&objective);
    }
}

static void texts_tell_their_facts(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    const double x[] = {1, 2, 3, 4};
    assert_ok(shoal_objective_from_text(shoal, opaque, "folder/my own.cl", &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_string_equal(info->name, "folder/my own.cl");
    assert_int_equal(info->shape, SHOAL_OPAQUE);
    assert_true(info->lower == -2.5 && info->upper == 4.5 && info->minimum == -1e-3);
    assert_int_equal(info->min_dim, 3);
    assert_true(shoal_objective_value(objective, x, 4) == 5);
    assert_true(shoal_objective_value(objective, x, 3) == 4);
    shoal_objective_destroy(&objective);
    /* Nothing stays behind. */
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
}

static void rows_are_summed(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE DATA_ROWS\n"
                               "#define RULE(r) fabs(r)\n"
                               "static inline real objective_residual(const real *x, const real *row)\n"
                               "{\n"
                               "    real rest = row[COLUMNS - 1];\n"
                               "    for (int d = 0; d < DIM; d++)\n"
                               "        rest -= x[d] * row[d];\n"
                               "    return rest;\n"
                               "}\n";
    static const double rows[] = {1, 2, 5, 3, 4, 6}, x[] = {1, 1};
    const struct code_params params = {.text = text, .name = "rows.cl", .dim = 2, .columns = 3};
    struct objective_code *code = NULL;
    struct text_facts facts;
    assert_ok(text_read_facts(shoal, text, "rows.cl", &facts, &test_error));
    assert_int_equal(facts.shape, SHOAL_DATA_ROWS);
    assert_ok(code_create(shoal, &params, &code, &test_error));
    assert_true(code_value(code, x, 2, rows, 2) == 3);
    code_destroy(&code);
    assert_null(code);
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, text, "rows.cl", &objective, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "rows.cl: its SHAPE is DATA_ROWS: give it a table of rows");
}

static void texts_are_refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "my.cl: an objective needs a line #define SHAPE"},
        {"/* #define SHAPE OPAQUE */\n// #define SHAPE OPAQUE\n",
         "my.cl: an objective needs a line #define SHAPE"},
        {"\n# define\tSHAPE ROUND\n", "my.cl:2: SHAPE is PER_DIMENSION, DATA_ROWS or OPAQUE, not \"ROUND\""},
        {"#define SHAPE PER_DIMENSION\n",
         "my.cl: the text has no function static inline void objective_terms("},
        {"#define SHAPE PER_DIMENSION\nobjective_terms()",
         "no function static inline real objective_finish("},
        {"#define SHAPE DATA_ROWS", "no function static inline real objective_residual("},
        {"#define SHAPE OPAQUE\nmy_objective_value()", "no function static inline real objective_value("},
        {"#define SHAPE PER_DIMENSION\nobjective_terms() objective_finish()",
         "needs a line #define TERMS with a number from 1 to 4"},
        {"#define SHAPE PER_DIMENSION\n#define TERMS 5\nobjective_terms() objective_finish()",
         "my.cl:2: TERMS is a number from 1 to 4, not \"5\""},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define LOWER low\n",
         "my.cl:3: LOWER must be a number, not \"low\""},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define UPPER\n",
         "my.cl:3: UPPER must be a number, not \"\""},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define LOWER 2\n#define UPPER 2\n",
         "my.cl: LOWER 2 is not less than UPPER 2"},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define MIN_DIM 0\n",
         "my.cl:3: a dimension is a whole number"},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define MAX_DIM 1.5\n",
         "my.cl:3: a dimension is a whole number"},
        {"#define SHAPE OPAQUE\nobjective_value()\n#define MIN_DIM 4\n#define MAX_DIM 3\n",
         "my.cl: it takes dim 4 to 3, which is no dimension"},
        {"#define SHAPE OPAQUE\nobjective_value()\n#if DIM > 2\n#endif\n", "my.cl:3: a condition on DIM"},
        {"#define SHAPE PER_DIMENSION\n#define TERMS 1\nobjective_terms() objective_finish()\nx / DIM;\n",
         "my.cl:4: DIM is not for PER_DIMENSION: use the argument dim"},
        {"#define SHAPE OPAQUE\n\n#include \"no/such.clh\"\n",
         "my.cl:3: there is no kernel file \"no/such.clh\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = (void *)&cases;
        assert_status(shoal_objective_from_text(shoal, cases[i].text, "my.cl", &objective, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(objective);
    }
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, NULL, "my.cl", &objective, &test_error), SHOAL_INVALID);
}

static void errors_of_the_compiler_name_the_line(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE OPAQUE\n"
                               "static inline real objective_value(const real *x, uint dim)\n"
                               "{\n"
                               "    return x[0] * unknown + missing(dim);\n"
                               "}\n";
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, text, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_contains(test_error.message, "my.cl does not compile: my.cl:4:");
    assert_contains(test_error.log, "my.cl:4:");
    assert_contains(test_error.log, "unknown");
    assert_contains(test_error.log, "missing");
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
}

static void a_machine_without_a_compiler_is_told(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    open_with_compiler("/nonexistent/cc -O1");
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_contains(test_error.message,
                    "there is no program \"/nonexistent/cc -O1\": correct CC or unset it");
    open_with_compiler("   ");
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    open_with_compiler("");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    const enum shoal_status status =
        shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, SHOAL_BUILD_FAILED);
    assert_contains(test_error.message, "finds no cc, gcc or clang: install gcc");
}

/* A program in place of the compiler. */
static void compiler_script(const char *body)
{
    const char *script = test_path("compiler");
    test_write_text(script, body);
    assert_int_equal(chmod(script, 0700), 0);
    open_with_compiler(script);
}

static void compilers_that_misbehave_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"#!/bin/sh\nexit 3\n", "failed with status 3 and said nothing"},
        {"#!/bin/sh\nkill -9 $$\n", "was ended by signal 9"},
        {"#!/bin/sh\necho here we stop\nexit 1\n", "my.cl does not compile: here we stop"},
        {"#!/bin/sh\nexit 0\n", "its machine code cannot be loaded"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = NULL;
        compiler_script(cases[i].script);
        assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_contains(test_error.message, cases[i].message);
    }
}

static void a_compiler_without_the_processor_option_is_used_without(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    compiler_script("#!/bin/sh\n"
                    "case \"$*\" in *-march*) echo bad value for -march= >&2; exit 1;; esac\n"
                    "exec cc \"$@\"\n");
    assert_ok(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error));
    shoal_objective_destroy(&objective);
}

static void a_missing_folder_is_told(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    shoal_close(&shoal);
    setenv("TMPDIR", "/proc/nowhere", 1);
    shoal = unit_open();
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "my.cl: no folder can be made in /proc/nowhere");
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(built_in_functions_have_names_in_order),
        TEST(minima_are_minima),
        TEST(f2_is_least_at_alternating_points),
        TEST(ellipsoid_has_weight_one_in_one_dimension),
        TEST(sizes_of_f5_have_no_value_without_rows),
        TEST(formulas_are_their_built_in_functions),
        TEST(formulas_follow_the_grammar),
        TEST(formulas_tell_their_facts),
        TEST(kernel_texts_are_as_by_hand),
        TEST(a_locale_changes_nothing),
        TEST(formulas_are_refused_with_the_column),
        TEST(long_formulas_are_refused),
        TEST(the_embedded_texts_give_the_textbook_values),
        TEST(texts_tell_their_facts),
        TEST(rows_are_summed),
        TEST(texts_are_refused_with_file_and_line),
        TEST(errors_of_the_compiler_name_the_line),
        TEST(a_machine_without_a_compiler_is_told),
        TEST(compilers_that_misbehave_are_told),
        TEST(a_compiler_without_the_processor_option_is_used_without),
        TEST(a_missing_folder_is_told),
        TEST(functions_of_the_caller_are_called),
        TEST(built_in_functions_are_never_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
