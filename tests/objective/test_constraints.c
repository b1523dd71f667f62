/* Constraints on the host: the rank of a point, formulas, texts, functions of the caller (also of several
 * points), CEC 2006. */
#include "unit.h"

#include "objective/constraints/constraints.h"
#include "objective/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct shoal *shoal;

static int setup(void **state)
{
    const int failed = unit_setup(state);
    setenv("TMPDIR", test_folder(), 1);
    shoal = failed ? NULL : unit_open();
    return failed;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    unsetenv("TMPDIR");
    return unit_teardown(state);
}

static struct shoal_objective *constrained(const char *function, const char *formulas, double sign,
                                           size_t dim)
{
    struct shoal_objective *objective = NULL, *owned = NULL;
    const struct constraint_params params = {.formulas = formulas, .tolerance = 1e-4, .sign = sign};
    assert_ok(
        objective_constrain(shoal_objective_find(function), &owned, &params, dim, &objective, &test_error));
    return objective;
}

static void ranks_hold_value_and_violation(void **state)
{
    (void)state;
    static const double values[] = {-1e300, -3, 0, 1e-300, 7049.25, 1e15},
                        violations[] = {1e-12, 1e-6, 1, 3e7};
    for (size_t i = 0; i < COUNT(values); i++) {
        assert_true(constrained_rank_of(values[i], 0) == values[i]);
        assert_true(constrained_violation_of(values[i]) == 0);
    }
    for (size_t i = 0; i < COUNT(violations); i++) {
        const double rank = constrained_rank_of(-1e300, violations[i]);
        assert_near(constrained_violation_of(rank), violations[i], 1e-15 * violations[i]);
        assert_true(rank > values[COUNT(values) - 1]);
        assert_true(i == 0 || rank > constrained_rank_of(5, violations[i - 1]));
        assert_true((float)rank < INFINITY);
    }
    /* The ends: a value above all, violations that are too small or too large, and what is no number. */
    assert_true(constrained_rank_of(1e40, 0) < constrained_rank_of(0, 1e-300));
    assert_true(constrained_rank_of(0, 1e-300) < constrained_rank_of(0, 1e-11));
    assert_true((float)constrained_rank_of(0, INFINITY) < INFINITY);
    assert_true(isinf(constrained_rank_of(INFINITY, 0)));
    assert_true(isnan(constrained_rank_of(NAN, 0)));
    assert_true(isnan(constrained_rank_of(0, NAN)));
}

static void formulas_are_constraints(void **state)
{
    (void)state;
    struct shoal_objective *objective =
        constrained("sphere", " x[1] + x[2] <= 3; sum(x[i]*x[i+1]) >= 2*D ;x[2] = x[3]^3 - 1 ", 1, 3);
    static const double x[][3] = {{1, 2, 3}, {2, 1, 1}, {0, 7, 2}};
    double excess[3];
    assert_int_equal(objective->constrained->count, 3);
    assert_string_equal(objective->constrained->names[1], "sum(x[i]*x[i+1]) >= 2*D");
    assert_true(!objective->constrained->is_equality[1] && objective->constrained->is_equality[2]);
    assert_near(constrained_parts(objective, x[0], 3, excess), 14, 0);
    assert_near(excess[0], 0, 0);
    assert_near(excess[1], -2, 0);
    assert_near(excess[2], 24 - 1e-4, 1e-12);
    assert_near(constrained_violation(objective->constrained, excess), 24 - 1e-4, 1e-12);
    constrained_parts(objective, x[1], 3, excess);
    assert_near(constrained_violation(objective->constrained, excess), 3 + 1 - 1e-4, 1e-12);
    assert_near(constrained_violation_of(shoal_objective_value(objective, x[1], 3)), 4 - 1e-4, 1e-12);
    constrained_parts(objective, x[2], 3, excess);
    assert_true(excess[2] <= 0 && excess[0] == 4 && excess[1] == -8);
    shoal_objective_destroy(&objective);
    /* A point that meets all has its value; to maximise, the rank is that of minus the value. */
    objective = constrained("sphere", "x[1] == x[2]", -1, 2);
    assert_near(shoal_objective_value(objective, (double[]){2, 2}, 2), 8, 0);
    assert_true(-shoal_objective_value(objective, (double[]){2, 3}, 2) > 1e15);
    shoal_objective_destroy(&objective);
}

static void wrong_formulas_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *formulas, *message;
    } cases[] = {
        {"x[1] + x[2]", "constraint 1, column 12: the expression ends where <=, >= or = should follow"},
        {"x[1] < 2", "constraint 1, column 6: \"<\" is no relation here: write <="},
        {"x[1] >= 0; x[1] + <= 2",
         "constraint 2, column 8: \"<\" where a number, a name or \"(\" should follow"},
        {"1 <= x[1] <= 2", "constraint 1, column 11: a constraint has one relation: give two constraints"},
        {"1 <= 2", "constraint 1, column 1: no coordinate, such as x[1], is in the constraint"},
        {"x[1] <= 2;", "constraint 2 is empty"},
        {"x[5] <= 2", "constraint 1, x[5] <= 2, needs 5 dimensions, not 3"},
        {"y <= 2", "constraint 1, column 1"},
        {"x[1] <= 2 3", "constraint 1, column 11"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = (void *)&cases, *owned = NULL;
        const struct constraint_params params = {.formulas = cases[i].formulas, .sign = 1};
        test_label("%s", cases[i].formulas);
        assert_status(
            objective_constrain(shoal_objective_find("sphere"), &owned, &params, 3, &objective, &test_error),
            SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
    }
    static const char *const others[] = {"f6", "onemax"};
    for (size_t i = 0; i < COUNT(others); i++) {
        struct shoal_objective *objective, *owned = NULL;
        const struct constraint_params params = {.formulas = "x[1] <= 2", .sign = 1};
        assert_status(objective_constrain(shoal_objective_find(others[i]), &owned, &params, 16, &objective,
                                          &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, "constraints are for functions of reals");
    }
}

#define HEAD "#define SHAPE OPAQUE\n#define CONSTRAINTS 3\n"
#define VALUE                                                                                                \
    "static inline real objective_value(const real *x, uint dim)\n{\n    (void)dim;\n    return x[0];\n}\n"
#define FUNCTION(line)                                                                                       \
    "static inline void objective_constraints(real *g, const real *x, uint dim)\n{\n    (void)dim;\n" line   \
    "}\n"

static void texts_have_constraints(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "#define EQUALITIES 1\n#define MIN_DIM 2\n#define MAX_DIM 2\n" VALUE FUNCTION(
            "    g[0] = x[0] - R(2.0);\n    g[1] = R(1.0) - x[1];\n    g[2] = x[0] - x[1];\n");
    struct shoal_objective *objective = NULL, *owned, *whole = NULL;
    const struct constraint_params params = {.formulas = "x[1] + x[2] >= 3", .tolerance = 0.5, .sign = 1};
    double g[4];
    assert_ok(shoal_objective_from_text(shoal, text, "my.cl", &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_int_equal(info->constraints, 3);
    assert_int_equal(info->equalities, 1);
    shoal_objective_constraints(objective, (double[]){4, 7}, 2, g);
    assert_true(g[0] == 2 && g[1] == -6 && g[2] == -3);
    owned = objective;
    assert_ok(objective_constrain(objective, &owned, &params, 2, &whole, &test_error));
    assert_string_equal(whole->constrained->names[2], "h1");
    assert_near(constrained_parts(whole, (double[]){1, 1.25}, 2, g), 1, 0);
    assert_true(g[2] == -0.25 && g[3] == 0.75);
    shoal_objective_destroy(&whole);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"#define SHAPE OPAQUE\n#define EQUALITIES 1\n" VALUE,
         "my.cl:2: EQUALITIES needs a line #define CONSTRAINTS"},
        {"#define SHAPE OPAQUE\n#define CONSTRAINTS 0\n" VALUE,
         "my.cl:2: CONSTRAINTS is a number from 1 to 1024"},
        {HEAD "#define EQUALITIES 4\n" VALUE FUNCTION(""),
         "my.cl:3: EQUALITIES is a number from 1 to CONSTRAINTS"},
        {HEAD VALUE,
         "my.cl:2: CONSTRAINTS needs a function static inline void objective_constraints(real *g,"},
        {"#define SHAPE DATA_ROWS\n#define CONSTRAINTS 1\nobjective_residual(); objective_constraints();\n",
         "my.cl:2: CONSTRAINTS is for PER_DIMENSION and OPAQUE"},
        {HEAD "#define MIN_DIM 2\n#define MAX_DIM 2\n#define LOWER 0\n#define UPPER 1\n" VALUE FUNCTION(
             "    g[3] = x[0];\n"),
         "there is no g[3]"},
        {HEAD "#define MIN_DIM 2\n#define MAX_DIM 2\n#define LOWER 0\n#define UPPER 1\n" VALUE FUNCTION(
             "    g[0] = x[2];\n"),
         "there is no x[2]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i].message);
        assert_status(shoal_objective_from_text(shoal, cases[i].text, "my.cl", &objective, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
    }
}

static double first(const double *x, size_t dim, void *data)
{
    (void)dim, (void)data;
    return x[0];
}

static void circle(const double *x, size_t dim, double *g, void *data)
{
    (void)dim;
    g[0] = x[0] * x[0] + x[1] * x[1] - *(const double *)data;
}

static void functions_of_the_caller_are_constraints(void **state)
{
    (void)state;
    double radius = 4, g[1];
    struct shoal_objective *plain = NULL, *objective = NULL, *again = NULL;
    assert_ok(shoal_objective_from_callback(first, NULL, "first", &plain, &test_error));
    assert_ok(shoal_objective_with_constraints(plain, circle, &radius, 1, 0, &objective, &test_error));
    shoal_objective_constraints(objective, (double[]){3, 1}, 2, g);
    assert_near(g[0], 6, 0);
    assert_near(shoal_objective_value(objective, (double[]){3, 1}, 2), 3, 0);
    assert_status(shoal_objective_with_constraints(objective, circle, &radius, 1, 0, &again, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "first is no function of reals without constraints");
    assert_status(shoal_objective_with_constraints(plain, circle, &radius, 1, 2, &again, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_objective_with_constraints(plain, circle, &radius, 0, 0, &again, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_objective_with_constraints(plain, NULL, NULL, 1, 0, &again, &test_error),
                  SHOAL_INVALID);
    g[0] = 5;
    shoal_objective_constraints(plain, (double[]){3, 1}, 2, g);
    assert_near(g[0], 5, 0);
    shoal_objective_destroy(&objective);
    shoal_objective_destroy(&plain);
}

/* The best points known, from the report of the session, where equalities are met within 1e-4. */
static const struct {
    int number;
    double x[24];
} best[] = {
    {1, {1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 1}},
    {2, {3.16246061572185, 3.12833142812967, 3.09479212988791, 3.06145059523469, 3.02792915885555,
         2.99382606701730, 2.95866871765285, 2.92184227312450, 0.49482511456933, 0.48835711005490,
         0.48231642711865, 0.47664475092742, 0.47129550835493, 0.46623099264167, 0.46142004984199,
         0.45683664767217, 0.45245876903267, 0.44826762241853, 0.44424700958760, 0.44038285956317}},
    {3,
     {0.31624357647283069, 0.316243577414338339, 0.316243578012345927, 0.316243575664017895,
      0.316243578205526066, 0.31624357738855069, 0.316243575472949512, 0.316243577164883938,
      0.316243578155920302, 0.316243576147374916}},
    {4, {78, 33, 29.9952560256815985, 45, 36.7758129057882073}},
    {5, {679.945148297028709, 1026.06697600004691, 0.118876369094410433, -0.39623348521517826}},
    {6, {14.09500000000000064, 0.8429607892154795668}},
    {7,
     {2.17199634142692, 2.3636830416034, 8.77392573913157, 5.09598443745173, 0.990654756560493,
      1.43057392853463, 1.32164415364306, 9.82872576524495, 8.2800915887356, 8.3759266477347}},
    {8, {1.22797135260752599, 4.24537336612274885}},
    {9,
     {2.33049935147405174, 1.95137236847114592, -0.477541399510615805, 4.36572624923625874,
      -0.624486959100388983, 1.03813099410962173, 1.5942266780671519}},
    {10,
     {579.306685017979589, 1359.97067807935605, 5109.97065743133317, 182.01769963061534, 295.601173702746792,
      217.982300369384632, 286.41652592786852, 395.601173702746735}},
    {11, {-0.707036070037170616, 0.500000004333606807}},
    {12, {5, 5, 5}},
    {13, {-1.71714224003, 1.59572124049468, 1.8272502406271, -0.763659881912867, -0.76365986736498}},
    {14,
     {0.0406684113216282, 0.147721240492452, 0.783205732104114, 0.00141433931889084, 0.485293636780388,
      0.000693183051556082, 0.0274052040687766, 0.0179509660214818, 0.0373268186859717, 0.0968844604336845}},
    {15, {3.51212812611795133, 0.216987510429556135, 3.55217854929179921}},
    {16,
     {705.174537070090537, 68.5999999999999943, 102.899999999999991, 282.324931593660324,
      37.5841164258054832}},
    {17,
     {201.784467214523659, 99.9999999999999005, 383.071034852773266, 420, -10.9076584514292652,
      0.0731482312084287128}},
    {18,
     {-0.657776192427943163, -0.153418773482438542, 0.323413871675240938, -0.946257611651304398,
      -0.657776194376798906, -0.753213434632691414, 0.323413874123576972, -0.346462947962331735,
      0.59979466285217542}},
    {19,
     {0, 0, 3.94599045143233784, 0, 3.2831773458454161, 9.99999999999999822, 0, 0, 0, 0, 0.370764847417013987,
      0.278456024942955571, 0.523838487672241171, 0.388620152510322781, 0.298156764974678579}},
    {21,
     {193.724510070034967, 0, 17.3191887294084914, 100.047897801386839, 6.68445185362377892,
      5.99168428444264833, 6.21451648886070451}},
    {22,
     {236.430975504001054, 135.82847151732463,  204.818152544824585, 6446.54654059436416, 3007540.83940215595,
      4074188.65771341929, 32918270.5028952882, 130.075408394314167, 170.817294970528621, 299.924591605478554,
      399.258113423595205, 330.817294971142758, 184.51831230897065,  248.64670239647424,  127.658546694545862,
      269.182627528746707, 160.000016724090955, 5.29788288102680571, 5.13529735903945728, 5.59531526444068827,
      5.43444479314453499, 5.07517453535834395}},
    {23,
     {0.00510000000000259465, 99.9947000000000514, 0, 99.9999000000000535, 0.000100000000027086086, 0,
      99.9999999999999574, 200, 0.0100000100000100008}},
    {24, {2.32952019747762, 3.17849307411774}},
};

static void best_points_of_cec_2006_have_their_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(best); i++) {
        char name[16];
        double excess[40];
        snprintf(name, sizeof name, "cec2006-g%02d", best[i].number);
        const struct shoal_objective *function = shoal_objective_find(name);
        const size_t dim = shoal_objective_get_info(function)->min_dim;
        const double least = shoal_objective_minimum(function, dim);
        struct shoal_objective *objective = constrained(name, NULL, 1, dim);
        test_label("%s", name);
        assert_near(constrained_parts(objective, best[i].x, dim, excess), least, 2e-9 * fmax(1, fabs(least)));
        /* The report has fifteen digits of a coordinate, which constraints multiply by up to 1e5. */
        assert_true(constrained_violation(objective->constrained, excess) <= 2e-6);
        shoal_objective_destroy(&objective);
    }
}

/* Sets the values of all points, but of two points only the first; counts calls. */
static void sums_of_points(const double *points, size_t count, size_t dim, double *values, void *data)
{
    ++*(int *)data;
    for (size_t n = 0; n < (count == 2 ? 1 : count); n++) {
        values[n] = 0;
        for (size_t d = 0; d < dim; d++)
            values[n] += points[n * dim + d];
    }
}

static void functions_of_several_points(void **state)
{
    (void)state;
    const double points[] = {1, 2, 3, 4, 5, 6};
    double values[3];
    int calls = 0;
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_points_callback(sums_of_points, &calls, "sums", &objective, &test_error));
    assert_true(shoal_objective_value(objective, points + 2, 2) == 7);
    assert_non_null(objective->values);
    objective->values(objective, points, 3, 2, values);
    assert_true(values[0] == 3 && values[1] == 7 && values[2] == 11);
    objective->values(objective, points, 2, 2, values);
    assert_true(values[0] == 3 && isnan(values[1]));
    assert_int_equal(calls, 3);
    shoal_objective_destroy(&objective);
    assert_status(shoal_objective_from_points_callback(NULL, NULL, "none", &objective, &test_error),
                  SHOAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranks_hold_value_and_violation, setup, teardown),
        cmocka_unit_test_setup_teardown(formulas_are_constraints, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_formulas_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_have_constraints, setup, teardown),
        cmocka_unit_test_setup_teardown(functions_of_the_caller_are_constraints, setup, teardown),
        cmocka_unit_test_setup_teardown(best_points_of_cec_2006_have_their_values, setup, teardown),
        cmocka_unit_test(functions_of_several_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
