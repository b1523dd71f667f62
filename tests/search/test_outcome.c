/* What is made of the outcome of a search: its check, and the statistics over runs, with numbers that can be
 * worked out by hand. */
#include "open.h"
#include "searches.h"

#include "pso/pso.h"

#include <math.h>

enum { RUNS = 4, DIM = 2, ENTRIES = 3 };

static struct shoal_pso_params params;
static struct pso_problem problem;
static struct search_summary summary;
static struct shoal_result result;

/* What the tests change. */
static double best[RUNS], position[RUNS * DIM];
static uint64_t ended[RUNS];
static bool reached[RUNS], stagnated[RUNS], converged[RUNS];
static uint64_t restarts[RUNS], moves[RUNS];
static struct search_outcome outcome;

/* Runs that end at (0, 0), (1, 0), (2, 0), (3, 0) of the sphere. */
static int open_outcome(void **state)
{
    if (set_up(state))
        return -1;
    test_pso_params_init(&params);
    while (strcmp(shoal_objective_get_info(shoal_objective_at((size_t)params.search.function))->name,
                  "sphere") != 0)
        params.search.function = (params.search.function + 1) % (int32_t)shoal_objective_count();
    params.search.precision = SHOAL_FP64;
    params.search.dim = DIM;
    params.particles = 10;
    params.search.iterations = 20;
    params.search.runs = RUNS;
    params.search.seed = 7;
    for (size_t r = 0; r < RUNS; r++) {
        position[r * DIM] = (double)r;
        position[r * DIM + 1] = 0;
        best[r] = (double)(r * r);
        ended[r] = 20;
        reached[r] = stagnated[r] = converged[r] = false;
    }
    outcome = (struct search_outcome){.best = best,
                                      .position = position,
                                      .ended = ended,
                                      .reached = reached,
                                      .stagnated = stagnated,
                                      .converged = converged,
                                      .restarts = restarts,
                                      .moves = moves,
                                      .steps = 20,
                                      .precision = SHOAL_FP64,
                                      .method = "fused",
                                      .evaluation_bytes = 80};
    return 0;
}

static int close_outcome(void **state)
{
    search_summary_free(&summary);
    search_problem_destroy(&problem.search);
    return tear_down(state);
}

static enum shoal_status fill(void)
{
    search_summary_free(&summary);
    search_problem_destroy(&problem.search);
    enum shoal_status status = pso_problem_create(shoal, &params, &problem, &test_error);
    return status ? status : search_fill_result(&problem.search, &outcome, &summary, &result, &test_error);
}

static const struct shoal_field *find(const char *name)
{
    return shoal_result_find(&result, name);
}

static double real(const char *name)
{
    const struct shoal_field *field = find(name);
    assert_non_null(field);
    return field->type == SHOAL_FIELD_UINT ? (double)field->uint : field->real;
}

static void assert_real(const char *name, double wanted)
{
    test_label("%s", name);
    assert_close(real(name), wanted, 1e-12);
}

static void one_run_is_checked(void **state)
{
    (void)state;
    params.search.runs = 1;
    position[0] = 3;
    best[0] = 9;
    assert_ok(fill());
    assert_true(result.check_passed && result.value == 9 && result.error == 0);
    assert_true(result.work == 210 && result.step_work == 10 && result.steps == 20);
    assert_string_equal(result.title, "sphere, dim 2");
    assert_string_equal(find("function")->text, "sphere");
    assert_string_equal(find("precision")->text, "fp64");
    assert_string_equal(find("method")->text, "fused");
    assert_true(find("position")->reals[0] == 3 && find("position")->count == DIM);
    assert_string_equal(find("end")->text, "iterations");
    assert_null(find("reached"));
    assert_null(find("runs"));
    assert_null(find("mode"));
    assert_null(result.warning);
    assert_true(result.roof == SHOAL_ROOF_COPY_BYTES && result.roof_work == 80);
    outcome.evaluation_bytes = 0;
    assert_ok(fill());
    assert_true(result.roof == SHOAL_ROOF_NONE);
    outcome.evaluation_bytes = 80;

    best[0] = 9 + 1e-9;
    assert_ok(fill());
    assert_false(result.check_passed);
    outcome.precision = SHOAL_FP32; /* whose rounding explains that */
    assert_ok(fill());
    assert_true(result.check_passed);
    best[0] = NAN;
    assert_ok(fill());
    assert_false(result.check_passed);

    position[0] = 5.13; /* beyond the box */
    best[0] = 5.13 * 5.13;
    outcome.precision = SHOAL_FP64;
    assert_ok(fill());
    assert_false(result.check_passed);
    params.bounds = SHOAL_PSO_UNBOUNDED;
    assert_ok(fill());
    assert_true(result.check_passed);
}

static void a_value_that_is_not_finite_is_told(void **state)
{
    (void)state;
    params.search.runs = 1;
    outcome.not_finite = 3;
    assert_ok(fill());
    assert_real("not_finite", 3);
    assert_contains(result.warning, "3 of 210 evaluations");
    best[0] = INFINITY;
    assert_status(fill(), SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "sphere has no finite value");
    assert_contains(test_error.message, "210 evaluations");
}

/* Finals 0, 1, 4, 9 with success at 1 or less. */
static void runs_have_statistics(void **state)
{
    (void)state;
    params.search.success = 1;
    assert_ok(fill());
    assert_true(result.value == 0 && result.work == 4 * 210);
    assert_real("runs", 4);
    assert_real("successes", 2);
    assert_real("success_rate", 0.5);
    assert_real("success_rate_error", 0.25);
    assert_real("expected_evaluations", 420);
    assert_real("min", 0);
    assert_real("q05", 0.15);
    assert_real("q25", 0.75);
    assert_real("median", 2.5);
    assert_real("q75", 5.25);
    assert_real("q95", 8.25);
    assert_real("max", 9);
    assert_real("mean", 3.5);
    assert_real("mean_error", sqrt((3.5 * 3.5 + 2.5 * 2.5 + 0.5 * 0.5 + 5.5 * 5.5) / 3 / 4));
    assert_string_equal(find("best_seed")->text, "7");
    assert_string_equal(find("worst_seed")->text, "10");
    assert_true(find("run_values")->count == RUNS && find("run_values")->reals[3] == 9);
    assert_true(find("run_evaluations")->reals[0] == 210);
    assert_null(find("reached_target"));

    params.search.success = 0;
    params.search.lower = 0.5; /* what the runs say is read off the values, whatever the box */
    params.bounds = SHOAL_PSO_UNBOUNDED;
    best[0] = position[0] = 1e-3;
    best[0] *= best[0];
    assert_ok(fill());
    assert_real("successes", 0);
    assert_true(isinf(real("expected_evaluations")));
}

static bool has_success(const char *function, double lower, double upper, double shift)
{
    params.search.function = 0;
    while (strcmp(shoal_objective_get_info(shoal_objective_at((size_t)params.search.function))->name,
                  function) != 0)
        params.search.function++;
    params.search.lower = lower;
    params.search.upper = upper;
    params.search.shift = shift;
    (void)fill(); /* the positions are outside of some boxes */
    return find("successes");
}

/* The minimum of the usual box is that of another one where it is there and no point is lower. */
static void success_is_for_boxes_with_the_minimum(void **state)
{
    (void)state;
    params.search.success = 1;
    assert_true(has_success("sphere", NAN, NAN, NAN));
    assert_true(has_success("sphere", -100, 1, NAN));
    assert_false(has_success("sphere", 0.5, 10, NAN));
    assert_true(has_success("sphere", NAN, NAN, 1));
    assert_false(has_success("sphere", -1, 0, 3));
    assert_true(has_success("schwefel", NAN, NAN, NAN));
    assert_true(has_success("schwefel", -1000, 1000, NAN));
    assert_true(has_success("michalewicz", NAN, NAN, NAN));
    assert_false(has_success("michalewicz", 0, 1, NAN));
}

static void why_a_run_ended_is_told(void **state)
{
    (void)state;
    params.search.runs = 1;
    params.search.evaluations = 210;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "evaluations");
    stagnated[0] = true;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "stagnated");
    reached[0] = true;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "target");
    reached[0] = stagnated[0] = false;
    converged[0] = true;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "converged");
    converged[0] = false;
    ended[0] = 7;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "running");
    outcome.is_stopped = true;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "stopped");
    outcome.timed_out = true;
    assert_ok(fill());
    assert_string_equal(find("end")->text, "time");
}

/* A run that reached its target counts to that step; polish is paid by all runs. */
static void a_target_is_what_runs_succeed_at(void **state)
{
    (void)state;
    params.search.target = 1;
    params.search.success = 1e-12;
    reached[0] = reached[1] = true;
    ended[0] = 4;
    ended[1] = 9;
    outcome.polish = 30;
    params.search.polish = 10;
    assert_ok(fill());
    assert_true(result.work == 50 + 100 + 210 + 210);
    assert_real("successes", 2);
    assert_real("expected_evaluations", (570 + 30) / 2.0);
    assert_real("reached_target", 2);
    assert_string_equal(find("end")->text, "iterations 2, target 2");
    assert_real("polish", 30);
}

static void the_largest_value_is_shown_as_it_is(void **state)
{
    (void)state;
    params.search.maximise = true;
    for (size_t r = 0; r < RUNS; r++)
        best[r] = -best[r];
    assert_ok(fill());
    assert_true(result.value == 9 && result.check_passed);
    assert_true(find("position")->reals[0] == 3);
    assert_null(find("successes")); /* the largest value is not known */
    assert_real("median", 2.5);
    assert_string_equal(find("best_seed")->text, "10");
    params.search.target = 4;
    assert_ok(fill());
    assert_real("successes", 2);
}

static void a_run_without_a_value_is_the_worst(void **state)
{
    (void)state;
    best[2] = INFINITY;
    position[2 * DIM] = NAN;
    assert_ok(fill());
    assert_true(result.check_passed);
    assert_true(isinf(real("max")) && isinf(real("q95")));
    assert_string_equal(find("worst_seed")->text, "9");
}

/* Ten members of each run: six are away from the best place in the second coordinate, and have values that
 * much above it. On average members are `mean` of the box, 10.24, away. */
static double members[RUNS * 10 * DIM], values[RUNS * 10];

static void set_members(double mean, double value)
{
    for (size_t r = 0; r < RUNS; r++)
        for (size_t i = 0; i < 10; i++) {
            double *member = members + (r * 10 + i) * DIM;
            member[0] = (double)r;
            member[1] = i >= 4 ? mean * 10.24 / 0.6 : 0;
            values[r * 10 + i] = (double)(r * r) + (i >= 4 ? value : 0);
        }
    outcome.members = members;
    outcome.values = values;
    outcome.member_step = DIM;
    outcome.number_step = 1;
}

static void members_apart_are_told(void **state)
{
    (void)state;
    bool settled[RUNS] = {true, true, true, true};
    params.search.runs = 1;
    set_members(0.01, 1);
    /* Run 0 has the minimum, which is known: nothing is better. A target below it is not reached. */
    assert_ok(fill());
    assert_null(find("unconverged"));
    assert_non_null(find("apart"));
    params.search.target = -1;
    assert_ok(fill());
    assert_true(fabs(shoal_result_number(&result, "apart") - 0.01) < 1e-12);
    assert_string_equal(find("unconverged")->text,
                        "ended by iterations, members still 1 % of the box apart; more "
                        "--iterations, or --polish, may find better");
    /* A polish that came to its end says no less than members that are near. */
    outcome.settled = settled;
    assert_ok(fill());
    assert_null(find("unconverged"));
    set_members(0.06, 1);
    assert_ok(fill());
    assert_non_null(find("unconverged"));
    settled[0] = false;
    set_members(0.01, 1);
    assert_ok(fill());
    assert_non_null(find("unconverged"));
    outcome.settled = NULL;
    /* Together, in value or in place. */
    set_members(0.01, 1e-8);
    assert_ok(fill());
    assert_null(find("unconverged"));
    set_members(1e-11, 1);
    assert_ok(fill());
    assert_null(find("unconverged"));
    /* Members without a value do not count. */
    set_members(0.01, INFINITY);
    assert_ok(fill());
    assert_null(find("unconverged"));
    assert_true(shoal_result_number(&result, "apart") == 0);
    /* Nor does a run that another end has ended, or of which nothing is known. */
    set_members(0.01, 1);
    stagnated[0] = true;
    assert_ok(fill());
    assert_null(find("unconverged"));
    assert_non_null(find("apart"));
    stagnated[0] = false;
    outcome.members = NULL;
    assert_ok(fill());
    assert_null(find("apart"));
    assert_null(find("unconverged"));
}

static void members_apart_of_several_runs_are_counted(void **state)
{
    (void)state;
    set_members(0.01, 1);
    reached[1] = true; /* and run 0 has the minimum */
    assert_ok(fill());
    assert_string_equal(
        find("unconverged")->text,
        "2 of 4 runs: members still 1 % of the box apart; more --iterations, or --polish, may find better");
    params.search.polish = 10;
    assert_ok(fill());
    assert_string_equal(find("unconverged")->text,
                        "2 of 4 runs: members still 1 % of the box apart; more --iterations may find better");
}

int main(void)
{
#define OUTCOME_TEST(function) cmocka_unit_test_setup_teardown(function, open_outcome, close_outcome)
    const struct CMUnitTest tests[] = {
        OUTCOME_TEST(one_run_is_checked),
        OUTCOME_TEST(a_value_that_is_not_finite_is_told),
        OUTCOME_TEST(runs_have_statistics),
        OUTCOME_TEST(success_is_for_boxes_with_the_minimum),
        OUTCOME_TEST(why_a_run_ended_is_told),
        OUTCOME_TEST(a_target_is_what_runs_succeed_at),
        OUTCOME_TEST(the_largest_value_is_shown_as_it_is),
        OUTCOME_TEST(a_run_without_a_value_is_the_worst),
        OUTCOME_TEST(members_apart_are_told),
        OUTCOME_TEST(members_apart_of_several_runs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
