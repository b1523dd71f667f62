/* Steps on the host, and what is ahead of them, that are cut: they are dropped, and what follows is as if
 * they had never begun. */
#include <shoal/theses.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "ants_on_host.h"

enum { STEPS = 3 };

/* Answers yes from that question on. */
struct question {
    unsigned yes_from;
    atomic_uint asked; /* by several threads */
};

static bool ends(void *data)
{
    struct question *question = data;
    return ++question->asked >= question->yes_from;
}

/* From then on steps of any length are cut. */
static void cut_all(struct shoal_solver *solver, struct question *question)
{
    tsp_run_of(solver)->cut.patience_s = 0;
    solver->must_end = ends;
    solver->end_data = question;
}

static void step(struct shoal_solver *solver, uint64_t steps, uint64_t expected)
{
    uint64_t done = 99;
    assert_ok(shoal_solver_step(solver, steps, &done, &test_error));
    assert_int_equal(done, expected);
}

static void assert_same_ends(struct shoal_solver *a, struct shoal_solver *b)
{
    struct shoal_result result[2] = {0};
    size_t count[2];
    struct shoal_solver *const solvers[] = {a, b};
    double *states[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(shoal_solver_result(solvers[i], &result[i], &test_error));
        assert_ok(shoal_solver_state(solvers[i], NULL, 0, &count[i], &test_error));
        states[i] = calloc(count[i], sizeof **states);
        assert_non_null(states[i]);
        assert_ok(shoal_solver_state(solvers[i], states[i], count[i], &count[i], &test_error));
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(states[0], states[1], count[0] * sizeof **states);
    assert_true(result[0].value == result[1].value && result[0].steps == result[1].steps);
    free(states[0]);
    free(states[1]);
}

/* Cut before its first step or behind it, and written to a file there, it ends as one that was not. */
static void check(const struct shoal_tsp_params *params, uint64_t before)
{
    struct shoal_solver *whole = host_solver(params), *cut = host_solver(params), *resumed;
    struct shoal_result result = {0};
    struct question question = {0};
    step(whole, STEPS, STEPS);
    step(cut, before, before);
    cut_all(cut, &question);
    step(cut, STEPS - before, 0);
    assert_true(question.asked > 0);
    assert_ok(shoal_solver_result(cut, &result, &test_error));
    assert_true(result.value > 0 && result.check_passed);
    assert_int_equal(result.steps, before);
    cut->must_end = NULL;
    assert_ok(shoal_solver_save(cut, test_path("state"), &test_error));
    step(cut, STEPS - before, STEPS - before);
    assert_same_ends(whole, cut);
    resumed = host_solver(params);
    assert_ok(shoal_solver_load(resumed, test_path("state"), &test_error));
    step(resumed, STEPS - before, STEPS - before);
    assert_same_ends(whole, resumed);
    shoal_solver_destroy(&resumed);
    shoal_solver_destroy(&cut);
    shoal_solver_destroy(&whole);
}

static void ants_go_on_where_they_were_cut(void **state)
{
    (void)state;
    for (int a = 0; a < ALGORITHMS; a++)
        for (int search = 0; search <= 3; search += 3)
            for (uint64_t before = 0; before < 2; before++) {
                struct shoal_tsp_params params = params_of(a);
                test_label("%s, local search %d, after %d steps", names[a], search, (int)before);
                params.generate = "uniform:200:1";
                params.colony.local_search = (uint64_t)search;
                params.ants = 20;
                params.colonies = a % 2 ? 2 : 1;
                check(&params, before);
            }
}

static void focused_ants_go_on_where_they_were_cut(void **state)
{
    (void)state;
    for (uint64_t before = 0; before < 2; before++) {
        struct shoal_tsp_params params = params_of(0);
        params.algorithm = SHOAL_TSP_FACO;
        params.generate = "uniform:200:1";
        check(&params, before);
    }
}

/* Cut at that question of the start. False: the start was over before. */
static bool check_start(const struct shoal_tsp_params *params, struct shoal_solver *whole, unsigned yes_from)
{
    struct shoal_solver *cut = host_solver(params), *resumed = host_solver(params);
    struct question question = {.yes_from = yes_from};
    struct shoal_result result = {0};
    cut_all(cut, &question);
    tsp_run_of(cut)->cut.pause_s = 0;
    step(cut, 0, 0);
    const bool is_cut = question.asked >= yes_from;
    cut->must_end = NULL;
    if (is_cut) {
        assert_ok(shoal_solver_result(cut, &result, &test_error));
        assert_true(result.value > 0 && result.check_passed);
        assert_ok(shoal_solver_save(cut, test_path("state"), &test_error));
        assert_ok(shoal_solver_load(resumed, test_path("state"), &test_error));
        step(resumed, STEPS, STEPS);
        assert_same_ends(whole, resumed);
    }
    step(cut, STEPS, STEPS);
    assert_same_ends(whole, cut);
    shoal_solver_destroy(&resumed);
    shoal_solver_destroy(&cut);
    return is_cut;
}

/* Lists, tables and first tours are made anew by the next call; until then there is a tour all the same. */
static void starts_can_be_cut(void **state)
{
    static const struct {
        int32_t algorithm;
        uint64_t local_search;
        enum shoal_tsp_pheromone pheromone;
        bool is_path;
    } starts[] = {
        {.algorithm = SHOAL_TSP_FACO},
        {.algorithm = SHOAL_TSP_FACO, .is_path = true},
        {.algorithm = SHOAL_TSP_LK},
        {.algorithm = SHOAL_TSP_MMAS, .local_search = 3},
        {.algorithm = SHOAL_TSP_ACS, .is_path = true},
        {.algorithm = SHOAL_TSP_AS, .pheromone = SHOAL_TSP_ON_ALL},
#if SHOAL_THESES
        {.algorithm = SHOAL_TSP_THESIS},
#endif
    };
    (void)state;
    for (size_t i = 0; i < COUNT(starts); i++) {
        struct shoal_tsp_params params = params_of(3);
        unsigned yes_from = 1;
        test_label("start %zu", i);
        params.algorithm = starts[i].algorithm;
        params.generate = "uniform:400:1";
        params.ants =
            starts[i].algorithm == (int32_t)SHOAL_TSP_THESIS || starts[i].algorithm == SHOAL_TSP_LK ? 0 : 10;
        params.colony.local_search = starts[i].local_search;
        params.colony.pheromone = starts[i].pheromone;
        params.start = params.end = starts[i].is_path ? "5" : NULL;
        params.end = starts[i].is_path ? "400" : NULL;
        struct shoal_solver *whole = host_solver(&params);
        step(whole, STEPS, STEPS);
        while (check_start(&params, whole, yes_from))
            yes_from += yes_from + 1;
        assert_true(yes_from > 4);
        shoal_solver_destroy(&whole);
    }
}

/* How many threads ask at the same time, and how many did at most. */
struct askers {
    atomic_int now, most;
};

static bool answer_slowly(void *data)
{
    struct askers *askers = data;
    const int now = ++askers->now;
    if (now > askers->most)
        askers->most = now;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    askers->now--;
    return false;
}

/* The function that a program gives may be called by any thread, but never by two. */
static void one_thread_asks_at_a_time(void **state)
{
    struct askers askers = {0};
    struct shoal_solver solver = {.is_stopped = answer_slowly, .stop_data = &askers};
    struct long_step step;
    (void)state;
    long_step_create(&step, &solver);
    step.patience_s = step.pause_s = 0;
    long_step_begin(&step);
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 40; i++)
        assert_false(long_step_look(&step));
    assert_int_equal(askers.most, 1);
}

/* What `create` chooses depends on its time. */
static void choose_lists(struct shoal_solver *solver, enum shoal_tsp_lists lists)
{
    struct tsp_run *run = tsp_run_of(solver);
    const struct method *method = solver->method.method;
    method_destroy(solver);
    run->problem.lists = lists;
    solver->method.method = method;
    assert_ok(method_create(solver, &test_error));
}

static void a_run_goes_on_with_the_lists_of_its_file(void **state)
{
    static const enum shoal_tsp_lists kinds[] = {SHOAL_TSP_LISTS_NEAREST, SHOAL_TSP_LISTS_QUADRANT};
    struct shoal_tsp_params params = params_of(3);
    (void)state;
    params.algorithm = SHOAL_TSP_FACO;
    params.generate = "clustered:400:1";
    params.ants = 10;
    for (int k = 0; k < 2; k++) {
        struct shoal_solver *whole = host_solver(&params), *first = host_solver(&params),
                            *resumed = host_solver(&params);
        test_label("lists %d", (int)kinds[k]);
        choose_lists(whole, kinds[k]);
        choose_lists(first, kinds[k]);
        choose_lists(resumed, kinds[!k]);
        step(whole, STEPS, STEPS);
        step(first, 1, 1);
        assert_ok(shoal_solver_save(first, test_path("state"), &test_error));
        assert_ok(shoal_solver_load(resumed, test_path("state"), &test_error));
        assert_int_equal(tsp_run_of(resumed)->problem.lists, kinds[k]);
        step(resumed, STEPS - 1, STEPS - 1);
        assert_same_ends(whole, resumed);
        shoal_solver_destroy(&resumed);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ants_go_on_where_they_were_cut),
        cmocka_unit_test(focused_ants_go_on_where_they_were_cut),
        cmocka_unit_test(starts_can_be_cut),
        cmocka_unit_test(one_thread_asks_at_a_time),
        cmocka_unit_test(a_run_goes_on_with_the_lists_of_its_file),
    };
    return harness_main("tsp-cut", tests, COUNT(tests));
}
