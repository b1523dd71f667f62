/* Kernel texts of objectives on devices: built-in, from a formula, opaque; against the values on the host. */
#include "harness.h"

#include "objective/constraints/constraints.h"
#include "objective/rows/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char text[] =
    "#ifndef WG\n"
    "#define WG 64\n"
    "#endif\n"
    "#include \"objective/objective.clh\"\n"
    "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
    "void value(__global const real *x, __global real *y, __global const real *table, uint n, uint dim)\n"
    "{\n"
    "    const uint i = (uint)get_global_id(0);\n"
    "    uint d;\n"
    "    (void)table;\n"
    "#if SHAPE == PER_DIMENSION\n"
    "    terms sum = terms_none();\n"
    "    int j;\n"
    "    if (i < n) {\n"
    "        for (j = 0; j < SINGLES; j++)\n"
    "            sum.a[TERMS + j] = x[i * dim + single_dimension(j, dim)];\n"
    "        for (d = 0; d + COUPLED < dim; d++)\n"
    "            sum = terms_add(sum, x[i * dim + d], x[i * dim + d + COUPLED], d, dim);\n"
    "        y[i] = terms_value(sum, dim);\n"
    "    }\n"
    "#else\n"
    "    real position[DIM];\n"
    "    if (i < n) {\n"
    "        for (d = 0; d < DIM; d++)\n"
    "            position[d] = x[i * dim + d];\n"
    "        y[i] = objective_value(position, TABLE_ARGUMENT(table) dim);\n"
    "    }\n"
    "#endif\n"
    "}\n";

static const struct shoal_arg_desc value_args[] = {
    {"x", SHOAL_READ, "real", 0},  {"y", SHOAL_READ_WRITE, "real", 0}, {"table", SHOAL_READ, "real", 0},
    {"n", SHOAL_VALUE, "uint", 0}, {"dim", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_entry_desc entries[] = {{.name = "value",
                                                   .args = value_args,
                                                   .arg_count = COUNT(value_args),
                                                   .work_group = "WG",
                                                   .help = "test of objectives"}};
static const struct shoal_define_desc defines[] = {
    {"WG", 64, 1, 1024, "work-items in a group"},
    {"REAL", 32, 32, 64, "bits of a real"},
    {"DIM", 1, 1, 4096, "dimensions"},
    {"COLUMNS", 1, 1, 4096, "columns of the table"},
};
static const struct shoal_program_desc value_program = {.name = "test.objective",
                                                        .file = "value.cl",
                                                        .defines = defines,
                                                        .define_count = COUNT(defines),
                                                        .entries = entries,
                                                        .entry_count = COUNT(entries)};

enum { MAX_DIM = 33, POINTS = 67 };

static struct shoal_program *build(const struct shoal_objective *objective, bool is_float, size_t dim)
{
    const struct shoal_define given[] = {
        {"REAL", is_float ? 32 : 64},
        {"DIM", (int64_t)dim},
        {"COLUMNS", objective->table ? (int64_t)objective->table->columns : 1}};
    struct shoal_kernel_text snippet;
    struct shoal_program_params params;
    struct shoal_program *program = NULL;
    shoal_program_params_init(&params);
    assert_ok(objective_kernel_text(objective, &snippet, &test_error));
    params.text = text;
    params.texts = &snippet;
    params.text_count = 1;
    params.defines = given;
    params.define_count = COUNT(given);
    assert_ok(shoal_program_create(harness.device, &value_program, &params, &program, &test_error));
    return program;
}

/* Uploads numbers in the precision of the program. */
static struct shoal_buffer *upload(bool is_float, const double *numbers, size_t count)
{
    float narrow[MAX_DIM * (POINTS > MAX_DIM ? POINTS : MAX_DIM + 1)];
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)numbers[i];
    return is_float ? harness_upload(narrow, count * sizeof *narrow)
                    : harness_upload(numbers, count * sizeof *numbers);
}

/* Values at POINTS points of `dim` coordinates, which both precisions hold. table NULL: none. */
static void evaluate_by(struct shoal_program *program, bool is_float, const struct objective_table *table,
                        const double *x, size_t dim, double *y)
{
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    float values[POINTS];
    struct shoal_kernel *kernel = NULL;
    struct shoal_buffer *points = upload(is_float, x, POINTS * dim);
    assert_ok(shoal_kernel_create(program, "value", &kernel, &test_error));
    struct shoal_buffer *results = harness_buffer(POINTS * size);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(points), shoal_arg_buffer(results),
        shoal_arg_buffer(table ? upload(is_float, table->tiles, table->rows * table->columns) : points),
        shoal_arg_uint(POINTS), shoal_arg_uint((uint32_t)dim)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, POINTS), args, COUNT(args),
                           NULL, &test_error));
    harness_read(results, is_float ? (void *)values : y, POINTS * size);
    for (size_t i = 0; is_float && i < POINTS; i++)
        y[i] = (double)values[i];
    shoal_kernel_destroy(&kernel);
}

static void evaluate(struct shoal_program *program, bool is_float, const double *x, size_t dim, double *y)
{
    evaluate_by(program, is_float, NULL, x, dim, y);
}

/* POINTS points, uniform in the box from lower[d] to upper[d], in single precision. */
static void draw_in(double *x, size_t dim, const double *lower, const double *upper, uint32_t step)
{
    uint32_t words[POINTS * MAX_DIM + 3];
    harness_words(words, POINTS * dim, step);
    for (size_t i = 0; i < POINTS * dim; i++)
        x[i] = (double)(float)(lower[i % dim] +
                               (upper[i % dim] - lower[i % dim]) * shoal_uniform_double(words[i], 0));
}

static void draw(double *x, size_t dim, double lower, double upper, uint32_t step)
{
    double lowers[MAX_DIM], uppers[MAX_DIM];
    for (size_t d = 0; d < dim; d++) {
        lowers[d] = lower;
        uppers[d] = upper;
    }
    draw_in(x, dim, lowers, uppers, step);
}

/* A formula for each built-in function, and how many epsilons a dimension may be off: the size of the terms,
 * or of their angles, times a few roundings. */
static const struct twin {
    const char *name, *formula;
    double slack;
} twins[] = {
    {"sphere", "sum(x[i]^2)", 100},
    {"rosenbrock", "sum(100*(x[i+1] - x[i]^2)^2 + (1 - x[i])^2)", 1e9},
    {"rastrigin", "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)", 400},
    {"ackley", "20 + e - 20*exp(-0.2*sqrt(sum(x[i]^2)/D)) - exp(sum(cos(2*pi*x[i]))/D)", 100},
    {"griewank", "1 + sum(x[i]^2)/4000 - prod(cos(x[i]/sqrt(i)))", 2000},
    {"ellipsoid", "sum(10^(6*(i - 1)/(D - 1))*x[i]^2)", 1e9},
    {"schwefel", "sum(418.9828872724338 - x[i]*sin(sqrt(abs(x[i]))))", 4e4},
    {"styblinski-tang", "sum(x[i]^4 - 16*x[i]^2 + 5*x[i])/2", 2000},
    {"f1", "sum(sin(x[i]) + sin(2*x[i]/3))", 50},
    {"f2", "sum(sin(x[i] + x[i+1]) + sin(2*x[i]*x[i+1]/3))", 400},
    {"f3", "sum(x[i]^2 + 20*sin2pi(x[i]/2)^2)", 400},
    {"f4", "sum(x[i]*x[i])", 100},
    /* An angle of d turns loses d times as many digits, which the power multiplies. */
    {"michalewicz", "-sum(sin(x[i])*sin(i*x[i]^2/pi)^20)", 600},
    {"griewank-100", "1 + sum((x[i] - 100)^2/4000) - prod(cos((x[i] - 100)/sqrt(i)))", 600},
    {"zakharov", "sum(x[i]^2) + sum(i*x[i]/2)^2 + sum(i*x[i]/2)^4", 4e16},
};

/* Functions without such a formula: sums within terms, a term of the last coordinate, functions of all
 * coordinates. Slack as above. */
static const struct twin others[] = {
    {"weierstrass", NULL, 1e5}, {"levy", NULL, 1000},          {"schwefel-1.2", NULL, 1e8},
    {"branin", NULL, 2000},     {"six-hump-camel", NULL, 500}, {"goldstein-price", NULL, 1e7},
    {"hartman-3", NULL, 100},   {"hartman-6", NULL, 100},      {"shekel", NULL, 1000},
    {"shubert", NULL, 1e5},
};

static void compare(const char *what, size_t dim, bool is_float, double slack, const double *got,
                    const double *wanted)
{
    const double epsilon = is_float ? (double)FLT_EPSILON : DBL_EPSILON;
    test_label("%s, fp%d, dim %zu", what, is_float ? 32 : 64, dim);
    for (size_t i = 0; i < POINTS; i++)
        assert_near(got[i], wanted[i], epsilon * slack * (double)dim);
}

/* Does a test at `dim` dimensions suit a function? Functions of a few dimensions have one number of them. */
static bool suits(const struct shoal_objective_info *info, const char *what, size_t dim)
{
    if (info->min_dim == info->max_dim)
        return dim == info->min_dim;
    return dim >= info->min_dim && dim != 3 && dim != 4 && dim != 6 && !(dim == 1 && strstr(what, "D - 1"));
}

/* `wanted` gives the values. */
static void check(const struct shoal_objective *objective, const struct shoal_objective *wanted,
                  const char *what, double slack)
{
    static const size_t dims[] = {1, 2, 3, 4, 6, 7, 31, MAX_DIM};
    const struct shoal_objective_info *info = shoal_objective_get_info(wanted);
    const bool is_whole = info->shape == SHOAL_OPAQUE;
    for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
        struct shoal_program *program = is_whole ? NULL : build(objective, is_float, 1);
        for (size_t k = 0; k < COUNT(dims); k++) {
            double x[POINTS * MAX_DIM], got[POINTS], values[POINTS], lower[MAX_DIM], upper[MAX_DIM];
            if (!suits(info, what, dims[k]))
                continue;
            shoal_objective_box(wanted, dims[k], lower, upper);
            draw_in(x, dims[k], lower, upper, (uint32_t)(40 + k));
            if (is_whole)
                program = build(objective, is_float, dims[k]);
            evaluate(program, is_float, x, dims[k], got);
            for (size_t i = 0; i < POINTS; i++)
                values[i] = shoal_objective_value(wanted, x + i * dims[k], dims[k]);
            compare(what, dims[k], is_float, slack, got, values);
            harness_release();
            if (is_whole)
                shoal_program_destroy(&program);
        }
        shoal_program_destroy(&program);
    }
}

static void built_in_functions_are_their_textbook_formulas(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(twins); i++) {
        const struct shoal_objective *objective = shoal_objective_find(twins[i].name);
        assert_non_null(objective);
        if (harness_takes_case())
            check(objective, objective, twins[i].name, twins[i].slack);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        const struct shoal_objective *objective = shoal_objective_find(others[i].name);
        assert_non_null(objective);
        if (harness_takes_case())
            check(objective, objective, others[i].name, others[i].slack);
    }
}

static void formulas_are_their_built_in_functions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(twins); i++) {
        struct shoal_objective *objective = NULL;
        if ((harness.tiny && i % 4) || !harness_takes_case())
            continue;
        assert_ok(shoal_objective_from_expression(twins[i].formula, &objective, &test_error));
        check(objective, shoal_objective_find(twins[i].name), twins[i].formula, twins[i].slack);
        shoal_objective_destroy(&objective);
    }
}

/* Every function and operator, and sums that need the last dimension beside one that does not; at points
 * where all are defined. */
static void formulas_hold_what_the_grammar_says(void **state)
{
    (void)state;
    static const char *const formulas[] = {
        "sum(asin(x[i]) + acos(x[i]) + atan(3*x[i]) + sinh(x[i]) + cosh(x[i]) + tanh(x[i]))",
        "sum(exp(x[i])) + prod(1 + log(1 + x[i])/D) - sum(floor(7*x[i])) * sum(min(x[i], 0.5) + max(i, 3))",
        "sum(tan(x[i]) + sign(x[i] - 0.5) + abs(x[i] - 0.5) + pow(x[i], 1.5) + x[i]^-2 + x[i]^7 - x[i]^0.5)",
        "sum(x[i]*x[i+1]) + sum(x[i]^3) * prod(1 + x[i]/(10*i)) - sum(2^x[i] + e^x[i] + i^x[i+1])",
        "sqrt(sum(cos2pi(x[i]) + 2) ^ 3) / (1 + sum(sin(-3*pi*x[i]/D)*sin2pi(x[i+1])) ^ 2)",
        "-sum(-x[i]^2 - -(x[i] - 2)/(x[i] + 3)) + 2^-1^2",
        "(x[1]-1)^2 + 100*(x[2]-x[1]^2)^2 + sum(x[i]^2)",
        "x[2]*sum(sin(2*pi*x[1]*x[i])/(x[2] + x[i+1])) + prod(1 + x[1]*x[i]/8)",
        "cos(3*x[2]) - sqrt(x[1])*x[2]^-2",
    };
    for (size_t f = 0; f < COUNT(formulas); f++) {
        struct shoal_objective *objective = NULL;
        if (!harness_takes_case())
            continue;
        assert_ok(shoal_objective_from_expression(formulas[f], &objective, &test_error));
        for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
            struct shoal_program *program = build(objective, is_float, 1);
            const size_t most = shoal_objective_get_info(objective)->max_dim;
            for (size_t dim = 2; dim <= 9 && dim <= most; dim += 7) {
                double x[POINTS * MAX_DIM], got[POINTS], wanted[POINTS];
                draw(x, dim, 0.0625, 1, (uint32_t)(60 + dim));
                evaluate(program, is_float, x, dim, got);
                for (size_t i = 0; i < POINTS; i++)
                    wanted[i] = shoal_objective_value(objective, x + i * dim, dim);
                /* Terms are below 300: 1 / 0.0625^2. */
                compare(formulas[f], dim, is_float, 5000, got, wanted);
                harness_release();
            }
            shoal_program_destroy(&program);
        }
        shoal_objective_destroy(&objective);
    }
}

/* Where shifts and rotations lead. */
static void schwefel_is_continued_outside_of_its_box(void **state)
{
    (void)state;
    const struct shoal_objective *objective = shoal_objective_find("schwefel");
    enum { DIM = 7 };
    for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
        struct shoal_program *program = build(objective, is_float, 1);
        double x[POINTS * MAX_DIM], got[POINTS], wanted[POINTS];
        draw(x, DIM, -1700, 1700, 71);
        evaluate(program, is_float, x, DIM, got);
        for (size_t i = 0; i < POINTS; i++)
            wanted[i] = shoal_objective_value(objective, x + i * DIM, DIM);
        /* As in the box, where angles are half as large. */
        compare("schwefel outside", DIM, is_float, 8e4, got, wanted);
        harness_release();
        shoal_program_destroy(&program);
    }
}

static void texts_keep_their_digits_at_the_minimum(void **state)
{
    (void)state;
    static const char *const names[] = {"sphere", "rastrigin", "ackley", "griewank", "ellipsoid", "zakharov"};
    enum { DIM = 7 };
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!harness_takes_case())
            continue;
        const struct shoal_objective *objective = shoal_objective_find(names[i]);
        struct shoal_program *program = build(objective, true, 1);
        double x[POINTS * MAX_DIM], got[POINTS];
        draw(x, DIM, -0x1p-10, 0x1p-10, 70);
        evaluate(program, true, x, DIM, got);
        for (size_t k = 0; k < POINTS; k++) {
            const double wanted = shoal_objective_value(objective, x + k * DIM, DIM);
            test_label("%s near its minimum", names[i]);
            assert_near(got[k], wanted, 32 * (double)FLT_EPSILON * wanted);
        }
        shoal_program_destroy(&program);
        harness_release();
    }
}

/* x - 100 in single precision is off by 4e-6, which the cosines show. */
static void the_shift_of_griewank_keeps_the_digits(void **state)
{
    (void)state;
    const struct shoal_objective *objective = shoal_objective_find("griewank-100");
    struct shoal_program *program = build(objective, true, 1);
    for (size_t dim = 1; dim <= 7; dim++) {
        double x[POINTS * MAX_DIM], got[POINTS];
        draw(x, dim, -5, 5, (uint32_t)(90 + dim));
        evaluate(program, true, x, dim, got);
        for (size_t k = 0; k < POINTS; k++) {
            const double wanted = shoal_objective_value(objective, x + k * dim, dim);
            test_label("griewank-100, dim %zu", dim);
            assert_near(got[k], wanted, 2 * (double)FLT_EPSILON * wanted);
        }
        harness_release();
    }
    shoal_program_destroy(&program);
}

static void an_opaque_text_runs_on_both(void **state)
{
    (void)state;
    static const char opaque[] =
        "#include \"lib/trig.clh\"\n"
        "#define SHAPE OPAQUE\n"
        "#define LOWER R(-2.0)\n"
        "#define UPPER 2\n"
        "__constant real weights[3] = {R(0.5), R(1.0), R(2.0)};\n"
        "static inline real last(const real *x)\n"
        "{\n"
        "    real copy[DIM];\n"
        "    uint d;\n"
        "    for (d = 0; d < DIM; d++)\n"
        "        copy[d] = x[DIM - 1 - d];\n"
        "    return copy[0];\n"
        "}\n"
        "static inline real objective_value(const real *x, uint dim)\n"
        "{\n"
        "    real sum = last(x) * mad(x[0], x[0], R(1.0));\n"
        "    uint d;\n"
        "    for (d = 0; d < dim; d++)\n"
        "        sum += weights[d % 3u] * clamp(x[d], R(-1.0), R(1.0)) + cospi(x[d]) * min(x[d], R(0.25)) +\n"
        "               rsqrt(R(1.0) + x[d] * x[d]) + (real)max(d, 2u) + mix(x[d], x[0], R(0.5)) + "
        "sign(x[d]);\n"
        "    return sum;\n"
        "}\n";
    static const size_t dims[] = {1, 5, 20};
    struct shoal_objective *objective = NULL;
    if (harness.tiny)
        return; /* the compiler of the host would run inside the simulator */
    assert_ok(shoal_objective_from_text(harness.shoal, opaque, "opaque.cl", &objective, &test_error));
    assert_int_equal(shoal_objective_get_info(objective)->shape, SHOAL_OPAQUE);
    for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--)
        for (size_t k = 0; k < COUNT(dims); k++) {
            if (!harness_takes_case())
                continue;
            double x[POINTS * MAX_DIM], got[POINTS], wanted[POINTS];
            struct shoal_program *program = build(objective, is_float, dims[k]);
            draw(x, dims[k], -2, 2, (uint32_t)(80 + k));
            evaluate(program, is_float, x, dims[k], got);
            for (size_t i = 0; i < POINTS; i++)
                wanted[i] = shoal_objective_value(objective, x + i * dims[k], dims[k]);
            compare("opaque.cl", dims[k], is_float, 400, got, wanted);
            shoal_program_destroy(&program);
            harness_release();
        }
    shoal_objective_destroy(&objective);
}

/* Functions of each form: terms alone, neighbours, products, all coordinates, single coordinates. */
static void rotated_functions_run_on_both(void **state)
{
    (void)state;
    static const char *const names[] = {"rastrigin", "rosenbrock", "griewank", "schwefel-1.2", NULL};
    static const size_t dims[] = {2, 9};
    for (size_t f = 0; f < COUNT(names); f++)
        for (size_t k = 0; k < COUNT(dims); k++) {
            struct shoal_objective *own = NULL, *rotated = NULL;
            double x[POINTS * MAX_DIM], got[POINTS], wanted[POINTS];
            if (!harness_takes_case())
                continue;
            if (!names[f])
                assert_ok(shoal_objective_from_expression("x[1]*sum(x[i]*x[i+1]) + sum(x[i]^2)", &own,
                                                          &test_error));
            assert_ok(objective_rotate(names[f] ? shoal_objective_find(names[f]) : own, &own, 7, dims[k],
                                       &rotated, &test_error));
            for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
                struct shoal_program *program = build(rotated, is_float, dims[k]);
                draw(x, dims[k], -2, 2, (uint32_t)(90 + k));
                evaluate_by(program, is_float, rotated->table, x, dims[k], got);
                for (size_t i = 0; i < POINTS; i++)
                    wanted[i] = shoal_objective_value(rotated, x + i * dims[k], dims[k]);
                compare(names[f] ? names[f] : "formula", dims[k], is_float, 3e4, got, wanted);
                shoal_program_destroy(&program);
                harness_release();
            }
            shoal_objective_destroy(&rotated);
        }
}

/* Ranks on a device and on the host: of values, and of violations. Points so near to a constraint that single
 * precision may put them on the other side are left out. */
static void compare_ranks(const struct shoal_objective *objective, size_t dim, bool is_float, const double *x,
                          const double *got)
{
    const double epsilon = is_float ? 1e-4 : 1e-10;
    for (size_t i = 0; i < POINTS; i++) {
        double excess[64], size = 1, nearest = INFINITY;
        const double value = constrained_parts(objective, x + i * dim, dim, excess);
        const double violation = constrained_violation(objective->constrained, excess);
        for (size_t k = 0; k < objective->constrained->count; k++) {
            size = fmax(size, fabs(excess[k]));
            nearest = fmin(nearest, fabs(excess[k]));
        }
        if (nearest <= 10 * epsilon * size)
            continue;
        const double rank = objective->constrained->sign * got[i];
        assert_near(constrained_violation_of(rank), violation, epsilon * size);
        if (violation <= 0)
            assert_near(got[i], value, epsilon * fmax(1, fabs(value)));
    }
}

static void constrained_functions_run_on_both(void **state)
{
    (void)state;
    static const struct {
        const char *name, *formulas;
        double sign;
        bool is_rotated;
    } cases[] = {
        {"rastrigin", "x[1] <= 0.5; sum(x[i]^2) >= 3", 1, false},
        {"rosenbrock", "sum(x[i]*x[i+1]) + prod(x[i]^3) <= x[2]^5; x[1] = x[2]^2", 1, false},
        {"schwefel-1.2", "sin(x[1]) >= cos(x[2]/3)", -1, false},
        {"griewank", "x[1] + x[2] <= 1", -1, true},
        {"zakharov", "sum(i*x[i]) <= 1", 1, true},
        {"cec2006-g01", NULL, 1, false},
        {"cec2006-g05", NULL, 1, false},
        {"cec2006-g07", "x[1] <= 3", 1, true},
        {"cec2006-g12", NULL, 1, false},
        {"cec2006-g18", NULL, 1, false},
        {"cec2006-g19", NULL, 1, false},
        {"cec2006-g23", NULL, 1, false},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        const struct shoal_objective *function = shoal_objective_find(cases[c].name);
        const size_t least = shoal_objective_get_info(function)->min_dim, dim = least > 2 ? least : 3;
        struct shoal_objective *objective = NULL, *owned = NULL;
        const struct constraint_params params = {
            .formulas = cases[c].formulas, .tolerance = 0.125, .sign = cases[c].sign};
        double x[POINTS * MAX_DIM], got[POINTS];
        if (!harness_takes_case())
            continue;
        assert_ok(objective_constrain(function, &owned, &params, dim, &objective, &test_error));
        if (cases[c].is_rotated) {
            owned = objective;
            assert_ok(objective_rotate(objective, &owned, 7, dim, &objective, &test_error));
        }
        for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
            struct shoal_program *program = build(objective, is_float, dim);
            test_label("%s, fp%d", cases[c].name, is_float ? 32 : 64);
            draw(x, dim, 0.25, 2, (uint32_t)(70 + c));
            evaluate_by(program, is_float, objective->table, x, dim, got);
            compare_ranks(objective, dim, is_float, x, got);
            shoal_program_destroy(&program);
            harness_release();
        }
        shoal_objective_destroy(&objective);
    }
}

/* Text of examples/objectives/NAME, of harness_memory; NULL where the tests run without the source tree. */
static const char *example(const char *name)
{
    enum { SIZE = 8192 };
    const char *folder = getenv("SHOAL_TEST_EXAMPLES");
    char path[4096], *content = harness_memory(SIZE);
    if (!folder) {
        print_message("SHOAL_TEST_EXAMPLES is not set: left out\n");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s", path);
    content[fread(content, 1, SIZE - 1, file)] = '\0';
    fclose(file);
    return content;
}

static void the_examples_are_what_they_say(void **state)
{
    (void)state;
    const double spacing = pow(2, 1.0 / 6), atoms[6] = {0.5, 0, 1, 0.5, spacing, 1}, origin[3] = {0};
    struct shoal_objective *objective = NULL;
    const char *source = harness.tiny ? NULL : example("salomon.clh");
    if (!source)
        return;
    assert_ok(shoal_objective_from_text(harness.shoal, source, "salomon.clh", &objective, &test_error));
    assert_true(shoal_objective_value(objective, origin, 3) == shoal_objective_minimum(objective, 3));
    check(objective, objective, "salomon.clh", 1000);
    shoal_objective_destroy(&objective);

    assert_ok(shoal_objective_from_text(harness.shoal, example("cluster.clh"), "cluster.clh", &objective,
                                        &test_error));
    assert_near(shoal_objective_value(objective, atoms, 6), -1, 1e-14);
    struct shoal_program *program = build(objective, true, 6);
    double x[POINTS * 6], got[POINTS];
    for (size_t i = 0; i < POINTS * 6; i++)
        x[i] = (double)(float)atoms[i % 6];
    evaluate(program, true, x, 6, got);
    assert_near(got[POINTS - 1], -1, 1e-5);
    shoal_program_destroy(&program);
    shoal_objective_destroy(&objective);

    /* The line 1 + t, and rows that are 1 above and below it. */
    static const double lines[4][3] = {{1, 0, 2}, {1, 1, 1}, {1, 2, 4}, {1, 3, 3}};
    const double line[2] = {1, 1};
    assert_ok(shoal_objective_from_text_table(harness.shoal, example("minimax.clh"), "minimax.clh", lines[0],
                                              4, 3, &objective, &test_error));
    assert_true(shoal_objective_value(objective, line, 2) == 1);
    shoal_objective_destroy(&objective);

    /* y = 2 exp(-t) + 1 and one bad row, 3 too high. */
    double rows[8][2];
    const double best[3] = {2, 1, 1};
    for (int i = 0; i < 8; i++) {
        rows[i][0] = 0.5 * i;
        rows[i][1] = 2 * exp(-rows[i][0]) + 1 + (i == 5 ? 3 : 0);
    }
    const struct shoal_rows table = {.size = sizeof table,
                                     .values = rows[0],
                                     .rows = 8,
                                     .columns = 2,
                                     .dim = 3,
                                     .text = example("decay.clh"),
                                     .name = "decay.clh"};
    assert_ok(shoal_objective_from_rows(harness.shoal, &table, &objective, &test_error));
    assert_near(shoal_objective_value(objective, best, 3), 2.5, 1e-14);
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_functions_are_their_textbook_formulas),
        cmocka_unit_test(formulas_are_their_built_in_functions),
        cmocka_unit_test(formulas_hold_what_the_grammar_says),
        cmocka_unit_test(schwefel_is_continued_outside_of_its_box),
        cmocka_unit_test(texts_keep_their_digits_at_the_minimum),
        cmocka_unit_test(the_shift_of_griewank_keeps_the_digits),
        cmocka_unit_test(an_opaque_text_runs_on_both),
        cmocka_unit_test(rotated_functions_run_on_both),
        by_turn(constrained_functions_run_on_both),
        cmocka_unit_test(the_examples_are_what_they_say),
    };
    return harness_main("objectives", tests, COUNT(tests));
}
