/* Constraints of an optimiser: told with the values, as functions of the caller, as formulas. */
#include "kinds.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = 100 };

/* At most 0 where x[0] + x[1] >= 3. The bowl is then least at (1, 2, 2, 3), where it is -5. */
static double lacks(const double *x)
{
    return 3 - x[0] - x[1];
}

static void sum_of_two(const double *x, size_t dim, double *g, void *data)
{
    (void)dim, (void)data;
    g[0] = lacks(x);
}

static void assert_best(const struct shoal_optimiser *optimiser)
{
    static const double wanted[DIM] = {1, 2, 2, 3};
    double x[DIM], value;
    assert_true(shoal_optimiser_best(optimiser, x, &value));
    assert_near(value, -5, 1e-3);
    assert_near(shoal_optimiser_violation(optimiser), 0, 0);
    /* A formula may be rounded in another order. */
    assert_true(lacks(x) <= 1e-12);
    for (size_t d = 0; d < DIM; d++)
        assert_near(x[d], wanted[d], 0.05);
}

static struct shoal_optimiser *make_de(void)
{
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "de", &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 6000;
    return optimiser;
}

/* Asks for at most `room` points and tells until the search is over; returns the most points of an ask.
 * one_by_one: and moves the search into another optimiser now and then. */
static size_t ask_and_tell(struct shoal_optimiser **optimiser, size_t room, bool one_by_one)
{
    double points[ROOM * DIM], values[ROOM], violations[ROOM];
    size_t count, most = 0, turn = 0;
    for (;;) {
        assert_ok(shoal_optimiser_ask(*optimiser, points, room, &count, &test_error));
        if (!count)
            return most;
        most = count > most ? count : most;
        for (size_t i = 0; i < count; i++) {
            violations[i] = fmax(0, lacks(points + i * DIM));
            values[i] = violations[i] > 0 ? NAN : bowl(points + i * DIM, DIM, NULL);
        }
        for (size_t i = count; i-- > 0 && one_by_one;) {
            assert_ok(
                shoal_optimiser_tell_value_constrained(*optimiser, i, values[i], violations[i], &test_error));
            if (i == count / 2 && turn++ % 8 == 0) {
                size_t size;
                void *bytes;
                assert_ok(shoal_optimiser_save_memory(*optimiser, &bytes, &size, &test_error));
                shoal_optimiser_destroy(optimiser);
                *optimiser = make_de();
                assert_ok(shoal_optimiser_set_constrained(*optimiser, true, &test_error));
                assert_ok(shoal_optimiser_load_memory(*optimiser, bytes, size, &test_error));
                free(bytes);
            }
        }
        if (!one_by_one)
            assert_ok(shoal_optimiser_tell_constrained(*optimiser, values, violations, count, &test_error));
    }
}

static void violations_are_told(void **state)
{
    (void)state;
    double x[2][DIM], value[2];
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        struct shoal_optimiser *optimiser = make_de();
        assert_ok(shoal_optimiser_set_constrained(optimiser, true, &test_error));
        assert_true(isnan(shoal_optimiser_violation(optimiser)));
        ask_and_tell(&optimiser, ROOM, one_by_one);
        assert_best(optimiser);
        assert_true(shoal_optimiser_best(optimiser, x[one_by_one], &value[one_by_one]));
        shoal_optimiser_destroy(&optimiser);
    }
    assert_memory_equal(x[0], x[1], sizeof *x);
}

/* The points of several steps at once make the search that each step by itself makes. */
static void steps_together(void **state)
{
    (void)state;
    struct shoal_optimiser *apart = kind(13), *together = kind(13); /* its populations double */
    double x[2][DIM], value[2];
    assert_ok(shoal_optimiser_set_constrained(apart, true, &test_error));
    assert_ok(shoal_optimiser_set_constrained(together, true, &test_error));
    assert_int_equal(ask_and_tell(&apart, 6, false), 6);
    assert_in_range(ask_and_tell(&together, 64, false), 12, 64);
    assert_true(shoal_optimiser_best(apart, x[0], &value[0]) &&
                shoal_optimiser_best(together, x[1], &value[1]));
    assert_true(value[0] == value[1] && isfinite(value[0]));
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_true(shoal_optimiser_violation(apart) == 0 && shoal_optimiser_violation(together) == 0);
    assert_int_equal(shoal_optimiser_steps(apart), shoal_optimiser_steps(together));
    shoal_optimiser_destroy(&apart);
    shoal_optimiser_destroy(&together);
}

/* Formulas hold for points that the caller evaluates, too. */
static void formulas_count_for_told_values(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_de();
    double points[ROOM * DIM], values[ROOM];
    size_t count;
    shoal_optimiser_params(optimiser)->subject_to = "x[1] + x[2] >= 3";
    for (;;) {
        assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
        if (!count)
            break;
        for (size_t i = 0; i < count; i++)
            values[i] = bowl(points + i * DIM, DIM, NULL);
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
    assert_best(optimiser);
    shoal_optimiser_destroy(&optimiser);
}

static void functions_and_formulas_in_one_call(void **state)
{
    (void)state;
    struct shoal_objective *plain = NULL, *objective = NULL;
    double x[DIM], value;
    assert_ok(shoal_objective_from_callback(bowl, NULL, NULL, &plain, &test_error));
    assert_ok(shoal_objective_with_constraints(plain, sum_of_two, NULL, 1, 0, &objective, &test_error));
    for (int kind = 0; kind < 3; kind++) {
        struct shoal_optimiser *optimiser = make_de();
        assert_ok(shoal_optimiser_set_objective(optimiser, kind ? objective : plain, &test_error));
        shoal_optimiser_params(optimiser)->subject_to = kind == 0   ? "x[1] + x[2] >= 3"
                                                        : kind == 1 ? NULL
                                                                    : "x[1] <= 5";
        assert_true(shoal_optimise(optimiser, x, &value, &test_error) != SHOAL_OPTIMISE_FAILED);
        assert_near(value, bowl(x, DIM, NULL), 1e-12);
        assert_best(optimiser);
        shoal_optimiser_destroy(&optimiser);
    }
    shoal_objective_destroy(&objective);
    shoal_objective_destroy(&plain);
}

/* The optimiser has the value of a point alone: Deb's rules. */
static void evolution_strategies(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    double x[DIM], value;
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "cmaes", &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 6000;
    shoal_optimiser_params(optimiser)->subject_to = "x[1] + x[2] >= 3";
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) != SHOAL_OPTIMISE_FAILED);
    assert_best(optimiser);
    shoal_optimiser_reset(optimiser);
    shoal_optimiser_cmaes(optimiser)->constraint_rule = SHOAL_CMAES_LAGRANGIAN;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_int_equal(test_error.status, SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "give constraint_rule auto or deb");
    shoal_optimiser_destroy(&optimiser);
}

/* Arms of a portfolio take values alone, too; arms that make whole steps are not for an optimiser. */
static void portfolios(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    double x[DIM], value;
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "portfolio", &test_error));
    shoal_optimiser_portfolio(optimiser)->algorithms = "cmaes";
    shoal_optimiser_params(optimiser)->evaluations = 10000;
    shoal_optimiser_params(optimiser)->subject_to = "x[1] + x[2] >= 3";
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) != SHOAL_OPTIMISE_FAILED);
    assert_best(optimiser);
    shoal_optimiser_reset(optimiser);
    shoal_optimiser_portfolio(optimiser)->turns = SHOAL_PORTFOLIO_STEPS;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_int_equal(test_error.status, SHOAL_INVALID);
    assert_contains(test_error.message, "set turns to points");
    shoal_optimiser_destroy(&optimiser);
}

static void no_point_is_allowed(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    double x[DIM], value;
    shoal_optimiser_params(optimiser)->subject_to = "x[1] >= 12";
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_int_equal(test_error.status, SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "no point met all constraints: the least violation is 2");
    assert_near(shoal_optimiser_violation(optimiser), 2, 1e-6);
    assert_true(shoal_optimiser_best(optimiser, x, &value) && isinf(value));
    assert_near(x[0], 10, 1e-6);
    shoal_optimiser_destroy(&optimiser);
}

/* A level needs values of points that violate constraints, of which a caller tells none. */
static void levels_are_not_for_told_values(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_de();
    double points[ROOM * DIM];
    size_t count;
    shoal_optimiser_params(optimiser)->subject_to = "x[1] = x[2]";
    assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
    shoal_optimiser_reset(optimiser);
    ((struct shoal_de_params *)shoal_optimiser_params(optimiser))->level = 0.1;
    assert_status(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--level needs an objective that the search evaluates");
    shoal_optimiser_destroy(&optimiser);
}

static void violations_that_are_wrong(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = make_de();
    double points[ROOM * DIM], values[ROOM] = {0}, violations[ROOM] = {0};
    size_t count;
    assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
    assert_status(shoal_optimiser_tell_constrained(optimiser, values, violations, count, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "call shoal_optimiser_set_constrained before the search");
    assert_ok(shoal_optimiser_set_constrained(optimiser, true, &test_error));
    assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
    assert_status(shoal_optimiser_tell_constrained(optimiser, values, violations, count - 1, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "points wait for values, not");
    violations[1] = -1;
    assert_status(shoal_optimiser_tell_constrained(optimiser, values, violations, count, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "violation 1 is -1: a violation is 0 or above");
    violations[1] = NAN;
    assert_status(shoal_optimiser_tell_constrained(optimiser, values, violations, count, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "violation 1 is nan");
    assert_status(shoal_optimiser_tell_value_constrained(optimiser, 1, 0, NAN, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "is nan: a violation is 0 or above");
    shoal_optimiser_destroy(&optimiser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_are_told),
        cmocka_unit_test(steps_together),
        cmocka_unit_test(formulas_count_for_told_values),
        cmocka_unit_test(functions_and_formulas_in_one_call),
        cmocka_unit_test(evolution_strategies),
        cmocka_unit_test(portfolios),
        cmocka_unit_test(no_point_is_allowed),
        cmocka_unit_test(levels_are_not_for_told_values),
        cmocka_unit_test(violations_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
