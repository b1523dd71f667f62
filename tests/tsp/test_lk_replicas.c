/* Several tours of Lin-Kernighan search: crossovers of random tours of every kind of form, the same bits for
 * any number of threads, few cities, a tour to start from, runs that are resumed or cut, the number of tours
 * that follows from the time. */
#include "harness.h"
#include "kinds.h"

#include "tsp/lk/assembly.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Crossovers --------------------------------------------------------------------------------------------- */

static void assert_fixed_kept(const struct tsp_problem *problem, const uint32_t *tour)
{
    const uint32_t n = problem->form.n;
    size_t kept = 0, fixed = 0;
    for (uint32_t i = 0; i < n; i++) {
        kept += tsp_form_fixes(&problem->form, tour[i], tour[i + 1 < n ? i + 1 : 0]);
        for (uint32_t j = 0; j < i; j++)
            fixed += tsp_form_fixes(&problem->form, i, j);
    }
    assert_int_equal(kept, fixed);
}

/* Random tours of a problem, which are improved by each other until no crossover shortens one. Returns
 * whether a tour became shorter. */
static bool cross(const struct kind_problem *kind)
{
    enum { TOURS = 4, ROUNDS = 40 };
    const uint32_t n = kind->problem.form.n;
    const struct lk lk = {.problem = &kind->problem, .n = n, .k = kind->neighbours, .lists = kind->lists};
    struct lk_assembly assembly = {0};
    uint32_t *tours = harness_memory(TOURS * n * sizeof *tours);
    int64_t lengths[TOURS];
    bool is_shorter = false;
    assert_ok(lk_assembly_create(&assembly, &lk, &test_error));
    for (uint32_t t = 0; t < TOURS; t++) {
        kind_tour(kind, t, tours + t * n);
        lengths[t] = tsp_form_length(&kind->problem, tours + t * n);
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t t = i % TOURS, other = (t + 1 + i / TOURS % (TOURS - 1)) % TOURS;
        const int64_t gain = lk_assemble(&assembly, tours + t * n, tours + other * n, i, t);
        assert_tour(&kind->problem, tours + t * n);
        assert_fixed_kept(&kind->problem, tours + t * n);
        assert_true(gain >= 0);
        lengths[t] -= gain;
        assert_true(tsp_form_length(&kind->problem, tours + t * n) == lengths[t]);
        is_shorter |= gain > 0;
    }
    /* A tour and itself have no cycles. */
    memcpy(tours + n, tours, n * sizeof *tours);
    assert_true(lk_assemble(&assembly, tours, tours + n, 0, 0) == 0);
    assert_words(tours, tours + n, n);
    lk_assembly_destroy(&assembly);
    return is_shorter;
}

static void test_crossovers(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {5, 6, 7, 8, 11, 30, 101, 300};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct kind_problem problem;
            if (!harness_takes_case())
                continue;
            test_label("%s, %u cities", kind_name((enum kind)kind), (unsigned)sizes[i]);
            kind_open((enum kind)kind, sizes[i], sizes[i] < 9 ? 4 : 8, &problem);
            const bool is_shorter = cross(&problem);
            assert_true(is_shorter || sizes[i] < 100);
            kind_close(&problem);
        }
}

/* Runs --------------------------------------------------------------------------------------------------- */

enum { CITIES = 600, REPLICAS = 5, STEPS = 6 };

static struct shoal_tsp_params params_of(const char *generate)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = generate;
    params.iterations = STEPS;
    params.replicas = REPLICAS;
    return params;
}

static struct shoal_solver *solver_of(const struct shoal_tsp_params *params)
{
    return harness_solver("tsp", test_host_device(harness.shoal), params);
}

static int64_t take_tour(struct shoal_solver **solver, uint32_t *tour, size_t room)
{
    int64_t length, again;
    assert_ok(shoal_tsp_best(*solver, tour, room, &length, &test_error));
    assert_ok(shoal_tsp_check(shoal_tsp_problem_of(*solver), tour, room, &again, &test_error));
    assert_true(again == length);
    shoal_solver_destroy(solver);
    return length;
}

/* The tours of a run with 1 and with 3 threads. */
static void test_threads(void **state)
{
    (void)state;
    const struct shoal_tsp_params params = params_of("uniform:600:1");
    uint32_t *tours = harness_memory(2 * (size_t)REPLICAS * CITIES * sizeof *tours);
    const int most = omp_get_max_threads();
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i ? 3 : 1);
        struct shoal_solver *solver = solver_of(&params);
        harness_step(solver, STEPS);
        memcpy(tours + (size_t)i * REPLICAS * CITIES, lk_run_of(solver)->wholes->order,
               (size_t)REPLICAS * CITIES * sizeof *tours);
        shoal_solver_destroy(&solver);
    }
    omp_set_num_threads(most);
    assert_words(tours + (size_t)REPLICAS * CITIES, tours, (size_t)REPLICAS * CITIES);
}

/* Several tours are shorter than one with as many kicks. */
static void test_shorter(void **state)
{
    (void)state;
    enum { SEEDS = 3 };
    int64_t several = 0, one = 0;
    uint32_t tour[CITIES];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct shoal_tsp_params params = params_of("clustered:600:1");
        params.seed = seed;
        struct shoal_solver *solver = solver_of(&params);
        harness_step(solver, STEPS);
        several += take_tour(&solver, tour, CITIES);
        params.replicas = 1;
        params.iterations = REPLICAS * STEPS;
        solver = solver_of(&params);
        harness_step(solver, params.iterations);
        one += take_tour(&solver, tour, CITIES);
    }
    assert_true(several < one);
}

/* From 4 cities on; all cities at one place, too. */
static void test_few_cities(void **state)
{
    (void)state;
    enum { MOST = 14 };
    for (uint32_t n = 4; n <= MOST; n++) {
        double points[2 * MOST];
        uint32_t tour[MOST];
        if (!harness_takes_case())
            continue;
        test_label("%u cities", (unsigned)n);
        for (int is_one_place = 0; is_one_place < 2; is_one_place++) {
            struct shoal_tsp_params params = params_of(NULL);
            for (uint32_t i = 0; i < 2 * n; i++)
                points[i] = is_one_place ? 3 : shoal_random_words(5, SHOAL_STREAM_TEST, n, i, 0).x % 1000;
            params.points = points;
            params.count = n;
            struct shoal_solver *solver = solver_of(&params);
            harness_step(solver, STEPS);
            struct shoal_tsp_params best = params;
            best.algorithm = SHOAL_TSP_EXACT;
            best.iterations = best.replicas = 0;
            struct shoal_solver *exact = n <= 12 ? solver_of(&best) : NULL;
            const int64_t length = take_tour(&solver, tour, n);
            if (exact) {
                harness_step(exact, 0);
                assert_true(take_tour(&exact, tour, n) == length);
            }
        }
    }
}

/* A run from the tour of another run is never longer. */
static void test_from_tour(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of("uniform:600:1");
    uint32_t tour[CITIES], again[CITIES];
    struct shoal_solver *first = solver_of(&params);
    harness_step(first, STEPS);
    const int64_t length = take_tour(&first, tour, CITIES);
    params.start_tour = tour;
    params.seed = 9;
    struct shoal_solver *second = solver_of(&params);
    harness_step(second, 0);
    int64_t begin;
    assert_ok(shoal_tsp_best(second, again, CITIES, &begin, &test_error));
    assert_true(begin <= length);
    harness_step(second, STEPS);
    assert_true(take_tour(&second, again, CITIES) <= length);
}

/* Resumed before and after the first recombination, a run has the bits of one that was not interrupted. */
static void test_resumed(void **state)
{
    (void)state;
    const struct shoal_tsp_params params = params_of("uniform:600:1");
    for (uint64_t before = 1; before < STEPS; before += 4) {
        uint32_t tours[2][CITIES];
        if (!harness_takes_case())
            continue;
        struct shoal_solver *whole = solver_of(&params), *first = solver_of(&params),
                            *second = solver_of(&params);
        harness_step(first, before);
        assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
        shoal_solver_destroy(&first);
        assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
        harness_step(second, STEPS - before);
        harness_step(whole, STEPS);
        const int64_t length = take_tour(&whole, tours[0], CITIES);
        assert_true(take_tour(&second, tours[1], CITIES) == length);
        assert_words(tours[1], tours[0], CITIES);
    }
}

/* If a recombination is cut, the tours are those before its step. */
static void test_cut(void **state)
{
    (void)state;
    const struct shoal_tsp_params params = params_of("uniform:600:1");
    struct shoal_solver *solver = solver_of(&params);
    uint32_t *tours = harness_memory((size_t)REPLICAS * CITIES * sizeof *tours);
    int64_t changes[REPLICAS] = {0};
    harness_step(solver, STEPS - 1);
    struct lk_run *run = lk_run_of(solver);
    const struct lk_state before = run->state;
    memcpy(tours, run->wholes->order, (size_t)REPLICAS * CITIES * sizeof *tours);
    lk_divide_all(run, lk_division(&run->lk, STEPS));
    lk_gather_all(run, lk_division(&run->lk, STEPS));
    long_step_begin(run->cut);
    atomic_store(&run->cut->is_cut, true);
    assert_ok(lk_take(run, STEPS, changes, 0, &test_error));
    assert_words(run->wholes->order, tours, (size_t)REPLICAS * CITIES);
    assert_memory_equal(&run->state, &before, sizeof before);
    shoal_solver_destroy(&solver);
}

/* The threshold of a cooling whose rounds differ in length falls in each round, to 0 at its end. */
static void test_rounds(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of("uniform:600:1");
    params.cooling = params.iterations = 78;
    struct shoal_solver *solver = solver_of(&params);
    harness_step(solver, 0);
    const struct lk_run *run = lk_run_of(solver);
    uint32_t ends = 0, before = UINT32_MAX;
    for (uint64_t step = 5; step <= 78; step++) {
        const uint32_t threshold = lk_threshold(run, step);
        assert_true(threshold <= before);
        ends += threshold == 0;
        before = threshold ? threshold : 65536;
    }
    assert_int_equal(ends, 9); /* the first round and eight others */
    assert_int_equal(lk_threshold(run, 55), 0);
    assert_int_equal(lk_threshold(run, 78), 0);
    assert_int_equal(lk_threshold(run, 79), 0);
    shoal_solver_destroy(&solver);
}

/* A run that begins with a curve makes two steps without kicks, and cools as if it began after them; a tour
 * of the caller is no curve. */
static void test_cooling_of_curve(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of("uniform:65537:1");
    uint32_t tour[65537];
    params.cell = 50;
    params.replicas = 1;
    params.iterations = 80;
    params.cooling = 42;
    struct shoal_solver *curve = solver_of(&params);
    harness_step(curve, 2);
    assert_int_equal(lk_run_of(curve)->state.kicks, 0);
    for (uint32_t i = 0; i < 65537; i++)
        tour[i] = i;
    params.start_tour = tour;
    params.cooling = 40;
    struct shoal_solver *given = solver_of(&params);
    harness_step(given, 0);
    for (uint64_t step = 1; step <= 44; step++)
        assert_int_equal(lk_threshold(lk_run_of(curve), step + 2), lk_threshold(lk_run_of(given), step));
    assert_int_equal(lk_steps_without_kicks(&lk_run_of(given)->lk), 0);
    shoal_solver_destroy(&given);
    params.start_tour = NULL;
    for (params.cooling = 1; params.cooling <= 3; params.cooling++) {
        shoal_solver_destroy(&curve);
        curve = solver_of(&params);
        harness_step(curve, 0);
        assert_int_equal(lk_threshold(lk_run_of(curve), 4), 0);
    }
    shoal_solver_destroy(&curve);
}

/* A solver and its checkpoint have the number of tours that was chosen. */
static void test_number_is_kept(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of("uniform:600:1");
    params.replicas = 0;
    struct shoal_solver *first = solver_of(&params);
    harness_step(first, 1);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    shoal_solver_destroy(&first);
    /* A time for which several tours would be chosen, if the checkpoint had not one. */
    params.time = 1000;
    params.replicas = 1;
    struct shoal_solver *second = solver_of(&params);
    assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
    shoal_solver_destroy(&second);
    params.replicas = 0;
    struct shoal_solver *third = solver_of(&params);
    assert_status(shoal_solver_load(third, test_path("run"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--replicas 1, not 128");
    shoal_solver_destroy(&third);
}

static bool ends_at_once(void *data)
{
    (void)data;
    return true;
}

/* If the other first tours are cut, the run has the caller's tour. */
static void test_cut_first_tours(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of("uniform:600:1");
    uint32_t tour[CITIES], again[CITIES];
    struct shoal_solver *first = solver_of(&params);
    harness_step(first, STEPS);
    const int64_t length = take_tour(&first, tour, CITIES);
    params.start_tour = tour;
    params.replicas = 64;
    struct shoal_solver *second = solver_of(&params);
    tsp_run_of(second)->cut.patience_s = 0;
    second->must_end = ends_at_once;
    harness_step(second, 1);
    int64_t found;
    assert_ok(shoal_tsp_best(second, again, CITIES, &found, &test_error));
    assert_true(found == length);
    assert_words(again, tour, CITIES);
    shoal_solver_destroy(&second);
}

static void test_chosen(void **state)
{
    (void)state;
    static const struct {
        double time;
        uint32_t cities;
        enum tsp_maker maker;
        uint64_t replicas;
        bool is_matrix;
    } cases[] = {
        {NAN, 1000, TSP_GPU, 1},     {1, 1000, TSP_HOST, 25},      {1, 1000, TSP_HOST, 10, true},
        {1, 100, TSP_HOST, 100},     {1, 500, TSP_CPU_DEVICE, 20}, {10, 10000, TSP_CPU_DEVICE, 25},
        {1, 20000, TSP_HOST, 1},     {1, 5000, TSP_GPU, 48},       {10, 20000, TSP_GPU, 123},
        {10, 100000, TSP_GPU, 23},   {60, 100000, TSP_GPU, 83},    {1e9, 1000000, TSP_HOST, 8},
        {1e9, 200000, TSP_HOST, 41}, {100, 131073, TSP_GPU, 1},    {100, 131072, TSP_GPU, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params params = params_of("uniform:600:1");
        params.replicas = 0;
        params.time = cases[i].time;
        test_label("case %zu", i);
        tsp_choose_replicas(&params, cases[i].cities, cases[i].is_matrix, cases[i].maker);
        assert_int_equal(params.replicas, cases[i].replicas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossovers),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_shorter),
        cmocka_unit_test(test_few_cities),
        cmocka_unit_test(test_from_tour),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_cooling_of_curve),
        cmocka_unit_test(test_number_is_kept),
        cmocka_unit_test(test_cut_first_tours),
        cmocka_unit_test(test_chosen),
    };
    return harness_main("tsp-lk-replicas", tests, sizeof tests / sizeof *tests);
}
