/* Greedy tours on every device: those of the host. */
#include "base/integer.h"
#include "harness.h"
#include "lists.h"
#include "tsp/improve/greedy_device.h"
#include "tsp/improve/improve.h"
#include "tsp/tsp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void compare(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind)
{
    const size_t n = problem->form.n, words = n * count;
    uint32_t *lists = harness_memory(words * sizeof *lists), *wanted = harness_memory(n * sizeof *wanted),
             *got = harness_memory(n * sizeof *got);
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_greedy_device greedy;
    lists_on_host(problem, count, kind, 1, lists);
    assert_ok(tsp_greedy_tour(problem, lists, count, NULL, NULL, wanted, &test_error));
    assert_ok(tsp_places_create(problem, harness.queue, &places, &test_error));
    assert_ok(tsp_greedy_device_create(problem, &places, count, &programs, &greedy, &test_error));
    struct shoal_buffer *uploaded = harness_upload(lists, words * sizeof *lists);
    for (int turn = 0; turn < 2; turn++) {
        memset(got, 0xa5, n * sizeof *got);
        assert_ok(tsp_greedy_device_run(&greedy, uploaded, NULL, got, &test_error));
        assert_words(got, wanted, n);
    }
    tsp_greedy_device_destroy(&greedy);
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    harness_release();
}

static void tours_are_those_of_the_host(void **state)
{
    (void)state;
    static const uint32_t full[] = {3, 9, 129, 1001, 20011}, tiny[] = {5, 140};
    const uint32_t *sizes = harness.tiny ? tiny : full;
    const size_t size_count = harness.tiny ? COUNT(tiny) : COUNT(full);
    if (!harness_has_fp64())
        return;
    double *points = malloc(3 * 20011 * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < lists_case_count(); i++) {
        const struct lists_case *a_case = lists_case_at(i);
        const uint32_t count = i % 3 == 0 ? 10 : i % 3 == 1 ? 8 : 5;
        if (!harness_takes_case())
            continue;
        for (size_t s = 0; s < size_count; s++) {
            struct cities cities;
            test_label("%s, %u cities, %u of each", a_case->name, sizes[s], count);
            cities_make_points(a_case->kind, a_case->metric, a_case->dim, points, sizes[s]);
            cities_open(&cities, a_case->metric, a_case->dim, points, sizes[s]);
            compare(&cities.problem, count, i % 2 ? TSP_QUADRANT : TSP_NEAREST);
            cities_close(&cities);
        }
    }
    free(points);
}

/* Paths and fixed edges; a matrix is the host's. */
static void what_the_form_sets_apart(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < LISTS_SPECIALS; i++) {
        struct lists_special special;
        if (!harness_takes_case())
            continue;
        lists_open_special(&special, i);
        test_label("%s", special.name);
        if (special.cities.problem.form.dim) {
            for (int kind = 0; kind < 2; kind++)
                compare(&special.cities.problem, 10, (enum tsp_neighbour_kind)kind);
        } else {
            struct programs programs = {.device = harness.device, .variant = harness.variant};
            struct tsp_places places;
            struct tsp_greedy_device greedy;
            assert_ok(tsp_places_create(&special.cities.problem, harness.queue, &places, &test_error));
            assert_status(tsp_greedy_device_create(&special.cities.problem, &places, 10, &programs, &greedy,
                                                   &test_error),
                          SHOAL_UNSUPPORTED);
            assert_contains(test_error.message, "of a matrix");
            tsp_greedy_device_destroy(&greedy);
            tsp_places_destroy(&places);
        }
        lists_close_special(&special);
    }
}

/* The cities of a lattice, row by row: its edges have two lengths, and each waits for the one before it. */
static void lattice(void **state)
{
    (void)state;
    const uint32_t side = harness.tiny ? 12 : 150, n = side * side;
    double *points = malloc(2 * (size_t)n * sizeof *points);
    struct cities cities;
    if (!harness_has_fp64() || !harness_takes_case()) {
        free(points);
        return;
    }
    assert_non_null(points);
    for (uint32_t i = 0; i < n; i++) {
        points[2 * i] = i % side * 10;
        points[2 * i + 1] = i / side * 10;
    }
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, n);
    compare(&cities.problem, 8, TSP_NEAREST);
    cities_close(&cities);
    free(points);
}

/* Answers yes to the question of that number and those after it. */
struct question {
    unsigned yes_from, asked;
};

static bool ends(void *data)
{
    struct question *question = data;
    return ++question->asked >= question->yes_from;
}

static enum shoal_status run_until(struct tsp_greedy_device *greedy, struct shoal_buffer *lists,
                                   unsigned yes_from, uint32_t *tour)
{
    struct question question = {.yes_from = yes_from};
    struct shoal_solver solver = {.must_end = ends, .end_data = &question};
    struct long_step cut;
    long_step_create(&cut, &solver);
    cut.patience_s = cut.pause_s = 0;
    long_step_begin(&cut);
    const enum shoal_status status = tsp_greedy_device_run(greedy, lists, &cut, tour, &test_error);
    assert_true(status ? question.asked == yes_from : question.asked < yes_from);
    return status;
}

/* Cut at each of its questions in turn, in the rounds of the lists and in those of the ends; each time the
 * object then makes the tour of the host. */
static void cut_anywhere(void **state)
{
    (void)state;
    enum { N = 300, LISTED = 5, LEAST = 8 };
    const uint32_t n = harness.tiny ? 60 : N;
    double points[2 * N];
    uint32_t lists[N * LISTED], wanted[N], got[N];
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_greedy_device greedy;
    struct cities cities;
    unsigned question = 1;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    cities_make_points(UNIFORM, SHOAL_TSP_EUC_2D, 2, points, n);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, n);
    lists_on_host(&cities.problem, LISTED, TSP_NEAREST, 1, lists);
    assert_ok(tsp_greedy_tour(&cities.problem, lists, LISTED, NULL, NULL, wanted, &test_error));
    assert_ok(tsp_places_create(&cities.problem, harness.queue, &places, &test_error));
    assert_ok(tsp_greedy_device_create(&cities.problem, &places, LISTED, &programs, &greedy, &test_error));
    struct shoal_buffer *uploaded = harness_upload(lists, (size_t)n * LISTED * sizeof *lists);
    for (; run_until(&greedy, uploaded, question, got) == SHOAL_STOPPED; question++) {
        memset(got, 0xa5, sizeof got);
        assert_ok(tsp_greedy_device_run(&greedy, uploaded, NULL, got, &test_error));
        assert_words(got, wanted, n);
    }
    assert_words(got, wanted, n);
    assert_true(question > LEAST);
    tsp_greedy_device_destroy(&greedy);
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    harness_release();
    cities_close(&cities);
}

/* As a solver asks for it, with lists in memory of the host. */
static void tour_of_a_run(void **state)
{
    (void)state;
    enum { N = 77, LISTED = 8 };
    double points[2 * N];
    uint32_t lists[N * LISTED], wanted[N], got[N];
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct cities cities;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    cities_make_points(CLUSTERED, SHOAL_TSP_EUC_2D, 2, points, N);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, N);
    lists_on_host(&cities.problem, LISTED, TSP_NEAREST, 1, lists);
    assert_ok(tsp_places_create(&cities.problem, harness.queue, &places, &test_error));
    assert_ok(tsp_greedy_tour(&cities.problem, lists, LISTED, NULL, NULL, wanted, &test_error));
    assert_ok(
        tsp_greedy_by_device(&cities.problem, &places, &programs, lists, LISTED, NULL, got, &test_error));
    assert_words(got, wanted, N);
    assert_null(programs.newest);
    assert_false(tsp_greedy_is_for_device(&cities.problem, &places, LISTED, 0));
    assert_false(tsp_greedy_is_for_device(&cities.problem, NULL, LISTED, 0));
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    cities_close(&cities);
}

enum { N_OF_INPUT = 777, GIVEN = 3 };

/* Twice by the same object. wanted: receives the tour. */
static void start_twice(const struct shoal_tsp_params *params, uint32_t wanted[N_OF_INPUT])
{
    enum { N = N_OF_INPUT, LISTED = 5 };
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_starter *starter;
    uint32_t got[N];
    assert_ok(shoal_tsp_open(params, &problem, &test_error));
    assert_ok(shoal_tsp_greedy(problem, LISTED, wanted, &test_error));
    assert_ok(
        shoal_tsp_starter_create(problem, LISTED, harness.queue, harness.variant, &starter, &test_error));
    assert_non_null(shoal_tsp_starter_program(starter));
    assert_status(shoal_tsp_starter_get(starter, got, &test_error), SHOAL_INVALID);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(shoal_tsp_starter_run(starter, &test_error));
        assert_ok(shoal_tsp_starter_get(starter, got, &test_error));
        assert_words(got, wanted, N);
    }
    shoal_tsp_starter_destroy(&starter);
    assert_null(starter);
    assert_status(
        shoal_tsp_starter_create(problem, 129, harness.queue, harness.variant, &starter, &test_error),
        SHOAL_INVALID);
    assert_null(starter);
    shoal_tsp_close(&problem);
}

/* The start of a run: by the host, and by the device once its work counts as sooner, which builds programs.
 */
static void start_of_a_run(void **state)
{
    (void)state;
    enum { N = 200, LISTED = 8 };
    uint32_t lists[N * LISTED], tours[2][N];
    struct shoal_tsp_params params;
    struct shoal_solver *solver;
    double built_s[2];
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.generate = "uniform:200:5";
    params.algorithm = SHOAL_TSP_FACO;
    params.ants = 64;
    solver = harness_solver("tsp", harness.device, &params);
    struct tsp_run *run = tsp_run_of(solver);
    lists_on_host(&run->problem, LISTED, TSP_NEAREST, 1, lists);
    for (int turn = 0; turn < 2; turn++) {
        const double before_s = solver->programs.build_seconds;
        run->places.sooner_from_s = turn ? 0 : INFINITY;
        assert_ok(tsp_first_greedy(solver, lists, LISTED, tours[turn], &test_error));
        built_s[turn] = solver->programs.build_seconds - before_s;
    }
    assert_words(tours[1], tours[0], N);
    assert_true(run->method_bytes > 0);
    assert_true(built_s[0] == 0 && built_s[1] > 0);
    shoal_solver_destroy(&solver);
}

/* As a program asks for them. The lists of the caller are of cities anywhere, and lead to another tour. */
static void tours_of_the_input(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    uint32_t lists[N_OF_INPUT * GIVEN], wanted[N_OF_INPUT], by_lists[N_OF_INPUT];
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.generate = "uniform:777:3";
    params.start = "5";
    params.path = true;
    start_twice(&params, wanted);
    for (uint32_t i = 0; i < N_OF_INPUT * GIVEN; i++)
        lists[i] = (i / GIVEN + 1 + 100 * (i % GIVEN)) % N_OF_INPUT;
    params.neighbour_lists = lists;
    params.neighbours = GIVEN;
    start_twice(&params, by_lists);
    assert_memory_not_equal(by_lists, wanted, sizeof wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tours_are_those_of_the_host),
        by_turn(what_the_form_sets_apart),
        cmocka_unit_test(lattice),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(tour_of_a_run),
        cmocka_unit_test(start_of_a_run),
        cmocka_unit_test(tours_of_the_input),
    };
    return harness_main("tsp greedy tours", tests, COUNT(tests));
}
